/**
 * Rules for addresses by their path, for decisions that are made before a route is chosen, or where no route exists: CORS of a preflight,
 * limits and form of a 404. Everything else that is special about a path is a flag of its `Route`.
 */

/** Whether a path belongs to the data API: it is described, limited by address, and open to the origins of CORS_ORIGINS. */
export const isDataPath = (path: string): boolean =>
  /^\/(v1|edr|stac|open-meteo|pirate-weather|nws|rainviewer)(\/|$)/.test(path)

/** Whether answers at a path carry RateLimit headers even if no route exists there. */
export const isLimitedPath = (path: string): boolean => isDataPath(path) || /^\/(developer|mcp)(\/|$)/.test(path)

/** Whether only programs call a path: problems there are always JSON, never a page. */
export const isProgramPath = (path: string): boolean =>
  /^\/(?:v1|edr|stac|open-meteo|pirate-weather|nws|rainviewer|mcp|page|preview|assets|auth|developer\/keys|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/.test(
    path,
  )

const pathKey = /^(\/pirate-weather\/forecast\/)[^/?#]*/

/** Returns a URL without the key that a compatible route takes in it, as the service does whose clients it serves. */
export const withoutAcceptedKey = (url: string): string =>
  /^\/(?:open-meteo|rainviewer)\//.test(url) ? url.replace(/([?&])apikey=[^&#]*/, '$1') : withoutPathKey(url)

/** Returns a path without the key in it, which may be the key of the other service. */
export const withoutPathKey = (path: string): string =>
  path.startsWith('/pirate-weather/') ? path.replace(pathKey, '$1KEY') : path
