import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '../../../api/mcp/tools/index.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/**
 * Questions with the tools that answer them. A ranking by words must have one of these tools among the first three. The test notices a
 * description that no longer matches its question.
 */
const questions: readonly (readonly [question: string, ...right: string[]])[] = [
  ["What's the weather in Denver this week?", 'get_forecast'],
  ['Will it rain in the next hour at 41.88, -87.63?', 'get_precipitation_nowcast'],
  ['Do I need an umbrella right now?', 'get_precipitation_nowcast', 'get_radar'],
  ['When will this rain end?', 'get_precipitation_nowcast'],
  ['How hot will it be at 3 PM tomorrow in Phoenix?', 'get_hourly_forecast'],
  ['How windy will it be this evening, hour by hour?', 'get_hourly_forecast'],
  ["Are there any warnings for my area? I'm in 73102.", 'get_alerts'],
  ['What should I do about the flood warning at my place?', 'get_alerts'],
  ['Any tornado warnings in Oklahoma right now?', 'search_alerts'],
  ['How many winter storm warnings are active in the whole country?', 'search_alerts'],
  ['When can I paint my deck in Portland this weekend? It needs four dry hours.', 'find_best_window'],
  ['When is the best time to run outside tomorrow, dry and calm?', 'find_best_window'],
  ['How sure is the snow forecast for Buffalo?', 'get_forecast_distribution'],
  ['What is the worst case for wind gusts tomorrow, how likely is it?', 'get_forecast_distribution'],
  ['How accurate were your temperature forecasts in Colorado last month?', 'get_forecast_skill'],
  ['When you give a 70 % chance of rain, does it verify?', 'get_forecast_skill'],
  ['Which variables does the NBM dataset have?', 'describe_dataset'],
  ['Which datasets are there, and which has visibility?', 'list_datasets'],
  ['Give me the 90th percentile of HRRR wind gusts over the next 18 hours for 12 turbines as CSV.', 'query_dataset'],
  ['Table of temperature for 50 points over a time range as Arrow', 'query_dataset'],
  ['Show me the radar over Kansas City as a picture.', 'get_map_snapshot'],
  ['Draw a map of temperature over Colorado.', 'get_map_snapshot'],
  ['Compare the wind in Amarillo, Lubbock and Midland tomorrow.', 'compare_locations'],
  ['Which city is warmer, Miami or Tampa?', 'compare_locations'],
  ['How much rain did we get overnight in Raleigh?', 'get_precipitation_totals'],
  ['How much snow melted or rain fell in the last 48 hours?', 'get_precipitation_totals'],
  ['How hot was it yesterday in Austin?', 'get_past_weather'],
  ['Is it raining there right now, and how far away is the nearest echo?', 'get_radar'],
  ['Is that storm cell coming towards me?', 'get_storm_tracks'],
  ['Is there a tornado risk tomorrow?', 'get_severe_outlook'],
  ['Is it safe to burn brush today, is there a red flag warning?', 'get_fire_weather'],
  ['Was that thunder? Is lightning near?', 'get_lightning_activity'],
  ['When does the sun set tonight in Fairbanks?', 'get_sun_moon'],
  ['What phase is the moon?', 'get_sun_moon'],
  ['What is normal for this time of year in Anchorage?', 'get_climate_normals'],
  ['How cold does it usually get in Fargo in January?', 'get_climate_normals'],
  ['Was that a record high in Boston yesterday?', 'get_climate_records'],
  ['Which temperature records were set this week by the office in Norman?', 'get_climate_records'],
  ['I drive from Denver to Moab tomorrow with two stops. What weather will I meet?', 'get_route_weather'],
  ['How far is my corn? Degree days since April.', 'get_growing_degree_days'],
  ['How fresh is the data, is any source missing?', 'get_service_status'],
  ['Which Springfield is meant? Where does 62704 lie?', 'search_locations'],
  ['Is the air safe to run outside in Fresno?', 'get_air_quality'],
  ['How smoky is it, what is the AQI of ozone?', 'get_air_quality'],
  ['What did the station KDEN report over the past hours?', 'get_observations'],
  ['What does the METAR station say beside the analysis now?', 'get_current_conditions', 'get_observations'],
  ['What did the forecasters write, how confident are they?', 'get_forecast_discussion'],
  ['What is the chance of gusts above 40 mph this evening?', 'chance_of'],
  ['Did the forecast for tomorrow change since this morning?', 'what_changed'],
  ['What is the national discussion, any hurricane local statement?', 'get_text_products'],
]

const names = tools.map(({ name }) => name)
const words = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]+|\d+/g) ?? []).map((word) => word.replace(/(?<=..)(ing|ed|es|s)$/, ''))

