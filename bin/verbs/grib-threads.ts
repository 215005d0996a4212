import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Message, WholeMessage } from 'grib2-wasm'
import { Piscina } from 'piscina'
import { type FieldReport, reportsOf } from './grib-report.ts'

/** Maximum number of messages for each thread that are queued or waiting to be printed. */
const MAX_AHEAD = 2
/**
 * Minimum size of a file for which threads are used, bytes: a smaller file is decoded before a thread has started (40
 * ms).
 */
const MIN_BYTES = 1_000_000

const worker = fileURLToPath(new URL('./grib-worker.ts', import.meta.url))

interface PendingMessage {
  readonly fields: readonly Message[]
  readonly reports: Promise<FieldReport[]>
}

/** Yields the reports of all fields in order. A large file is decoded by as many threads as the machine has cores. */
export async function* reportsInOrder(
  messages: AsyncIterable<WholeMessage>,
  size: number,
  indexes: readonly number[],
): AsyncGenerator<{ readonly message: Message; readonly report: FieldReport }> {
  const count = size < MIN_BYTES ? 0 : availableParallelism()
  let pool: Piscina | undefined
  const pending: PendingMessage[] = []
  const start = (messageBytes: Uint8Array): Promise<FieldReport[]> => {
    if (count < 2) return Promise.resolve(reportsOf(messageBytes, indexes))
    pool ??= new Piscina({ filename: worker, maxThreads: count, minThreads: 0, recordTiming: false })
    // Only a copy can be transferred, because the slice of a Buffer shares its memory with the file.
    const copy = new Uint8Array(messageBytes)
    const reports: Promise<FieldReport[]> = pool.run({ bytes: copy, indexes }, { transferList: [copy.buffer] })
    // A rejection is thrown when its message is about to be printed.
    reports.catch(() => {})
    return reports
  }
  const printPending = async function* (maxPending: number) {
    while (pending.length > maxPending) {
      for (const { fields, reports } of pending.splice(0, 1)) {
        for (const [k, report] of (await reports).entries()) {
          const message = fields[k]
          if (message) yield { message, report }
        }
      }
    }
  }
  try {
    try {
      for await (const { bytes, fields } of messages) {
        pending.push({ fields, reports: start(bytes) })
        yield* printPending(MAX_AHEAD * count)
      }
    } finally {
      yield* printPending(0)
    }
  } finally {
    await pool?.destroy()
  }
}
