/**
 * Measures the time from a new forecaster text upstream to the first answer with it, with a worker and its schedules:
 * `node test/bench/texts.ts`. The settings choose the engine: the queue in the embedded database, or Temporal with `TEMPORAL_ADDRESS`.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { watchTexts } from '../../api/live/text-watch.ts'
import { textsAt } from '../../api/live/texts.ts'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nwsTexts } from '../../ingest/datasets/texts.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { officeList } from '../../ingest/geo/zone.ts'
import { openPorts } from '../../ingest/ports/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { startWorker } from '../../workers/start-worker.ts'

/** This is no divisor of a minute, so that texts are issued at different phases of polling. */
const EVERY_MS = 11 * SECOND
const FIRST_READ_MS = 5 * MINUTE
const POLLS = 2

const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-bench-texts-'))
const config = loadConfig({ ...process.env, DATA_DIR: dataDir, DATASETS: nwsTexts.id, LOG_LEVEL: 'silent' })
const ports = await openPorts(config, 'bench')
const mirror = await startMirror({ sources: [textFeed()], now: Date.now })
const upstream = openUpstream({ mirror: mirror.url })
const source = { upstream, simulated: true, description: 'the simulator', close: () => upstream.close() }
const started = performance.now()
const worker = await startWorker(
  config,
  ports,
  source,
  () => undefined,
  (what, error) => {
    // Alerts are always polled, and this upstream has none.
    if (!/alerts|zones/.test(what)) console.error(what, error)
  },
)
const watch = await watchTexts({ ...ports, clock: Date.now })
try {
  const kinds = ['afd', 'hwo', 'now', 'hls', 'mcd', 'mpd', 'pmd'] as const
  while (!kinds.every((kind) => watch.isKnown(kind, Date.now()))) {
    if (performance.now() - started > FIRST_READ_MS) throw new Error('the lists were not read within 5 minutes')
    await pause(200)
  }
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const read = mirror.log.filter((line) => line.includes('/products/simulated-')).length
  console.log(
    `texts: engine ${worker.engine.kind}; first read of ${read} texts: ${seconds(performance.now() - started)}`,
  )

  const answer = textsAt(watch)
  /** Issues a text. @returns ms until the answer at its place has the text */
  const issued = async (query: string, lat: number, lon: number): Promise<number> => {
    const began = performance.now()
    const response = await fetch(`${mirror.url}/api.weather.gov/_texts?${query}`)
    const { id } = ((await response.json()) as { issued: { id: string }[] }).issued.at(-1)!
    const isShown = async () => {
      const texts = await answer({ lat, lon, cell: cellOf(lat, lon), domain: 'conus', now: Date.now() })
      return texts.afd?.id === id || texts.mcds?.some((discussion) => discussion.id === id)
    }
    while (!(await isShown())) {
      if (performance.now() - began > 10 * MINUTE) return Number.POSITIVE_INFINITY
      await pause(50)
    }
    return performance.now() - began
  }
  const offices = ['BOU', 'LWX', 'FWD', 'SEW', 'MPX', 'TBW']
  const waits: Promise<number>[] = []
  for (const id of offices) {
    const { lat, lon } = officeList().find((office) => office.id === id)!
    waits.push(issued(`office=${id}`, lat, lon))
    await pause(EVERY_MS)
    waits.push(issued(`lat=${lat}&lon=${lon}&minutes=30`, lat, lon))
    await pause(EVERY_MS)
  }
  const delays = (await Promise.all(waits)).sort((a, b) => a - b)
  const poll = (config.feedPollSeconds[nwsTexts.id] ?? nwsTexts.pollSeconds) * SECOND
  const within = delays.filter((delay) => delay <= POLLS * poll).length
  console.log(
    `texts: ${delays.length} new texts in an answer: median ${seconds(nth(delays, delays.length >> 1))}, most ${seconds(delays.at(-1)!)}; ${within} within two polls of ${seconds(poll)}`,
  )
  if (within < delays.length) process.exitCode = 1
} finally {
  await watch.close()
  await worker.stop()
  await mirror.close()
  await ports.close()
  await rm(dataDir, { recursive: true, force: true })
}
