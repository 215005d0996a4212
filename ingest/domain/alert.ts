import type { Instant } from './time.ts'

export type VtecAction = 'NEW' | 'CON' | 'EXT' | 'EXA' | 'EXB' | 'UPG' | 'CAN' | 'EXP' | 'COR' | 'ROU'

/** One P-VTEC string. NWS Directive 10-1703. */
export interface Vtec {
  /** O operational, T test, E experimental, X experimental in an operational product. */
  readonly productClass: 'O' | 'T' | 'E' | 'X'
  readonly action: VtecAction
  /** Four letters: KBOU. */
  readonly office: string
  readonly phenomenon: string
  readonly significance: string
  /** Event tracking number; begins anew each year, so only unique with one. */
  readonly etn: number
  /** Absent: began before this message. */
  readonly begin?: Instant
  /** Absent: until further notice. */
  readonly end?: Instant
}

export type AlertStatus = 'Actual' | 'Exercise' | 'Test'

/** What of a message decides about its life. Small enough to hold for every message of the last days. */
export interface AlertHead {
  /** Of the message, not of the event: an update has an id of its own. */
  readonly id: string
  /** Of all that a reader sees, the id left out: two messages with one fingerprint are one. */
  readonly fingerprint: string
  readonly status: AlertStatus
  readonly kind: 'Alert' | 'Update' | 'Cancel'
  readonly event: string
  readonly sent: Instant
  /** `ends ?? expires`: when the event is over, whatever else is said. */
  readonly expiration: Instant
  /** The message itself says that it is over, in words that VTEC does not cover. */
  readonly past: boolean
  readonly vtec: readonly Vtec[]
  /** UGC codes, sorted and unique; counties of SAME where a message has no UGC; may be empty. */
  readonly areas: readonly string[]
  /** AWIPS id (`AQAILN`); absent where the NWS did not write it. */
  readonly product?: string
  readonly polygon: boolean
  /** Ids that this message takes the place of. */
  readonly references: readonly string[]
  /** Ids that this message retires. */
  readonly retires: readonly string[]
  readonly replacedBy?: string
  readonly replacedAt?: Instant
}

/** [lon, lat] pairs; the first ring is the outer one, the others are holes. */
export type PolygonRings = readonly (readonly (readonly [number, number])[])[]

/** A whole message, from GeoJSON or CAP alike. */
export interface AlertMessage {
  readonly head: AlertHead
  readonly severity: string
  readonly urgency: string
  readonly certainty: string
  readonly category: string
  readonly response?: string
  readonly headline: string
  readonly description?: string
  readonly instruction?: string
  readonly areaDesc?: string
  /** `NWS Denver CO` */
  readonly sender: string
  /** Three letters, where the message has an office: BOU. */
  readonly office?: string
  readonly effective: Instant
  /** `onset ?? effective` */
  readonly onset: Instant
  /** When the message goes stale: a follow-up is due. */
  readonly expires: Instant
  /** `ends ?? expires` */
  readonly ends: Instant
  readonly zones: readonly { readonly code: string; readonly kind: 'forecast' | 'county' | 'fire' }[]
  readonly same: readonly string[]
  /** Multipolygon in degrees; longitudes may run past ±180 across the antimeridian. */
  readonly geometry?: readonly PolygonRings[]
  readonly highlights: Readonly<Record<string, string>>
  /** All CAP parameters as they came. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Which of two messages is the newer one: negative when `a` is older. Ids settle what the clock leaves open. */
export function byIssue(a: AlertHead, b: AlertHead): number {
  return a.sent - b.sent || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
