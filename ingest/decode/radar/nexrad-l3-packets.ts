import { nth } from '../../domain/nth.ts'
import { corrupt, Level3Cursor } from './nexrad-l3-cursor.ts'

/** A field in polar coordinates around the radar. It has one level (a byte or a 16-bit word) for each gate of each radial. */
export interface RadialField {
  readonly radials: number
  readonly gates: number
  /** The azimuths at which the radials begin, and the widths of the radials; degrees clockwise from north. */
  readonly starts: Float32Array
  readonly widths: Float32Array
  /** Number of gates between the radar and the first stored gate. */
  readonly firstGate: number
  /** Length of a gate in m, if the packet has it (packet 28). */
  readonly gateMeters?: number
  /** The levels, radial by radial. Gates that a radial lacks at its end are 0, which means "below threshold". */
  readonly levels: Uint8Array | Uint16Array
}

/** A field on a square grid around the radar; the rows begin in the north. */
export interface RasterField {
  readonly rows: number
  readonly columns: number
  readonly levels: Uint8Array
}

/** A point, symbol, text or track of a symbology block. Positions are km east and north of the radar. */
export interface RadarSymbol {
  readonly packet: number
  readonly x: number
  readonly y: number
  readonly text?: string
  /** Radius in km (packets 3, 11, 20 and 25). */
  readonly radius?: number
  /** Packet 20: the kind of point feature. Packet 19: the probabilities of hail and of severe hail, and the hail size in inches. */
  readonly numbers?: readonly number[]
  /** The points of a past track (packet 23) or a forecast track (packet 24); the first point is the present position. */
  readonly track?: readonly (readonly [x: number, y: number])[]
}

export interface Symbology {
  readonly radials: RadialField[]
  readonly rasters: RasterField[]
  readonly symbols: RadarSymbol[]
}

const MAX_RADIALS = 1440
const MAX_GATES = 4096
const MAX_SYMBOLS = 20_000
/** The unit of positions, km: a quarter of a kilometre. */
const KM = 0.25

interface RadialHeader {
  readonly firstGate: number
  readonly gates: number
  readonly radials: number
}

function readRadialHeader(cursor: Level3Cursor): RadialHeader {
  const firstGate = cursor.u2()
  const gates = cursor.u2()
  // The next words are the centre of sweep (two words) and a scale factor, whose meaning depends on the product.
  cursor.skip(6)
  const radials = cursor.u2()
  if (radials === 0 || radials > MAX_RADIALS) corrupt(`1 to ${MAX_RADIALS} radials`, radials)
  if (gates === 0 || gates > MAX_GATES) corrupt(`1 to ${MAX_GATES} gates`, gates)
  return { firstGate, gates, radials }
}

/** Fills `row` from runs of one byte each: four bits of count and four bits of level. */
function unpackNibbleRuns(octets: Uint8Array, row: Uint8Array): void {
  let at = 0
  for (const octet of octets) {
    const end = Math.min(row.length, at + (octet >> 4))
    row.fill(octet & 15, at, end)
    at = end
  }
}

/** Reads packet 16 (one byte per gate) or 0xaf1f (runs). */
function readRadials(cursor: Level3Cursor, runs: boolean): RadialField {
  const { firstGate, gates, radials } = readRadialHeader(cursor)
  const levels = new Uint8Array(radials * gates)
  const starts = new Float32Array(radials)
  const widths = new Float32Array(radials)
  for (let k = 0; k < radials; k++) {
    const size = cursor.u2() * (runs ? 2 : 1)
    starts[k] = cursor.i2() / 10
    widths[k] = cursor.i2() / 10
    const octets = cursor.take(size)
    const row = levels.subarray(k * gates, (k + 1) * gates)
    if (runs) unpackNibbleRuns(octets, row)
    // Rows are padded to an even number of bytes.
    else row.set(octets.subarray(0, gates))
  }
  return { radials, gates, starts, widths, firstGate, levels }
}

/** Reads packets 0xba0f and 0xba07, whose rows are runs. */
function readRaster(cursor: Level3Cursor): RasterField {
  // These are two flags, and the start and the scale of both axes.
  cursor.skip(16)
  const rows = cursor.u2()
  const packing = cursor.u2()
  if (packing !== 2) corrupt('raster packing 2', packing)
  if (rows === 0 || rows > MAX_RADIALS) corrupt(`1 to ${MAX_RADIALS} rows`, rows)
  const packed = Array.from({ length: rows }, () => cursor.take(cursor.u2()))
  const columns = nth(packed, 0).reduce((sum, octet) => sum + (octet >> 4), 0)
  if (columns === 0 || columns > MAX_GATES) corrupt(`1 to ${MAX_GATES} columns`, columns)
  const levels = new Uint8Array(rows * columns)
  for (const [k, octets] of packed.entries()) unpackNibbleRuns(octets, levels.subarray(k * columns, (k + 1) * columns))
  return { rows, columns, levels }
}

/** Number of bytes of each point after its position, by packet. */
const POINT_BYTES: Readonly<Record<number, number>> = {
  3: 2,
  11: 2,
  12: 0,
  13: 0,
  14: 0,
  15: 2,
  19: 6,
  20: 4,
  25: 2,
  26: 0,
}

