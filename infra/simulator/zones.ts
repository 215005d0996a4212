import { fireZonesOf, packagedZonesOf } from '../../ingest/geo/zone.ts'

type ZoneRing = [number, number][]

export interface SimulatedZone {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly office: string
  readonly rings: readonly ZoneRing[]
}

/** Converts a longitude to a coordinate in which the Aleutians do not end at 180°. */
const toPlane = (lon: number) => (lon > 0 ? lon - 360 : lon)
/** Converts the coordinate back to a longitude. */
const toLongitude = (x: number) => (x < -180 ? x + 360 : x)

/** The zones of the newest states that were asked for. */
const latest = new Map<string, readonly SimulatedZone[]>()
const MAX_STATES = 8

/**
 * Returns the public forecast zones of a state, built from the packaged fire zones. Most public zones have the id and
 * name of a fire zone, and others only the name. The remaining area of the state is divided among the remaining zones,
 * so that each has the points nearest to its center.
 */
export function simulatedZones(state: string): readonly SimulatedZone[] {
  const known = latest.get(state)
  if (known) return known
  const packaged = packagedZonesOf(state)
  const fires = fireZonesOf(state)
  const fireZones = packaged.filter(({ kind, id }) => kind === 'fire' && fires.has(id))
  const unassigned = new Map(fires)
  const areas = new Map<string, ZoneRing[]>()
  const publicZones = packaged.filter(({ kind }) => kind === 'forecast')
  const assign = (isSame: (fire: (typeof fireZones)[number], zone: (typeof publicZones)[number]) => boolean) => {
    for (const zone of publicZones) {
      if (areas.has(zone.id)) continue
      const fire = fireZones.find((candidate) => unassigned.has(candidate.id) && isSame(candidate, zone))
      const rings = fire && unassigned.get(fire.id)
      if (!rings) continue
      areas.set(zone.id, rings)
      unassigned.delete(fire.id)
    }
  }
  assign((fire, zone) => fire.id === zone.id && fire.name === zone.name)
  assign((fire, zone) => fire.name === zone.name && fire.office === zone.office)
  const zonesWithoutArea = publicZones.filter(({ id }) => !areas.has(id))
  divide(zonesWithoutArea.length > 0 ? zonesWithoutArea : publicZones, [...unassigned.values()].flat(), areas)
  const zones = publicZones.flatMap(({ id, name, office }) => {
    const rings = areas.get(id)
    return rings && rings.length > 0 ? [{ id, name, office, state, rings }] : []
  })
  latest.set(state, zones)
  if (latest.size > MAX_STATES) latest.delete(latest.keys().next().value as string)
  return zones
}

/** Divides rings among zones, so that each zone has the points nearest to its center, and adds them to `areas`. */
function divide(
  zones: readonly { readonly id: string; readonly lat: number; readonly lon: number }[],
  rings: readonly ZoneRing[],
  areas: Map<string, ZoneRing[]>,
): void {
  const [firstZone] = zones
  if (rings.length === 0 || !firstZone) return
  const shrink = Math.cos((firstZone.lat * Math.PI) / 180)
  const centers = zones.map(({ id, lat, lon }) => ({ id, x: toPlane(lon) * shrink, y: lat }))
  const openRings = rings.map((ring) =>
    ring.slice(0, -1).map(([lon, lat]): [number, number] => [toPlane(lon) * shrink, lat]),
  )
  for (const { id, x, y } of centers) {
    const otherCenters = centers
      .filter((center) => center.x !== x || center.y !== y)
      .sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))
    const zoneRings = openRings.flatMap((ring) => {
      let part = ring
      for (const center of otherCenters) {
        // A center cuts off nothing if it is more than twice as far away as the farthest point of the part.
        const reach = Math.max(...part.map(([px, py]) => Math.hypot(px - x, py - y)))
        if (Math.hypot(center.x - x, center.y - y) > 2 * reach) break
        part = nearerPart(part, [x, y], [center.x, center.y])
        if (part.length < 3) return []
      }
      const open = part.map(([px, py]): [number, number] => [toLongitude(px / shrink), py])
      return [[...open, ...open.slice(0, 1)]]
    })
    areas.set(id, [...(areas.get(id) ?? []), ...zoneRings])
  }
}

/** Returns the part of an open ring that is nearer to `a` than to `b`, by the algorithm of Sutherland and Hodgman. */
function nearerPart(ring: ZoneRing, a: readonly [number, number], b: readonly [number, number]): ZoneRing {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const middle = (dx * (a[0] + b[0]) + dy * (a[1] + b[1])) / 2
  const side = ([x, y]: readonly [number, number]) => x * dx + y * dy - middle
  const part: ZoneRing = []
  for (const [i, p] of ring.entries()) {
    const q = ring[(i + 1) % ring.length] ?? p
    const [sp, sq] = [side(p), side(q)]
    if (sp <= 0) part.push(p)
    if (sp < 0 !== sq < 0 && sp !== sq) {
      const t = sp / (sp - sq)
      part.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])])
    }
  }
  return part
}
