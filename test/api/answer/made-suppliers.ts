import type {
  AlertAtPoint,
  OutlookAtPoint,
  PointAt,
  Suppliers,
  TextAtPoint,
  TextsAtPoint,
} from '../../../api/contract.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { TextIssue, TextKind } from '../../../ingest/domain/text/product.ts'
import { DAY, HOUR, isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { POLLUTANTS } from '../../../ingest/domain/weather/air-quality.ts'
import type { DailyNormal } from '../../../ingest/domain/weather/climate.ts'
import type { Observation } from '../../../ingest/domain/weather/observation.ts'
import { seeded } from '../../tile/made-slabs.ts'
import { disagreeing } from '../../walks/disagreeing-radar.ts'

/**
 * Every live source with data made from the place: all optional members come and go, lists are empty or not, and a source fails at
 * some places. Radar, nowcast and lightning are those of `disagreeing-radar.ts`.
 */

/** Numbers of the place, another sequence for each source. */
const randomAt = ({ lat, lon }: PointAt, source: string) =>
  seeded(Math.round(lat * 1e4) * 31 + Math.round(lon * 1e4) * 17 + source.length * 1009 + source.charCodeAt(0))

/** A quotation mark, a reverse solidus, a line end and letters of several bytes. */
const TEXT = 'Winds "up to" 50\\60 mph\nnear Utqiaġvik — stay in.'

function failAt(at: PointAt, source: string): void {
  const share = randomAt(at, `${source} fails`)()
  if (share < 0.05) throw new Fault('Refused', `${source}: no reply in time`)
  if (share < 0.08) throw new Fault('Missing', `${source}: nothing is stored`)
}

const trust = (at: PointAt, id: string) => ({
  warnings: [],
  freshness: [{ source: id, product_id: id, referenceTime: at.now - 5 * MINUTE }],
  degraded: false,
})

function alertAt(at: PointAt, i: number, random: () => number): AlertAtPoint {
  const [onset, ends] = [at.now + (i - 1) * HOUR, at.now + (i + 3) * HOUR]
  const severity = nth(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'], Math.floor(random() * 5))
  const event = nth(['Flood Watch', 'Red Flag Warning', 'Tornado Warning'], Math.floor(random() * 3))
  const base = { id: `urn:${i}`, event, severity, urgency: 'Expected', certainty: 'Likely' }
  const answer = {
    ...base,
    headline: TEXT,
    sender: 'NWS Boulder CO',
    status: 'Actual',
    onset: isoSeconds(onset),
    ends: isoSeconds(ends),
    effective: isoSeconds(onset),
    expires: isoSeconds(ends),
    expiration: isoSeconds(ends),
    link: `/v1/alerts?id=urn:${i}`,
    ...(random() < 0.5 && { area_desc: 'Denver; Adams' }),
    ...(random() < 0.3 && { highlights: { hail: '1 in' } }),
  }
  return {
    ...base,
    onset,
    ends,
    expiration: ends,
    rest: answer,
    full: () => ({ ...answer, description: TEXT, geometry: null }),
  }
}

function outlookAt(at: PointAt, i: number, random: () => number): OutlookAtPoint {
  const [valid, expires] = [at.now - HOUR + i * DAY, at.now + (i + 1) * DAY]
  const about = {
    type: nth(['severe', 'tornado', 'fire'], i % 3),
    day: i + 1,
    risk: nth(['SLGT', 'ENH', 'MDT'], i % 3),
  }
  const base = { product_id: `day${i + 1}otlk_cat`, ...about }
  const probability = random() < 0.5 ? 0.15 : undefined
  const answer = {
    ...base,
    risk_label: 'Slight Risk',
    ...(probability !== undefined && { probability }),
    ...(random() < 0.5 && { significant: false, intensity_group: 1 }),
    valid: isoSeconds(valid),
    expires: isoSeconds(expires),
  }
  return {
    ...base,
    riskLabel: 'Slight Risk',
    probability,
    valid,
    expires,
    ...(about.type !== 'fire' && { rest: answer }),
  }
}

function textAt(at: PointAt, kind: TextKind, random: () => number): TextAtPoint {
  const maybe = <T>(value: T) => (random() < 0.6 ? value : undefined)
  const issuedAt = at.now - Math.floor(random() * 600) * MINUTE
  const issue: TextIssue = {
    wmoAt: issuedAt,
    kind,
    awips: `${kind.toUpperCase()}BOU`,
    office: 'KBOU',
    subject: kind,
    issuedAt,
    currentUntil: issuedAt + DAY,
    expiresAt: maybe(issuedAt + 6 * HOUR),
    summary: maybe('Breezy.'),
    sections: {},
    body: TEXT,
    desk: 'SPD',
    ...(kind === 'afd' && { afd: { synopsis: maybe(TEXT), confidence: maybe('High.') } }),
    mesoscale: {
      number: Math.floor(random() * 2000),
      validFrom: issuedAt,
      concerning: maybe('Severe potential'),
      watch_probability: maybe(40),
      attention: [],
      ring: [],
    },
  }
  const segment = { zones: [], body: TEXT, summary: maybe('Snow.'), sections: {}, has_active_hazards: maybe(false) }
  return { id: `${kind}-1`, wfo: maybe('BOU') ?? null, issue, ...(kind !== 'afd' && { segment }) }
}

function textsAt(at: PointAt): TextsAtPoint {
  const random = randomAt(at, 'texts')
  const maybe = (kind: TextKind) => (random() < 0.6 ? textAt(at, kind, random) : undefined)
  const list = (kind: TextKind) =>
    random() < 0.1 ? undefined : Array.from({ length: Math.floor(random() * 3) }, () => textAt(at, kind, random))
  return {
    afd: maybe('afd'),
    hwo: maybe('hwo'),
    now: maybe('now'),
    hls: maybe('hls'),
    mcds: list('mcd'),
    mpds: list('mpd'),
    pmds: list('pmd') ?? [],
    doubts:
      random() < 0.1 ? [{ kind: 'afd', code: 'text_incomplete', detail: 'the newest AFD could not be read' }] : [],
    freshness: trust(at, 'nws-texts').freshness,
  }
}

function normalsAt(at: PointAt) {
  const random = randomAt(at, 'normals')
  const day = (): DailyNormal => {
    const known = (value: number) => (random() < 0.9 ? value : null)
    const high = 20 + 70 * random()
    return {
      ...{ high: known(high), low: known(high - 20), mean: known(high - 10), precip: known(0.07) },
      ...{ highStddev: known(8.1), lowStddev: known(6.4), meanStddev: known(7) },
      ...{ years: known(30), completeness: random() < 0.9 ? 'S' : null },
    }
  }
  const station = { id: 'USW00094765', name: 'DENVER', lat: at.lat, lon: at.lon, elevation: 1600 }
  const distanceKm = 90 * random()
  return { normals: { station, days: Array.from({ length: 366 }, day) }, distanceKm }
}

export const madeSuppliers: Suppliers = {
  ...disagreeing,
  async alerts(at) {
    failAt(at, 'alerts')
    const random = randomAt(at, 'alerts')
    const alerts = Array.from({ length: Math.floor(random() * 4) }, (_, i) => alertAt(at, i, random))
    return { alerts, nextChange: alerts.length > 0 ? at.now + HOUR : undefined, ...trust(at, 'nws-alerts') }
  },
  async outlooks(at) {
    failAt(at, 'outlooks')
    const random = randomAt(at, 'outlooks')
    const outlooks = Array.from({ length: Math.floor(random() * 4) }, (_, i) => outlookAt(at, i, random))
    return { outlooks, ...trust(at, 'spc-outlooks') }
  },
  async observations(at) {
    failAt(at, 'observations')
    const random = randomAt(at, 'observations')
    if (random() < 0.2) return trust(at, 'metar')
    const where = { lat: at.lat, lon: at.lon, elevation: random() < 0.5 ? 1655 : null }
    const state = random() < 0.5 ? 'CO' : null
    const none = { temperature: 3.3, dewPoint: null, windDirection: null, windSpeed: 4, windGust: null }
    const report: Observation = {
      ...{
        station: 'KDEN',
        observedAt: at.now - 20 * MINUTE,
        type: 'METAR' as const,
        corrected: false,
        auto: true,
        raw: 'KDEN',
      },
      ...{ ...none, visibility: 16093, pressure: null, weather: random() < 0.5 ? ['-RA', 'BR'] : [], ...where },
      ...(random() < 0.7 && { layers: [{ cover: 'BKN', ...(random() < 0.8 && { base_ft: 4000 }) }] }),
    }
    const station = { id: 'KDEN', name: 'Denver "Intl"', state, country: 'US', ...where }
    return { ...trust(at, 'metar'), nearest: { station, report, km: 12.345 } }
  },
  async airQuality(at) {
    failAt(at, 'air quality')
    const random = randomAt(at, 'air quality')
    const hour = at.now - 2 * HOUR
    const monitor = { id: '080310002', name: 'CAMP', lat: at.lat, lon: at.lon, hour, agency: 'CO', active: true }
    const readings = Object.fromEntries(
      POLLUTANTS.filter(() => random() < 0.7).map((name) => {
        const aqi = Math.floor(random() * 200)
        return [name, { monitor: { ...monitor, pm25: null, ozone: null, pm10: null }, km: 7.1, aqi }]
      }),
    )
    const aqi = Object.values(readings).reduce((most, reading) => Math.max(most, reading.aqi), -1)
    const monitors = Object.keys(readings).map((pollutant) => ({
      pollutant,
      id: 'a',
      name: 'b',
      distance_km: 7.1,
      hour,
    }))
    const { warnings, degraded } = trust(at, 'airnow')
    return {
      air: { readings, ...(aqi < 0 ? { aqi: null } : { aqi, category: 'Moderate' }) },
      forecast: (date) => (Number(date.slice(-1)) < 4 ? 55 : undefined),
      freshness: [{ source: 'airnow', product_id: 'airnow', referenceTime: hour, monitors }],
      ...{ warnings, degraded },
    }
  },
  async climate(at) {
    failAt(at, 'climate')
    return randomAt(at, 'climate')() < 0.2 ? {} : { nearest: normalsAt(at) }
  },
  async texts(at) {
    failAt(at, 'texts')
    return textsAt(at)
  },
}
