import { expect, test } from 'vitest'
import { openApiOf } from '../../api/http/openapi.ts'
import { giveExamples } from '../../api/http/parameter-examples.ts'
import { describedRoutes } from '../../infra/generate/openapi.ts'

const routes = await describedRoutes()
const document = openApiOf(routes, '0.0.0') as Record<string, unknown>

interface Schema {
  readonly type?: string | string[]
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly [name: string]: unknown
}

/** Returns every property of the document with its path. */
function* propertiesOf(node: unknown, trail: string): Generator<[string, Schema]> {
  if (typeof node !== 'object' || node === null) return
  const { properties, ...children } = node as Schema
  for (const [name, schema] of Object.entries(properties ?? {})) {
    yield [`${trail}.${name}`, schema]
    yield* propertiesOf(schema, `${trail}.${name}`)
  }
  for (const [name, child] of Object.entries(children))
    if (name !== 'examples') yield* propertiesOf(child, `${trail}/${name}`)
}

const isNumeric = ({ type }: Schema): boolean => [type].flat().some((name) => name === 'number' || name === 'integer')

const isOpen = ({ type, $ref, items, oneOf, anyOf, enum: values }: Schema): boolean =>
  $ref !== undefined ||
  type === 'object' ||
  (Array.isArray(type) && type.includes('object')) ||
  oneOf !== undefined ||
  anyOf !== undefined ||
  (type === undefined && values === undefined) ||
  (items !== undefined && isOpen(items))

test('every property has a description and an example, and every number a unit and a range', () => {
  const faults: string[] = []
  let count = 0
  for (const [where, schema] of [
    ...propertiesOf(document['components'], '#'),
    ...propertiesOf(document['paths'], ''),
  ]) {
    count++
    let inner = schema
    while (inner.items) inner = inner.items
    const missing = [
      !schema['description'] && 'description',
      !isOpen(schema) && !schema['examples'] && (schema['enum'] as unknown[] | undefined)?.length !== 1 && 'example',
      isNumeric(inner) && !inner['x-unit'] && 'unit',
      isNumeric(inner) && (inner['minimum'] === undefined || inner['maximum'] === undefined) && 'range',
    ].filter(Boolean)
    if (missing.length > 0) faults.push(`${where}: no ${missing.join(', ')}: add it to the schema`)
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(1000)
})

test('every operation and every call to a receiver declares its security', () => {
  const schemes = Object.keys((document['components'] as { securitySchemes: object }).securitySchemes)
  const faults: string[] = []
  let calls = 0
  for (const part of ['paths', 'webhooks']) {
    for (const [path, operations] of Object.entries(document[part] as Record<string, Record<string, Schema>>)) {
      for (const [method, { security }] of Object.entries(operations)) {
        if (part === 'webhooks') calls++
        const names = (security as Record<string, unknown>[] | undefined)?.flatMap((scheme) => Object.keys(scheme))
        if (!names || names.some((name) => !schemes.includes(name))) faults.push(`${method} ${path}`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(calls).toBe(3)
})

test('every required parameter has an example', () => {
  expect(giveExamples(document['paths'] as Parameters<typeof giveExamples>[0])).toEqual([])
})

test('every parameter has a description', () => {
  const faults: string[] = []
  for (const [path, operations] of Object.entries(document['paths'] as Record<string, Record<string, Schema>>)) {
    for (const { parameters } of Object.values(operations)) {
      for (const name of (parameters ?? []) as { name: string; description?: string; schema?: Schema }[])
        if (!name.description && !name.schema?.['description']) faults.push(`${path} ${name.name}`)
    }
  }
  expect(faults).toEqual([])
})
