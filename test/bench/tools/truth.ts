import { fallenInHour, precipRateAt, type SimulatedWeather, weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { stormsAt } from '../../../infra/simulator/storms.ts'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'

/** The true weather of the simulated sky, without any code of the server that is measured. */

export { HOUR, MINUTE }

export interface Town {
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly timezone: string
}

const town = (name: string, lat: number, lon: number, timezone: string): Town => ({ name, lat, lon, timezone })

/** Towns of the lower 48 states. */
export const towns: readonly Town[] = [
  town('Denver, CO', 39.739, -104.985, 'America/Denver'),
  town('Phoenix, AZ', 33.448, -112.074, 'America/Phoenix'),
  town('Boston, MA', 42.358, -71.06, 'America/New_York'),
  town('Miami, FL', 25.774, -80.194, 'America/New_York'),
  town('Seattle, WA', 47.606, -122.332, 'America/Los_Angeles'),
  town('Chicago, IL', 41.85, -87.65, 'America/Chicago'),
  town('Atlanta, GA', 33.749, -84.388, 'America/New_York'),
  town('Dallas, TX', 32.783, -96.807, 'America/Chicago'),
  town('Fargo, ND', 46.877, -96.79, 'America/Chicago'),
  town('Boise, ID', 43.614, -116.203, 'America/Boise'),
  town('Omaha, NE', 41.259, -95.938, 'America/Chicago'),
  town('Tulsa, OK', 36.154, -95.993, 'America/Chicago'),
  town('Reno, NV', 39.53, -119.814, 'America/Los_Angeles'),
  town('Billings, MT', 45.783, -108.501, 'America/Denver'),
  town('Albany, NY', 42.653, -73.756, 'America/New_York'),
  town('Richmond, VA', 37.554, -77.46, 'America/New_York'),
  town('Memphis, TN', 35.15, -90.049, 'America/Chicago'),
  town('Mobile, AL', 30.694, -88.043, 'America/Chicago'),
  town('Tucson, AZ', 32.222, -110.926, 'America/Phoenix'),
  town('Portland, OR', 45.523, -122.676, 'America/Los_Angeles'),
  town('Portland, ME', 43.661, -70.255, 'America/New_York'),
  town('Duluth, MN', 46.783, -92.107, 'America/Chicago'),
  town('El Paso, TX', 31.759, -106.487, 'America/Denver'),
  town('Savannah, GA', 32.084, -81.1, 'America/New_York'),
]

/** Towns in Alaska and Hawaii. */
export const farTowns: readonly Town[] = [
  town('Anchorage, AK', 61.218, -149.9, 'America/Anchorage'),
  town('Honolulu, HI', 21.307, -157.858, 'Pacific/Honolulu'),
  town('Fairbanks, AK', 64.838, -147.716, 'America/Anchorage'),
  town('Hilo, HI', 19.73, -155.09, 'Pacific/Honolulu'),
]

/** Places more than 460 km from every weather radar. */
export const withoutRadar: readonly Town[] = [
  town('Adak, AK', 51.88, -176.658, 'America/Adak'),
  town('Utqiaġvik, AK', 71.29, -156.789, 'America/Anchorage'),
]

export const fahrenheit = (kelvin: number) => (kelvin - 273.15) * 1.8 + 32
export const mph = (metresPerSecond: number) => metresPerSecond / 0.44704
export const inches = (mm: number) => mm / 25.4

export const airAt = ({ lat, lon }: Pick<Town, 'lat' | 'lon'>, at: number): SimulatedWeather => weatherAt(lat, lon, at)
/** Liquid of one hour that ends at `end`, mm. */
export const fallenAt = ({ lat, lon }: Pick<Town, 'lat' | 'lon'>, end: number) => fallenInHour(lat, lon, end).liquid

export const hourOf = (now: number) => Math.floor(now / HOUR) * HOUR
/** The hours from `from` on. */
export const hoursFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i * HOUR)

/** Local midnight `days` after the day of `now`, found by the clock of the zone. */
export function midnight(now: number, timezone: string, days = 0): number {
  const at = hourOf(now) + days * 24 * HOUR
  const local = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  const minutesAt = (time: number) => {
    const parts = local.formatToParts(time)
    const part = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    return part('hour') * 60 + part('minute')
  }
  const first = at - minutesAt(at) * MINUTE
  // A change of the clock on this day moves midnight by an hour.
  const off = minutesAt(first)
  return off === 0 ? first : off > 720 ? first + (1440 - off) * MINUTE : first - off * MINUTE
}

export const inZone = (at: number, timezone: string, options: Intl.DateTimeFormatOptions) =>
  new Date(at).toLocaleString('en-US', { timeZone: timezone, ...options }).replaceAll('\u202f', ' ')

