import type { Conversion } from './units.ts'

/** JSON text straight from numbers: an answer holds thousands, and each costs a look into a table. */

const POWERS = [1, 10, 100, 1000] as const
const TABLE = 16_384
const tables: readonly (string | undefined)[][] = POWERS.map(() => new Array<string | undefined>(TABLE))

/** A converted, rounded number, or `null` for NaN. */
export function shown(canonical: number, { scale, offset, decimals }: Conversion): string {
  if (Number.isNaN(canonical)) return 'null'
  const power = POWERS[decimals]!
  const steps = Math.round((canonical * scale + offset) * power)
  if (steps < 0 || steps >= TABLE) return String(steps / power + 0)
  const table = tables[decimals]!
  return (table[steps] ??= String(steps / power))
}

const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const DAY = 86_400_000
const dates = new Map<number, string>()

/** `2026-08-20` of a day number. */
export function dateText(day: number): string {
  let text = dates.get(day)
  if (text === undefined) {
    if (dates.size > 2000) dates.clear()
    text = new Date(day * DAY).toISOString().slice(0, 10)
    dates.set(day, text)
  }
  return text
}

/** `"2026-08-20T12:00:00Z"` with its quotes, to the second. */
export function instantText(at: number): string {
  const day = Math.floor(at / DAY)
  const second = Math.floor((at - day * DAY) / 1000)
  return `"${dateText(day)}T${two[Math.floor(second / 3600)]}:${two[Math.floor(second / 60) % 60]}:${two[second % 60]}Z"`
}

export function instantOrNull(at: number | undefined): string {
  return at === undefined || Number.isNaN(at) ? 'null' : instantText(at)
}
