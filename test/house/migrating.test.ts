import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Schema {
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly oneOf?: Schema[]
}
interface Operation {
  readonly parameters?: { readonly name: string }[]
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const { schemas } = document.components

function memberOf(schema: Schema | undefined, path: readonly string[]): boolean {
  if (schema?.$ref) return memberOf(schemas[schema.$ref.split('/').at(-1)!], path)
  if (!schema) return false
  const [name, ...rest] = path
  if (name === undefined) return true
  const list = name.endsWith('[]')
  const next = schema.properties?.[list ? name.slice(0, -2) : name]
  return memberOf(list ? next?.items : next, rest)
}

const hasParameter = (route: string, name: string) =>
  Object.values(document.paths[route] ?? {}).some(({ parameters }) =>
    parameters?.some((parameter) => parameter.name === name),
  )

/** Returns the names in a table cell that are no field of /v1/weather or /v1/alerts, no route and no parameter of a route in the cell. */
function faultsOf(cell: string): string[] {
  const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
  const routes = words.filter((word) => word.startsWith('/'))
  if (words.length === 0 && cell !== '–') return [`${cell}: neither a field nor –`]
  return words.filter((word) => {
    if (word.startsWith('/')) return !document.paths[word]
    if (word.endsWith('=')) return !['/v1/weather', ...routes].some((route) => hasParameter(route, word.slice(0, -1)))
    const path = word.split('.')
    if (memberOf(schemas['Weather'], path)) return false
    return !(word === 'alerts[].instruction' && routes.includes('/v1/alerts'))
  })
}

test('every field, route and parameter of docs/MIGRATING.md exists', () => {
  const text = readFileSync('docs/MIGRATING.md', 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.includes(' | Hexcast | '))
  const faults = rows.flatMap((row) => {
    const [, theirs, ours] = row.split('|').map((cell) => cell.trim())
    return faultsOf(ours!).map((fault) => `${theirs}: ${fault}`)
  })
  expect(faults).toEqual([])
  expect(rows.length).toBeGreaterThan(90)
  expect(text.match(/^## /gm)).toHaveLength(3)
  // A field that does not exist must be reported.
  expect(faultsOf('`hourly[].temprature`, `current.temperature`, `/v2/x`, `lat=`, `latt=`')).toEqual([
    ...['hourly[].temprature', '/v2/x', 'latt='],
  ])
})