export function kmBetween(a: Pick<Town, 'lat' | 'lon'>, b: Pick<Town, 'lat' | 'lon'>): number {
  const radians = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lon - a.lon) * radians) / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(h))
}

/** Whether nothing falls within 80 km of a place from 10 minutes ago to 90 minutes ahead. */
export function isDryAround(place: Pick<Town, 'lat' | 'lon'>, now: number): boolean {
  for (let minutes = -10; minutes <= 90; minutes += 10)
    for (const dy of [-0.7, -0.35, 0, 0.35, 0.7])
      for (const dx of [-0.9, -0.45, 0, 0.45, 0.9])
        if (precipRateAt(place.lat + dy, place.lon + dx, now + minutes * MINUTE) > 0) return false
  return true
}

/** Storms of the lower 48 states that stay strong from ten minutes ago to ten minutes ahead, with their present points. */
export function strongStorms(now: number): { readonly lat: number; readonly lon: number }[] {
  const isStrong = (id: string) =>
    [-10, 0, 10].every((minutes) =>
      stormsAt(now + minutes * MINUTE).some(({ storm, rate }) => storm.id === id && rate > 10),
    )
  return stormsAt(now)
    .filter(
      ({ storm, lat, lon }) =>
        lat > (lon < -106 ? 34 : 31) && lat < 46 && lon > -117 && lon < -84 && isStrong(storm.id),
    )
    .map(({ lat, lon }) => ({ lat: Math.round(lat * 1000) / 1000, lon: Math.round(lon * 1000) / 1000 }))
}

/** Sunrise and sunset of a local day by the equations of NOAA's solar calculator, ms; undefined if the sun stays up or down. */
export function sunOf(
  { lat, lon }: Pick<Town, 'lat' | 'lon'>,
  noon: number,
): { rise: number; set: number } | undefined {
  const rad = Math.PI / 180
  const at = (time: number) => {
    const century = (time / 86_400_000 + 2440587.5 - 2451545) / 36525
    const mean = 280.46646 + century * (36000.76983 + century * 0.0003032)
    const anomaly = 357.52911 + century * (35999.05029 - 0.0001537 * century)
    const eccentricity = 0.016708634 - century * 0.000042037
    const centre =
      Math.sin(anomaly * rad) * (1.914602 - century * 0.004817) +
      Math.sin(2 * anomaly * rad) * 0.019993 +
      Math.sin(3 * anomaly * rad) * 0.000289
    const apparent = mean + centre - 0.00569 - 0.00478 * Math.sin((125.04 - 1934.136 * century) * rad)
    const tilt = 23.4393 - 0.013 * century + 0.00256 * Math.cos((125.04 - 1934.136 * century) * rad)
    const declination = Math.asin(Math.sin(tilt * rad) * Math.sin(apparent * rad)) / rad
    const y = Math.tan((tilt / 2) * rad) ** 2
    const equation =
      (4 / rad) *
      (y * Math.sin(2 * mean * rad) -
        2 * eccentricity * Math.sin(anomaly * rad) +
        4 * eccentricity * y * Math.sin(anomaly * rad) * Math.cos(2 * mean * rad) -
        0.5 * y * y * Math.sin(4 * mean * rad) -
        1.25 * eccentricity * eccentricity * Math.sin(2 * anomaly * rad))
    const cosine =
      Math.cos(90.833 * rad) / (Math.cos(lat * rad) * Math.cos(declination * rad)) -
      Math.tan(lat * rad) * Math.tan(declination * rad)
    return { equation, hour: Math.abs(cosine) > 1 ? undefined : Math.acos(cosine) / rad }
  }
  const day = Math.floor((noon + (lon / 15) * HOUR) / 86_400_000) * 86_400_000
  const edge = (side: 1 | -1): number | undefined => {
    let time = noon
    for (let i = 0; i < 3; i++) {
      const { equation, hour } = at(time)
      if (hour === undefined) return undefined
      time = day + (720 - 4 * (lon - side * hour) - equation) * MINUTE
    }
    return time
  }
  const [rise, set] = [edge(-1), edge(1)]
  return rise === undefined || set === undefined ? undefined : { rise, set }
}

/** The share of the moon that is lit, percent, by the chief terms of its phase (Meeus, chapter 48). */
export function moonLit(at: number): number {
  const rad = Math.PI / 180
  const t = (at / 86_400_000 + 2440587.5 - 2451545) / 36525
  const d = (297.8501921 + 445267.1114034 * t) * rad
  const sun = (357.5291092 + 35999.0502909 * t) * rad
  const moon = (134.9633964 + 477198.8675055 * t) * rad
  const angle =
    180 -
    d / rad -
    6.289 * Math.sin(moon) +
    2.1 * Math.sin(sun) -
    1.274 * Math.sin(2 * d - moon) -
    0.658 * Math.sin(2 * d)
  return 50 * (1 + Math.cos(angle * rad))
}
