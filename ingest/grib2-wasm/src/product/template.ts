import type { MessageSection } from '../octets.ts'

/** First octets, in section 4, of the parts that not every product template has. */
export interface Layout {
  readonly name: string
  readonly ensemble?: number
  readonly derived?: number
  readonly probability?: number
  readonly percentile?: number
  readonly spatial?: number
  /** End of the overall interval; the number of ranges is 7 octets further, the first range 12. */
  readonly interval?: number
}

/** Templates that begin with the 34 octets of 4.0 and are fully known here. */
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
}

export interface Probability {
  readonly number: number
  readonly total: number
  /** Code table 4.9. */
  readonly type: number
  /** Limits with their scale factors applied; `null` where missing. */
  readonly lower: number | null
  readonly upper: number | null
  /** `prob >0.254`, as wgrib2 writes it; the side that the type does not use is not named. */
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
