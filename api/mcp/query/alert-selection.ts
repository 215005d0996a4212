import { eventNames, readEventName } from '../../../ingest/domain/alert/event-name.ts'
import { areaCodes, isMarine } from '../../../ingest/domain/alert/ugc.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { type Shape, shapeCovers, shapeOf } from '../../../ingest/domain/shape/shape.ts'
import { polygonsOf } from '../../../ingest/geo/polygon.ts'
import { stateByCode } from '../../../ingest/geo/state.ts'
import { officeById, officeList, zoneRings, zonesById } from '../../../ingest/geo/zone.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { byGravity } from '../../live/alerts.ts'
import { nearestZones } from '../../query/area.ts'
import { parseBox, requireDomain } from '../../query/box.ts'
import { ToolError } from '../protocol/error.ts'
import { counted } from '../words/reply.ts'

export interface AlertFilters {
  readonly area?: string
  readonly zone?: string
  readonly wfo?: string
  readonly bbox?: readonly number[]
  readonly event?: string
  readonly severity?: string
  readonly urgency?: string
  readonly certainty?: string
}

export interface AlertSelection {
  /** All alerts that match, most severe first. */
  readonly matching: readonly LiveAlert[]
  /** Alerts that are active in the same area, regardless of event, severity, urgency and certainty. */
  readonly inArea: readonly LiveAlert[]
  /** `Oklahoma`, `zone COZ040 (…)`, `the country` */
  readonly areaWords: string
  /** `severity Minor and urgency Expected`; empty without such a filter. */
  readonly filterWords: string
  /** An event name that is not in the list of the NWS and that no active alert has. */
  readonly unknownEvent: string | undefined
  /** The filters with codes in capitals. */
  readonly applied: Readonly<Record<string, unknown>>
}

const areaNames = ['area', 'zone', 'wfo', 'bbox'] as const
const valueNames = ['event', 'severity', 'urgency', 'certainty'] as const
/** Offices outside the coverage. */
const outsideOffices = new Set(['GUM', 'SJU', 'PPG'])

/** @throws ToolError bad-request, not-found, outside-coverage */
export function selectAlerts(active: readonly LiveAlert[], filters: AlertFilters): AlertSelection {
  const chosen = areaNames.filter((name) => filters[name] !== undefined)
  if (chosen.length > 1)
    throw new ToolError(
      'bad-request',
      `At most one of area, zone, wfo and bbox is allowed, but the call has ${chosen.join(' and ')}.`,
      'call again with only one of these filters.',
      { field: chosen[1] },
    )
  const { words: areaWords, code, inside } = areaOf(filters, active)
  const inArea = active.filter(inside)
  const event = filters.event === undefined ? undefined : eventOf(filters.event, active)
  const matches = (filter: string | undefined, value: string) =>
    filter === undefined || filter.toLowerCase() === value.toLowerCase()
  const matching = inArea
    .filter(
      ({ head, record }) =>
        matches(event?.name, head.event) &&
        matches(filters.severity, record.severity) &&
        matches(filters.urgency, record.urgency) &&
        matches(filters.certainty, record.certainty),
    )
    .sort(byGravity)
  const values = valueNames.filter((name) => filters[name] !== undefined)
  const applied = Object.fromEntries([
    ...chosen.map((name) => [name, code ?? filters[name]]),
    ...values.map((name) => [name, filters[name]]),
  ])
  return {
    matching,
    inArea,
    areaWords,
    unknownEvent: event?.kind === 'unknown' ? event.name : undefined,
    filterWords: values.map((name) => `${name} ${filters[name]}`).join(' and '),
    applied,
  }
}

interface AlertArea {
  readonly words: string
  readonly code?: string
  readonly inside: (alert: LiveAlert) => boolean
}

function areaOf(filters: AlertFilters, active: readonly LiveAlert[]): AlertArea {
  if (filters.area !== undefined) return stateArea(filters.area)
  if (filters.zone !== undefined) return zoneArea(filters.zone, active)
  if (filters.wfo !== undefined) return officeArea(filters.wfo)
  if (filters.bbox !== undefined) {
    const box = parseBox(filters.bbox.join(','))
    requireDomain(box)
    return { words: `the box ${filters.bbox.join(', ')}`, inside: (alert) => AlertIndex.touches(alert, box) }
  }
  return { words: 'the 50 states and DC', inside: () => true }
}

function stateArea(area: string): AlertArea {
  const code = area.toUpperCase()
  const state = stateByCode.get(code)
  const inside = ({ areas }: LiveAlert) => areas.some((zone) => zone.startsWith(code))
  if (state) return { words: state.name, code, inside }
  if (isMarine(`${code}Z001`)) return { words: `marine zones ${code}`, code, inside }
  if (areaCodes.includes(code)) throw outsideCoverage('area', area, 'a territory')
  const near = nearest(code, [...stateByCode.keys()])
  throw unknownName('area', area, 'state', near, 'give two letters, such as OK for Oklahoma.')
}

