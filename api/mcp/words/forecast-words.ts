import { compassPoint } from '../../../ingest/geo/place.ts'
import type { CurrentValue, DayValue, HourValue, OutlookValue } from '../../answer/value.ts'
import type { AlertJson } from '../../live/alerts.ts'
import type { UnitLabels } from '../../present/units.ts'
import { clockFormat, dayName, phrase, shown, spanWords, valueWords } from './reply.ts'

/** Gusts are mentioned from this speed, by unit. */
const NOTABLE_GUST: Readonly<Record<string, number>> = { mph: 30, kph: 48, 'm/s': 13 }
const riskOrder = ['HIGH', 'MDT', 'ENH', 'SLGT', 'MRGL', 'TSTM']

/** Returns current conditions as a phrase; empty if nothing is known. */
export function nowWords(
  current: CurrentValue,
  units: UnitLabels,
  level: 'concise' | 'standard' | 'detailed' = 'standard',
): string {
  const isDetailed = level === 'detailed'
  const temperature = valueWords('', current.temperature, units.temperature)
  const feels = valueWords('feels like', current.feels_like, units.temperature)
  const feelsDifferent =
    typeof current.temperature === 'number' &&
    typeof current.feels_like === 'number' &&
    Math.abs(current.temperature - current.feels_like) >= 2
  return phrase(
    temperature && feels && feelsDifferent ? `${temperature} (${feels})` : (temperature ?? feels),
    current.conditions,
    windWords(current, units),
    isDetailed ? valueWords('gusts', current.wind_gust, units.wind_speed) : gustWords(current.wind_gust, units),
    level === 'concise' ? undefined : valueWords('humidity', current.humidity, '%'),
    level === 'concise' ? undefined : valueWords('AQI', current.aqi, ''),
    ...(isDetailed
      ? [
          valueWords('dew point', current.dew_point, units.temperature),
          valueWords('pressure', current.pressure, units.pressure),
          valueWords('visibility', current.visibility, units.visibility),
          current.cloud_ceiling === null && current.cloud_ceiling_unlimited
            ? 'ceiling unlimited'
            : valueWords('ceiling', current.cloud_ceiling, units.altitude),
          valueWords('clouds', current.cloud_cover, '%'),
          valueWords('UV', current.uv_index, ''),
        ]
      : []),
  )
}

/** Returns `wind SW 12 mph`, without an unknown direction; undefined without a speed. */
export function windWords(
  { wind_speed, wind_direction }: { readonly wind_speed?: number | null; readonly wind_direction?: number | null },
  units: Pick<UnitLabels, 'wind_speed'>,
): string | undefined {
  const from = typeof wind_direction === 'number' ? ` ${compassPoint(wind_direction)}` : ''
  return valueWords(`wind${from}`, wind_speed, units.wind_speed)
}

/** Returns `gusts 45 mph`; undefined for gusts that are not notable. */
export function gustWords(gust: number | null | undefined, units: UnitLabels): string | undefined {
  if (typeof gust !== 'number' || gust < (NOTABLE_GUST[units.wind_speed] ?? 30)) return undefined
  return `gusts ${shown(gust, units.wind_speed)}`
}

/** Returns an amount in hundredths of an inch or tenths of a millimetre; undefined below 0.01 in or 0.2 mm. */
export function amountWords(before: string, amount: number | null | undefined, label: string): string | undefined {
  const digits = label === 'in' ? 100 : 10
  const rounded = typeof amount === 'number' ? Math.round(amount * digits) / digits : 0
  return rounded >= (label === 'in' ? 0.01 : 0.2) ? `${before}${shown(rounded, label)}` : undefined
}

/** Explains the rows of days. */
export const DAYS_OF_ROWS =
  'Days with chances and amounts from 6 AM to 6 AM; the low (second) is of the night that follows:'

/** Returns `high 55, night low 32 °F`, in short `55/32 °F`; for the running day `today's high`, `tonight's low`. */
function rangeWords({ high, low, relative_day }: DayValue, units: UnitLabels, isShort: boolean): string {
  if (isShort && typeof high === 'number' && typeof low === 'number') return `${high}/${shown(low, units.temperature)}`
  const [day, night] =
    relative_day === 0
      ? ["today's high", "tonight's low"]
      : relative_day < 0
        ? ["yesterday's high", "tonight's low"]
        : ['high', 'night low']
  return typeof high === 'number' && typeof low === 'number'
    ? `${day} ${high}, ${night} ${shown(low, units.temperature)}`
    : phrase(valueWords(day, high, units.temperature), valueWords(night, low, units.temperature))
}

