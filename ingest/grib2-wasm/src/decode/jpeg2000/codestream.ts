import { GribError } from '../../fault.ts'

/** What the main header says of the one component that a GRIB field is. */
export interface Header {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly tileX0: number
  readonly tileY0: number
  readonly bits: number
  readonly signed: boolean
}

/** COD and QCD: how a tile is coded. */
export interface Coding {
  readonly progression: number
  readonly layers: number
  readonly levels: number
  /** Exponents of the code-block sides. */
  readonly blockX: number
  readonly blockY: number
  readonly style: number
  /** The 5/3 wavelet on integers; else the 9/7 one on quantized floats. */
  readonly reversible: boolean
  readonly sop: boolean
  readonly eph: boolean
  /** Exponents of the precinct sides, by resolution. */
  readonly precincts: readonly (readonly [x: number, y: number])[]
}

export interface Quantization {
  readonly guard: number
  /** Exponent of each subband's range: LL, then HL, LH, HH of each level from the coarsest. */
  readonly exponents: readonly number[]
  /** Mantissas of their steps, in 2048ths; all 0 where nothing is quantized. */
  readonly mantissas: readonly number[]
  /** One step is given, for LL; those of other subbands follow from it. */
  readonly derived: boolean
}

export interface TileData {
  readonly index: number
  readonly coding: Coding
  readonly quantization: Quantization
  readonly parts: Uint8Array[]
}

export interface Codestream {
  readonly header: Header
  readonly tiles: readonly TileData[]
}

/** The codestream starts at octet 6 of section 7. */
export function corrupt(at: number, wanted: string, got: string | number): never {
  throw new GribError('corrupt', 7, at + 6, wanted, `${got}`)
}

export function unsupported(at: number, wanted: string, got: string | number): never {
  throw new GribError('unsupported', 7, at + 6, wanted, `${got}`)
}

class Cursor {
  readonly #view: DataView
  at = 0

  constructor(octets: Uint8Array) {
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  }

  get left(): number {
    return this.#view.byteLength - this.at
  }

  #room(count: number): void {
    if (this.left < count)
      throw new GribError('truncated', 7, this.at + 6, `${count} more octets of JPEG 2000`, `${this.left}`)
  }

  u1(): number {
    this.#room(1)
    return this.#view.getUint8(this.at++)
  }

  u2(): number {
    this.#room(2)
    this.at += 2
    return this.#view.getUint16(this.at - 2)
  }

  u4(): number {
    this.#room(4)
    this.at += 4
    return this.#view.getUint32(this.at - 4)
  }
}

function readSize(cursor: Cursor): Header {
  const at = cursor.at
  cursor.u2()
  const [x1, y1, x0, y0, tileWidth, tileHeight, tileX0, tileY0] = Array.from({ length: 8 }, () => cursor.u4())
  const components = cursor.u2()
  if (components !== 1) unsupported(at + 34, 'one component', components)
  const depth = cursor.u1()
  const [stepX, stepY] = [cursor.u1(), cursor.u1()]
  if (stepX !== 1 || stepY !== 1) unsupported(at + 37, 'a component without subsampling', `${stepX} × ${stepY}`)
  if (x1 <= x0 || y1 <= y0 || x1 > 0x7fffffff || y1 > 0x7fffffff)
    corrupt(at, 'an image area', `${x0}–${x1} × ${y0}–${y1}`)
  if (
    tileWidth === 0 ||
    tileHeight === 0 ||
    tileX0 > x0 ||
    tileY0 > y0 ||
    tileX0 + tileWidth <= x0 ||
    tileY0 + tileHeight <= y0
  ) {
    corrupt(at + 16, 'tiles that begin with the image', `${tileWidth} × ${tileHeight} from ${tileX0}, ${tileY0}`)
  }
  const bits = (depth & 0x7f) + 1
  if (bits > 31) unsupported(at + 36, 'at most 31 bits a sample', bits)
  return { x0, y0, x1, y1, tileWidth, tileHeight, tileX0, tileY0, bits, signed: depth > 127 }
}

function readCoding(cursor: Cursor): Coding {
  const at = cursor.at
  const flags = cursor.u1()
  const progression = cursor.u1()
  const layers = cursor.u2()
  cursor.u1()
  const levels = cursor.u1()
  const blockX = (cursor.u1() & 15) + 2
  const blockY = (cursor.u1() & 15) + 2
  const style = cursor.u1()
  const transform = cursor.u1()
  if (progression > 4) corrupt(at + 1, 'a progression order from 0 to 4', progression)
  if (layers === 0) corrupt(at + 2, 'at least one layer', layers)
  if (levels > 32) corrupt(at + 5, 'at most 32 decomposition levels', levels)
  if (blockX > 10 || blockY > 10 || blockX + blockY > 12)
    corrupt(at + 6, 'code blocks of at most 4096', `2^${blockX} × 2^${blockY}`)
  // Bypass, termination on each pass and vertically causal contexts are for other uses than GRIB's.
  if (style & 0x0d) unsupported(at + 8, 'code blocks in the plain style', `style 0x${style.toString(16)}`)
  if (transform > 1) unsupported(at + 9, 'the 5/3 or the 9/7 wavelet (transformation 1 or 0)', transform)
  const precincts = Array.from({ length: levels + 1 }, (): [number, number] => {
    if (!(flags & 1)) return [15, 15]
    const sides = cursor.u1()
    return [sides & 15, sides >> 4]
  })
  for (const [k, [x, y]] of precincts.entries()) {
    if (k > 0 && (x === 0 || y === 0)) corrupt(at + 10 + k, 'precincts with a side of at least 2', `2^${x} × 2^${y}`)
  }
  return {
    progression,
    layers,
    levels,
    blockX,
    blockY,
    style,
    reversible: transform === 1,
    sop: (flags & 2) !== 0,
    eph: (flags & 4) !== 0,
    precincts,
  }
}

