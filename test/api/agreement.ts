import { expect } from 'vitest'
import { SUN_HORIZON, skyAt } from '../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Row = Record<string, any>

const sided = [
  'clear',
  'partly-cloudy',
  'mostly-cloudy',
  'showers',
  'thunder-showers',
  'snow-showers',
  'rain-snow-showers',
]
const plain = ['cloudy', 'rain', 'thunder-rain', 'thunderstorms', 'snow', 'rain-snow', 'sleet', 'fog', 'haze']
const types = ['none', 'rain', 'snow', 'freezing_rain', 'ice_pellets', 'wintry_mix', 'unknown']
const sentinels = new Set([-999, -9999, -99, -3, 88888, 99999])

/** Asserts that a conclusion holds wherever its premise does. `expect` of each value would take a third of the time of a test. */
function follows(premise: boolean, conclusion: boolean, about: string): void {
  if (premise && !conclusion) throw new Error(`does not hold: ${about}`)
}

/** Invariants of any imperial answer of `view=detailed`, whatever the weather. @param now of the request */
export function expectAgreement(answer: Row, now: number): void {
  noSentinel(answer, 'answer')
  const { lat, lon, timezone } = answer['location']
  const sky = skyAt(lat, lon)
  const hourly: Row[] = answer['hourly'] ?? []
  hourly.forEach((row, i) => {
    const where = `${lat},${lon} ${row['time']}`
    const at = Date.parse(row['time'])
    expect(at, where).toBe((Math.floor(now / HOUR) + 1 + i) * HOUR)
    rowAgrees(row, where, sky.sun(at))
  })
  if (answer['daily']) dailyAgrees(answer, hourly, now, timezone)
  if (answer['current']) iconAgrees(answer['current']['icon'], sky.sun(now), 'current')
}

function noSentinel(value: unknown, path: string): void {
  if (typeof value === 'number') {
    follows(true, Number.isFinite(value), path)
    // Sentinels depend on the field: -3 is a valid temperature, 9999 a valid height in feet.
    const isTemperature = value === -3 && /temp|feels|dew|high|low/.test(path)
    follows(sentinels.has(value), isTemperature, `${path} is ${value}`)
    follows(value === 9999, /snow_level|ceiling/.test(path), path)
  } else if (value && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) noSentinel(inner, `${path}.${name}`)
  }
}

function iconAgrees(icon: string, sun: number, where: string): void {
  const parts = /^(.*?)(?:-(day|night))?$/.exec(icon)!
  const [, family, side] = parts
  if (sided.includes(family!)) expect(side, `${where} ${icon}`).toBeDefined()
  else expect(plain, `${where} ${icon}`).toContain(family)
  const isClear = Boolean(side) && Math.abs(sun - SUN_HORIZON) > 0.002
  follows(isClear, side === (sun > SUN_HORIZON ? 'day' : 'night'), `${where} ${icon} sun ${sun}`)
}

const kelvin = (f: number) => (f + 459.67) / 1.8

function rowAgrees(row: Row, where: string, sun: number): void {
  const { temperature: t, dew_point: dew, humidity, wind_speed: speed, wind_gust: gust } = row
  const isMoist = t !== null && dew !== null
  follows(isMoist, dew <= t, `${where} ${dew} of ${t}`)
  follows(isMoist, Math.abs(humidity - relativeHumidity(kelvin(t), kelvin(dew))) <= 1.5, `${where} ${humidity} %`)
  follows(speed !== null && gust !== null, gust >= speed, `${where} gusts ${gust} of ${speed}`)
  const direction = row['wind_direction']
  follows(
    direction !== null,
    Number.isInteger(direction) && direction >= 0 && direction < 360,
    `${where} ${direction}°`,
  )
  const { precip_probability: chance, precip_amount: amount, precip_type: type } = row
  const wetness = `${where} ${type} ${chance} % ${amount}`
  follows(chance === 0, (amount ?? 0) === 0, wetness)
  follows(amount > 0, chance > 0, wetness)
  follows(amount === 0, (row['snow_amount'] ?? 0) === 0, wetness)
  follows(chance !== null, chance === Math.round(chance), wetness)
  expect(types, where).toContain(type)
  const isSure = chance !== null && amount !== null && Math.abs(amount - 0.01) > 0.0006
  follows(isSure, (type !== 'none') === (chance >= 15 || amount >= 0.01), wetness)
  typeAgrees(row, where)
  for (const name of ['humidity', 'cloud_cover', 'precip_probability', 'thunderstorm_probability']) {
    if (row[name] === null) continue
    expect(row[name], `${where} ${name}`).toBeGreaterThanOrEqual(0)
    expect(row[name], `${where} ${name}`).toBeLessThanOrEqual(100)
  }
  // The edges of the formula's domains may fall on the other side of a rounded value.
  if (t !== null && humidity !== null && speed !== null && Math.abs(t - 50) > 0.2 && Math.abs(speed - 3) > 0.1) {
    const felt =
      feelsLike(kelvin(t), relativeHumidity(kelvin(t), kelvin(dew)), (speed * 1609.344) / 3600) * 1.8 - 459.67
    // In humid air the heat index jumps by up to 5 °F between 78 and 80 °F, where NWS switches from the simple formula to the regression.
    follows(t < 78 || t > 80.1, Math.abs(felt - row['feels_like']) < 0.8, `${where} ${felt}`)
  }
  if (row['icon']) iconAgrees(row['icon'], sun, where)
}

