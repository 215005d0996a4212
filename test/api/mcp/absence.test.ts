import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import { statesAbsence } from './absence-words.ts'
import type { Result } from './calls.ts'

/**
 * Every tool that may say that something is absent, asked in each state of its source: read recently, with and without the thing; failed;
 * too old; never read; and at a place that the source does not cover. A sentence of absence stands only where a recent read proves it.
 */
const realNow = Date.now
let offset = 0
let sky: SkyServer
beforeAll(async () => {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + offset)
  sky = await skyServer({
    frames: [
      'mrms-reflectivity',
      'mrms-precip-rate',
      'mrms-qpe-1h',
      'mrms-lightning-prob',
      'storm-tracks',
      'storm-cells',
    ],
  })
}, 180_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await sky.close()
})

const callWith = async (server: SkyServer, name: string, args: object): Promise<{ result: Result; text: string }> => {
  const result = (await server.client.callTool({
    name,
    arguments: args as Record<string, unknown>,
  })) as unknown as Result
  const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
  return { result, text: text.replaceAll('\u202f', ' ') }
}

type Data = Readonly<Record<string, unknown>>
interface Subject {
  readonly tool: string
  readonly source: 'alerts' | 'outlooks' | 'radar' | 'storms'
  readonly args: (place: object) => object
  /** The sentence of absence. */
  readonly absent: RegExp
  /** Whether the structure says that something is there; null: not known. Undefined for a tool whose structure does not say it. */
  readonly answer?: (data: Data) => boolean | null
}
const listAnswer = (list: unknown): boolean | null => (Array.isArray(list) ? list.length > 0 : null)
const soon = () => new Date(realNow() + HOUR).toISOString()
const alertLine = /\bNo active alerts?\b|\bNone is active\b/

