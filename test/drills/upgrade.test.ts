import { isDeepStrictEqual } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { topics } from '../../ingest/domain/event.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { version } from '../../ingest/ports/version.ts'
import { Balancer } from '../api/http/balancer.ts'
import { IssuedAlerts } from './issued-alerts.ts'
import { PREVIOUS_VERSION, previousRelease } from './previous-release.ts'
import { type Process, until } from './process.ts'
import { report } from './report.ts'
import { System, spoilUpstream } from './system.ts'
import { Load, p99, points } from './upgrade-load.ts'
import { longestGap, problemsOf, stepsOf, Workflows, watchPointers } from './upgrade-watch.ts'

const hrrr = ['conus', 'alaska']
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function portOf(api: Process): Promise<number> {
  const line = await api.line(/http:\/\/localhost:\d+/)
  return Number(/http:\/\/localhost:(\d+)/.exec(line)?.[1])
}

const since = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`

/** Resolves when a command has ended. @throws Error with its output if it failed */
async function ended(command: Process): Promise<void> {
  await until('the end of a command', 120, () => !command.alive)
  expect(command.child.exitCode, command.lines.join('\n')).toBe(0)
}

/** Returns what identifies the content of the forecasts, and the ids of the alerts, in the answers of one process. */
async function answersOf(port: number, key: string): Promise<string[]> {
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}`, connection: 'close' } })
  const tags = points.map(async (point) => {
    const response = await ask(`/v1/weather?${point}&include=current,hourly`)
    await response.arrayBuffer()
    return `${response.status} ${response.headers.get('etag')}`
  })
  const alerts = (await (await ask('/v1/alerts')).json()) as { alerts: readonly { id: string }[] }
  return [...(await Promise.all(tags)), ...alerts.alerts.map(({ id }) => id).sort()]
}

/** The previous release under load: a worker, two API processes behind a balancer, and HRRR in progress. */
async function previousUnderLoad() {
  const release = await previousRelease()
  ends.push(() => release.remove())
  const on = await System.prepare('hrrr,rtma')
  ends.push(() => on.close())
  const alerts = await IssuedAlerts.open(entryOf(on.env, 'UPSTREAM'))
  ends.push(() => alerts.close())
  Object.assign(on.env, {
    UPSTREAM: alerts.url,
    ALERTS_POLL_SECONDS: '1',
    TEMPORAL_DEPLOYMENT: `drill-${Date.now()}`,
    DRAIN_SECONDS: '2',
    PORT: '0',
  })
  // The later hours of HRRR take minutes, so that its runs are in progress until the new release has taken over.
  await spoilUpstream([{ path: 'wrfsfcf1', how: 'slow', seconds: 6 }])
  await ended(on.start('migrate', {}, release.folder))
  const worker = on.start('worker', {}, release.folder)
  const apis = [on.start('api', {}, release.folder), on.start('api', {}, release.folder)]
  const key = await on.start('keys create --name drill --plan professional', {}, release.folder).line(/^hx_live_/)
  const balancer = await Balancer.open()
  ends.push(() => balancer.close())
  for (const api of apis) await balancer.add(await portOf(api))
  const load = new Load(balancer.base, key)
  ends.push(() => load.end())
  const events = await openEvents(on.config)
  ends.push(() => events.close())
  /** Alert changes in Kafka. */
  const announced: string[] = []
  await events.subscribe(topics.alerts.name, ({ payload }) => {
    const { id, change } = payload as { id: string; change: string }
    announced.push(`${id} ${change}`)
  })
  await until('the stream of changes', 30, () => load.opened > 0)
  alerts.begin()
  await until('HRRR in progress', 120, () => stepsOf(worker, 'sampleFile', 'hrrr').length >= 2)
  return { release, on, alerts, worker, apis, key, balancer, load, announced }
}

/** Its four minutes on a busy machine are for `npm run drill:upgrade` alone. */
const upgradeTest = test.skipIf(!process.env['UPGRADE_DRILL'])

