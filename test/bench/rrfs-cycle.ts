/**
 * `node test/bench/rrfs-cycle.ts [LEADS]` ingests the fields that we use of a full-size RRFS cycle with two threads: every domain and 85
 * leads, from GRIB2 bytes to tiles in a folder. The files are those of the simulator without thinning; each domain has one file, whose
 * messages stand for every lead, because a full file takes the simulator a minute. The bound is 120 s.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gribMessage } from '../../infra/simulator/grib.ts'
import { grids } from '../../infra/simulator/grids.ts'
import { rrfs as simulated } from '../../infra/simulator/rrfs.ts'
import { rrfs } from '../../ingest/datasets/rrfs.ts'
import { matchesOf } from '../../ingest/domain/dataset/want.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import { messagesOf, type SampleItem } from '../../ingest/steps/grid/sample-request.ts'
import { openPool } from '../../ingest/steps/pool.ts'

const RUN = Date.UTC(2026, 10, 21, 12)
/** The lead of the files that are made; its hour has sun over the contiguous states. */
const FILE_LEAD = 7
const areas = [
  ['conus', grids.hrrrConus],
  ['alaska', grids.rrfsAlaska],
  ['hawaii', grids.rrfsHawaii],
] as const

/** Returns the items of a lead from the messages that the dataset reads. */
function makeItems(grid: (typeof areas)[number][1]): (time: number) => SampleItem[] {
  const origin = { centre: 7, subcentre: 0, process: 134, run: RUN }
  const scene = { grid, run: RUN, leadHours: FILE_LEAD }
  const messages = simulated(RUN, FILE_LEAD)
  const cache = new Map<string, Uint8Array>()
  const bytesOf = (match: { readonly idx: readonly RegExp[]; readonly windowHours?: number | 'any' }) => {
    const message = messages.find(
      ({ line, product }) =>
        match.idx.some((expression) => expression.test(line)) &&
        (product.windowHours ?? 0) === (match.windowHours ?? 0),
    )
    if (!message) return undefined
    let bytes = cache.get(message.line)
    if (!bytes) {
      bytes = gribMessage(origin, grid, message.product, message.packing, message.values(scene))
      cache.set(message.line, bytes)
    }
    return bytes
  }
  const templates = rrfs.wants.flatMap((want): ((time: number) => SampleItem)[] => {
    // The height of the ground is a variable of the first lead alone.
    if (want.leads) return []
    const matches = matchesOf(want)
    if (want.kind === 'wind') {
      const [u, v] = [want.u, want.v].map(bytesOf)
      if (!u || !v) return []
      const { speed, direction } = want
      return [(time) => ({ kind: 'wind', time, speed, direction, u: { bytes: u.slice() }, v: { bytes: v.slice() } })]
    }
    const bytes = matches['message'] && bytesOf(matches['message'])
    if (!bytes || want.kind !== 'scalar') return []
    const { variable, scale, offset, missing } = want
    const less = matches['minus'] && bytesOf(matches['minus'])
    const minus = () => less && { bytes: less.slice() }
    const about = { kind: 'scalar', variable, scale, offset, missing } as const
    return [(time) => ({ ...about, time, message: { bytes: bytes.slice() }, minus: minus() })]
  })
  return (time) => templates.map((make) => make(time))
}

async function cycle(leads: number): Promise<void> {
  const filesByDomain = areas.map(([domain, grid]) => [domain as DomainId, makeItems(grid)] as const)
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'hexcast-rrfs-cycle-'))
  const objects = await openFolder(join(folder, 'objects'))
  const pool = openPool({ threads: 2 })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  const start = performance.now()
  let [gribBytes, tileBytes, messages] = [0, 0, 0]
  for (const [id, itemsAt] of filesByDomain) {
    const domain = rrfs.domains.find((candidate) => candidate.id === id)
    if (!domain) throw new Error(`RRFS has no domain ${id}`)
    const keys: string[] = []
    let next = 0
    const lane = async () => {
      for (let lead = next++; lead < leads; lead = next++) {
        const items = itemsAt(RUN + lead * HOUR)
        for (const item of items) {
          for (const { bytes } of messagesOf(item)) gribBytes += bytes.length
          messages += messagesOf(item).length
        }
        const request = { dataset: 'rrfs', domain, run: RUN, items, resolution: 7, cacheDir: join(folder, 'cache') }
        const key = `slabs/${id}/f${String(lead).padStart(3, '0')}`
        keys[lead] = key
        await objects.put(key, (await sampleMessages(pool, request)).bytes)
      }
    }
    await Promise.all([lane(), lane()])
    const identity = { dataset: 'rrfs', domain: id, run: RUN, stage: 'f84', slabs: keys }
    tileBytes += (await buildTiles(pool, objects, objects, identity)).bytes
  }
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  const used = process.cpuUsage(cpu)
  const report = {
    messages,
    'GRIB MB': gribBytes / 1e6,
    'tile MB': tileBytes / 1e6,
    'whole s': seconds,
    'CPU s': (used.user + used.system) / 1e6,
    'peak MB': peak / 1e6,
    'before MB': before / 1e6,
  }
  for (const [name, value] of Object.entries(report)) console.log(name.padEnd(12), Number(value.toFixed(2)))
  console.log(seconds > 120 * (leads / 85) ? 'MISSED: 120 s for 85 leads' : 'met: under 120 s for 85 leads')
  await pool.close()
  await objects.close()
  rmSync(folder, { recursive: true })
}

await cycle(Number(process.argv[2] ?? 85))
