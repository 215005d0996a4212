import { type Message, readMessages } from 'grib2-wasm'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables } from '../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds, runName } from '../../ingest/domain/time.ts'
import type { Upstream } from '../../ingest/ports/upstream.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { type FetchedFile, type FetchedMessage, fetchFile } from '../../ingest/steps/grid/fetch-file.ts'
import { newestRun, type PlannedFile, planRun, type RunPlan } from '../../ingest/steps/grid/plan.ts'
import { planFile } from '../../ingest/steps/grid/plan-file.ts'
import type { Receipt } from '../../ingest/steps/grid/receipt.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { openRun, type PointSeries } from '../../ingest/tile/read.ts'
import type { CommandLine } from '../verb.ts'
import { datasetNamed, pointNamed, runNamed } from './arguments.ts'
import { type VerbDeps, withDeps } from './deps.ts'
import { inMemory } from './memory-objects.ts'
import { megabytes, number } from './show.ts'

/** `hexcast try`: shows one point in every stage of a run. @returns exit status */
export function runTry(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const dataset = datasetNamed(line.positionals[0])
    const { lat, lon } = pointNamed(line.positionals[1])
    const run = runNamed(line.positionals[2])
    const domain = domainAt(dataset, lat, lon)
    const upstream = await deps.upstream()
    const plan = await planLastStage(upstream, dataset, domain, run)
    const lead = line.option('lead')
    const file = lead === undefined ? plan.files[0] : plan.files.find(({ leadHours }) => leadHours === Number(lead))
    if (!file) {
      const available = plan.files.map(({ leadHours }) => leadHours).join(', ')
      throw new Fault('Missing', `upstream does not have hour ${lead}; available hours: ${available}`)
    }
    const cell = cellOf(lat, lon, deps.config.h3Resolution)
    const [centreLat, centreLon] = centreOf(cell)
    console.log(`${dataset.id}/${domain}/${runName(plan.run)} hour ${file.leadHours}: ${file.url}`)
    console.log(`${lat},${lon} is in cell ${cell}, centre ${centreLat.toFixed(5)},${centreLon.toFixed(5)}\n`)

    const filePlan = await planFile(upstream, dataset, domain, plan.run, file, { lenient: true })
    console.log('PLAN   positions of the messages in the file, from the index')
    if (!filePlan) console.log('  no index: the file is walked by the lengths of its messages')
    for (const { want, messages } of filePlan?.wants ?? []) {
      const texts = Object.values(messages).map(({ offset, text }) => `${offset} ${text}`)
      console.log(`  ${wantedVariables(want).join(', ').padEnd(32)} ${texts.join('  |  ')}`)
    }
    if (filePlan?.absent.length) console.log(`  not in the file: ${filePlan.absent.join(', ')}`)

    const fetched = await fetchFile(upstream, dataset, domain, plan.run, file, { lenient: true })
    console.log(
      `\nFIELD  ${fetched.promised} messages, ${megabytes(fetched.bytes)}: the four grid points around the centre`,
    )
    showFields(fetched, centreLat, centreLon)

    const { receipt, point } = await tileOf(deps, upstream, dataset, domain, plan, file, cell)
    console.log('\nSLAB   values of all cells of the domain')
    for (const slab of receipt.slabs) {
      console.log(
        `  ${slab.variable.padEnd(32)} ${number(slab.min)} … ${number(slab.max)}, step ${number(slab.quantum)}, ${(slab.missing * 100).toFixed(1)} % missing, rows ${number(slab.roughness)}`,
      )
    }
    for (const { variable, reason } of receipt.missing) console.log(`  ${variable.padEnd(32)} lost: ${reason}`)
    console.log('\nTILE   the values that readers get')
    if (!point) console.log('  none: the grid does not reach this cell')
    for (const name of point?.variables.keys() ?? []) {
      const series = point?.variables.get(name)
      const [value = Number.NaN] = series?.values ?? []
      const [time = Number.NaN] = series?.times ?? []
      const text = Number.isNaN(value) ? 'missing' : `${number(value)} ${variables.get(name)?.unit ?? ''}`
      console.log(`  ${name.padEnd(32)} ${isoSeconds(time)}  ${text}`)
    }
    return 0
  })
}

function domainAt(dataset: GridDataset, lat: number, lon: number): DomainId {
  const domain = dataset.domains.find(({ bbox: [west, south, east, north] }) => {
    const within = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east
    return within && lat >= south && lat <= north
  })
  if (domain) return domain.id
  const domains = dataset.domains.map(({ id, bbox }) => `${id} [${bbox.join(', ')}]`).join(', ')
  throw new Fault('Missing', `${lat},${lon} is outside the domains of ${dataset.id}: ${domains}`)
}

async function planLastStage(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant | undefined,
): Promise<RunPlan> {
  const now = Date.now()
  const runTime = run ?? (await newestRun(upstream, dataset, domain, now)).run
  const last = dataset.stages(runTime, domain).length - 1
  return planRun(upstream, dataset, runTime, domain, last, now, { partial: true })
}

function showFields(fetched: FetchedFile, lat: number, lon: number): void {
  for (const { want, messages } of fetched.wants) {
    for (const [role, fetchedMessage] of Object.entries(messages)) {
      const message = messageOf(fetchedMessage)
      const { grid, product } = message
      const [i, j] = grid.toIndex(lat, lon)
      const name = `${wantedVariables(want).join(', ')}${role === 'message' ? '' : ` (${role})`}`
      const values = message.values()
      const corners = [0, 1].flatMap((dj) =>
        [0, 1].map((di) => {
          const [x, y] = [Math.floor(i) + di, Math.floor(j) + dj]
          const isInside = x >= 0 && y >= 0 && x < grid.nx && y < grid.ny
          return (isInside ? values[y * grid.nx + x] : undefined) ?? Number.NaN
        }),
      )
      const title = [product.name, product.level?.name, product.interval, product.qualifier].filter(Boolean).join(':')
      console.log(
        `  ${name.padEnd(32)} ${corners.map(number).join('  ')}  ${product.unit} at i ${i.toFixed(2)} j ${j.toFixed(2)} of ${grid.nx}×${grid.ny}; ${title}`,
      )
    }
  }
}

function messageOf({ bytes, field }: FetchedMessage): Message {
  for (const message of readMessages(bytes)) if (message.field === field) return message
  throw new Fault('Corrupt', `the message has no field ${field}`)
}

/** Samples the file and builds its tiles in memory. */
async function tileOf(
  deps: VerbDeps,
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  plan: RunPlan,
  file: PlannedFile,
  cell: string,
): Promise<{ receipt: Receipt; point: PointSeries | undefined }> {
  const memory = inMemory()
  const { h3Resolution: resolution } = deps.config
  const ports = { upstream, slabs: memory, pool: deps.pool(), resolution, cacheDir: deps.cacheDir }
  const [receipt] = await sampleFile(ports, dataset, plan.run, file, [domain], { lenient: true })
  if (!receipt) throw new Fault('Missing', `${file.url} has no messages for ${domain}`)
  if (receipt.slabs.length === 0) return { receipt, point: undefined }
  const request = { dataset: dataset.id, domain, run: plan.run, stage: plan.stage.name, slabs: [receipt.slabKey] }
  const built = await buildTiles(deps.pool(), memory, memory, request)
  const run = await openRun(memory, built.manifestKey)
  return { receipt, point: await run.point(cell) }
}
