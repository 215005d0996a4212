import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { measureAvailability } from '../../api/live/status-metrics.ts'
import { topics } from '../../ingest/domain/event.ts'
import { HOUR, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { publishFrame } from '../../ingest/steps/frames/frame.ts'
import { publishRun } from '../../sql/queries/runs.ts'
import { until } from '../drills/process.ts'

export interface AvailabilityPorts {
  readonly database: Database
  readonly events: Events
  close(): Promise<void>
}

/** `hexcast_availability_seconds`: from the newest upstream file of what is served to the first answer that can contain it. */
export function availabilitySuite(open: () => Promise<AvailabilityPorts>): void {
  let ports: AvailabilityPorts
  let current: Current
  const registry = new Registry()
  const hour = Date.UTC(2026, 7, 20, 12)

  const watch = () =>
    watchCurrent({
      ...ports,
      objects: { get: async () => new Uint8Array(), range: async () => new Uint8Array() },
      clock: Date.now,
      onAvailable,
    })
  const onAvailable = measureAvailability(registry)
  /** Returns the count and the sum of the availability histogram of a dataset. */
  const counted = async (dataset: string) => {
    const text = await registry.metrics()
    const value = (member: string) =>
      Number(new RegExp(`_${member}\\{dataset="${dataset}"\\} (\\S+)`).exec(text)?.[1] ?? 0)
    return { count: value('count'), sum: value('sum') }
  }
  const notify = (dataset: string, run: number) =>
    ports.events.publish(topics.runs.name, dataset, { dataset, run: isoSeconds(run), at: isoSeconds(Date.now()) })
  /** @param ages of the files of each lead group, s */
  const publish = async (run: number, stage: number, leads: number, ages: readonly number[]) => {
    const outcome = await publishRun(
      ports.database,
      {
        ...{ dataset: 'nbm', domain: 'conus', run: new Date(run), stage, publishedTo: stage ? 264 : 36 },
        ...{ manifestKey: `nbm/${run}/${stage}/${leads}`, leads: Array.from({ length: leads }, (_, lead) => lead) },
        ...{ manifest: { leads: Array.from({ length: leads }, (_, lead) => lead) }, wanted: 1, got: 1, missing: 0 },
        timings: ages.map((age, group) => ({
          ...{ dataset: 'nbm', domain: 'conus', stage: group, slot: new Date(run), run: new Date(run) },
          first_seen: new Date(Date.now() - HOUR),
          last_seen: new Date(Date.now() - age * SECOND),
        })),
      },
      [],
    )
    await notify('nbm', run)
    return outcome
  }
  /** The result is at least the age of the file, plus the time that it took on a busy machine. */
  const expectAge = (sum: number, age: number) => {
    expect(sum).toBeGreaterThanOrEqual(age)
    expect(sum).toBeLessThan(age + 5)
  }
  const isServed = (run: number, stage: number, leads: number) =>
    until('the run', 20, () => current.served('nbm', 'conus')?.manifestKey === `nbm/${run}/${stage}/${leads}`)

  beforeAll(async () => {
    ports = await open()
    await publish(hour, 0, 5, [40])
    current = await watch()
  }, 180_000)
  afterAll(async () => {
    await current?.close()
    await ports?.close()
  })

  test('does not count runs that another process served before the start', async () => {
    expect(current.served('nbm', 'conus')?.run).toBe(hour)
    expect(await counted('nbm')).toEqual({ count: 0, sum: 0 })
  })

  test('measures a run, its next stage and the completion of a stage from the newest file of each', async () => {
    expect(await publish(hour + HOUR, 0, 4, [7])).toBe('published')
    await isServed(hour + HOUR, 0, 4)
    const first = await counted('nbm')
    expect(first.count).toBe(1)
    expectAge(first.sum, 7)

    expect(await publish(hour + HOUR, 0, 5, [3])).toBe('published')
    await isServed(hour + HOUR, 0, 5)
    const completed = await counted('nbm')
    expect(completed.count).toBe(2)
    expectAge(completed.sum - first.sum, 3)

    expect(await publish(hour + HOUR, 1, 9, [300, 20])).toBe('published')
    await isServed(hour + HOUR, 1, 9)
    const counts = await counted('nbm')
    expect(counts.count).toBe(3)
    expectAge(counts.sum - completed.sum, 20)
  })

  test('ignores runs that are already served, older runs, and another start', async () => {
    const before = await counted('nbm')
    expect(await publish(hour + HOUR, 1, 9, [1])).toBe('already')
    expect(await publish(hour - HOUR, 0, 5, [1])).toBe('superseded')
    await current.close()
    current = await watch()
    await isServed(hour + HOUR, 1, 9)
    expect(await counted('nbm')).toEqual(before)
  })

  test('measures a scan from its own file under its own dataset', async () => {
    const take = async (time: number, age?: number) => {
      const appearedAt = age === undefined ? undefined : Date.now() - age * SECOND
      await publishFrame(
        ports.database,
        'mrms-precip-rate',
        'hawaii',
        time,
        `frame/${time}`,
        {},
        Date.now(),
        0,
        appearedAt,
      )
      await notify('mrms-precip-rate', time)
      await until('the scan', 20, () => current.served('mrms-precip-rate', 'hawaii')?.run === time)
    }
    const before = await counted('nbm')
    await take(hour, 60)
    await take(hour + 2 * MINUTE, 2)
    const scan = await counted('mrms-precip-rate')
    expect(scan.count).toBe(1)
    expectAge(scan.sum, 2)
    // A mirror without times reports no age.
    await take(hour + 4 * MINUTE)
    expect((await counted('mrms-precip-rate')).count).toBe(1)
    expect(await counted('nbm')).toEqual(before)
  })
}
