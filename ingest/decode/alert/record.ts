import { createHash } from 'node:crypto'
import type { AlertMessage, AlertStatus } from '../../domain/alert/alert.ts'
import { isUgc, type LandZoneKind, ugcOfSame } from '../../domain/alert/ugc.ts'
import { nth } from '../../domain/nth.ts'
import { mapTexts } from '../../domain/redact.ts'
import { borderSteps, MAX_BORDER_STEPS } from '../../domain/shape/cover.ts'
import { type Box, type MultiPolygon, normalizedOutline, squareDegrees } from '../../domain/shape/ring.ts'
import { storable } from '../../domain/storable.ts'
import { DAY, type Instant } from '../../domain/time.ts'
import { readVtec } from './vtec.ts'

/** The members that GeoJSON and CAP have in common, not yet validated. */
export interface AlertRecord {
  readonly id?: string
  readonly status?: string
  readonly kind?: string
  readonly event?: string
  readonly sent?: string
  readonly effective?: string
  readonly onset?: string
  readonly expires?: string
  readonly ends?: string
  readonly severity?: string
  readonly urgency?: string
  readonly certainty?: string
  readonly category?: string
  readonly response?: string
  readonly headline?: string
  readonly description?: string
  readonly instruction?: string
  readonly areaDesc?: string
  readonly sender?: string
  readonly senderName?: string
  readonly ugc: readonly string[]
  readonly same: readonly string[]
  /** URLs such as `…/zones/county/ALC129`, which tell the kind of zone of a code. */
  readonly zoneUrls: readonly string[]
  readonly references: readonly string[]
  readonly replacedBy?: string
  readonly replacedAt?: string
  /** Coordinates of a MultiPolygon, not validated; undefined if the message has no polygon. */
  readonly polygons?: readonly unknown[]
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Maximum number of messages on all pages of a feed. At most 1,600 messages have been active nationwide at once. */
export const MAX_ALERTS = 20_000

/** A rejected message, or a dropped part of a message. */
export interface Rejected {
  /** Stable reason code for the counter. */
  readonly reason: 'id' | 'event' | 'status' | 'time' | 'geometry' | 'shape' | 'doubled'
  readonly id?: string
  readonly detail: string
  /** JSON of the feature, truncated. */
  readonly source?: string
  /** Whether the message was accepted, possibly without the rejected part. */
  readonly isAccepted: boolean
}

export interface AlertFeed {
  readonly messages: readonly AlertMessage[]
  readonly rejected: readonly Rejected[]
  /** Reports of messages that the document repeats; `messages` has each of them once. */
  readonly doubled?: readonly Rejected[]
  /** Time at which upstream generated the feed, if the feed has it. */
  readonly updated?: Instant
  /** Address of the next page, if there is one. */
  readonly next?: string
}

/** CAP parameters that become highlights of an alert. All parameters remain in the full record. */
const highlightNames = [
  'NWSheadline',
  'windThreat',
  'maxWindGust',
  'hailThreat',
  'maxHailSize',
  'tornadoDetection',
  'tornadoDamageThreat',
  'thunderstormDamageThreat',
  'flashFloodDetection',
  'flashFloodDamageThreat',
  'snowSquallDetection',
  'snowSquallImpact',
  'waterspoutDetection',
  'eventMotionDescription',
  'expectedDuration',
  'WEAHandling',
  'BLOCKCHANNEL',
]

/** Minimum area of a polygon, about a tenth of a hectare. A polygon without width would contain no point, which would hide its alert. */
const MIN_AREA_SQUARE_DEGREES = 1e-7
/**
 * Maximum area of a polygon. The bounding box of the conterminous states has 1,534 square degrees. A larger polygon is an error, and
 * covering it with cells would take seconds.
 */
const MAX_AREA_SQUARE_DEGREES = 2000
/**
 * Bounds of all areas with NWS alerts, from Guam to the Caribbean and from Samoa to the Arctic: west, south, east, north, where east lies
 * beyond the antimeridian.
 */
const WARNED: Box = [130, -20, 310, 80]

const statuses: Readonly<Record<string, AlertStatus>> = { actual: 'Actual', exercise: 'Exercise', test: 'Test' }
const severities: ReadonlySet<string> = new Set(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
const kinds = { alert: 'Alert', update: 'Update', cancel: 'Cancel' } as const

/** Maximum lengths, in characters, of an id, which is an index key, and of an event name. */
const MAX_ID = 500
const MAX_EVENT = 200
const MAX_DETAIL = 500

/**
 * Validates a record. If a polygon is malformed, only the polygon is dropped.
 * @param maxBorderSteps maximum length of the polygon's outline, in cells along the border
 */
export function parseRecord(
  { polygons, ...texts }: AlertRecord,
  maxBorderSteps: number = MAX_BORDER_STEPS.drawn,
): { message?: AlertMessage; rejected?: Rejected } {
  const record: AlertRecord = { ...mapTexts(texts, storable), polygons }
  const checked = checkRecord(record)
  if ('detail' in checked) {
    const { reason, detail } = checked
    return {
      rejected: { reason, id: record.id?.slice(0, MAX_ID), detail: detail.slice(0, MAX_DETAIL), isAccepted: false },
    }
  }
  const message = messageOf(record, checked, maxBorderSteps)
  const doubt = doubtOf(record, checked.times, message)
  if (!doubt) return { message }
  const { reason, detail } = doubt
  return { message, rejected: { reason, id: checked.id, detail: detail.slice(0, MAX_DETAIL), isAccepted: true } }
}

/** The members that every alert must have. */
interface CheckedRecord {
  readonly id: string
  readonly event: string
  readonly kind: (typeof kinds)[keyof typeof kinds]
  /** The status in the record. A product of class T is a test even if its status is `Actual`. */
  readonly markedStatus: AlertStatus
  readonly times: NonNullable<ReturnType<typeof readTimes>>
}

function checkRecord(record: AlertRecord): CheckedRecord | Pick<Rejected, 'reason' | 'detail'> {
  const { id, event } = record
  if (!id) return { reason: 'id', detail: 'the message must have an id, but has none' }
  if (id.length > MAX_ID)
    return { reason: 'id', detail: `the id must have at most ${MAX_ID} characters, but has ${id.length}` }
  if (!event) return { reason: 'event', detail: 'the message must have an event name, but has none' }
  if (event.length > MAX_EVENT) {
    const detail = `the name of the event must have at most ${MAX_EVENT} characters, but has ${event.length}`
    return { reason: 'event', detail }
  }
  const kind = kinds[(record.kind ?? 'alert').toLowerCase() as keyof typeof kinds]
  const markedStatus = statuses[(record.status ?? 'actual').toLowerCase()]
  if (!kind || !markedStatus) {
    const detail = `status and type must be known, but are ${record.status} and ${record.kind}`
    return { reason: 'status', detail }
  }
  const times = readTimes(record)
  if (!times) {
    const detail = `times must have an offset, but sent is ${record.sent} and expires is ${record.expires}`
    return { reason: 'time', detail }
  }
  return { id, event, kind, markedStatus, times }
}

function messageOf(
  record: AlertRecord,
  { id, event, kind, markedStatus, times }: CheckedRecord,
  maxBorderSteps: number,
): AlertMessage {
  const vtec = readVtec((record.parameters['VTEC'] ?? []).join(' '))
  const isTest = vtec.length > 0 && vtec.every(({ productClass }) => productClass === 'T')
  const status = markedStatus === 'Actual' && isTest ? 'Test' : markedStatus
  const shape = record.polygons && shapeOf(record.polygons, maxBorderSteps)
  const zones = readZones(record)
  const sender = record.senderName ?? record.sender ?? 'unknown'
  const headline = record.headline ?? record.parameters['NWSheadline']?.[0] ?? `${event} by ${sender}`
  const details = {
    severity: severities.has(record.severity ?? '') ? record.severity! : 'Unknown',
    urgency: record.urgency ?? 'Unknown',
    certainty: record.certainty ?? 'Unknown',
    category: record.category ?? 'Met',
    response: record.response,
    headline,
    description: record.description,
    instruction: record.instruction,
    areaDesc: record.areaDesc,
    sender,
    office: officeOf(record, vtec[0]?.office),
    effective: times.effective,
    onset: times.onset ?? times.effective,
    expires: times.expires,
    ends: times.ends ?? times.expires,
    zones,
    same: record.same,
    geometry: shape,
    highlights: highlightsOf(record.parameters),
    parameters: record.parameters,
  }
  const areas = [...new Set(zones.map((zone) => zone.code))].sort()
  return {
    ...details,
    head: {
      id,
      fingerprint: fingerprintOf(
        {
          ...details,
          same: details.same.toSorted(),
          parameters: inOrder({ ...record.parameters, expiredReferences: [] }),
        },
        record,
        status,
      ),
      status,
      kind,
      event,
      sent: times.sent,
      expiration: details.ends,
      past: isPast(record),
      vtec,
      areas,
      product: record.parameters['AWIPSidentifier']?.[0],
      polygon: shape !== undefined,
      references: record.references,
      retires: referencesIn((record.parameters['expiredReferences'] ?? []).join(' ')),
      replacedBy: record.replacedBy && bareId(record.replacedBy),
      replacedAt: instant(record.replacedAt),
    },
  }
}

/** Returns the drawn area; undefined if it is malformed, too small, too large, or outside the areas with NWS alerts. */
function shapeOf(polygons: NonNullable<AlertRecord['polygons']>, maxBorderSteps: number): MultiPolygon | undefined {
  const drawn = normalizedOutline(polygons as never)
  const size = drawn ? squareDegrees(drawn) : 0
  const fits = size > MIN_AREA_SQUARE_DEGREES && size < MAX_AREA_SQUARE_DEGREES
  const isDrawable = drawn && fits && borderSteps(drawn) < maxBorderSteps
  return isDrawable && within(drawn, WARNED) ? drawn : undefined
}

/** Returns the first problem of an accepted message: a part of its record that could not be read. */
function doubtOf(
  record: AlertRecord,
  times: CheckedRecord['times'],
  { zones, geometry, head }: AlertMessage,
): Pick<Rejected, 'reason' | 'detail'> | undefined {
  if (record.polygons && !geometry)
    return { reason: 'geometry', detail: 'polygons must be closed rings in degrees around an area of the US' }
  if (times.wrong.length > 0)
    return { reason: 'time', detail: `times must have an offset, but found ${times.wrong.join()}` }
  if (!severities.has(record.severity ?? 'Unknown'))
    return { reason: 'shape', detail: `the severity must be known, but is ${record.severity}` }
  const unreadable = unreadableIn(record, head.vtec)
  if (unreadable !== undefined)
    return { reason: 'shape', detail: `expected zones (COZ040) and VTEC, but found ${unreadable}` }
  if (zones.length === 0 && !geometry)
    return { reason: 'geometry', detail: 'the message must have zones or a polygon, but has neither' }
  return undefined
}

function within(area: MultiPolygon, [west, south, east, north]: Box): boolean {
  return area.every(([outer]) =>
    outer!.every(([lon, lat]) => {
      const turned = lon < 0 ? lon + 360 : lon
      return turned >= west && turned <= east && lat >= south && lat <= north
    }),
  )
}

/** Reads references in CAP's form `sender,identifier,sent sender,identifier,sent`, and returns the identifiers. */
export function referencesIn(text: string): string[] {
  return text
    .split(/\s+/)
    .map((triple) => triple.split(',')[1])
    .filter((id) => id !== undefined)
    .map(bareId)
}

/** Returns the part `urn:oid:…` of an id such as `https://api.weather.gov/alerts/urn:oid:…`. */
export function bareId(id: string): string {
  return id.replace(/^https?:\/\/[^/]+\/alerts\//, '')
}

/** Reads an instant with an offset; undefined if the offset is absent or the time is invalid. */
export function instant(text: string | undefined): Instant | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

function readTimes(record: AlertRecord) {
  const effective = instant(record.effective)
  const sent = instant(record.sent) ?? effective
  if (sent === undefined) return undefined
  const ends = instant(record.ends) ?? instant(record.parameters['eventEndingTime']?.[0])
  const expires = instant(record.expires)
  const wrong = [record.ends, record.expires].filter((text) => text && instant(text) === undefined)
  // An unreadable end is ignored if the other end is readable. Otherwise the message is rejected.
  if (wrong.length > 0 && ends === undefined && expires === undefined) return undefined
  return {
    sent,
    effective: effective ?? sent,
    onset: instant(record.onset),
    // `expires` is optional in CAP. Without it, a message expires one day after it was sent, or with its event if that ends later.
    expires: expires ?? ends ?? sent + DAY,
    ends,
    wrong,
  }
}

const typedUgc = (code: string) => code.trim().toUpperCase()

/**
 * Returns the first unreadable zone code or VTEC event of a message. The message is accepted with its readable codes, and the problem is
 * counted.
 */
function unreadableIn({ ugc, parameters }: AlertRecord, vtec: readonly unknown[]): string | undefined {
  const events = (parameters['VTEC'] ?? []).join(' ').match(/\/[OTEX]\.[^/]{0,80}/g) ?? []
  const code = ugc.map(typedUgc).find((zone) => !isUgc(zone))
  return code ?? (events.length > vtec.length ? events.join(' ') : undefined)
}

function readZones(record: AlertRecord): AlertMessage['zones'] {
  const zones = new Map<string, LandZoneKind>()
  for (const url of record.zoneUrls) {
    const match = /\/zones\/(forecast|county|fire|public|coastal|offshore)\/([A-Z]{2}[CZ]\d{3})$/.exec(url)
    if (!match) continue
    zones.set(nth(match, 2), match[1] === 'county' || match[1] === 'fire' ? match[1] : 'forecast')
  }
  const fire = /Fire|Red Flag/.test(record.event ?? '')
  for (const code of record.ugc.map(typedUgc)) {
    if (isUgc(code) && !zones.has(code)) zones.set(code, code[2] === 'C' ? 'county' : fire ? 'fire' : 'forecast')
  }
  if (zones.size === 0) {
    for (const same of record.same) {
      const code = ugcOfSame(same)
      if (code) zones.set(code, code[2] === 'C' ? 'county' : 'forecast')
    }
  }
  return [...zones].map(([code, kind]) => ({ code, kind })).sort((a, b) => (a.code < b.code ? -1 : 1))
}

function officeOf(record: AlertRecord, vtecOffice: string | undefined): string | undefined {
  const wmo = /^\w{6} ([A-Z]{4}) /.exec(`${record.parameters['WMOidentifier']?.[0] ?? ''} `)?.[1]
  const four = vtecOffice ?? wmo
  if (four) return four.slice(1)
  const awips = record.parameters['AWIPSidentifier']?.[0]
  return awips && awips.length === 6 ? awips.slice(3) : undefined
}

const OVER =
  /\b((has|have) (been (cancel|replaced|lifted|discontinued|terminated|allowed to expire)|expired)|(is|are) (now |hereby )?(cancel|no longer in effect))/i

/**
 * Returns whether a message of type Alert announces an end: response type AllClear in CAP, or urgency Past with a headline that reports the
 * end.
 */
function isPast({ urgency, response, headline }: AlertRecord): boolean {
  return response === 'AllClear' || (urgency === 'Past' && OVER.test(headline ?? ''))
}

function highlightsOf(parameters: AlertRecord['parameters']): Record<string, string> {
  const highlights: Record<string, string> = {}
  for (const name of highlightNames) {
    const text = (parameters[name] ?? []).filter(Boolean).join(', ')
    if (text) highlights[name] = text
  }
  return highlights
}

/** Sorts the parameters by name, because the feed has them in any order. */
function inOrder(parameters: AlertRecord['parameters']): AlertRecord['parameters'] {
  return Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function fingerprintOf(fields: object, record: AlertRecord, status: string): string {
  const identity = [fields, status, record.kind, record.event, instant(record.sent)]
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 22)
}
