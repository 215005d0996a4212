import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { within } from '../../ingest/ports/time-limit.ts'

const late = () => new Error('late')
const after = <T>(milliseconds: number, value: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value), milliseconds))

test('returns a result that arrives in time, and fails once the time is up', async () => {
  expect(await within(1000, after(10, 'answer'), late)).toBe('answer')
  const startedAt = performance.now()
  await expect(within(200, after(5000, 'answer'), late)).rejects.toThrow('late')
  expect(performance.now() - startedAt).toBeGreaterThan(190)
})

test('passes the error of the work on', async () => {
  await expect(within(1000, Promise.reject(new Error('refused')), late)).rejects.toThrow('refused')
})

test('reads a result that arrived while the process was busy for longer than the limit', async () => {
  const { port1, port2 } = new MessageChannel()
  const received = new Promise<string>((resolve) => {
    port1.on('message', resolve)
  })
  const result = within(100, received, late)
  // The time is spent inside a timer, as a long computation would: the other timers are due before the message is read.
  await after(1, undefined)
  port2.postMessage('answer')
  const until = performance.now() + 300
  while (performance.now() < until);
  expect(await result).toBe('answer')
  port1.close()
})
