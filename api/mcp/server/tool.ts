import type { z } from 'zod'
import type { MetaWarning } from '../../contract.ts'
import type { ToolContext } from '../query/context.ts'

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
  /** Long-running: reports progress. */
  readonly progress?: boolean
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult>
}

/** Keeps the types of input and handler together in a list of tools. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}
