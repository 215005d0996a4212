import { afterAll, beforeAll, expect, test } from 'vitest'
import { markFailed } from '../../../sql/queries/feeds.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/**
 * Calls that find nothing, in 500 ways: by filters, outside the coverage, and after a failed read. An assistant repeats the sentence that it
 * gets, so each sentence must name the filters and the time, and must not sound like an all-clear unless it is one.
 */
let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer()
})
afterAll(async () => sky.close())

const call = (name: string, args: object) =>
  sky.client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
const textOf = (result: Result) =>
  (result.content.find(({ type }) => type === 'text')?.text ?? '').replaceAll('\u202f', ' ')

/** A pseudo-random chooser (Lehmer generator), so that every run makes the same calls. */
function chooser(seed: number) {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return {
    of: <T>(list: readonly T[]): T => {
      const [chosen] = list.slice(Math.floor(next() * list.length))
      if (chosen === undefined) throw new Error('the list must not be empty')
      return chosen
    },
    maybe: () => next() < 0.5,
    number: (from: number, to: number) => Math.round(from + next() * (to - from)),
  }
}
type Chooser = ReturnType<typeof chooser>

const towns = [
  'Denver, CO',
  'Phoenix, AZ',
  'Boston, MA',
  'Miami, FL',
  'Seattle, WA',
  'Moore, OK',
  'Fargo, ND',
  'Reno, NV',
  'Honolulu, HI',
  'Anchorage, AK',
  'Nome, AK',
  'Key West, FL',
  '73102',
  '39.1,-94.6',
] as const
const foreign = ['Guam', 'San Juan, PR', '00901', 'Toronto, ON', 'Paris, France', '51.5,-0.1', '19.4,-99.1'] as const
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const
const TIME = /\d{1,2}:\d{2} [AP]M|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const clear = /\bno (active )?(alerts?|warnings?)\b|\ball.clear\b(?<!not an all-clear)/i

