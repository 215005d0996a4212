import { gunzipSync, gzipSync } from 'node:zlib'
import { simulatedSources } from '../../../infra/simulator/main.ts'
import { startMirror } from '../../../infra/simulator/mirror.ts'
import type { SimulatedHost } from '../../../infra/simulator/source.ts'
import { outlookFiles } from '../../../ingest/datasets/spc.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, MINUTE, stamp } from '../../../ingest/domain/time.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../../ingest/steps/feeds/alerts.ts'
import type { FeedDeps } from '../../../ingest/steps/feeds/feed.ts'
import { sweepOutlooks } from '../../../ingest/steps/feeds/outlooks.ts'
import { sweepFeed } from '../../../ingest/steps/feeds/sweep.ts'
import { sweepTexts } from '../../../ingest/steps/feeds/texts.ts'
import { markConfirmed } from '../../../sql/queries/feeds.ts'
import type { Random } from '../../random.ts'
import {
  anyDocument,
  type DocumentFault,
  type DocumentTarget,
  documentWalk,
  type HarmState,
  harmingDocuments,
  inPlaceOfFeature,
  onFeature,
} from './document-walk.ts'
import type { Stores } from './stores.ts'
import type { Outcome } from './tally.ts'

const SUMMER = Date.parse('2026-08-20T21:47:00Z')
const METAR_PATH = '/data/cache/metars.cache.csv.gz'
/** Keeps every n-th station: the checks of a file do not depend on the number of its stations. */
const STATIONS = 12

export interface FeedWalk {
  fault(random: Random): Promise<Outcome>
  close(): Promise<void>
}

