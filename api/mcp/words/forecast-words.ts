import { compassPoint } from '../../../ingest/geo/place.ts'
import type { CurrentValue, DayValue, HourValue, OutlookValue, UnitLabels } from '../../answer/value.ts'
import type { AlertJson } from '../../live/alerts.ts'
import { dayName, phrase, shown, spanWords, valueWords } from './reply.ts'

/** Gusts are mentioned from 30 mph. */
const NOTABLE_GUST: Readonly<Record<string, number>> = { mph: 30, kph: 48, 'm/s': 13 }
const riskOrder = ['HIGH', 'MDT', 'ENH', 'SLGT', 'MRGL', 'TSTM']

export function nowWords(current: CurrentValue, units: UnitLabels, concise = false): string {
  const temperature = valueWords('', current.temperature, units.temperature)
  const feels = valueWords('feels like', current.feels_like, units.temperature)
  const differs =
    typeof current.temperature === 'number' &&
    typeof current.feels_like === 'number' &&
    Math.abs(current.temperature - current.feels_like) >= 2
  return phrase(
    temperature && feels && differs ? `${temperature} (${feels})` : (temperature ?? feels),
    current.conditions,
    windWords(current, units),
    gustWords(current.wind_gust, units),
    concise ? undefined : valueWords('humidity', current.humidity, '%'),
  )
}

/** `wind SW 12 mph`, without a direction where it is not known. */
export function windWords(
  of: { readonly wind_speed?: number | null; readonly wind_direction?: number | null },
  units: Pick<UnitLabels, 'wind_speed'>,
): string | undefined {
  const from = typeof of.wind_direction === 'number' ? ` ${compassPoint(of.wind_direction)}` : ''
  return valueWords(`wind${from}`, of.wind_speed, units.wind_speed)
}

export function gustWords(gust: number | null | undefined, units: UnitLabels): string | undefined {
  if (typeof gust !== 'number' || gust < (NOTABLE_GUST[units.wind_speed] ?? 30)) return undefined
  return `gusts ${shown(gust, units.wind_speed)}`
}

/** Amounts from 0.01 in or 0.2 mm, to that digit. */
export function amountWords(before: string, amount: number | null | undefined, label: string): string | undefined {
  const digits = label === 'in' ? 100 : 10
  const rounded = typeof amount === 'number' ? Math.round(amount * digits) / digits : 0
  return rounded >= (label === 'in' ? 0.01 : 0.2) ? `${before}${shown(rounded, label)}` : undefined
}

/** `Sat, Nov 21: 55/32 °F, Rain, 70%, 0.35 in, gusts 45 mph`; empty where nothing is known. */
export function dayWords(day: DayValue, units: UnitLabels): string {
  const { high, low } = day
  const range =
    typeof high === 'number' && typeof low === 'number'
      ? `${high}/${shown(low, units.temperature)}`
      : phrase(valueWords('high', high, units.temperature), valueWords('low', low, units.temperature))
  const words = phrase(
    range,
    day.conditions,
    (day.precip_probability ?? 0) > 0 ? shown(day.precip_probability, '%') : undefined,
    amountWords('', day.precip_total, units.precip_amount),
    amountWords('snow ', day.snow_total, units.precip_amount),
    amountWords('ice ', day.ice_total, units.precip_amount),
    gustWords(day.wind_gust_max, units),
  )
  return words && `${dayName(day.date)}: ${words}`
}

/** Every listed alert with its end, the most severe first. */
export function alertWords(alerts: readonly AlertJson[], total: number, now: number, timezone: string): string {
  const list = alerts.map((alert) => `${alert.event} (${alert.severity}) ${spanWords(alert, now, timezone)}`)
  const more = total > alerts.length ? `; ${total - alerts.length} more in data of get_alerts` : ''
  return `${total} active ${total === 1 ? 'alert' : 'alerts'}: ${list.join('; ')}${more}.`
}

