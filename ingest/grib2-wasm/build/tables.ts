/** Writes `src/product/tables.generated.ts` from `data/*.tsv`. Run: `node build/tables.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

function rows(file: string): string[][] {
  const text = readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
}

/** Returns the text of the generated file. Each table is one string, which is parsed when a name is first requested. */
export function tables(): string {
  const parameters = rows('parameters.tsv').map(([centre, discipline, category, number, ...words]) =>
    [`${centre === '0' ? '' : `${centre}/`}${discipline}.${category}.${number}`, ...words].join('\t'),
  )
  const surfaces = rows('surfaces.tsv').map((words) => words.join('\t'))
  const text = (lines: string[]) => `\`\n${lines.join('\n').replace(/[`\\$]/g, '\\$&')}\n\``
  return [
    '// Made by build/tables.ts from data/. Do not edit.',
    `export const parameters: string = ${text(parameters)}`,
    `export const surfaces: string = ${text(surfaces)}`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/product/tables.generated.ts', import.meta.url), tables())
}
