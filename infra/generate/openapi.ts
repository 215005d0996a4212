/** Generates the OpenAPI document from the routes, and the clients' files from that document. */

import { readFileSync } from 'node:fs'
import { plans } from '../../api/keys/plan.ts'
import type { Route } from '../../api/route.ts'
import { eventStreams } from '../../api/routes/events.ts'
import { type RouteDeps, routesOf } from '../../api/routes/index.ts'
import { clientTypes } from './client.ts'
import { openApiOf } from './openapi/document.ts'
import { pythonFiles } from './python.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Returns the routes with their contracts. No handler is called, so that the routes need no dependencies. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const uncalled = new Proxy(() => uncalled, { get: (_, name) => (name === 'then' ? undefined : uncalled) }) as never
  const { route, close } = await eventStreams({
    database: uncalled,
    events: uncalled,
    onError: () => undefined,
    isActive: () => true,
    plans: plans(0),
  })
  await close()
  return routesOf({
    ...({
      objects: uncalled,
      events: uncalled,
      clock: uncalled,
      radar: uncalled,
      alerts: uncalled,
      database: uncalled,
      live: uncalled,
    } as unknown as RouteDeps),
    metrics: { registry: uncalled } as never,
    values: uncalled,
    weather: uncalled,
    identity: uncalled,
    webhooks: { receivers: { loopback: false }, nudge: () => undefined },
    readiness: uncalled,
    metricsToken: undefined,
    version,
    trialCalls: 500,
    alertStream: route,
  })
}

export async function generated(): Promise<{ path: string; text: string }[]> {
  const document = openApiOf(await describedRoutes(), version)
  return [
    { path: 'openapi.json', text: `${JSON.stringify(document, null, 1)}\n` },
    { path: 'api/client/schema.generated.ts', text: await clientTypes(document) },
    ...pythonFiles(document),
  ]
}
