import { nth } from '../domain/nth.ts'
import { counties, countyAt, marineZones } from './place.ts'
import { readShapes, type Shapes } from './shapes.ts'
import { stateByCode } from './state.ts'
import { once, shapes, table } from './table.ts'

const offices = shapes('offices')
const countyZones = shapes('county-zones')
const fireZones = shapes('fire-zones')

export interface Office {
  /** Id of the office, such as BOU. */
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
}

export type ZoneKind = 'county' | 'forecast' | 'fire' | 'marine'

export interface Zone {
  /** Id of the zone, such as COC031, COZ040 or PZZ530. */
  readonly id: string
  readonly kind: ZoneKind
  readonly name: string
  readonly state: string
  /** The forecast office that issues warnings for the zone. */
  readonly office: string
}

/**
 * The zones of a point; a zone is absent if its geometry is absent. Until the public zones of a state are loaded, `forecast` is present
 * only if a fire zone has the same id and name.
 */
export interface PointZones {
  readonly office?: string
  readonly county?: string
  readonly fire?: string
  readonly forecast?: string
  readonly marine?: string
}

export const officeList = table(
  'office-names',
  (cells): Office => ({
    id: nth(cells, 0),
    name: nth(cells, 1),
    state: nth(cells, 2),
    lat: Number(cells[3]),
    lon: Number(cells[4]),
  }),
)

const named = table('zone-names', (cells) => ({
  kind: cells[0] as 'forecast' | 'fire',
  id: nth(cells, 1),
  name: nth(cells, 2),
  state: nth(cells, 3),
  lat: Number(cells[4]),
  lon: Number(cells[5]),
  office: nth(cells, 6),
}))

/** Returns the packaged public and fire zones of a state, with a point inside each. */
export const packagedZonesOf = (state: string) => named().filter((zone) => zone.state === state)

/** Returns the rings of the packaged fire zones of a state, by id. */
export function fireZonesOf(state: string): Map<string, [number, number][][]> {
  const polygons = fireZones().names.flatMap((label, i) =>
    label.startsWith(`${state}Z`) ? [[label.slice(0, 6), fireZones().rings(i)] as const] : [],
  )
  return new Map(polygons)
}

/** The public forecast zones that share one geometry with a fire zone, because it has the same id and name. */
const shared = once(() => {
  const fire = new Map(
    named()
      .filter((zone) => zone.kind === 'fire')
      .map((zone) => [zone.id, zone.name]),
  )
  return new Set(
    named()
      .filter((zone) => zone.kind === 'forecast' && fire.get(zone.id) === zone.name)
      .map((zone) => zone.id),
  )
})

/** The public forecast zones of a state as the NWS publishes them. Their shapes have names such as `COZ040 BOU North Douglas County…`. */
interface PublicZones {
  readonly shapes: Shapes
  readonly zones: readonly Zone[]
}

const loadedStates = new Map<string, PublicZones>()

/**
 * Replaces the public forecast zones of a state, which were packaged or loaded before.
 * @param packed shapes with names such as `COZ040 BOU North Douglas County Below 6000 Feet`
 */
export function usePublicZones(state: string, packed: Uint8Array): void {
  const loaded = readShapes(packed)
  const zones = loaded.names.map((label): Zone => {
    const [id, office, ...name] = label.split(' ') as [string, string, ...string[]]
    return { id, kind: 'forecast', name: name.join(' '), state, office }
  })
  loadedStates.set(state, { shapes: loaded, zones })
  list = undefined
}

const packagedZones = once((): readonly Zone[] => {
  const countyNames = new Map<string, string>()
  for (const label of counties().names) countyNames.set(label.slice(0, 5), label.slice(6))
  const fromCounties = countyZones().names.map((label): Zone => {
    const [id, office] = label.split(' ') as [string, string]
    const state = stateByCode.get(id.slice(0, 2))
    return {
      id,
      kind: 'county',
      name: (state && countyNames.get(state.fips + id.slice(3))) ?? id,
      state: id.slice(0, 2),
      office: office.slice(0, 3),
    }
  })
  const marine = marineZones().names.map((label): Zone => {
    const [id, office, ...name] = label.split(' ') as [string, string, ...string[]]
    return { id, kind: 'marine', name: name.join(' '), state: '', office }
  })
  return [...fromCounties, ...named(), ...marine]
    .filter((zone) => zone.kind === 'marine' || stateByCode.has(zone.state))
    .map(({ id, kind, name, state, office }) => ({ id, kind, name, state, office }))
})

