import { DAY, HOUR, type Instant, MINUTE } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { emptyWeather, precipRateAt, weatherAt } from '../atmosphere.ts'
import { type NormalsStation, normalsStations, type ReportStation, reportStations } from '../climate-stations.ts'
import { type MirrorObject, nameTag, type SimulatedHost, type SimulatedListing } from '../source.ts'

const encoder = new TextEncoder()
const PREFIX = 'normals-daily/1991-2020/access/'
/** Date on which NCEI published the normals. */
const PUBLISHED = Date.UTC(2021, 4, 4)
const TAU = 2 * Math.PI

const byId = new Map(normalsStations.map((station) => [station.id, station]))

/** Returns the seasonal mean of the simulated atmosphere, °F, around which its fronts and waves vary. */
export function simulatedNormal(lat: number, day: number): { high: number; low: number } {
  const season = Math.cos((TAU * (day - 198)) / 365.2425)
  const kelvin = 299 - 0.6 * (lat - 20) + season * (6 + 0.15 * (lat - 20))
  const fahrenheit = (value: number) => Math.round(((value - 273.15) * 1.8 + 32) * 10) / 10
  return { high: fahrenheit(kelvin + 5), low: fahrenheit(kelvin - 5) }
}

const columns = ['STATION', 'DATE', 'LATITUDE', 'LONGITUDE', 'ELEVATION', 'NAME', 'month', 'day', 'hour'] as const
const temperatureColumns = [
  'DLY-TAVG-NORMAL',
  'DLY-TMAX-NORMAL',
  'DLY-TMIN-NORMAL',
  'DLY-TAVG-STDDEV',
  'DLY-TMAX-STDDEV',
  'DLY-TMIN-STDDEV',
] as const
const columnsWithFlags = (names: readonly string[]) =>
  names.flatMap((name) => [name, `meas_flag_${name}`, `comp_flag_${name}`, `years_${name}`])

/** Returns a station's file in NCEI's format. 29 February has no precipitation. */
function normalsFile(station: NormalsStation): string {
  const values = [...(station.temperatures ? temperatureColumns : []), 'MTD-PRCP-NORMAL'] as const
  const lines: string[][] = [[...columns, ...columnsWithFlags(values)]]
  for (let n = 0; n < 366; n++) {
    const at = new Date(Date.UTC(2020, 0, 1 + n))
    const [month, day] = [at.toISOString().slice(5, 7), at.toISOString().slice(8, 10)]
    const { high, low } = simulatedNormal(station.lat, n)
    const rain = `${month}-${day}` === '02-29' ? '-9999.00' : (Number(day) * 0.08).toFixed(2)
    const cells: Readonly<Record<(typeof values)[number], string>> = {
      'DLY-TAVG-NORMAL': ((high + low) / 2).toFixed(1),
      'DLY-TMAX-NORMAL': high.toFixed(1),
      'DLY-TMIN-NORMAL': low.toFixed(1),
      'DLY-TAVG-STDDEV': '7.1',
      'DLY-TMAX-STDDEV': '8.2',
      'DLY-TMIN-STDDEV': '7.6',
      'MTD-PRCP-NORMAL': rain,
    }
    lines.push([
      station.id,
      `${month}-${day}`,
      ` ${station.lat.toFixed(4)}`,
      ` ${station.lon.toFixed(4)}`,
      ` ${station.elevation.toFixed(1)}`,
      `${station.name}, ${station.state} US`,
      month,
      day,
      '99',
      ...values.flatMap((name) => [
        cells[name].padStart(8),
        rain.startsWith('-') && name.startsWith('MTD') ? 'M' : ' ',
        'S',
        '30',
      ]),
    ])
  }
  return `${lines.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n')}\n`
}

function stationTable(): string {
  const line = ({ id, lat, lon, elevation, state, name }: NormalsStation) =>
    `${id} ${lat.toFixed(4).padStart(8)} ${lon.toFixed(4).padStart(9)} ${elevation.toFixed(1).padStart(6)} ${state} ${name.padEnd(30)}`
  return `${normalsStations.map(line).join('\n')}\n`
}

