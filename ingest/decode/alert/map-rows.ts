import { Fault } from '../../domain/fault.ts'
import type { Instant } from '../../domain/time.ts'
import { isObject, polygonsOf } from './geojson.ts'
import { bareId, MAX_ALERTS, type Rejected } from './record.ts'

/** A row of the map service of watches and warnings: one zone of a message, or its polygon. */
export interface MapRow {
  /** Id of the message, which is the same as in the alert feed. All zones of a message have the same id. */
  readonly id: string
  /** Name of the kind of product, such as `Flood Advisory`. */
  readonly event: string
  /** Effect of the message on its event: a VTEC action (NEW, CON, CAN), or a message type of CAP. */
  readonly action: string
  readonly phenomenon: string
  readonly significance: string
  /** Event tracking number, with leading zeros. */
  readonly number: string
  /** Office id with four letters, such as KOUN. */
  readonly office: string
  /** Times with offsets, not validated. */
  readonly issued?: string
  readonly onset?: string
  readonly expires?: string
  readonly ends?: string
  /** Coordinates of a MultiPolygon, not validated; empty if the row has no outline. */
  readonly polygons: readonly unknown[]
}

export interface MapPage {
  readonly rows: readonly MapRow[]
  readonly rejected: readonly Rejected[]
  /** Number of rows of the page, including the rejected rows. */
  readonly count: number
  /** Whether the service has more rows after this page. */
  readonly hasMore: boolean
  /** Time at which the service ingested its newest row. */
  readonly updated?: Instant
}

const MAX_ROWS = 5 * MAX_ALERTS

/**
 * Reads a page of a layer of NOAA's map service of watches and warnings. A page is the answer to an ArcGIS query as GeoJSON, or as Esri
 * JSON without outlines.
 * @throws Fault Corrupt if the body is not such a page, is incomplete, or reports an error
 */
export function readMapRows(text: string): MapPage {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    const start = JSON.stringify(text.slice(0, 40))
    throw new Fault('Corrupt', `map of alerts: expected JSON, but found ${start}…`, {}, error)
  }
  // If a query fails, the service still answers with status 200.
  if (isObject(body) && body['error'] !== undefined) {
    const error = JSON.stringify(body['error']).slice(0, 200)
    throw new Fault('Corrupt', `map of alerts: the service answered with the error ${error}`)
  }
  const features = isObject(body) ? body['features'] : undefined
  if (!isObject(body) || !Array.isArray(features) || features.length > MAX_ROWS)
    throw new Fault('Corrupt', `map of alerts: expected a collection of at most ${MAX_ROWS} features`)
  const rows: MapRow[] = []
  const rejected: Rejected[] = []
  let updated: Instant | undefined
  for (const feature of features) {
    const fields = fieldsOf(feature)
    const row = fields && rowOf(feature, fields)
    if (!row) {
      const detail = 'the row must have the id of an alert (cap_id) and its name (prod_type)'
      rejected.push({ reason: 'id', id: fields && textOf(fields['cap_id'])?.slice(0, 200), detail, isAccepted: false })
      continue
    }
    rows.push(row)
    for (const name of ['idp_ingestdate', 'idp_filedate']) {
      const at = epoch(fields[name])
      if (at !== undefined && at > (updated ?? 0)) updated = at
    }
  }
  return { rows, rejected, count: features.length, hasMore: exceedsLimit(body), updated }
}

/** Returns whether there are more rows. A MapServer has the flag at the top of the collection, a FeatureServer in its properties. */
function exceedsLimit(body: Readonly<Record<string, unknown>>): boolean {
  const properties = body['properties']
  return (
    body['exceededTransferLimit'] === true || (isObject(properties) && properties['exceededTransferLimit'] === true)
  )
}

/** Returns the members of a feature: `properties` in GeoJSON, `attributes` in Esri JSON. */
function fieldsOf(feature: unknown): Readonly<Record<string, unknown>> | undefined {
  const fields = isObject(feature) ? (feature['properties'] ?? feature['attributes']) : undefined
  return isObject(fields) ? fields : undefined
}

function rowOf(feature: unknown, fields: Readonly<Record<string, unknown>>): MapRow | undefined {
  const id = bareId(textOf(fields['cap_id']) ?? '')
  const event = textOf(fields['prod_type'])
  if (!/^[\w:.-]{4,200}$/.test(id) || event === undefined) return undefined
  const word = (name: string) => (textOf(fields[name]) ?? '').toUpperCase()
  return {
    id,
    event,
    action: word('msg_type'),
    phenomenon: word('phenom'),
    significance: word('sig'),
    number: word('event'),
    office: word('wfo'),
    issued: timeOf(fields['issuance']) ?? timeOf(fields['idp_filedate']),
    onset: timeOf(fields['onset']),
    expires: timeOf(fields['expiration']),
    ends: timeOf(fields['ends']),
    polygons: (isObject(feature) && polygonsOf(feature['geometry'])) || [],
  }
}

/** Returns the trimmed text of a field; undefined if the field is blank, which the service writes as a single space. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}

/** Reads a time, which is a text with an offset or a number of milliseconds since 1970. */
function timeOf(value: unknown): string | undefined {
  const at = epoch(value)
  return at === undefined ? textOf(value) : new Date(at).toISOString()
}

const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2200, 0)

function epoch(value: unknown): Instant | undefined {
  return typeof value === 'number' && value > EARLIEST && value < LATEST ? Math.trunc(value) : undefined
}
