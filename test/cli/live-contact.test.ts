import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'

test('needs a contact address for a live upstream, or the word none', () => {
  expect(() => loadConfig({ UPSTREAM: 'live' })).toThrow(/CONTACT is "", but must be your mail or web address.*or none/)
  expect(loadConfig({ UPSTREAM: 'live', CONTACT: 'ops@example.org' }).contact).toBe('ops@example.org')
  expect(loadConfig({ UPSTREAM: 'live', CONTACT: 'none' }).contact).toBeUndefined()
  expect(loadConfig({ UPSTREAM: 'simulated' }).contact).toBeUndefined()
})