upgradeTest(
  'a release replaces the previous one under load, and nothing fails, is lost or is done twice',
  async ({ onTestFailed }) => {
    const {
      release,
      on,
      alerts,
      worker: oldWorker,
      apis: oldApis,
      key,
      balancer,
      load,
      announced,
    } = await previousUnderLoad()
    const processes = [oldWorker, ...oldApis]
    onTestFailed(() => {
      for (const line of processes.flatMap((started) => problemsOf(started).slice(0, 5)))
        console.log(line.slice(0, 700))
      for (const { path, failures } of load.seen) console.log(path, failures.slice(0, 3))
    })

    // The order of infra/OPS.md. First the database; the previous release goes on with its new schema.
    const beganAt = Date.now()
    await ended(on.start('migrate'))
    await on.openDatabase()
    await on.expand(release.expansion)
    const migratedAt = Date.now()
    const endWatch = watchPointers(on)
    ends.push(endWatch)
    const workflows = await Workflows.open(on)
    ends.push(() => workflows.close())
    await workflows.trigger('past-runs/rtma')
    for (const step of ['sampleFile', 'publishStage', 'sweepFeed'])
      await until(`${step} of the previous release`, 120, () =>
        stepsOf(oldWorker, step).some(({ time }) => Date.parse(time) > migratedAt),
      )

    // Then the workers: the new one beside the old one, which ends once the new one has work.
    const startedAt = Date.now()
    const worker = on.start('worker')
    processes.push(worker)
    await until('work of the new worker', 120, () => stepsOf(worker, 'sweepFeed').length > 0)
    const takenOverAt = new Date()
    await oldWorker.end()
    await spoilUpstream([])
    await on.published('hrrr', hrrr, 240)
    const handedOver = await until('the end of a run that the old worker began', 120, async () => {
      const list = await workflows.list('grid-run/hrrr')
      const completed = list.filter(({ status }) => status === 'COMPLETED')
      return completed.find(({ releases: [first, next] }) => first === PREVIOUS_VERSION && next !== undefined)
    })
    expect(handedOver.releases).toEqual([PREVIOUS_VERSION, version])
    const workedAt = Date.now()

    // Then the API processes, one after the other. The old and the new one answer alike.
    for (const old of oldApis) {
      const port = await portOf(old)
      const api = on.start('api')
      processes.push(api)
      const newPort = await portOf(api)
      await balancer.add(newPort)
      const answers = await until('the same answers of both releases', 30, async () => {
        const [before, after] = await Promise.all([answersOf(port, key), answersOf(newPort, key)])
        return isDeepStrictEqual(before, after) && after
      })
      expect(answers.filter((answer) => answer.startsWith('200 '))).toHaveLength(points.length)
      await old.end()
      expect(old.child.exitCode).toBe(0)
      balancer.remove(port)
    }
    const endedAt = Date.now()
    alerts.end()

    // Every change of an alert is announced, and streamed.
    const changes = await until('every alert to be announced and streamed', 120, async () => {
      const rows = await on.db.query<{ name: string }>(
        `select concat(alert_id, ' ', payload ->> 'change') as name from alert_change where alert_id like '%.drill.%'`,
      )
      const streamed = new Set(load.changes.map(({ data }) => data.id))
      return alerts.ids.every((id) => streamed.has(id) && announced.includes(`${id} issued`)) && rows
    })
    // Every run that the old worker began has ended, or a workflow is still working on it, since upstream has not all of its files.
    await until('the runs of the ledger', 120, async () => {
      const claimed = await on.db.query<{ dataset: string; run: Date }>(
        `select dataset, run from run where state = 'claimed' and claimed_at < $1`,
        [takenOverAt],
      )
      const ids = await workflows.running('grid-run/')
      return claimed.every(({ dataset, run }) => {
        const stamp = run.toISOString().slice(0, 13)
        return ids.some((id) => id.startsWith(`grid-run/${dataset}/`) && id.includes(stamp))
      })
    })
    await load.end()
    const { moves, backward } = await endWatch()

    expect(balancer.failures).toEqual({ refused: [], reset: [], unplaced: [] })
    for (const { path, ms, failures } of load.seen) {
      expect(failures, path).toEqual([])
      expect(ms.length, path).toBeGreaterThan(20)
    }
    expect(backward).toEqual([])
    const names = changes.map(({ name }) => name).sort()
    expect(names).toEqual(alerts.ids.map((id) => `${id} issued`).sort())
    const doubled = await on.db.query(
      `select topic, key, payload - 'at' as payload from outbox
     where topic = 'hexcast.runs.v1' and payload ->> 'dataset' in ('hrrr', 'rtma') group by 1, 2, 3 having count(*) > 1`,
    )
    expect(doubled).toEqual([])
    expect(processes.flatMap(problemsOf)).toEqual([])

    const workers = [oldWorker, worker]
    const sweeps = workers.flatMap((process) => stepsOf(process, 'sweepFeed', 'nws-alerts'))
    const files = workers.flatMap((process) => stepsOf(process, 'sampleFile'))
    const fileNames = files.map(({ dataset, domains, run, lead }) => `${dataset} ${domains} ${run} ${lead}`)
    const sweepGap = longestGap(sweeps, beganAt)
    expect(sweepGap, 'seconds without a read of the alerts').toBeLessThan(60)
    const drillChanges = load.changes.filter(({ data }) => data.id.includes('.drill.'))
    const answers = load.seen.map(({ path, ms }) => `${path} ${ms.length} (p99 ${p99(ms).toFixed(0)} ms)`)
    report(
      `upgrade from ${release.description} to ${version}`,
      [
        `${since(beganAt, migratedAt)} to migrate, ${since(migratedAt, startedAt)} to see the previous release at work with the new schema`,
        `${since(startedAt, takenOverAt.getTime())} to the first work of the new worker, ${since(takenOverAt.getTime(), workedAt)} to the end of the run that the old one began, ${since(workedAt, endedAt)} for two API processes`,
        `answers: ${answers.join(', ')}, none failed`,
        `longest time without a read of the alerts ${sweepGap.toFixed(1)} s, without a file of a model ${longestGap(files, beganAt).toFixed(1)} s`,
        `${files.length} files, ${files.length - new Set(fileNames).size} twice; ${moves} moves of pointers, all forward`,
        `${names.length} alert changes, ${announced.length} in Kafka, ${drillChanges.length} streamed over ${load.opened} connections`,
        await on.checkInvariants('hrrr', workers),
      ].join('; '),
    )
  },
  600_000,
)
