import type { z } from 'zod'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type TextChanged, textChanged } from '../../ingest/domain/event.ts'
import { type Shape, shapeCovers, shapeOf, shapeOfWkb, shapeTouchesBox } from '../../ingest/domain/shape/shape.ts'
import { desksOfDomain, type PmdDesk } from '../../ingest/domain/text/product.ts'
import { officeRings, zoneList, zonesAt, zonesById } from '../../ingest/geo/zone.ts'
import type { ChangeRow } from '../../sql/queries/changes.ts'
import { zoneNames } from '../live/texts.ts'
import { domainsOf, parseBox, type QueryBox } from '../query/box.ts'
import { type Resolved, resolve } from '../query/location.ts'
import { selectorOf } from '../query/query.ts'
import { wayOf, type whereShape } from '../query/where.ts'
import type { RouteRequest } from '../route.ts'

/** A change of a text, as streams deliver it. */
export interface TextChangeEvent {
  readonly topic: 'text'
  readonly id: number
  readonly payload: TextChanged
  /** Issuing office and addressed offices. */
  readonly offices: readonly string[]
  /** UGC codes of its segments; empty for a text about the whole area of its office. */
  readonly zones: readonly string[]
  /** Polygon of an MCD or MPD. */
  readonly shape: Shape | undefined
  /** Domains of a nationwide text. */
  readonly domains: readonly DomainId[]
}

type TextFilter = (change: TextChangeEvent) => boolean

export function textChangeOf({ id, payload, attention, zones, desk, wkb }: ChangeRow): TextChangeEvent {
  const change = textChanged.parse(payload)
  const isNationwide = change.wfo === null && !wkb
  const domains = (Object.keys(desksOfDomain) as DomainId[]).filter((domain) =>
    change.kind === 'swo' ? domain === 'conus' : desksOfDomain[domain].includes(desk as PmdDesk),
  )
  return {
    topic: 'text',
    id,
    payload: change,
    offices: [...(change.wfo === null ? [] : [change.wfo]), ...(attention ?? [])],
    zones: zones ?? [],
    shape: wkb ? shapeOfWkb(wkb) : undefined,
    domains: isNationwide ? domains : [],
  }
}

/** Returns a filter of changes by place. @throws Fault, Problem */
export function textFilterOf(
  values: z.output<z.ZodObject<typeof whereShape>>,
  query: RouteRequest['query'],
): TextFilter {
  const way = wayOf(values, query)
  if (way === 'a point') return atPoint(resolve(selectorOf(values)))
  const { bbox, area, zone, office } = values
  if (bbox !== undefined) return inBox(parseBox(bbox))
  if (area !== undefined) return inArea(area)
  if (zone !== undefined) return inZone(zone)
  if (office !== undefined) return ({ offices }) => offices.includes(office)
  return () => true
}

/** Passes texts that change answers at a point. If the zone of the point is unknown, too many texts pass rather than too few. */
function atPoint({ lat, lon, domain }: Resolved): TextFilter {
  const { office } = zonesAt(lat, lon)
  const names = zoneNames(lat, lon)
  const isOfPoint = (zones: readonly string[]) =>
    zones.length === 0 || names.some((name) => name === undefined || hasZone(zones, name))
  return ({ shape, domains, payload, zones }) =>
    shape
      ? shapeCovers(shape, lon, lat)
      : domains.includes(domain) || (payload.wfo !== null && payload.wfo === office && isOfPoint(zones))
}

function inBox(box: QueryBox): TextFilter {
  const domains = domainsOf(box)
  const touching = new Map<string, boolean>()
  const touches = (office: string) => {
    let isTouching = touching.get(office)
    if (isTouching === undefined) {
      const rings = officeRings(office)
      isTouching = rings !== undefined && shapeTouchesBox(shapeOf(rings.map((ring) => [ring])), box)
      touching.set(office, isTouching)
    }
    return isTouching
  }
  return (change) =>
    change.shape
      ? shapeTouchesBox(change.shape, box)
      : change.domains.some((domain) => domains.includes(domain)) || change.offices.some(touches)
}

/** Passes texts of the offices of a state; texts with segments pass by their zones. */
function inArea(area: string): TextFilter {
  const offices = new Set(zoneList().flatMap(({ id, office }) => (id.startsWith(area) ? [office] : [])))
  return ({ zones, offices: own }) =>
    zones.length > 0 ? zones.some((code) => code.startsWith(area)) : own.some((office) => offices.has(office))
}

function inZone(zone: string): TextFilter {
  const offices = new Set(zonesById(zone).map(({ office }) => office))
  return ({ zones, offices: own }) =>
    zones.length > 0 ? hasZone(zones, zone) : own.some((office) => offices.has(office))
}

/** Whether a zone is in a list, in which `COZ000` stands for every zone of Colorado. */
function hasZone(zones: readonly string[], zone: string): boolean {
  return zones.includes(zone) || zones.includes(`${zone.slice(0, 3)}000`)
}
