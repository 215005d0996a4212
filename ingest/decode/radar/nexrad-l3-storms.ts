import { movedPlace } from '../../domain/weather/storm.ts'
import type { Level3Product } from './nexrad-l3.ts'
import type { RadarSymbol } from './nexrad-l3-packets.ts'

const KNOT = 0.514444
const NAUTICAL_MILE_KM = 1.852

interface StormPosition {
  readonly lat: number
  readonly lon: number
}

/** A storm cell of the storm tracking algorithm (product 58, NST). */
export interface StormCell extends StormPosition {
  readonly id: string
  /** Motion in m/s towards east and north; undefined for a new cell. */
  readonly velocity: { readonly east: number; readonly north: number } | undefined
  /** Forecast positions after 15, 30, 45 and 60 minutes; fewer if the algorithm has no more. */
  readonly forecast: readonly (StormPosition & { readonly minutes: number })[]
  readonly maxReflectivity: number | undefined
  /** Height of the maximum reflectivity, thousands of feet. */
  readonly maxReflectivityKft: number | undefined
}

/** A circulation of the mesocyclone detection algorithm (product 141, NMD). */
export interface Mesocyclone extends StormPosition {
  readonly id: string
  readonly cell: string | undefined
  /** Strength rank from 1 to 25. Circulations from 5 on are displayed as mesocyclones. */
  readonly strength: number
  /** Maximum rotational velocity, m/s. */
  readonly rotation: number | undefined
  readonly tornadoSignature: boolean
  readonly velocity: { readonly east: number; readonly north: number } | undefined
}

/** A tornadic vortex signature (product 61, NTV). */
export interface TornadoSignature extends StormPosition {
  readonly cell: string | undefined
  /** Whether the signature is elevated (ETVS), so that it does not reach down to the lowest beam as a TVS does. */
  readonly elevated: boolean
  /** Velocity differences across the signature, m/s: at the lowest elevation, and the largest. */
  readonly lowestDifference: number | undefined
  readonly largestDifference: number | undefined
}

const kmFrom = ({ lat, lon }: StormPosition, east: number, north: number): StormPosition =>
  movedPlace(lat, lon, east * 1000, north * 1000, 1)

/** Returns the position at an azimuth in degrees and a range in nautical miles. */
function polarFrom(radar: StormPosition, azimuth: number, miles: number): StormPosition {
  const angle = (azimuth * Math.PI) / 180
  const km = miles * NAUTICAL_MILE_KM
  return kmFrom(radar, km * Math.sin(angle), km * Math.cos(angle))
}

/** Returns the motion in m/s from the direction that it comes from, in degrees, and its speed in knots. */
function velocityOf(direction: string, knots: string): { east: number; north: number } {
  const angle = (Number(direction) * Math.PI) / 180
  const speed = Number(knots) * KNOT
  return { east: -speed * Math.sin(angle), north: -speed * Math.cos(angle) }
}

/** Reads the attribute pages, whose columns have ten characters for each cell, after a row title of eleven characters. */
function attributesOf(pages: readonly (readonly string[])[]): Map<string, { dbz: number; kft: number }> {
  const strongest = new Map<string, { dbz: number; kft: number }>()
  for (const lines of pages) {
    const ids = lines.find((line) => line.startsWith(' STORM ID'))
    const peaks = lines.find((line) => line.startsWith(' DBZM HGT'))
    if (!ids || !peaks) continue
    for (let at = 10; at < ids.length; at += 10) {
      const id = ids.slice(at, at + 10).trim()
      const peak = /^ *(\d{1,3}) +(\d{1,3}\.\d) *$/.exec(peaks.slice(at, at + 10))
      if (id && peak) strongest.set(id, { dbz: Number(peak[1]), kft: Number(peak[2]) })
    }
  }
  return strongest
}

const linesOf = (pages: readonly string[]) => pages.flatMap((page) => page.split('\n'))

const STEP_MINUTES = 15

/** The row of a cell: id, azimuth and range, motion or NEW, and four forecast positions or NO DATA. */
const CELL_ROW = /^ {2}([A-Z]\d) {1,9}(\d{1,3})\/ {0,2}(\d{1,3}) {1,9}(?:(\d{1,3})\/ {0,2}(\d{1,3})|NEW)(.{0,60})$/

/**
 * Returns a cell that the table omits, which lists only 34, from its symbol and its forecast track. The track begins at the present
 * position.
 */
