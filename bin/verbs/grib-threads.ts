import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Message, readMessages } from 'grib2-wasm'
import { Piscina } from 'piscina'
import { type FieldReport, reportsOf } from './grib-report.ts'

/** Messages that wait for a thread or for their turn to be printed, for each thread. */
const MAX_AHEAD = 2
/** A smaller file is read faster than a thread starts (40 ms). */
const MIN_BYTES = 1_000_000

const worker = fileURLToPath(new URL('./grib-worker.ts', import.meta.url))

interface PendingFile {
  readonly fields: readonly Message[]
  readonly reports: Promise<FieldReport[]>
}

/** The fields of each message in order; a fault comes after the fields before it. */
function* messagesOf(bytes: Uint8Array): Generator<Message[]> {
  let fields: Message[] = []
  let fault: unknown
  const messages = readMessages(bytes)
  for (;;) {
    try {
      const { value, done } = messages.next()
      if (done) break
      if (fields.length === 0 || fields[0]!.index === value.index) {
        fields.push(value)
        continue
      }
      yield fields
      fields = [value]
    } catch (error) {
      fault = error
      break
    }
  }
  if (fields.length > 0) yield fields
  if (fault) throw fault
}

/** Reports of all fields in order. Large files are decoded by as many threads as the machine has cores. */
export async function* reportsInOrder(
  bytes: Uint8Array,
  indexes: readonly number[],
): AsyncGenerator<{ readonly message: Message; readonly report: FieldReport }> {
  const count = bytes.length < MIN_BYTES ? 0 : availableParallelism()
  let pool: Piscina | undefined
  const pending: PendingFile[] = []
  const start = (own: Uint8Array): Promise<FieldReport[]> => {
    if (count < 2) return Promise.resolve(reportsOf(own, indexes))
    pool ??= new Piscina({ filename: worker, maxThreads: count, minThreads: 0, recordTiming: false })
    // A Buffer's slice would share its memory with the file.
    const copy = new Uint8Array(own)
    const reports: Promise<FieldReport[]> = pool.run({ bytes: copy, indexes }, { transferList: [copy.buffer] })
    // A rejection is thrown in its turn.
    reports.catch(() => {})
    return reports
  }
  const oldest = async function* () {
    const { fields, reports } = pending.shift()!
    const done = await reports
    for (const [k, message] of fields.entries()) yield { message, report: done[k]! }
  }
  const messages = messagesOf(bytes)
  let fault: unknown
  try {
    for (;;) {
      try {
        const { value: fields, done } = messages.next()
        if (done) break
        const { offset, byteLength } = fields[0]!
        pending.push({ fields, reports: start(bytes.subarray(offset, offset + byteLength)) })
      } catch (error) {
        fault = error
        break
      }
      while (pending.length > MAX_AHEAD * count) yield* oldest()
    }
    while (pending.length > 0) yield* oldest()
    if (fault) throw fault
  } finally {
    await pool?.destroy()
  }
}
