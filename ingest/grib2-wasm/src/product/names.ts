import { parameters, surfaces } from './tables.generated.ts'

export interface GribParameter {
  readonly name: string
  readonly title: string
  readonly unit: string
}

/** Text of a type of surface, with `%` for its value (or for two values with a dash). */
export interface SurfaceKind {
  readonly surface: string
  /** Text for two surfaces of this type; empty if they are written separately. */
  readonly layer: string
  readonly unit: string
}

const MRMS_DISCIPLINE = 209
/** Centres whose local numbers are in the table: NCEP, NWS telecommunications gateway (NDFD), NWS other, OAR (MRMS). */
const NOAA = new Set([7, 8, 9, 161])

let byKey: Map<string, GribParameter> | undefined
let byType: Map<number, SurfaceKind> | undefined

function parameterTable(): Map<string, GribParameter> {
  const table = new Map<string, GribParameter>()
  for (const line of parameters.split('\n')) {
    const [key, name = '', title = '', unit = ''] = line.split('\t')
    if (key) table.set(key, { name, title, unit })
  }
  return table
}

function surfaceTable(): Map<number, SurfaceKind> {
  const table = new Map<number, SurfaceKind>()
  for (const line of surfaces.split('\n')) {
    const [type, single = '', layer = '', unit = ''] = line.split('\t')
    if (type) table.set(Number(type), { surface: single, layer, unit })
  }
  return table
}

/** Returns the name of a parameter; a parameter that no table has keeps its numbers. Local numbers are defined by the centre. */
export function parameterOf(centre: number, discipline: number, category: number, number: number): GribParameter {
  byKey ??= parameterTable()
  const key = `${discipline}.${category}.${number}`
  const local = discipline >= 192 || category >= 192 || number >= 192
  const known = !local || NOAA.has(centre) || discipline === MRMS_DISCIPLINE
  const parameter = known ? (byKey.get(`${centre}/${key}`) ?? byKey.get(key)) : undefined
  return parameter ?? { name: `var${discipline}-${category}-${number}`, title: 'unknown', unit: 'unknown' }
}

/** Names of code table 4.5. */
export function surfaceOf(type: number): SurfaceKind {
  byType ??= surfaceTable()
  return byType.get(type) ?? { surface: `level type ${type} %`, layer: `level type ${type} %`, unit: '' }
}