let list: { readonly zones: readonly Zone[]; readonly byId: ReadonlyMap<string, readonly Zone[]> } | undefined

function current() {
  if (list) return list
  const packaged = packagedZones().filter(({ kind, state }) => kind !== 'forecast' || !loadedStates.has(state))
  const zones = [...packaged, ...Array.from(loadedStates.values()).flatMap((loaded) => loaded.zones)]
  const byId = new Map<string, Zone[]>()
  for (const zone of zones) {
    const same = byId.get(zone.id)
    if (same) same.push(zone)
    else byId.set(zone.id, [zone])
  }
  return (list = { zones, byId })
}

export const zoneList = (): readonly Zone[] => current().zones

/** Returns the zones with a code: a forecast zone and a fire zone may have the same code. */
export function zonesById(id: string): readonly Zone[] {
  return current().byId.get(id.toUpperCase()) ?? []
}

export function officeById(id: string): Office | undefined {
  const code = id.toUpperCase().replace(/^[KPT](?=[A-Z]{3}$)/, '')
  return officeList().find((office) => office.id === code)
}

/**
 * Returns the rings `[lon, lat]` of a zone; undefined if there is no geometry.
 * @param kind distinguishes a fire zone from the forecast zone with the same code
 */
export function zoneRings(id: string, kind?: ZoneKind): [number, number][][] | undefined {
  const code = id.toUpperCase()
  const own = kind === 'fire' ? undefined : loadedStates.get(code.slice(0, 2))?.shapes
  const ownRings = own && ringsOf(own, code)
  if (ownRings) return ownRings
  if (code[2] === 'C') return ringsOf(countyZones(), code)
  if (!/^[A-Z]{2}Z/.test(code)) return undefined
  return kind === 'fire' || (!own && shared().has(code)) ? ringsOf(fireZones(), code) : ringsOf(marineZones(), code)
}

function ringsOf(source: Shapes, code: string): [number, number][][] | undefined {
  const index = source.names.findIndex((label) => label.startsWith(`${code} `) || label === code)
  return index < 0 ? undefined : source.rings(index)
}

/** Maximum distance from a zone, km, at which a point still belongs to it: on piers, and on shores that simplification has cut off. */
const SHORE_KM = 5

const first = (source: () => ReturnType<typeof offices>, lat: number, lon: number, km: number): string | undefined => {
  const nearest = source().nearest(lat, lon, km)
  return nearest && source().names[nearest.index]
}

/** Returns the rings `[lon, lat]` of the area of a forecast office; undefined if the office is unknown. */
export function officeRings(office: string): [number, number][][] | undefined {
  const index = offices().names.indexOf(office)
  return index < 0 ? undefined : offices().rings(index)
}

/** Returns the forecast office whose area contains the point, or the nearest one within 60 km of the shore. */
export function officeAt(lat: number, lon: number): string | undefined {
  return first(offices, lat, lon, 60)
}

export function zonesAt(lat: number, lon: number): PointZones {
  const office = officeAt(lat, lon)
  const county = countyAt(lat, lon)
  const marine = marineZones().at(lat, lon)[0]
  const fire = first(fireZones, lat, lon, SHORE_KM)?.split(' ')[0]
  const loaded = county && loadedStates.get(county.state.code)?.shapes
  const forecast = loaded
    ? first(() => loaded, lat, lon, SHORE_KM)?.split(' ')[0]
    : fire && shared().has(fire)
      ? fire
      : undefined
  return {
    ...(office && { office }),
    ...(county && { county: `${county.state.code}C${county.fips.slice(2)}` }),
    ...(fire && { fire }),
    ...(forecast && { forecast }),
    ...(marine !== undefined && { marine: nth(nth(marineZones().names, marine).split(' '), 0) }),
  }
}