function resource(text: string, lastModified: Instant, type: string): MirrorObject {
  return { etag: nameTag(text), lastModified, type, body: () => encoder.encode(text) }
}

const stationFile = (id: string) => {
  const station = byId.get(id)
  return station && resource(normalsFile(station), PUBLISHED, 'text/csv')
}

const ncei: SimulatedHost = {
  host: 'www.ncei.noaa.gov',
  find(path) {
    if (path === '/pub/data/ghcn/daily/ghcnd-stations.txt') return resource(stationTable(), PUBLISHED, 'text/plain')
    const id = /^\/data\/normals-daily\/1991-2020\/access\/(US[CW]\d{8})\.csv$/.exec(path)?.[1]
    return id === undefined ? undefined : stationFile(id)
  },
}

const bucket: SimulatedHost = {
  host: 'noaa-normals-pds.s3.amazonaws.com',
  *list(prefix): Iterable<SimulatedListing> {
    for (const { id, temperatures } of normalsStations) {
      const key = `${PREFIX}${id}.csv`
      if (key.startsWith(prefix))
        yield { key, size: temperatures ? 110_000 : 40_000, etag: nameTag(id), lastModified: PUBLISHED }
    }
  },
  find(path) {
    const id = path.startsWith(`/${PREFIX}`) ? path.slice(PREFIX.length + 1).replace(/\.csv$/, '') : undefined
    return id === undefined ? undefined : stationFile(id)
  },
}

export interface SimulatedDay {
  readonly high: number
  readonly low: number
  /** Rain, inches. */
  readonly rain: number
}

const weather = emptyWeather()

/** Returns the measurements of a station from local midnight to `until`, with temperatures in whole °F. */
export function simulatedDay(
  { lat, lon, timezone }: ReportStation,
  day: number,
  until = Number.POSITIVE_INFINITY,
): SimulatedDay {
  const place = zone(timezone)
  let high = Number.NEGATIVE_INFINITY
  let low = Number.POSITIVE_INFINITY
  let rain = 0
  for (let at = place.startOfDay(day); at < Math.min(place.startOfDay(day + 1), until); at += HOUR) {
    const fahrenheit = (weatherAt(lat, lon, at, weather).temperature - 273.15) * 1.8 + 32
    high = Math.max(high, fahrenheit)
    low = Math.min(low, fahrenheit)
    rain += precipRateAt(lat, lon, at) / 25.4
  }
  return { high: Math.round(high), low: Math.round(low), rain: Math.round(rain * 100) / 100 }
}

interface ReportIssue {
  readonly kind: 'CLI' | 'RER'
  readonly station: ReportStation
  /** The local day of the report. */
  readonly day: number
  readonly at: Instant
  readonly preliminary: boolean
}

const DAYS_LISTED = 5

/**
 * Yields a preliminary report in the afternoon and the final report after midnight. About every fifth station sets a
 * record.
 */
function* issuesOf(station: ReportStation, now: Instant): Iterable<ReportIssue> {
  const place = zone(station.timezone)
  for (let day = place.dayOf(now); day > place.dayOf(now) - DAYS_LISTED; day--) {
    const final = place.startOfDay(day + 1) + 40 * MINUTE
    const afternoon = place.at(day, 16) + 35 * MINUTE
    if (final <= now) yield { kind: 'CLI', station, day, at: final, preliminary: false }
    if (afternoon <= now) yield { kind: 'CLI', station, day, at: afternoon, preliminary: true }
    if (afternoon + 5 * MINUTE <= now && setsRecord(station, day))
      yield { kind: 'RER', station, day, at: afternoon + 5 * MINUTE, preliminary: true }
  }
}

const setsRecord = ({ lat, lon }: ReportStation, day: number) =>
  Math.abs(Math.round(lat * 7 + lon * 3) + day * 13) % 5 === 0

