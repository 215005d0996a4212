/** Returns a text that PostgreSQL accepts: without NUL and lone surrogates, either of which would fail the whole transaction. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}
