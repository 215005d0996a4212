import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { topics } from '../../ingest/domain/event.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { addToOutbox } from '../../sql/queries/outbox.ts'
import { type ProxyFault, startFaultyProxy, startTcpProxy } from '../engines/faulty-proxy.ts'
import { type Process, until } from './process.ts'
import { report } from './report.ts'
import { System, upstreamTakes } from './system.ts'

let system: System | undefined
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await system?.close()
  system = undefined
})

const hrrr = ['conus', 'alaska']
const files = (worker: Process) => worker.steps.filter(({ step }) => step === 'sampleFile').length

/** Starts a worker and waits until it is in a run that lasts some 15 s more. */
async function inMidst(worker: Process, many = 4): Promise<void> {
  await until(`${many} files of a worker`, 180, () => files(worker) >= many)
  expect(files(worker), 'files done when the drill begins').toBeLessThan(34)
}

/** Stores numbered changes of alerts as their step does, twenty a second, and collects what a subscriber of the topic receives. */
async function alertTraffic(system: System) {
  const events: Events = await openEvents(system.config)
  ends.push(() => events.close())
  const received = new Map<string, number[]>()
  await events.subscribe(topics.alerts.name, ({ key, payload }) => {
    if (!key.startsWith('drill-')) return
    received.set(key, [...(received.get(key) ?? []), Number((payload as { id: string }).id.split('#')[1])])
  })
  const stored = new Map<string, number>()
  let going = true
  const writing = (async () => {
    for (let number = 0; going; number++) {
      const key = `drill-${number % 5}`
      const next = stored.get(key) ?? 0
      const at = new Date().toISOString()
      const payload = {
        id: `${key}#${next}`,
        event: 'Test',
        change: 'updated',
        areas: [],
        cells: [],
        expiration: null,
        at,
      }
      // A change that an unreachable database refuses is not stored, and must not be published.
      await system.db
        .transaction((tx) => addToOutbox(tx, [{ topic: topics.alerts.name, key, payload }]))
        .then(() => stored.set(key, next + 1))
        .catch(() => {})
      await pause(50)
    }
  })()
  return async () => {
    going = false
    await writing
    await until('every stored change to be received', 90, () =>
      [...stored].every(([key, count]) => new Set(received.get(key)).size >= count),
    )
    let twice = 0
    for (const [key, numbers] of received) {
      const firsts = numbers.filter((number, index) => numbers.indexOf(number) === index)
      twice += numbers.length - firsts.length
      expect(firsts, `order of ${key}`).toEqual([...firsts].sort((left, right) => left - right))
    }
    const many = [...stored.values()].reduce((sum, count) => sum + count, 0)
    return `${many} alert changes stored, all received in order, ${twice} twice`
  }
}