export async function openFeedWalk(stores: Stores): Promise<FeedWalk> {
  const { database, objects, quarantine } = stores
  let now = SUMMER
  const state: HarmState = { path: '' }
  const mirror = await startMirror({
    sources: simulatedSources(24).map((source) => harmingDocuments(fewStations(source), state)),
    now: () => now,
  })
  const upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const deps: FeedDeps = { database, upstream, objects, quarantine, clock: () => now }
  const rows = async (sql: string) =>
    new Map((await database.query<{ id: string; value: string }>(sql)).map(({ id, value }) => [id, value]))
  /** A feed whose clock goes from an hour ago to now. */
  const timed = (at: number, sweep: () => Promise<unknown>) => async () => {
    now = at
    await sweep()
  }
  const product = outlookFiles.slice(0, 4)
  const real = Date.now()
  const stale = (path: string, at: number): DocumentFault => ({
    name: 'a stale copy',
    older: path === METAR_PATH,
    async make(_, random) {
      const [host, then] = [hostOf(path), at - random.integer(40, 170) * MINUTE]
      const document = await bodyAt(host, path, then)
      return { bytes: document, detail: new Date(then).toISOString() }
    },
  })
  const sources = simulatedSources(24).map(fewStations)
  async function bodyAt(host: string, path: string, at: number): Promise<Buffer> {
    for (const source of sources.filter((candidate) => candidate.host === host)) {
      const document = await source.find(path, new URLSearchParams(), at)
      if (document) return Buffer.from(await document.body())
    }
    throw new Error(`the simulator has no ${host}${path}`)
  }
  const hostOf = (path: string) =>
    path.startsWith('/data')
      ? 'aviationweather.gov'
      : path.startsWith('/airnow')
        ? 'files.airnowtech.org'
        : path.startsWith('/products/outlook')
          ? 'www.spc.noaa.gov'
          : 'api.weather.gov'

  const sweepAlertsAt = (at: number) => timed(at, () => sweepAlerts(deps, at))
  const alerts: DocumentTarget = {
    dataset: 'nws-alerts',
    path: '/alerts/active',
    faults: [...anyDocument, stale('/alerts/active', SUMMER), ...alertFaults],
    async reset() {
      await database.query(
        "truncate alert, alert_zone, alert_change, zone_shape, zone; delete from feed_state where feed = 'alerts'",
      )
      await sweepAlertsAt(SUMMER - 3 * MINUTE)()
    },
    sweep: sweepAlertsAt(SUMMER),
    // A feature is named by the last part of its id; a feature without an id is named by its reason.
    snapshot: () => rows("select id, record::text || (head - 'fingerprint')::text as value from alert"),
  }
  const metar: DocumentTarget = {
    dataset: 'metar',
    path: METAR_PATH,
    faults: [...anyDocument, stale(METAR_PATH, SUMMER), ...metarFaults],
    async reset() {
      await database.query("truncate observation; delete from feed_state where feed = 'metar'")
      await markConfirmed(database, 'metar/cycles', { suspicious: false, rejected: {}, updated: new Date(SUMMER) })
      await timed(SUMMER - 30 * MINUTE, () => sweepFeed(deps, 'metar'))()
    },
    sweep: timed(SUMMER, () => sweepFeed(deps, 'metar')),
    snapshot: () =>
      rows(
        "select station || '/' || observed_at as id, raw || st_astext(place) || coalesce(temperature_c::text, '') as value from observation",
      ),
  }
  const hour = Math.floor(SUMMER / HOUR) * HOUR - 2 * HOUR
  const { day, hour: clock } = stamp(hour)
  const airPath = `/airnow/${day.slice(0, 4)}/${day}/HourlyAQObs_${day}${clock}.dat`
  const airnow: DocumentTarget = {
    dataset: 'airnow',
    path: airPath,
    faults: [...anyDocument, ...airFaults],
    async reset() {
      await database.query(
        "truncate monitor_hour, air_quality_forecast; delete from feed_state where feed like 'airnow%'",
      )
      await timed(SUMMER - HOUR, () => sweepFeed(deps, 'airnow'))()
    },
    sweep: timed(SUMMER, () => sweepFeed(deps, 'airnow')),
    snapshot: () =>
      rows(
        ['pm25', 'ozone', 'pm10']
          .map(
            (name) =>
              `select monitor || '/${name}/' || hour as id, concat(${name}, st_astext(place), active) as value from monitor_hour`,
          )
          .join(' union all '),
      ),
  }
  const outlooks: DocumentTarget = {
    dataset: 'spc-outlooks',
    path: '/products/outlook/day1otlk_cat.nolyr.geojson',
    faults: [...anyDocument, ...outlookFaults(bodyAt)],
    async reset() {
      now = SUMMER
      await database.query("truncate outlook, outlook_product; delete from feed_state where feed like 'spc%'")
    },
    sweep: timed(SUMMER, () => sweepOutlooks(deps, product)),
    snapshot: () =>
      rows(
        `select p.product as id, concat(p.issued_at, p.expires_at, (select string_agg(concat(o.label, st_astext(o.area)), ';' order by o.label)
           from outlook o where o.product = p.product)) as value from outlook_product p`,
      ),
  }
  const list = { type: 'PMD', kind: 'pmd' } as const
  const text = async (path: string, faults: readonly DocumentFault[]): Promise<DocumentTarget> => ({
    dataset: 'nws-texts',
    path,
    faults,
    fallsBack: true,
    async reset() {
      now = real
      await database.query("truncate text_item cascade; delete from feed_state where feed like 'text%'")
    },
    sweep: timed(real, () => sweepTexts(deps, [list])),
    snapshot: () =>
      rows(
        "select item || '/' || part as id, concat(t.kind, t.awips, t.issued_at, t.current_until, t.record) as value from text_product t",
      ),
  })
  const listed = JSON.parse((await bodyAt('api.weather.gov', '/products/types/PMD', real)).toString()) as {
    '@graph': { id: string }[]
  }
  const targets = [
    alerts,
    metar,
    alerts,
    airnow,
    outlooks,
    await text('/products/types/PMD', [...anyDocument, ...listFaults]),
    alerts,
    await text(`/products/${nth(listed['@graph'], 0).id}`, [...anyDocument, ...textFaults]),
  ]
  const walk = documentWalk(stores, targets, state, mirror.misbehaviours, (path) =>
    bodyAt(hostOf(path), path, path.startsWith('/products/') && !path.startsWith('/products/outlook') ? real : SUMMER),
  )
  return {
    fault: walk,
    async close() {
      await upstream.close()
      await mirror.close()
    },
  }
}

