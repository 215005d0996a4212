import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { Parser } from 'acorn'
import { expect, test } from 'vitest'
import { ABSENCE } from '../api/mcp/absence-words.ts'
import { sourceFiles } from './imports.ts'

/** The one file that writes sentences of absence. */
const HOME = 'api/mcp/words/absence.ts'

/** Texts of a file with their lines, without the descriptions of schemas and tools, which are documentation. */
function textsOf(file: string): { text: string; line: number }[] {
  const texts: { text: string; line: number }[] = []
  let before: [string, string] = ['', '']
  Parser.parse(stripTypeScriptTypes(readFileSync(file, 'utf8')), {
    sourceType: 'module',
    ecmaVersion: 'latest',
    locations: true,
    onToken: (token) => {
      const { type, value, loc } = token as typeof token & { value?: unknown }
      const isText = type.label === 'string' || type.label === 'template'
      const isDescription = before.join('') === 'description:' || before.join('') === 'describe('
      if (isText && typeof value === 'string' && !isDescription) texts.push({ text: value, line: loc?.start.line ?? 0 })
      before = [before[1], typeof value === 'string' ? value : type.label]
    },
  })
  return texts
}

test('only one file of the tools writes sentences of absence', () => {
  const files = sourceFiles().filter((file) => file.startsWith('api/mcp/') && file.endsWith('.ts') && file !== HOME)
  // The guide and the instructions explain the sentences.
  const documents = ['api/mcp/words/guide.ts', 'api/mcp/words/instructions.ts']
  // Sentences about the legs of a route, which name the part that is not known themselves.
  const areas = ['api/mcp/query/route-legs.ts']
  const strays = files
    .filter((file) => !documents.includes(file) && !areas.includes(file))
    .flatMap((file) =>
      textsOf(file)
        .filter(({ text }) => ABSENCE.test(text))
        .map(({ text, line }) => `${file}:${line}: ${text}`),
    )
  expect(files.length).toBeGreaterThan(50)
  expect(strays).toEqual([])
  expect(textsOf(HOME).filter(({ text }) => ABSENCE.test(text)).length).toBeGreaterThan(15)
})
