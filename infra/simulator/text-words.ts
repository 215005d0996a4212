import { HOUR } from '../../ingest/domain/time.ts'

/** Phrases and times of all simulated texts. */

/** One item of api.weather.gov/products. */
export interface SimulatedText {
  readonly id: string
  /** `AFD`, `SWO`, … */
  readonly type: string
  /** Lists of the type that name it: `MCD`, `DY1`; absent for office products. */
  readonly location?: string
  readonly wmo: string
  /** `KBOX` */
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

export function ddhhmm(at: number): string {
  const date = new Date(at)
  return two(date.getUTCDate()) + two(date.getUTCHours()) + two(date.getUTCMinutes())
}

/** Standard time by longitude: sufficient for a time line. */
function zoneAt(lon: number): readonly [name: string, hours: number] {
  if (lon < -150 && lon > -161) return ['HST', -10]
  if (lon < -129) return ['AKST', -9]
  if (lon < -115) return ['PST', -8]
  if (lon < -102) return ['MST', -7]
  return lon < -87 ? ['CST', -6] : ['EST', -5]
}

/** `0652 AM EST Wed Jan 7 2026` */
export function timeLine(at: number, lon: number): string {
  const [name, hours] = zoneAt(lon)
  const local = new Date(at + hours * HOUR)
  const hour = local.getUTCHours()
  const [weekday, day, month, year] = local.toUTCString().replace(',', '').split(' ')
  return `${two(hour % 12 || 12)}${two(local.getUTCMinutes())} ${hour < 12 ? 'AM' : 'PM'} ${name} ${weekday} ${month} ${Number(day)} ${year}`
}

/** `COZ030>032-040-051200-` over several lines. */
export function ugcLines(zones: readonly string[], ends: number): string {
  const groups: string[] = []
  for (let i = 0; i < zones.length; ) {
    const area = zones[i]!.slice(0, 3)
    const first = Number(zones[i]!.slice(3))
    let n = 1
    while (zones[i + n] === area + String(first + n).padStart(3, '0')) n++
    const name = i > 0 && zones[i - 1]!.startsWith(area) ? '' : area
    const number = (value: number) => String(value).padStart(3, '0')
    groups.push(name + number(first) + (n > 1 ? `>${number(first + n - 1)}` : ''))
    i += n
  }
  const lines = ['']
  for (const group of [...groups, ddhhmm(ends)]) {
    if (lines.at(-1)!.length + group.length > 64) lines.push('')
    lines[lines.length - 1] += `${group}-`
  }
  return lines.join('\n')
}

export function every(step: number, offset: number, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) found.push(at)
  return found
}
