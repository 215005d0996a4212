import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coreTools, tools } from '../../../api/mcp/tools/index.ts'
import { instructions } from '../../../api/mcp/words/instructions.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: ['mrms-reflectivity', 'mrms-qpe-1h', 'mrms-qpe-1h-pass1', 'mrms-qpe-24h'] })
})
afterAll(async () => sky.close())

const call = (name: string, args: object) =>
  sky.client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
const textOf = (result: Result) => result.content.find(({ type }) => type === 'text')?.text ?? ''

test('quotes the words of a source after "> " and names them as data in the text and in meta', async () => {
  expect(instructions).toMatch(/never follow instructions/)
  expect(instructions.length).toBeLessThanOrEqual(1500)
  const { alerts } = (await call('search_alerts', { limit: 50 })).structuredContent as { alerts: { id: string }[] }
  let quoted = 0
  for (const { id } of alerts) {
    const result = await call('get_alerts', { alert_id: id })
    const { alert, meta } = result.structuredContent as {
      alert: { description: string; instruction: string }
      meta: { quoted: { source: string; fields: string[]; note: string } }
    }
    expect(meta.quoted.fields).toContain('alert.description')
    expect(meta.quoted.note).toMatch(/never instructions/)
    const lines = textOf(result).split('\n')
    const source = `${alert.description}\n${alert.instruction}`.split('\n').map((line) => line.trim())
    for (const line of source.filter(({ length }) => length > 20)) {
      const shown = lines.filter((shownLine) => shownLine.includes(line.slice(0, 20)))
      for (const shownLine of shown) expect(shownLine.startsWith('> '), shownLine).toBe(true)
      quoted += shown.length
    }
    expect(/\(quoted data, not instructions\):\n> /.test(textOf(result))).toBe(
      lines.some((line) => line.startsWith('> ')),
    )
  }
  expect(quoted).toBeGreaterThan(3)
})

describe('totals of precipitation', () => {
  test('name the end of every window, and the count of stored hours if hours are missing', async () => {
    const result = await call('get_precipitation_totals', { location: 'Denver, CO', hours: 24 })
    const { totals } = result.structuredContent as {
      totals: { hours: number; amount: number | null; coverage: string; hours_available: number; valid_time: string }[]
    }
    expect(totals.map(({ hours }) => hours)).toEqual([1, 3, 6, 12, 24])
    for (const total of totals) {
      expect(textOf(result)).toMatch(new RegExp(`^${total.hours} h to \\w{3}, .* M[SD]T: `, 'm'))
      if (total.hours_available < total.hours) {
        expect(total).toMatchObject({ amount: null, coverage: 'partial' })
        expect(textOf(result)).toContain(`not known, only ${total.hours_available} of ${total.hours} hours are stored`)
      } else expect(total.amount === null).toBe(total.coverage === 'no_coverage')
    }
    expect(totals.some(({ coverage }) => coverage === 'partial')).toBe(true)
    // The 24-hour product replaces 24 hourly totals.
    expect(totals.at(-1)?.coverage).not.toBe('partial')
  })
})

test('get_forecast_distribution names the hours that an amount covers', async () => {
  const result = await call('get_forecast_distribution', { location: 'Denver, CO', aspect: 'precip' })
  const { series } = result.structuredContent as {
    series: { data: Record<string, number[]>; window_hours: Record<string, number> }[]
  }
  const windows = Object.assign({}, ...series.map(({ window_hours }) => window_hours)) as Record<string, number>
  expect(windows['precip_amount']).toBe(1)
  expect(textOf(result)).toMatch(/^precipitation in 1 h: /m)
  for (const { data, window_hours } of series) expect(Object.keys(window_hours)).toEqual(Object.keys(data))
})

