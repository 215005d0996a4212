import { HOUR, MINUTE, stamp } from '../../../ingest/domain/time.ts'
import { stations } from '../../../ingest/geo/site.ts'
import { emptyWeather, weatherAt } from '../atmosphere.ts'
import { nameTag, type SimulatedHost } from '../source.ts'

export interface SimulatedMonitor {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  /** Whether the monitor measures the pollutant. */
  readonly pm25: boolean
  readonly ozone: boolean
  readonly pm10: boolean
}

let allMonitors: readonly SimulatedMonitor[] | undefined

/** Returns the monitors, which are near every second station. One in five measures all three pollutants. */
export function monitors(): readonly SimulatedMonitor[] {
  allMonitors ??= stations()
    .filter((_, index) => index % 2 === 0)
    .map(({ name, state, lat, lon }, index) => ({
      id: `840${String(index).padStart(6, '0')}`,
      name: `${name} monitor`,
      state,
      lat: Math.round((lat + 0.05) * 1e4) / 1e4,
      lon: Math.round((lon - 0.05) * 1e4) / 1e4,
      pm25: index % 5 !== 1,
      ozone: index % 5 !== 2,
      pm10: index % 5 === 0,
    }))
  return allMonitors
}

const weather = emptyWeather()

/** Returns the air quality indexes of the pollutants at a monitor in the hour that begins at `hour`. */
export function airAt(lat: number, lon: number, hour: number): { pm25: number; ozone: number; pm10: number } {
  const w = weatherAt(lat, lon, hour + HOUR / 2, weather)
  const smoke = w.smoke * 1e9
  return {
    pm25: Math.round(8 + 3 * smoke),
    ozone: Math.round(15 + 0.06 * w.solar + (w.ozone - 270) / 6),
    pm10: Math.round(5 + smoke),
  }
}

const NAMES =
  'AQSID,SiteName,Status,EPARegion,Latitude,Longitude,Elevation,GMTOffset,CountryCode,StateName,ValidDate,ValidTime,DataSource,ReportingArea_PipeDelimited,OZONE_AQI,PM10_AQI,PM25_AQI,NO2_AQI'.split(
    ',',
  )
const quoted = (cells: readonly (string | number)[]) => cells.map((cell) => `"${cell}"`).join(',')

function hourlyText(hour: number, revision: number): string {
  const { day, hour: clock } = stamp(hour)
  const date = `${day.slice(4, 6)}/${day.slice(6)}/${day.slice(0, 4)}`
  const lines = [quoted(NAMES)]
  for (const [index, monitor] of monitors().entries()) {
    // The first edition lacks every fourth monitor. One monitor in a hundred is inactive.
    if (revision === 0 && index % 4 === 3) continue
    const air = airAt(monitor.lat, monitor.lon, hour)
    const status = index % 100 === 99 ? 'Inactive' : 'Active'
    const value = (isMeasured: boolean, aqi: number) => (isMeasured ? aqi : '')
    lines.push(
      quoted([
        monitor.id,
        monitor.name,
        status,
        'R0',
        monitor.lat,
        monitor.lon,
        '0.0',
        '-6',
        'US',
        monitor.state,
        date,
        `${clock}:00`,
        'Simulated agency',
        '',
        value(monitor.ozone, air.ozone),
        value(monitor.pm10, air.pm10),
        value(monitor.pm25, air.pm25),
        '',
      ]),
    )
  }
  return `${lines.join('\n')}\n`
}

const dateOf = (at: number) => {
  const { day } = stamp(at)
  return `${day.slice(4, 6)}/${day.slice(6)}/${day.slice(2, 4)}`
}

/** Returns forecasts for areas around every tenth monitor, for today and the next three days. */
function areasText(now: number): string {
  const lines: string[] = []
  const noon = Math.floor(now / (24 * HOUR)) * 24 * HOUR + 18 * HOUR
  for (const monitor of monitors().filter((_, index) => index % 10 === 0)) {
    for (let ahead = 0; ahead <= 3; ahead++) {
      const air = airAt(monitor.lat, monitor.lon, noon + ahead * 24 * HOUR)
      for (const [pollutant, aqi] of [
        ['PM2.5', air.pm25],
        ['OZONE', air.ozone],
      ] as const) {
        lines.push(
          [
            dateOf(now),
            dateOf(noon + ahead * 24 * HOUR),
            '',
            'CST',
            ahead,
            'F',
            pollutant === 'OZONE' ? 'Y' : 'N',
            monitor.name,
            monitor.state,
            monitor.lat,
            monitor.lon,
            pollutant,
            ahead === 3 ? '' : aqi,
            aqi <= 50 ? 'Good' : 'Moderate',
            'No',
            '',
            'Simulated agency',
          ].join('|'),
        )
      }
    }
  }
  return `${lines.join('\n')}\n`
}

/**
 * The host `files.airnowtech.org`. The file of an hour appears 25 minutes after the end of the hour and is revised 20
 * minutes later.
 */
export const airnowSource: SimulatedHost = {
  host: 'files.airnowtech.org',
  find(path, _query, now) {
    if (path === '/airnow/today/reportingarea.dat') {
      const half = Math.floor((now - 25 * MINUTE) / (30 * MINUTE)) * 30 * MINUTE + 25 * MINUTE
      return {
        etag: nameTag(`areas ${half}`),
        lastModified: half,
        type: 'text/plain',
        body: () => Buffer.from(areasText(half)),
      }
    }
    const part = /^\/airnow\/\d{4}\/\d{8}\/HourlyAQObs_(\d{4})(\d\d)(\d\d)(\d\d)\.dat$/.exec(path)
    if (!part) return undefined
    const hour = Date.parse(`${part[1]}-${part[2]}-${part[3]}T${part[4]}:00:00Z`)
    const first = hour + HOUR + 25 * MINUTE
    if (Number.isNaN(hour) || now < first || now > hour + 48 * HOUR) return undefined
    const revision = now >= first + 20 * MINUTE ? 1 : 0
    return {
      etag: nameTag(`${hour} ${revision}`),
      lastModified: first + revision * 20 * MINUTE,
      type: 'text/plain',
      body: () => Buffer.from(hourlyText(hour, revision)),
    }
  },
}

export const sources = (): readonly SimulatedHost[] => [airnowSource]