/** Serves METARs of some stations and no cycle files, so that they cannot replace a failed cache. */
function fewStations(source: SimulatedHost): SimulatedHost {
  if (source.host === 'tgftp.nws.noaa.gov') return { ...source, find: () => undefined }
  if (source.host !== 'aviationweather.gov') return source
  return {
    ...source,
    async find(path, query, now) {
      const document = await source.find(path, query, now)
      if (!document || path !== METAR_PATH) return document
      const lines = gunzipSync(await document.body())
        .toString()
        .split('\n')
      const head = lines.findIndex((line) => line.startsWith('raw_text,'))
      const few = lines.filter((_, k) => k <= head || k % STATIONS === 0)
      return { ...document, body: () => gzipSync(`${few.join('\n')}\n`) }
    },
  }
}

const alertMembers = [
  'event',
  'sent',
  'severity',
  'status',
  'messageType',
  'urgency',
  'certainty',
  'headline',
  'description',
].concat(['expires', 'affectedZones', 'parameters', 'areaDesc', 'effective'])

const alertFaults: readonly DocumentFault[] = [
  onFeature('a member is renamed', ({ properties }, random) => {
    const name = random.pick(alertMembers)
    properties[`${name}${random.integer(2, 9)}`] = properties[name]
    delete properties[name]
    return name
  }),
  onFeature('a time without offset', ({ properties }, random) => {
    const name = random.pick(['expires', 'ends'])
    properties[name] = properties[name].slice(0, 19)
    return name
  }),
  onFeature('times that are none', ({ properties }, random) => {
    const by = random.pick(['soon', 1_800_000_000, '2026-13-45T99:99:99Z', null])
    properties.sent = properties.effective = by
    return String(by)
  }),
  onFeature('an unknown severity', ({ properties }, random) => {
    properties.severity = random.pick(['SEVERE', 'Catastrophic', '3', 'Sévère', 'moderate'])
    return properties.severity
  }),
  onFeature('an area elsewhere', (feature, random) => {
    const [lon, lat] = random.pick([
      [40, -80],
      [10, 50],
      [-30, 10],
      [100, 20],
      [-40, -50],
    ] as const)
    const at = random.between(0.1, 2)
    feature['geometry'] = {
      type: 'Polygon',
      coordinates: [
        [
          [lon, lat],
          [lon + at, lat],
          [lon + at, lat + at],
          [lon, lat],
        ],
      ],
    }
    return `${lon} ${lat} ${at.toFixed(3)}`
  }),
  onFeature('a geometry that is none', (feature, random) => {
    const coordinates = random.pick([
      [[['a', 'b']]],
      [[[0, 0]]],
      [],
      'POLYGON',
      [
        [
          [-97, 200],
          [-96, 200],
          [-96, 201],
          [-97, 200],
        ],
      ],
    ])
    feature['geometry'] = { type: 'Polygon', coordinates }
    return JSON.stringify(coordinates)
  }),
  inPlaceOfFeature('no feature', [null, [], 'feature', 7, {}, { type: 'Feature' }, { properties: null }]),
  {
    name: 'the list is renamed',
    make(bytes, random) {
      const name = `features${random.integer(2, 999)}`
      return { bytes: Buffer.from(bytes.toString().replace('"features"', `"${name}"`)), detail: name }
    },
  },
  {
    name: 'doubled and shuffled',
    make(bytes, random) {
      const body = JSON.parse(bytes.toString())
      const at = random.integer(0, body.features.length - 1)
      body.features = [...body.features.slice(at), ...body.features]
      return { bytes: Buffer.from(JSON.stringify(body)), detail: String(at) }
    },
  },
]