const idOf = ({ kind, station, day, preliminary }: ReportIssue) =>
  `simulated-${kind}-${station.code}-${day}-${preliminary ? 'p' : 'f'}`

const months = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
]
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function abbreviation(timezone: string, at: Instant): string {
  const offset = zone(timezone).offset(at) / HOUR
  const names: Readonly<Record<string, Readonly<Record<number, string>>>> = {
    'Pacific/Honolulu': { [-10]: 'HST' },
    'America/Anchorage': { [-9]: 'AKST', [-8]: 'AKDT' },
    'America/Los_Angeles': { [-8]: 'PST', [-7]: 'PDT' },
    'America/Denver': { [-7]: 'MST', [-6]: 'MDT' },
    'America/Phoenix': { [-7]: 'MST' },
    'America/Chicago': { [-6]: 'CST', [-5]: 'CDT' },
    'America/New_York': { [-5]: 'EST', [-4]: 'EDT' },
  }
  const name = names[timezone]?.[offset]
  if (name === undefined) throw new Error(`time zone ${timezone} has no abbreviation for an offset of ${offset} h`)
  return name
}

function timeLine({ station, at }: ReportIssue): string {
  const local = new Date(at + zone(station.timezone).offset(at))
  const hour = local.getUTCHours()
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}${String(local.getUTCMinutes()).padStart(2, '0')}`
  const month = months[local.getUTCMonth()]?.slice(0, 3)
  return `${clock} ${hour < 12 ? 'AM' : 'PM'} ${abbreviation(station.timezone, at)} ${weekdays[local.getUTCDay()]} ${month} ${local.getUTCDate()} ${local.getUTCFullYear()}`
}

function textOf(issue: ReportIssue): string {
  const { kind, station, day, at } = issue
  const stamp = new Date(at).toISOString()
  const wmo = `${kind === 'CLI' ? 'CDUS' : 'SXUS'}${station.region} ${station.office} ${stamp.slice(8, 10)}${stamp.slice(11, 13)}${stamp.slice(14, 16)}`
  const head = `000\n${wmo}\n${kind}${station.code}\n\n`
  const date = new Date(day * DAY)
  const dateName = `${months[date.getUTCMonth()]} ${date.getUTCDate()} ${date.getUTCFullYear()}`
  const measured = simulatedDay(station, day, issue.preliminary ? at : undefined)
  if (kind === 'RER') return `${head}${recordText(issue, measured)}`
  return `${head}${reportText(issue, measured, dateName)}`
}

function recordText(issue: ReportIssue, { high }: SimulatedDay): string {
  const { name } = issue.station
  return `RECORD EVENT REPORT
NATIONAL WEATHER SERVICE ${issue.station.place.toUpperCase()}
${timeLine(issue)}

...RECORD HIGH TEMPERATURE SET AT ${name}...

A RECORD HIGH TEMPERATURE OF ${high} DEGREES WAS SET AT ${name} TODAY.
THIS BREAKS THE OLD RECORD OF ${high - 1} DEGREES SET IN 1953.

THIS IS SIMULATED DATA, NOT WEATHER.

$$
`
}

function reportText(issue: ReportIssue, { high, low, rain }: SimulatedDay, dateName: string): string {
  const { station, day, preliminary } = issue
  const normal = simulatedNormal(
    station.lat,
    Math.floor((day * DAY - Date.UTC(new Date(day * DAY).getUTCFullYear(), 0, 1)) / DAY),
  )
  const [normalHigh, normalLow] = [Math.round(normal.high), Math.round(normal.low)]
  const mean = (a: number, b: number) => Math.round((a + b) / 2)
  const row = (label: string, value: number, time: string, record: number, year: number, normalValue: number) =>
    `  ${label.padEnd(13)}${String(value).padStart(5)}  ${time.padStart(7)} ${String(record).padStart(3)}    ${year} ${String(normalValue).padStart(3)}    ${String(value - normalValue).padStart(3)}       ${String(normalValue + 1).padStart(2)}`
  const word = preliminary ? 'TODAY' : 'YESTERDAY'
  const inches = (value: number) => value.toFixed(2).padStart(5)
  return `CLIMATE REPORT
