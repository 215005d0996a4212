import { afterEach, expect, test } from 'vitest'
import { topics } from '../../ingest/domain/event.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { manifestName } from '../../ingest/tile/key.ts'
import { incarnationOf } from '../../sql/queries/incarnation.ts'
import { addToOutbox, databaseNow } from '../../sql/queries/outbox.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { ARCHIVE_TIMEOUT_SECONDS, ArchivedPostgres } from '../engines/archived-postgres.ts'
import { type Process, until } from './process.ts'
import { report } from './report.ts'
import { System, upstreamTakes } from './system.ts'

let system: System | undefined
afterEach(async () => {
  await system?.close()
  system = undefined
})

const hrrr = ['conus', 'alaska']

async function addressOf(api: Process): Promise<string> {
  const line = await api.line(/http:\/\/localhost:\d+/)
  return /http:\/\/localhost:\d+/.exec(line)?.[0] ?? ''
}

/** Reads a stream of events until it ends or `isEnough`. @returns its text */
async function readStream(
  address: string,
  key: string,
  lastId: string | undefined,
  isEnough: (text: string) => boolean,
) {
  const abort = new AbortController()
  const response = await fetch(`${address}/v1/events?events=alert.*,run.*`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId && { 'last-event-id': lastId }) },
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(60_000)]),
  })
  let text = ''
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString()
    if (isEnough(text)) break
  }
  abort.abort()
  return text
}

/** Returns the ids of the served alerts, sorted; none while the API has not read any. */
async function alertIds(address: string, key: string): Promise<string[]> {
  const response = await fetch(`${address}/v1/alerts`, { headers: { authorization: `Bearer ${key}` } })
  const { alerts = [] } = (await response.json()) as { alerts?: readonly { id: string }[] }
  return alerts.map(({ id }) => id).sort()
}

