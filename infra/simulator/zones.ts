import { fireZonesOf, packagedZonesOf } from '../../ingest/geo/zone.ts'

type ZoneRing = [number, number][]

export interface SimulatedZone {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly office: string
  readonly rings: readonly ZoneRing[]
}

/** A point of a plane of degrees in which the Aleutians do not end at 180°. */
const east = (lon: number) => (lon > 0 ? lon - 360 : lon)
const back = (x: number) => (x < -180 ? x + 360 : x)

let latest: { readonly state: string; readonly zones: readonly SimulatedZone[] } | undefined

/**
 * Public forecast zones of a state, made of the packaged fire zones: most have the same id and name; others take the fire zone of their name;
 * the rest of the state is divided among the rest of the zones, each taking what is nearest to its middle.
 */
export function simulatedZones(state: string): readonly SimulatedZone[] {
  if (latest?.state === state) return latest.zones
  const packaged = packagedZonesOf(state)
  const fires = fireZonesOf(state)
  const named = packaged.filter(({ kind, id }) => kind === 'fire' && fires.has(id))
  const left = new Map(fires)
  const areas = new Map<string, ZoneRing[]>()
  const publics = packaged.filter(({ kind }) => kind === 'forecast')
  const take = (same: (fire: (typeof named)[number], zone: (typeof publics)[number]) => boolean) => {
    for (const zone of publics) {
      const fire = areas.has(zone.id) ? undefined : named.find((one) => left.has(one.id) && same(one, zone))
      if (!fire) continue
      areas.set(zone.id, left.get(fire.id)!)
      left.delete(fire.id)
    }
  }
  take((fire, zone) => fire.id === zone.id && fire.name === zone.name)
  take((fire, zone) => fire.name === zone.name && fire.office === zone.office)
  const without = publics.filter(({ id }) => !areas.has(id))
  divide(without.length > 0 ? without : publics, [...left.values()].flat(), areas)
  const zones = publics.flatMap(({ id, name, office }) => {
    const rings = areas.get(id)
    return rings && rings.length > 0 ? [{ id, name, office, state, rings }] : []
  })
  latest = { state, zones }
  return zones
}

function divide(
  zones: readonly { readonly id: string; readonly lat: number; readonly lon: number }[],
  rings: readonly ZoneRing[],
  areas: Map<string, ZoneRing[]>,
): void {
  if (rings.length === 0 || zones.length === 0) return
  const shrink = Math.cos((zones[0]!.lat * Math.PI) / 180)
  const middles = zones.map(({ id, lat, lon }) => ({ id, x: east(lon) * shrink, y: lat }))
  const plane = rings.map((ring) => ring.slice(0, -1).map(([lon, lat]): [number, number] => [east(lon) * shrink, lat]))
  for (const { id, x, y } of middles) {
    const others = middles
      .filter((other) => other.x !== x || other.y !== y)
      .sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))
    const own = plane.flatMap((ring) => {
      let part = ring
      for (const other of others) {
        part = nearer(part, [x, y], [other.x, other.y])
        if (part.length < 3) return []
      }
      const open = part.map(([px, py]): [number, number] => [back(px / shrink), py])
      return [[...open, open[0]!]]
    })
    areas.set(id, [...(areas.get(id) ?? []), ...own])
  }
}

/** The part of an open ring that is nearer to `a` than to `b` (Sutherland and Hodgman). */
function nearer(ring: ZoneRing, a: readonly [number, number], b: readonly [number, number]): ZoneRing {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const middle = (dx * (a[0] + b[0]) + dy * (a[1] + b[1])) / 2
  const side = ([x, y]: readonly [number, number]) => x * dx + y * dy - middle
  const part: ZoneRing = []
  for (let i = 0; i < ring.length; i++) {
    const [p, q] = [ring[i]!, ring[(i + 1) % ring.length]!]
    const [sp, sq] = [side(p), side(q)]
    if (sp <= 0) part.push(p)
    if (sp < 0 !== sq < 0 && sp !== sq) {
      const t = sp / (sp - sq)
      part.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])])
    }
  }
  return part
}
