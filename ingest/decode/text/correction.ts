import type { TextProduct } from './product.ts'
import { timeOfLine } from './time.ts'

/** UGC lines may stand before the heading. */
const MAX_HEADING_LINES = 20

const corrections = [/^SPC MCD \d{6} COR/i, /(?:\.\.|[([]) ?COR(?:RECTION)?\b/i, /\bCORRECTED\b/i]

/** The BBB group of a product; `COR` where only its heading has the correction: `SPC MCD 251944 COR`, `Area Forecast Discussion...CORRECTED`. */
export function bbbOf({ bbb, body }: Pick<TextProduct, 'bbb' | 'body'>): string | undefined {
  if (bbb !== undefined) return bbb
  const lines = body.split('\n', MAX_HEADING_LINES).map((line) => line.slice(0, 120))
  const time = lines.findIndex((line) => timeOfLine(line) !== undefined)
  return lines.slice(0, Math.max(0, time)).some((line) => corrections.some((pattern) => pattern.test(line)))
    ? 'COR'
    : undefined
}
