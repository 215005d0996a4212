import { discard } from '../../domain/discard.ts'
import { mergeSlabs } from '../../tile/slab.ts'
import type { Pool, SampleTask } from '../pool-tasks.ts'
import {
  type FieldMessage,
  messagesOf,
  type SampledFile,
  type SampleItem,
  type SampleRequest,
} from './sample-request.ts'

/**
 * Samples GRIB2 messages of an upstream file to slabs of all cells of the domain, in one packed object. Idle threads
 * share the messages, which halves the time of the last file of a run.
 * @throws Fault Corrupt if a message is invalid GRIB2 or has a different grid than the previous messages; Invalid if an
 * item names no variable
 */
export async function sampleMessages(pool: Pool, request: SampleRequest): Promise<SampledFile> {
  const shares = sharesOf(request.items, Math.max(1, pool.idle()))
  const samples = await Promise.all(shares.map((items) => sampleShare(pool, { ...request, items })))
  const [first] = samples
  if (samples.length === 1) return first!
  const bytes = mergeSlabs(samples.map((share) => share.bytes))
  for (const share of samples) discard(share.bytes)
  return { ...first!, bytes, slabs: samples.flatMap(({ slabs }) => slabs) }
}

/** Minimum number of bytes for which a second thread is used. */
const MIN_SHARED_BYTES = 1 << 20

/** Divides the items in order into shares of about equal bytes. */
function sharesOf(items: readonly SampleItem[], count: number): readonly (readonly SampleItem[])[] {
  const total = items.reduce((sum, item) => sum + bytesOf(item), 0)
  if (count === 1 || total < MIN_SHARED_BYTES) return [items]
  const shares: SampleItem[][] = []
  let before = 0
  for (const item of items) {
    const share = Math.floor(((before + bytesOf(item) / 2) / total) * count)
    ;(shares[share] ??= []).push(item)
    before += bytesOf(item)
  }
  return shares.filter(Boolean)
}

function bytesOf(item: SampleItem): number {
  return messagesOf(item).reduce((sum, { bytes }) => sum + bytes.length, 0)
}

async function sampleShare(pool: Pool, request: SampleRequest): Promise<SampledFile> {
  const buffers = new Set<ArrayBuffer>()
  const transferred = (message: FieldMessage): FieldMessage => {
    const { bytes } = message
    if (bytes.buffer instanceof SharedArrayBuffer) return message
    // A view of a larger buffer is copied, because the buffer may have other users.
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    buffers.add(own.buffer as ArrayBuffer)
    return { ...message, bytes: own }
  }
  const items = request.items.map((item): SampleItem => {
    if (item.kind === 'wind') return { ...item, u: transferred(item.u), v: transferred(item.v) }
    const message = transferred(item.message)
    if (item.kind === 'direction') return { ...item, message, speed: item.speed && transferred(item.speed) }
    return { ...item, message, minus: item.minus && transferred(item.minus) }
  })
  const task: SampleTask = { kind: 'sample', request: { ...request, items } }
  return await pool.run<SampledFile>(task, [...buffers])
}
