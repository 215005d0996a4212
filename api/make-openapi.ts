/** Writes openapi.json and the typed client from the routes: `node api/make-openapi.ts`. `--check` only says whether they are as they should be. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type ApiParts, routesOf } from './app.ts'
import { clientTypes } from './make-client.ts'
import { openApiOf } from './openapi.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Routes are described without their doors: nothing is asked of them. */
export function describedRoutes() {
  const none = new Proxy({}, { get: () => none }) as never
  return routesOf({
    ...({ metrics: { registry: none } } as unknown as ApiParts),
    values: { datasets: [], current: none, suppliers: {}, resolution: 7 },
    weather: none,
    identity: none,
    readiness: none,
    version,
    trialCalls: 500,
  } as ApiParts)
}

export function generated(): { path: URL; text: string }[] {
  const document = openApiOf(describedRoutes(), version)
  return [
    { path: new URL('../openapi.json', import.meta.url), text: `${JSON.stringify(document, null, 1)}\n` },
    { path: new URL('./client/schema.generated.ts', import.meta.url), text: clientTypes(document as never) },
  ]
}

if (import.meta.main) {
  const stale = generated().filter(({ path, text }) => {
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