/** Edits one row of the METAR cache. */
const onRow = (name: string, edit: (row: string, random: Random) => string): DocumentFault => ({
  name,
  single: true,
  make(bytes, random) {
    const lines = gunzipSync(bytes).toString().split('\n')
    const head = lines.findIndex((line) => line.startsWith('raw_text,'))
    const at = random.integer(head + 1, lines.length - 3)
    lines[at] = edit(nth(lines, at), random)
    return { bytes: gzipSync(lines.join('\n')), detail: `row ${at - head} ${nth(lines, at).length}` }
  },
})

const metarFaults: readonly DocumentFault[] = [
  onRow('a row is cut', (row, random) => row.slice(0, random.integer(10, 40))),
  onRow('a column more', (row) => `${row},`),
  onRow('a row of a page', (_, random) => `<tr><td>${random.integer(1, 1e6)}</td></tr>`),
  onRow('no time in the row', (row) => row.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'soon')),
  onRow('a clock in the future', (row, random) => {
    const ahead = new Date(SUMMER + random.integer(2, 9) * HOUR)
    return row
      .replace(/ \d{6}Z /, ` ${ahead.toISOString().slice(8, 13).replace('T', '')}00Z `)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, ahead.toISOString())
  }),
  {
    name: 'a column is renamed',
    make(bytes, random) {
      const name = random.pick(['raw_text', 'observation_time', 'latitude', 'longitude', 'elevation_m'])
      const newName = `${name.toUpperCase()}${random.integer(2, 999)}`
      return { bytes: gzipSync(gunzipSync(bytes).toString().replace(name, newName)), detail: newName }
    },
  },
  {
    name: 'far fewer rows',
    make(bytes, random) {
      const lines = gunzipSync(bytes).toString().split('\n')
      const head = lines.findIndex((line) => line.startsWith('raw_text,'))
      const length = random.integer(1, 60)
      return { bytes: gzipSync(`${lines.slice(0, head + 1 + length).join('\n')}\n`), detail: `${length}` }
    },
  },
]

const onLine = (name: string, edit: (cells: string[], random: Random) => string): DocumentFault => ({
  name,
  single: true,
  make(bytes, random) {
    const lines = bytes.toString().split('\n')
    const at = random.integer(1, lines.length - 3)
    const cells = nth(lines, at).split(',')
    const detail = edit(cells, random)
    lines[at] = cells.join(',')
    return { bytes: Buffer.from(lines.join('\n')), detail: `line ${at} ${detail}` }
  },
})

const inColumn = (name: string, edit: (value: string, random: Random) => string): DocumentFault => ({
  name,
  single: true,
  make(bytes, random) {
    const lines = bytes.toString().split('\n')
    const column = random.integer(14, 16)
    const factor = random.integer(1, 1e6)
    const changed = lines.map((line, k) => {
      if (k === 0 || line === '') return line
      const cells = line.split(',')
      cells[column] = edit(nth(cells, column), random)
      return cells.join(',')
    })
    return { bytes: Buffer.from(changed.join('\n')), detail: `column ${column} ${factor}` }
  },
})

const airFaults: readonly DocumentFault[] = [
  onLine('a cell more', (cells) => {
    cells.push('""')
    return ''
  }),
  onLine(
    'a date that is none',
    (cells, random) => (cells[10] = random.pick(['"2026-08-20"', '"20/08/2026"', '""', '"08/20/26x"'])),
  ),
  onLine('an hour of another day', (cells, random) => (cells[10] = `"08/${random.integer(10, 19)}/2026"`)),
  onLine('a place that is none', (cells, random) => {
    cells[2] = '"Active"'
    return (cells[4] = random.pick(['"N39.7"', '"139.7"', '""', '"-99"']))
  }),
  inColumn('ten times as much', (value) => value.replace(/^"(\d+)"$/, '"$10"')),
  inColumn('no values', () => '""'),
  {
    name: 'a column is renamed',
    make(bytes, random) {
      const name = random.pick([
        'AQSID',
        'Latitude',
        'Longitude',
        'ValidDate',
        'ValidTime',
        'OZONE_AQI',
        'PM25_AQI',
        'Status',
      ])
      const newName = `${name}_${random.integer(2, 999)}`
      return { bytes: Buffer.from(bytes.toString().replace(`"${name}"`, `"${newName}"`)), detail: newName }
    },
  },
  {
    name: 'a file of another hour',
    make(bytes, random) {
      const hour = String(random.integer(0, 9)).padStart(2, '0')
      return { bytes: Buffer.from(bytes.toString().replaceAll(/"\d\d:00"/g, `"${hour}:00"`)), detail: hour }
    },
  },
]

