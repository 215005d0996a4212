/** Returns the key of `apikey=` in a URL; undefined if there is none. */
export function apikeyOf(url: string): string | undefined {
  return /[?&]apikey=([A-Za-z0-9._~+/=-]{1,200})(?:[&#]|$)/.exec(url)?.[1]
}
