import { z } from 'zod'
import { ofOneMoment } from '../../answer/one-moment.ts'
import type { MetaWarning } from '../../contract.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'

/** Result of a tool: data by its output schema, and a text that answers the user on its own. */
export interface ToolResult {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
  /** An image before the text, or a table after it. */
  readonly blocks?: readonly Block[]
}

export type Block =
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

/** One tool as plain data. The lists, the documents and the tests derive from `index.ts`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** At most 40 characters. */
  readonly title: string
  /** 80 to 900 characters: what it answers, when to use it, when another tool is better, what it does not cover. */
  readonly description: string
  readonly input: Input
  /** Absent: no output schema is declared. */
  readonly output?: z.ZodObject
  /** Rendered by the widget where the host supports it. */
  readonly widget?: boolean
  /** False for a tool that reads nothing from outside. */
  readonly openWorld?: boolean
  /** Also answers `as_of` an earlier instant: reads nothing but `deps.weather`, `deps.values`, its suppliers and `deps.alerts`. */
  readonly earlier?: boolean
  /** Long-running: reports progress. */
  readonly progress?: boolean
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult>
}

// A pattern of instants has 300 characters, and tools/list a limit: checked where it is read.
const asOf = z.string().optional().describe('Earlier generated_at')
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** @throws ToolError bad-request */
function instantOf(text: string): number {
  const at = text.length <= 40 && INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return at
  const message = `as_of: wanted an instant such as 2026-08-20T12:00:00Z, got "${text.slice(0, 40)}".`
  throw new ToolError('bad-request', message, 'mend the argument and call again.', { field: 'as_of' })
}

/** The context of an earlier instant: its clock, and what was served then. @throws Fault Missing outside of the range that is kept */
async function contextAt(context: ToolContext, at: number): Promise<ToolContext> {
  const { weather, values, alerts, at: now } = await context.deps.past.answersAt(at)
  return { ...context, now, deps: { ...context.deps, weather, values, alerts: await alerts() } }
}

function answersAsOf(definition: Tool): Tool {
  return {
    ...definition,
    input: definition.input.extend({ as_of: asOf }),
    async run(input, context) {
      const { as_of: at, ...rest } = input as { readonly as_of?: string }
      if (at !== undefined) return definition.run(rest, await contextAt(context, instantOf(at)))
      return ofOneMoment(context.deps.values.states, context.now, (now) => definition.run(rest, { ...context, now }))
    },
  }
}

/** Keeps the types of input and handler together in a list of tools. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  const one = definition as unknown as Tool
  return one.earlier ? answersAsOf(one) : one
}
