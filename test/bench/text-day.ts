/**
 * Counts a day of forecaster texts: `node test/bench/text-day.ts`. The feed is polled once a simulated minute for 24 hours against the
 * simulator's offices, with conditional requests. Prints requests and bytes by kind.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nwsTexts } from '../../ingest/datasets/texts.ts'
import { DAY, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'

/** Number of polls that may follow each other without a pause: the first polls have hundreds of items. */
const MAX_FOLLOWING = 50

const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-text-day-'))
const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const [database, objects] = [await openDatabase(config), await openObjects(config)]
// The day ends now, so that texts count as issued by the database's clock too.
const end = Math.floor(Date.now() / MINUTE) * MINUTE
let now = end - DAY
const texts = textFeed()
let items = 0
const counted: SimulatedHost = {
  ...texts,
  find(path, query, at) {
    if (!path.startsWith('/products/types/')) items++
    return texts.find(path, query, at)
  },
}
const mirror = await startMirror({ sources: [counted], now: () => now })
const upstream = openUpstream({ mirror: mirror.url })
const deps = { database, objects, upstream, clock: () => now }

async function sweep(): Promise<void> {
  for (let i = 0; i < MAX_FOLLOWING; i++) {
    const { sweepNext } = await sweepFeed(deps, nwsTexts.id)
    if (!sweepNext?.length) return
  }
}
const countOf = () => ({ ...upstream.counts, items })

await sweep()
const first = countOf()
const started = performance.now()
const cpu = process.cpuUsage()
for (; now < end; now += nwsTexts.pollSeconds * SECOND) await sweep()
const total = countOf()
const spent = process.cpuUsage(cpu)
const day = {
  requests: total.requests - first.requests,
  items: total.items - first.items,
  bytes: total.bytes - first.bytes,
}
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const row = ({ requests, items: read, bytes }: typeof day) =>
  `${requests} requests (${requests - read} of lists, ${read} of texts), ${mb(bytes)}`
console.log(`first sweep: ${row(first)}`)
console.log(
  `a day of polls every ${nwsTexts.pollSeconds} s: ${row(day)}; ${(day.requests / 86_400).toFixed(2)} requests a second on average; processor ${((spent.user + spent.system) / 1e6).toFixed(0)} s with the simulator, ${((performance.now() - started) / 1000).toFixed(0)} s`,
)
await upstream.close()
await mirror.close()
await objects.close()
await database.close()
await rm(dataDir, { recursive: true, force: true })
process.exit(0)