interface Question {
  readonly args: (choose: Chooser) => object
  /** Whether the result is empty. */
  readonly empty: (data: Record<string, unknown>) => boolean
  /** What the text of an empty result must say besides the values of the filters. */
  readonly states: RegExp | readonly RegExp[]
  /** The arguments whose values the text must repeat. */
  readonly named?: readonly string[]
}
/** Whether a list is empty; null means that it is not known, which is not empty. */
const lengthOf = (name: string) => (data: Record<string, unknown>) => isEmpty(data[name])
const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const questions: Readonly<Record<string, Question>> = {
  search_alerts: {
    args: (choose) => ({
      ...choose.of([{}, { area: choose.of(['OK', 'DC', 'HI', 'AK', 'NE', 'VT']) }, { wfo: choose.of(['BOU', 'HFO']) }]),
      event: choose.of(['Tsunami Warning', 'Blizzard Warning', 'Dust Storm Warning', 'Avalanche Watch']),
      ...(choose.maybe() && { severity: choose.of(severities) }),
      ...(choose.maybe() && { certainty: choose.of(['Observed', 'Unlikely']) }),
    }),
    empty: ({ total }) => total === 0,
    states: /^0 alerts match .* as of .*(\d+ (others? )?(is|are) active|None of another kind is active there)/m,
    named: ['event', 'severity', 'certainty', 'area', 'wfo'],
  },
  get_alerts: {
    args: (choose) => ({ location: choose.of(towns) }),
    empty: lengthOf('alerts'),
    states: /^No active alerts at .* as of .*\(feed read .* ago\)\.\n(None is active within|Not here, but within)/m,
  },
  get_forecast: {
    args: (choose) => ({ location: choose.of(towns), include: choose.of(['alerts', 'current,alerts']) }),
    empty: ({ forecast }) => (forecast as { alerts_total?: number }).alerts_total === 0,
    states: /^No active alerts here as of /m,
  },
  get_route_weather: {
    args: (choose) => ({
      stops: [1, 3].map((hours) => ({ location: choose.of(towns.slice(0, 12)), time: inHours(hours) })),
    }),
    empty: ({ stops }) => (stops as { alerts: object[] | null }[]).every(({ alerts }) => alerts?.length === 0),
    states: /No alert issued so far is in effect at these stops at these times; the way between/,
  },
  get_fire_weather: {
    args: (choose) => ({ location: choose.of(towns), days: choose.number(1, 8) }),
    empty: ({ alerts, outlooks }) => [alerts, outlooks].every(isEmpty),
    states: [/^No Red Flag Warning is in effect at .* as of /m, /on days? 1/],
  },
  get_severe_outlook: {
    args: (choose) => ({ location: choose.of(towns), days: choose.number(1, 8) }),
    empty: ({ outlooks }) => outlooks === null || isEmpty(outlooks),
    states: /(lower 48 states only: the risk at .* is not known|[Nn]o .*outlook.* days? 1)/,
  },
  get_storm_tracks: {
    args: (choose) => ({ location: choose.of(towns), radius_km: choose.number(10, 40), limit: 5 }),
    empty: lengthOf('storms'),
    states: /^0 tracked storm cells within \d+ km of .* at .*elsewhere\. Rain and lightning .* possible/m,
    named: ['radius_km'],
  },
  get_radar: {
    args: (choose) => ({ location: choose.of(towns), radius_km: choose.number(10, 30) }),
    empty: ({ nearest_echo }) => nearest_echo === null,
    states: /^(No echo of 15 dBZ within \d+ km|It is not known whether (there is an echo|anything falls))/m,
  },
  get_precipitation_nowcast: {
    args: (choose) => ({ location: choose.of(towns), minutes: choose.number(15, 90) }),
    empty: ({ message }) => /^No rain/.test(String(message)),
    states:
      /^No rain or snow at .* in the next \d+ minutes by radar\.(?: The next precipitation begins at [^\n]+)?\nRadar of /m,
    named: ['minutes'],
  },
  get_lightning_activity: {
    args: (choose) => ({ location: choose.of(towns) }),
    empty: ({ lightning }) => !(lightning as { flash_count: number | null }).flash_count,
    states: /not known .*This is not an all-clear|No flash within 30 km in 10 minutes/,
  },
  find_best_window: {
    args: (choose) => ({
      location: choose.of(towns),
      criteria: { min_temperature: choose.number(130, 150), ...(choose.maybe() && { max_wind_speed: 0.1 }) },
      hours: choose.number(10, 168),
    }),
    empty: lengthOf('windows'),
    states: /^No window of \d+ h in the next \d+ h: .* failed/m,
    named: ['min_temperature', 'max_wind_speed', 'hours'],
  },
  list_datasets: {
    args: (choose) => ({
      variable: choose.of(['temprature', 'humidty', 'wave_height']),
      kind: choose.of(['grid', 'text']),
    }),
    empty: ({ count }) => count === 0,
    states: /^0 of \d+ datasets match/m,
    named: ['variable', 'kind'],
  },
  describe_dataset: {
    args: (choose) => ({
      dataset_id: choose.of(['nbm', 'hrrr', 'mrms', 'metar']),
      search: choose.of(['tide', 'pollen']),
    }),
    empty: ({ detail }) => (detail as { variables: object[] }).variables.length === 0,
    states: /^0 of \d+ variables match/m,
    named: ['search'],
  },
  query_dataset: {
    args: (choose) => ({
      location: choose.of(towns.slice(0, 10)),
      dataset_id: choose.of(['nbm', 'blend', 'metar']),
      variables: ['temperature'],
      hours: choose.number(3, 20),
      filters: [{ variable: 'temperature', op: 'gt', value: choose.number(150, 190) }],
    }),
    empty: ({ total_rows }) => total_rows === 0,
    states:
      /^No rows: (no value meets all filters \(temperature gt 1\d\d\), \d+ rows without|the dataset has no data).* from .* to /m,
  },
  search_locations: {
    args: (choose) => ({ query: choose.of(['Xyzzyq', 'Qqqqq Zzzz', '00000', 'Wwwxx, OK']) }),
    empty: lengthOf('results'),
    states: /^0 places in the 50 US states and DC match ".*"/m,
    named: ['query'],
  },
  get_observations: {
    args: (choose) => ({ lat: choose.of([39.05, 44.6, 41.9]), lon: -117.52, radius_km: 1, hours: choose.number(1, 5) }),
    empty: lengthOf('observations'),
    states: /within 1 km|nearest/,
  },
  get_air_quality: {
    args: (choose) => ({ location: choose.of(['Anchorage, AK', 'Honolulu, HI', 'Nome, AK']) }),
    empty: lengthOf('current'),
    states: /Air quality at .*: not (covered|known)/,
  },
  get_map_snapshot: {
    args: (choose) => ({
      width: 300,
      height: 200,
      scene: {
        scene: '1',
        view: { center: { lat: choose.number(30, 45), lon: choose.number(-120, -80) }, zoom: 5 },
        layers: [{ type: 'alerts', filter: { events: ['Tsunami Warning'] } }],
      },
    }),
    empty: () => true,
    states: /0 alerts in the picture match events Tsunami Warning; \d+ others? (is|are) active in it/,
  },
}