/** Checks that a falling type has a probability. A mix is rain and snow, or snow and an icy type. */
function typeAgrees(row: Row, where: string): void {
  const [rain, snow, freezing, pellets] = ['rain', 'snow', 'freezing_rain', 'ice_pellets'].map(
    (kind): number => row[`precip_type_${kind}_prob`] ?? 0,
  ) as [number, number, number, number]
  const type: string = row['precip_type']
  if (type === 'none' || type === 'unknown' || rain + snow + freezing + pellets === 0) return
  const chance = type === 'wintry_mix' ? Math.min(snow, rain + freezing + pellets) : row[`precip_type_${type}_prob`]
  expect(chance, `${where} ${type}: ${rain}, ${snow}, ${freezing}, ${pellets}`).toBeGreaterThanOrEqual(20)
}

function dailyAgrees(answer: Row, hourly: Row[], now: number, timezone: string): void {
  const local = zone(timezone)
  const today = local.dayOf(now)
  const rows: Row[] = answer['daily']
  expect(rows.filter((row) => row['active_period'] !== null)).toHaveLength(1)
  const early = local.minuteOf(now) < 360
  expect(rows[0]?.['relative_day']).toBe(early ? -1 : 0)
  for (const row of rows) {
    const where = `${answer['location']['lat']},${answer['location']['lon']} ${row['date']}`
    const day = today + row['relative_day']
    expect(new Date(day * 86_400_000).toISOString().slice(0, 10), where).toBe(row['date'])
    const start = local.at(day, 6)
    const dusk = local.at(day, 18)
    const end = local.at(day + 1, 6)
    const isRunning = now >= start && now < end
    expect(row['active_period'], where).toBe(isRunning ? (now < dusk ? 'day' : 'night') : null)
    const within = (from: number, to: number) =>
      hourly.filter((hour) => Date.parse(hour['time']) >= from && Date.parse(hour['time']) < to)
    const ended = (from: number, to: number) =>
      hourly.filter((hour) => Date.parse(hour['time']) > from && Date.parse(hour['time']) <= to)
    for (const { temperature } of within(start, dusk))
      follows(temperature !== null && row['high'] !== null, row['high'] >= temperature, where)
    for (const { temperature } of within(dusk, end))
      follows(temperature !== null && row['low'] !== null, row['low'] <= temperature, where)
    // Probabilities and amounts are for the hour that ends at `time`.
    const from = Math.max(start, Math.floor(now / HOUR) * HOUR)
    for (const hour of ended(from, end)) {
      follows(hour['thunderstorm_probability'] >= 15, row['thunder_possible'] === true, where)
      const { precip_probability: chance } = row
      follows(chance !== null, chance >= (hour['precip_probability'] ?? 0), where)
    }
    // A value is unknown only if it is missing in most hours of a half.
    if (row['precip_probability'] === null && ended(from, end).length === (end - from) / HOUR) {
      const isThin = (hours: Row[]) =>
        hours.filter((hour) => hour['precip_probability'] !== null).length < 0.8 * hours.length
      expect(isThin(ended(from, dusk)) || isThin(ended(Math.max(from, dusk), end)), where).toBe(true)
    }
    for (const hour of within(start, end)) {
      follows(row['wind_gust_max'] !== null, row['wind_gust_max'] >= (hour['wind_gust'] ?? 0), where)
      expect(row['cape_max'], where).toBeGreaterThanOrEqual(hour['cape'] ?? 0)
      expect(row['severe'] || !hour['severe'], where).toBe(true)
      follows(hour['cape'] >= 1000, row['thunder_possible'] === true, where)
    }
    const covered = ended(start, end)
    if (covered.length === (end - start) / HOUR && !row['active_period']) {
      const sum = covered.reduce((total, hour) => total + hour['precip_amount'], 0)
      expect(Math.abs(row['precip_total'] - sum), where).toBeLessThan(0.0006 * covered.length)
      const snow = covered.reduce((total, hour) => total + (hour['snow_amount'] ?? 0), 0)
      expect(Math.abs((row['snow_total'] ?? 0) - snow), where).toBeLessThan(0.006 * covered.length)
    }
    expect(row['day']['temperature'], where).toBe(row['high'])
    expect(row['night']['temperature'], where).toBe(row['low'])
    const isWet = row['precip_total'] > 0 && !row['active_period'] && row['precip_probability'] !== null
    follows(isWet, row['precip_probability'] > 0, where)
    for (const half of ['day', 'night']) {
      const { precip_probability: chance, precip_total: total } = row[half]
      follows(chance === 0, (total ?? 0) === 0, where)
    }
  }
}
