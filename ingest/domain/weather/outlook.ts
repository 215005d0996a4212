import { entryOf } from '../nth.ts'
import type { MultiPolygon } from '../shape/ring.ts'
import type { Instant } from '../time.ts'

/**
 * The hazard of an outlook. `severe` is any severe thunderstorm, `fire` is wind and dry air, `dry_thunderstorm` is lightning without rain.
 */
export type Hazard = 'severe' | 'tornado' | 'hail' | 'wind' | 'fire' | 'dry_thunderstorm'

/**
 * The area of a level of an outlook. Everything inside has at least this level (layered) or exactly this level; in both cases the highest
 * level that contains a point applies.
 */
export interface OutlookLevel {
  /** `category` for SLGT, `probability` for 0.15, `intensity` for CIG1 (before March 2026, the hatched area SIGN). */
  readonly scale: 'category' | 'probability' | 'intensity'
  /** Label of the level, such as SLGT, 0.15, CIG1 or ELEV. */
  readonly label: string
  /** Order of the level within its scale. */
  readonly rank: number
  readonly area: MultiPolygon
}

/** An issue of a file or of a part of a points product. It has no levels if the SPC forecasts none. */
export interface OutlookIssue {
  /** The name of the file, `day1otlk_torn`, even if the text product was read. */
  readonly product: string
  readonly day: number
  readonly hazard: Hazard
  /** Absent if the file is empty and states no time. */
  readonly issued?: Instant
  readonly valid?: Instant
  readonly expires?: Instant
  readonly levels: readonly OutlookLevel[]
}

const categories: Readonly<Record<string, readonly [rank: number, name: string]>> = {
  TSTM: [2, 'Thunderstorm'],
  MRGL: [3, 'Marginal'],
  SLGT: [4, 'Slight'],
  ENH: [5, 'Enhanced'],
  MDT: [6, 'Moderate'],
  HIGH: [8, 'High'],
  ELEV: [5, 'Elevated'],
  CRIT: [8, 'Critical'],
  EXTM: [10, 'Extremely Critical'],
  IDRT: [5, 'Isolated Dry Thunderstorm'],
  SDRT: [8, 'Scattered Dry Thunderstorm'],
}
const synonyms: Readonly<Record<string, string>> = { ISODRYT: 'IDRT', SCTDRYT: 'SDRT', SIGN: 'CIG1', SIG: 'CIG1' }

/** Returns the level of a label in any product; undefined for any other text. */
export function levelOf(text: string): Pick<OutlookLevel, 'scale' | 'label' | 'rank'> | undefined {
  const upper = text.trim().toUpperCase()
  const label = synonyms[upper] ?? upper
  if (categories[label]) return { scale: 'category', label, rank: categories[label][0] }
  const group = /^CIG([1-9])$/.exec(label)
  if (group) return { scale: 'intensity', label, rank: Number(group[1]) }
  const probability = /^(0?\.\d+|1\.0+|\d{1,3}\s?%)$/.exec(label)
  if (!probability) return undefined
  const percent = label.endsWith('%') ? Number.parseInt(label, 10) : Math.round(Number(label) * 100)
  return { scale: 'probability', label: (percent / 100).toFixed(2), rank: percent }
}

/**
 * Returns a risk label: Slight for SLGT, 15% for 0.15. For any severe storm on days 4 to 8, 15% is Slight and 30% is Enhanced, as the SPC
 * defines it.
 */
export function riskLabel(level: Pick<OutlookLevel, 'scale' | 'label' | 'rank'>, hazard: Hazard, day: number): string {
  if (level.scale === 'category') return entryOf(categories, level.label)[1]
  if (level.scale === 'intensity') return `Intensity group ${level.rank}`
  if (hazard === 'severe' && day >= 4) return level.rank >= 30 ? 'Enhanced' : 'Slight'
  if (hazard === 'fire' && day >= 3) return 'Critical'
  return `${level.rank}%`
}