test('names the filters, the time and other active alerts if the filters exclude every alert', {
  timeout: 240_000,
}, async () => {
  const choose = chooser(20)
  const empty: Record<string, number> = {}
  const wrong: string[] = []
  let callCount = 0
  for (const [name, question] of Object.entries(questions)) {
    // An installation confirms the feed every few seconds. Without a read for 90 s the absence of alerts is not known.
    await sky.database.query(`update feed_state set confirmed_at = clock_timestamp() where feed = 'alerts'`)
    for (let i = 0; i < 20; i++) {
      const args = question.args(choose)
      const result = await call(name, args)
      callCount++
      const text = textOf(result)
      const faults: string[] = []
      const require = (isMet: boolean, requirement: unknown) => void (isMet || faults.push(String(requirement)))
      if (result.isError) {
        // Data that this installation does not store must be reported as missing, not as an empty result.
        require(/^Error \((no-data|outside-coverage|bad-request|not-found)\): .+ Next: .+/s.test(text), 'an error')
        require(!clear.test(text), 'no all-clear')
      } else if (question.empty(result.structuredContent ?? {})) {
        empty[name] = (empty[name] ?? 0) + 1
        for (const words of [question.states].flat()) require(words.test(text), words)
        for (const [key, value] of Object.entries(flat(args)))
          if (question.named?.includes(key)) require(isNamed(text, key, value), `${key} ${value}`)
        if (/alerts|forecast|storm|fire/.test(name)) require(TIME.test(text), 'a time')
        if (name === 'search_alerts') require(!clear.test(text), 'no all-clear')
      }
      if (faults.length > 0) wrong.push(`${name} ${JSON.stringify(args)}: expected ${faults.join('; ')} in: ${text}`)
    }
  }
  expect(wrong).toEqual([])
  expect(callCount).toBeGreaterThanOrEqual(340)
  for (const name of Object.keys(questions)) expect(empty[name] ?? 0, name).toBeGreaterThan(0)
})

/** Whether the text names the value of an argument. Minutes may be fewer, because the nowcast begins with the newest scan. */
function isNamed(text: string, key: string, value: unknown): boolean {
  const minutes = key === 'minutes' && /next (\d+) minutes/.exec(text)
  if (minutes) return Number(minutes[1]) <= Number(value) && Number(minutes[1]) >= Number(value) - 15
  return text.toLowerCase().includes(wordOf(key, value).toLowerCase())
}

/** The arguments with the members of nested objects. */
const flat = (args: object): Record<string, unknown> =>
  Object.assign({}, ...Object.entries(args).map(([key, value]) => (isObject(value) ? value : { [key]: value })))
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const names: Readonly<Record<string, string>> = {
  OK: 'Oklahoma',
  DC: 'District of Columbia',
  HI: 'Hawaii',
  AK: 'Alaska',
  NE: 'Nebraska',
  VT: 'Vermont',
}
const wordOf = (key: string, value: unknown) => (key === 'area' ? (names[String(value)] ?? '') : String(value))

/** Arguments that a tool requires besides a place. */
const required: Readonly<Record<string, object>> = {
  chance_of: { variable: 'thunderstorm' },
  find_best_window: { criteria: { min_temperature: 50 } },
  get_forecast_discussion: { type: 'afd' },
  get_forecast_distribution: { aspect: 'snow' },
  get_growing_degree_days: { crop: 'corn' },
  get_text_products: { type: 'now' },
  query_dataset: { dataset_id: 'nbm', variables: ['temperature'] },
}

test('rejects a place outside the coverage with the reason in every tool that takes a place', {
  timeout: 120_000,
}, async () => {
  const { tools } = await sky.client.listTools()
  let callCount = 0
  for (const { name, inputSchema } of tools) {
    const known = Object.keys(inputSchema.properties ?? {})
    if (!known.includes('lat') || name === 'search_locations') continue
    for (const place of foreign) {
      const [lat, lon] = place.split(',').map(Number)
      const point = Number.isFinite(lat) && Number.isFinite(lon)
      if (!point && !known.includes('location')) continue
      const result = await call(name, { ...(point ? { lat, lon } : { location: place }), ...required[name] })
      callCount++
      const text = textOf(result)
      expect(result._meta?.['hexcast/error']?.['code'], `${name} ${place}: ${text}`).toBe('outside-coverage')
      expect(text).toMatch(/50 US states and DC/)
      expect(text).toMatch(/do not retry/)
      expect(text).not.toMatch(clear)
    }
  }
  expect(callCount).toBeGreaterThanOrEqual(140)
})

test('reports nothing as absent after a failed read', { timeout: 120_000 }, async () => {
  await markFailed(sky.database, 'alerts', 'refused by a test')
  await expect
    .poll(async () => (await call('search_alerts', { event: 'Tsunami Warning' })).isError, { timeout: 20_000 })
    .toBe(true)
  const choose = chooser(21)
  let callCount = 0
  for (const name of ['search_alerts', 'get_alerts', 'get_forecast', 'get_route_weather', 'get_fire_weather']) {
    const question = questions[name]
    for (let i = 0; i < 8; i++) {
      const args = question?.args(choose) ?? {}
      const result = await call(name, args)
      callCount++
      const text = textOf(result)
      const about = `${name} ${JSON.stringify(args)}: ${text}`
      if (name === 'get_fire_weather') {
        const { red_flag, alerts } = result.structuredContent as { red_flag: boolean | null; alerts: object[] | null }
        expect(alerts?.length, about).not.toBe(0)
        expect(red_flag, about).not.toBe(false)
      }
      expect(text, about).not.toMatch(/^(No active alerts|0 alerts match|No Red Flag Warning is)/m)
      const isEmpty = result.isError || question?.empty(result.structuredContent ?? {})
      expect(/not an all-clear/.test(text) || !isEmpty, about).toBe(true)
    }
  }
  expect(callCount).toBe(40)
})
