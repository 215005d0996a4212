import type { Conversion } from '../../api/present/units.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { clockText, DAY, dateText } from '../../ingest/domain/time.ts'

/** Writes the same text as the template kernel in plain code: JSON text of numbers by table lookup. */

const POWERS = [1, 10, 100, 1000] as const
const TABLE = 16_384
const tables: readonly (string | undefined)[][] = POWERS.map(() => new Array<string | undefined>(TABLE))

/** A converted, rounded number, or `null` for NaN. */
export function shown(canonical: number, { scale, offset, decimals }: Conversion): string {
  if (Number.isNaN(canonical)) return 'null'
  const power = nth(POWERS, decimals)
  const steps = Math.round((canonical * scale + offset) * power)
  if (steps < 0 || steps >= TABLE) return String(steps / power + 0)
  const table = nth(tables, decimals)
  return (table[steps] ??= String(steps / power))
}

/** `"2026-08-20T12:00:00Z"` with its quotes, to the second. */
export function instantText(at: number): string {
  const day = Math.floor(at / DAY)
  // Two short texts are faster than one longer text, which would be joined when the whole answer is.
  return `"${dateText(day)}` + `${clockText(at - day * DAY)}"`
}
