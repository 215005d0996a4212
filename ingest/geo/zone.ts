import { counties, countyAt, marineZones } from './place.ts'
import { stateByCode } from './state.ts'
import { once, shapes, table } from './table.ts'

const offices = shapes('offices')
const countyZones = shapes('county-zones')
const fireZones = shapes('fire-zones')

export interface Office {
  /** BOU. */
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
}

export type ZoneKind = 'county' | 'forecast' | 'fire' | 'marine'

export interface Zone {
  /** COC031, COZ040, PZZ530. */
  readonly id: string
  readonly kind: ZoneKind
  readonly name: string
  readonly state: string
  /** The forecast office that issues warnings for it. */
  readonly office: string
}

/**
 * Codes of a point; a zone is absent where there is no geometry for it. `forecast` is known where a fire zone has the same id and name.
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
    id: cells[0]!,
    name: cells[1]!,
    state: cells[2]!,
    lat: Number(cells[3]),
    lon: Number(cells[4]),
  }),
)

const named = table('zone-names', (cells) => ({
  kind: cells[0] as 'forecast' | 'fire',
  id: cells[1]!,
  name: cells[2]!,
  state: cells[3]!,
  office: cells[6]!,
}))

/** Public forecast zones whose fire zone has the same id and name, so that one geometry serves both. */
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

export const zoneList = once((): readonly Zone[] => {
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

const zoneIds = once(() => {
  const found = new Map<string, Zone[]>()
  for (const zone of zoneList()) found.set(zone.id, [...(found.get(zone.id) ?? []), zone])
  return found
})

/** A code may name a forecast zone and a fire zone: both are returned. */
export function zonesById(id: string): readonly Zone[] {
  return zoneIds().get(id.toUpperCase()) ?? []
}

export function officeById(id: string): Office | undefined {
  const code = id.toUpperCase().replace(/^[KPT](?=[A-Z]{3}$)/, '')
  return officeList().find((office) => office.id === code)
}

/** Rings `[lon, lat]` of a zone; undefined where there is no geometry. */
export function zoneRings(id: string): [number, number][][] | undefined {
  const code = id.toUpperCase()
  const sources =
    code[2] === 'C' ? [countyZones] : /^[A-Z]{2}Z/.test(code) && shared().has(code) ? [fireZones] : [marineZones]
  for (const source of sources) {
    const index = source().names.findIndex((label) => label.startsWith(`${code} `))
    if (index >= 0) return source().rings(index)
  }
  return undefined
}

const first = (source: () => ReturnType<typeof offices>, lat: number, lon: number, km: number): string | undefined => {
  const found = source().nearest(lat, lon, km)
  return found && source().names[found.index]
}

/** Rings `[lon, lat]` of the area of a forecast office; undefined where it is unknown. */
export function officeRings(office: string): [number, number][][] | undefined {
  const index = offices().names.indexOf(office)
  return index < 0 ? undefined : offices().rings(index)
}

/** The forecast office whose area contains the point, or the nearest within 60 km of the shore. */
export function officeAt(lat: number, lon: number): string | undefined {
  return first(offices, lat, lon, 60)
}

export function zonesAt(lat: number, lon: number): PointZones {
  const office = officeAt(lat, lon)
  const county = countyAt(lat, lon)
  const marine = marineZones().at(lat, lon)[0]
  const fire = first(fireZones, lat, lon, 5)?.split(' ')[0]
  return {
    ...(office && { office }),
    ...(county && { county: `${county.state.code}C${county.fips.slice(2)}` }),
    ...(fire && { fire }),
    ...(fire && shared().has(fire) && { forecast: fire }),
    ...(marine !== undefined && { marine: marineZones().names[marine]!.split(' ')[0]! }),
  }
}
