/** Returns a text without NUL and lone surrogates, because PostgreSQL rejects both and the whole transaction would fail. */
export function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed
}
