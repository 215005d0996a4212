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
  ready: doc(z.boolean(), 'Whether requests can be answered', true),
  draining: doc(z.literal(true).optional(), 'The process still answers and is about to end', true),
  status: doc(z.enum(['ok', 'degraded', 'down']), 'degraded if an engine is down; down if no run is served yet', 'ok'),
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
  clock_off_seconds: measured(
    z.number().optional(),
    'signed',
    0.2,
    'Seconds that the clock of this process is ahead of the clock of the database',
  ),
  notes: doc(z.array(z.string()).optional(), 'Notes for the operator', ['nbm: late']),
})

export function healthRoutes(
  readiness: () => Promise<Readiness>,
  metrics: Registry,
  metricsToken: string | undefined,
  /** Whether the token is always required: with a public URL, requests may come through a proxy on this machine. */
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
        description:
          'Needs no key and reads nothing, so it answers while the database is down. Use it to decide whether to restart the process.',
        answer: z.object({ status: doc(z.literal('alive'), 'Always alive: the process runs', 'alive') }),
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
          throw new Problem(
            'service-unavailable',
            state.draining
              ? 'This process still answers and is about to end. Send requests to another process.'
              : 'No answers are possible yet, because this process knows no served run. Wait for the first run.',
            {
              retryAfter: 5,
              members: { ...state },
            },
          )
        }
        return { body: state, headers: { 'Cache-Control': 'no-store' } }
      },
      contract: {
        tag: 'health',
        summary: 'Readiness of the process, with engines and the age of every dataset',
        description:
          'Needs no key. Answers 503 with the same members while the process knows no served run or is about to end. Use it to decide whether to send requests here.',
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
  const sentToken = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token && sentToken && timingSafeEqual(hashOf(sentToken), hashOf(token))) return
  if (token && sentToken === undefined) {
    throw new Problem(
      'unauthorized',
      'The `Authorization` header is missing. /metrics needs Bearer METRICS_TOKEN, except from loopback if PUBLIC_URL is not set.',
    )
  }
  throw new Problem(
    'forbidden',
    '/metrics is open to loopback by a loopback name if PUBLIC_URL is not set. Otherwise, send METRICS_TOKEN as Bearer.',
  )
}