function readPoint(cursor: Level3Cursor, packet: number): RadarSymbol {
  const [x, y] = [cursor.i2() * KM, cursor.i2() * KM]
  if (packet === 15) return { packet, x, y, text: cursor.text(2) }
  if (packet === 19) return { packet, x, y, numbers: [cursor.i2(), cursor.i2(), cursor.u2()] }
  if (packet === 20) {
    const kind = cursor.u2()
    const radius = cursor.u2() * KM
    return { packet, x, y, numbers: [kind], radius }
  }
  if (POINT_BYTES[packet]) return { packet, x, y, radius: cursor.i2() * KM }
  return { packet, x, y }
}

/** Reads packets 23 and 24, which contain other packets: markers (2), linked vectors (6) and circles (25). */
function readTrack(cursor: Level3Cursor, packet: number): RadarSymbol | undefined {
  while (cursor.remaining >= 4) {
    const inner = cursor.u2()
    const body = new Level3Cursor(cursor.take(cursor.u2()))
    if (inner !== 6) continue
    const track: [number, number][] = []
    while (body.remaining >= 4) track.push([body.i2() * KM, body.i2() * KM])
    if (track.length > 0) return { packet, x: nth(track, 0)[0], y: nth(track, 0)[1], track }
  }
  return undefined
}

function readText(cursor: Level3Cursor, packet: number): RadarSymbol {
  if (packet === 8) cursor.u2()
  const [x, y] = [cursor.i2() * KM, cursor.i2() * KM]
  return { packet, x, y, text: cursor.text(cursor.remaining) }
}

/** Reads component 1 of a generic product (packet 28), in XDR as RPG build 12 and later write it. */
function readGeneric(cursor: Level3Cursor): RadialField | undefined {
  const text = () => {
    const size = cursor.u4()
    cursor.skip(Math.ceil(size / 4) * 4)
  }
  const parameters = () => {
    const count = cursor.i4()
    cursor.i4()
    for (let k = 0; k < count; k++) {
      text()
      text()
      if (k < count - 1) cursor.i4()
    }
  }
  text()
  text()
  cursor.skip(12)
  text()
  // These 12 words are position, times, angle, volume, mode, pattern, elevation, compression and size.
  cursor.skip(12 * 4)
  parameters()
  const components = cursor.i4()
  cursor.i4()
  if (components < 1 || cursor.i4() !== 1) return undefined
  text()
  const gateMeters = cursor.f4()
  const firstMeters = cursor.f4()
  parameters()
  const radials = cursor.i4()
  if (radials < 1 || radials > MAX_RADIALS) corrupt(`1 to ${MAX_RADIALS} radials`, radials)
  if (!(gateMeters > 0)) corrupt('a gate width above 0 m', gateMeters)
  const starts = new Float32Array(radials)
  const widths = new Float32Array(radials)
  let gates = 0
  let levels = new Uint16Array()
  for (let k = 0; k < radials; k++) {
    const azimuth = cursor.f4()
    cursor.f4()
    widths[k] = cursor.f4()
    starts[k] = azimuth
    cursor.i4()
    text()
    const count = cursor.u4()
    if (k === 0) {
      if (count === 0 || count > MAX_GATES) corrupt(`1 to ${MAX_GATES} gates`, count)
      gates = count
      levels = new Uint16Array(radials * gates)
    }
    if (count !== gates) corrupt(`${gates} gates as in the first radial`, count)
    for (let gate = 0; gate < count; gate++) levels[k * gates + gate] = cursor.i4()
  }
  const firstGate = Math.max(0, Math.round(firstMeters / gateMeters - 0.5))
  return { radials, gates, starts, widths, firstGate, gateMeters, levels }
}

/** Skips packets that have no length, or that have it in an unusual place. Returns whether the packet was such a packet. */
function skipContour(cursor: Level3Cursor, packet: number): boolean {
  if (packet === 0x0802) cursor.skip(4)
  else if (packet === 0x0e03) {
    cursor.skip(6)
    cursor.skip(cursor.u2())
  } else if (packet === 17 || packet === 18) {
    cursor.skip(6)
    for (let rows = cursor.u2(); rows > 0; rows--) cursor.skip(cursor.u2())
  } else return false
  return true
}

/** Reads the next packet of a layer or of a page. */
export function readPacket(cursor: Level3Cursor, into: Symbology): void {
  const packet = cursor.u2()
  if (into.symbols.length > MAX_SYMBOLS) corrupt(`at most ${MAX_SYMBOLS} symbols`, 'more')
  if (packet === 16) into.radials.push(readRadials(cursor, false))
  else if (packet === 0xaf1f) into.radials.push(readRadials(cursor, true))
  else if (packet === 0xba0f || packet === 0xba07) into.rasters.push(readRaster(cursor))
  else if (packet === 28 || packet === 29) {
    cursor.skip(2)
    const field = readGeneric(new Level3Cursor(cursor.take(cursor.u4())))
    if (field) into.radials.push(field)
  } else if (!skipContour(cursor, packet)) {
    const body = new Level3Cursor(cursor.take(cursor.u2()))
    if (packet === 1 || packet === 2 || packet === 8) into.symbols.push(readText(body, packet))
    else if (packet === 23 || packet === 24) {
      const track = readTrack(body, packet)
      if (track) into.symbols.push(track)
    } else if (POINT_BYTES[packet] !== undefined) while (body.remaining > 0) into.symbols.push(readPoint(body, packet))
  }
}
