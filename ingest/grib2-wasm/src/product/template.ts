import type { MessageSection } from '../octets.ts'
import { plain } from './level.ts'

/** Offsets in section 4 of the parts that not every product template has. */
export interface Layout {
  readonly name: string
  /**
   * Number of octets by which the type of process, the lead and the level are shifted relative to 4.0, where they begin at 12, 18 and 23.
   */
  readonly shift?: number
  /** Offset of the level if it does not follow the lead as in 4.0; `none` if the template has none. */
  readonly level?: number | 'none'
  /** Number of octets of the lead; 4 if absent. */
  readonly leadOctets?: 2
  readonly ensemble?: number
  readonly derived?: number
  readonly probability?: number
  readonly percentile?: number
  readonly spatial?: number
  /** Code of a chemical constituent (table 4.230) or an aerosol (table 4.233), and the intervals of an aerosol's size and wavelength. */
  readonly chemical?: number
  readonly aerosol?: number
  readonly size?: number
  readonly wavelength?: number
  /** Offset of the end of the overall interval. The number of ranges is 7 octets later, the first range 12. */
  readonly interval?: number
}

const CHEMICAL = { shift: 2, chemical: 12 }
const AEROSOL = { shift: 13, aerosol: 12, size: 14 }
const OPTICAL = { shift: 24, aerosol: 12, size: 14, wavelength: 25 }

/** Templates that are fully supported: those that begin with the 34 octets of 4.0, and those that shift them. */
export const LAYOUTS: Readonly<Record<number, Layout>> = {
  0: { name: 'at a point in time' },
  1: { name: 'individual ensemble forecast', ensemble: 35 },
  2: { name: 'derived from all ensemble members', derived: 35 },
  5: { name: 'probability', probability: 35 },
  6: { name: 'percentile', percentile: 35 },
  8: { name: 'over an interval', interval: 35 },
  9: { name: 'probability over an interval', probability: 35, interval: 48 },
  10: { name: 'percentile over an interval', percentile: 35, interval: 36 },
  11: { name: 'individual ensemble forecast over an interval', ensemble: 35, interval: 38 },
  12: { name: 'derived from all ensemble members over an interval', derived: 35, interval: 37 },
  15: { name: 'spatial statistic', spatial: 35 },
  32: { name: 'simulated satellite', level: 'none' },
  40: { name: 'chemical constituent', ...CHEMICAL },
  41: { name: 'individual ensemble forecast of a chemical constituent', ...CHEMICAL, ensemble: 37 },
  42: { name: 'chemical constituent over an interval', ...CHEMICAL, interval: 37 },
  43: {
    name: 'individual ensemble forecast of a chemical constituent over an interval',
    ...CHEMICAL,
    ensemble: 37,
    interval: 40,
  },
  // The lead has two octets here, a mistake of the standard, which replaced the template by 4.48.
  44: { name: 'aerosol', ...AEROSOL, leadOctets: 2, level: 34 },
  45: { name: 'individual ensemble forecast of an aerosol', ...AEROSOL, ensemble: 48 },
  46: { name: 'aerosol over an interval', ...AEROSOL, interval: 48 },
  47: { name: 'individual ensemble forecast of an aerosol over an interval', ...AEROSOL, ensemble: 48, interval: 51 },
  48: { name: 'optical properties of an aerosol', ...OPTICAL },
  49: { name: 'individual ensemble forecast of optical properties of an aerosol', ...OPTICAL, ensemble: 59 },
  60: { name: 'individual ensemble reforecast', ensemble: 35 },
  61: { name: 'individual ensemble reforecast over an interval', ensemble: 35, interval: 45 },
}

export interface Probability {
  readonly number: number
  readonly total: number
  /** Code table 4.9. */
  readonly type: number
  /** Limits with their scale factors applied; `null` if missing. */
  readonly lower: number | null
  readonly upper: number | null
  /** Returns text such as `prob >0.254`, as wgrib2 writes it; a side that the type does not use is omitted. */
  readonly name: string
}

function trim(value: number | null): string {
  return value === null ? '?' : String(Number(value.toPrecision(9)))
}

function probabilityName(type: number, lower: number | null, upper: number | null): string {
  const [a, b] = [trim(lower), trim(upper)]
  switch (type) {
    case 0:
      return `prob <${a}`
    case 1:
      return `prob >${b}`
    case 2:
      return a === b ? `prob =${a}` : `prob >=${a} <${b}`
    case 3:
      return `prob >${a}`
    case 4:
      return `prob <${b}`
    case 5:
      return `prob =${a}`
    case 6:
      return 'prob above normal'
    case 7:
      return 'prob near normal'
    case 8:
      return 'prob below normal'
    case 9:
      return `prob for one category`
    default:
      return `prob type ${type}`
  }
}