/** Terms of the description of each tool. A clause that points to another tool counts for the other tool. */
function texts(): Map<string, string[]> {
  const terms = new Map(names.map((name) => [name, []] as [string, string[]]))
  for (const { name, title, description } of tools) {
    terms.get(name)?.push(...words(title), ...words(name.replaceAll('_', ' ')))
    for (const clause of description.split(/[.;:](?:\s|$)/)) {
      const otherTools = names.filter((other) => other !== name && new RegExp(`\\b${other}\\b`).test(clause))
      for (const to of otherTools.length > 0 ? otherTools : [name])
        terms.get(to)?.push(...words(clause.replace(/\b[a-z]+_[a-z_]+\b/g, '')))
    }
  }
  return terms
}

/** The tools ranked by Okapi BM25 over their descriptions, best first. */
function ranked(question: string): string[] {
  const terms = texts()
  const mean = [...terms.values()].reduce((sum, list) => sum + list.length, 0) / terms.size
  const score = (list: readonly string[]) =>
    [...new Set(words(question))].reduce((sum, word) => {
      const holders = [...terms.values()].filter((other) => other.includes(word)).length
      const count = list.filter((term) => term === word).length
      const rarity = Math.log(1 + (terms.size - holders + 0.5) / (holders + 0.5))
      return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * list.length) / mean))
    }, 0)
  return [...terms]
    .map(([name, list]) => [name, score(list)] as const)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name)
}

describe('the ranking of tools', () => {
  test.each(questions)('finds a tool for: %s', (question, ...right) => {
    expect(right.filter((name) => !names.includes(name))).toEqual([])
    const first = ranked(question).slice(0, 3)
    expect(
      right.some((name) => first.includes(name)),
      first.join(', '),
    ).toBe(true)
  })

  test('has the right tool first for most questions, and every tool has a question', () => {
    const hits = questions.filter(([question, ...right]) => right.includes(ranked(question)[0] ?? ''))
    expect(hits.length / questions.length).toBeGreaterThanOrEqual(0.75)
    const covered = new Set(questions.flatMap(([, ...right]) => right))
    expect(names.filter((name) => !covered.has(name))).toEqual([])
  })
})

/** Calls that an assistant would make for such questions. None of them may be rejected. */
const turbines = Array.from({ length: 12 }, (_, i) => ({ lat: 41.5 + i / 50, lon: -99 - i / 50, label: `T${i + 1}` }))
const calls: readonly (readonly [string, object])[] = [
  ['get_forecast', { location: 'Denver, CO' }],
  ['get_precipitation_nowcast', { lat: 41.88, lon: -87.63 }],
  ['get_hourly_forecast', { location: 'Phoenix, AZ' }],
  ['get_alerts', { location: '73102' }],
  ['search_alerts', { area: 'OK', event: 'Tornado Warning' }],
  ['find_best_window', { location: 'Portland, OR', criteria: { min_temperature: 50 }, activity_duration_hours: 4 }],
  ['get_forecast_distribution', { location: 'Buffalo, NY', aspect: 'snow' }],
  ['get_air_quality', { location: 'Fresno, CA' }],
  ['get_observations', { station: 'KDEN', hours: 3 }],
  ['describe_dataset', { dataset_id: 'nbm' }],
  [
    'query_dataset',
    {
      dataset_id: 'hrrr',
      variables: ['wind_gust'],
      hours: 18,
      aggregate: { functions: ['p90'] },
      format: 'csv',
      points: turbines,
    },
  ],
  ['get_map_snapshot', { location: 'Kansas City, MO' }],
  [
    'compare_locations',
    {
      locations: [{ location: 'Amarillo, TX' }, { location: 'Lubbock, TX' }, { location: 'Midland, TX' }],
      variables: ['wind_speed'],
    },
  ],
  ['get_precipitation_totals', { location: 'Raleigh, NC' }],
]