const subjects: readonly Subject[] = [
  {
    tool: 'get_alerts',
    source: 'alerts',
    args: (place) => place,
    absent: alertLine,
    answer: ({ in_effect }) => in_effect as boolean | null,
  },
  {
    tool: 'search_alerts',
    source: 'alerts',
    args: () => ({ area: 'DC', event: 'Tsunami Warning' }),
    absent: /\b0 alerts match\b|\bNone of another kind\b|\bNo active alerts\b/,
    answer: ({ total }) => (total === null ? null : (total as number) > 0),
  },
  {
    tool: 'get_forecast',
    source: 'alerts',
    args: (place) => place,
    absent: alertLine,
    answer: ({ forecast }) => listAnswer((forecast as { alerts?: object[] }).alerts),
  },
  {
    tool: 'get_fire_weather',
    source: 'alerts',
    args: (place) => place,
    absent: /\bNo Red Flag Warning\b/,
    answer: ({ red_flag }) => red_flag as boolean | null,
  },
  {
    tool: 'get_route_weather',
    source: 'alerts',
    args: (place) => ({ stops: [place, place].map((stop) => ({ ...stop, time: soon() })) }),
    absent: /\bNo alert issued\b/,
    answer: ({ stops }) => {
      const lists = (stops as { alerts: object[] | null }[]).map(({ alerts }) => listAnswer(alerts))
      return lists.includes(null) ? null : lists.includes(true)
    },
  },
  ...['get_hourly_forecast', 'get_current_conditions'].map(
    (tool): Subject => ({ tool, source: 'alerts', args: (place) => place, absent: alertLine }),
  ),
  {
    tool: 'find_best_window',
    source: 'alerts',
    args: (place) => ({ ...place, criteria: { min_temperature: -60 } }),
    absent: alertLine,
  },
  {
    tool: 'get_map_snapshot',
    source: 'alerts',
    args: (place) => ({ ...place, product: 'alerts', zoom: 9, width: 300, height: 200 }),
    absent: /\bno alert is active in the picture\b|\bnone of them at the centre\b/,
  },
  {
    tool: 'get_map_snapshot',
    source: 'radar',
    args: (place) => ({ ...place, product: 'mrms-reflectivity', zoom: 9, width: 300, height: 200 }),
    absent: /\bnothing above\b/,
  },
  {
    tool: 'get_map_snapshot',
    source: 'storms',
    args: (place) => ({ ...place, product: 'storm-tracks', zoom: 9, width: 300, height: 200 }),
    absent: /\b0 tracked storm cells in the picture\b/,
  },
  {
    tool: 'get_map_snapshot',
    source: 'outlooks',
    args: (place) => ({ ...place, product: 'spc', zoom: 9, width: 300, height: 200 }),
    absent: /\bno outlook areas\b/,
  },
  {
    tool: 'get_fire_weather',
    source: 'outlooks',
    args: (place) => place,
    absent: /\bNo SPC fire weather outlook\b/,
    answer: ({ outlooks }) => listAnswer(outlooks),
  },
  {
    tool: 'get_severe_outlook',
    source: 'outlooks',
    args: (place) => place,
    absent: /\bNo severe weather outlook\b/,
    answer: ({ outlooks }) => listAnswer(outlooks),
  },
  {
    tool: 'get_radar',
    source: 'radar',
    args: (place) => ({ ...place, radius_km: 40 }),
    absent: /\bNo echo\b/,
    answer: ({ echo_nearby }) => echo_nearby as boolean | null,
  },
  {
    tool: 'get_radar',
    source: 'radar',
    args: (place) => place,
    absent: /\bNo precipitation over\b/,
  },
  {
    tool: 'get_current_conditions',
    source: 'radar',
    args: (place) => place,
    absent: /\bno precipitation here\b/,
  },
  {
    tool: 'get_precipitation_nowcast',
    source: 'radar',
    args: (place) => place,
    absent: /\bNo (?:lasting )?rain or snow\b/,
  },
  {
    tool: 'get_precipitation_totals',
    source: 'radar',
    args: (place) => ({ ...place, hours: 1 }),
    absent: /: none\b/,
  },
  {
    tool: 'get_lightning_activity',
    source: 'radar',
    args: (place) => place,
    absent: /\bNo flash\b/,
    answer: ({ lightning }) => {
      const { flash_count } = lightning as { flash_count: number | null }
      return flash_count === null ? null : flash_count > 0
    },
  },
  {
    tool: 'get_storm_tracks',
    source: 'storms',
    args: (place) => ({ ...place, radius_km: 60 }),
    absent: /\b0 tracked storm cells\b/,
    answer: ({ storms }) => listAnswer(storms),
  },
]

const towns = ['Denver, CO', 'Tulsa, OK', 'Boston, MA', 'Reno, NV', 'Miami, FL'].map((location) => ({ location }))
const NOT_KNOWN = /not known|not an all-clear|^Error \(no-data\)/

/** Faults of the answers about some subjects at some places in a state of the sources; `isKnown` is whether the sources are known in it. */
async function faultsIn(
  server: SkyServer,
  state: string,
  chosen: readonly Subject[],
  places: readonly object[],
  isKnown: boolean,
): Promise<string[]> {
  const faults: string[] = []
  for (const { tool, args, absent, answer } of chosen)
    for (const place of places) {
      const { result, text } = await callWith(server, tool, args(place))
      const about = `${state}, ${tool} ${JSON.stringify(args(place))}: ${text}`
      const says = absent.test(text)
      const answered = answer && !result.isError ? answer((result.structuredContent ?? {}) as Data) : undefined
      if (says && !statesAbsence(text)) faults.push(`the words of absence are not recognized, ${about}`)
      if (answered !== undefined && says !== (answered === false)) faults.push(`text and structure differ, ${about}`)
      if (isKnown) continue
      if (says || answered === false) faults.push(`absence is stated where it is not known, ${about}`)
      if (!NOT_KNOWN.test(text) && answered !== true) faults.push(`the doubt is missing, ${about}`)
    }
  return faults
}

const subjectsOf = (...sources: readonly string[]) => subjects.filter(({ source }) => sources.includes(source))

/** Waits until the server has read a change of the database. */
const untilTrue = (check: () => Promise<boolean>) => expect.poll(check, { timeout: 20_000 }).toBe(true)

