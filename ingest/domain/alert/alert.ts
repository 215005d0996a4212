import type { Instant } from '../time.ts'

export type VtecAction = 'NEW' | 'CON' | 'EXT' | 'EXA' | 'EXB' | 'UPG' | 'CAN' | 'EXP' | 'COR' | 'ROU'

/** A P-VTEC string (NWS Instruction 10-1703). */
export interface Vtec {
  /** O operational, T test, E experimental, X experimental in an operational product. */
  readonly productClass: 'O' | 'T' | 'E' | 'X'
  readonly action: VtecAction
  /** Office id with four letters, such as KBOU. */
  readonly office: string
  readonly phenomenon: string
  readonly significance: string
  /** Event tracking number; restarts each year, so it is unique only within a year. */
  readonly etn: number
  /** Absent if the event began before this message. */
  readonly begin?: Instant
  /** Absent for "until further notice". */
  readonly end?: Instant
}

export type AlertStatus = 'Actual' | 'Exercise' | 'Test'

/** The members of a message that decide its lifecycle. They are small enough to stay in memory for all messages of the last days. */
export interface AlertHead {
  /** Id of the message, not of the event: every update has a new id. */
  readonly id: string
  /** Hash of everything that a user sees except the id. Messages with the same fingerprint have the same content. */
  readonly fingerprint: string
  readonly status: AlertStatus
  readonly kind: 'Alert' | 'Update' | 'Cancel'
  readonly event: string
  readonly sent: Instant
  /** When the event ends according to the message: `ends ?? expires`. */
  readonly expiration: Instant
  /** Whether the message states in a way other than VTEC that the event has ended. */
  readonly past: boolean
  readonly vtec: readonly Vtec[]
  /** UGC codes, sorted and unique; SAME counties if the message has no UGC; may be empty. */
  readonly areas: readonly string[]
  /** AWIPS id (`AQAILN`); absent if the message has none. */
  readonly product?: string
  readonly polygon: boolean
  /** Ids of messages that this message replaces. */
  readonly references: readonly string[]
  /** Ids of messages that this message ends. */
  readonly retires: readonly string[]
  readonly replacedBy?: string
  readonly replacedAt?: Instant
  /** Whether the message comes from a source without texts, zones and severity; a complete message from another source replaces it. */
  readonly limited?: true
}

/** [lon, lat] pairs; the first ring is the outer ring, the others are holes. */
export type PolygonRings = readonly (readonly (readonly [number, number])[])[]

/** A complete message, from GeoJSON or CAP. */
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
  /** Name of the issuing office, such as `NWS Denver CO`. */
  readonly sender: string
  /** Id of the office with three letters, such as BOU; absent if the message has none. */
  readonly office?: string
  readonly effective: Instant
  /** Beginning of the event: `onset ?? effective`. */
  readonly onset: Instant
  /** When the message becomes stale and a follow-up is due. */
  readonly expires: Instant
  /** End of the event: `ends ?? expires`. */
  readonly ends: Instant
  readonly zones: readonly { readonly code: string; readonly kind: 'forecast' | 'county' | 'fire' }[]
  readonly same: readonly string[]
  /** Multipolygon in degrees; longitudes may extend beyond ±180 across the antimeridian. */
  readonly geometry?: readonly PolygonRings[]
  readonly highlights: Readonly<Record<string, string>>
  /** All CAP parameters, unchanged. */
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Orders two messages by time of issuance, then by id. The result is negative if `a` is older. */
export function byIssue(a: AlertHead, b: AlertHead): number {
  return a.sent - b.sent || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
