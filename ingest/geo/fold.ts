const short: Readonly<Record<string, string>> = {
  saint: 'st',
  sainte: 'ste',
  fort: 'ft',
  mount: 'mt',
  mountain: 'mtn',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  twp: 'township',
  and: '',
}

/** Folds a name, so that all its spellings are equal: case, accents, punctuation, `Saint` and `St.`, `Fort` and `Ft`. */
export function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .toLowerCase()
    .replace(/['’‘ʻʼ`´]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => short[word] ?? word)
    .filter(Boolean)
    .join(' ')
}