export function readProbability(section: MessageSection, octet: number): Probability {
  const type = section.u1(octet + 2)
  const lower = section.scaled(octet + 3, octet + 4)
  const upper = section.scaled(octet + 8, octet + 9)
  const name = probabilityName(type, lower, upper)
  return { number: section.u1(octet), total: section.u1(octet + 1), type, lower, upper, name }
}

export interface Derived {
  /** Code table 4.7: 0 unweighted mean, 2 standard deviation, 4 spread, … */
  readonly type: number
  readonly members: number
  readonly name: string
}

const DERIVED: Readonly<Record<number, string>> = {
  0: 'ens mean',
  1: 'wt ens mean',
  2: 'ens std dev',
  3: 'normalized ens std dev',
  4: 'ens spread',
  5: 'ens large anom index',
  6: 'wt ens mean of cluster',
  7: '25%-75% range',
  8: 'min all members',
  9: 'max all members',
  10: 'ens variance',
  192: 'mode all members',
  193: '10% all members',
  194: '50% all members',
  195: '90% all members',
  196: 'stat weight all members',
  197: 'percentile from climate distribution',
  198: 'deviation of ens mean from daily climo',
  199: 'extreme forecast index',
}

export function readDerived(section: MessageSection, octet: number): Derived {
  const type = section.u1(octet)
  return { type, members: section.u1(octet + 1), name: DERIVED[type] ?? `derived forecast type ${type}` }
}

export interface Ensemble {
  /** Code table 4.6: 0 high-resolution control, 1 low-resolution control, 2 negative, 3 positive perturbation, 4 other model. */
  readonly type: number
  readonly number: number
  readonly members: number
  readonly name: string
}

export function readEnsemble(section: MessageSection, octet: number): Ensemble {
  const type = section.u1(octet)
  const number = section.u1(octet + 1)
  const names = [`ENS=hi-res ctl`, `ENS=low-res ctl`, `ENS=-${number}`, `ENS=+${number}`]
  return { type, number, members: section.u1(octet + 2), name: names[type] ?? `ENS=type ${type} number ${number}` }
}

export interface Spatial {
  /** Code tables 4.10 and 4.15: the statistic, and how the area is taken; points used. */
  readonly process: number
  readonly type: number
  readonly points: number
}

export function readSpatial(section: MessageSection, octet: number): Spatial {
  return { process: section.u1(octet), type: section.u1(octet + 1), points: section.u1(octet + 2) }
}

export interface Constituent {
  /** Code table 4.230 for a chemical constituent, 4.233 for an aerosol. */
  readonly type: number
  readonly name: string
}

const CHEMICALS: Readonly<Record<number, string>> = {
  0: 'Ozone',
  1: 'Water Vapour',
  2: 'Methane',
  3: 'Carbon Dioxide',
  4: 'Carbon Monoxide',
  5: 'Nitrogen Dioxide',
  6: 'Nitrous Oxide',
  7: 'Formaldehyde',
  8: 'Sulphur Dioxide',
  9: 'Ammonia',
}

const AEROSOLS: Readonly<Record<number, string>> = {
  62000: 'Total aerosol',
  62001: 'Dust dry',
  62002: 'Water in ambient',
  62003: 'Ammonium dry',
  62004: 'Nitrate dry',
  62006: 'Sulphate dry',
  62008: 'Sea salt dry',
  62009: 'Black carbon dry',
  62010: 'Particulate organic matter dry',
  62011: 'Primary particulate organic matter dry',
  62012: 'Secondary particulate organic matter dry',
}

export function readConstituent(section: MessageSection, { chemical, aerosol }: Layout): Constituent | undefined {
  const octet = chemical ?? aerosol
  if (octet === undefined) return undefined
  const type = section.u2(octet)
  const kind = chemical === undefined ? 'aerosol' : 'chemical'
  const names = chemical === undefined ? AEROSOLS : CHEMICALS
  return { type, name: `${kind}=${names[type] ?? `type ${type}`}` }
}

/** Returns code table 4.91 as text such as `aerosol_size <2.5e-06`; undefined if the interval is missing. */
export function boundsName(section: MessageSection, octet: number | undefined, what: string): string | undefined {
  if (octet === undefined) return undefined
  const bound = (at: number) => {
    const value = section.scaled(at, at + 1)
    return value === null ? '?' : plain(value)
  }
  const [a, b] = [bound(octet + 1), bound(octet + 6)]
  const texts: Readonly<Record<number, string>> = {
    0: `<${a}`,
    1: `>${b}`,
    2: `>=${a},<${b}`,
    3: `>${a}`,
    4: `<${b}`,
    5: `<=${a}`,
    6: `>=${b}`,
    7: `>=${a},<=${b}`,
    8: `>=${a}`,
    9: `<=${b}`,
    10: `>${a},<=${b}`,
    11: `=${a}`,
  }
  const text = texts[section.u1(octet)]
  return text === undefined ? undefined : `${what} ${text}`
}
