import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isDataPath, isProgramPath } from '../../api/http/addresses.ts'
import { daily, hourly } from '../../api/routes/compatible/open-meteo-variables.ts'
import { describedRoutes } from '../../infra/generate/openapi.ts'

/** Routes in the form of other services are described in docs/COMPATIBLE.md, and are no part of OpenAPI and of the clients. */
const text = readFileSync('docs/COMPATIBLE.md', 'utf8')
const routes = (await describedRoutes()).filter(({ compatibility }) => compatibility)

test('every compatible route is documented, is no operation of the clients, and has the limits of the data API', () => {
  const paths = [...new Set(routes.map(({ path }) => path))]
  expect(paths.length).toBeGreaterThan(0)
  const document = readFileSync('openapi.json', 'utf8')
  for (const route of routes) {
    const prefix = `/${route.path.split('/')[1]}/`
    expect([route.path, route.contract, document.includes(prefix)]).toEqual([route.path, undefined, false])
    expect([route.path, route.open ?? false, isDataPath(route.path), isProgramPath(route.path)]).toEqual([
      route.path,
      false,
      true,
      true,
    ])
    expect(text).toContain(`\`${route.path.replaceAll(/:(\w+)/g, '{$1}')}`)
  }
})

test('every variable of Open-Meteo that is offered is documented', () => {
  const documented = new Set([...text.matchAll(/`([\w]+)`/g)].map(([, word]) => word))
  const names = [...Object.keys(hourly), ...Object.keys(daily)].filter((name) => !/_(?:max|min|mean)$/.test(name))
  expect(names.filter((name) => !documented.has(name))).toEqual([])
  expect(names.length).toBeGreaterThan(25)
})
