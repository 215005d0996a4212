import { HOUR } from '../../ingest/domain/time.ts'

/** An item of api.weather.gov/products. */
export interface SimulatedText {
  readonly id: string
  /** Type of product, such as `AFD` or `SWO`. */
  readonly type: string
  /** List of the type that contains it, such as `MCD` or `DY1`; absent for products of offices. */
  readonly location?: string
  readonly wmo: string
  /** ICAO code of the office, such as `KBOX`. */
  readonly office: string
  readonly awips: string
  readonly at: number
  body(): string
}

export function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

const two = (value: number) => String(value).padStart(2, '0')

/** Returns day, hour and minute in UTC, as in a WMO line. */
export function ddhhmm(at: number): string {
  const date = new Date(at)
  return two(date.getUTCDate()) + two(date.getUTCHours()) + two(date.getUTCMinutes())
}

/** Returns the standard time zone by longitude, which is accurate enough for the line with the issue time. */
function zoneAt(lon: number): readonly [name: string, hours: number] {
  if (lon < -150 && lon > -161) return ['HST', -10]
  if (lon < -129) return ['AKST', -9]
  if (lon < -115) return ['PST', -8]
  if (lon < -102) return ['MST', -7]
  return lon < -87 ? ['CST', -6] : ['EST', -5]
}

/** Returns the line with the issue time, such as `0652 AM EST Wed Jan 7 2026`. */
export function timeLine(at: number, lon: number): string {
  const [name, hours] = zoneAt(lon)
  const local = new Date(at + hours * HOUR)
  const hour = local.getUTCHours()
  const [weekday, day, month, year] = local.toUTCString().replace(',', '').split(' ')
  return `${two(hour % 12 || 12)}${two(local.getUTCMinutes())} ${hour < 12 ? 'AM' : 'PM'} ${name} ${weekday} ${month} ${Number(day)} ${year}`
}

/** Returns the UGC lines of zones and an expiration, such as `COZ030>032-040-051200-`, of at most 65 characters. */
export function ugcLines(zones: readonly string[], ends: number): string {
  const ranges: { area: string; first: number; last: number }[] = []
  for (const zone of zones) {
    const [area, number] = [zone.slice(0, 3), Number(zone.slice(3))]
    const range = ranges.at(-1)
    if (range?.area === area && range.last + 1 === number) range.last = number
    else ranges.push({ area, first: number, last: number })
  }
  const three = (value: number) => String(value).padStart(3, '0')
  const groups = ranges.map(({ area, first, last }, i) => {
    const name = ranges[i - 1]?.area === area ? '' : area
    return name + three(first) + (last > first ? `>${three(last)}` : '')
  })
  const lines: string[] = []
  let line = ''
  for (const group of [...groups, ddhhmm(ends)]) {
    if (line.length + group.length > 64) {
      lines.push(line)
      line = ''
    }
    line += `${group}-`
  }
  return [...lines, line].join('\n')
}

/** Returns the times in a period that are an offset after the multiples of a step. */
export function every(step: number, offset: number, from: number, to: number): number[] {
  const times: number[] = []
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) times.push(at)
  return times
}
