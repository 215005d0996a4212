/**
 * Measures the whole system over a static mirror of full-size files: from an empty folder to the first complete answer (current
 * temperature from the analysis, 48 hours, NBM and HRRR), the next cycle of HRRR and RTMA, a steady period, then cold and cached answers,
 * and cold answers while a third cycle is ingested. Prints wall time, processor time and memory by phase and process.
 *
 * node test/bench/whole.ts --mirror=FOLDER [--small] [--coarse=1] [--steady=60] [--no-template] [--profile] [--throttle]
 *
 * The first use writes the mirror: 41 files of NBM, 19 of HRRR and one of RTMA in 14 minutes of one core; --small writes 8, 6 and 1, which
 * are also served for the other leads, in 3 minutes. --no-template starts as after `npm ci`, without the template of the database.
 * --profile samples every thread, traces, and prints processor and wall time by phase; the other figures are then some 10 % higher. The
 * second cycle begins with the request of its first file, because the next poll comes only every 60 s (`availability.ts` measures that).
 * --throttle gives the system a third of one core (Linux, as root): the cycle must end before the next, and answers must stay below 100 ms.
 * `compare.ts` measures the peer beside it.
 */

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildPrograms } from '../../bin/build.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { floorTo, HOUR, isoSeconds } from '../../ingest/domain/time.ts'
import { until } from '../drills/process.ts'
import { openCollector } from '../engines/collector.ts'
import { Hexcast } from './whole/hexcast.ts'
import { answers, answersWhile, MemoryTable, textOf, useSince } from './whole/measure.ts'
import { phaseOf } from './whole/phases.ts'
import { mirroredFiles, serveFiles, writeFiles } from './whole/static-mirror.ts'
import { throttle } from './whole/throttle.ts'

const flag = (name: string) => process.argv.includes(`--${name}`)
const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const MIRROR = word('mirror') ?? join(tmpdir(), 'hexcast-mirror')
const STEADY_SECONDS = Number(word('steady') ?? 60)
/** The run of NBM waits for later files, which the mirror lacks, and delays the next run. */
const SECOND_CYCLE = ['hrrr', 'rtma']
/** Time after which idle threads have ended. */
const REST_MS = 20_000
const templates = fileURLToPath(new URL('../../node_modules/.cache/hexcast', import.meta.url))

const small = flag('small')
await writeFiles(MIRROR, Number(word('coarse') ?? 1), small)
/** Upstream publishes the first run, then the second. */
const first = floorTo(Date.now(), HOUR) - 2 * HOUR
const runs = [first]
const mirror = await serveFiles(MIRROR, small, runs)
for (const run of [first, first + HOUR, first + 2 * HOUR]) mirror.prepare(run)
const collector = await openCollector()
const folder = mkdtempSync(join(tmpdir(), 'hexcast-whole-'))
const movedTemplates = flag('no-template') ? `${templates}.away` : undefined
if (movedTemplates) renameSync(templates, movedTemplates)

