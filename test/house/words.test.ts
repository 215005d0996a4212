import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** Words that have a standard term (docs/language.md): none of them is part of an identifier or stands in a comment. */
const replaced = new Set([
  ...[
    'held',
    'hold',
    'holds',
    'holding',
    'said',
    'told',
    'heard',
    'hear',
    'hears',
    'say',
    'says',
    'saying',
    'tell',
    'tells',
  ],
  ...[
    'aside',
    'paper',
    'blank',
    'wish',
    'wishes',
    'wished',
    'door',
    'doors',
    'pillar',
    'pillars',
    'patience',
    'patient',
  ],
  ...['lacking', 'lacks', 'hopeless', 'heeded', 'desk', 'soon', 'weave', 'weaves', 'woven', 'announce', 'announces'],
])

/** A word in a file where it is the standard term or a public name. */
const allowed: readonly (readonly [file: RegExp, ...words: string[]])[] = [
  // The verb of the command line, and the kind of task that it starts.
  [/^bin\/verbs\/(flow|flow-run|ingest|workers)\.ts$|^ingest\/steps\/pool-/, 'weave'],
  // "Blank line", and the blanks of fixed-width text.
  [/^ingest\/decode\/|^infra\/simulator\//, 'blank'],
  // A desk of the Weather Prediction Center is a unit of that office.
  [
    /^ingest\/(decode|domain)\/|^infra\/simulator\/|^(test\/)?api\/(contract|answer\/made-suppliers|live\/texts(\.test)?|routes\/text-changes|(mcp|mcp\/query|sections)\/[\w.]+)\.ts$|^sql\/queries\/changes\.ts$/,
    'desk',
  ],
  // A public code of warnings.
  [/^api\/contract\.ts$/, 'held'],
  // Words of forecasters that the decoder looks for.
  [/^ingest\/decode\/hwo\.ts$/, 'aside'],
  // Keys of the table of outcomes: what a run that was rejected is called in the database.
  [/^bin\/run-progress\.ts$|^ingest\/steps\/grid\/publish\.ts$|^sql\/queries\/runs\.ts$/, 'held', 'aside'],
  // An option of the bench, the name of a metric, and the list above.
  [/^test\/bench\/answer\.ts$/, 'held'],
  [/^test\/drills\/scale\.test\.ts$/, 'heard'],
  [/^test\/house\/words\.test\.ts$/, 'blank', 'desk'],
  // A property of discussions in answers.
  [/^api\/answer\/schema\/guidance\.ts$/, 'desk'],
  // The name of a table.
  [/^sql\/schema\.ts$/, 'aside'],
  // A member of the manifest, which `hexcast point` prints.
  [
    /^bin\/verbs\/point-run\.ts$|^ingest\/steps\/grid\/publish\.ts$|^sql\/queries\/runs\.ts$|^api\/live\/served-runs\.ts$|^test\/(walks\/model-run|api\/live\/served-runs)\.test\.ts$/,
    'lacking',
  ],
]

const files = sourceFiles().filter((file) => !file.includes('.generated.'))

/** Comments and identifiers of a file, strings left out. */
function wordsOf(text: string): string[] {
  const parts = text.matchAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*/g,
  )
  return Array.from(parts, ([part]) => part)
    .filter((part) => !/^['"`]/.test(part))
    .flatMap((part) => part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [])
    .map((word) => word.toLowerCase())
}

test('identifiers and comments use standard terms', () => {
  const wrong: string[] = []
  for (const file of files) {
    const own = new Set(allowed.flatMap(([where, ...words]) => (where.test(file) ? words : [])))
    const found = wordsOf(readFileSync(file, 'utf8')).filter((word) => replaced.has(word) && !own.has(word))
    if (found.length > 0) wrong.push(`${file}: ${[...new Set(found)].join(', ')}`)
  }
  expect(wrong).toEqual([])
})
