/**
 * Rules for addresses by their path, for decisions that are made before a route is chosen or where no route exists:
 * CORS of a preflight, limits and form of a 404. All other special cases of a path are flags of its `Route`.
 */

/** Whether a path belongs to the data API: it is described, limited by address, and open to the origins of CORS_ORIGINS. */
export const isDataPath = (path: string): boolean =>
  /^\/(v1|edr|stac|zarr|open-meteo|pirate-weather|nws|rainviewer)(\/|$)/.test(path)

/** Whether answers at a path carry RateLimit headers even if no route exists there. */
export const isLimitedPath = (path: string): boolean => isDataPath(path) || /^\/(developer|mcp)(\/|$)/.test(path)

/** Whether only programs call a path: problems there are always JSON, never a page. */
export const isProgramPath = (path: string): boolean =>
  /^\/(?:v1|edr|stac|zarr|open-meteo|pirate-weather|nws|rainviewer|mcp|page|preview|assets|auth|developer\/keys|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/.test(
    path,
  )

const pathKey = /^(\/pirate-weather\/forecast\/)[^/?#]*/

/** Returns a URL without the API key that a compatible route accepts in it, as the original service does. */
export const withoutAcceptedKey = (url: string): string =>
  /^\/(?:open-meteo|rainviewer)\//.test(url) ? url.replace(/([?&])apikey=[^&#]*/, '$1') : withoutPathKey(url)

/** Returns a path without the key in it, which may be the key of the other service. */
export const withoutPathKey = (path: string): string =>
  path.startsWith('/pirate-weather/') ? path.replace(pathKey, '$1KEY') : path
