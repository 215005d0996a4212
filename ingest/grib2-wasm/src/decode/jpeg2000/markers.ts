import { type Cursor, corrupt, unsupported } from './cursor.ts'

/** SIZ: the image area and its tiles on the reference grid, and the single component of a GRIB field. */
export interface Header {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly tileX0: number
  readonly tileY0: number
  /** Reference grid points from one sample of the component to the next. */
  readonly stepX: number
  readonly stepY: number
  readonly bits: number
  readonly signed: boolean
}

/** COD: the order of the packets of a tile. */
export interface PacketOrder {
  readonly progression: number
  readonly layers: number
  readonly sop: boolean
  readonly eph: boolean
}

/** COD or COC: transformation and entropy coding of the component. */
export interface Coding {
  readonly levels: number
  /** Exponents of the code-block sides. */
  readonly blockX: number
  readonly blockY: number
  /** Bits of table A.19: see `BlockStyle`. */
  readonly style: number
  /** Whether the wavelet is the 5/3 on integers; otherwise it is the 9/7 on quantized floats. */
  readonly reversible: boolean
  /** Binary logarithms of width and height of the precincts, by resolution. */
  readonly precincts: readonly (readonly [x: number, y: number])[]
}

export const BlockStyle = { bypass: 1, reset: 2, terminateAll: 4, verticallyCausal: 8, segmentSymbols: 32 } as const

export interface Quantization {
  readonly guard: number
  /** Exponent of each subband's range: LL, then HL, LH, HH of each level from the coarsest. */
  readonly exponents: readonly number[]
  /** Mantissas of their steps, in 2048ths; all 0 if nothing is quantized. */
  readonly mantissas: readonly number[]
  /** Whether only the step of LL is stored, from which the steps of the other subbands are derived. */
  readonly derived: boolean
}

/** POC: one progression over some resolutions and layers; packets that were already read are skipped. */
export interface Progression {
  readonly progression: number
  readonly firstResolution: number
  /** These ends are exclusive. */
  readonly resolutions: number
  readonly layers: number
}

/** Maximum number of progression order changes of a tile, as in OpenJPEG; it bounds the work for a packet. */
const PROGRESSIONS = 32

export function readSize(cursor: Cursor): Header {
  const at = cursor.at
  const length = cursor.u2()
  cursor.u2()
  const [x1, y1, x0, y0] = [cursor.u4(), cursor.u4(), cursor.u4(), cursor.u4()]
  const [tileWidth, tileHeight, tileX0, tileY0] = [cursor.u4(), cursor.u4(), cursor.u4(), cursor.u4()]
  const components = cursor.u2()
  if (components !== 1) unsupported(at + 34, 'one component', components)
  const depth = cursor.u1()
  const [stepX, stepY] = [cursor.u1(), cursor.u1()]
  if (stepX === 0 || stepY === 0) corrupt(at + 37, 'a sample distance of at least 1', `${stepX} × ${stepY}`)
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
  if (length < 41) corrupt(at, 'a segment SIZ of at least 41 octets', length)
  cursor.at = at + length
  return { x0, y0, x1, y1, tileWidth, tileHeight, tileX0, tileY0, stepX, stepY, bits, signed: depth > 127 }
}

/** Reads the part that COD and COC share (tables A.15 and A.20). */
export function readCoding(cursor: Cursor, ownPrecincts: boolean): Coding {
  const at = cursor.at
  const levels = cursor.u1()
  const blockX = (cursor.u1() & 15) + 2
  const blockY = (cursor.u1() & 15) + 2
  const style = cursor.u1()
  const transform = cursor.u1()
  if (levels > 32) corrupt(at, 'at most 32 decomposition levels', levels)
  if (blockX > 10 || blockY > 10 || blockX + blockY > 12)
    corrupt(at + 1, 'code blocks of at most 4096 coefficients', `2^${blockX} × 2^${blockY}`)
  if (style & 0xc0) unsupported(at + 3, 'code blocks of JPEG 2000 part 1 (not HTJ2K)', `style 0x${style.toString(16)}`)
  if (transform > 1) unsupported(at + 4, 'the 5/3 or the 9/7 wavelet (transformation 1 or 0)', transform)
  const precincts = Array.from({ length: levels + 1 }, (): [number, number] => {
    if (!ownPrecincts) return [15, 15]
    const sides = cursor.u1()
    return [sides & 15, sides >> 4]
  })
  for (const [k, [x, y]] of precincts.entries()) {
    if (k > 0 && (x === 0 || y === 0)) corrupt(at + 5 + k, 'precincts with a side of at least 2', `2^${x} × 2^${y}`)
  }
  return { levels, blockX, blockY, style, reversible: transform === 1, precincts }
}

export function readCod(cursor: Cursor): { readonly order: PacketOrder; readonly coding: Coding } {
  const at = cursor.at
  const flags = cursor.u1()
  const progression = cursor.u1()
  const layers = cursor.u2()
  cursor.u1()
  if (progression > 4) corrupt(at + 1, 'a progression order from 0 to 4', progression)
  if (layers === 0) corrupt(at + 2, 'at least one layer', layers)
  const order = { progression, layers, sop: (flags & 2) !== 0, eph: (flags & 4) !== 0 }
  return { order, coding: readCoding(cursor, (flags & 1) !== 0) }
}

/** Reads the component index of COC, QCC and RGN; only component 0 exists. */
export function readComponent(cursor: Cursor): void {
  const at = cursor.at
  const component = cursor.u1()
  if (component !== 0) corrupt(at, 'a marker of component 0', component)
}

/** Annex A.6.4: no quantization (style 0, octets), one step for all (1), or one for each subband (2, words). */
export function readQuantization(cursor: Cursor, end: number): Quantization {
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

/** RGN: number of bits by which the coefficients of a region of interest were shifted up (annex H). */
export function readRegion(cursor: Cursor): number {
  readComponent(cursor)
  const at = cursor.at
  const style = cursor.u1()
  if (style !== 0) unsupported(at, 'a region of interest of style 0 (maximum shift)', style)
  return cursor.u1()
}

/** POC: appends the progressions of one segment to the previous ones. */
export function readProgressions(cursor: Cursor, end: number, before: readonly Progression[]): Progression[] {
  const at = cursor.at
  const progressions = [...before]
  while (cursor.at < end) {
    const firstResolution = cursor.u1()
    const firstComponent = cursor.u1()
    const layers = cursor.u2()
    const resolutions = cursor.u1()
    cursor.u1()
    const progression = cursor.u1()
    if (progression > 4) corrupt(cursor.at - 1, 'a progression order from 0 to 4', progression)
    if (firstComponent === 0) progressions.push({ progression, firstResolution, resolutions, layers })
  }
  if (progressions.length > PROGRESSIONS)
    unsupported(at, `at most ${PROGRESSIONS} progression order changes`, progressions.length)
  return progressions
}
