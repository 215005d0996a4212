import { Fault } from '../../domain/fault.ts'
import { entryOf, nth } from '../../domain/nth.ts'
import { covers, type MultiPolygon, normalized, type Ring, shoelace } from '../../domain/shape/ring.ts'
import { DAY, type Instant } from '../../domain/time.ts'
import { type Hazard, levelOf, type OutlookIssue, type OutlookLevel } from '../../domain/weather/outlook.ts'

type OutlookJson = Readonly<Record<string, unknown>>

const stems: Readonly<Record<string, Hazard>> = {
  cat: 'severe',
  prob: 'severe',
  torn: 'tornado',
  hail: 'hail',
  wind: 'wind',
  windrh: 'fire',
  dryt: 'dry_thunderstorm',
}

/** Returns day and hazard from a file name such as `day1otlk_cigtorn`, `day5prob`, `day2fw_dryt` or `day4fw_windrhcat`. */
export function productOf(name: string): { day: number; hazard: Hazard } | undefined {
  const parts = /^day([1-8])(?:otlk_(?:cig)?(cat|prob|torn|hail|wind)|(prob)|fw_(windrh|dryt)(?:cat|prob)?)$/.exec(name)
  const stem = parts && (parts[2] ?? parts[3] ?? parts[4])
  return stem ? { day: Number(parts[1]), hazard: entryOf(stems, stem) } : undefined
}

/** The levels by the number `DN`, for files without labels. */
const fireByNumber: Readonly<Record<Hazard, Readonly<Record<number, string>>>> = {
  fire: { 5: 'ELEV', 8: 'CRIT', 10: 'EXTM' },
  dry_thunderstorm: { 5: 'IDRT', 8: 'SDRT', 10: 'SDRT' },
  severe: { 2: 'TSTM', 3: 'MRGL', 4: 'SLGT', 5: 'ENH', 6: 'MDT', 8: 'HIGH' },
  tornado: {},
  hail: {},
  wind: {},
}

/**
 * Reads an outlook file of the SPC, or the same layer of the NWS map service (lower-case properties, GeoJSON or Esri JSON). An empty
 * product is an issue without levels. Files with nested areas and files with separate areas are read alike.
 * @param name the file's name, which contains day and hazard
 * @throws Fault Corrupt if the text is not such a file
 */
export function readOutlook(text: string, name: string): OutlookIssue {
  const product = productOf(name)
  if (!product) throw new Error(`SPC outlook: the name must be that of an outlook file, but is ${name}`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `SPC ${name}: the body must be JSON, but begins with ${JSON.stringify(text.slice(0, 40))}`,
      {},
      error,
    )
  }
  if (!isObject(body) || !Array.isArray(body['features'])) {
    const actual = isObject(body) ? JSON.stringify(body).slice(0, 80) : typeof body
    throw new Fault('Corrupt', `SPC ${name}: the list "features" is missing in ${actual}`)
  }
  const metres = isObject(body['spatialReference']) && Number(body['spatialReference']['wkid']) > 100_000
  const levels = new Map<string, OutlookLevel>()
  let times: Pick<OutlookIssue, 'issued' | 'valid' | 'expires'> = {}
  for (const feature of body['features']) {
    if (!isObject(feature)) {
      throw new Fault(
        'Corrupt',
        `SPC ${name}: a feature must be an object, but is ${JSON.stringify(feature).slice(0, 80)}`,
      )
    }
    const properties = lowered(feature['properties'] ?? feature['attributes'])
    times = {
      issued: times.issued ?? instant(properties, 'issue'),
      valid: times.valid ?? instant(properties, 'valid'),
      expires: times.expires ?? instant(properties, 'expire'),
    }
    const area = areaOf(feature['geometry'], metres)
    if (!area && !isEmpty(feature['geometry']) && !statesNone(properties)) {
      const geometry = JSON.stringify(feature['geometry'] ?? null).slice(0, 80)
      throw new Fault('Corrupt', `SPC ${name}: the geometry of a level must be an area, but is ${geometry}`)
    }
    if (!area) continue
    if (!overStates(area)) {
      throw new Fault(
        'Corrupt',
        `SPC ${name}: the area must be over the states, but begins at ${JSON.stringify(nth(nth(area, 0), 0)[0])}`,
      )
    }
    const level = levelOf(labelOf(properties, name, product.hazard))
    if (!level && statesNone(properties)) continue
    if (!level) throw new Fault('Corrupt', `SPC ${name}: the label ${JSON.stringify(properties['label'])} is unknown`)
    const same = levels.get(level.label)
    levels.set(level.label, { ...level, area: same ? [...same.area, ...area] : area })
  }
  // The map service does not have the times of the outlook.
  if (levels.size > 0 && !metres) checkTimes(name, product.day, times)
  return { product: name, ...product, ...times, levels: [...levels.values()].sort((a, b) => a.rank - b.rank) }
}

/**
 * Maximum number of days between the issuance and the beginning of the first day. Updates are issued during their own day, the outlook for
 * day 2 until 17:30 UTC of the previous day, and corrections some hours later. An outlook day begins at 06 to 12 UTC, which adds up to a
 * quarter of a day.
 */
const MAX_DAYS_BEFORE = 0.5
const MAX_DAYS_AFTER = 0.6