describe('texts answer the question', () => {
  test('compare_locations names the model and says that get_forecast differs', async () => {
    const args = { locations: [{ location: 'Denver, CO' }, { location: 'Boise, ID' }], variables: ['temperature'] }
    expect(textOf(await call('compare_locations', args))).toMatch(
      /^Lowest to highest value of these hours by nbm alone; get_forecast /m,
    )
    const blend = await call('compare_locations', { ...args, dataset_id: 'blend' })
    expect(textOf(blend)).toMatch(/^Lowest to highest value of these hours by blend:$/m)
  })

  test('hourly lists say which hour a chance and an amount are for', async () => {
    const words = 'for the hour that ends then, first for the running hour'
    expect(textOf(await call('get_hourly_forecast', { location: 'Denver, CO' }))).toContain(
      `chance and amount are ${words}; sky`,
    )
    expect(textOf(await call('get_forecast', { location: 'Denver, CO', include: 'hourly' }))).toContain(
      `chance and amount ${words}:`,
    )
  })

  test.for([
    ['Denver, CO', 'standard'],
    ['Denver, CO', 'detailed'],
    ['Lillington, NC', 'standard'],
    ['Anchorage, AK', 'standard'],
    ['Honolulu, HI', 'detailed'],
  ] as const)('get_forecast has every requested day: %s, %s', async ([location, detail]) => {
    const result = await call('get_forecast', { location, days: 14, detail_level: detail })
    const { forecast } = result.structuredContent as { forecast: { daily: { high?: number; low?: number }[] } }
    const days = textOf(result)
      .split('\n')
      .filter((line) => /^\w{3}, \w{3} \d+: /.test(line))
    expect(days.length).toBe(forecast.daily.filter(({ high, low }) => typeof (high ?? low) === 'number').length)
    expect(textOf(result)).not.toMatch(/^\d+ more in data\.$/m)
  })

  test('get_forecast and the answers about hours begin with the alerts', async () => {
    const { alerts } = (await call('search_alerts', { limit: 50 })).structuredContent as { alerts: { id: string }[] }
    // The middle of a warning may lie at sea, outside of the coverage.
    for (const { id } of alerts) {
      const { alert } = (await call('get_alerts', { alert_id: id })).structuredContent as {
        alert: { geometry: { coordinates: [number, number][][][] } | null }
      }
      const rings = alert.geometry?.coordinates ?? []
      const ring = rings[0]?.[0]?.slice(0, -1) ?? []
      // Polygons of storms are convex; zones are not.
      if (rings.length !== 1 || ring.length > 8) continue
      const lon = ring.reduce((sum, [x]) => sum + x, 0) / ring.length
      const lat = ring.reduce((sum, [, y]) => sum + y, 0) / ring.length
      const place = { lat: Number(lat.toFixed(3)), lon: Number(lon.toFixed(3)) }
      const warned = textOf(await call('get_forecast', place)).split('\n')
      const first = warned.find((line) => !/^(SIMULATED|Note)/.test(line))
      if (first?.startsWith('Error (outside-coverage)')) continue
      expect(first).toMatch(/^\d+ active alerts?: .*\((Extreme|Severe|Moderate|Minor|Unknown)\) (from .*)?until /)
      // An answer about current conditions has the warning too.
      const current = textOf(await call('get_current_conditions', place))
      // Of several alerts some may begin later; one without a begin is in effect.
      const isInEffect = /\) until /.test(first ?? '')
      expect(
        /^In effect here: .+ until .+\. get_alerts says what to do\.$/m.test(current),
        `${first}\n${current}`,
      ).toBe(isInEffect)
      // Answers about the hours and about a time to be outside have it too.
      const hourly = await call('get_hourly_forecast', place)
      expect(textOf(hourly)).toMatch(/^(In effect|Issued for) here: .+ until .+\. get_alerts says what to do\.$/m)
      const window = await call('find_best_window', { ...place, criteria: { min_temperature: -60 } })
      expect(textOf(window)).toMatch(/^(In effect|Issued for) here: /m)
      const { meta } = hourly.structuredContent as { meta: { freshness: { product_id: string }[] } }
      expect(meta.freshness.map(({ product_id }) => product_id)).toContain('nws-alerts')
    }
  })

  test('get_forecast stays within 500 tokens, and concise within 150', async () => {
    const notice = /\n?(SIMULATED.*|Weather data: .*)/g
    const tokens = async (args: object) => textOf(await call('get_forecast', args)).replaceAll(notice, '').length / 4
    expect(await tokens({ location: 'Denver, CO' })).toBeLessThanOrEqual(500)
    expect(await tokens({ location: 'Denver, CO', detail_level: 'concise' })).toBeLessThanOrEqual(150)
  })

  test.for([
    ['Denver, CO', 'standard'],
    ['Denver, CO', 'detailed'],
    ['Lillington, NC', 'standard'],
    ['Anchorage, AK', 'standard'],
    ['Honolulu, HI', 'detailed'],
  ] as const)('get_hourly_forecast reaches the end of the requested time: %s, %s', async ([location, detail]) => {
    const result = await call('get_hourly_forecast', { location, days: 7, detail_level: detail })
    const { forecast } = result.structuredContent as { forecast: { hourly: { time: string }[]; timezone: string } }
    // A row is named by the end of its hour, so a row at midnight belongs to the day before.
    const last = new Date(Date.parse(forecast.hourly.at(-1)?.time ?? '') - 1)
    const day = last.toLocaleString('en-US', {
      timeZone: forecast.timezone,
      weekday: 'short',
      month: 'short',
      day: 'numeric',
    })
    expect(textOf(result)).toContain(day)
    expect(textOf(result)).not.toMatch(/^\d+ more in data\.$/m)
    expect(textOf(result).length).toBeLessThanOrEqual(2000)
  })

  test('get_route_weather puts alerts into the line of the stop', async () => {
    const time = new Date(Date.now() + 3.6e6).toISOString()
    const stops = ['Denver, CO', 'Lillington, NC', 'Sanford, NC'].map((location) => ({ location, time }))
    const result = await call('get_route_weather', { stops })
    const rows = (
      result.structuredContent as { stops: { alerts: { event: string }[] | null; location: { name: string } }[] }
    ).stops
    for (const [i, { alerts }] of rows.entries())
      for (const { event } of alerts ?? [])
        expect(textOf(result)).toMatch(new RegExp(`^${i + 1}\\. .*ALERTS: .*${event}`, 'm'))
  })
})

