import { z } from 'zod'
import { edits, nearest } from '../../../ingest/domain/nearest.ts'
import { ToolError } from './error.ts'
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

/** JSON Schema draft-07 of a tool's input, closed. */
export function inputSchema(schema: z.ZodObject): Record<string, unknown> {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input', reused: 'inline' }) as Node
}

/** JSON Schema draft-07 of a tool's output to its whole depth, open, so that members may be added. */
export function outputSchema(schema: z.ZodObject): Record<string, unknown> {
  return opened(z.toJSONSchema(schema, { target: 'draft-7', io: 'output', reused: 'inline' }) as Node)
}

/**
 * The same as `tools/list` gives it: members of the root with their types, `location` whole. All tools to their whole depth are
 * 75 KB, too much for what every session reads; `hexcast://schemas/{tool}` has the rest.
 */
export function briefOutputSchema(schema: z.ZodObject): Record<string, unknown> {
  const whole = outputSchema(schema)
  const properties = Object.entries((whole['properties'] ?? {}) as Record<string, Node>)
  return {
    ...whole,
    properties: Object.fromEntries(
      properties.map(([name, one]) => [
        name,
        name === 'location' && one['type'] === 'object' ? briefLocation(one) : typeOf(one),
      ]),
    ),
  }
}

/** A location as the specification requires it: the name is always given all the same. */
const briefLocation = (one: Node): Node => ({ ...one, required: ['lat', 'lon'] })

interface Node {
  [key: string]: unknown
}

/** Objects other than `location` may have more members than are named. */
function opened(node: Node, name = ''): Node {
  const out: Node = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'additionalProperties' && value === false && name !== 'location') continue
    if (key === 'propertyNames') continue
    if ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) > 1e15) continue
    if (key === 'properties')
      out[key] = Object.fromEntries(
        Object.entries(value as Record<string, Node>).map(([member, child]) => [member, opened(child, member)]),
      )
    else if (Array.isArray(value)) out[key] = value.map((one) => (isNode(one) ? opened(one) : one))
    else out[key] = isNode(value) ? opened(value) : value
  }
  return out
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The types of a member. */
function typeOf(node: Node): Node {
  const union = node['anyOf'] as Node[] | undefined
  const type = union ? [...new Set(union.flatMap((one) => one['type'] as string))] : node['type']
  return type === undefined ? {} : { type }
}

const inputs = new WeakMap<Tool, Property>()

function inputOf(tool: Tool): Property {
  let schema = inputs.get(tool)
  if (!schema) inputs.set(tool, (schema = inputSchema(tool.input) as Property))
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
    `correct ${faults.length > 1 ? 'these arguments' : 'this argument'} and call ${tool.name} again.`,
    {
      field: first.field,
      allowed: first.allowed,
      got: first.got,
      ...(first.suggestions.length > 0 && { suggestions: first.suggestions }),
    },
  )
}

/** Characters of what came that an error repeats. */
const MAX_REPEATED = 200

/** What came, unless it is large: then how it begins. */
function brief(got: unknown): unknown {
  const text = beginning(got)
  return text === undefined || text.length <= MAX_REPEATED ? got : `${text.slice(0, MAX_REPEATED)}…`
}

/** JSON of a value; of a large one only how it begins, longer than `MAX_REPEATED`: one of 1 MB is not written out to be cut. */
function beginning(value: unknown): string | undefined {
  let nodes = 0
  const cut = (one: unknown): unknown => {
    if (nodes++ > MAX_REPEATED) return 0
    if (typeof one === 'string') return one.slice(0, MAX_REPEATED + 1)
    if (Array.isArray(one)) return one.slice(0, MAX_REPEATED + 1).map(cut)
    if (typeof one !== 'object' || one === null) return one
    const members: Record<string, unknown> = {}
    for (const name in one) {
      if (nodes > MAX_REPEATED) break
      members[name.slice(0, MAX_REPEATED + 1)] = cut((one as Record<string, unknown>)[name])
    }
    return members
  }
  return JSON.stringify(cut(value))
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
      const suggestions = nearest(key, known, 1).filter((name) => isMeant(key, name))
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
  const came = got === undefined ? 'nothing' : beginning(got)?.slice(0, 80)
  const message =
    issue.code === 'custom' ? issue.message : `${field}: wanted ${allowed}${meaning(property)}, got ${came}.`
  const suggestions = typeof got === 'string' && property?.enum ? nearest(got, property.enum.map(String), 1) : []
  return [{ field, text: message, allowed: property?.enum ?? allowed, got: brief(got), suggestions }]
}

/** Whether a known name is so like an unknown one that it may be proposed: `lat` is not for `date`. */
function isMeant(key: string, name: string): boolean {
  const [asked, known] = [key.slice(0, 80).toLowerCase(), name.toLowerCase()]
  return asked.includes(known) || known.includes(asked) || edits(asked, known) <= Math.max(1, asked.length / 3)
}

/** What a free text means: its bounds alone do not explain that `Colorado` is sent as `CO`. */
function meaning(property: Property | undefined): string {
  if (property?.type !== 'string' || property.enum || property.pattern || !property.description) return ''
  return ` (${property.description.replace(/\.$/, '').slice(0, 100)})`
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