/** Stores a numbered event every 50 ms, so that the age of what a restore returns can be measured. */
function ledger(on: System): { stop(): Promise<void> } {
  let going = true
  const writing = (async () => {
    while (going) {
      const at = new Date().toISOString()
      const payload = { dataset: 'ledger', domain: 'conus', run: at, at }
      await on.db
        .transaction((tx) => addToOutbox(tx, [{ topic: topics.started.name, key: 'ledger', payload }]))
        .catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    async stop() {
      going = false
      await writing
    },
  }
}

const newestOfLedger = async (on: System) => {
  const [row] = await on.db.query<{ at: Date }>(`select max(created_at) as at from outbox where key = 'ledger'`)
  return row?.at.getTime() ?? 0
}

test('a database that is restored to a point in time and a partly lost object store serve everything again', async () => {
  system = await System.open('hrrr')
  const on = system
  const postgres = new ArchivedPostgres(
    entryOf(process.env, 'ENGINES_FOLDER'),
    new URL(entryOf(process.env, 'DATABASE_URL')).port,
  )
  await postgres.archive()
  await upstreamTakes(0.3)
  let worker = on.start('worker')
  let api = on.start('api', { PORT: '0' })
  const before = await addressOf(api)
  const key = await on.start('keys create --name drill --plan professional').line(/^hx_live_/)
  const backUpAt = performance.now()
  await postgres.backUp()
  const backUpSeconds = (performance.now() - backUpAt) / 1000
  const writing = ledger(on)

  // The point in time: alerts are active and a run is served in one domain.
  await until('alerts and a first run', 240, async () => {
    const served = (await pointers(on.db)).filter(({ dataset }) => dataset === 'hrrr')
    return served.length > 0 && (await alertIds(before, key)).length > 0
  })
  const point = await databaseNow(on.db)
  const servedAtPoint = (await pointers(on.db)).filter(({ dataset }) => dataset === 'hrrr')
  const alertsAtPoint = await alertIds(before, key)
  const { id: firstIncarnation } = await incarnationOf(on.db)

  // After it, the other domain is published, and a consumer reads its event.
  await on.published('hrrr', hrrr)
  await worker.line('publish', 5).catch(() => undefined)
  const seen = await readStream(
    before,
    key,
    `${firstIncarnation}-1`,
    (text) => text.includes('"domain":"alaska"') && text.includes('run.published'),
  )
  const lastId = [...seen.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? '').at(-1)
  expect(lastId).toMatch(new RegExp(`^${firstIncarnation}-\\d+$`))
  const served = await pointers(on.db)
  await new Promise((resolve) => setTimeout(resolve, 3 * ARCHIVE_TIMEOUT_SECONDS * 1000))

  // Everything is lost: processes, the database's machine, and tiles of a served run.
  const [archived] = await postgres.query<{ at: Date }>('select last_archived_time as at from pg_stat_archiver')
  const lostAt = (await databaseNow(on.db)).getTime()
  await Promise.all([worker.end('SIGKILL'), api.end('SIGKILL')])
  await postgres.lose()
  await writing.stop()
  const manifest = nth(
    served.filter(({ dataset, domain }) => dataset === 'hrrr' && domain === servedAtPoint[0]?.domain),
    0,
  ).manifest_key
  let deleted = 0
  for await (const { key: object } of on.objects.list(manifest.slice(0, -manifestName.length)))
    if (object.endsWith('.tile') && deleted++ % 2 === 0) await on.objects.remove(object)
  expect(deleted).toBeGreaterThan(0)

  // The order of infra/OPS.md: database, `hexcast recover`, workers, API.
  const restoringAt = performance.now()
  await postgres.restore(point)
  const databaseSeconds = (performance.now() - restoringAt) / 1000
  const restoredTo = await newestOfLedger(on)
  expect(point.getTime() - restoredTo).toBeGreaterThanOrEqual(0)
  expect(point.getTime() - restoredTo).toBeLessThan(2000)
  const derived = await incarnationOf(on.db)
  expect(derived).toEqual({ id: expect.not.stringMatching(firstIncarnation), isRestored: true })

  const recovering = on.start('recover --database --objects')
  await until('hexcast recover', 60, () => !recovering.alive)
  expect(recovering.child.exitCode, recovering.lines.join('\n')).toBe(0)
  expect(recovering.lines.join('\n')).toMatch(/hrrr \w+ \S+: \d+ of \d+ objects are lost/)
  const { id: incarnation } = await incarnationOf(on.db)
  expect([firstIncarnation, derived.id]).not.toContain(incarnation)

  await upstreamTakes(0)
  worker = on.start('worker')
  api = on.start('api', { PORT: '0' })
  const after = await addressOf(api)
  const apiSeconds = (performance.now() - restoringAt) / 1000
  await until('the alerts of the point in time', 120, async () => {
    const now = await alertIds(after, key)
    return now.length > 0
  })
  const activeUpstream = await on.db.query<{ id: string }>(`select id from alert where shown is not null`)
  const alertSeconds = (performance.now() - restoringAt) / 1000
  await on.published('hrrr', hrrr)
  const runSeconds = (performance.now() - restoringAt) / 1000
  const alertsNow = await alertIds(after, key)
  // An alert that has ended or was updated meanwhile is absent for that reason alone.
  const active = new Set(activeUpstream.map(({ id }) => id))
  expect(alertsAtPoint.filter((id) => active.has(id) && !alertsNow.includes(id))).toEqual([])
  expect(alertsNow.length).toBeGreaterThan(0)

  // A consumer of the time before is told to read again.
  const replay = await readStream(
    after,
    key,
    lastId,
    (text) => text.includes('event: replay') || text.split('\n\n').length > 3,
  )
  expect(replay).toContain('event: replay\ndata: {"reason":"restored"}')
  expect(replay).toContain(`id: ${incarnation}-`)

  // Nothing is doubled.
  const doubled = await on.db.query<{ alert_id: string; change: string; times: number }>(
    `select alert_id, payload ->> 'change' as change, count(*)::int as times from alert_change
     group by alert_id, payload ->> 'change', payload ->> 'areas' having count(*) > 1`,
  )
  expect(doubled).toEqual([])
  const publications = await on.db.query<{ domain: string; times: number }>(
    `select payload ->> 'domain' as domain, count(*)::int as times from outbox
     where topic = 'hexcast.runs.v1' and payload ->> 'dataset' = 'hrrr' and coalesce(payload ->> 'stage', '0') = '0'
     group by payload ->> 'domain', payload ->> 'run' order by 1`,
  )
  const lostDomains = new Set(servedAtPoint.map(({ domain }) => domain))
  for (const { domain, times } of publications)
    expect(times, domain).toBeLessThanOrEqual(lostDomains.has(domain) ? 2 : 1)
  const listing = spawnRecover(on)
  await until('hexcast recover', 60, () => !listing.alive)
  expect(listing.lines.join('\n')).toContain('every served run and frame has its objects')

  report(
    'database restored to a point in time, tiles lost',
    [
      `base backup ${backUpSeconds.toFixed(1)} s`,
      `database restored and writable after ${databaseSeconds.toFixed(1)} s`,
      `API after ${apiSeconds.toFixed(1)} s, alerts after ${alertSeconds.toFixed(1)} s, all runs after ${runSeconds.toFixed(1)} s`,
      `newest restored event ${point.getTime() - restoredTo} ms before the point`,
      `newest archived log ${archived ? ((lostAt - archived.at.getTime()) / 1000).toFixed(1) : '?'} s before the loss (archive_timeout ${ARCHIVE_TIMEOUT_SECONDS} s)`,
    ].join('; '),
  )
})

function spawnRecover(on: System): Process {
  return on.start('recover')
}