function cellFromSymbols(product: Level3Product, symbol: RadarSymbol): StormCell {
  const { x, y } = symbol
  const track = product.symbols.find((symbol) => symbol.packet === 24 && symbol.x === x && symbol.y === y)?.track ?? []
  const next = track[1]
  const seconds = STEP_MINUTES * 60
  return {
    id: symbol.text!.trim(),
    ...kmFrom(product, x, y),
    velocity: next && { east: ((next[0] - x) * 1000) / seconds, north: ((next[1] - y) * 1000) / seconds },
    forecast: track
      .slice(1, 5)
      .map(([east, north], k) => ({ minutes: (k + 1) * STEP_MINUTES, ...kmFrom(product, east, north) })),
    maxReflectivity: undefined,
    maxReflectivityKft: undefined,
  }
}

/** Returns the cells of product 58. Positions come from the symbols (0.25 km), because the table has whole degrees and miles. */
export function readStormCells(product: Level3Product): StormCell[] {
  const at = new Map<string, RadarSymbol>()
  for (const symbol of product.symbols) if (symbol.packet === 15 && symbol.text) at.set(symbol.text.trim(), symbol)
  const peaks = attributesOf(product.attributes)
  const cells = new Map<string, StormCell>()
  for (const line of linesOf(product.pages)) {
    const row = CELL_ROW.exec(line.trimEnd())
    if (!row) continue
    const [, id, azimuth, range, direction, speed, forecastText] = row as unknown as string[]
    const symbol = at.get(id!)
    const place = symbol ? kmFrom(product, symbol.x, symbol.y) : polarFrom(product, Number(azimuth), Number(range))
    const forecast = [...forecastText!.matchAll(/(\d{1,3})\/ {0,2}(\d{1,3})(?![.\d])|NO DATA/g)]
      .slice(0, 4)
      .flatMap(([, degrees, miles], k) =>
        degrees === undefined
          ? []
          : [{ minutes: (k + 1) * STEP_MINUTES, ...polarFrom(product, Number(degrees), Number(miles)) }],
      )
    cells.set(id!, {
      id: id!,
      ...place,
      velocity: direction === undefined ? undefined : velocityOf(direction, speed!),
      forecast,
      maxReflectivity: peaks.get(id!)?.dbz,
      maxReflectivityKft: peaks.get(id!)?.kft,
    })
  }
  for (const [id, symbol] of at) if (!cells.has(id)) cells.set(id, cellFromSymbols(product, symbol))
  return [...cells.values()]
}

/** The row of a circulation: id, azimuth and range, strength with letters, cell, velocities, depths, TVS, and motion. */
const CIRCULATION_ROW =
  /^ {1,4}(\d{1,4}) +(\d{1,3})\/ {0,2}(\d{1,3}) {1,4}(\d{1,2})[A-Z]? {1,5}([A-Z]\d)? +\d+ +\d+ +[<>]? *\d+ +[<>]? *\d+ +\d+ +[<>]? *\d+ +(\d+) +([YN])(?: +(\d{1,3})\/ {0,2}(\d{1,3}))?/

/** Returns the circulations of product 141; an empty list if the product states that there are none. */
export function readMesocyclones(product: Level3Product): Mesocyclone[] {
  const at = new Map<string, RadarSymbol>()
  for (const symbol of product.symbols) if (symbol.packet === 8 && symbol.text) at.set(symbol.text.trim(), symbol)
  return linesOf(product.pages).flatMap((line) => {
    const row = CIRCULATION_ROW.exec(line.slice(0, 100))
    if (!row) return []
    const [, id, azimuth, range, strength, cell, rotation, tvs, direction, speed] = row
    const symbol = at.get(id!)
    const place = symbol ? kmFrom(product, symbol.x, symbol.y) : polarFrom(product, Number(azimuth), Number(range))
    return [
      {
        id: id!,
        ...place,
        cell,
        strength: Number(strength),
        rotation: Number(rotation) * KNOT,
        tornadoSignature: tvs === 'Y',
        velocity: direction === undefined ? undefined : velocityOf(direction, speed!),
      },
    ]
  })
}

/** The row of a signature: type, cell, azimuth and range, and the mean, lowest and largest velocity difference. */
const SIGNATURE_ROW =
  /^ {1,4}(E?TVS) {1,6}([A-Z]\d)? {1,6}(\d{1,3})\/ {0,2}(\d{1,3}) {1,6}\d{1,3} {1,6}(\d{1,3}) {1,6}(\d{1,3})\//

/** Returns the signatures of product 61; an empty list if the product states that there are none. */
export function readTornadoSignatures(product: Level3Product): TornadoSignature[] {
  return linesOf(product.pages).flatMap((line) => {
    const row = SIGNATURE_ROW.exec(line.slice(0, 100))
    if (!row) return []
    const [, type, cell, azimuth, range, lowest, largest] = row
    return [
      {
        ...polarFrom(product, Number(azimuth), Number(range)),
        cell,
        elevated: type === 'ETVS',
        lowestDifference: Number(lowest) * KNOT,
        largestDifference: Number(largest) * KNOT,
      },
    ]
  })
}
