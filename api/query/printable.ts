import { z } from 'zod'

/**
 * Whether a text has no control characters, no Unicode bidirectional controls (which change the direction of the text after them), and
 * no unpaired surrogates.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text)
}

/** Schema of a text that one person writes and others read, such as the name of a key. */
export const printable = z.string().refine(isPlainText, 'must be text without control characters')

/** Name of a key: 1 to 100 characters. */
export const keyName = printable.trim().min(1).max(100)
