import { timingSafeEqual } from 'node:crypto'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { Readiness } from '../http/readiness.ts'
import { hashOf } from '../keys/secret.ts'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import type { Route, RouteRequest } from '../route.ts'

const readinessSchema = z.object({
  ready: doc(z.boolean(), 'Requests can be answered', true),
  status: doc(
    z.enum(['ok', 'degraded', 'down']),
    'down where an engine cannot be reached, degraded where data are late',
    'ok',
  ),
  engines: z.record(z.string(), z.enum(['ok', 'down'])).describe('State of each engine by name'),
  datasets: z
    .array(
      z.object({
        dataset: doc(z.string(), 'Id of the dataset', 'nbm'),
        domain: member.domain_or_none,
        run: member.run,
        age_seconds: member.age_seconds,
      }),
    )
    .describe('State of each dataset'),
  clock_off_seconds: measured(z.number().optional(), 'signed', 0.2, 'Clock of this process less that of the database'),
  notes: doc(z.array(z.string()).optional(), 'What an operator may want to know', ['nbm: late']),
})

export function healthRoutes(
  readiness: () => Promise<Readiness>,
  metrics: Registry,
  metricsToken: string | undefined,
  /** With a public URL requests may come through a proxy on this machine: then the token is required. */
  tokenRequired: boolean,
): Route[] {
  return [
    {
      method: 'get',
      path: '/healthz',
      open: true,
      probe: true,
      handle: () => ({ body: { status: 'alive' }, headers: { 'Cache-Control': 'no-store' } }),
      contract: {
        tag: 'health',
        summary: 'The process is alive',
        answer: z.object({ status: doc(z.literal('alive'), 'The process runs', 'alive') }),
      },
    },
    {
      method: 'get',
      path: '/readyz',
      open: true,
      probe: true,
      handle: async () => {
        const state = await readiness()
        if (!state.ready) {
          throw new Problem('service-unavailable', 'No answers can be given yet: this process knows no served run.', {
            retryAfter: 5,
            members: { ...state },
          })
        }
        return { body: state, headers: { 'Cache-Control': 'no-store' } }
      },
      contract: {
        tag: 'health',
        summary: 'Readiness: engines, and the age of every dataset',
        answer: readinessSchema,
      },
    },
    {
      method: 'get',
      path: '/metrics',
      open: true,
      probe: true,
      handle: async (request) => {
        allowMetrics(request, metricsToken, tokenRequired)
        return {
          type: metrics.contentType,
          body: Buffer.from(await metrics.metrics()),
          headers: { 'Cache-Control': 'no-store' },
        }
      },
    },
  ]
}

/** Guards against DNS rebinding: a page of another site can send requests to this machine under its own host name. */
const loopbackHost = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i

function allowMetrics(request: RouteRequest, token: string | undefined, required: boolean): void {
  if (request.local && !required && loopbackHost.test(request.headers.host ?? '')) return
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token && given && timingSafeEqual(hashOf(given), hashOf(token))) return
  if (token && given === undefined) {
    throw new Problem(
      'unauthorized',
      'The Authorization header is missing: from elsewhere than loopback, and where PUBLIC_URL is set, /metrics wants Bearer METRICS_TOKEN.',
    )
  }
  throw new Problem(
    'forbidden',
    '/metrics is open to loopback by a loopback name where PUBLIC_URL is not set, and elsewhere to who sends METRICS_TOKEN as Bearer.',
  )
}
