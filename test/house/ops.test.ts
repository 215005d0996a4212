import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MAX_HISTORY_DAYS } from '../../ingest/domain/dataset/history.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY } from '../../ingest/domain/time.ts'
import { SEASON_RETENTION_MS } from '../../ingest/steps/orphans.ts'

const page = await readFile(new URL('../../infra/OPS.md', import.meta.url), 'utf8')
const root = new URL('../../', import.meta.url)

test('every metric that OPS.md names exists', async () => {
  let code = ''
  for await (const path of glob(['ingest/**/*.ts', 'workers/**/*.ts', 'api/**/*.ts'], { cwd: root }))
    code += await readFile(new URL(path, root), 'utf8')
  const named = [...new Set(page.match(/\bhexcast_[a-z_]+\b/g))].filter((name) => name !== 'hexcast_api')
  expect(named.length).toBeGreaterThan(8)
  // The counter of a histogram has a suffix. A prefix stands for every metric that begins with it.
  const measured = (name: string) => code.includes(`'${name.replace(/_count$/, '')}`)
  expect(named.filter((name) => !measured(name))).toEqual([])
})

test('every alarm of OPS.md begins with a command to type', () => {
  const table = page.slice(page.indexOf('## Alarms'), page.indexOf('## Failures and recovery'))
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| alarm'))
  expect(rows.length).toBeGreaterThan(8)
  for (const row of rows) {
    const first = nth(row.split(/(?<!\\)\|/), 4).trim()
    expect(first, row).toMatch(/^`(npx hexcast|curl|grep|temporal|df|chronyc|psql) /)
  }
})

test('OPS.md advises no expiry that removes served objects', () => {
  const s3 = page.slice(page.indexOf('## S3'), page.indexOf('## Kafka'))
  const days = Array.from(s3.matchAll(/expire objects after (\d+) days/g), ([, number]) => Number(number))
  expect(days.length).toBeGreaterThan(0)
  for (const each of days) expect(each).toBeGreaterThan(SEASON_RETENTION_MS / DAY + MAX_HISTORY_DAYS)
  expect(page).not.toMatch(/expire `/)
})
