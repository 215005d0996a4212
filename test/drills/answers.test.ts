import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { type ProxyFault, startFaultyProxy } from '../engines/faulty-proxy.ts'
import { until } from './process.ts'
import { report } from './report.ts'
import { FINE, System } from './system.ts'

interface Answer {
  /** The time of the request. */
  readonly at: number
  readonly api: number
  readonly place: string
  readonly status: number
  readonly seconds: number
  /** Whether the answer has `no-store` and a warning `degraded` or `source_failed`. Absent forecasts of other datasets have another warning. */
  readonly marked: boolean
  /** Temperatures by hour, with the runs that they came from. */
  readonly series: string
}

const places = ['39.74,-104.99', '33.45,-112.07', '44.98,-93.27', '29.76,-95.37', '61.22,-149.9']
let system: System
let apis: string[] = []
let key = ''
let spoil: (count: number) => ProxyFault = () => undefined
let spoiled = 0
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>

beforeAll(async () => {
  system = await System.open('hrrr', FINE)
  const worker = system.start('worker')
  await system.published('hrrr', ['conus', 'alaska'])
  // No newer run appears, so that right answers stay right.
  await worker.end()
  proxy = await startFaultyProxy(entryOf(system.env, 'S3_ENDPOINT'), (count) => {
    const verdict = spoil(count)
    if (verdict !== undefined) spoiled++
    return verdict
  })
  const processes = [system.start('api', { PORT: '0', S3_ENDPOINT: proxy.url }), system.start('api', { PORT: '0' })]
  apis = await Promise.all(
    processes.map(
      async (process) => (await process.line(/http:\/\/localhost:\d+/)).match(/http:\/\/localhost:\d+/)![0],
    ),
  )
  const keysProcess = system.start('keys create --name drill --plan professional')
  key = await keysProcess.line(/^hx_live_/)
})

afterAll(async () => {
  await system?.close()
  proxy?.close()
})

async function ask(api: number, place: string): Promise<Answer> {
  const [lat, lon] = place.split(',')
  const requestedAt = performance.now()
  const reply = await fetch(
    `${apis[api]}/v1/weather?lat=${lat}&lon=${lon}&hourly_hours=6&days=1&include=current,hourly,daily`,
    {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(30_000),
    },
  )
  const body = (await reply.json()) as {
    hourly?: { time: string; temperature: number }[]
    meta?: { warnings?: { code: string }[] }
  }
  const hours = body.hourly ?? []
  const codes = (body.meta?.warnings ?? []).map(({ code }) => code)
  return {
    at: requestedAt,
    api,
    place,
    status: reply.status,
    seconds: (performance.now() - requestedAt) / 1000,
    marked:
      (reply.headers.get('cache-control') ?? '').includes('no-store') &&
      (codes.includes('degraded') || codes.includes('source_failed')),
    series: hours.map(({ time, temperature }) => `${time} ${temperature}`).join(', '),
  }
}

/** Requests every place from both processes repeatedly while the system is disturbed. */
async function meanwhile(
  disturb: () => Promise<void>,
): Promise<{ answers: Answer[]; reference: Map<string, Map<string, string>> }> {
  const reference = new Map<string, Map<string, string>>()
  for (const place of places) {
    const { series, status, marked } = await ask(1, place)
    expect([status, marked]).toEqual([200, false])
    reference.set(place, byHour(series))
  }
  const answers: Answer[] = []
  let going = true
  const traffic = (async () => {
    for (let turn = 0; going; turn++) {
      await Promise.all([0, 1].map(async (api) => answers.push(await ask(api, nth(places, turn % places.length)))))
      await pause(100)
    }
  })()
  await disturb()
  going = false
  await traffic
  return { answers, reference }
}

function byHour(series: string): Map<string, string> {
  return new Map(
    series
      .split(', ')
      .filter(Boolean)
      .map((process) => process.split(' ') as [string, string]),
  )
}

/** Checks that every 200 agrees with the reference hour by hour, and that every other answer is a complete 503. */
function judge(answers: readonly Answer[], reference: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const statuses = new Map<number, number>()
  for (const { status, place, series } of answers) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect([200, 503], `${place}`).toContain(status)
    for (const [hour, value] of byHour(series)) {
      const right = reference.get(place)!.get(hour)
      // The reference may end before an answer of a later run.
      expect(value, `${place} at ${hour}`).toBe(right ?? value)
    }
  }
  const marked = answers.filter(({ status, marked }) => status === 200 && marked).length
  return `${answers.length} answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}, ${marked} marked as degraded, none wrong`
}

