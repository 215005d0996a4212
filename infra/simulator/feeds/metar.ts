import { gzipSync } from 'node:zlib'
import { HOUR, MINUTE, stamp } from '../../../ingest/domain/time.ts'
import { type Station, stations } from '../../../ingest/geo/site.ts'
import { emptyWeather, fallenInHour, type SimulatedWeather, weatherAt } from '../atmosphere.ts'
import { nameTag, type SimulatedHost } from '../source.ts'

const KNOT = 1852 / 3600

/**
 * Peculiarities of stations and reports. Each number means that one of this many stations or hours has the peculiarity.
 */
const oddities = {
  /** The station's clock is three hours ahead. */
  clock: 401,
  /** The station does not report in this hour. */
  gap: 53,
  /** The altimeter group is truncated. */
  cut: 97,
  /** The station issues a special report at half past. */
  special: 7,
  /** The report of the hour is corrected five minutes later. */
  corrected: 61,
  /** The row has no coordinates. */
  placeless: 113,
  /** The visibility is `10 SM`, with a space. */
  blank: 89,
} as const

export interface SimulatedReport {
  readonly station: Station
  readonly at: number
  readonly raw: string
  readonly special: boolean
  /** Time at which upstream publishes the report. */
  readonly received: number
}

function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

const isOdd = (station: Station, kind: keyof typeof oddities, hour = '') =>
  hash(`${station.id} ${kind} ${hour}`) % oddities[kind] === 0

const weather = emptyWeather()
const two = (n: number) => String(n).padStart(2, '0')
const three = (n: number) => String(n).padStart(3, '0')

/** Returns the report of a station without defects, with temperatures to 0.1 °C and at most 0.2 °C of noise. */
export function truthAt(station: Pick<Station, 'id' | 'lat' | 'lon'>, at: number) {
  const w: SimulatedWeather = weatherAt(station.lat, station.lon, at, weather)
  const noise = ((hash(`${station.id} ${at}`) % 5) - 2) / 10
  const temperature = Math.round((w.temperature - 273.15 + noise) * 10) / 10
  const dewPoint = Math.min(temperature, Math.round((w.dewPoint - 273.15 + noise) * 10) / 10)
  return {
    temperature,
    dewPoint,
    knots: Math.round(w.windSpeed / KNOT),
    gustKnots: Math.round(w.windGust / KNOT),
    direction: Math.round(w.windDirection / 10) * 10 || 360,
    miles: w.visibility / 1609.344,
    inches: Math.round(w.pressure / 33.86389),
    cloudCover: w.cloudCover,
    ceilingFt: Number.isNaN(w.ceiling) ? undefined : Math.round(w.ceiling / 30.48) * 100,
    rate: w.precipRate,
    snow: w.snowFraction > 0.5,
    fallen: fallenInHour(station.lat, station.lon, at).liquid,
  }
}

const signed = (celsius: number) =>
  Math.round(celsius) < 0 || Object.is(Math.round(celsius), -0)
    ? `M${two(-Math.round(celsius))}`
    : two(Math.round(celsius))
const tenths = (celsius: number) => `${celsius < 0 ? 1 : 0}${three(Math.round(Math.abs(celsius) * 10))}`

function rawOf(station: Station, at: number, special: boolean, corrected: boolean): string {
  const t = truthAt(station, at)
  const clockTime = isOdd(station, 'clock') ? at + 3 * HOUR : at
  const { day, hour, minute } = stamp(clockTime)
  const gust = t.gustKnots >= t.knots + 5 && t.knots > 0 ? `G${two(t.gustKnots)}` : ''
  const wind = t.knots < 3 ? '00000KT' : `${three(t.direction)}${two(t.knots)}${gust}KT`
  const visibility =
    t.miles >= 9.5
      ? isOdd(station, 'blank')
        ? '10 SM'
        : '10SM'
      : t.miles >= 1
        ? `${Math.round(t.miles)}SM`
        : t.miles < 0.25
          ? 'M1/4SM'
          : t.miles < 0.6
            ? '1/2SM'
            : '3/4SM'
  const strength = t.rate > 7 ? '+' : t.rate < 2.5 ? '-' : ''
  const falling = t.rate > 0.1 ? ` ${strength}${t.snow ? 'SN' : 'RA'}` : t.miles < 0.6 ? ' FG' : ''
  const base = three(Math.min(250, Math.max(1, Math.round((t.ceilingFt ?? 5000) / 100))))
  const sky =
    t.cloudCover < 5
      ? 'CLR'
      : `${t.cloudCover < 30 ? 'FEW' : t.cloudCover <= 55 ? 'SCT' : t.cloudCover < 88 ? 'BKN' : 'OVC'}${base}`
  const altimeter = isOdd(station, 'cut') ? 'A30' : `A${t.inches}`
  // A gauge reports a trace as P0000, and no group only if nothing fell.
  const hundredths = Math.min(9999, Math.round(t.fallen / 0.254))
  const amount = special || (t.fallen === 0 && t.rate <= 0.1) ? '' : ` P${String(hundredths).padStart(4, '0')}`
  return `${special ? 'SPECI' : 'METAR'} ${station.id} ${day.slice(6)}${hour}${minute}Z ${corrected ? 'COR' : 'AUTO'} ${wind} ${visibility}${falling} ${sky} ${signed(t.temperature)}/${signed(t.dewPoint)} ${altimeter} RMK AO2${amount} T${tenths(t.temperature)}${tenths(t.dewPoint)}`
}

