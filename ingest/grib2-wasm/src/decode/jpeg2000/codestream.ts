import { Cursor, corrupt } from './cursor.ts'
import {
  type Coding,
  type Header,
  type PacketOrder,
  type Progression,
  type Quantization,
  readCod,
  readCoding,
  readComponent,
  readProgressions,
  readQuantization,
  readRegion,
  readSize,
} from './markers.ts'

/** The octets of one tile-part: its packets, and its packet headers where PPM or PPT moved them out of the packets. */
export interface TilePart {
  readonly packets: Uint8Array
  readonly headers: Uint8Array | undefined
}

export interface TileData {
  readonly index: number
  readonly order: PacketOrder
  readonly coding: Coding
  readonly quantization: Quantization
  /** Number of bits by which a region of interest was shifted up; 0 without one. */
  readonly regionShift: number
  readonly progressions: readonly Progression[]
  readonly parts: readonly TilePart[]
}

export interface Codestream {
  readonly header: Header
  readonly tiles: readonly TileData[]
}

const SOC = 0xff4f
const SIZ = 0xff51
const COD = 0xff52
const COC = 0xff53
const QCD = 0xff5c
const QCC = 0xff5d
const RGN = 0xff5e
const POC = 0xff5f
const PPM = 0xff60
const PPT = 0xff61
const SOT = 0xff90
const SOD = 0xff93
const EOC = 0xffd9

/** A segment PPM or PPT, which has packet headers; its index determines the order. */
interface PackedHeaders {
  readonly index: number
  readonly octets: Uint8Array
}

/** Settings of the marker segments of a main or tile header. */
interface Parameters {
  order: PacketOrder | undefined
  coding: Coding | undefined
  quantization: Quantization | undefined
  /** COC and QCC of a header take precedence over its COD and QCD, in any order. */
  codingOfComponent: boolean
  quantizationOfComponent: boolean
  regionShift: number
  progressions: readonly Progression[]
}

/** A tile while its tile-parts are collected. */
interface OpenTile {
  readonly parameters: Parameters
  readonly parts: TilePart[]
  /** A POC of a tile header replaces those of the main header; those of later tile-parts are appended. */
  ownProgressions: boolean
}

/** Reads one marker segment that main and tile headers share; `packed` receives PPM or PPT. */
function readSegment(cursor: Cursor, marker: number, into: Parameters, packed: PackedHeaders[]): void {
  const at = cursor.at
  const length = cursor.u2()
  if (length < 2 || length - 2 > cursor.remaining)
    corrupt(at, `a segment of 2 to ${cursor.remaining + 2} octets`, length)
  const end = at + length
  if (marker === COD) {
    const { order, coding } = readCod(cursor)
    into.order = order
    if (!into.codingOfComponent) into.coding = coding
  } else if (marker === COC) {
    readComponent(cursor)
    into.coding = readCoding(cursor, (cursor.u1() & 1) !== 0)
    into.codingOfComponent = true
  } else if (marker === QCD) {
    const quantization = readQuantization(cursor, end)
    if (!into.quantizationOfComponent) into.quantization = quantization
  } else if (marker === QCC) {
    readComponent(cursor)
    into.quantization = readQuantization(cursor, end)
    into.quantizationOfComponent = true
  } else if (marker === RGN) {
    into.regionShift = readRegion(cursor)
  } else if (marker === POC) {
    into.progressions = readProgressions(cursor, end, into.progressions)
  } else if (marker === PPM || marker === PPT) {
    const index = cursor.u1()
    packed.push({ index, octets: cursor.octets.subarray(cursor.at, end) })
  }
  if (cursor.at > end) corrupt(at, `a segment of at least ${cursor.at - at} octets`, length)
  cursor.at = end
}

/** Joins octets. A single piece is not copied. */
export function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const octets = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    octets.set(piece, at)
    at += piece.length
  }
  return octets
}

function joinPacked(packed: readonly PackedHeaders[]): Uint8Array {
  return join([...packed].sort((a, b) => a.index - b.index).map(({ octets }) => octets))
}