describe('engines', () => {
  test('no event is lost and the run is published when the broker is killed and returns', async () => {
    system = await System.open('hrrr')
    await upstreamTakes(0.4)
    const worker = system.start('worker')
    const traffic = await alertTraffic(system)
    await inMidst(worker)
    await system.engine('kafka', 'kill')
    await pause(4_000)
    await system.engine('kafka', 'up')
    await system.published('hrrr', hrrr)
    await pause(2_000)
    const counts = await traffic()
    report('the broker is killed and restarted', `${await system.checkInvariants('hrrr', [worker])}; ${counts}`)
  })

  test('a run survives 20 s without PostgreSQL', async () => {
    system = await System.open('hrrr')
    await upstreamTakes(0.4)
    const worker = system.start('worker')
    const traffic = await alertTraffic(system)
    await inMidst(worker)
    await system.engine('postgres', 'down')
    await pause(20_000)
    await system.engine('postgres', 'up')
    await system.published('hrrr', hrrr)
    const counts = await traffic()
    expect(worker.alive).toBe(true)
    report('PostgreSQL stopped for 20 s', `${await system.checkInvariants('hrrr', [worker])}; ${counts}`)
  })

  test('a run survives an S3 that answers 503 to every third request and then nothing for a while', async () => {
    system = await System.open('hrrr')
    await upstreamTakes(0.4)
    let manner: 'third' | 'silence' | 'well' = 'third'
    const spoil = (count: number): ProxyFault =>
      manner === 'silence' ? 'silence' : manner === 'third' && count % 3 === 2 ? 503 : undefined
    const proxy = await startFaultyProxy(entryOf(system.env, 'S3_ENDPOINT'), spoil)
    ends.push(() => proxy.close())
    const worker = system.start('worker', { S3_ENDPOINT: proxy.url })
    await inMidst(worker, 12)
    manner = 'silence'
    await pause(25_000)
    manner = 'well'
    await system.published('hrrr', hrrr)
    expect(worker.alive).toBe(true)
    report(
      'S3: 503 to every third request, then 25 s of silence',
      `${await system.checkInvariants('hrrr', [worker])}, over ${proxy.requests()} requests`,
    )
  })

  test('another worker continues when a worker’s network is cut, and the first does no harm when it returns', async () => {
    system = await System.open('hrrr')
    await upstreamTakes(0.4)
    const { DATABASE_URL, S3_ENDPOINT, TEMPORAL_ADDRESS, UPSTREAM, KAFKA_BROKERS } = system.env as Record<
      string,
      string
    >
    const database = new URL(DATABASE_URL!)
    const cables = await Promise.all(
      [`tcp://${database.host}`, S3_ENDPOINT!, TEMPORAL_ADDRESS!, UPSTREAM!, KAFKA_BROKERS!].map((target) =>
        startTcpProxy(target),
      ),
    )
    ends.push(() => cables.map((cable) => cable.close()))
    database.host = nth(cables, 0).address
    const cutOff = system.start('worker', {
      DATABASE_URL: database.href,
      S3_ENDPOINT: `http://${nth(cables, 1).address}`,
      TEMPORAL_ADDRESS: nth(cables, 2).address,
      UPSTREAM: `http://${nth(cables, 3).address}`,
      KAFKA_BROKERS: nth(cables, 4).address,
    })
    await inMidst(cutOff)
    for (const cable of cables) cable.cut()
    const second = system.start('worker')
    await until('files of the other', 120, () => files(second) >= 4)
    for (const cable of cables) cable.restore()
    await system.published('hrrr', hrrr)
    report('a worker’s network is cut, and mended', await system.checkInvariants('hrrr', [cutOff, second]))
  })
})

describe('clocks and schedules', () => {
  test('a process whose clock is 5 minutes ahead publishes nothing wrong, and its /readyz reports the clock', async () => {
    system = await System.open('hrrr')
    const wrong = { NODE_OPTIONS: `--import=${new URL('./clock.mjs', import.meta.url).href}`, CLOCK_OFF: '300000' }
    const workers = [system.start('worker', wrong), system.start('worker')]
    await system.published('hrrr', hrrr)
    const api = system.start('api', { ...wrong, PORT: '0' })
    const address = (await api.line(/http:\/\/localhost:\d+/)).match(/http:\/\/localhost:\d+/)![0]
    const ready = await (await fetch(`${address}/readyz`)).json()
    const off = (ready as { clock_off_seconds: number }).clock_off_seconds
    expect(Math.abs(off - 300), `${off} s`).toBeLessThan(5)
    report(
      'the clock of one process is off by 5 minutes',
      `${await system.checkInvariants('hrrr', workers)}; /readyz: clock_off_seconds ${off}`,
    )
  })

  test('two schedulers on the queue in the database ingest each run once', async () => {
    system = await System.open('hrrr')
    const queue = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' }
    const workers = [system.start('worker', queue), system.start('worker', queue)]
    await system.published('hrrr', hrrr)
    const names = workers
      .flatMap(({ steps }) => steps)
      .filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok')
      .map(({ domains, run, lead }) => `${domains} ${run} ${lead}`)
    expect(new Set(names).size).toBe(names.length)
    report('two schedulers, queue in the database', await system.checkInvariants('hrrr', workers))
  })
})
