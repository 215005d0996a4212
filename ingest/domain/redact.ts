/** Matches an API key in a text, even a truncated key; the prefix with its eight characters is public. */
export const within = /hx_(?:live|trial)_[A-Za-z0-9_-]{9,}/

export function containsKey(text: string): boolean {
  return text.includes('hx_') && within.test(text)
}

export function withoutKeys(text: string): string {
  return text.includes('hx_') ? text.replace(/(hx_(?:live|trial)_[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g, '$1…') : text
}

/** Returns a copy of a JSON value with every text changed, including names of members. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const changed = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one)
    if (Array.isArray(one)) return one.map(changed)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [change(name), changed(inner)]))
  }
  return changed(value) as T
}