/**
 * Returns the precipitation of a day. For the running day, the amount so far is separate from the amount to come: the halves have only the amount to
 * come.
 */
function precipWords(row: DayValue, units: UnitLabels): string | undefined {
  const total = amountWords('', row.precip_total, units.precip_amount)
  if (row.relative_day > 0 || total === undefined || typeof row.precip_total !== 'number') return total
  const halves = [row.day?.precip_total, row.night?.precip_total].filter((amount) => typeof amount === 'number')
  if (halves.length === 0) return total
  const coming = Math.min(
    row.precip_total,
    halves.reduce((sum, amount) => sum + amount, 0),
  )
  const digits = units.precip_amount === 'in' ? 100 : 10
  const rounded = (amount: number) => Math.round(amount * digits) / digits
  // The two parts add up to the total as it is shown.
  const fallen = amountWords('', rounded(row.precip_total) - rounded(coming), units.precip_amount)
  return fallen
    ? `${total} (${fallen} fallen, ${amountWords('', coming, units.precip_amount) ?? `0 ${units.precip_amount}`} to come)`
    : total
}

/** Returns `Sat, Nov 21: high 55, night low 32 °F, Rain, 70%, 0.35 in, gusts 45 mph`; empty for a day without values. */
export function dayWords(
  day: DayValue,
  units: UnitLabels,
  length: 'brief' | 'short' | 'standard' | 'detailed' = 'standard',
): string {
  const isDetailed = length === 'detailed'
  const isBrief = length === 'brief'
  const words = phrase(
    rangeWords(day, units, length === 'short' || isBrief),
    day.conditions,
    (day.precip_probability ?? 0) > 0 ? shown(day.precip_probability, '%') : undefined,
    isBrief ? undefined : precipWords(day, units),
    amountWords('snow ', day.snow_total, units.precip_amount),
    amountWords('ice ', day.ice_total, units.precip_amount),
    isDetailed ? valueWords('gusts', day.wind_gust_max, units.wind_speed) : gustWords(day.wind_gust_max, units),
    ...(isDetailed
      ? [
          valueWords('UV', day.uv_index_max, ''),
          (day.cape_max ?? 0) > 0 ? valueWords('CAPE', day.cape_max, '') : undefined,
          valueWords('visibility', day.visibility_min, units.visibility),
          (day.thunderstorm_probability_max ?? 0) > 0
            ? valueWords('thunder', day.thunderstorm_probability_max, '%')
            : undefined,
        ]
      : []),
  )
  return words && `${dayName(day.date)}: ${words}`
}

/** Returns the count of alerts, then every listed alert with its end, in the given order. */
export function alertWords(alerts: readonly AlertJson[], total: number, now: number, timezone: string): string {
  const list = alerts.map((alert) => `${alert.event} (${alert.severity}) ${spanWords(alert, now, timezone)}`)
  const more = total > alerts.length ? `; ${total - alerts.length} more in data of get_alerts` : ''
  return `${total} active ${total === 1 ? 'alert' : 'alerts'}: ${list.join('; ')}${more}.`
}

/** Returns severe outlooks as one line, the highest category first. */
export function outlookWords(outlooks: readonly OutlookValue[], concise = false): string | undefined {
  const rank = ({ risk }: OutlookValue) => (riskOrder.indexOf(risk ?? '') + 99) % 99
  const categories = outlooks.filter(({ type }) => type === 'severe').sort((a, b) => rank(a) - rank(b) || a.day - b.day)
  const otherOutlooks = outlooks.filter(
    ({ type, risk }) => type !== 'severe' && risk !== undefined && !/tornado|hail|wind$/.test(type),
  )
  const shownOutlooks = [...categories.slice(0, concise ? 1 : 3), ...otherOutlooks.slice(0, concise ? 1 : 2)]
  if (shownOutlooks.length === 0) return undefined
  const more = categories.length + otherOutlooks.length - shownOutlooks.length
  return `Outlooks: ${shownOutlooks.map(({ day, type, risk_label, significant }) => `day ${day} ${type} ${risk_label}${significant ? ' (significant)' : ''}`).join(', ')}${more > 0 ? `, ${more} more in data` : ''}.`
}

