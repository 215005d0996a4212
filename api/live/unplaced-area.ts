import { isMarine } from '../../ingest/domain/alert/ugc.ts'
import type { Box } from '../../ingest/domain/shape/ring.ts'
import { type Shape, shapeOf, shapeTouchesBox } from '../../ingest/domain/shape/shape.ts'
import { polygonsOf } from '../../ingest/geo/polygon.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { officeRings, zoneList, zoneRings, zonesById } from '../../ingest/geo/zone.ts'
import { AlertIndex, type LiveAlert } from './alert-index.ts'

/**
 * Tolerance in degrees, because packaged outlines are simplified and an unknown zone may extend to an islet that they
 * lack.
 */
const MARGIN = 0.1

/**
 * Returns the alerts whose area is unknown and may touch a box. A zone without an outline lies in the state that its
 * code names, and in the area of an office that issues for it. If the package has neither, the zone may be anywhere. An
 * alert without zones lies in the area of its office.
 */
export function unplacedTouching(alerts: readonly LiveAlert[], [west, south, east, north]: Box): LiveAlert[] {
  const box: Box = [west - MARGIN, south - MARGIN, east + MARGIN, north + MARGIN]
  const unplaced = alerts.filter(AlertIndex.isUnplaced)
  // Cached because alerts share their offices and states, and the outline of a large state takes some milliseconds.
  const known = new Map<string, boolean | undefined>()
  const touches = (key: string, shape: () => Shape | undefined): boolean | undefined => {
    if (known.has(key)) return known.get(key)
    const outline = shape()
    const result = outline && shapeTouchesBox(outline, box)
    known.set(key, result)
    return result
  }
  const isZoneNear = (code: string, sender: string | undefined): boolean => {
    const own = touches(code, () => shapeOfRings(zoneRings(code)))
    if (own !== undefined) return own
    const offices = new Set([...(sender ? [sender] : []), ...zonesById(code).map(({ office }) => office)])
    const byOffice = [...offices].map((office) => touches(`office ${office}`, () => shapeOfRings(officeRings(office))))
    if (byOffice.length > 0 && byOffice.every((near) => near === false)) return false
    const state = code.slice(0, 2)
    return touches(`state ${state}`, () => shapeOfState(state)) ?? true
  }
  const isOfficeNear = (office: string | undefined): boolean =>
    office === undefined || (touches(`office ${office}`, () => shapeOfRings(officeRings(office))) ?? true)
  return unplaced.filter(({ head, zones, record }) =>
    head.limited
      ? isOfficeNear(record.office)
      : zones.some(({ code, place }) => !place.shape && !isMarine(code) && isZoneNear(code, record.office)),
  )
}

/**
 * Returns the alerts without zones that may be in a state (`CO`) or a zone (`COZ039`). They come only from the map
 * service, so a list by code cannot contain them.
 */
export function unnamedNear(alerts: readonly LiveAlert[], code: string): LiveAlert[] {
  const limited = alerts.filter(({ head }) => head.limited)
  if (limited.length === 0) return []
  const outline = code.length === 2 ? shapeOfState(code) : shapeOfRings(zoneRings(code))
  if (!outline) return limited
  const unplaced = new Set(unplacedTouching(limited, outline.box))
  return limited.filter((alert) => (alert.polygon ? AlertIndex.touches(alert, outline.box) : unplaced.has(alert)))
}

const shapeOfRings = (rings: [number, number][][] | undefined): Shape | undefined => rings && shapeOf(polygonsOf(rings))

/** Returns a state as its counties. */
function shapeOfState(state: string): Shape | undefined {
  if (!stateByCode.has(state)) return undefined
  const counties = zoneList().filter((zone) => zone.kind === 'county' && zone.state === state)
  return shapeOf(counties.flatMap(({ id }) => polygonsOf(zoneRings(id) ?? [])))
}