function outlookFaults(bodyAt: (host: string, path: string, at: number) => Promise<Buffer>): readonly DocumentFault[] {
  return [
    onFeature('an unknown label', ({ properties }, random) => {
      properties.DN = 99
      return (properties.LABEL = `L${random.integer(1, 999)}`)
    }),
    onFeature('no area', (feature, random) => {
      feature['geometry'] = random.pick([
        null,
        { type: 'Polygon' },
        { type: 'Polygon', coordinates: 'x' },
        'none',
        { area: [] },
      ])
      return JSON.stringify(feature['geometry'])
    }),
    onFeature('an area elsewhere', (feature, random) => {
      const [lon, lat] = random.pick([
        [40, -97],
        [10, 50],
        [-97, -40],
        [97, 40],
      ] as const)
      const at = random.between(0.5, 3)
      feature['geometry'] = {
        type: 'Polygon',
        coordinates: [
          [
            [lon, lat],
            [lon + at, lat],
            [lon + at, lat + at],
            [lon, lat],
          ],
        ],
      }
      return `${lon} ${lat} ${at.toFixed(3)}`
    }),
    inPlaceOfFeature('no feature', [null, 'feature', 7, []]),
    {
      name: 'a time is renamed',
      make(bytes, random) {
        const name = random.pick(['VALID', 'EXPIRE', 'ISSUE'])
        const newName = `${name}${random.integer(2, 999)}`
        return { bytes: Buffer.from(bytes.toString().replaceAll(`"${name}"`, `"${newName}"`)), detail: newName }
      },
    },
    {
      name: 'the outlook of another day',
      async make(_, random) {
        const day = random.integer(2, 3)
        const document = await bodyAt('www.spc.noaa.gov', `/products/outlook/day${day}otlk_cat.nolyr.geojson`, SUMMER)
        return { bytes: document, detail: `${day} ${random.integer(1, 1e6)}` }
      },
    },
    {
      name: 'the list is renamed',
      make(bytes, random) {
        const name = `areas${random.integer(2, 999)}`
        return { bytes: Buffer.from(bytes.toString().replace('"features"', `"${name}"`)), detail: name }
      },
    },
  ]
}

const listFaults: readonly DocumentFault[] = [
  inPlaceOfFeature('no row', [null, 'row', 7, {}, { id: 'x' }], '@graph'),
  onFeature(
    'a member is renamed',
    (row, random) => {
      const name = random.pick(['id', 'issuingOffice', 'issuanceTime'])
      row[`${name}${random.integer(2, 999)}`] = row[name]
      delete row[name]
      return name
    },
    '@graph',
  ),
]

const inText = (name: string, edit: (text: string, random: Random) => string): DocumentFault => ({
  name,
  single: true,
  make(bytes, random) {
    const body = JSON.parse(bytes.toString())
    body.productText = edit(body.productText, random)
    return { bytes: Buffer.from(JSON.stringify(body)), detail: `${body.productText.length} ${random.integer(1, 1e6)}` }
  },
})

const textFaults: readonly DocumentFault[] = [
  inText('another office', (text) => text.replace(/ K[A-Z]{3} /, ' KZZZ ')),
  inText('another kind', (text) => text.replace(/\nPMD/, '\nZZZ')),
  inText('no heading', (text) => text.replace(/^[A-Z]{4}\d\d .*$/m, '')),
  inText('no text', () => ''),
  inText('binary', (text, random) => text.replaceAll(/[aeo]/g, String.fromCharCode(random.integer(1, 8)))),
]
