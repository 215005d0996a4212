import { expect, test } from 'vitest'
import { discard } from '../../ingest/domain/discard.ts'

test('returns the whole buffer and detaches its views', () => {
  const bytes = new Uint8Array(100_000).fill(7)
  const view = bytes.subarray(10, 20)
  discard(view)
  expect([bytes.length, view.length, bytes.buffer.byteLength]).toEqual([0, 0, 0])
  discard(bytes)
})

test('keeps small buffers, which may be parts of a pool, and shared buffers', () => {
  const small = new Uint8Array(65_536).fill(7)
  const shared = new Uint8Array(new SharedArrayBuffer(100_000)).fill(7)
  discard(small)
  discard(shared)
  discard(Buffer.from('text'))
  expect([small.length, small[5], shared.length, shared[5]]).toEqual([65_536, 7, 100_000, 7])
})