/** Returns the area of a zone. A zone that an active alert names is accepted even if the packaged list does not have it yet. */
function zoneArea(id: string, active: readonly LiveAlert[]): AlertArea {
  const code = id.toUpperCase()
  const [zone] = zonesById(code)
  if (!stateByCode.has(code.slice(0, 2)) && !isMarine(code) && areaCodes.includes(code.slice(0, 2)))
    throw outsideCoverage('zone', id, 'in a territory')
  if (!zone && !active.some(({ areas }) => areas.includes(code)))
    throw unknownName(
      'zone',
      id,
      'NWS zone',
      nearestZones(code),
      'search_locations gives the forecast zone of a place.',
    )
  const rings = zoneRings(code)
  const zoneShape: Shape | undefined = rings && shapeOf(polygonsOf(rings))
  // Storm-based warnings list counties, but watches and advisories list zones. Shapes are compared if codes do not match.
  const overlaps = (alert: LiveAlert) =>
    zoneShape !== undefined && AlertIndex.shapesOf(alert).some((shape) => overlap(shape, zoneShape))
  return {
    words: zone ? `zone ${code} (${zone.name})` : `zone ${code}`,
    code,
    inside: (alert) => alert.areas.includes(code) || overlaps(alert),
  }
}

/** Samples per side of the shared box. Neighbouring areas that only share a border do not overlap. */
const GRID_SIZE = 12

function overlap(a: Shape, b: Shape): boolean {
  const [west, south] = [Math.max(a.box[0], b.box[0]), Math.max(a.box[1], b.box[1])]
  const [east, north] = [Math.min(a.box[2], b.box[2]), Math.min(a.box[3], b.box[3])]
  if (west >= east || south >= north) return false
  for (let i = 0; i < GRID_SIZE; i++)
    for (let j = 0; j < GRID_SIZE; j++) {
      const lon = west + ((i + 0.5) / GRID_SIZE) * (east - west)
      const lat = south + ((j + 0.5) / GRID_SIZE) * (north - south)
      if (shapeCovers(a, lon, lat) && shapeCovers(b, lon, lat)) return true
    }
  return false
}

function officeArea(id: string): AlertArea {
  const code = id.toUpperCase().slice(-3)
  const office = officeById(code)
  if (outsideOffices.has(code)) throw outsideCoverage('wfo', id, 'the office of a territory')
  if (!office) {
    const near = nearest(
      code,
      officeList().map(({ id }) => id),
    )
    throw unknownName('wfo', id, 'NWS office', near, 'search_locations gives the office of a place.')
  }
  return { words: `the area of NWS ${office.name} (${code})`, code, inside: ({ record }) => record.office === code }
}

/** @throws ToolError not-found with the nearest names for a misspelled or unreadable name */
function eventOf(text: string, active: readonly LiveAlert[]) {
  const reading = readEventName(
    text,
    active.map(({ head }) => head.event),
  )
  if (reading.kind === 'known' || reading.kind === 'unknown') return reading
  const near = reading.kind === 'misspelled' ? reading.nearest : nearest(text, eventNames)
  throw unknownName('event', text, 'NWS event', near, 'call again with the name of an event, or without event.')
}

/** Returns the error for an unknown name, for which an empty result would mean "no alerts". */
function unknownName(field: string, name: string, kind: string, near: readonly string[], next: string): ToolError {
  const hint = near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''
  return new ToolError('not-found', `No ${kind} is called "${name}".${hint}`, next, {
    field,
    got: name,
    suggestions: near,
  })
}

function outsideCoverage(field: string, value: string, description: string): ToolError {
  return new ToolError(
    'outside-coverage',
    `${field} ${value} is ${description}: outside the coverage, which is the 50 US states and DC. It is not known here whether alerts are active there.`,
    'tell the user, point to weather.gov, and do not retry.',
    { field, got: value, allowed: '50 US states and DC' },
  )
}

/** Returns why alerts may be in an area that do not touch it: their own areas have no outline. Undefined without such alerts. */
export function unplacedWords(unplaced: readonly LiveAlert[]): string | undefined {
  if (unplaced.length === 0) return undefined
  return `the area of ${counted(unplaced.length, 'alert', 'alerts')} is not known (${countWords(unplaced, 3)})`
}

/** Returns `5 Tornado Warning (Extreme), 3 Flood Warning (Severe)`, sorted by severity, then by count. */
export function countWords(alerts: readonly LiveAlert[], most = 6): string {
  const groups = new Map<string, { words: string; alert: LiveAlert; count: number }>()
  for (const alert of [...alerts].sort(byGravity)) {
    const words = `${alert.head.event} (${alert.record.severity})`
    const group = groups.get(words)
    if (group) group.count++
    else groups.set(words, { words, alert, count: 1 })
  }
  const rank = ({ alert }: { alert: LiveAlert }) =>
    ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'].indexOf(alert.record.severity)
  const list = [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count)
  const shown = list.slice(0, most).map(({ words, count }) => `${count} ${words}`)
  const remaining = list.slice(most).reduce((sum, { count }) => sum + count, 0)
  return [...shown, ...(remaining > 0 ? [`${remaining} more in data`] : [])].join(', ')
}
