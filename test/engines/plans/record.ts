import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { SourceDialect } from '../../../ingest/ports/database/dialect.ts'
import type { Schema } from '../../../sql/schema.ts'
import type { Result, Transactions } from '../../../sql/session.ts'

const folder = join(import.meta.dirname, '../../../sql/queries')

/** A statement of `sql/queries`, and the function that makes it. */
export interface RecordedStatement {
  readonly name: string
  readonly text: string
}

/**
 * Returns every statement that the functions of `sql/queries` make. Each function is called with a value that is any argument (a text, a
 * number, a list of one, a record of itself), and with a database that notes statements and answers each with one such row. Only the texts
 * matter: the values are parameters.
 * @returns the statements, and the functions that made none
 */
export async function recordStatements(): Promise<{
  readonly statements: readonly RecordedStatement[]
  readonly silent: readonly string[]
}> {
  const statements = new Map<string, RecordedStatement>()
  const silent: string[] = []
  for (const file of (await readdir(folder)).sort()) {
    const module = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, call] of Object.entries(module)) {
      if (typeof call !== 'function' || /^class\b/.test(String(call))) continue
      const texts = await textsOf(call as (...some: unknown[]) => unknown, explicitArguments[name])
      if (texts.length === 0) silent.push(name)
      for (const text of texts) if (!statements.has(text)) statements.set(text, { name, text })
    }
  }
  return { statements: [...statements.values()], silent }
}

const at = new Date(0)
const order = { wmoAt: at, bbbRank: 5 }
const run = { dataset: 'nbm', domain: 'conus', run: at }
const publication = { ...run, stage: 0, publishedTo: 36, manifestKey: 'k', manifest: {}, wanted: 1, got: 1, missing: 0 }
/** Arguments of functions that check them, after the database. */
const explicitArguments: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  putChanges: [[[{ id: 1, alertId: 'a', payload: {}, office: 'BOU', status: 'Actual', at }]]],
  putReports: [['t', order, [{ station: 'DEN', name: 'Denver', date: '2026-01-01', office: 'BOU', issuedAt: 0 }]]],
  putRecords: [['t', order, [{ station: 'DEN', event: 'high', date: '2026-01-01', issuedAt: 0 }]]],
  claimRun: [[run]],
  endRun: [[run, 'gone', 'reason']],
  publishRun: [[publication, []]],
  unreadTexts: [[['a']]],
  rejectedTexts: [['CLI', { wfo: 'BOU', station: 'DEN', issuedFrom: at }]],
  addScores: [['conus', at, [{ lead: 10, pixels: 1, tallies: [], bins: [], rawBins: [] }]]],
  dropSeasonHours: [[{ domain: 'conus', hours: [at] }], [{ keptBefore: at }]],
  putSeasonHour: [['conus', { dataset: 'rtma', hour: at, slab_key: 'k', cover: 'c' }]],
  sumsOfStations: [[{ variable: 'temperature', from: '2026-01-01', to: '2026-01-08' }, new Set(['KDEN'])]],
  sumsByDay: [[{ kind: 'all', areas: ['all'], variable: 'temperature', from: '2026-01-01', to: '2026-01-08' }]],
}

async function textsOf(
  call: (...some: unknown[]) => unknown,
  explicit: readonly (readonly unknown[])[] = [],
): Promise<string[]> {
  const texts = new Set<string>()
  // A loop ends when a statement that was made before finds nothing.
  const run = async (text: string): Promise<Result> => {
    const isNew = !texts.has(text)
    texts.add(text)
    return { rows: isNew ? [anything()] : [], affected: 0 } as unknown as Result
  }
  const queries: Transactions = {
    kysely: new Kysely<Schema>({ dialect: new SourceDialect(run) }),
    query: async (text) => (await run(text)).rows as never,
    run,
    transaction: async (work) => work(queries),
  }
  for (const some of explicit) await Promise.resolve(call(queries, ...some)).catch(() => undefined)
  // Optional arguments may add conditions: each function is called with and without them, and with an empty list.
  for (const rest of [anything(), undefined, null, 1, 'x', new Date(0), {}, true]) {
    for (const many of [8, 1, 2]) {
      try {
        await call(queries, ...Array.from({ length: many }, (_, i) => (i === 0 && many > 1 ? anything() : rest)))
      } catch {
        // The values are not what the function expects. What it made before is noted.
      }
    }
  }
  return [...texts]
}

/** Properties by which libraries recognize their own objects. */
const foreign: ReadonlySet<PropertyKey> = new Set([
  ...[
    'then',
    'toOperationNode',
    'isRawBuilder',
    'expressionType',
    'isAliasedExpression',
    'isAliasedRawBuilder',
    'alias',
  ],
  ...['isDynamicTableBuilder', 'isDynamicReferenceBuilder', 'nodeType', 'kind', Symbol.toStringTag],
])

/** A value that is a text, a number, an instant, a list of one value, and a record of such values. */
function anything(): unknown {
  return new Proxy(() => undefined, {
    get(_, property) {
      if (foreign.has(property)) return undefined
      if (property === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 1 : '1')
      if (property === Symbol.iterator) return () => [anything()][Symbol.iterator]()
      if (property === 'length' || property === 'size') return 1
      if (property === 'toString' || property === 'toISOString') return () => '2026-01-01T00:00:00Z'
      if (property === 'toJSON') return () => 'x'
      if (property === 'getTime' || property === 'valueOf') return () => 1
      if (property in Array.prototype) {
        const list = [anything()] as unknown as Record<PropertyKey, (...some: unknown[]) => unknown>
        return (...some: unknown[]) => list[property]?.(...some)
      }
      return anything()
    },
    apply: () => anything(),
  })
}
