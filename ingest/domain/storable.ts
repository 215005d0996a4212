/** Returns a text without NUL and lone surrogates, because PostgreSQL rejects both and the whole transaction would fail. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}