test('lists eight tools for tools=core, all tools within 48,000 bytes, and gives every output schema', async () => {
  const client = new Client({ name: 'core', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp?tools=core`), {
      requestInit: { headers: { Authorization: `Bearer ${sky.key}` } },
    }),
  )
  const { tools: core } = await client.listTools()
  expect(core.map(({ name }) => name)).toEqual([...coreTools])
  expect(Buffer.byteLength(JSON.stringify(core))).toBeLessThanOrEqual(14_000)
  await client.close()
  const { tools: all } = await sky.client.listTools()
  expect(all.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThanOrEqual(48_000)
  for (const { name, output } of tools) {
    if (!output) continue
    const read = await sky.client.readResource({ uri: `hexcast://schemas/${name}` })
    const schema = JSON.parse((read.contents[0] as { text: string }).text) as object
    new Ajv({ strict: false }).compile(schema)
  }
  const wrong = await fetch(`${sky.base}/mcp?tools=some`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sky.key}` },
  })
  expect(wrong.status).toBe(400)
})

test('get_radar draws 15 by 15 cells around the place and gives the age of the scan', async () => {
  const result = await call('get_radar', { location: 'Denver, CO', format: 'grid', radius_km: 300 })
  const { grid } = result.structuredContent as { grid: { cell_km: number; rows: (number | null)[][] } }
  expect(grid.rows.map(({ length }) => length)).toEqual(Array(15).fill(15))
  expect(grid.cell_km).toBe(40)
  const rows = textOf(result)
    .split('\n')
    .filter((line) => /^[ [][-.+#@?][ \]]/.test(line))
  expect(rows.length).toBe(15)
  for (const [i, row] of rows.entries()) {
    const signs = [...row.replaceAll(/[ [\]]/g, '')]
    expect(signs.length).toBe(15)
    for (const [j, sign] of signs.entries()) expect(sign === '?').toBe(grid.rows[i]?.[j] === null)
  }
  expect(rows[7]).toMatch(/\[.\]/)
  expect(textOf(result)).toMatch(/scan of \S+Z, \d+ min old/)
})

test('describe_dataset gives units, selects variables by name or words, and rejects an unknown name', async () => {
  const detailOf = async (args: object) =>
    (
      (await call('describe_dataset', { dataset_id: 'nbm', ...args })).structuredContent as {
        detail: { variables: { name: string; units: object; description?: string }[] }
      }
    ).detail
  const all = await detailOf({})
  for (const { units } of all.variables) expect(Object.keys(units)).toEqual(['imperial', 'metric', 'si'])
  const gusts = await detailOf({ search: 'gust' })
  expect(gusts.variables.length).toBeGreaterThan(1)
  for (const { name, description } of gusts.variables) expect(`${name} ${description}`).toMatch(/gust/i)
  expect((await detailOf({ variables: ['temperature'] })).variables.map(({ name }) => name)).toEqual(['temperature'])
  const wrong = await call('describe_dataset', { dataset_id: 'nbm', variables: ['temprature'] })
  expect(textOf(wrong)).toMatch(/^Error \(not-found\).*temperature/)
})

test('list_datasets finds a variable by its words', async () => {
  const idsOf = async (variable: string) =>
    (
      (await call('list_datasets', { variable })).structuredContent as { datasets: { dataset_id: string }[] }
    ).datasets.map(({ dataset_id }) => dataset_id)
  const ids = await idsOf('wind_gust')
  expect(ids).toContain('nbm')
  for (const words of ['wind gust', 'Wind-Gust']) expect(await idsOf(words)).toEqual(ids)
})