/** The difference between the highs of two days that counts as a change, by unit. */
const NOTABLE_DEGREES: Readonly<Record<string, number>> = { F: 15, C: 8, K: 8 }

/** Returns a sentence about the next day that differs from today: wet after dry, dry after wet, much warmer or much colder. */
export function nextChange(daily: readonly DayValue[], units: UnitLabels): string | undefined {
  const days = daily.filter(({ relative_day }) => relative_day >= 0)
  const [today, ...later] = days
  if (!today) return undefined
  const isWet = (day: DayValue) => (day.precip_probability ?? 0) >= 50
  const least = NOTABLE_DEGREES[units.temperature] ?? 15
  for (const day of later) {
    const name = dayName(day.date)
    if (isWet(day) && !isWet(today))
      return `Next change: ${day.conditions ?? 'rain or snow'} on ${name} (${day.precip_probability}%).`
    if (isWet(today) && !isWet(day) && typeof day.precip_probability === 'number')
      return `Next change: drier on ${name} (${day.precip_probability}%).`
    if (typeof day.high !== 'number' || typeof today.high !== 'number') continue
    const step = Math.round(day.high - today.high)
    if (Math.abs(step) >= least)
      return `Next change: ${Math.abs(step)} ${units.temperature === 'K' ? 'K' : `°${units.temperature}`} ${step > 0 ? 'warmer' : 'colder'} on ${name}.`
  }
  return undefined
}

/** A smaller change of the wind is not mentioned, by unit. */
const NOTABLE_WIND: Readonly<Record<string, number>> = { mph: 2, kph: 3, 'm/s': 1 }

/** A smaller change of the gusts is not mentioned, in changes of the wind that are. */
const NOTABLE_GUST_CHANGES = 2

/** Returns a function that describes the gusts of successive hours when they become notable, change, and are no longer notable. */
function gustChanges(units: UnitLabels): (gust: number | null | undefined) => string | undefined {
  let lastGust = Number.NaN
  const least = NOTABLE_GUST_CHANGES * (NOTABLE_WIND[units.wind_speed] ?? 2)
  return (gust) => {
    const words = gustWords(gust, units)
    if (words === undefined) {
      const hasEnded = !Number.isNaN(lastGust) && typeof gust === 'number'
      lastGust = Number.NaN
      return hasEnded ? `gusts below ${shown(NOTABLE_GUST[units.wind_speed] ?? 30, units.wind_speed)}` : undefined
    }
    if (typeof gust !== 'number' || Math.abs(gust - lastGust) < least) return undefined
    lastGust = gust
    return words
  }
}

/** Explains the chance and the amount of an hourly row. The first row is the running hour, into which radar is blended. */
export const HOUR_OF_ROWS = 'for the hour that ends then, first for the running hour'

/** Returns one line for each hour; a day, conditions and wind that have not changed since the previous line are left out. */
export function hourLines(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const clock = clockFormat(timezone, 'hour', { hour: 'numeric' })
  const date = clockFormat(timezone, 'day', { weekday: 'short', month: 'short', day: 'numeric' })
  let day = ''
  let conditions: string | undefined
  let wind = Number.NaN
  const gusts = gustChanges(units)
  return rows.flatMap((row) => {
    const speed = row.wind_speed
    const isSameWind = typeof speed === 'number' && Math.abs(speed - wind) < (NOTABLE_WIND[units.wind_speed] ?? 2)
    const words = phrase(
      valueWords('', row.temperature, units.temperature),
      row.conditions === conditions ? undefined : row.conditions,
      (row.precip_probability ?? 0) > 0 ? shown(row.precip_probability, '%') : undefined,
      amountWords('', row.precip_amount, units.precip_amount),
      amountWords('snow ', row.snow_amount, units.precip_amount),
      isSameWind ? undefined : valueWords('wind', speed, units.wind_speed),
      gusts(row.wind_gust),
    )
    if (!words) return []
    conditions = row.conditions
    if (!isSameWind) wind = speed ?? Number.NaN
    const at = new Date(row.time)
    const name = date.format(at)
    const line = `${name === day ? '' : `${name} `}${clock.format(at)}: ${words}`
    day = name
    return [line]
  })
}