/**
 * Checks that the file is the outlook of the expected day.
 * @throws Fault Corrupt if a time is absent, or if the times are those of another day
 */
function checkTimes(
  name: string,
  day: number,
  { issued, valid, expires }: Pick<OutlookIssue, 'issued' | 'valid' | 'expires'>,
): void {
  if (issued === undefined || valid === undefined || expires === undefined) {
    throw new Fault('Corrupt', `SPC ${name}: the time of issuance, validity or expiration is missing`)
  }
  const ahead = (valid - issued) / DAY - (day - 1)
  if (ahead < MAX_DAYS_BEFORE && ahead > -MAX_DAYS_AFTER && expires > valid) return
  const [from, at] = [valid, issued].map((time) => new Date(time).toISOString())
  throw new Fault(
    'Corrupt',
    `SPC ${name}: must be the outlook of day ${day}, but is valid from ${from} and issued at ${at}`,
    {
      reason: 'time',
    },
  )
}

/** Returns whether a geometry is an empty collection, which a product without risks has. */
function isEmpty(geometry: unknown): boolean {
  if (!isObject(geometry)) return false
  const parts = geometry['geometries'] ?? geometry['coordinates'] ?? geometry['rings']
  return Array.isArray(parts) && parts.length === 0
}

/** Returns whether an area is near the conterminous states. Outlooks extend a few degrees beyond the borders. */
function overStates(area: MultiPolygon): boolean {
  return area.every(([outer]) => outer!.every(([lon, lat]) => lon > -135 && lon < -55 && lat > 15 && lat < 60))
}

function labelOf(properties: OutlookJson, name: string, hazard: Hazard): string {
  const label = typeof properties['label'] === 'string' ? properties['label'].trim() : ''
  if (levelOf(label)) return label
  const number = Number(properties['dn'])
  if (/prob$|torn$|hail$|wind$/.test(name) && !/cig/.test(name)) return number > 0 ? `${number}%` : label
  if (/cig/.test(name)) return number > 0 ? `CIG${number}` : label
  // From day 3 on, fire weather outlooks have only one category.
  if (/^day[3-8]fw_/.test(name)) return hazard === 'fire' ? 'CRIT' : 'SDRT'
  return fireByNumber[hazard][number] ?? label
}

/** Returns whether an area marks the absence of a forecast: number 0, or text such as "Predictability Too Low" (days 4 to 8). */
function statesNone({ dn, label }: OutlookJson): boolean {
  const number = typeof dn === 'number' || typeof dn === 'string' ? Number(dn) : Number.NaN
  return number <= 0 || /too low|^no\b|^none$/i.test(String(label ?? '').trim())
}

function instant(properties: OutlookJson, name: string): Instant | undefined {
  const iso = properties[`${name}_iso`]
  const value = properties[name]
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(value ?? ''))
  const at = Date.parse(
    typeof iso === 'string' ? iso : parts ? `${parts.slice(1, 4).join('-')}T${parts[4]}:${parts[5]}Z` : '',
  )
  return Number.isNaN(at) ? undefined : at
}

/** Returns the area of a geometry; undefined if it is empty, or if one of its parts is not a polygon. */
function areaOf(geometry: unknown, metres: boolean): MultiPolygon | undefined {
  if (!isObject(geometry)) return undefined
  if (Array.isArray(geometry['rings'])) return ofRings(geometry['rings'], metres)
  if (geometry['type'] === 'GeometryCollection' && Array.isArray(geometry['geometries'])) {
    const parts = geometry['geometries'].filter((part) => !isEmpty(part)).map((part) => areaOf(part, metres))
    return parts.length > 0 && !parts.includes(undefined) ? parts.flatMap((part) => part!) : undefined
  }
  const coordinates = geometry['coordinates']
  if (!Array.isArray(coordinates) || coordinates.length === 0) return undefined
  const polygons =
    geometry['type'] === 'Polygon' ? [coordinates] : geometry['type'] === 'MultiPolygon' ? coordinates : []
  return normalized(polygons as never)
}

/**
 * Reads the rings of Esri JSON, which are in one list: outer rings are clockwise, holes counterclockwise. Coordinates in metres are Web
 * Mercator.
 */
function ofRings(rings: readonly unknown[], metres: boolean): MultiPolygon | undefined {
  const all = normalized(rings.map((ring) => [metres ? (ring as number[][]).map(degrees) : ring]) as never) ?? []
  const outer: [Ring, ...Ring[]][] = all.filter(([ring]) => shoelace(ring!) <= 0).map(([ring]) => [ring!])
  for (const [ring] of all.filter(([ring]) => shoelace(ring!) > 0)) {
    const [lon, lat] = nth(ring!, 0)
    const around = outer.find(([outside]) => covers([[outside]], lon, lat))
    if (around) around.push(ring!)
    else outer.push([ring!])
  }
  return outer.length > 0 ? outer : undefined
}

function degrees([x, y]: readonly number[]): number[] {
  const turn = 20_037_508.342789244
  return [(x! / turn) * 180, (Math.atan(Math.sinh((y! / turn) * Math.PI)) * 180) / Math.PI]
}

function lowered(properties: unknown): OutlookJson {
  if (!isObject(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]))
}

function isObject(value: unknown): value is OutlookJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