/**
 * Returns the reports of a station for the hour that begins at `hour`, in the order in which upstream publishes them.
 */
export function reportsInHour(station: Station, hour: number): SimulatedReport[] {
  const list: SimulatedReport[] = []
  const add = (at: number, special: boolean, corrected: boolean, received: number) =>
    list.push({ station, at, special, received, raw: rawOf(station, at, special, corrected) })
  const clock = String(hour / HOUR)
  if (isOdd(station, 'special', clock)) add(hour + 30 * MINUTE, true, false, hour + 32 * MINUTE)
  if (isOdd(station, 'gap', clock)) return list
  const at = hour + (51 + (hash(station.id) % 6)) * MINUTE
  add(at, false, false, at + 2 * MINUTE)
  if (isOdd(station, 'corrected', clock)) add(at, false, true, at + 7 * MINUTE)
  return list
}

/** Returns the reports of a station that upstream has at `now`, newest first. */
export function receivedReports(station: Station, now: number, hours = 3): SimulatedReport[] {
  const list: SimulatedReport[] = []
  const running = Math.floor(now / HOUR) * HOUR
  for (let back = 0; back <= hours; back++)
    list.push(
      ...reportsInHour(station, running - back * HOUR)
        .filter(({ received }) => received <= now)
        .reverse(),
    )
  return list
}

const HEADER =
  'raw_text,station_id,observation_time,latitude,longitude,temp_c,dewpoint_c,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,metar_type,elevation_m'

/** Returns the newest report of every station, in the format of aviationweather.gov's cache. */
export function cacheText(now: number, reporting: readonly Station[] = stations()): string {
  const lines = ['No errors', 'No warnings', '12 ms', 'data source=metars', '0 results', HEADER]
  for (const station of reporting) {
    const [report] = receivedReports(station, now)
    if (!report) continue
    const [lat, lon] = isOdd(station, 'placeless') ? ['', ''] : [station.lat.toFixed(4), station.lon.toFixed(4)]
    lines.push(
      `${report.raw},${station.id},${new Date(report.at).toISOString()},${lat},${lon},,,,,,,,,,,${report.special ? 'SPECI' : 'METAR'},${station.elevation_m ?? ''}`,
    )
  }
  return `${lines.join('\n')}\n`
}

function stationsText(): string {
  return JSON.stringify(
    stations().map(({ id, name, state, lat, lon, elevation_m }) => ({
      id,
      icaoId: id,
      iataId: id.startsWith('K') ? id.slice(1) : null,
      faaId: id.startsWith('K') ? id.slice(1) : null,
      site: name,
      state,
      country: 'US',
      lat,
      lon,
      elev: elevation_m,
      siteType: ['METAR'],
    })),
  )
}

/** Returns the reports of a tgftp cycle, which begins 15 minutes before the hour of its name. */
function cycleText(hour: number, now: number): string {
  const blocks: string[] = []
  for (const station of stations()) {
    for (const start of [hour - HOUR, hour]) {
      for (const { raw, at, received } of reportsInHour(station, start)) {
        if (at < hour - 15 * MINUTE || at >= hour + 45 * MINUTE || received > now) continue
        const { day, hour: clock, minute } = stamp(received)
        blocks.push(
          `${day.slice(0, 4)}/${day.slice(4, 6)}/${day.slice(6)} ${clock}:${minute}\n${raw.replace(/^METAR |^SPECI /, '')}\n\n`,
        )
      }
    }
  }
  return blocks.join('')
}

const CACHE = '/data/cache/metars.cache.csv.gz'
const TABLE = '/data/cache/stations.cache.json.gz'

/**
 * Hosts on which the real stations report the simulated weather, with gaps, corrections, special reports, wrong clocks
 * and malformed groups.
 */
export const metarSources: readonly SimulatedHost[] = [
  {
    host: 'aviationweather.gov',
    find(path, _query, now) {
      if (path === CACHE) {
        const minute = Math.floor(now / MINUTE) * MINUTE
        return {
          etag: nameTag(`metars ${minute}`),
          lastModified: minute,
          type: 'application/gzip',
          body: () => gzipSync(cacheText(minute), { level: 1 }),
        }
      }
      if (path !== TABLE) return undefined
      const day = Math.floor(now / (24 * HOUR)) * 24 * HOUR
      return {
        etag: nameTag(`stations ${day}`),
        lastModified: day,
        type: 'application/gzip',
        body: () => gzipSync(stationsText(), { level: 1 }),
      }
    },
  },
  {
    host: 'tgftp.nws.noaa.gov',
    find(path, _query, now) {
      const part = /^\/data\/observations\/metar\/cycles\/(\d\d)Z\.TXT$/.exec(path)
      if (!part || Number(part[1]) > 23) return undefined
      let hour = Math.floor((now + 15 * MINUTE) / HOUR) * HOUR
      while (new Date(hour).getUTCHours() !== Number(part[1])) hour -= HOUR
      const minute = Math.floor(Math.min(now, hour + HOUR) / MINUTE) * MINUTE
      return {
        etag: nameTag(`cycle ${hour} ${minute}`),
        lastModified: minute,
        type: 'text/plain',
        body: () => Buffer.from(cycleText(hour, minute)),
      }
    },
  },
]

export const sources = (): readonly SimulatedHost[] => metarSources
