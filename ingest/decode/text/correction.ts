import type { TextProduct } from './product.ts'
import { timeOfLine } from './time.ts'

/** Maximum number of lines up to the heading, because UGC lines may precede it. */
const MAX_HEADING_LINES = 20

const corrections = [/^SPC MCD \d{6} COR/i, /(?:\.\.|[([]) ?COR(?:RECTION)?\b/i, /\bCORRECTED\b/i]

/**
 * Returns the BBB group of a product. If only the heading marks a correction, as in `SPC MCD 251944 COR` or `Area Forecast
 * Discussion...CORRECTED`, the result is `COR`.
 */
export function bbbOf({ bbb, body }: Pick<TextProduct, 'bbb' | 'body'>): string | undefined {
  if (bbb !== undefined) return bbb
  const lines = body.split('\n', MAX_HEADING_LINES).map((line) => line.slice(0, 120))
  const time = lines.findIndex((line) => timeOfLine(line) !== undefined)
  return lines.slice(0, Math.max(0, time)).some((line) => corrections.some((pattern) => pattern.test(line)))
    ? 'COR'
    : undefined
}
