import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderReadme } from '../../infra/generate/readme.ts'

const text = readFileSync('README.md', 'utf8')

test('the tables of the README are what the lists say (else: npm run generate)', () => {
  expect(renderReadme(text)).toBe(text)
})

test('every file and script that the README names is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const files = [...text.matchAll(/`((?:ingest|workers|api|sql|infra|test|docs)\/[\w./-]+?)\/?`|\]\(([\w./]+)\)/g)].map(
    ([, code, link]) => (code ?? link).replace(/:\d+$/, ''),
  )
  expect(files.filter((file) => !file.includes('<') && !existsSync(file))).toEqual([])
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)
  expect(named.filter((name) => !scripts[name])).toEqual([])
})
