import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { TILE_TYPE } from '../../api/routes/stac/documents.ts'
import { CHUNK_TYPE } from '../../api/routes/zarr/routes.ts'
import { openApiOf } from '../../infra/generate/openapi/document.ts'
import { giveExamples } from '../../infra/generate/openapi/parameter-examples.ts'
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
    if (name !== 'examples' && name !== 'example') yield* propertiesOf(child, `${trail}/${name}`)
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

/** Answers of bytes, which a document of text cannot show. */
const BYTES = [
  'image/png',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
  TILE_TYPE,
  CHUNK_TYPE,
]

interface Message {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
}
interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (schema.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as Schema)

/** Composes an example from those of the properties, as readers of the document do. @param faults places without an example */
function exampleOf(reference: Schema, where: string, faults: string[]): unknown {
  const schema = resolved(reference)
  const [first] = (schema['examples'] ?? schema['enum'] ?? []) as unknown[]
  if (first !== undefined) return first
  if (schema['const'] !== undefined) return schema['const']
  const [choice] = (schema['oneOf'] ?? schema['anyOf'] ?? []) as Schema[]
  if (choice) return exampleOf(choice, where, faults)
  if (schema['allOf'])
    return Object.assign({}, ...(schema['allOf'] as Schema[]).map((part) => exampleOf(part, where, faults)))
  if (schema.items) return [exampleOf(schema.items, `${where}[]`, faults)]
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0 && schema['additionalProperties'])
    return { name: exampleOf(schema['additionalProperties'] as Schema, `${where}{}`, faults) }
  if (members.length === 0) faults.push(`${where}: no example`)
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, `${where}.${name}`, faults)]))
}

test('every operation has a description, and its bodies an example that their schemas accept', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://hexcast/openapi', ...document })
  const faults: string[] = []
  let bodies = 0
  for (const [path, operations] of Object.entries({
    ...(document['paths'] as Record<string, Record<string, Operation>>),
    ...(document['webhooks'] as Record<string, Record<string, Operation>>),
  })) {
    for (const [method, { summary, description, requestBody, responses }] of Object.entries(operations)) {
      if (!summary || !description) faults.push(`${method} ${path}: no summary or description`)
      const successes = Object.entries(responses).flatMap(([status, response]) => (status < '300' ? [response] : []))
      for (const { content } of [...successes, ...(requestBody ? [requestBody] : [])])
        for (const [type, { schema, example }] of Object.entries(content ?? {})) {
          if (BYTES.includes(type)) continue
          bodies++
          const composed = example ?? exampleOf(schema, `${method} ${path} ${type}`, faults)
          const isValid = ajv.compile(atHome(schema))
          if (!isValid(composed)) faults.push(`${method} ${path} ${type}: ${ajv.errorsText(isValid.errors)}`)
        }
    }
  }
  expect(faults).toEqual([])
  expect(bodies).toBeGreaterThan(100)
})

/** The schema with references into the document as it was added to the validator. */
const atHome = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"https://hexcast/openapi#/'))