describe('answers while an engine is away', () => {
  test('are right while the broker is away', async () => {
    const { answers, reference } = await meanwhile(async () => {
      await system.engine('kafka', 'kill')
      await pause(8_000)
      await system.engine('kafka', 'up')
      await pause(3_000)
    })
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    report('answers while the broker is away', judge(answers, reference))
  })

  test('are right or marked while PostgreSQL is away, all marked after 10 s, and complete afterwards', async () => {
    let down = 0
    const { answers, reference } = await meanwhile(async () => {
      await system.engine('postgres', 'down')
      down = performance.now()
      await pause(20_000)
    })
    const outcome = judge(answers, reference)
    const late = answers.filter(({ at }) => at > down + 12_000)
    expect(late.length).toBeGreaterThan(10)
    expect(late.filter(({ status, marked }) => status === 200 && !marked)).toEqual([])
    await system.engine('postgres', 'up')
    await until('unmarked answers', 60, async () => {
      const all = await Promise.all(apis.flatMap((_, api) => places.map((place) => ask(api, place))))
      return all.every(({ status, marked }) => status === 200 && !marked)
    })
    report('answers while PostgreSQL is away for 20 s', outcome)
  })

  test('for new places are right or a 503 while the S3 of the first process throttles and is silent', async () => {
    const cold = coldPlaces()
    spoil = (count) => (count % 3 === 2 ? 503 : undefined)
    spoiled = 0
    const throttled = await pairs(cold, 15)
    expect(spoiled, 'requests that S3 refused').toBeGreaterThan(0)
    spoil = () => 'silence'
    spoiled = 0
    const silent = (await Promise.all([1, 2, 3, 4].map(() => pairs(cold, 1)))).flat()
    expect(spoiled, 'requests that S3 left without an answer').toBeGreaterThan(0)
    // A load balancer keeps the process, because all other processes have the same store.
    const ready = await fetch(`${apis[0]}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { status: 'degraded', engines: { objects: 'down' } },
    ])
    spoil = () => undefined
    const completeAnswer = async () => nth(await pairs(cold, 1), 0)
    await until('a whole answer of a cold place', 60, async () => !(await completeAnswer()).marked)
    const after = await pairs(cold, 5)
    expect(throttled.filter(({ status }) => status !== 200)).toEqual([])
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
    report('answers while S3 throttles, then is silent', counted([...throttled, ...silent, ...after]))
  })

  test('are right while the disk of the cache is full', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-full-'))
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]).status !== 0)
      return context.skip('mounting needs root')
    try {
      const full = system.start('api', { PORT: '0', OBJECTS_CACHE: folder })
      apis[0] = (await full.line(/http:\/\/localhost:\d+/)).match(/http:\/\/localhost:\d+/)![0]
      const answers = await pairs(coldPlaces(), 20).catch((error) => {
        const lines = full.lines.filter((line) => line.includes('"failure"'))
        throw new Error(`${error.message}; output of the process: ${lines.join('\n')}`)
      })
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      const figures = await (await fetch(`${apis[0]}/metrics`)).text()
      const unwritten = Number(/^hexcast_objects_cache\{what="unwritten"\} (\d+)$/m.exec(figures)?.[1])
      expect(unwritten, 'blocks that found no room').toBeGreaterThan(10)
      await full.end()
      report(
        'answers while the disk of the cache is full',
        `${counted(answers)}; ${unwritten} blocks found no room on it`,
      )
    } finally {
      spawnSync('umount', [folder])
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Returns places of the country, each only once. */
function* coldPlaces(): Generator<string> {
  for (let index = Math.floor(Math.random() * 1000); ; index++) {
    yield `${(34 + ((index * 0.754878) % 1) * 9).toFixed(3)},${(-116 + ((index * 0.618034) % 1) * 26).toFixed(3)}`
  }
}

/** Requests a place from both processes; if both answer, the answers must agree. @returns the series of the first process */
async function pairs(places: Generator<string>, many: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let turn = 0; turn < many; turn++) {
    const place = places.next().value as string
    const [first, second] = await Promise.all([ask(0, place), ask(1, place)])
    expect(second.status, place).toBe(200)
    expect([200, 503, 504], place).toContain(first.status)
    // The hour may change between the two requests.
    const right = byHour(second.series)
    if (first.status === 200 && !first.marked) {
      for (const [hour, value] of byHour(first.series))
        expect(value, `${place} at ${hour}`).toBe(right.get(hour) ?? value)
      expect(first.series, place).not.toBe('')
    }
    answers.push(first)
  }
  return answers
}

function counted(answers: readonly Answer[]): string {
  const many = (status: number, marked = false) =>
    answers.filter((answer) => answer.status === status && answer.marked === marked).length
  const slowest = Math.max(...answers.map(({ seconds }) => seconds)).toFixed(1)
  return `${answers.length} cold answers: ${many(200)} × 200 as from the undisturbed process, ${many(200, true)} × 200 marked as degraded, ${many(503)} × 503, ${many(504)} × 504; the slowest ${slowest} s`
}