/** Annex A.6.4: no quantization (style 0, octets), one step for all (1), or one for each subband (2, words). */
function readQuantization(cursor: Cursor, end: number): Quantization {
  const at = cursor.at
  const flags = cursor.u1()
  const style = flags & 31
  if (style > 2) corrupt(at, 'a quantization style from 0 to 2', style)
  const exponents: number[] = []
  const mantissas: number[] = []
  while (cursor.at < end) {
    const step = style === 0 ? cursor.u1() << 8 : cursor.u2()
    exponents.push(step >> 11)
    mantissas.push(style === 0 ? 0 : step & 2047)
  }
  return { guard: flags >> 5, exponents, mantissas, derived: style === 1 }
}

const SIZ = 0xff51
const COD = 0xff52
const QCD = 0xff5c
const SOT = 0xff90
const SOD = 0xff93
const EOC = 0xffd9
/** Markers that change how one component or the packets are read: POC, PPM, PPT, COC, QCC, RGN. Not written for GRIB. */
const REFUSED: Readonly<Record<number, string>> = {
  65375: 'POC',
  65376: 'PPM',
  65377: 'PPT',
  65363: 'COC',
  65373: 'QCC',
  65374: 'RGN',
}

interface State {
  coding: Coding | undefined
  quantization: Quantization | undefined
}

/** One marker segment that both kinds of header may hold. */
function segment(cursor: Cursor, marker: number, state: State): void {
  const at = cursor.at
  const length = cursor.u2()
  if (length < 2 || length - 2 > cursor.left) corrupt(at, `a segment of 2 to ${cursor.left + 2} octets`, length)
  const end = at + length
  if (REFUSED[marker]) unsupported(at - 2, 'JPEG 2000 markers that GRIB writers use', REFUSED[marker])
  if (marker === COD) state.coding = readCoding(cursor)
  else if (marker === QCD) state.quantization = readQuantization(cursor, end)
  if (cursor.at > end) corrupt(at, `a segment of at least ${cursor.at - at} octets`, length)
  cursor.at = end
}

/** Splits a codestream into its header and the packets of its tiles. */
export function readCodestream(octets: Uint8Array): Codestream {
  const cursor = new Cursor(octets)
  const start = cursor.u2()
  if (start !== 0xff4f) corrupt(0, 'a JPEG 2000 codestream (0xff4f)', `0x${start.toString(16)}`)
  const size = cursor.u2()
  if (size !== SIZ) corrupt(2, 'marker SIZ', `0x${size.toString(16)}`)
  const sizeAt = cursor.at
  const sizeLength = cursor.u2()
  const header = readSize(cursor)
  cursor.at = sizeAt + sizeLength
  const main: State = { coding: undefined, quantization: undefined }
  const tiles = new Map<number, TileData>()
  const across = Math.ceil((header.x1 - header.tileX0) / header.tileWidth)
  const down = Math.ceil((header.y1 - header.tileY0) / header.tileHeight)
  for (;;) {
    // Some writers leave the end marker out.
    if (cursor.left < 2 && tiles.size > 0) break
    const at = cursor.at
    const marker = cursor.u2()
    if (marker === EOC) break
    if (marker < 0xff00) corrupt(at, 'a JPEG 2000 marker', `0x${marker.toString(16)}`)
    if (marker !== SOT) {
      segment(cursor, marker, main)
      continue
    }
    cursor.u2()
    const index = cursor.u2()
    const length = cursor.u4()
    cursor.u2()
    if (index >= across * down) corrupt(at + 4, `a tile below ${across * down}`, index)
    const state = { ...main }
    while (true) {
      const inner = cursor.u2()
      if (inner === SOD) break
      if (inner < 0xff00) corrupt(cursor.at - 2, 'a JPEG 2000 marker', `0x${inner.toString(16)}`)
      segment(cursor, inner, state)
    }
    const end = length === 0 ? octets.length : at + length
    if (end < cursor.at || end > octets.length) {
      corrupt(at + 6, `a tile part of ${cursor.at - at} to ${octets.length - at} octets`, length)
    }
    const { coding, quantization } = state
    if (!coding || !quantization) return corrupt(at, 'markers COD and QCD before a tile', 'none')
    const tile: TileData = tiles.get(index) ?? { index, coding, quantization, parts: [] }
    tiles.set(index, tile)
    tile.parts.push(octets.subarray(cursor.at, end))
    cursor.at = end
  }
  if (tiles.size < across * down) corrupt(0, `${across * down} tiles`, tiles.size)
  return { header, tiles: [...tiles.values()] }
}
