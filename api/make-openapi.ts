/** Writes openapi.json and the typed client from the routes: `node api/make-openapi.ts`. `--check` only says whether they are as they should be. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type ApiParts, routesOf } from './app.ts'
import { clientTypes } from './make-client.ts'
import { openApiOf } from './openapi.ts'
import type { Route } from './route.ts'
import { eventStreams } from './routes/events.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Routes are described without their doors: nothing is asked of them. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const none = new Proxy(() => none, { get: (_, name) => (name === 'then' ? undefined : none) }) as never
  const { route, close } = await eventStreams(none, none, () => undefined)
  await close()
  return routesOf({
    ...({ objects: none, events: none, clock: none, radar: none, alerts: none, database: none } as unknown as ApiParts),
    metrics: { registry: none } as never,
    values: { datasets: [], current: none, suppliers: {}, resolution: 7 },
    weather: none,
    identity: none,
    readiness: none,
    metricsToken: undefined,
    version,
    trialCalls: 500,
    alertStream: route,
  })
}

export async function generated(): Promise<{ path: URL; text: string }[]> {
  const document = openApiOf(await describedRoutes(), version)
  return [
    { path: new URL('../openapi.json', import.meta.url), text: `${JSON.stringify(document, null, 1)}\n` },
    { path: new URL('./client/schema.generated.ts', import.meta.url), text: clientTypes(document as never) },
  ]
}

if (import.meta.main) {
  const stale = (await generated()).filter(({ path, text }) => {
    let held = ''
    try {
      held = readFileSync(path, 'utf8')
    } catch {}
    return held !== text
  })
  if (process.argv.includes('--check')) {
    for (const { path } of stale)
      console.error(`${path.pathname} is not what the routes say: run node api/make-openapi.ts`)
    process.exitCode = stale.length ? 1 : 0
  } else {
    for (const { path, text } of stale) writeFileSync(path, text)
    console.log(stale.length ? `written: ${stale.length}` : 'nothing has changed')
  }
}