NATIONAL WEATHER SERVICE ${station.place.toUpperCase()}
${timeLine(issue)}

...................................

...THE ${station.name} CLIMATE SUMMARY FOR ${dateName}...
${preliminary ? 'VALID TODAY AS OF 0400 PM LOCAL TIME.\n' : ''}
CLIMATE NORMAL PERIOD 1991 TO 2020
CLIMATE RECORD PERIOD 1900 TO 2025

SIMULATED DATA, NOT WEATHER

WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST
                VALUE   (LST)  VALUE       VALUE  FROM      YEAR
                                                  NORMAL
..................................................................
TEMPERATURE (F)
 ${word}
${row('MAXIMUM', high, '330 PM', normalHigh + 20, 1953, normalHigh)}
${row('MINIMUM', low, '511 AM', normalLow - 20, 1936, normalLow)}
  AVERAGE      ${String(mean(high, low)).padStart(5)}                       ${String(mean(normalHigh, normalLow)).padStart(3)}

PRECIPITATION (IN)
  ${word.padEnd(15)}${rain === 0 ? '  0.00' : ` ${inches(rain)}`}          2.61 1972   0.08
  MONTH TO DATE  ${inches(rain + 1)}
  SINCE JAN 1    ${inches(rain + 12)}

SNOWFALL (IN)
  ${word.padEnd(15)}  0.0           MM      MM   0.0
  SNOW DEPTH         0

DEGREE DAYS
..................................................................

$$
`
}

const texts: SimulatedHost = {
  host: 'api.weather.gov',
  find(path, _query, now) {
    const list = /^\/products\/types\/(CLI|RER)(?:\/locations(?:\/([A-Z]{3}))?)?$/.exec(path)
    if (list) {
      const [, kind, code] = list
      if (path.endsWith('/locations')) {
        const locations = Object.fromEntries(reportStations.map((station) => [station.code, station.place]))
        return json({ '@context': {}, locations }, now)
      }
      const issues = reportStations
        .filter((station) => code === undefined || station.code === code)
        .flatMap((station) => [...issuesOf(station, now)])
        .filter((issue) => issue.kind === kind)
        .sort((a, b) => b.at - a.at)
      return json({ '@context': {}, '@graph': issues.map(entryOf) }, now)
    }
    const id = /^\/products\/(simulated-[\w-]+)$/.exec(path)?.[1]
    if (id === undefined) return undefined
    const [, , code, day, form] = id.split('-')
    const station = reportStations.find((candidate) => candidate.code === code)
    const issues = station ? [...issuesOf(station, now)] : []
    const issue = issues.find((candidate) => idOf(candidate) === id && String(candidate.day) === day)
    return issue && form ? json({ ...entryOf(issue), productText: textOf(issue) }, issue.at) : undefined
  },
}

function entryOf(issue: ReportIssue): object {
  const { kind, station, at } = issue
  const id = idOf(issue)
  return {
    '@id': `https://api.weather.gov/products/${id}`,
    id,
    wmoCollectiveId: `${kind === 'CLI' ? 'CDUS' : 'SXUS'}${station.region}`,
    issuingOffice: station.office,
    issuanceTime: new Date(at).toISOString().replace('.000Z', '+00:00'),
    productCode: kind,
    productName: kind === 'CLI' ? 'Climatological Report (Daily)' : 'Record Event Report',
  }
}

function json(value: unknown, lastModified: Instant): MirrorObject {
  return resource(JSON.stringify(value), lastModified, 'application/ld+json')
}

/** Hosts of NCEI's normals for the simulated climate, and of climate reports about the simulated weather. */
export const climateSources: readonly SimulatedHost[] = [ncei, bucket, texts]

export const sources = (): readonly SimulatedHost[] => climateSources
