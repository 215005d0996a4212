/** Matches an API key in a text, even if it is truncated. The prefix with its first eight characters is public. */
export const within = /hx_(?:live|trial)_[A-Za-z0-9_-]{9,}/

export function containsKey(text: string): boolean {
  return text.includes('hx_') && within.test(text)
}

export function withoutKeys(text: string): string {
  return text.includes('hx_') ? text.replace(/(hx_(?:live|trial)_[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g, '$1…') : text
}

/** Minimum length of a secret that is searched for; shorter values would match ordinary text by chance. */
const MIN_SECRET_CHARS = 6

/** Returns the forms in which secrets may occur in a log line: unchanged, escaped in JSON, and encoded in a URL. */
export function formsOfSecrets(secrets: readonly string[]): string[] {
  const long = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS)
  return [
    ...new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])),
  ]
}

/**
 * Removes API keys, signing secrets, bearer tokens, passwords in addresses, and further texts from a log line.
 * @param forms further texts, see `formsOfSecrets`
 */
export function withoutSecrets(line: string, forms: readonly string[] = []): string {
  let safe = withoutKeys(line)
  if (safe.includes('whsec_')) safe = safe.replace(/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_…')
  if (safe.includes('Bearer ') || safe.includes('bearer '))
    safe = safe.replace(/(bearer )[A-Za-z0-9._~+/=-]{8,}/gi, '$1…')
  if (safe.includes('://')) safe = safe.replace(/(:\/\/[^\s:@/"'\\]{0,100}:)[^\s@/"'\\]{1,500}@/g, '$1…@')
  for (const form of forms) if (safe.includes(form)) safe = safe.replaceAll(form, '…')
  return safe
}

/** Returns a copy of a JSON value with every text changed, including names of members. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const changed = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part)
    if (Array.isArray(part)) return part.map(changed)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [change(name), changed(inner)]))
  }
  return changed(value) as T
}
