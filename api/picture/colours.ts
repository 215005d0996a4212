import { datasetOf } from '../../ingest/catalog.ts'
import type { DatasetRole } from '../../ingest/domain/dataset/dataset.ts'
import { lookup } from '../../ingest/domain/lookup.ts'
import { nth } from '../../ingest/domain/nth.ts'

/** A colour and the value from which it is used. Values below the first step are not drawn. */
export interface ColourStep {
  readonly from: number
  /** Red, green and blue, 0 to 255. */
  readonly colour: readonly [number, number, number]
  /** Opacity, 0 to 255; default: 255. */
  readonly alpha?: number
}

export interface Palette {
  readonly title: string
  readonly unit: string
  readonly steps: readonly ColourStep[]
  /** What a legend shows for each step, if its unit differs from that of the steps. */
  readonly labels?: readonly string[]
  /** Steps of echoes of snow, where they have colours of their own. */
  readonly snow?: readonly ColourStep[]
}

/** A step with a colour in hexadecimal digits. */
export const hex = (from: number, colour: string): ColourStep => ({
  from,
  colour: [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number],
})

/** The colours of the National Weather Service for reflectivity, with a step for each 5 dBZ. */
export const echo: Palette = {
  title: 'Reflectivity',
  unit: 'dBZ',
  steps: [
    hex(5, '04e9e7'),
    hex(10, '019ff4'),
    hex(15, '0300f4'),
    hex(20, '02fd02'),
    hex(25, '01c501'),
    hex(30, '008e00'),
    hex(35, 'fdf802'),
    hex(40, 'e5bc00'),
    hex(45, 'fd9500'),
    hex(50, 'fd0000'),
    hex(55, 'd40000'),
    hex(60, 'bc0000'),
    hex(65, 'f800fd'),
    hex(70, '9854c6'),
    hex(75, 'fdfdfd'),
  ],
}

/** The colours of reflectivity, at the corresponding rates. */
const rate: Palette = {
  title: 'Precipitation rate',
  unit: 'mm/h',
  steps: [
    hex(0.1, '04e9e7'),
    hex(0.3, '019ff4'),
    hex(0.6, '0300f4'),
    hex(1, '02fd02'),
    hex(2, '01c501'),
    hex(4, '008e00'),
    hex(6, 'fdf802'),
    hex(10, 'e5bc00'),
    hex(16, 'fd9500'),
    hex(25, 'fd0000'),
    hex(40, 'd40000'),
    hex(60, 'bc0000'),
    hex(100, 'f800fd'),
    hex(150, '9854c6'),
  ],
}

/** The steps of the precipitation maps of the National Weather Service, converted from inches to mm. */
const total = (title: string): Palette => ({
  title,
  unit: 'mm',
  steps: [
    hex(0.25, '04e9e7'),
    hex(2.5, '019ff4'),
    hex(6.35, '0300f4'),
    hex(12.7, '02fd02'),
    hex(19, '01c501'),
    hex(25.4, '008e00'),
    hex(38.1, 'fdf802'),
    hex(50.8, 'e5bc00'),
    hex(63.5, 'fd9500'),
    hex(76.2, 'fd0000'),
    hex(101.6, 'd40000'),
    hex(127, 'bc0000'),
    hex(152.4, 'f800fd'),
    hex(203.2, '9854c6'),
    hex(254, 'fdfdfd'),
  ],
})

const flag: Palette = {
  title: 'Precipitation type',
  unit: 'type',
  steps: [
    hex(1, '01c501'),
    hex(3, '66b2ff'),
    hex(6, 'fd9500'),
    hex(7, 'f800fd'),
    hex(10, '02b0a0'),
    hex(91, '008e00'),
    hex(96, 'd40000'),
  ],
}

const chance: Palette = {
  title: 'Lightning within 30 minutes',
  unit: '%',
  steps: [hex(10, 'fff7a0'), hex(25, 'ffe000'), hex(50, 'ff9500'), hex(75, 'fd2020'), hex(90, 'b000b0')],
}

const strikes: Palette = {
  title: 'Ground strikes',
  unit: 'strikes/km²/min',
  steps: [hex(0.001, 'fff7a0'), hex(0.01, 'ffe000'), hex(0.05, 'ff9500'), hex(0.1, 'fd2020'), hex(0.5, 'b000b0')],
}

const quality: Palette = {
  title: 'Radar quality',
  unit: 'index',
  steps: [hex(0, '404040'), hex(0.2, '707070'), hex(0.4, 'a0a0a0'), hex(0.6, 'c8c8c8'), hex(0.8, 'f0f0f0')],
}

const palettesByRole: Readonly<Partial<Record<DatasetRole, Palette>>> = {
  precip_rate: rate,
  precip_type: flag,
  surface_reflectivity: { ...echo, title: 'Reflectivity near the surface' },
  composite_reflectivity: { ...echo, title: 'Composite reflectivity' },
  radar_quality: quality,
  precip_1h_radar: total('Precipitation in 1 hour by radar alone'),
  precip_1h: total('Precipitation in 1 hour'),
  precip_24h: total('Precipitation in 24 hours'),
  lightning_density: strikes,
  lightning_probability: chance,
}

/** Palettes by id of product. */
export const palettes = lookup<Palette>(
  Object.fromEntries(
    Object.entries(palettesByRole).map(([role, palette]) => [datasetOf(role as DatasetRole).id, palette]),
  ),
)

/** Index of the colour of a value, from 1 for the first step; 0 if nothing is drawn. */
export function colourOf({ steps }: Pick<Palette, 'steps'>, value: number): number {
  let low = 0
  let high = steps.length
  while (low < high) {
    const middle = (low + high) >> 1
    // A comparison with NaN is false, so that nothing is drawn.
    if (value >= nth(steps, middle).from) low = middle + 1
    else high = middle
  }
  return low
}
