import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentsWithTables, renderTables } from '../../infra/generate/readme.ts'

const text = readFileSync('README.md', 'utf8')

test.each(documentsWithTables)('the generated tables of %s are current (if not: npm run generate)', async (path) => {
  const written = readFileSync(path, 'utf8')
  expect(await renderTables(written)).toBe(written)
})

test('every file and script that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const files = [...text.matchAll(/`((?:ingest|workers|api|sql|infra|test|docs)\/[\w./-]+?)\/?`|\]\(([\w./]+)\)/g)].map(
    ([, code, link]) => (code ?? link ?? '').replace(/:\d+$/, ''),
  )
  expect(files.filter((file) => !file.includes('<') && !existsSync(file))).toEqual([])
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !scripts[name])).toEqual([])
})
