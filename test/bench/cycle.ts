/**
 * `node test/bench/cycle.ts [LEADS]` ingests a full-size NBM cycle with two threads: 100 leads of 50 elements on 2345 × 1597 points, from
 * GRIB2 bytes to tiles in a folder. The bounds are 2 minutes and 1.5 GB.
 * `taskset -c 0,1` limits it to two cores.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conus } from '../../ingest/datasets/domains.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { elements, fixturesAreThere, itemAt, makeMessages } from './nbm-cycle.ts'

async function cycle(leads: number): Promise<void> {
  const messagesByKind = makeMessages()
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'hexcast-cycle-'))
  const objects = await openFolder(join(folder, 'objects'))
  const pool = openPool({ threads: 2 })
  const run = Date.UTC(2026, 5, 16, 12)
  const identity = { dataset: 'nbm', domain: conus.id, run }
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  const start = performance.now()
  let gribBytes = 0
  let slabBytes = 0
  let next = 1
  const keys: string[] = []
  const lane = async () => {
    for (let lead = next++; lead <= leads; lead = next++) {
      const items = elements.map((_, e) => itemAt(messagesByKind, e, lead, run))
      for (const { message } of items) gribBytes += message.bytes.length
      const request = { dataset: 'nbm', domain: conus, run, items, resolution: 7, cacheDir: join(folder, 'cache') }
      const { bytes } = await sampleMessages(pool, request)
      slabBytes += bytes.length
      const key = `slabs/f${String(lead).padStart(3, '0')}`
      await objects.put(key, bytes)
      keys[lead - 1] = key
    }
  }
  await Promise.all([lane(), lane(), lane()])
  const sampled = performance.now()
  const built = await buildTiles(pool, objects, objects, { ...identity, stage: 'h264', slabs: keys })
  const end = performance.now()
  clearInterval(watch)
  const used = process.cpuUsage(cpu)
  const messages = leads * elements.length
  const seconds = (end - start) / 1000
  const report = {
    messages,
    'GRIB MB': gribBytes / 1e6,
    'slab MB': slabBytes / 1e6,
    'tile MB': built.bytes / 1e6,
    objects: built.objects,
    'sample s': (sampled - start) / 1000,
    'weave s': (end - sampled) / 1000,
    'whole s': seconds,
    'wall ms a message': (seconds * 1000) / messages,
    'CPU ms a message': (used.user + used.system) / 1000 / messages,
    'peak MB': peak / 1e6,
    'before MB': before / 1e6,
    'bits a value, GRIB': (gribBytes * 8) / messages / (2345 * 1597),
    'bits a value, tiles': (built.bytes * 8) / built.values,
  }
  for (const [name, value] of Object.entries(report)) console.log(name.padEnd(22), Number(value.toFixed(2)))
  await points(built.manifestKey, objects)
  await pool.close()
  await objects.close()
  rmSync(folder, { recursive: true })
  const late = seconds > 120 * (leads / 100)
  console.log(late || peak > 1.5e9 ? 'MISSED: 2 minutes and 1.5 GB' : 'met: under 2 minutes and 1.5 GB')
}

/** Reads cold points of the new run: the directory and a block are read, and the cell is decoded. */
async function points(manifestKey: string, objects: Awaited<ReturnType<typeof openFolder>>): Promise<void> {
  const { cellOf } = await import('../../ingest/domain/cell.ts')
  const opened = await openRun(objects, manifestKey)
  const times: number[] = []
  for (let k = 0; k < 2000; k++) {
    const cell = cellOf(30 + ((k * 7919) % 1700) / 100, -120 + ((k * 104_729) % 4000) / 100)
    const from = performance.now()
    const point = await opened.point(cell)
    if (point) times.push(performance.now() - from)
  }
  // The first half warms up the code.
  const warm = times.slice(times.length / 2).sort((a, b) => a - b)
  const at = (share: number) => nth(warm, Math.floor(share * (warm.length - 1))).toFixed(3)
  console.log(`cold cells: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${warm.length}`)
}

if (fixturesAreThere) await cycle(Number(process.argv[2] ?? 100))
else console.log('cycle skipped: the fixtures are not there (../shared/fixtures)')
