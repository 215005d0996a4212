import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { Parser } from 'acorn'

export interface Expression {
  readonly source: string
  readonly flags: string
  /** `file:line` of each use. */
  readonly uses: readonly string[]
}

/** Returns the regular expressions of source files, and the places that build expressions from strings. */
export function expressionsOf(files: readonly string[]): { literals: Expression[]; constructed: string[] } {
  const literals = new Map<string, { source: string; flags: string; uses: string[] }>()
  const constructed: string[] = []
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    Parser.parse(file.endsWith('.ts') ? stripTypeScriptTypes(text) : text, {
      sourceType: 'module',
      ecmaVersion: 'latest',
      locations: true,
      allowHashBang: true,
      onToken: (token) => {
        const { type, value, loc } = token as typeof token & { value?: unknown }
        const at = `${file}:${loc?.start.line}`
        if (type.label === 'name' && value === 'RegExp') constructed.push(at)
        if (type.label !== 'regexp') return
        const { pattern: source, flags } = value as unknown as { pattern: string; flags: string }
        const expression = literals.get(`/${source}/${flags}`) ?? { source, flags, uses: [] }
        expression.uses.push(at)
        literals.set(`/${source}/${flags}`, expression)
      },
    })
  }
  return { literals: [...literals.values()], constructed }
}
