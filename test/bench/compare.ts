/**
 * Compares Hexcast with the tuned peer of `peer/` over one static mirror: in each round first Hexcast, then the peer, each in an empty
 * folder. Hexcast is measured from its start to a whole answer, the peer from its start to the publication. Prints the medians.
 *
 * PYTHON=… node test/bench/compare.ts --mirror=FOLDER [--small] [--coarse=1] [--rounds=3]
 *
 * PYTHON is an interpreter with the packages of `peer/requirements.txt`. `whole.ts` tells about the mirror.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from '../../bin/build.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { floorTo, HOUR, isoSeconds } from '../../ingest/domain/time.ts'
import { askedOfPeer, ingestByPeer, peerPython, servePeer } from './peer/measure.ts'
import { Hexcast } from './whole/hexcast.ts'
import { type AnswerRequests, answers, MemoryTable, useSince } from './whole/measure.ts'
import { proportionalOf, usesOf } from './whole/processes.ts'
import { mirroredFiles, serveFiles, writeFiles } from './whole/static-mirror.ts'

const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const MIRROR = word('mirror') ?? join(tmpdir(), 'hexcast-mirror')
const ROUNDS = Number(word('rounds') ?? 3)
const small = process.argv.includes('--small')

type Figures = Record<string, number>
/** Datasets of both cycles: Hexcast takes each run that appears, so the peer must too. */
const datasets = ['nbm', 'hrrr', 'rtma']

const python = peerPython()
if (!python) {
  console.error('set PYTHON to an interpreter with the packages of test/bench/peer/requirements.txt')
  process.exit(2)
}
await writeFiles(MIRROR, Number(word('coarse') ?? 1), small)
await buildPrograms()
const first = floorTo(Date.now(), HOUR) - 2 * HOUR
const runs: number[] = []
const mirror = await serveFiles(MIRROR, small, runs)
for (const run of [first, first + HOUR]) mirror.prepare(run)

async function costOfAnswers(port: string, requests: AnswerRequests, pid: number): Promise<Figures> {
  const { cold, cached } = await answers(port, requests)
  return {
    'cold p50, ms': cold.p50,
    'cold p95, ms': cold.p95,
    'cold p99, ms': cold.p99,
    'cached, a second': cached,
    'memory that serves, MB': proportionalOf(usesOf(pid).keys()),
  }
}

async function measureHexcast(): Promise<Figures> {
  runs.splice(0, runs.length, first)
  const began = performance.now()
  const hexcast = new Hexcast(mirror.url)
  const memory = new MemoryTable(hexcast.pid, () => 0)
  try {
    await hexcast.opened()
    await hexcast.isWhole(first, datasets)
    const start = { wall: (performance.now() - began) / 1000, ...useSince(hexcast.pid), most: memory.most }
    runs.push(first + HOUR)
    await hexcast.isWhole(first + HOUR, datasets)
    const cycle = useSince(hexcast.pid).processor - start.processor
    return {
      'first start, s': start.wall,
      'processor time, s': start.processor,
      'most memory at one moment, MB': start.most,
      'processor time of a second cycle, s': cycle,
      ...(await costOfAnswers(hexcast.port, await hexcast.requests(), hexcast.pid)),
    }
  } finally {
    memory.close()
    await hexcast.end()
  }
}

async function measurePeer(interpreter: string): Promise<Figures> {
  runs.splice(0, runs.length, first)
  const store = mkdtempSync(join(tmpdir(), 'hexcast-peer-'))
  try {
    const start = await ingestByPeer(interpreter, mirror.url, store, datasets.join())
    runs.push(first + HOUR)
    const cycle = await ingestByPeer(interpreter, mirror.url, store, datasets.join())
    const { server, port } = await servePeer(interpreter, store)
    try {
      return {
        'first start, s': start.wall,
        'processor time, s': start.processor,
        'most memory at one moment, MB': start.most,
        'processor time of a second cycle, s': cycle.processor,
        ...(await costOfAnswers(port, askedOfPeer, server.child.pid!)),
      }
    } finally {
      await server.end()
    }
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

const ours: Figures[] = []
const theirs: Figures[] = []
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await measureHexcast())
  theirs.push(await measurePeer(python))
}
const median = (list: readonly Figures[], name: string) =>
  nth(
    list.map((figures) => entryOf(figures, name)).sort((a, b) => a - b),
    list.length >> 1,
  )
const show = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
console.log(
  `${isoSeconds(Date.now())}, ${availableParallelism()} × ${nth(cpus(), 0).model}, load ${nth(loadavg(), 0).toFixed(1)}; medians of ${ROUNDS} rounds; ${mirroredFiles(small, first).length} files${small ? ' of 15' : ''}, coarse ${word('coarse') ?? 1}`,
)
console.log('\n| | peer | Hexcast | Hexcast / peer |\n|---|---|---|---|')
for (const name of Object.keys(nth(ours, 0))) {
  const [peer, own] = [median(theirs, name), median(ours, name)]
  console.log(`| ${name} | ${show(peer)} | ${show(own)} | ${(own / peer).toFixed(2)} |`)
}
await mirror.close()
process.exit(0)
