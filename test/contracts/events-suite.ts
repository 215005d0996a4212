import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import type { EventMessage, Events } from '../../ingest/ports/events.ts'

const topic = 'hexcast.runs.v1'
const payload = (dataset: string, hour: number) => ({
  dataset,
  run: new Date(Date.UTC(2026, 7, 20, hour)).toISOString(),
  at: new Date(Date.UTC(2026, 7, 20, hour, 30)).toISOString(),
})
const name = () => `set-${Math.random().toString(36).slice(2)}`

/** The contract of every implementation of events. `open` gives a new one, as in another process. */
export function eventsSuite(first: () => Events, another: () => Promise<Events>): void {
  const listen = async (events: Events, dataset: string, act?: (message: EventMessage) => Promise<void>) => {
    const received: EventMessage[] = []
    const subscription = await events.subscribe(topic, async (message) => {
      if (message.key !== dataset) return
      await act?.(message)
      received.push(message)
    })
    return { received, subscription }
  }

  describe('events', () => {
    test('reach every subscription with key, payload and id', async () => {
      const [publisher, two] = [first(), await another()]
      const dataset = name()
      const [left, right] = [await listen(publisher, dataset), await listen(two, dataset)]
      await publisher.publish(topic, dataset, payload(dataset, 1), { id: 4_000_000_001 })
      await expect.poll(() => right.received.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1)
      await expect.poll(() => left.received.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1)
      for (const { received } of [left, right]) {
        expect(received[0]).toEqual({ topic, key: dataset, payload: payload(dataset, 1), id: 4_000_000_001 })
      }
      await Promise.all([left.subscription.close(), right.subscription.close()])
      if (two !== publisher) await two.close()
    })

    test('with one key stay in order, however slow the handler is', async () => {
      const events = first()
      const dataset = name()
      const { received, subscription } = await listen(events, dataset, () => pause(Math.random() * 10))
      for (let hour = 0; hour < 24; hour++) await events.publish(topic, dataset, payload(dataset, hour))
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(24)
      expect(received.map((message) => message.payload)).toEqual(
        Array.from({ length: 24 }, (_, hour) => payload(dataset, hour)),
      )
      await subscription.close()
    })

    test('are delivered again to a handler that throws, before later events', async () => {
      const events = first()
      const dataset = name()
      let failures = 0
      const { received, subscription } = await listen(events, dataset, async () => {
        if (failures++ < 2) throw new Error('on purpose')
      })
      await events.publish(topic, dataset, payload(dataset, 1))
      await events.publish(topic, dataset, payload(dataset, 2))
      await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
      expect(received.map((message) => (message.payload as { run: string }).run)).toEqual([
        payload(dataset, 1).run,
        payload(dataset, 2).run,
      ])
      expect(failures).toBe(4)
      await subscription.close()
    })

    test('are not received from before the subscription or after its close', async () => {
      const events = first()
      const dataset = name()
      await events.publish(topic, dataset, payload(dataset, 1))
      const { received, subscription } = await listen(events, dataset)
      await events.publish(topic, dataset, payload(dataset, 2))
      await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1)
      expect(nth(received, 0).payload).toEqual(payload(dataset, 2))
      await subscription.close()
      await events.publish(topic, dataset, payload(dataset, 3))
      await pause(300)
      expect(received).toHaveLength(1)
    })

    test('reach every subscription of a process, while another one fails and after it has ended', async () => {
      const events = first()
      const dataset = name()
      const steady = await listen(events, dataset)
      let failures = 0
      const failing = await listen(events, dataset, async () => {
        if (failures++ < 2) throw new Error('on purpose')
      })
      await events.publish(topic, dataset, payload(dataset, 1))
      await expect.poll(() => failing.received.length, { timeout: 15_000 }).toBe(1)
      expect(steady.received).toHaveLength(1)
      await failing.subscription.close()
      await events.publish(topic, dataset, payload(dataset, 2))
      await expect.poll(() => steady.received.length, { timeout: 15_000 }).toBe(2)
      expect(failing.received).toHaveLength(1)
      await steady.subscription.close()
    })

    test('report the connection, the lag and growing counts', async () => {
      const events = first()
      const dataset = name()
      const before = events.lag().received
      const { received, subscription } = await listen(events, dataset)
      await events.publish(topic, dataset, payload(dataset, 1))
      await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1)
      await expect
        .poll(() => events.lag(), { timeout: 5_000 })
        .toMatchObject({ connected: true, behind: 0, dropped: 0 })
      expect(events.lag().received).toBeGreaterThan(before)
      await subscription.close()
    })
  })
}
