import { z } from 'zod'
import { edits, nearest } from '../../../ingest/domain/nearest.ts'
import { QueryError } from '../../dataset/error.ts'
import { findSpot } from '../../dataset/spot.ts'
import { ToolError } from './error.ts'
import { place } from './input.ts'
import type { Tool } from './tool.ts'

interface Property {
  readonly type?: string
  readonly description?: string
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

/** Returns the JSON Schema draft-07 of a tool's input, which rejects unknown members. */
export function inputSchema(schema: z.ZodObject): SchemaNode {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input', reused: 'inline' }) as SchemaNode
}

/** Returns the JSON Schema draft-07 of a tool's output with all nested members; it accepts unknown members, so that members can be added later. */
export function outputSchema(schema: z.ZodObject): SchemaNode {
  return opened(z.toJSONSchema(schema, { target: 'draft-7', io: 'output', reused: 'inline' }) as SchemaNode)
}

/** How much of an output schema `tools/list` gives: the members of the root with their types, the required members, or nothing. */
export const schemaDepths = ['members', 'required', 'none'] as const

/**
 * Returns the output schema in `tools/list`. The full schemas of all tools are 75 KB, too much for every session to read;
 * `hexcast://schemas/{tool}` gives them.
 */
export function briefOutputSchema(schema: z.ZodObject, depth: (typeof schemaDepths)[number]): SchemaNode {
  const { $schema, type, required, properties = {} } = outputSchema(schema)
  if (depth === 'none') return { type }
  // Every answer has `meta`. A list of the other members is in the full schema.
  if (depth === 'required') return { type, required: ['meta'] }
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    name === 'location' && member.type === 'object' ? briefLocation(member) : typeOf(member),
  ])
  return { $schema, type, properties: Object.fromEntries(members), required }
}

/** Returns a location as the specification requires it. The tools always give the name too. */
const briefLocation = (node: SchemaNode): SchemaNode => ({ ...node, required: ['lat', 'lon'] })

/** Returns the type or types of a member, without anything else. */
function typeOf({ anyOf, type: ownType }: SchemaNode): SchemaNode {
  const type = anyOf ? [...new Set(anyOf.map((alternative) => alternative.type))] : ownType
  return type === undefined ? {} : { type }
}

export interface SchemaNode {
  readonly [key: string]: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly anyOf?: readonly SchemaNode[]
}

/** Returns the schema in which all objects except `location` accept unknown members. */
function opened(node: SchemaNode, name = ''): SchemaNode {
  const members: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'additionalProperties' && value === false && name !== 'location') continue
    if (key === 'propertyNames') continue
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) > 1e15) continue
    if (key === 'properties')
      members[key] = Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([member, child]) => [member, opened(child, member)]),
      )
    else if (Array.isArray(value)) members[key] = value.map((item) => (isNode(item) ? opened(item) : item))
    else members[key] = isNode(value) ? opened(value) : value
  }
  return members
}

const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inputs = new WeakMap<Tool, Property>()

function inputOf(tool: Tool): Property {
  let schema = inputs.get(tool)
  if (!schema) inputs.set(tool, (schema = inputSchema(tool.input) as Property))
  return schema
}

/** Returns the arguments of a call with their defaults. @throws ToolError bad-request that names every fault of the call at once */
export function check(tool: Tool, args: unknown): Record<string, unknown> {
  const parsed = tool.input.safeParse(args ?? {})
  if (parsed.success) return parsed.data
  const schema = inputOf(tool)
  const faults = parsed.error.issues.slice(0, 20).flatMap((issue) => explain(issue, schema, args))
  const [first] = faults
  const placeFault = placeFaultOf(tool, args)
  throw new ToolError(
    'bad-request',
    [...faults.map(({ text }) => text), ...(placeFault ? [`Also: ${placeFault}`] : [])].join(' '),
    `correct ${faults.length > 1 ? 'these arguments' : 'this argument'} and call ${tool.name} again.`,
    first && {
      field: first.field,
      allowed: first.allowed,
      got: first.got,
      ...(first.suggestions.length > 0 && { suggestions: first.suggestions }),
    },
  )
}

/** Returns what is wrong with the place of a call whose other arguments are wrong; undefined if the place is right or of a wrong type. */
function placeFaultOf(tool: Tool, args: unknown): string | undefined {
  const { location, lat, lon } = placeShape.safeParse(args).data ?? {}
  if (!tool.input.shape['location'] || (location === undefined && (lat === undefined || lon === undefined)))
    return undefined
  try {
    findSpot({ location, lat, lon })
    return undefined
  } catch (error) {
    return error instanceof QueryError ? error.message : undefined
  }
}
const placeShape = z.object(place)

