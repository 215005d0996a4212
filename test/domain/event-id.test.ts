import { expect, test } from 'vitest'
import { eventIdText, parseEventId } from '../../ingest/domain/event-id.ts'

test('reads its own ids, ids of earlier releases, and nothing else', () => {
  const id = { incarnation: '3f9a12bc', number: 48_121 }
  expect(eventIdText(id)).toBe('3f9a12bc-48121')
  expect(parseEventId('3f9a12bc-48121')).toEqual(id)
  expect(parseEventId('48121')).toEqual({ number: 48_121 })
  for (const text of ['', 'x', '-1', '3f9a12bc-', '3f9a12bc', '3F9A12BC-1', '1.5', '99999999999999999'])
    expect(parseEventId(text), text).toBeUndefined()
})
