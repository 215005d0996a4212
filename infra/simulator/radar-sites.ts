import { radarSites } from '../../ingest/datasets/radar-sites.ts'
import { stormCells } from '../../ingest/datasets/storm-cells.ts'
import { kilometresBetween } from '../../ingest/domain/shape/field-of-view.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { type Radar, radarById } from '../../ingest/geo/site.ts'
import { scanMessage, scannedSites, scanProducts, ScanWriter as Writer } from './radar-scans.ts'
import { nameTag, type SimulatedHost } from './source.ts'
import { type StormState, stormsAt } from './storms.ts'

const CADENCE_MS = 5 * MINUTE
const LATENCY_MS = 150_000
const RETENTION_MS = 130 * MINUTE
const KM_PER_DEGREE = 111.19
const KM_PER_MILE = 1.852
const METRES_PER_SECOND_PER_KNOT = 0.514444
/** Rain rate from which the tracking algorithm has a cell, mm/h. */
const CELL_RATE = 4
const RANGE_KM = 230

/** Message codes by product. Like the real products, a product without cells has only a description. */
const CODES: Readonly<Record<string, number>> = { NST: 58, NMD: 141, NTV: 61 }

interface SimulatedCell {
  readonly id: string
  /** Distance east of the radar, km. */
  readonly x: number
  /** Distance north of the radar, km. */
  readonly y: number
  readonly state: StormState
}

function cellsOf(radar: Radar, time: number): SimulatedCell[] {
  return stormsAt(time)
    .filter(({ lat, lon, rate }) => rate > CELL_RATE && kilometresBetween(radar.lat, radar.lon, lat, lon) < RANGE_KM)
    .slice(0, 30)
    .map((state, k) => ({
      id: `${String.fromCharCode(65 + (k % 26))}${Math.floor(k / 26)}`,
      x: (state.lon - radar.lon) * KM_PER_DEGREE * Math.cos((((state.lat + radar.lat) / 2) * Math.PI) / 180),
      y: (state.lat - radar.lat) * KM_PER_DEGREE,
      state,
    }))
}

const degrees = (radians: number) => Math.round(((radians * 180) / Math.PI + 360) % 360)

/** Returns a row of the table `STORM POSITION/FORECAST`. */
function rowOf({ id, x, y, state: { u, v } }: SimulatedCell): string {
  const polar = (east: number, north: number) =>
    `${String(degrees(Math.atan2(east, north))).padStart(3)}/${String(Math.round(Math.hypot(east, north) / KM_PER_MILE)).padStart(3)}`
  const from = String(degrees(Math.atan2(-u, -v))).padStart(3)
  const knots = String(Math.round(Math.hypot(u, v) / METRES_PER_SECOND_PER_KNOT)).padStart(3)
  const later = [15, 30, 45, 60].map((minutes) => polar(x + u * 0.06 * minutes, y + v * 0.06 * minutes))
  return `  ${id}     ${polar(x, y)}   ${from}/${knots}     ${later.join('   ')}    0.5/ 0.5`.padEnd(80)
}

function block(id: number, body: Buffer): Buffer {
  return new Writer()
    .i2(-1, id)
    .i4(body.length + 8)
    .append(body).bytes
}

/**
 * Returns a level 3 message with its text header: the description and, for NST with cells, the symbols and the table.
 */
