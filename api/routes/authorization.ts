import { z } from 'zod'
import type { Route } from '../route.ts'

/**
 * Says whether a key may make a call now, for a shared cache that answers from its own store: 204, or the problem that the call would get.
 * Nothing is counted.
 */
export const authorizationRoute: Route = {
  method: 'get',
  path: '/v1/authorization',
  handle: () => ({ status: 204, headers: { 'Cache-Control': 'no-store' }, counted: false }),
  contract: {
    tag: 'keys',
    summary: 'Whether a key may make a call now',
    description:
      'For a cache in front of the API, which checks the key of each request before it answers from its store: 204, or 401, 402, 403 or 429 as the call itself would be answered. Not counted as a call.',
    answer: { 204: z.null() },
  },
}
