import { isDataPath } from './addresses.ts'
import type { HttpDeps } from './deps.ts'

/** Whether a host name is of this machine. */
export const isLoopback = (name: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(name)

/** Paths that programs in a browser call to use the tools: the tools, and the metadata of sign-in. */
const isToolPath = (path: string) => /^\/(mcp|\.well-known)(\/|$)/.test(path)

/** Whether pages of an origin may call the tool server: pages of this machine, of the server itself, and of ALLOWED_ORIGINS. */
export const admitsTools = (http: Pick<HttpDeps, 'allowedOrigins'>, origin: string, base: string): boolean =>
  http.allowedOrigins.includes(origin) ||
  origin === base ||
  (URL.canParse(origin) && isLoopback(new URL(origin).hostname))

/** Whether the scripts of a site may read the answers at a path. */
export function mayRead(
  http: Pick<HttpDeps, 'allowedOrigins' | 'corsOrigins'>,
  origin: string,
  { path, base }: { readonly path: string; readonly base: string },
): boolean {
  if (http.allowedOrigins.includes(origin)) return true
  if (isDataPath(path)) return http.corsOrigins.includes('*') || http.corsOrigins.includes(origin)
  return isToolPath(path) && admitsTools(http, origin, base)
}
