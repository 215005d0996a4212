import type { Pool, SampleTask } from '../pool-tasks.ts'
import type { FieldMessage, SampledFile, SampleItem, SampleRequest } from './sample-request.ts'

/**
 * GRIB2 messages of one upstream file → slabs of all cells of the domain, in one packed object.
 * @throws Fault Corrupt where a message is invalid GRIB2, or has another grid than those before it; Invalid where an item names no variable
 */
export async function sampleMessages(pool: Pool, request: SampleRequest): Promise<SampledFile> {
  const buffers = new Set<ArrayBuffer>()
  const transferred = (message: FieldMessage): FieldMessage => {
    const { bytes } = message
    // A view of a larger buffer is copied: the buffer may have other users.
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    if (own.buffer instanceof ArrayBuffer) buffers.add(own.buffer)
    return { ...message, bytes: own }
  }
  const items = request.items.map((item): SampleItem => {
    if (item.kind === 'wind') return { ...item, u: transferred(item.u), v: transferred(item.v) }
    const message = transferred(item.message)
    if (item.kind === 'direction') return { ...item, message, speed: item.speed && transferred(item.speed) }
    return { ...item, message }
  })
  const task: SampleTask = { kind: 'sample', request: { ...request, items } }
  return await pool.run<SampledFile>(task, [...buffers])
}