/** Severe outlooks as one line, the highest category first. */
export function outlookWords(outlooks: readonly OutlookValue[], concise = false): string | undefined {
  const rank = ({ risk }: OutlookValue) => (riskOrder.indexOf(risk ?? '') + 99) % 99
  const categories = outlooks.filter(({ type }) => type === 'severe').sort((a, b) => rank(a) - rank(b) || a.day - b.day)
  const others = outlooks.filter(
    ({ type, risk }) => type !== 'severe' && risk !== undefined && !/tornado|hail|wind$/.test(type),
  )
  const shownOutlooks = [...categories.slice(0, concise ? 1 : 3), ...others.slice(0, concise ? 1 : 2)]
  if (shownOutlooks.length === 0) return undefined
  const more = categories.length + others.length - shownOutlooks.length
  return `Outlooks: ${shownOutlooks.map(({ day, type, risk_label, significant }) => `day ${day} ${type} ${risk_label}${significant ? ' (significant)' : ''}`).join(', ')}${more > 0 ? `, ${more} more in data` : ''}.`
}

/** Degrees between the highs of two days, by unit, that are a notable change. */
const NOTABLE_DEGREES: Readonly<Record<string, number>> = { F: 15, C: 8, K: 8 }

/** The next day that differs from today: rain after dry days, dry after rain, or much warmer or colder. */
export function nextChange(daily: readonly DayValue[], units: UnitLabels): string | undefined {
  const days = daily.filter(({ relative_day }) => relative_day >= 0)
  const [today, ...later] = days
  if (!today) return undefined
  const wet = (day: DayValue) => (day.precip_probability ?? 0) >= 50
  const least = NOTABLE_DEGREES[units.temperature] ?? 15
  for (const day of later) {
    const name = dayName(day.date)
    if (wet(day) && !wet(today))
      return `Next change: ${day.conditions ?? 'rain or snow'} on ${name} (${day.precip_probability}%).`
    if (wet(today) && !wet(day) && typeof day.precip_probability === 'number')
      return `Next change: drier on ${name} (${day.precip_probability}%).`
    if (typeof day.high !== 'number' || typeof today.high !== 'number') continue
    const step = Math.round(day.high - today.high)
    if (Math.abs(step) >= least)
      return `Next change: ${Math.abs(step)} ${units.temperature === 'K' ? 'K' : `°${units.temperature}`} ${step > 0 ? 'warmer' : 'colder'} on ${name}.`
  }
  return undefined
}

/** A change of the wind that is worth a word, by unit. */
const NOTABLE_WIND: Readonly<Record<string, number>> = { mph: 2, kph: 3, 'm/s': 1 }

/** Whose chance and amount a row of hours has: the first is the running hour, into which radar is blended. */
export const HOUR_OF_ROWS = 'of the hour that ends then, first of about now'

/** Hours as lines by local day; what has not changed since the row before is left out. */
export function hourLines(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: 'numeric' })
  const date = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  })
  let day = ''
  let conditions: string | undefined
  let wind = Number.NaN
  return rows.flatMap((row) => {
    const blows = row.wind_speed
    const same = typeof blows === 'number' && Math.abs(blows - wind) < (NOTABLE_WIND[units.wind_speed] ?? 2)
    const words = phrase(
      valueWords('', row.temperature, units.temperature),
      row.conditions === conditions ? undefined : row.conditions,
      (row.precip_probability ?? 0) > 0 ? shown(row.precip_probability, '%') : undefined,
      amountWords('', row.precip_amount, units.precip_amount),
      amountWords('snow ', row.snow_amount, units.precip_amount),
      same ? undefined : valueWords('wind', blows, units.wind_speed),
      gustWords(row.wind_gust, units),
    )
    if (!words) return []
    conditions = row.conditions
    if (!same) wind = blows ?? Number.NaN
    const at = new Date(row.time)
    const name = date.format(at)
    const line = `${name === day ? '' : `${name} `}${clock.format(at)}: ${words}`
    day = name
    return [line]
  })
}
