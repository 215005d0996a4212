import { describe, expect, test } from 'vitest'
import { MessageMemory } from '../../ingest/steps/grid/message-memory.ts'

const MB = 1024 * 1024

describe('memory for the messages of files', () => {
  test('is reused by the next file and never by two at once', () => {
    const memory = new MessageMemory()
    const first = memory.take(18 * MB)!
    const other = memory.take(14 * MB)!
    expect(other).not.toBe(first)
    memory.give(first)
    expect(memory.take(20 * MB)).toBe(first)
    memory.give(first)
    memory.give(other)
    expect([first, other]).toContain(memory.take(1)!)
  })

  test('drops a large buffer that no recent file needed', () => {
    const memory = new MessageMemory()
    let large = memory.take(60 * MB)!
    memory.give(large)
    for (let file = 0; file < 7; file++) {
      const buffer = memory.take(MB)!
      expect(buffer).toBe(large)
      memory.give(buffer)
    }
    memory.give((large = memory.take(MB)!))
    expect(memory.take(MB)!.byteLength).toBe(32 * MB)
    expect(large.byteLength).toBe(64 * MB)
  })

  test('gives no buffer for zero bytes or too many bytes', () => {
    const memory = new MessageMemory()
    expect(memory.take(65 * MB)).toBeUndefined()
    expect(memory.take(0)).toBeUndefined()
  })
})