test('states absence if a recent read proves it, both in text and in structure', { timeout: 120_000 }, async () => {
  expect(await faultsIn(sky, 'fresh', subjects, towns, true)).toEqual([])
  const { text } = await callWith(sky, 'search_alerts', { area: 'DC', event: 'Tsunami Warning' })
  expect(text).toMatch(/0 alerts match/)
})

test('does not state absence if no source covers the place', { timeout: 60_000 }, async () => {
  const adak = [{ location: 'Adak, AK' }]
  expect(await faultsIn(sky, 'outside', subjectsOf('radar', 'storms', 'outlooks'), adak, false)).toEqual([])
  const { text: outlook } = await callWith(sky, 'get_severe_outlook', { location: 'Adak, AK' })
  expect(outlook).toMatch(/is not known from them/)
})

test('does not state absence beside an alert whose area is not known', { timeout: 60_000 }, async () => {
  await sky.database.query(
    `with seq as (select nextval('change_version') as version),
       fresh as (insert into alert (id, head, record, track, status, sent, expiration, shown, version)
         select 'urn:test:unplaced', $1::jsonb, $2::jsonb, 'test', 'Actual', now(), now() + interval '6 hours', $3::jsonb, version from seq returning version),
       zone as (insert into alert_zone (alert_id, kind, code) select 'urn:test:unplaced', 'fire', 'COZ999' from fresh)
     update feed_state set version = (select version from fresh) where feed = 'alerts'`,
    [
      JSON.stringify({ id: 'urn:test:unplaced', event: 'Red Flag Warning', status: 'Actual' }),
      JSON.stringify({
        ...{
          severity: 'Severe',
          urgency: 'Expected',
          certainty: 'Likely',
          office: 'BOU',
          headline: 'Red Flag Warning',
        },
        ...{ sender: 'NWS', onset: realNow() - HOUR, ends: realNow() + 5 * HOUR, effective: realNow() - HOUR },
        ...{ expires: realNow() + 5 * HOUR, highlights: {} },
      }),
      JSON.stringify({ areas: ['COZ999'], expiration: realNow() + 6 * HOUR }),
    ],
  )
  await untilTrue(async () =>
    /not known whether .*Red Flag Warning.* is in effect here/.test(
      (await callWith(sky, 'get_alerts', { location: 'Denver, CO' })).text,
    ),
  )
  const near = subjectsOf('alerts').filter(({ tool }) => tool !== 'search_alerts')
  expect(await faultsIn(sky, 'unplaced', near, [{ location: 'Denver, CO' }], false)).toEqual([])
  // The alert of the office in Boulder leaves pictures and boxes of other states certain.
  const scene = (lat: number, lon: number) => ({
    width: 300,
    height: 200,
    scene: {
      scene: '1',
      view: { center: { lat, lon }, zoom: 8 },
      layers: [{ type: 'alerts', filter: { events: ['Red Flag Warning'] } }],
    },
  })
  const boxed = (bbox: number[]) => callWith(sky, 'search_alerts', { bbox, event: 'Red Flag Warning' })
  expect((await callWith(sky, 'get_map_snapshot', scene(39.7, -105))).text).toMatch(
    /not known whether an alert in the picture matches/,
  )
  expect((await callWith(sky, 'get_map_snapshot', scene(25.8, -80.3))).text).toMatch(/0 alerts in the picture match/)
  expect((await boxed([-105.2, 39.5, -104.8, 39.9])).result.structuredContent?.['total']).toBeNull()
  expect((await boxed([-80.5, 25.6, -80.1, 26])).text).toMatch(/0 alerts match/)
  const zoned = await callWith(sky, 'search_alerts', { zone: 'COZ040', event: 'Red Flag Warning' })
  expect(zoned.text).not.toMatch(/0 alerts match|None of another/)
  expect(zoned.text).toMatch(/not known/)
  expect(zoned.result.structuredContent?.['total']).toBeNull()
  await sky.database.query(`update alert set expiration = now() - interval '1 hour' where id = 'urn:test:unplaced'`)
})