/** The headers of PPM by tile-part, in the order of the codestream: each run begins with its length (A.7.4). */
function splitPacked(packed: readonly PackedHeaders[]): Uint8Array[] {
  const cursor = new Cursor(joinPacked(packed))
  const runs: Uint8Array[] = []
  while (cursor.remaining > 0) {
    const length = cursor.u4()
    if (length > cursor.remaining) corrupt(0, `packet headers (PPM) of at most ${cursor.remaining} octets`, length)
    runs.push(cursor.octets.subarray(cursor.at, cursor.at + length))
    cursor.at += length
  }
  return runs
}

/** Reads a marker, which is never below 0xff00. */
function readMarker(cursor: Cursor): number {
  const marker = cursor.u2()
  if (marker < 0xff00) corrupt(cursor.at - 2, 'a JPEG 2000 marker', `0x${marker.toString(16)}`)
  return marker
}

function finishTile(index: number, { parameters, parts }: OpenTile): TileData {
  const { order, coding, quantization, regionShift, progressions } = parameters
  if (!order || !coding || !quantization) return corrupt(0, 'markers COD and QCD before a tile', 'none')
  return { index, order, coding, quantization, regionShift, progressions, parts }
}

/** Splits a codestream into its header and the packets of its tiles. */
export function readCodestream(octets: Uint8Array): Codestream {
  const cursor = new Cursor(octets)
  const start = cursor.u2()
  if (start !== SOC) corrupt(0, 'a JPEG 2000 codestream (0xff4f)', `0x${start.toString(16)}`)
  const size = cursor.u2()
  if (size !== SIZ) corrupt(2, 'marker SIZ', `0x${size.toString(16)}`)
  const header = readSize(cursor)
  const main: Parameters = {
    order: undefined,
    coding: undefined,
    quantization: undefined,
    codingOfComponent: false,
    quantizationOfComponent: false,
    regionShift: 0,
    progressions: [],
  }
  const mainPacked: PackedHeaders[] = []
  let packedRuns: Uint8Array[] | undefined
  let tileParts = 0
  const tiles = new Map<number, OpenTile>()
  const across = Math.ceil((header.x1 - header.tileX0) / header.tileWidth)
  const down = Math.ceil((header.y1 - header.tileY0) / header.tileHeight)
  for (;;) {
    // Some writers omit the end marker.
    if (cursor.remaining < 2 && tiles.size > 0) break
    const at = cursor.at
    const marker = readMarker(cursor)
    if (marker === EOC) break
    if (marker !== SOT) {
      readSegment(cursor, marker, main, mainPacked)
      continue
    }
    cursor.u2()
    const index = cursor.u2()
    const length = cursor.u4()
    cursor.u2()
    if (index >= across * down) corrupt(at + 4, `a tile below ${across * down}`, index)
    let tile = tiles.get(index)
    if (!tile) {
      const parameters = { ...main, codingOfComponent: false, quantizationOfComponent: false }
      tile = { parameters, parts: [], ownProgressions: false }
      tiles.set(index, tile)
    }
    const packed: PackedHeaders[] = []
    for (let inner = readMarker(cursor); inner !== SOD; inner = readMarker(cursor)) {
      if (inner === POC && !tile.ownProgressions) {
        tile.ownProgressions = true
        tile.parameters.progressions = []
      }
      readSegment(cursor, inner, tile.parameters, packed)
    }
    const end = length === 0 ? octets.length : at + length
    if (end < cursor.at || end > octets.length) {
      corrupt(at + 6, `a tile part of ${cursor.at - at} to ${octets.length - at} octets`, length)
    }
    packedRuns ??= splitPacked(mainPacked)
    const headers = packed.length > 0 ? joinPacked(packed) : packedRuns[tileParts]
    tile.parts.push({ packets: octets.subarray(cursor.at, end), headers })
    tileParts++
    cursor.at = end
  }
  if (tiles.size < across * down) corrupt(0, `${across * down} tiles`, tiles.size)
  return { header, tiles: [...tiles].map(([index, tile]) => finishTile(index, tile)) }
}
