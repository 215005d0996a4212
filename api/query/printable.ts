import { z } from 'zod'

/**
 * Whether a text is free of control characters, of marks that change the direction in which what follows is displayed
 * (Unicode bidirectional controls), and of halves of surrogate pairs.
 */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text)
}

/** A text that people gave and others will read: the name of a key or of a client. */
export const printable = z.string().refine(isPlainText, 'wanted text without control characters')

/** Name of a key: 1 to 100 characters. */
export const keyName = printable.trim().min(1).max(100)
