/**
 * `node test/bench/bits.ts [nbm|hrrr|gfs|recorded] [--leads=12] [--run=2026-06-16T12Z] [--folder=FOLDER]` prints the bits per value in tiles by
 * variable, beside the bits per value in the GRIB2 messages behind them. GRIB2: bytes of the messages divided by grid points. Tiles: bytes of
 * the objects with directories, divided by cells, variables and times. Figures by variable are from sampled blocks, without shared parts
 * (cell offsets, directory). Simulated files are full-size, and are kept in FOLDER; `recorded` is the cycle of `test/bench/cycle.ts`.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conus } from '../../ingest/datasets/domains.ts'
import { gfs } from '../../ingest/datasets/gfs.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { runName } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { tileKernels } from '../../ingest/tile/kernels.ts'
import { readSlabHead } from '../../ingest/tile/slab.ts'
import { buildShard, planTiles, type TilePlan } from '../../ingest/tile/write.ts'
import { sampleSimulated } from './bits/simulated.ts'
import { elements, fixturesAreThere, itemAt, makeMessages } from './nbm-cycle.ts'

const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const datasets = { nbm, hrrr, gfs }
const points = { nbm: 2345 * 1597, hrrr: 1799 * 1059, gfs: 1440 * 721, recorded: 2345 * 1597 }
/** The cover is divided into this many parts, of which one is measured by variable. */
const EVERY = 12

const name = (process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? 'nbm') as keyof typeof points
const count = Number(word('leads') ?? 12)
const run = Date.parse(`${(word('run') ?? '2026-06-16T12Z').slice(0, 13)}:00:00Z`)
const keptFolder = word('folder')
const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'hexcast-bits-'))
const objects = await openFolder(join(folder, 'objects'))
const pool = openPool({ threads: 2 })
const leads = Array.from({ length: count }, (_, k) => k + 1)

/** @returns the keys of the slabs, one for each lead */
async function recorded(): Promise<string[]> {
  const messages = makeMessages()
  const keys: string[] = []
  for (const lead of leads) {
    const items = elements.map((_, e) => itemAt(messages, e, lead, run))
    for (const { message, variable } of items) {
      const sum = sums.get(variable) ?? { messages: 0, bytes: 0 }
      sums.set(variable, { messages: sum.messages + 1, bytes: sum.bytes + message.bytes.length })
    }
    const request = {
      dataset: 'recorded',
      domain: conus,
      run,
      items,
      resolution: 7,
      cacheDir: join(folder, 'mappings'),
    }
    keys.push(`slabs/recorded/f${String(lead).padStart(3, '0')}`)
    await objects.put(keys.at(-1)!, (await sampleMessages(pool, request)).bytes)
  }
  return keys
}

/** Counts the messages of each variable and their bytes. */
const sums = new Map<string, { messages: number; bytes: number }>()

async function measure(keys: readonly string[]): Promise<void> {
  const files = await Promise.all(keys.map((key) => objects.get(key)))
  const heads = files.map((bytes, f) => readSlabHead(nth(keys, f), bytes))
  if (sums.size === 0) {
    const keys = new Set<string>()
    for (const { items } of heads)
      for (const { variable, source } of items) {
        for (const message of [source, source?.v && { ...source, ...source.v }]) {
          if (!message || keys.has(`${message.url} ${message.from}`)) continue
          keys.add(`${message.url} ${message.from}`)
          const sum = sums.get(variable) ?? { messages: 0, bytes: 0 }
          sums.set(variable, { messages: sum.messages + 1, bytes: sum.bytes + message.length })
        }
      }
  }
  const plan = planTiles(heads)
  const cover = nth(heads, 0).cover()
  const kernels = tileKernels()
  const bits = new Map<string, number>()
  let cells = 0
  for (let p = 0; p + 1 < cover.partCells.length; p += EVERY) {
    const ids = cover.ids.slice(cover.partCells[p], cover.partCells[p + 1])
    cells += ids.length
    const groups = cover.groups.slice(cover.partGroups[p], cover.partGroups[p + 1])
    const task = {
      name: '',
      ids,
      groups,
      partGroups: Uint32Array.of(0, groups.length),
      files: heads.map(({ length, offsets, items }, f) => ({
        bytes: nth(files, f).slice(length + nth(offsets, p), length + nth(offsets, p + 1)),
        offsets: Uint32Array.of(0, nth(offsets, p + 1) - nth(offsets, p)),
        slabs: items.length,
      })),
    }
    for (const variable of plan.variables) {
      const alone: TilePlan = { ...plan, seek: false, valuesPerCell: variable.times.length, variables: [variable] }
      const { bytes, directory } = buildShard(kernels, { ...task, plan: alone })
      bits.set(variable.name, (bits.get(variable.name) ?? 0) + (bytes.length - directory) * 8)
    }
  }
  console.log(`${name}, ${count} leads from ${runName(run)}: ${plan.valuesPerCell} values a cell, level ${plan.level}`)
  console.log(`${'variable'.padEnd(34)} times  GRIB2   tile`)
  for (const { name: variable, times } of plan.variables) {
    const sum = sums.get(variable)
    const theirs = sum ? ((sum.bytes * 8) / sum.messages / points[name]).toFixed(2) : '-'
    const ours = (bits.get(variable)! / cells / times.length).toFixed(2)
    console.log(`${variable.padEnd(34)} ${String(times.length).padStart(5)} ${theirs.padStart(6)} ${ours.padStart(6)}`)
  }
  const identity = { dataset: nth(heads, 0).dataset, domain: conus.id, run, stage: 'bits', slabs: keys }
  const from = performance.now()
  const built = await buildTiles(pool, objects, discarding, identity)
  const seconds = (performance.now() - from) / 1000
  const all = [...sums.values()].reduce((a, b) => ({ messages: a.messages + b.messages, bytes: a.bytes + b.bytes }))
  const theirs = (all.bytes * 8) / all.messages / points[name]
  console.log(
    `all: GRIB2 ${theirs.toFixed(3)} bits a point of ${all.messages} messages; tiles ${((built.bytes * 8) / built.values).toFixed(3)} bits a value; built in ${seconds.toFixed(1)} s`,
  )
}

/** This store only counts the bytes of tiles. */
const discarding: Pick<Objects, 'put'> = { put: async () => {} }

if (name === 'recorded' && !fixturesAreThere)
  console.log('bits skipped: the fixtures are not there (../shared/fixtures)')
else {
  const keys =
    name === 'recorded'
      ? await recorded()
      : await sampleSimulated(datasets[name], run, leads, { folder, objects, pool })
  await measure(keys)
}
await pool.close()
await objects.close()
if (!keptFolder) rmSync(folder, { recursive: true })
