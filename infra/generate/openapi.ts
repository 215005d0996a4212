/** The OpenAPI document and what the clients derive from it, from the routes. */

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

/** Routes are described without dependencies: none of them is called. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const none = new Proxy(() => none, { get: (_, name) => (name === 'then' ? undefined : none) }) as never
  const { route, close } = await eventStreams({
    database: none,
    events: none,
    onError: () => undefined,
    isActive: () => true,
    plans: plans(0),
  })
  await close()
  const { routes } = routesOf({
    ...({
      objects: none,
      events: none,
      clock: none,
      radar: none,
      alerts: none,
      database: none,
      live: none,
    } as unknown as RouteDeps),
    metrics: { registry: none } as never,
    values: none,
    weather: none,
    identity: none,
    webhooks: { receivers: { loopback: false }, nudge: () => undefined },
    readiness: none,
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