/** Characters of a received value that an error repeats. */
const MAX_REPEATED = 200

/** Returns the received value, or the beginning of its JSON if the value is large. */
function brief(value: unknown): unknown {
  const text = beginning(value)
  return text === undefined || text.length <= MAX_REPEATED ? value : `${text.slice(0, MAX_REPEATED)}…`
}

/** Returns the JSON of a value. For a large value only its beginning, a little over `MAX_REPEATED` characters, so that 1 MB is not serialized in vain. */
function beginning(value: unknown): string | undefined {
  let nodes = 0
  const cut = (part: unknown): unknown => {
    if (nodes++ > MAX_REPEATED) return 0
    if (typeof part === 'string') return part.slice(0, MAX_REPEATED + 1)
    if (Array.isArray(part)) return part.slice(0, MAX_REPEATED + 1).map(cut)
    if (typeof part !== 'object' || part === null) return part
    const members: Record<string, unknown> = {}
    for (const name in part) {
      if (nodes > MAX_REPEATED) break
      members[name.slice(0, MAX_REPEATED + 1)] = cut((part as Record<string, unknown>)[name])
    }
    return members
  }
  return JSON.stringify(cut(value))
}

/** A fault of a call in words. */
interface ArgumentFault {
  readonly field: string
  readonly text: string
  readonly allowed: unknown
  readonly got: unknown
  readonly suggestions: readonly string[]
}

function explain(issue: z.core.$ZodIssue, root: Property, args: unknown): ArgumentFault[] {
  const path = issue.path.map(String)
  const actual = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], args)
  const property = path.reduce<Property | undefined>(
    (at, key) => (/^\d+$/.test(key) ? at?.items : at?.properties?.[key]),
    root,
  )
  const field = path.join('.') || 'arguments'
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(property?.properties ?? {})
    return issue.keys.slice(0, 20).map((key) => {
      const suggestions = nearest(key, known, 1).filter((name) => isSimilar(key, name))
      const name = path.length ? `${path.join('.')}.${key.slice(0, 80)}` : key.slice(0, 80)
      const hint = suggestions.length > 0 ? ` Did you mean ${suggestions[0]}?` : ''
      return {
        field: name,
        text: `There is no argument ${name}.${hint} The arguments are ${known.join(', ')}.`,
        allowed: known,
        got: key.slice(0, 80),
        suggestions,
      }
    })
  }
  const allowed = expectationOf(property)
  const gotWords = actual === undefined ? 'is missing' : `was ${beginning(actual)?.slice(0, 80)}`
  const message =
    issue.code === 'custom' ? issue.message : `${field} must be ${allowed}${meaning(property)}, but ${gotWords}.`
  const suggestions = typeof actual === 'string' && property?.enum ? nearest(actual, property.enum.map(String), 1) : []
  return [{ field, text: message, allowed: property?.enum ?? allowed, got: brief(actual), suggestions }]
}

/** Returns whether a known name is similar enough to an unknown name to be suggested. `lat` is not suggested for `date`. */
function isSimilar(key: string, name: string): boolean {
  const [unknown, known] = [key.slice(0, 80).toLowerCase(), name.toLowerCase()]
  return unknown.includes(known) || known.includes(unknown) || edits(unknown, known) <= Math.max(1, unknown.length / 3)
}

/** Returns the description of a free text, because its bounds do not explain that `Colorado` is sent as `CO`. */
function meaning(property: Property | undefined): string {
  if (property?.type !== 'string' || property.enum || property.pattern || !property.description) return ''
  return ` (${property.description.replace(/\.$/, '').slice(0, 100)})`
}

/** Returns the allowed values of an argument in words. */
function expectationOf(property: Property | undefined): string {
  if (!property) return 'another value'
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = property
  if (property.enum) return `one of ${property.enum.join(', ')}`
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number'
    if (minimum !== undefined && maximum !== undefined && maximum < 1e15) return `${kind} from ${minimum} to ${maximum}`
    return kind
  }
  if (type === 'array')
    return `a list of ${minItems ?? 0} to ${maxItems ?? 'any number of'} items, each ${expectationOf(property.items)}`
  if (type === 'string') {
    if (property.pattern?.includes('\\d{4}-\\d{2}-\\d{2}')) return 'a date YYYY-MM-DD'
    if (maxLength === undefined) return 'text'
    return minLength === maxLength
      ? `text of ${maxLength} characters`
      : `text of ${minLength ?? 0} to ${maxLength} characters`
  }
  if (type === 'boolean') return 'true or false'
  if (type === 'object')
    return `an object with ${(property.required ?? Object.keys(property.properties ?? {})).join(', ') || 'members'}`
  return 'another value'
}
