/** Maximum length of the result, in characters. */
const MAX_LINE = 2000

/**
 * Returns an external text as one line for a log or a terminal. It removes characters that end the line, move the cursor or change the
 * direction of text, and shortens a long text.
 */
export function plainLine(text: string): string {
  const plain = text
    .slice(0, MAX_LINE + 1)
    .toWellFormed()
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd')
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE)}…` : plain
}
