import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openAnswers } from '../../../api/answer/open.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import { withReadTimeout } from '../../../ingest/ports/objects/timeout.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { publishRun } from '../../../sql/queries/runs.ts'
import { parsed } from '../../api/answer/parsed.ts'

type Reads = Pick<Objects, 'get' | 'range'>

const bytes = new Uint8Array([1, 2, 3])
const never = () => new Promise<Uint8Array>(() => undefined)
const pause = (milliseconds: number) =>
  new Promise<Uint8Array>((resolve) => setTimeout(() => resolve(bytes), milliseconds))

describe('a store that does not reply', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const outcome = (reading: Promise<unknown>) =>
    reading.then(
      () => 'read',
      (error) => error.kind,
    )

  test('is waited for once, then polled, and waited for again once it answers', async () => {
    let requests = 0
    const answer = never
    const store = withReadTimeout<Reads>({
      get: () => answer(),
      range: () => {
        requests++
        return answer()
      },
    })
    const first = [outcome(store.range('a', 0, 1)), outcome(store.get('b'))]
    await vi.advanceTimersByTimeAsync(1900)
    expect(await Promise.race([...first, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(200)
    expect(await Promise.all(first)).toEqual(['Refused', 'Refused'])
    const second = outcome(store.range('c', 0, 1))
    await vi.advanceTimersByTimeAsync(300)
    expect(await second).toBe('Refused')
    // Pending reads are limited.
    requests = 0
    const many = Array.from({ length: 500 }, (_, i) => outcome(store.range(`d${i}`, 0, 1)))
    await vi.advanceTimersByTimeAsync(300)
    expect(new Set(await Promise.all(many))).toEqual(new Set(['Refused']))
    expect(requests).toBeLessThan(64)
  })

  test('does not treat a busy store as silent, and bounds a single read', async () => {
    const store = withReadTimeout<Reads>({
      get: (key) => (key === 'stuck' ? never() : pause(Number(key))),
      range: never,
    })
    const many = Array.from({ length: 8 }, (_, i) => outcome(store.get(String((i + 1) * 500))))
    const stuck = outcome(store.get('stuck'))
    await vi.advanceTimersByTimeAsync(4100)
    expect(await Promise.all(many)).toEqual(many.map(() => 'read'))
    expect(await Promise.race([stuck, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await stuck).toBe('Refused')
  })

  test('continues a late read and shares it with a repeated request', async () => {
    let requests = 0
    const store = withReadTimeout<Reads>({
      get: () => {
        requests++
        return pause(2200)
      },
      range: never,
    })
    const first = outcome(store.get('a'))
    await vi.advanceTimersByTimeAsync(2100)
    expect(await first).toBe('Refused')
    const again = outcome(store.get('a'))
    await vi.advanceTimersByTimeAsync(150)
    expect([await again, requests]).toEqual(['read', 1])
    // The store has answered, so the full time limit applies again.
    const next = outcome(store.get('b'))
    await vi.advanceTimersByTimeAsync(1900)
    expect(await Promise.race([next, 'waiting'])).toBe('waiting')
  })
})

test('answers over a silent store within seconds with a warning about the missing data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-silent-'))
  const database = await openDatabase({ databasePool: 1, dataDir: folder })
  const events = await openEvents({ kafkaBrokers: [] }, database)
  const now = Date.parse('2026-08-20T12:20:00Z')
  for (const dataset of ['nbm', 'hrrr', 'gfs', 'rtma', 'rtma-ru', 'mrms-precip-rate', 'glm']) {
    const run = new Date('2026-08-20T12:00:00Z')
    const manifestKey = `tiles/v1/${dataset}/conus/x/manifest`
    const counts = { wanted: 1, got: 1, missing: 0 }
    await publishRun(
      database,
      { dataset, domain: 'conus', run, stage: 0, publishedTo: 36, manifestKey, manifest: {}, ...counts },
      [],
    )
  }
  const views = await openAnswers({
    database,
    objects: withReadTimeout({ get: never, range: never }) as never,
    events,
    clock: () => now,
    resolution: 7,
    feedPollSeconds: {},
    report: () => () => undefined,
  })
  try {
    const ask = parseWeather({ lat: '39.74', lon: '-104.99', include: 'current,hourly,daily,radar,nowcast,astro' })
    const began = performance.now()
    const answer = await views.weather.answer(ask, now)
    expect(performance.now() - began).toBeLessThan(6000)
    const value = parsed(answer) as Record<string, never> & {
      meta: { warnings: { code: string; section: string; detail: string }[] }
    }
    expect(answer.cacheControl(now)).toBe('no-store')
    expect([value['current'], value['hourly'], value['daily']]).toEqual([undefined, undefined, undefined])
    expect(value['astro']).toBeDefined()
    const { warnings } = value.meta
    for (const section of ['current', 'hourly', 'daily'])
      expect(warnings).toContainEqual(expect.objectContaining({ code: 'source_failed', section }))
    expect(JSON.stringify(warnings)).not.toContain('is available yet')
    // The next read waits for a shorter time.
    const later = performance.now()
    await views.weather.answer(parseWeather({ lat: '40.1', lon: '-104.99' }), now)
    expect(performance.now() - later).toBeLessThan(3500)
  } finally {
    await views.close()
    await events.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
