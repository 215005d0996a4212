import { DAY, HOUR } from '../../../ingest/domain/time.ts'
import { hourClock } from './hour-peaks.ts'
import { shown } from './reply.ts'

/** Values of one variable by valid time. */
export interface ValueSeries {
  readonly times: readonly string[]
  readonly values: readonly (number | null)[]
  readonly unit: string | undefined
  /** Whether each value is an amount of its hour, so that a period has the sum. */
  readonly isAmount: boolean
}

/** Returns `Sat 3 AM: 20 to 35 °F; Sat 9 AM: 36 to 41 °F`: lowest and highest value, or the sum, of each period of some hours from the first time. */
export function seriesPeriods({ times, values, unit, isAmount }: ValueSeries, timezone: string, hours: number): string {
  const clock = hourClock(timezone)
  const first = Date.parse(times[0] ?? '')
  const groups = new Map<number, { readonly begin: string; readonly numbers: number[] }>()
  for (const [i, time] of times.entries()) {
    const value = values[i]
    if (typeof value !== 'number') continue
    const key = Math.floor((Date.parse(time) - first) / (hours * HOUR))
    const group = groups.get(key)
    if (group) group.numbers.push(value)
    else groups.set(key, { begin: time, numbers: [value] })
  }
  return [...groups.values()]
    .map(({ begin, numbers }) => {
      const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
      const sum = Math.round(numbers.reduce((total, value) => total + value, 0) * 1000) / 1000
      const words = isAmount ? shown(sum, unit) : low === high ? shown(low, unit) : `${low} to ${shown(high, unit)}`
      return `${clock(begin)}: ${words}`
    })
    .join('; ')
}

/** Returns one line for each local day with the values of its hours in order: `Fri, Nov 27, temperature °F by hour from 12 AM: 41, 40, …`. */
export function hourlyDayLines(
  name: string,
  { times, values, unit }: Omit<ValueSeries, 'isAmount'>,
  timezone: string,
): string[] {
  const date = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  })
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: 'numeric' })
  const days = new Map<string, { readonly begin: string; readonly words: string[]; last: number }>()
  for (const [i, time] of times.entries()) {
    const day = date.format(new Date(time))
    const at = Date.parse(time)
    const open = days.get(day)
    const missing = open ? Math.min(DAY / HOUR, Math.round((at - open.last) / HOUR) - 1) : 0
    const words = [...Array.from({ length: missing }, () => '?'), String(values[i] ?? '?')]
    if (open) {
      open.words.push(...words)
      open.last = at
    } else days.set(day, { begin: time, words, last: at })
  }
  const label = unit === 'F' || unit === 'C' ? `°${unit}` : (unit ?? '')
  return [...days].map(
    ([day, { begin, words }]) =>
      `${day}, ${name} ${label} by hour from ${hour.format(new Date(begin))}: ${words.join(', ')}`,
  )
}
