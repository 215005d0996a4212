import { z } from 'zod'
import { ofOneMoment } from '../../answer/one-moment.ts'
import type { MetaWarning } from '../../contract.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'

/** Result of a tool: data that match its output schema, and a text that answers the user without the data. */
export interface ToolResult {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
  /** Images, which come before the text, and tables, which come after it. */
  readonly blocks?: readonly ToolBlock[]
}

export type ToolBlock =
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly resource: {
        readonly uri: string
        readonly mimeType: string
        readonly text?: string
        readonly blob?: string
      }
    }

/** `meta` of every result, in the forms of REST. */
export interface ToolMeta {
  readonly generated_at: string
  readonly attribution: { readonly sources: readonly string[]; readonly notice: string }
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly {
    source: string
    product_id: string
    reference_time: string | null
    age_seconds: number | null
  }[]
}

/** A tool as plain data. The lists, the documents and the tests derive from `index.ts`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Title of at most 40 characters. */
  readonly title: string
  /** Description of 80 to 900 characters: what the tool answers, when to use it, when another tool is better, and what it does not cover. */
  readonly description: string
  readonly input: Input
  /** Absent for a tool that declares no output schema. */
  readonly output?: z.ZodObject
  /** Whether the widget shows the result in hosts that support it. */
  readonly widget?: boolean
  /** False for a tool that reads nothing from outside. */
  readonly openWorld?: boolean
  /** Whether the tool takes `as_of`. Such a tool reads only `deps.weather`, `deps.values`, its suppliers and `deps.alerts`. */
  readonly earlier?: boolean
  /** Whether the tool runs long and reports progress. */
  readonly progress?: boolean
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult>
}

// The pattern of an instant would take 300 characters in tools/list, whose size is limited. `instantOf` checks the value instead.
const asOf = z.string().meta({ format: 'date-time', description: 'Earlier generated_at' }).optional()
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Returns the instant of `as_of` in milliseconds. @throws ToolError bad-request */
function instantOf(text: string): number {
  const at = text.length <= 40 && INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return at
  const message = `as_of must be an instant such as 2026-08-20T12:00:00Z, but was "${text.slice(0, 40)}".`
  throw new ToolError('bad-request', message, 'correct as_of and call again.', { field: 'as_of' })
}

/** Returns the context of an earlier instant, with its clock and the data that was served then. @throws Fault Missing outside the stored range */
export async function contextAt(context: ToolContext, at: number): Promise<ToolContext> {
  const { weather, values, alerts, at: now } = await context.deps.past.answersAt(at)
  return { ...context, now, deps: { ...context.deps, weather, values, alerts: await alerts() } }
}

/** Returns the tool with the argument `as_of`. */
function answersAsOf(definition: Tool): Tool {
  return {
    ...definition,
    input: definition.input.extend({ as_of: asOf }),
    async run(input, context) {
      const { as_of: at, ...args } = input as { readonly as_of?: string }
      if (at !== undefined) return definition.run(args, await contextAt(context, instantOf(at)))
      return ofOneMoment(context.deps.values.states, context.now, (now) => definition.run(args, { ...context, now }))
    },
  }
}

/** Declares a tool: the type of its input is checked here and then widened, so that all tools fit in one list. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  const widened = definition as unknown as Tool
  return widened.earlier ? answersAsOf(widened) : widened
}