test('does not state absence after a failed read', { timeout: 60_000 }, async () => {
  await sky.database.query(
    `update feed_state set failure = 'refused by a test', failed_at = clock_timestamp(), failures = 1
     where feed = 'alerts' or starts_with(feed, 'spc/')`,
  )
  await untilTrue(
    async () =>
      (await callWith(sky, 'search_alerts', { area: 'DC', event: 'Tsunami Warning' })).result.isError === true,
  )
  await untilTrue(async () =>
    /refused|could not be read/.test((await callWith(sky, 'get_severe_outlook', { location: 'Reno, NV' })).text),
  )
  expect(await faultsIn(sky, 'failed', subjectsOf('alerts', 'outlooks'), towns, false)).toEqual([])
  // A picture around the corner of a warning shows the warning, which is mostly not in effect at the centre.
  const headers = { authorization: `Bearer ${sky.key}` }
  const list = await fetch(`${sky.base}/v1/alerts?event=Tornado+Warning,Severe+Thunderstorm+Warning&format=geojson`, {
    headers,
  })
  const { features } = (await list.json()) as {
    features: { geometry: { coordinates: [number, number][][][] } | null }[]
  }
  const corners = features.flatMap(({ geometry }) => geometry?.coordinates[0]?.[0]?.slice(0, 2) ?? [])
  // The simulator also issues warnings in Canada and Mexico, for which the tool draws no map.
  const covered: { lat: number; lon: number }[] = []
  for (const [lon, lat] of corners) {
    if (covered.length === 6) break
    const answer = await fetch(`${sky.base}/v1/alerts?lat=${lat + 0.02}&lon=${lon}`, { headers })
    if (!(await answer.text()).includes('outside-coverage')) covered.push({ lat: lat + 0.02, lon })
  }
  expect(covered.length).toBeGreaterThan(0)
  for (const place of covered) {
    const { text } = await callWith(sky, 'get_map_snapshot', { ...place, product: 'alerts', zoom: 9 })
    expect(text).not.toMatch(/none of them/)
    expect(text).toMatch(/could not be read/)
  }
})

test('does not state absence from reads and scans that are too old', { timeout: 60_000 }, async () => {
  await sky.database.query(
    `update feed_state set failure = null, failures = 0, confirmed_at = clock_timestamp() - interval '40 minutes' where feed = 'alerts'`,
  )
  offset = 45 * MINUTE
  await untilTrue(
    async () =>
      (await callWith(sky, 'search_alerts', { area: 'DC', event: 'Tsunami Warning' })).result.isError === true,
  )
  // Totals and pictures of an old scan carry its time in the sentence of absence or of an amount.
  const dated = ({ tool, source }: Subject) =>
    source === 'radar' && ['get_precipitation_totals', 'get_map_snapshot'].includes(tool)
  const aged = subjectsOf('alerts', 'radar', 'storms').filter((subject) => !dated(subject))
  expect(await faultsIn(sky, 'stale', aged, towns.slice(0, 3), false)).toEqual([])
  for (const { tool, args } of subjectsOf('radar').filter(dated))
    for (const place of towns.slice(0, 3)) {
      const { text } = await callWith(sky, tool, args(place))
      expect(text).toMatch(/(?: at \w{3}, \w{3} \d+,| h to \w{3},) \d{1,2}:\d{2} [AP]M .+/)
    }
  offset = 0
})

test('does not state absence before the first read', { timeout: 180_000 }, async () => {
  const unread = await skyServer({ frames: [] })
  try {
    await unread.database.query(`delete from feed_state where feed = 'alerts' or starts_with(feed, 'spc/')`)
    await untilTrue(
      async () =>
        (await callWith(unread, 'search_alerts', { area: 'DC', event: 'Tsunami Warning' })).result.isError === true,
    )
    await untilTrue(
      async () => (await callWith(unread, 'get_severe_outlook', { location: 'Reno, NV' })).result.isError === true,
    )
    expect(await faultsIn(unread, 'unread', subjects, towns.slice(0, 3), false)).toEqual([])
  } finally {
    await unread.close()
  }
})
