/** A text as PostgreSQL takes it: without NUL and halves of surrogate pairs, of which one would refuse the whole transaction. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}
