import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { runName } from '../../ingest/domain/time.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { until } from './process.ts'
import { report } from './report.ts'
import { System } from './system.ts'

let system: System | undefined
afterAll(() => system?.close())

test('four API processes learn of a new run at the same time', async () => {
  system = await System.open('rtma')
  const hour = 3_600_000
  const newest = Math.floor(Date.now() / hour) * hour - 2 * hour
  const names = [newest - hour, newest].map((run) => runName(run))
  const ingested = async (name: string) => {
    const process = system!.start(`backfill rtma ${name} ${name}`)
    await until(`backfill of ${name}`, 120, () => !process.alive)
    expect(process.child.exitCode, process.lines.join('\n')).toBe(0)
  }
  await ingested(nth(names, 0))
  const processes = [1, 2, 3, 4].map(() => system!.start('api', { PORT: '0' }))
  const apis = await Promise.all(
    processes.map(
      async (process) => (await process.line(/http:\/\/localhost:\d+/)).match(/http:\/\/localhost:\d+/)![0],
    ),
  )
  const key = await system.start('keys create --name drill --plan professional').line(/^hx_live_/)
  const headers = { authorization: `Bearer ${key}` }
  const path = '/v1/weather?lat=39.74&lon=-104.99&include=current&days=1&hourly_hours=1'
  const runOf = async (api: string) => {
    const body = (await (await fetch(api + path, { headers })).json()) as {
      meta: { freshness: { product_id: string; reference_time?: string; run?: string }[] }
    }
    return JSON.stringify(body.meta.freshness)
  }
  const before = await Promise.all(apis.map(runOf))
  expect(
    new Set(before.map((process) => process.includes(new Date(newest - hour).toISOString().slice(0, 13)))).has(false),
    before[0],
  ).toBe(false)

  let going = true
  const notifiedAt = apis.map(async (api, index) => {
    while (going) {
      const now = await runOf(api)
      if (now !== before[index] && now.includes(new Date(newest).toISOString().slice(0, 13))) return Date.now()
      await pause(25)
    }
    return Number.NaN
  })
  await ingested(nth(names, 1))
  const late = setTimeout(() => (going = false), 20_000)
  const times = await Promise.all(notifiedAt)
  clearTimeout(late)
  const [row] = (await pointers(system.db)).filter(({ dataset, domain }) => dataset === 'rtma' && domain === 'conus')
  const delays = times.map((time) => time - row!.published_at.getTime())
  expect(Math.max(...delays), 'ms from the pointer to the slowest process').toBeLessThan(15_000)
  // Polling would notice the run only after three seconds, so the event must arrive first.
  const receivedEvents = async (api: string) =>
    Number(/^hexcast_events_heard (\d+)$/m.exec(await (await fetch(`${api}/metrics`)).text())?.[1])
  for (const api of apis) await until(`${api} to have received it`, 20, async () => (await receivedEvents(api)) > 0)

  report('four API processes, a new run', `heard after ${delays.map((delay) => `${delay} ms`).join(', ')}`)
})