const began = performance.now()
const seconds = () => (performance.now() - began) / 1000
await buildPrograms()
const mirrorBefore = process.cpuUsage()
const system = new Hexcast(mirror.url, {
  ...(flag('profile') && {
    ...collector.env,
    NODE_OPTIONS: `--import=${new URL('./whole/profile-thread.ts', import.meta.url).href}`,
    MEASURE_FOLDER: folder,
    RUN_SOURCES: '1',
  }),
})
const unthrottle = flag('throttle') ? throttle(system.pid) : () => {}
const memory = new MemoryTable(system.pid, seconds)
let isMeasured = false
try {
  await system.opened()
  const opened = seconds()
  await system.isWhole(first, ['nbm', 'hrrr', 'rtma'])
  const firstStart = { wall: seconds(), ...useSince(system.pid), most: memory.most }
  const { user, system: kernel } = process.cpuUsage(mirrorBefore)
  console.log(
    `first whole answer after ${firstStart.wall.toFixed(1)} s; the mirror took ${((user + kernel) / 1e6).toFixed(1)} s of processor time meanwhile`,
  )
  if (flag('profile')) await printProfile('until the first whole answer')

  runs.push(first + HOUR)
  const before = useSince(system.pid)
  await system.isWhole(first + HOUR, SECOND_CYCLE)
  const second = {
    wall: (performance.now() - mirror.firstRequests.get(first + HOUR)!) / 1000,
    processor: useSince(system.pid).processor - before.processor,
  }
  if (flag('profile')) await printProfile('second cycle')
  const steadyFrom = useSince(system.pid).processor
  await pause(STEADY_SECONDS * 1000)
  const steady = ((useSince(system.pid).processor - steadyFrom) / STEADY_SECONDS) * 60
  if (flag('profile')) await printProfile('steady')

  console.log(
    `${isoSeconds(Date.now())}, ${availableParallelism()} × ${nth(cpus(), 0).model}, load ${nth(loadavg(), 0).toFixed(1)}; ${mirroredFiles(small, first).length} files${small ? ' of 15' : ''}, coarse ${word('coarse') ?? 1}${movedTemplates ? ', no template' : ''}`,
  )
  console.log(`processes, database and interface after ${opened.toFixed(1)} s`)
  if (flag('profile')) {
    console.log('\n| phase | began, s | ended, s | sum of walls, s | times |\n|---|---|---|---|---|')
    for (const line of spanTable(firstStart.wall)) console.log(line)
  }
  console.log(
    `\nfirst start: ${firstStart.wall.toFixed(1)} s, ${firstStart.processor.toFixed(1)} s of processor time, ${firstStart.most.toFixed(0)} MB at most at one moment (sum of the peaks of processes ${firstStart.peak.toFixed(0)})`,
  )
  console.log(
    `second cycle, HRRR and RTMA: ${second.wall.toFixed(1)} s, ${second.processor.toFixed(1)} s of processor time`,
  )
  console.log(`steady: ${steady.toFixed(1)} s of processor time a minute`)
  const { port } = system
  const requests = await system.requests()
  const cost = await answers(port, requests)
  console.log(cost.text)
  const third = first + 2 * HOUR
  runs.push(third)
  const thirdFrom = useSince(system.pid).processor
  await until('the third cycle', 180, async () => mirror.firstRequests.has(third), 20)
  const meanwhile = await answersWhile(port, requests, system.isWhole(third, SECOND_CYCLE))
  const thirdWall = (performance.now() - mirror.firstRequests.get(third)!) / 1000
  const thirdProcessor = useSince(system.pid).processor - thirdFrom
  console.log(
    `cold, while the third cycle is ingested (${thirdWall.toFixed(1)} s, ${thirdProcessor.toFixed(1)} s of processor time with the answers): ${textOf(meanwhile)}`,
  )
  for (const line of memory.lines()) console.log(line)
  await pause(REST_MS)
  console.log(`all ${REST_MS / 1000} s later: ${memory.now().toFixed(0)} MB`)
  isMeasured = true
} finally {
  memory.close()
  await system.end()
  unthrottle()
  rmSync(folder, { recursive: true, force: true })
  if (movedTemplates) {
    rmSync(templates, { recursive: true, force: true })
    renameSync(movedTemplates, templates)
  }
}
collector.close()
await mirror.close()
process.exit(isMeasured ? 0 : 1)

/** Sums the spans until the first complete answer; parallel work of threads and files adds up. */
function spanTable(end: number): string[] {
  const start = Date.now() - (performance.now() - began)
  const phases = new Map<string, { from: number; to: number; sum: number; count: number }>()
  for (const { name, startTimeUnixNano, endTimeUnixNano, service } of collector.spans) {
    const [from, to] = [startTimeUnixNano, endTimeUnixNano].map((nano) => (Number(nano) / 1e6 - start) / 1000) as [
      number,
      number,
    ]
    if (from > end || service !== 'hexcast-worker') continue
    const phase = phases.get(name) ?? { from, to, sum: 0, count: 0 }
    phases.set(name, {
      from: Math.min(from, phase.from),
      to: Math.max(to, phase.to),
      sum: phase.sum + to - from,
      count: phase.count + 1,
    })
  }
  return [...phases]
    .sort(([, a], [, b]) => a.from - b.from)
    .filter(([, { sum }]) => sum >= 0.05)
    .map(
      ([name, { from, to, sum, count }]) =>
        `| ${name} | ${from.toFixed(1)} | ${to.toFixed(1)} | ${sum.toFixed(1)} | ${count} |`,
    )
}

/** Returns processor time by process and phase from the samples of the threads since the last call. */
async function printProfile(title: string): Promise<void> {
  for (const { pid } of memory.processes()) process.kill(pid, 'SIGUSR2')
  await pause(3000)
  const phases = new Map<string, number>()
  const functions = new Map<string, number>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const { role, functions: own } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      role: string
      functions: Record<string, number>
    }
    for (const [name, ms] of Object.entries(own)) {
      if (name === '(idle)') continue
      const phase = `${role} | ${phaseOf(name)}`
      phases.set(phase, (phases.get(phase) ?? 0) + ms / 1000)
      functions.set(`${role} ${name}`, (functions.get(`${role} ${name}`) ?? 0) + ms / 1000)
    }
  }
  console.log(`\n${title}`)
  console.log('| process | phase | processor, s |\n|---|---|---|')
  for (const [phase, time] of [...phases].sort((a, b) => b[1] - a[1]).slice(0, 40))
    if (time >= 0.1) console.log(`| ${phase} | ${time.toFixed(1)} |`)
  for (const [name, time] of [...functions].sort((a, b) => b[1] - a[1]).slice(0, 40))
    console.log(`${time.toFixed(2)} s ${name}`)
}
