import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { freshPlace } from './place.ts'
import { fillYear } from './plans/fill.ts'
import { type RecordedStatement, recordStatements } from './plans/record.ts'

/** Rows of each table that grows. More of them change no plan: the planner compares the costs of an index and of the pages. */
const ROWS = 25_000

/** Functions that may read a whole table, and why. */
const wholeTables: Readonly<Record<string, string>> = {
  activeWebhooks: 'the dispatcher compares each event with every webhook, once a second in the whole fleet',
  claimDeliveries: 'the same: webhooks with waiting calls; an index of a count that always changes would cost more',
  countKeys: 'once, at the start of `hexcast start`',
  keysByPrefix: 'a verb of the operator',
  listKeys: 'a verb of the operator',
  newestObservations: 'once, at the start of a process: the newest report of each station',
  pruneTexts: 'once an hour, in batches, in retirement',
  removeOldScores: 'once an hour, in retirement',
  removeOldVersions: 'once an hour, in retirement',
  restartHistory: 'once, at the start of a worker',
  tableStorage: 'a verb of the operator, which counts all rows',
  zonesToCheck: 'the zones of all alerts that are stored',
}

/** Statements whose texts depend on values that the recorder does not have, and of the queue, whose tables are its own. */
const unplanned = /\bin \$\d|\("0"|\(\) values|\bundefined\b|"1|\bwork\.job\b/

/** Functions without a statement of their own. */
const withoutStatements: readonly string[] = ['oldCopyOf', 'usesSecondSource']

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

let place: Awaited<ReturnType<typeof freshPlace>>
let database: Database
let growing: readonly string[]
beforeAll(async () => {
  place = await freshPlace()
  database = await openDatabase(place.config)
  growing = await fillYear(database, ROWS)
})
afterAll(async () => {
  await database?.close()
  await place?.drop()
})

/** Returns the tables that the generic plan of a statement reads whole. @throws the error of PostgreSQL */
async function scannedBy({ text }: RecordedStatement): Promise<string[]> {
  // PostgreSQL 15 has no EXPLAIN (GENERIC_PLAN): a prepared statement with the same planner setting has the same plan.
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  const values = parameters > 0 ? `(${Array.from({ length: parameters }, () => 'null').join()})` : ''
  const results = await database.transaction(async (tx) => {
    await tx.query(`set local plan_cache_mode = force_generic_plan`)
    await tx.query(`prepare examined as ${text}`)
    try {
      return await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) execute examined ${values}`)
    } finally {
      await tx.query('deallocate examined').catch(() => undefined)
    }
  })
  const scanned: string[] = []
  const visit = (plan: Plan) => {
    if (plan['Node Type'] === 'Seq Scan' && plan['Relation Name']) scanned.push(plan['Relation Name'])
    plan.Plans?.forEach(visit)
  }
  for (const row of results) for (const { Plan } of row['QUERY PLAN']) visit(Plan)
  return scanned
}

test('no statement of sql/queries reads a table whole that grows', { timeout: 240_000 }, async () => {
  const { statements, silent } = await recordStatements()
  expect(silent.filter((name) => !withoutStatements.includes(name))).toEqual([])
  const failures: string[] = []
  for (const statement of statements) {
    if (!/^\s*(with|select|insert|update|delete)\b/i.test(statement.text) || unplanned.test(statement.text)) continue
    try {
      const scanned = (await scannedBy(statement)).filter((table) => growing.includes(table))
      if (scanned.length > 0 && !(statement.name in wholeTables))
        failures.push(
          `${statement.name}: reads ${[...new Set(scanned)].join()}: ${statement.text.replaceAll(/\s+/g, ' ')}`,
        )
    } catch (error) {
      failures.push(`${statement.name}: ${(error as Error).message}: ${statement.text.replaceAll(/\s+/g, ' ')}`)
    }
  }
  expect(failures).toEqual([])
})
