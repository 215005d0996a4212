import { HOUR } from '../../ingest/domain/time.ts'
import { surfaceHeight } from './atmosphere.ts'
import type { ProductDefinition } from './grib.ts'
import type { SimulatedGrid } from './grids.ts'
import type { PackingDefinition } from './packing.ts'
import { type PlaneName, type Planes, planesOf, pointsOf } from './planes.ts'

/** Grid and time of a message. */
export interface MessageScene {
  readonly grid: SimulatedGrid
  readonly run: number
  readonly leadHours: number
}

/** A message of a file: its line in the index, product definition, packing and values. */
export interface SimulatedMessage {
  /** Line of the index after the date, as wgrib2 prints it: `TMP:2 m above ground:6 hour fcst:`. */
  readonly line: string
  readonly product: ProductDefinition
  readonly packing: PackingDefinition
  values(scene: MessageScene): Float32Array
}

export const ground = { type: 1, value: 0 }
export const height = (metres: number) => ({ type: 103, value: metres })
export const sea = { type: 101, value: 0 }

/** Returns the lead as wgrib2 prints it: `6 hour fcst` or `anl`. */
export const when = (lead: number) => (lead === 0 ? 'anl' : `${lead} hour fcst`)

/** Returns the interval as wgrib2 prints it: `5-6 hour acc fcst`, or in days if both ends are whole days. */
export function span(lead: number, hours: number, how: string): string {
  const start = lead - hours
  return start % 24 === 0 && lead % 24 === 0
    ? `${start / 24}-${lead / 24} day ${how} fcst`
    : `${start}-${lead} hour ${how} fcst`
}

/** Returns the values of one quantity. */
export function plane(name: PlaneName): SimulatedMessage['values'] {
  return (scene) => planesAt(scene).weather[name]
}

export function planesAt(scene: MessageScene): Planes {
  return planesOf(scene.grid, scene.run + scene.leadHours * HOUR)
}

/** Computes a value at every point. @param valueAt gets the planes and the index `k` of the point in each plane */
export function map(scene: MessageScene, valueAt: (w: Planes['weather'], k: number) => number): Float32Array {
  const { weather } = planesAt(scene)
  const out = new Float32Array(scene.grid.nx * scene.grid.ny)
  for (let k = 0; k < out.length; k++) out[k] = valueAt(weather, k)
  return out
}

export interface InstantField {
  element: string
  level: string
  number: readonly [number, number]
  surface: ProductDefinition['surface']
  second?: ProductDefinition['surface']
  packing: PackingDefinition
  discipline?: number
}

export function instant(
  lead: number,
  at: InstantField,
  values: SimulatedMessage['values'],
  more: Partial<ProductDefinition> & { tail?: string } = {},
): SimulatedMessage {
  const { tail = '', ...product } = more
  return {
    line: `${at.element}:${at.level}:${when(lead)}:${tail}`,
    product: {
      discipline: at.discipline ?? 0,
      category: at.number[0],
      number: at.number[1],
      surface: at.surface,
      second: at.second,
      leadHours: lead,
      ...product,
    },
    packing: at.packing,
    values,
  }
}

export function interval(
  lead: number,
  hours: number,
  how: 'acc' | 'max' | 'min' | 'ave',
  at: InstantField,
  values: SimulatedMessage['values'],
  more: Partial<ProductDefinition> & { tail?: string } = {},
): SimulatedMessage {
  const { tail = '', ...product } = more
  const process = { ave: 0, acc: 1, max: 2, min: 3 }[how]
  return {
    line: `${at.element}:${at.level}:${span(lead, hours, how)}:${tail}`,
    product: {
      discipline: at.discipline ?? 0,
      category: at.number[0],
      number: at.number[1],
      surface: at.surface,
      leadHours: lead,
      windowHours: hours,
      process,
      ...product,
    },
    packing: at.packing,
    values,
  }
}

export const c3 = (decimal: number, order: 1 | 2 = 2): PackingDefinition => ({ template: 3, decimal, order })
export const simple = (decimal: number): PackingDefinition => ({ template: 0, decimal })

