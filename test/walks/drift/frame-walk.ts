import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { flashesOf, lightningSources } from '../../../infra/simulator/lightning.ts'
import { startMirror } from '../../../infra/simulator/mirror.ts'
import { stormSource } from '../../../infra/simulator/probsevere.ts'
import { radarSource } from '../../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../../infra/simulator/radar-sites.ts'
import { frameDatasets } from '../../../ingest/catalog.ts'
import type { FrameDataset, MrmsDataset, RadarSiteDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { MINUTE, SECOND } from '../../../ingest/domain/time.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { findFrames } from '../../../ingest/steps/frames/frame.ts'
import { sweepGlm } from '../../../ingest/steps/frames/lightning.ts'
import { sweepMrms } from '../../../ingest/steps/frames/mrms.ts'
import { sweepRadarSites } from '../../../ingest/steps/frames/radar-sites.ts'
import { sweepStormCells } from '../../../ingest/steps/frames/storm-cells.ts'
import { sweepStorms } from '../../../ingest/steps/frames/storms.ts'
import { readFlashes } from '../../../ingest/tile/flash-file.ts'
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
import { sectionAt, withValues } from './messages.ts'
import type { Stores } from './stores.ts'
import type { Outcome } from './tally.ts'

/** Answers 403 for a missing key, as the bucket does. */
const anyFile = anyDocument.filter(({ name }) => name !== 'forbidden')
const NOW = Date.parse('2026-08-20T21:46:20Z')
const BEFORE = NOW - 6 * MINUTE

export interface FrameWalk {
  fault(random: Random): Promise<Outcome>
  close(): Promise<void>
}

export async function openFrameWalk(stores: Stores): Promise<FrameWalk> {
  const { database, objects, pool, quarantine } = stores
  let now = NOW
  const state: HarmState = { path: '' }
  const sources = [radarSource(10), stormSource, radarSiteSource, ...lightningSources]
  const mirror = await startMirror({ sources: sources.map((item) => harmingDocuments(item, state)), now: () => now })
  const upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const ports = { upstream, objects, database, pool, quarantine }
  const dataset = (id: string) => frameDatasets.find((item) => item.id === id)!
  const hawaii = (id: string): MrmsDataset => {
    const full = dataset(id) as MrmsDataset
    return { ...full, domains: full.domains.filter((domain) => domain.id === 'hawaii') }
  }
  const bodyAt = async (path: string): Promise<Uint8Array> => {
    for (const source of sources) {
      const document = await source.find(path, new URLSearchParams(), NOW)
      if (document) return document.body()
    }
    throw new Error(`the simulator has no ${path}`)
  }
  const newest = async (frameDataset: FrameDataset, domain: 'conus' | 'hawaii', at = NOW, satellite = '') => {
    const document = await findFrames(
      upstream,
      {
        ...frameDataset,
        listings: (...on) => frameDataset.listings(...on).filter(({ prefix }) => prefix.includes(satellite)),
      },
      domain,
      at,
    )
    return new URL(nth(document, 0).url).pathname
  }

  const reset = (frameDataset: FrameDataset, sweep: () => Promise<unknown>) => async () => {
    await database.query('delete from pointer where dataset = $1', [frameDataset.id])
    await database.query('delete from run where dataset = $1', [frameDataset.id])
    now = BEFORE
    await sweep()
    now = NOW
  }
  /** The served object with the address of the file that it was made from. */
  const served = (frameDataset: FrameDataset) => async () => {
    const rows = await database.query<{ run: Date; manifest_key: string }>(
      'select run, manifest_key from pointer where dataset = $1 and domain = any($2)',
      [frameDataset.id, ['hawaii', 'conus']],
    )
    const hashes = rows.map(async ({ run, manifest_key: key }) => {
      const hash = createHash('sha256')
        .update(await objects.get(key))
        .digest('hex')
      return [run.toISOString(), hash] as const
    })
    return new Map(await Promise.all(hashes))
  }
  const radar = async (id: string, faults: readonly DocumentFault[]): Promise<DocumentTarget> => {
    const hawaiiDataset = hawaii(id)
    const sweep = () => sweepMrms(ports, hawaiiDataset, now)
    const path = await newest(hawaiiDataset, 'hawaii')
    const earlier = await bodyAt(await newest(hawaiiDataset, 'hawaii', BEFORE))
    const replacement = await bodyAt(
      await newest(hawaii(id === 'mrms-precip-rate' ? 'mrms-reflectivity' : 'mrms-precip-rate'), 'hawaii'),
    )
    const elsewhere = await bodyAt(path.replace('/HAWAII/', '/ALASKA/'))
    const copies = copiesOf({ 'a stale copy': earlier, 'another product': replacement, 'another domain': elsewhere })
    return {
      dataset: hawaiiDataset.id,
      path,
      faults: [...anyFile, ...copies, ...faults],
      fallsBack: true,
      reset: reset(hawaiiDataset, sweep),
      sweep,
      snapshot: served(hawaiiDataset),
    }
  }
  const storms = dataset('storm-tracks')
  const sweepProb = () => sweepStorms(ports, storms, now)
  const stormPath = await newest(storms, 'conus')
  const lightning = dataset('glm')
  const sweepLightning = () => sweepGlm(ports, lightning, now)
  const glmPath = await newest(lightning, 'conus', NOW, 'G19')
  const site = async (
    id: string,
    radar: string,
    product: string,
    others: readonly [radar: string, product: string][],
    sweepSites: (siteDataset: RadarSiteDataset) => Promise<unknown>,
    snapshot: (id: string) => Promise<Map<string, string>>,
    faults: readonly DocumentFault[],
  ): Promise<DocumentTarget> => {
    const full = dataset(id) as RadarSiteDataset
    const domains = full.domains.filter((item) => full.sites[item.id]?.includes(radar))
    const siteDataset = { ...full, domains, sites: { [nth(domains, 0).id]: [radar] }, products: [product] }
    const fileAt = async (name: string, mnemonic: string, at = NOW) => {
      const key = [...radarSiteSource.list!(`${name}_${mnemonic}_`, at)]
        .map((item) => item.key)
        .sort()
        .at(-1)
      if (key === undefined) throw new Error(`the simulator has no ${name} ${mnemonic}`)
      return `/${key}`
    }
    const path = await fileAt(radar, product)
    const copies: Record<string, Uint8Array> = { 'a stale copy': await bodyAt(await fileAt(radar, product, BEFORE)) }
    for (const [name, mnemonic] of others) copies[`${name} ${mnemonic}`] = await bodyAt(await fileAt(name, mnemonic))
    const sweep = () => sweepSites(siteDataset)
    return {
      dataset: id,
      path,
      faults: [...anyFile, ...copiesOf(copies), ...levelThreeFaults, ...faults],
      fallsBack: true,
      reset: reset(siteDataset, sweep),
      sweep,
      snapshot: () => snapshot(id),
    }
  }
  const scans = (id: string) => scansOf(stores, id)
  const cells = (id: string) => stormsOf(stores, id)
  const sweepScans = (siteDataset: RadarSiteDataset) => sweepRadarSites(ports, siteDataset, now)
  const sweepCells = (siteDataset: RadarSiteDataset) => sweepStormCells(ports, siteDataset, now)
  const targets: DocumentTarget[] = [
    await site(
      'nexrad-l3',
      'HKI',
      'N0B',
      [
        ['HKI', 'N0G'],
        ['HMO', 'N0B'],
        ['HKI', 'NST'],
      ],
      sweepScans,
      scans,
      [tenfold],
    ),
    await site(
      'nexrad-l3',
      'APD',
      'N0S',
      [
        ['APD', 'N0G'],
        ['AHG', 'N0S'],
      ],
      sweepScans,
      scans,
      [],
    ),
    await site(
      'storm-cells',
      'HKM',
      'NST',
      [
        ['HKM', 'NMD'],
        ['HWA', 'NST'],
      ],
      sweepCells,
      cells,
      [],
    ),
    await radar('mrms-precip-rate', [...scanFaults, ...rateFaults]),
    await radar('mrms-reflectivity', scanFaults),
    {
      dataset: storms.id,
      path: stormPath,
      faults: [
        ...anyFile,
        ...copiesOf({ 'a stale copy': await bodyAt(await newest(storms, 'conus', BEFORE)) }),
        ...stormFaults,
      ],
      fallsBack: true,
      reset: reset(storms, sweepProb),
      sweep: sweepProb,
      snapshot: () => stormsOf(stores, storms.id),
    },
    {
      dataset: lightning.id,
      path: glmPath,
      faults: [
        ...anyFile,
        ...copiesOf({
          'a stale copy': await bodyAt(await newest(lightning, 'conus', BEFORE, 'G19')),
          'another satellite': await bodyAt(await newest(lightning, 'conus', NOW, 'G18')),
        }),
        ...lightningFaults,
      ],
      reset: reset(lightning, sweepLightning),
      sweep: sweepLightning,
      snapshot: () => flashesStored(stores, lightning.id),
      alsoRight: doublyReportedFlashes(),
    },
  ]
  return {
    fault: documentWalk(stores, targets, state, mirror.misbehaviours, bodyAt),
    async close() {
      await upstream.close()
      await mirror.close()
    },
  }
}

async function stormsOf({ database, objects }: Stores, id: string): Promise<Map<string, string>> {
  const [row] = await database.query<{ manifest_key: string }>('select manifest_key from pointer where dataset = $1', [
    id,
  ])
  if (!row) return new Map()
  const { storms, validTime } = JSON.parse(Buffer.from(await objects.get(row.manifest_key)).toString()) as {
    validTime: number
    storms: { id: string }[]
  }
  return new Map(storms.map((storm) => [`${validTime}/${storm.id}`, JSON.stringify(storm)]))
}

/** The served scans, each with the contents of its frame. */
async function scansOf({ database, objects }: Stores, id: string): Promise<Map<string, string>> {
  const [row] = await database.query<{ manifest_key: string }>('select manifest_key from pointer where dataset = $1', [
    id,
  ])
  if (!row) return new Map()
  const { scans } = JSON.parse(Buffer.from(await objects.get(row.manifest_key)).toString()) as {
    scans: { site: string; mnemonic: string; time: number; key: string }[]
  }
  const hashes = scans.map(async ({ site, mnemonic, time, key }) => {
    const hash = createHash('sha256')
      .update(await objects.get(key))
      .digest('hex')
    return [`${site} ${mnemonic}/${time}`, hash] as const
  })
  return new Map(await Promise.all(hashes))
}

const flashId = (satellite: string, lat: number, lon: number) => `${satellite}/${Math.fround(lat)}/${Math.fround(lon)}`

/** Flashes of the served window, and the files that the window was made from. */
async function flashesStored({ database, objects }: Stores, id: string): Promise<Map<string, string>> {
  const [row] = await database.query<{ manifest_key: string }>(
    "select manifest_key from pointer where dataset = $1 and domain = 'conus'",
    [id],
  )
  if (!row) return new Map()
  const { head, lat, lon, satellite } = readFlashes(await objects.get(row.manifest_key), row.manifest_key)
  const document = new Map<string, string>()
  for (const { id: name, granules } of head.satellites)
    for (const time of granules) document.set(`${name}/${time}`, 'read')
  for (let k = 0; k < head.flashes; k++) {
    document.set(flashId(nth(head.satellites, nth(satellite, k)).id, nth(lat, k), nth(lon, k)), 'flash')
  }
  return document
}

/** Flashes that both satellites saw: if the file of one satellite is refused, the flashes of the other remain. */
function doublyReportedFlashes(): Set<string> {
  const signatures = new Set<string>()
  for (const [name, subpoint] of [
    ['G19', -75.2],
    ['G18', -137.2],
  ] as const) {
    for (let start = Math.floor(NOW / MINUTE) * MINUTE - 20 * MINUTE; start < NOW; start += 20 * SECOND) {
      for (const { lat, lon } of flashesOf({ name, subpoint }, start)) signatures.add(flashId(name, lat, lon))
    }
  }
  return signatures
}

/** Faults that replace the whole file. A random number distinguishes two faults of one kind. */
function copiesOf(copies: Readonly<Record<string, Uint8Array>>): DocumentFault[] {
  return Object.entries(copies).map(([name, bytes]) => ({
    name,
    make: (_, random) => ({ bytes, detail: String(random.integer(1, 1e6)) }),
  }))
}

const onScan = (
  name: string,
  edit: (message: Buffer, section: (number: number) => number, random: Random) => string,
): DocumentFault => ({
  name,
  make(bytes, random) {
    const message = gunzipSync(bytes)
    const starts = new Map([1, 3, 4, 5, 6, 7].map((number) => [number, sectionAt(message, number)]))
    const detail = edit(message, (number) => starts.get(number)!, random)
    return { bytes: gzipSync(message), detail }
  },
})

const scanValues = (
  name: string,
  change: (random: Random) => { detail: string; valueAt: (value: number, k: number) => number },
): DocumentFault => ({
  name,
  make(bytes, random) {
    const { detail, valueAt } = change(random)
    return { bytes: gzipSync(withValues(gunzipSync(bytes), valueAt)), detail }
  },
})

const scanFaults: readonly DocumentFault[] = [
  onScan('moved grid', (message, section, random) => {
    const at = section(3) + random.pick([46, 50])
    const by = random.integer(30_000, 5_000_000)
    message.writeInt32BE(message.readInt32BE(at) + by, at)
    return `${at - section(3)} by ${by}`
  }),
  onScan('other distance of points', (message, section, random) => {
    const at = section(3) + random.pick([63, 67])
    const factor = random.between(1.01, 2)
    message.writeUInt32BE(Math.round(message.readUInt32BE(at) * factor), at)
    return `${at - section(3)} ${factor.toFixed(4)}`
  }),
  onScan('other scanning mode', (message, section, random) => {
    const bit = random.pick([0x80, 0x40, 0x20, 0x10])
    message[section(3) + 71]! ^= bit
    return String(bit)
  }),
  onScan('other parameter', (message, section, random) => {
    const by = random.integer(1, 200)
    message[section(4) + 10] = (nth(message, section(4) + 10) + by) % 250
    return `+${by}`
  }),
  onScan('clock in the future', (message, section, random) => {
    const years = random.integer(1, 90)
    message.writeUInt16BE(message.readUInt16BE(section(1) + 12) + years, section(1) + 12)
    return `${years} years`
  }),
  onScan('other number of points', (message, section, random) => {
    const by = random.integer(1, 99)
    message.writeUInt32BE(message.readUInt32BE(section(3) + 34) + by, section(3) + 34)
    return `${by} more rows`
  }),
  onScan('cut within', (message, section, random) => {
    const from = Math.floor(random.between(section(5) + 12, message.length - 40))
    message.fill(0, from)
    return `zeros from ${from}`
  }),
  scanValues('constant', (random) => {
    const value = random.between(5, 60)
    return { detail: value.toFixed(2), valueAt: () => value }
  }),
  scanValues('all missing', (random) => ({ detail: String(random.integer(1, 1e6)), valueAt: () => -999 })),
  scanValues('out of range', (random) => {
    const value = random.between(1200, 9000)
    return { detail: value.toFixed(0), valueAt: (old, k) => (k % 11 === 0 ? value : old) }
  }),
  scanValues('sentinel changed', (random) => {
    const sentinel = random.pick([9999, 1e6, 32767])
    return { detail: `${sentinel} ${random.integer(1, 1e6)}`, valueAt: (value) => (value < -2 ? sentinel : value) }
  }),
]

const rateFaults: readonly DocumentFault[] = [
  scanValues('inches in place of mm', (random) => ({
    detail: String(random.integer(1, 1e6)),
    valueAt: (value) => (value > 0 ? value / 25.4 : value),
  })),
  scanValues('ten times as much', (random) => {
    const factor = random.between(8, 14)
    return { detail: factor.toFixed(3), valueAt: (value) => (value > 0 ? value * factor : value) }
  }),
]

const stormFaults: readonly DocumentFault[] = [
  inPlaceOfFeature('no feature', [null, 'feature', 7, {}, { geometry: null }]),
  onFeature('a member is renamed', (feature, random) => {
    const [holder, name] = random.pick([
      [feature, 'geometry'],
      [feature, 'properties'],
      [feature['properties'], 'ID'],
      [feature['properties'], 'MOTION_EAST'],
      [feature['properties'], 'MOTION_SOUTH'],
    ] as const)
    const replacement = `${name}${random.integer(2, 999)}`
    holder[replacement] = holder[name]
    delete holder[name]
    return replacement
  }),
  onFeature('an outline that is none', ({ geometry }, random) => {
    geometry.coordinates = random.pick([
      [],
      [[[0, 0]]],
      'x',
      [
        [
          ['a', 'b'],
          ['a', 'b'],
          ['a', 'b'],
          ['a', 'b'],
        ],
      ],
    ])
    return `${JSON.stringify(geometry.coordinates)} ${random.integer(1, 999)}`
  }),
  onFeature('an outline elsewhere', ({ geometry }, random) => {
    const by = random.integer(60, 120)
    geometry.coordinates = [geometry.coordinates[0].map(([lon, lat]: number[]) => [lon! + by, lat!])]
    return `${by} degrees east`
  }),
  {
    name: 'another time',
    make(bytes, random) {
      const body = JSON.parse(bytes.toString())
      body.validTime = `2026${random.integer(10, 12)}${random.integer(10, 28)}_120000 UTC`
      return { bytes: Buffer.from(JSON.stringify(body)), detail: body.validTime }
    },
  },
]

/** Edits the description of a level 3 product, which begins 18 bytes after its text header. */
const inDescription = (name: string, edit: (description: Buffer, random: Random) => string): DocumentFault => ({
  name,
  make(bytes, random) {
    const copy = Buffer.from(bytes)
    const header = copy.indexOf('\r\r\n', copy.indexOf('\r\r\n') + 3) + 3
    return { detail: edit(copy.subarray(header), random), bytes: copy }
  },
})

const levelThreeFaults: readonly DocumentFault[] = [
  inDescription('another code', (message, random) => {
    const code = random.integer(16, 299)
    for (const at of [0, 30]) message.writeInt16BE(code, at)
    return String(code)
  }),
  inDescription('another place', (message, random) => {
    const [at, by] = [random.pick([20, 24]), random.integer(300, 60_000) * random.pick([-1, 1])]
    message.writeInt32BE(message.readInt32BE(at) + by, at)
    return `${at} by ${by} thousandths`
  }),
  inDescription('clock in the future', (message, random) => {
    const days = random.integer(1, 9000)
    message.writeUInt16BE(message.readUInt16BE(40) + days, 40)
    return `${days} days`
  }),
  inDescription('clock of another scan', (message, random) => {
    const seconds = random.integer(180, 4000)
    message.writeUInt32BE(message.readUInt32BE(42) + seconds, 42)
    return `${seconds} s`
  }),
  {
    name: 'cut within',
    make(bytes, random) {
      const from = Math.floor(random.between(60, bytes.length * 0.9))
      return { bytes: Buffer.from(bytes).fill(0, from), detail: `zeros from ${from}` }
    },
  },
]

/** Declares levels in steps of 5 to 20 dBZ instead of half a dBZ. */
const tenfold = inDescription('steps of another size', (message, random) => {
  const step = random.integer(50, 200)
  message.writeInt16BE(step, 62)
  return String(step)
})

/** Replaces a text by another of the same length wherever it occurs in a file. */
const inBytes = (name: string, pairs: readonly (readonly [from: string, to: string])[]): DocumentFault => ({
  name,
  make(bytes, random) {
    const [from, to] = random.pick(pairs)
    const text = bytes.toString('latin1').replaceAll(from, to)
    return { bytes: Buffer.from(text, 'latin1'), detail: `${to} ${random.integer(1, 1e6)}` }
  },
})

const lightningFaults: readonly DocumentFault[] = [
  inBytes('a variable is renamed', [
    ['flash_lat', 'flash_lax'],
    ['flash_lon', 'flash_lox'],
    ['flash_quality_flag', 'flash_quality_flax'],
    ['flash_time_offset_of_first_event', 'flash_time_offset_of_first_evenx'],
    ['nominal_satellite_subpoint_lon', 'nominal_satellite_subpoint_lox'],
  ]),
  inBytes('another satellite in the file', [
    ['G19', 'G18'],
    ['G19', 'G16'],
    ['G19', 'M19'],
  ]),
  inBytes('a clock in the future', [
    ['2026-08-20T21:', '2027-08-20T21:'],
    ['2026-08-20T21:', '2026-08-20T23:'],
    ['2026-08-20T21:', '2026-08-21T21:'],
  ]),
]
