/** TypeScript types of an OpenAPI document: schemas by name, and every operation that answers JSON with what it takes and gives. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly description?: string
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly {
    name: string
    in: string
    required?: boolean
    schema: Schema
    description?: string
  }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
  readonly responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

export function clientTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, '')}`,
  )
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) =>
        Object.entries(responses).some(
          ([status, { content }]) => status.startsWith('2') && content?.['application/json'],
        ),
      )
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const shapes = operations.map(({ path, method, operation }) => {
    const of = (place: string) => (operation.parameters ?? []).filter((one) => one.in === place)
    const parts = [`    readonly method: '${method}'`, `    readonly path: '${path}'`]
    for (const place of ['path', 'query'] as const) {
      const list = of(place)
      const optional = list.every(({ required }) => !required) ? '?' : ''
      if (list.length) {
        const members = list.map(
          ({ name, required, schema, description }) =>
            `${comment(description, '      ')}      readonly ${key(name)}${required ? '' : '?'}: ${typeOf(schema, '      ')}`,
        )
        parts.push(
          `    readonly ${place === 'path' ? 'params' : 'query'}${place === 'path' ? '' : optional}: {\n${members.join('\n')}\n    }`,
        )
      }
    }
    const body = operation.requestBody?.content['application/json']?.schema
    if (body) parts.push(`    readonly body: ${typeOf(body, '    ')}`)
    const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    const types = answers.map(([, { content }]) =>
      content ? typeOf(Object.values(content)[0]!.schema, '    ') : 'undefined',
    )
    parts.push(`    readonly answer: ${[...new Set(types)].join(' | ') || 'undefined'}`)
    return `${comment(operation.summary, '  ')}  readonly ${operation.operationId}: {\n${parts.join('\n')}\n  }`
  })
  const table = operations.map(({ path, method, operation }) => `  ${operation.operationId}: ['${method}', '${path}'],`)
  return `// Written by api/make-openapi.ts from the routes; do not edit.

${schemas.join('\n\n')}

export interface Operations {
${shapes.join('\n')}
}

export const operations: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {
${table.join('\n')}
}
`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const several = schema.oneOf ?? schema.anyOf
  if (several) return several.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent)).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'null':
      return 'null'
    case 'string':
      return 'string'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return `readonly (${schema.items ? typeOf(schema.items, indent) : 'unknown'})[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function objectType(schema: Schema, indent: string): string {
  const inner = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, value]) =>
      `${comment(value.description, inner)}${inner}readonly ${key(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(value, inner)}`,
  )
  const open = schema.additionalProperties
  if (!members.length) {
    return typeof open === 'object' && Object.keys(open).length
      ? `Readonly<Record<string, ${typeOf(open, indent)}>>`
      : 'Readonly<Record<string, unknown>>'
  }
  if (open !== undefined && open !== false) members.push(`${inner}readonly [extension: string]: unknown`)
  return `{\n${members.join('\n')}\n${indent}}`
}

const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
const comment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*∕').split('\n')[0]} */\n` : ''