function productOf(radar: Radar, mnemonic: string, time: number): Buffer {
  const day = Math.floor(time / 86_400_000) + 1
  const seconds = Math.floor(time / 1000) % 86_400
  const code = CODES[mnemonic]
  if (code === undefined) throw new Error(`radar product ${mnemonic} is not simulated`)
  const cells = mnemonic === 'NST' ? cellsOf(radar, time) : []
  const header = (length: number, blocks: number) =>
    new Writer().i2(code, day).i4(seconds, length).i2(0, 0, blocks).bytes
  const description = (offsets: readonly number[]) =>
    new Writer()
      .i2(-1)
      .i4(Math.round(radar.lat * 1000), Math.round(radar.lon * 1000))
      .i2(Math.round(radar.elevation_m * 3.28), code, 2, 212, 0, 1, day)
      .i4(seconds)
      .i2(day)
      .i4(seconds)
      .i2(...Array.from({ length: 28 }, () => 0))
      .i4(...offsets).bytes
  const blocks: Buffer[] = []
  if (cells.length > 0) {
    const symbols = new Writer()
    for (const { id, x, y } of cells) {
      symbols.i2(15, 6, Math.round(x * 4), Math.round(y * 4)).append(Buffer.from(id, 'latin1'))
    }
    const layer = symbols.bytes
    blocks.push(block(1, new Writer().i2(1, -1).i4(layer.length).append(layer).bytes))
    const page = new Writer()
    const title = `     RADAR ID   1  DATE/TIME 00:00:00/00:00:00   NUMBER OF STORM CELLS ${String(cells.length).padStart(3)}`
    for (const text of [title, ...cells.map(rowOf)]) {
      page.i2(text.length).append(Buffer.from(text, 'latin1'))
    }
    const copy = Buffer.concat([header(0, 0), description([0, 0, 0])])
    blocks.push(block(3, Buffer.concat([copy, new Writer().i2(-1, 1).bytes, page.i2(-1).bytes])))
  }
  const [symbols, page] = blocks
  const symbology = symbols ? 120 : 0
  const table = symbols && page ? 120 + symbols.length : 0
  const text = Buffer.from(`SDUS34 ${radar.icao} 010000\r\r\n${mnemonic}${radar.id}\r\r\n`, 'latin1')
  const body = Buffer.concat(blocks)
  return Buffer.concat([
    text,
    header(120 + body.length, 2 + blocks.length),
    description([symbology / 2, 0, table / 2]),
    body,
  ])
}

const cellSites = Object.values(stormCells.sites).flat()
const radars = [...new Set([...cellSites, ...scannedSites])].flatMap((site) => radarById(site) ?? [])
const productsOf = (id: string) => [
  ...(cellSites.includes(id) ? Object.keys(CODES) : []),
  ...(scannedSites.includes(id) ? scanProducts : []),
]

function keyOf(site: string, product: string, time: number): string {
  return `${site}_${product}_${new Date(time).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_')}`
}

/**
 * Returns the offset of a radar's scans, ms. Offsets differ between radars, so that they do not all have a new scan at
 * once.
 */
const phaseOf = (index: number) => index * 20_000 + 17_000

/**
 * Host of the public bucket of level 3 products: storm tracking of the radars outside the contiguous states, and scans
 * of some radars.
 */
export const radarSiteSource: SimulatedHost = {
  host: 'unidata-nexrad-level3.s3.amazonaws.com',
  *list(prefix, now) {
    for (const [index, { id }] of radars.entries()) {
      if (!prefix.startsWith(id)) continue
      const first = Math.ceil((now - RETENTION_MS) / CADENCE_MS) * CADENCE_MS + phaseOf(index)
      for (let time = first; time + LATENCY_MS <= now; time += CADENCE_MS) {
        for (const product of productsOf(id)) {
          const key = keyOf(id, product, time)
          if (key.startsWith(prefix)) yield { key, size: 4000, etag: nameTag(key), lastModified: time + LATENCY_MS }
        }
      }
    }
  },
  find(path, _query, now) {
    const key = path.slice(1)
    const time = stormCells.timeOf(key) ?? radarSites.timeOf(key)
    const index = radars.findIndex(({ id }) => key.startsWith(`${id}_`))
    const radar = radars[index]
    if (time === undefined || !radar || (time - phaseOf(index)) % CADENCE_MS !== 0 || time + LATENCY_MS > now)
      return undefined
    const mnemonic = key.slice(4, 7)
    if (!productsOf(radar.id).includes(mnemonic)) return undefined
    const body = () =>
      scanProducts.includes(mnemonic) ? scanMessage(radar, mnemonic, time) : productOf(radar, mnemonic, time)
    return { etag: nameTag(key), lastModified: time + LATENCY_MS, type: 'application/octet-stream', body }
  },
}