describe('a call', () => {
  let sky: SkyServer
  let client: Client
  beforeAll(async () => {
    sky = await skyServer()
    client = sky.client
  })
  afterAll(() => sky.close())
  const call = (name: string, args: object) =>
    client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>

  test.each(calls)('is answered: %s %j', async (name, args) => {
    const result = await call(name, args)
    // The test server has no totals of past hours.
    if (name === 'get_precipitation_totals')
      return expect(result._meta?.['hexcast/error']?.['code'], result.content[0]?.text).toBe('no-data')
    expect(result.isError, result.content[0]?.text).toBeFalsy()
    if (name !== 'query_dataset') return
    const lines = result.content[1]?.resource?.text?.trimEnd().split('\r\n') ?? []
    expect(lines[0]).toBe('point,wind_gust_p90 [mph],label')
    expect(lines[12]).toMatch(/,T12$/)
    expect(lines.length).toBe(13)
  })

  test.each([
    'get_forecast',
    'get_alerts',
    'get_current_conditions',
    'get_forecast_distribution',
    'get_hourly_forecast',
    'get_lightning_activity',
    'get_map_snapshot',
    'get_radar',
    'get_storm_tracks',
    'get_sun_moon',
    'query_dataset',
    'compare_locations',
  ])('of %s says which of several places of a name was taken', async (name) => {
    const place = { location: 'Portland' }
    const more: Record<string, object> = {
      get_forecast_distribution: { ...place, aspect: 'temperature' },
      query_dataset: { ...place, dataset_id: 'nbm', variables: ['temperature'] },
      compare_locations: { locations: [place, { location: 'Denver, CO' }], variables: ['temperature'] },
    }
    const result = await call(name, more[name] ?? place)
    expect(result.isError, result.content[0]?.text).toBeFalsy()
    const { warnings } = (result.structuredContent?.['meta'] ?? {}) as { warnings: { code: string; detail: string }[] }
    expect(warnings.find(({ code }) => code === 'place_assumed')?.detail).toMatch(/Portland, ME/)
    expect(result.content.find(({ type }) => type === 'text')?.text).toMatch(/Portland, ME/)
  })

  test('accepts each candidate for a name as the place', async () => {
    const ambiguous = await call('get_sun_moon', { location: 'Springfield' })
    const { suggestions } = (ambiguous._meta?.['hexcast/error'] ?? {}) as unknown as { suggestions: string[] }
    expect(suggestions.length).toBe(5)
    for (const location of suggestions) {
      const result = await call('get_sun_moon', { location })
      expect(result.structuredContent?.['location']).toMatchObject({ name: location.replace(/ \(.*/, '') })
    }
  })

  test.each([
    [{ event: 'Tornado Warnings' }, /Tornado Warning/],
    [{ area: 'ZZ' }, /No state is called "ZZ"/],
    [{ zone: 'COZ999' }, /No NWS zone/],
    [{ wfo: 'QQQ' }, /No NWS office/],
    [{ bbox: [0, 0, 1, 1] }, /50 US states and DC/],
  ])('of search_alerts fails for an unknown filter: %j', async (args, terms) => {
    const result = await call('search_alerts', args)
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(terms)
  })

  test('of get_storm_tracks does not give an all-clear where no radar reaches: Adak, AK', async () => {
    const result = await call('get_storm_tracks', { lat: 51.88, lon: -176.65 })
    const { warnings } = (result.structuredContent?.['meta'] ?? {}) as { warnings: { code: string }[] }
    expect(warnings.map(({ code }) => code)).toContain('no_coverage')
    expect(result.structuredContent?.['storms']).toBeNull()
    expect(result.content[0]?.text).toMatch(
      /not known whether there are storm cells .* no radar that tracks storms reaches it/,
    )
    expect(result.content[0]?.text).not.toMatch(/No storm cells/)
  })

  test.each(['Hilo, HI', 'Anchorage, AK', 'Denver, CO'])(
    'of get_storm_tracks does not give an all-clear without storm cells: %s',
    async (location) => {
      const result = await call('get_storm_tracks', { location })
      const { storms, meta } = result.structuredContent as { storms: object[]; meta: { warnings: { code: string }[] } }
      if (storms.length > 0) return
      const text = result.content[0]?.text
      expect(text).not.toMatch(/No storm cells/)
      if (meta.warnings.some(({ code }) => code === 'no_coverage')) expect(text).toMatch(/not an all-clear/)
      else
        expect(text).toMatch(
          /^0 tracked storm cells .* elsewhere\. Rain and lightning without a tracked cell are possible/m,
        )
    },
  )

  test('of get_service_status has one row for each product and each family of the tools', async () => {
    const { datasets } = (await call('get_service_status', {})).structuredContent as unknown as {
      datasets: { dataset_id: string; age_seconds: number | null; stale: boolean }[]
    }
    const ids = datasets.map(({ dataset_id }) => dataset_id)
    expect(ids).toEqual([...new Set(ids)])
    for (const id of ['alerts', 'nws-alerts', 'spc', 'spc-fire', 'spc-outlooks', 'mrms', 'blend'])
      expect(ids, id).toContain(id)
    for (const id of ['alerts', 'nws-alerts', 'spc', 'spc-fire', 'spc-outlooks'])
      expect(datasets.find(({ dataset_id }) => dataset_id === id)?.stale, id).toBe(false)
  })
})
