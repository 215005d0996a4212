/**
 * Records histories of every workflow from a real server into test/cases/histories, for test/contracts/replay.test.ts:
 * `TEMPORAL_ADDRESS=… node test/engines/record.ts VERSION`. Old versions stay as long as workflows begun by them may run.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import temporalProto from '@temporalio/proto'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'

const { History } = temporalProto.temporal.api.history.v1
const version = process.argv[2] ?? 'v1'
const temporal = loadConfig().temporal!
const queue = `record-${version}-${Date.now()}`
let polls = 0
let shaken = 0
const ends = [Date.now() + 3_000]
const file = (leadHours: number) => ({ url: `https://bucket.s3.amazonaws.com/f${leadHours}`, leadHours })
const activities = {
  newRuns: async () => [{ domains: ['conus'], run: '2026-08-20T12Z', urgency: 12 }],
  planStage: async ({ stage }: { stage: number }) =>
    ++polls % 2 === 1
      ? { state: 'waiting', waitSeconds: polls === 1 ? 6 : 1, why: 'not there yet', files: [file(1)] }
      : { state: 'ready', stage, files: [1, 2, 3, 4, 5].map(file) },
  sampleFile: async () => {
    if (++shaken === 3) throw new Error('connection reset')
  },
  publishStage: async ({ stage }: { stage: number }) => ({ last: stage === 1 }),
  sweepFrames: async () => {},
  sweepFeed: async ({ dataset }: { dataset: string }) => ({
    expiresAt: ends.shift() ?? null,
    sweepNext: dataset === 'nws-alerts' ? ['zones'] : [],
  }),
  expireFeed: async () => ({ expiresAt: ends.shift() ?? null }),
  checkLateness: async () => {},
  checkUpstream: async () => {},
  issueForecasts: async () => {},
  scoreDays: async () => {},
  retire: async () => {},
} as unknown as Activities

const engine = await openTemporalEngine({ ...temporal, queue, activities, clock: Date.now, report: console.error })
await engine.work()
const client = new Client({
  connection: await Connection.connect({ address: temporal.address }),
  namespace: temporal.namespace,
})
await engine.start('watchRuns', `${queue}/watch-runs`, { dataset: 'recorded' })
await engine.start('sweepFeed', `${queue}/sweep-feed/nws-alerts`, { dataset: 'nws-alerts' })
await engine.start('sweepFrames', `${queue}/sweep-frames`, { dataset: 'mrms' })
await engine.start('checkLateness', `${queue}/check-lateness`, {})
await engine.start('checkUpstream', `${queue}/check-upstream`, {})
await engine.start('verifyForecasts', `${queue}/verify-forecasts`, {})
await engine.start('retire', `${queue}/retire`, {})

const folder = new URL(`../cases/histories/${version}/`, import.meta.url)
await mkdir(folder, { recursive: true })
// The signal ends the first wait, and time the second.
await pause(5_000)
await engine.wake('modelRun', 'grid-run/recorded/')
await pause(15_000)
for await (const { workflowId, runId, type, status } of client.workflow.list({ query: `TaskQueue = '${queue}'` })) {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  const plain = History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String })
  const text = JSON.stringify(plain, null, 1)
    .replace(/"identity": "[^"]*"/g, '"identity": "worker"')
    .replace(/"stackTrace": "[^"]*"/g, '"stackTrace": ""')
  await writeFile(new URL(`${type}.json`, folder), `${text}\n`)
  console.log(type, status.name, history.events?.length)
}
await engine.stop()
process.exit(0)
