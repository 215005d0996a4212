import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import { ToolError } from './error.ts'
import type { Tool } from './tool.ts'

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** JSON Schema draft-07 of a tool's input (closed) or output (open, so that members may be added; `location` alone is closed). */
export function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const made = z.toJSONSchema(schema, { target: 'draft-7', io, reused: 'inline' }) as Node
  return io === 'input' ? made : slim(made, 0)
}

interface Node {
  [key: string]: unknown
}

/** The types of an output without what every client would read again and again: what is required stands at the root. */
function slim(node: Node, depth: number): Node {
  if (depth > 2) return typeOnly(node)
  const out: Node = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'additionalProperties' && value === false) continue
    if ((key === 'required' && depth > 0) || key === 'propertyNames') continue
    if (key === 'properties') {
      out[key] = Object.fromEntries(
        Object.entries(value as Record<string, Node>).map(([name, child]) => [name, member(name, child, depth)]),
      )
    } else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
      out[key] = slim(value as Node, depth + 1)
    else if (key === 'anyOf') Object.assign(out, united((value as Node[]).map((child) => slim(child, depth + 1))))
    else if (!((key === 'minimum' || key === 'maximum') && Math.abs(value as number) > 1e15)) out[key] = value
  }
  if (Object.keys((out['properties'] as object | undefined) ?? { some: 1 }).length === 0) delete out['properties']
  if (JSON.stringify(out['items']) === '{"type":"object"}') delete out['items']
  if (JSON.stringify(out['additionalProperties']) === '{}') delete out['additionalProperties']
  return out
}

/** `location` is given whole; of `meta`, the same in every tool, the kinds of its members: the guide tells what lies in them once. */
function member(name: string, child: Node, depth: number): Node {
  if (depth === 0 && child['type'] === 'object') {
    if (name === 'location') return child
    if (name === 'meta') {
      const parts = Object.entries((child['properties'] ?? {}) as Record<string, Node>)
      return { type: 'object', properties: Object.fromEntries(parts.map(([part, one]) => [part, typeOnly(one)])) }
    }
  }
  return slim(child, depth + 1)
}

/** Several kinds as one: what is said of objects does not bind a null. */
function united(kinds: readonly Node[]): Node {
  const types = kinds.map((kind) => kind['type'])
  const telling = kinds.filter((kind) => Object.keys(kind).join() !== 'type')
  if (telling.length === 0) return { type: types }
  const [only] = telling
  if (telling.length === 1 && only['type'] === 'object' && types.every((type) => type === 'object' || type === 'null'))
    return { ...only, type: types }
  return { anyOf: kinds }
}

/** Deep inside the kind of a member is enough. */
function typeOnly(node: Node): Node {
  const union = node['anyOf'] as Node[] | undefined
  const type = union ? [...new Set(union.flatMap((one) => one['type'] as string))] : node['type']
  return type === undefined ? {} : { type }
}

const inputs = new WeakMap<Tool, Property>()

function inputOf(tool: Tool): Property {
  let schema = inputs.get(tool)
  if (!schema) inputs.set(tool, (schema = jsonSchema(tool.input, 'input') as Property))
  return schema
}

/** Arguments as the tool wants them. @throws ToolError bad-request that names every fault of the call at once */
export function check(tool: Tool, args: unknown): Record<string, unknown> {
  const read = tool.input.safeParse(args ?? {})
  if (read.success) return read.data
  const schema = inputOf(tool)
  const faults = read.error.issues.slice(0, 20).flatMap((issue) => explain(issue, schema, args))
  const first = faults[0]
  throw new ToolError(
    'bad-request',
    faults.map(({ text }) => text).join(' '),
    `mend ${faults.length > 1 ? 'these arguments' : 'this argument'} and call ${tool.name} again.`,
    {
      field: first.field,
      allowed: first.allowed,
      got: first.got,
      ...(first.suggestions.length > 0 && { suggestions: first.suggestions }),
    },
  )
}

/** What came, unless it is large: then how it begins. */
function brief(got: unknown): unknown {
  const text = JSON.stringify(got)
  return text === undefined || text.length <= 200 ? got : `${text.slice(0, 200)}…`
}

interface Explained {
  readonly field: string
  readonly text: string
  readonly allowed: unknown
  readonly got: unknown
  readonly suggestions: readonly string[]
}

function explain(issue: z.core.$ZodIssue, root: Property, args: unknown): Explained[] {
  const path = issue.path.map(String)
  const got = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], args)
  const property = path.reduce<Property | undefined>(
    (at, key) => (/^\d+$/.test(key) ? at?.items : at?.properties?.[key]),
    root,
  )
  const field = path.join('.') || 'arguments'
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(property?.properties ?? {})
    return issue.keys.slice(0, 20).map((key) => {
      const suggestions = nearest(key, known, 1)
      const name = path.length ? `${path.join('.')}.${key.slice(0, 80)}` : key.slice(0, 80)
      const hint = suggestions.length > 0 ? ` Did you mean ${suggestions[0]}?` : ''
      return {
        field: name,
        text: `There is no argument ${name}.${hint} Known: ${known.join(', ')}.`,
        allowed: known,
        got: key.slice(0, 80),
        suggestions,
      }
    })
  }
  const allowed = wanted(property)
  const came = got === undefined ? 'nothing' : JSON.stringify(got)?.slice(0, 80)
  const message = issue.code === 'custom' ? issue.message : `${field}: wanted ${allowed}, got ${came}.`
  const suggestions = typeof got === 'string' && property?.enum ? nearest(got, property.enum.map(String), 1) : []
  return [{ field, text: message, allowed: property?.enum ?? allowed, got: brief(got), suggestions }]
}

function wanted(property: Property | undefined): string {
  if (!property) return 'another value'
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = property
  if (property.enum) return `one of ${property.enum.join(', ')}`
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    if (minimum !== undefined && maximum !== undefined && maximum < 1e15) return `${kind} from ${minimum} to ${maximum}`
    return kind
  }
  if (type === 'array')
    return `a list of ${minItems ?? 0} to ${maxItems ?? 'any number of'} items, each ${wanted(property.items)}`
  if (type === 'string') {
    if (property.pattern?.includes('\\d{4}-\\d{2}-\\d{2}')) return 'a date YYYY-MM-DD'
    return maxLength === undefined ? 'text' : `text of ${minLength ?? 0} to ${maxLength} characters`
  }
  if (type === 'boolean') return 'true or false'
  if (type === 'object')
    return `an object with ${(property.required ?? Object.keys(property.properties ?? {})).join(', ') || 'members'}`
  return 'another value'
}
