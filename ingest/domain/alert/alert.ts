import type { Instant } from '../time.ts'

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

/** The members of a message that decide about its lifecycle. Small enough to keep in memory for every message of the last days. */
export interface AlertHead {
  /** Id of the message, not of the event: an update has another id. */
  readonly id: string
  /** Hash of everything that a reader sees except the id: two messages with one fingerprint are the same. */
  readonly fingerprint: string
  readonly status: AlertStatus
  readonly kind: 'Alert' | 'Update' | 'Cancel'
  readonly event: string
  readonly sent: Instant
  /** `ends ?? expires`: when the event ends by the message itself. */
  readonly expiration: Instant
  /** The message itself states that the event has ended, in a way that VTEC does not cover. */
  readonly past: boolean
  readonly vtec: readonly Vtec[]
  /** UGC codes, sorted and unique; counties of SAME where a message has no UGC; may be empty. */
  readonly areas: readonly string[]
  /** AWIPS id (`AQAILN`); absent where the NWS did not write it. */
  readonly product?: string
  readonly polygon: boolean
  /** Ids of messages that this one replaces. */
  readonly references: readonly string[]
  /** Ids of messages that this one ends. */
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
  /** When the message becomes stale: a follow-up is due. */
  readonly expires: Instant
  /** `ends ?? expires` */
  readonly ends: Instant
  readonly zones: readonly { readonly code: string; readonly kind: 'forecast' | 'county' | 'fire' }[]
  readonly same: readonly string[]
  /** Multipolygon in degrees; longitudes may run past ±180 across the antimeridian. */
  readonly geometry?: readonly PolygonRings[]
  readonly highlights: Readonly<Record<string, string>>
  /** All CAP parameters, unchanged. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Orders two messages by issue: negative when `a` is older. Equal times are ordered by id. */
export function byIssue(a: AlertHead, b: AlertHead): number {
  return a.sent - b.sent || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
