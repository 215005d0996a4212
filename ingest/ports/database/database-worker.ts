/** The worker thread that runs the embedded database, because its queries block. */

import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { types } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import type { Parameter } from '../../../sql/session.ts'
import { collectGarbage } from '../collect.ts'
import { openDurable } from './durable.ts'
import { withoutUnusedParsers } from './parsers.ts'
import { postgisOf } from './postgis.ts'
import { runStatement } from './statements.ts'

export interface WorkerAsk {
  readonly id: number
  readonly text?: string
  readonly parameters?: readonly Parameter[]
  readonly close?: true
}

export type WorkerAnswer =
  | { readonly id: number; readonly rows: Record<string, unknown>[]; readonly affected: number }
  | { readonly id: number; readonly error: { message: string } & Record<string, unknown> }

/** The options of the worker thread. */
export interface DatabaseThread {
  readonly folder: string
  /** A folder with only the needed files of PostGIS. If absent, the whole package is loaded. */
  readonly files?: string
  /** Whether the whole process compiles WebAssembly with the baseline compiler only. */
  readonly baseline?: boolean
}

/**
 * Times after the start at which the thread collects its garbage, ms: after the opening, and after the first statements of all processes.
 */
const SETTLED_MS = [2000, 10_000]

const asText = (value: string) => value
/** Parses bytea. The library's own parser takes 0.3 s for a megabyte. */
const asOctets = (value: string) => new Uint8Array(Buffer.from(value.slice('\\x'.length), 'hex'))
export const parsers = { [types.INT8]: Number, [types.NUMERIC]: Number, [types.DATE]: asText, [types.BYTEA]: asOctets }

if (parentPort) serve(parentPort, workerData as DatabaseThread)

async function serve(port: NonNullable<typeof parentPort>, { folder, files, baseline }: DatabaseThread): Promise<void> {
  // The optimising compiler takes 600 MB for one function of PostgreSQL, and 3 s of processor time during the opening. A process with other
  // WebAssembly needs it. A budget of eight times the default (13 million) limits it to code that stays hot.
  const flags = baseline
    ? ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
    : ['--wasm-tiering-budget=100000000']
  for (const flag of flags) setFlagsFromString(flag)
  const extensions = { postgis: files === undefined ? postgis : postgisOf(files) }
  const ready = openDurable(folder, { extensions, parsers }).then(withoutUnusedParsers)
  ready.then(
    () => {
      port.postMessage({ id: 0, rows: [], affected: 0 } satisfies WorkerAnswer)
      for (const after of SETTLED_MS) setTimeout(collectGarbage, after)
    },
    (error) => port.postMessage({ id: 0, error: plain(error) } satisfies WorkerAnswer),
  )
  port.on('message', async (ask: WorkerAsk) => {
    try {
      const database = await ready
      if (ask.close) {
        await database.close()
        port.postMessage({ id: ask.id, rows: [], affected: 0 } satisfies WorkerAnswer)
        port.close()
        return
      }
      port.postMessage({
        id: ask.id,
        ...(await runStatement(database, ask.text!, ask.parameters)),
      } satisfies WorkerAnswer)
    } catch (error) {
      port.postMessage({ id: ask.id, error: plain(error) } satisfies WorkerAnswer)
    }
  })
}

function plain(error: unknown): { message: string } & Record<string, unknown> {
  const known = ['code', 'severity', 'detail', 'hint', 'schema', 'table', 'column', 'constraint', 'position', 'where']
  const from = error as Record<string, unknown>
  const picked = Object.fromEntries(
    known.filter((name) => from?.[name] !== undefined).map((name) => [name, from[name]]),
  )
  return { message: error instanceof Error ? error.message : String(error), ...picked }
}
