import { entryOf, nth } from '../nth.ts'

/** Area codes in alerts: UGC (`COZ040`, `ALC129`, `PZZ350`) and SAME (`008031`). */

/** State FIPS code by two letters, for UGC counties and SAME codes. */
export const stateFips: Readonly<Record<string, string>> = {
  AL: '01',
  AK: '02',
  AZ: '04',
  AR: '05',
  CA: '06',
  CO: '08',
  CT: '09',
  DE: '10',
  DC: '11',
  FL: '12',
  GA: '13',
  HI: '15',
  ID: '16',
  IL: '17',
  IN: '18',
  IA: '19',
  KS: '20',
  KY: '21',
  LA: '22',
  ME: '23',
  MD: '24',
  MA: '25',
  MI: '26',
  MN: '27',
  MS: '28',
  MO: '29',
  MT: '30',
  NE: '31',
  NV: '32',
  NH: '33',
  NJ: '34',
  NM: '35',
  NY: '36',
  NC: '37',
  ND: '38',
  OH: '39',
  OK: '40',
  OR: '41',
  PA: '42',
  RI: '44',
  SC: '45',
  SD: '46',
  TN: '47',
  TX: '48',
  UT: '49',
  VT: '50',
  VA: '51',
  WA: '53',
  WV: '54',
  WI: '55',
  WY: '56',
  AS: '60',
  GU: '66',
  MP: '69',
  PR: '72',
  VI: '78',
}

const stateOfFips = new Map(Object.entries(stateFips).map(([state, fips]) => [fips, state]))

/** The first two letters of marine zones: oceans, Great Lakes and the St. Lawrence. */
const marinePrefixes = new Set([
  'AM',
  'AN',
  'GM',
  'LC',
  'LE',
  'LH',
  'LM',
  'LO',
  'LS',
  'PH',
  'PK',
  'PM',
  'PS',
  'PZ',
  'SL',
])

export function isUgc(code: string): boolean {
  return /^[A-Z]{2}[CZ]\d{3}$/.test(code)
}

/** The first two letters of all area codes: states, territories, the freely associated states that the NWS also serves, and waters. */
export const areaCodes: readonly string[] = [...Object.keys(stateFips), 'FM', 'MH', 'PW', ...marinePrefixes].sort()

/** Returns whether a zone is marine. */
export function isMarine(code: string): boolean {
  return marinePrefixes.has(code.slice(0, 2))
}

/** Returns `CO` for `COZ040` and `PZ` for `PZZ350`. */
export function ugcState(code: string): string {
  return code.slice(0, 2)
}

/** Returns `COC031` for SAME `008031`; undefined for water, for whole states (`008000`) and for anything that is not a SAME code. */
export function countyOfSame(same: string): string | undefined {
  const parts = /^\d(\d{2})(\d{3})$/.exec(same.padStart(6, '0'))
  const state = parts && stateOfFips.get(nth(parts, 1))
  return state && parts[2] !== '000' ? `${state}C${parts[2]}` : undefined
}

/** Letters of marine zones by the first two digits of a SAME code for water. */
const waterOfSame: Readonly<Record<string, string>> = {
  57: 'PZ',
  58: 'PK',
  59: 'PH',
  61: 'PS',
  65: 'PM',
  73: 'AN',
  75: 'AM',
  77: 'GM',
  91: 'LS',
  92: 'LM',
  93: 'LH',
  94: 'LC',
  96: 'LE',
  97: 'LO',
  98: 'SL',
}

/** Returns `COC031` for SAME `008031`, `COC000` (all counties) for `008000`, and `ANZ530` for `073530`; undefined for an unknown code. */
export function ugcOfSame(same: string): string | undefined {
  const [, area, number] = /^\d(\d{2})(\d{3})$/.exec(same.padStart(6, '0')) ?? []
  if (area === undefined) return undefined
  const state = stateOfFips.get(area)
  if (state) return `${state}C${number}`
  return waterOfSame[area] && number !== '000' ? `${waterOfSame[area]}Z${number}` : undefined
}

/** Returns the five-digit FIPS code of a county's UGC: `08031` for `COC031`. */
export function fipsOfCounty(code: string): string | undefined {
  return code[2] === 'C' && stateFips[code.slice(0, 2)]
    ? entryOf(stateFips, code.slice(0, 2)) + code.slice(3)
    : undefined
}

export type LandZoneKind = 'forecast' | 'county' | 'fire'

/** Returns the NWS address of a zone's geometry. Marine zones are among the forecast zones there. */
export function zoneUrl(kind: LandZoneKind, code: string): string {
  return `https://api.weather.gov/zones/${kind}/${code}`
}

/** Returns the address of the public forecast zones of a state with their geometries. */
export function publicZonesUrl(state: string): string {
  return `https://api.weather.gov/zones?type=public&area=${state}&include_geometry=true`
}
