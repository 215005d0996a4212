import type { Limits, Match } from './want.ts'

/** A quantity on its level. Datasets derive their matches from it: `instant(tmp)`, `over(apcp, 1, 'acc')`. */
export interface Field {
  /** Element names in wgrib2's inventory; several if builds of wgrib2 differ. */
  readonly element: string | readonly string[]
  /** Levels as wgrib2 prints them, in order of preference. */
  readonly level: string | readonly string[]
  /** Discipline, category, and number or accepted numbers. */
  readonly code: readonly [discipline: number, category: number, number: number | readonly number[]]
  readonly surface: number | readonly number[]
  readonly at?: number
}

const processes = { ave: 0, acc: 1, max: 2, min: 3 } as const
export type Process = keyof typeof processes

/** Matches the forecast or analysis at an instant. */
export function instant(field: Field): Match {
  return match(field, {}, '')
}

/** Matches an accumulation, average, maximum or minimum over the hours that end at the valid time. */
export function over(field: Field, hours: number, process: Process, tail: string | RegExp = ''): Match {
  return match(field, { windowHours: hours, process: processes[process] }, tail)
}

/** Matches NBM's standard deviation; its messages have the code "derived forecast 2". */
export function stddev(field: Field): Match {
  return match(field, { derived: [2, 4] }, 'ens std dev')
}

export function percentile(field: Field, percent: number, hours?: number): Match {
  const window = hours === undefined ? {} : { windowHours: hours, process: processes.acc }
  return match(field, { ...window, percentile: percent }, `${percent}% level`)
}

/** Matches the weighted mean of an ensemble. @param single match of the same quantity in one forecast */
export function weightedMean(single: Match): Match {
  return derived(single, [1], 'wt ens mean')
}

/** Matches the spread of all members of an ensemble. @param single match of the same quantity in one forecast */
export function spreadOf(single: Match): Match {
  return derived(single, [4, 2], 'ens spread')
}

function derived(single: Match, codes: readonly number[], tail: string): Match {
  const idx = single.idx.map(({ source }) => new RegExp(`${source.slice(0, -1)}${tail}$`))
  return { ...single, derived: codes, idx }
}

/** Matches the mass of an aerosol at an instant. @param code code table 4.233 @param tail what the index says of it */
export function aerosol(field: Field, code: number, tail: string): Match {
  return match(field, { constituent: code }, new RegExp(`${literal(tail)}:?`))
}

/** Matches a probability. Index texts round limits differently, so the index filter accepts any limit and the decoded limit decides. */
export function probability(field: Field, limits: Limits, hours?: number | 'any'): Match {
  const window = hours === undefined ? {} : { windowHours: hours }
  const number = String.raw`[\d.]+`
  const text = limits.between
    ? `prob >=${number} <${number}`
    : limits.below !== undefined
      ? `prob <${number}`
      : `prob >${number}`
  return match(field, { ...window, probability: limits }, new RegExp(`${text}(?::.*)?`))
}

function match(field: Field, more: Partial<Match>, tail: string | RegExp): Match {
  const [discipline, category, number] = field.code
  const end = typeof tail === 'string' ? literal(tail) : tail.source
  return {
    discipline,
    category,
    number,
    surface: list(field.surface),
    level: field.at,
    ...more,
    idx: list(field.level).map(
      (level) => new RegExp(`^(?:${list(field.element).map(literal).join('|')}):${literal(level)}:[^:]*:${end}$`),
    ),
  }
}

function list<T extends string | number>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'object' ? value : [value]
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Quantities that have the same encoding in several datasets. */
const TWO_METRES = { level: '2 m above ground', surface: 103, at: 2 } as const
const TEN_METRES = { level: '10 m above ground', surface: 103, at: 10 } as const
const SURFACE = { level: 'surface', surface: 1 } as const

export const fields = {
  temperature: { element: 'TMP', code: [0, 0, 0], ...TWO_METRES },
  dewPoint: { element: 'DPT', code: [0, 0, 6], ...TWO_METRES },
  wind: { element: 'WIND', code: [0, 2, 1], ...TEN_METRES },
  windDirection: { element: 'WDIR', code: [0, 2, 0], ...TEN_METRES },
  windU: { element: 'UGRD', code: [0, 2, 2], ...TEN_METRES },
  windV: { element: 'VGRD', code: [0, 2, 3], ...TEN_METRES },
  gust10m: { element: 'GUST', code: [0, 2, 22], ...TEN_METRES },
  /** HRRR and GFS have the 10 m gust at the level "surface". */
  gustSurface: { element: 'GUST', code: [0, 2, 22], ...SURFACE },
  visibility: { element: 'VIS', code: [0, 19, 0], ...SURFACE },
  surfacePressure: { element: 'PRES', code: [0, 3, 0], ...SURFACE },
  terrain: { element: 'HGT', code: [0, 3, 5], ...SURFACE },
  cape: { element: 'CAPE', code: [0, 7, 6], ...SURFACE },
  precipitation: { element: 'APCP', code: [0, 1, 8], ...SURFACE },
  precipitationRate: { element: 'PRATE', code: [0, 1, 7], ...SURFACE },
  solar: { element: 'DSWRF', code: [0, 4, [7, 192]], ...SURFACE },
  cloudLow: { element: 'LCDC', level: 'low cloud layer', code: [0, 6, 3], surface: 214 },
  cloudMid: { element: 'MCDC', level: 'middle cloud layer', code: [0, 6, 4], surface: 224 },
  cloudHigh: { element: 'HCDC', level: 'high cloud layer', code: [0, 6, 5], surface: 234 },
  cloudTotal: {
    element: 'TCDC',
    level: ['entire atmosphere', 'entire atmosphere (considered as a single layer)'],
    code: [0, 6, 1],
    surface: [10, 200],
  },
  ceiling: { element: 'CEIL', level: 'cloud ceiling', code: [0, 6, 13], surface: 215 },
  /** Files use NCEP's local numbers 192 to 195, or WMO's numbers 33 to 36. */
  rain: { element: 'CRAIN', code: [0, 1, [192, 33]], ...SURFACE },
  freezingRain: { element: 'CFRZR', code: [0, 1, [193, 34]], ...SURFACE },
  icePellets: { element: 'CICEP', code: [0, 1, [194, 35]], ...SURFACE },
  snow: { element: 'CSNOW', code: [0, 1, [195, 36]], ...SURFACE },
} as const satisfies Record<string, Field>
