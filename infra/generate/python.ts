/** Generates the models and operations of the Python client from the OpenAPI document. */
import { clean, type JsonSchema, type PythonModels, pythonModels } from './python-models.ts'

interface ClientParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}
interface BodyContent {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
interface Operation {
  readonly summary: string
  readonly parameters?: readonly ClientParameter[]
  readonly requestBody?: BodyContent
  readonly responses: Readonly<Record<string, BodyContent>>
}
interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const HEAD = '# Written by npm run generate from openapi.json; do not edit.\n'
/** Names of operations for which the words of the path do not make a good name. */
const names: Readonly<Record<string, string>> = {
  'get /v1/catalog/{product_id}': 'product',
  'get /v1/radar/{product}': 'radar_times',
  'get /v1/radar/{product}/{time}/tiles.json': 'radar_tile_json',
  'post /v1/webhooks': 'create_webhook',
}

/** @throws Error if two operations have the same name */
export function pythonFiles(document: object): { path: string; text: string }[] {
  const models = pythonModels((document as OpenApiDocument).components.schemas)
  const sync: string[] = []
  const async: string[] = []
  const usedNames = new Set<string>()
  for (const [path, item] of Object.entries((document as OpenApiDocument).paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      if (!path.startsWith('/v1/')) continue
      const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1].content
      const schema = answer?.['application/json']?.schema ?? answer?.['application/geo+json']?.schema
      if (answer && !schema) continue
      // A request that only reads is sent as POST if possible, because a list of points may be longer than a URL.
      const post = item['post']
      if (verb === 'get' && post && sameAnswer(post, operation)) continue
      const name = names[`${verb} ${path}`] ?? nameOf(verb, path)
      if (usedNames.has(name))
        throw new Error(`two operations are named ${name}: add a name for ${verb} ${path} in infra/generate/python.ts`)
      usedNames.add(name)
      const type = schema && schema.type !== 'null' ? models.answer(schema, name) : 'None'
      sync.push(method(name, verb, path, operation, type, false))
      async.push(method(name, verb, path, operation, type, true))
    }
  }
  return [
    { path: 'api/client/python/hexcast/models.py', text: HEAD + models.text() },
    { path: 'api/client/python/hexcast/operations.py', text: HEAD + operationsText(models, sync, async) },
  ]
}

const sameAnswer = (a: Operation, b: Operation) =>
  JSON.stringify(a.responses['200']?.content) === JSON.stringify(b.responses['200']?.content)
const singular = (word: string) => word.replace(/s$/, '')
const snake = (text: string) => text.replace(/[^a-z0-9]+/gi, '_').toLowerCase()

/**
 * Returns the name of an operation, such as `webhook_deliveries` for GET /v1/webhooks/{id}/deliveries and
 * `delete_webhook` for DELETE /v1/webhooks/{id}.
 */
function nameOf(verb: string, path: string): string {
  const parts = path.split('/').slice(2)
  const words = parts.flatMap((part, i) =>
    part.startsWith('{') ? [] : [snake(parts[i + 1]?.startsWith('{') ? singular(part) : part)],
  )
  const prefix = { patch: 'update_', delete: 'delete_' }[verb] ?? ''
  return prefix + words.join('_')
}

function method(
  name: string,
  verb: string,
  path: string,
  operation: Operation,
  type: string,
  isAsync: boolean,
): string {
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in !== 'header' && parameter.name !== 'format',
  )
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody?.content?.['application/json']?.schema
  const inBody = Object.entries(body?.properties ?? {})
    .filter(([member]) => member !== 'format')
    .map(([member, schema]) => ({
      name: member,
      schema,
      required: body?.required?.includes(member),
      description: schema.description,
    }))
  const keywords = [...inQuery, ...inBody].sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
  const line = (parameter: Pick<ClientParameter, 'name' | 'schema' | 'required'>) =>
    `        ${parameter.name}: ${argument(parameter.schema)}${parameter.required ? '' : ' | None = None'},`
  const docs = [...inPath, ...keywords].flatMap((parameter) => {
    const description = parameter.description ?? parameter.schema.description
    return description ? [`        :param ${parameter.name}: ${clean(description)}`] : []
  })
  const dict = (arguments_: readonly { readonly name: string }[]) =>
    arguments_.length === 0 ? 'None' : `{${arguments_.map((entry) => `"${entry.name}": ${entry.name}`).join(', ')}}`
  const call = `self._call("${verb.toUpperCase()}", ${quoted(path)}, ${type}, ${dict(inQuery)}, ${dict(inBody)})`
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    '        self,',
    ...inPath.map(line),
    ...(keywords.length > 0 ? ['        *,', ...keywords.map(line)] : []),
    `    ) -> ${type}:`,
    ...(docs.length > 0
      ? [`        """${clean(operation.summary)}.`, '', ...docs, '        """']
      : [`        """${clean(operation.summary)}."""`]),
    `        return ${isAsync ? 'await ' : ''}${call}`,
    '',
  ].join('\n')
}

const quoted = (path: string) =>
  path.includes('{') ? `f"${path.replace(/\{(\w+)\}/g, '{segment($1)}')}"` : `"${path}"`

function argument({ type, format }: JsonSchema): string {
  if (format === 'date-time') return 'datetime | str'
  if (type === 'string') return 'str'
  if (type === 'integer') return 'int'
  if (type === 'number') return 'float'
  if (type === 'boolean') return 'bool'
  if (type === 'array') return 'Sequence[Any]'
  return type === undefined ? 'Any' : 'Mapping[str, Any]'
}

function operationsText(models: PythonModels, sync: readonly string[], async: readonly string[]): string {
  return `from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from .base import segment
from .models import (
${models
  .answers()
  .map((name) => `    ${name},\n`)
  .join('')})

T = TypeVar("T")


class Operations:
    """Every operation under /v1 with a JSON answer."""

    def _call(self, method: str, path: str, answer: type[T] | None, query: dict | None, body: dict | None) -> T:
        raise NotImplementedError

${sync.join('\n')}

class AsyncOperations:
    """Every operation under /v1 with a JSON answer."""

    async def _call(self, method: str, path: str, answer: type[T] | None, query: dict | None, body: dict | None) -> T:
        raise NotImplementedError

${async.join('\n')}`
}