export const at = {
  tmp: { element: 'TMP', level: '2 m above ground', number: [0, 0], surface: height(2), packing: c3(1) },
  dpt: { element: 'DPT', level: '2 m above ground', number: [0, 6], surface: height(2), packing: c3(1) },
  tmax: { element: 'TMAX', level: '2 m above ground', number: [0, 4], surface: height(2), packing: c3(1) },
  tmin: { element: 'TMIN', level: '2 m above ground', number: [0, 5], surface: height(2), packing: c3(1) },
  rh: { element: 'RH', level: '2 m above ground', number: [1, 1], surface: height(2), packing: c3(0) },
  wind: { element: 'WIND', level: '10 m above ground', number: [2, 1], surface: height(10), packing: c3(1) },
  wdir: { element: 'WDIR', level: '10 m above ground', number: [2, 0], surface: height(10), packing: c3(0, 1) },
  gust: { element: 'GUST', level: '10 m above ground', number: [2, 22], surface: height(10), packing: c3(1) },
  sky: { element: 'TCDC', level: 'surface', number: [6, 1], surface: ground, packing: c3(0) },
  vis: { element: 'VIS', level: 'surface', number: [19, 0], surface: ground, packing: c3(0) },
  ceil: {
    element: 'CEIL',
    level: 'cloud ceiling',
    number: [6, 13],
    surface: { type: 215, value: 0 },
    packing: c3(0, 1),
  },
  apcp: { element: 'APCP', level: 'surface', number: [1, 8], surface: ground, packing: c3(2) },
  asnow: { element: 'ASNOW', level: 'surface', number: [1, 29], surface: ground, packing: c3(4) },
  ice: { element: 'FICEAC', level: 'surface', number: [1, 228], surface: ground, packing: c3(2) },
  snowLevel: {
    element: 'SNOWLVL',
    level: '0 m above mean sea level',
    number: [19, 236],
    surface: { type: 102, value: 0 },
    packing: c3(0),
  },
  snowRatio: { element: 'SNOWLR', level: 'surface', number: [1, 233], surface: ground, packing: c3(1) },
  ptype: { element: 'PTYPE', level: 'surface', number: [1, 19], surface: ground, packing: c3(0) },
  tstm: { element: 'TSTM', level: 'surface', number: [19, 2], surface: ground, packing: c3(0) },
  cape: { element: 'CAPE', level: 'surface', number: [7, 6], surface: ground, packing: c3(0) },
  dswrf: { element: 'DSWRF', level: 'surface', number: [4, 7], surface: ground, packing: c3(0) },
  skin: {
    element: 'TMP',
    level: 'surface',
    number: [0, 0],
    surface: ground,
    packing: { template: 3, decimal: 1, binary: 2 },
  },
} as const satisfies Record<string, InstantField>

export const STDDEV = { derived: 2, tail: 'ens std dev' } as const

/**
 * Returns the relative humidity over water in percent from temperatures in K, by the Magnus formula of Alduchov and
 * Eskridge (1996).
 */
export function relativeHumidity(temperature: number, dewPoint: number): number {
  const e = (kelvin: number) => Math.exp((17.625 * (kelvin - 273.15)) / (243.04 + kelvin - 273.15))
  return Math.min(100, (100 * e(dewPoint)) / e(temperature))
}

/** Returns a wind component, which is rotated to the axes of the grid if the grid's winds are relative to them. */
export function gridWind(axis: 'u' | 'v'): SimulatedMessage['values'] {
  return (scene) => {
    const { sin, cos } = pointsOf(scene.grid)
    return map(scene, (w, k) => {
      const u = w.windU[k]!
      const v = w.windV[k]!
      if (!sin || !cos) return axis === 'u' ? u : v
      return axis === 'u' ? u * cos[k]! - v * sin[k]! : u * sin[k]! + v * cos[k]!
    })
  }
}

const flags = [
  ['CSNOW', 36, 'snowFraction'],
  ['CICEP', 35, 'icePelletsFraction'],
  ['CFRZR', 34, 'freezingFraction'],
  ['CRAIN', 33, 'rainFraction'],
] as const

/** Returns the messages of the four categorical precipitation types, with values 0 or 1. */
export const surfaceFlags = (lead: number): readonly SimulatedMessage[] =>
  flags.map(([element, number, fraction]) =>
    instant(lead, { element, level: 'surface', number: [1, number], surface: ground, packing: simple(0) }, (s) =>
      map(s, (w, k) => (w.precipRate[k]! > 0.05 && w[fraction][k]! > 0.3 ? 1 : 0)),
    ),
  )

export const layer = (
  element: string,
  level: string,
  number: readonly [number, number],
  type: number,
): InstantField => ({
  element,
  level,
  number,
  surface: { type, value: 0 },
  packing: c3(0),
})

export const wind10: readonly [InstantField, InstantField] = [
  { element: 'UGRD', level: '10 m above ground', number: [2, 2], surface: height(10), packing: simple(2) },
  { element: 'VGRD', level: '10 m above ground', number: [2, 3], surface: height(10), packing: c3(2) },
]

/** Returns the heights of the surface, m. */
export function heights(scene: MessageScene): Float32Array {
  const { lat, lon } = pointsOf(scene.grid)
  return Float32Array.from(lat, (la, k) => surfaceHeight(la, lon[k]!))
}
