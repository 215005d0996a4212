/** Forecaster texts: the stored members of each product, the time for which it is current, and the office or desk that issues it. */
import type { Ring } from '../shape/ring.ts'
import { HOUR, type Instant } from '../time.ts'
import type { TextOrder } from './order.ts'

/** Offices issue AFD, HWO, NOW and HLS; MCD, MPD, PMD and SWO are nationwide. */
export const textKinds = ['afd', 'hwo', 'now', 'hls', 'mcd', 'mpd', 'pmd', 'swo'] as const
export type TextKind = (typeof textKinds)[number]

export const officeKinds: readonly TextKind[] = ['afd', 'hwo', 'now', 'hls']

export function isTextKind(word: string): word is TextKind {
  return (textKinds as readonly string[]).includes(word)
}

/** Desks of the Weather Prediction Center whose discussions are ingested: `PMDSPD`, `PMDEPD`, … */
export const pmdDesks = ['SPD', 'EPD', 'HI', 'CA', 'MRD', 'THR', 'ENS'] as const
export type PmdDesk = (typeof pmdDesks)[number]

/** Desks whose area is in a domain; only MCP tools offer `CA`. */
export const desksOfDomain: Readonly<Record<'conus' | 'alaska' | 'hawaii', readonly PmdDesk[]>> = {
  conus: ['SPD', 'EPD', 'MRD', 'THR', 'ENS'],
  alaska: ['EPD', 'MRD', 'THR', 'ENS'],
  hawaii: ['HI', 'ENS'],
}

/** A list of products, `api.weather.gov/products/types/T`, that contains a kind of text; with its location if it has one. */
export interface TextList {
  readonly type: 'AFD' | 'HWO' | 'NOW' | 'HLS' | 'PMD' | 'SWO' | 'FFG'
  readonly location?: 'MCD' | 'DY1' | 'DY2' | 'DY3' | 'D48' | 'MPD'
  /** The kind that is absent from answers while the list cannot be read. */
  readonly kind: TextKind
}

export const textLists: readonly TextList[] = [
  { type: 'SWO', location: 'MCD', kind: 'mcd' },
  { type: 'FFG', location: 'MPD', kind: 'mpd' },
  { type: 'AFD', kind: 'afd' },
  { type: 'HLS', kind: 'hls' },
  { type: 'NOW', kind: 'now' },
  { type: 'HWO', kind: 'hwo' },
  { type: 'SWO', location: 'DY1', kind: 'swo' },
  { type: 'SWO', location: 'DY2', kind: 'swo' },
  { type: 'SWO', location: 'DY3', kind: 'swo' },
  { type: 'SWO', location: 'D48', kind: 'swo' },
  { type: 'PMD', kind: 'pmd' },
]

export function textListUrl({ type, location }: TextList): string {
  return `https://api.weather.gov/products/types/${type}${location ? `/locations/${location}` : ''}`
}

/** Returns the name of a list in feed states and metrics, such as `text/afd` or `text/swo-dy1`. */
export function textListName({ type, location }: TextList): string {
  return `text/${type.toLowerCase()}${location ? `-${location.toLowerCase()}` : ''}`
}

/** The sections of a product by name, each as a string with paragraphs separated by an empty line. */
export type TextSections = Readonly<Record<string, string>>

export interface AreaDiscussion {
  readonly synopsis?: string
  readonly key_takeaway?: string
  readonly confidence?: string
}

/** A part of a product with its own zones (HWO, NOW, HLS). */
export interface TextSegment {
  /** UGC codes such as `COZ040`; `COZ000` means every zone of the state. */
  readonly zones: readonly string[]
  /** Expiration time in the UGC lines. */
  readonly endsAt?: Instant
  /** Heading of the product, followed by the segment. */
  readonly body: string
  readonly summary?: string
  readonly sections: TextSections
  /** Text of day one, only for HWO. */
  readonly day_one?: string
  readonly has_active_hazards?: boolean
}

export interface MesoscaleDiscussion {
  readonly number: number
  readonly validFrom: Instant
  readonly concerning?: string
  readonly areas_affected?: string
  /** Probability of a watch, percent; only for MCD, absent if a watch is in effect. */
  readonly watch_probability?: number
  /** Probability of flash flooding in words, only for MPD. */
  readonly flash_flood_tier?: 'possible' | 'likely' | 'occurring'
  /** Offices to which the discussion is addressed, such as `BOX`. */
  readonly attention: readonly string[]
  /** The outline: a closed ring, with the corners in the order of the text. */
  readonly ring: Ring
}

/** A decoded issue of a product. */
export interface TextIssue extends TextOrder {
  readonly kind: TextKind
  readonly awips: string
  /** ICAO code of the issuing office, such as `KBOX`. */
  readonly office: string
  /** Subject; later issues of the same subject replace this issue: `afd AFDBOX KBOX`, `mcd 2026 1525`, `pmd SPD`, `swo 1`. */
  readonly subject: string
  readonly issuedAt: Instant
  /** The issue is current until this time. */
  readonly currentUntil: Instant
  /** Expiration time or end of VALID as the text states it; absent for AFD and PMD. */
  readonly expiresAt?: Instant
  readonly summary?: string
  readonly sections: TextSections
  /** The whole text without the transport lines. */
  readonly body: string
  readonly afd?: AreaDiscussion
  readonly segments?: readonly TextSegment[]
  readonly mesoscale?: MesoscaleDiscussion
  readonly desk?: PmdDesk
  /** Day of a convective outlook: 1, 2, 3, or 4 for days 4 to 8. */
  readonly day?: number
}

/** Time for which a text without a stated end is current, ms. */
const lifetimes = { afd: 24 * HOUR, hwo: 24 * HOUR, now: 6 * HOUR, hls: 12 * HOUR, pmd: 36 * HOUR, swo: 24 * HOUR }

/**
 * Returns when a text or a segment stops being current. MCD, MPD and SWO end with VALID; HWO and NOW with their UGC expiration time; HLS
 * with its UGC expiration time, but at most 12 h after the issuance.
 */
export function currentUntil(kind: TextKind, issuedAt: Instant, endsAt?: Instant): Instant {
  if (kind === 'mcd' || kind === 'mpd') return endsAt ?? issuedAt
  const lifetime = issuedAt + lifetimes[kind]
  if (kind === 'afd' || kind === 'pmd' || endsAt === undefined) return lifetime
  return kind === 'hls' ? Math.min(endsAt, lifetime) : endsAt
}

/** Returns the segment for a point, by its public zone or otherwise by its county. Marine zones never match. */
export function segmentOf(
  segments: readonly TextSegment[],
  zones: readonly (string | undefined)[],
): TextSegment | undefined {
  for (const zone of zones) {
    if (zone === undefined) continue
    const all = `${zone.slice(0, 3)}000`
    const match = segments.find((segment) => segment.zones.includes(zone) || segment.zones.includes(all))
    if (match) return match
  }
  return undefined
}

/** ICAO codes whose office has a different three-letter code. */
const officeLetters: Readonly<Record<string, string>> = { TJSJ: 'SJU', NSTU: 'PPG' }

/** Returns the three letters of a forecast office: `KBOX` → `BOX`, `PAFC` → `AFC`, `TJSJ` → `SJU`. */
export function wfoOf(icao: string): string {
  return officeLetters[icao] ?? icao.slice(1)
}
