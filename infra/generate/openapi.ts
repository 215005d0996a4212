/** Generates the OpenAPI document from the routes, and the clients' files from that document. */

import { readFileSync } from 'node:fs'
import { openApiOf } from '../../api/http/openapi.ts'
import { plans } from '../../api/keys/plan.ts'
import type { Route } from '../../api/route.ts'
import { eventStreams } from '../../api/routes/events.ts'
import { type RouteDeps, routesOf } from '../../api/routes/index.ts'
import { clientTypes } from './client.ts'
import { pythonFiles } from './python.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Returns the routes with their contracts. Their dependencies are stubs, because no handler is called. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const stub = new Proxy(() => stub, { get: (_, name) => (name === 'then' ? undefined : stub) }) as never
  const { route, close } = await eventStreams({
    database: stub,
    events: stub,
    onError: () => undefined,
    isActive: () => true,
    plans: plans(0),
  })
  await close()
  const { routes } = routesOf({
    ...({
      objects: stub,
      events: stub,
      clock: stub,
      radar: stub,
      alerts: stub,
      database: stub,
      live: stub,
    } as unknown as RouteDeps),
    metrics: { registry: stub } as never,
    values: stub,
    weather: stub,
    identity: stub,
    webhooks: { receivers: { loopback: false }, nudge: () => undefined },
    readiness: stub,
    metricsToken: undefined,
    version,
    trialCalls: 500,
    alertStream: route,
  })
  return routes
}

export async function generated(): Promise<{ path: string; text: string }[]> {
  const document = openApiOf(await describedRoutes(), version)
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 1)}\n` },
    { path: 'api/client/schema.generated.ts', text: await clientTypes(document) },
    ...pythonFiles(document),
  ]
}
