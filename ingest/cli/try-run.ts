import { type Message, readMessages } from 'grib2-wasm'
import { cellOf, centreOf } from '../domain/cell.ts'
import type { DomainId, GridDataset } from '../domain/dataset.ts'
import { Fault } from '../domain/fault.ts'
import { type Instant, isoSeconds, runName } from '../domain/time.ts'
import { variables } from '../domain/variable.ts'
import { wantedVariables } from '../domain/want.ts'
import type { Upstream } from '../ports/upstream.ts'
import { type FetchedFile, type FetchedMessage, fetchFile } from '../steps/fetch-file.ts'
import { newestRun, planRun, type RunPlan } from '../steps/plan.ts'
import { planFile } from '../steps/plan-file.ts'
import { type Receipt, sampleLead } from '../steps/sample.ts'
import { weave } from '../steps/weave.ts'
import { openRun, type PointSeries } from '../tile/read.ts'
import { byHand, type Hand } from './hand.ts'
import { inMemory } from './memory-objects.ts'
import { megabytes, number } from './show.ts'
import { datasetNamed, pointNamed, readWords, runNamed } from './words.ts'

export function runTry(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const words = readWords(args, ['lead'])
    const dataset = datasetNamed(words.plain[0])
    const { lat, lon } = pointNamed(words.plain[1])
    const run = runNamed(words.plain[2])
    const domain = domainAt(dataset, lat, lon)
    const upstream = await hand.upstream()
    const plan = await planned(upstream, dataset, domain, run)
    const wanted = words.option('lead')
    const file = wanted === undefined ? plan.files[0] : plan.files.find((one) => one.leadHours === Number(wanted))
    if (!file) {
      const there = plan.files.map(({ leadHours }) => leadHours).join(', ')
      throw new Fault('Missing', `hour ${wanted} is not there; hours ${there} are`)
    }
    const cell = cellOf(lat, lon, hand.config.h3Resolution)
    const [centreLat, centreLon] = centreOf(cell)
    console.log(`${dataset.id}/${domain}/${runName(plan.run)} hour ${file.leadHours}: ${file.url}`)
    console.log(`${lat},${lon} is in cell ${cell}, centre ${centreLat.toFixed(5)},${centreLon.toFixed(5)}\n`)

    const chosen = await planFile(upstream, dataset, domain, plan.run, file, { lenient: true })
    console.log('PLAN   which bytes, by the index')
    if (!chosen) console.log('  no index: the file is read whole')
    for (const { want, messages } of chosen?.wants ?? []) {
      const texts = Object.values(messages).map(({ offset, text }) => `${offset} ${text}`)
      console.log(`  ${wantedVariables(want).join(', ').padEnd(32)} ${texts.join('  |  ')}`)
    }
    if (chosen?.absent.length) console.log(`  not offered: ${chosen.absent.join(', ')}`)

    const fetched = await fetchFile(upstream, dataset, domain, plan.run, file, { lenient: true })
    console.log(
      `\nFIELD  ${fetched.promised} messages, ${megabytes(fetched.bytes)}: the four grid points around the centre`,
    )
    showFields(fetched, centreLat, centreLon)

    const { receipt, point } = await tileOf(hand, upstream, dataset, domain, plan, file.leadHours, cell)
    console.log('\nSLAB   what all cells of the domain hold')
    for (const slab of receipt.slabs) {
      console.log(
        `  ${slab.variable.padEnd(32)} ${number(slab.min)} … ${number(slab.max)}, step ${number(slab.quantum)}, ${(slab.missing * 100).toFixed(1)} % without, rows ${number(slab.roughness)}`,
      )
    }
    for (const { variable, reason } of receipt.missing) console.log(`  ${variable.padEnd(32)} lost: ${reason}`)
    console.log('\nTILE   what a reader gets')
    if (!point) console.log('  nothing: the grid does not hold this cell')
    for (const name of point?.variables.keys() ?? []) {
      const series = point!.variables.get(name)!
      const value = series.values[0]!
      const shown = Number.isNaN(value) ? 'missing' : `${number(value)} ${variables.get(name)?.unit ?? ''}`
      console.log(`  ${name.padEnd(32)} ${isoSeconds(series.times[0]!)}  ${shown}`)
    }
    return 0
  })
}

function domainAt(dataset: GridDataset, lat: number, lon: number): DomainId {
  const found = dataset.domains.find(({ bbox: [west, south, east, north] }) => {
    const within = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east
    return within && lat >= south && lat <= north
  })
  if (found) return found.id
  const known = dataset.domains.map(({ id, bbox }) => `${id} [${bbox.join(', ')}]`).join(', ')
  throw new Fault('Missing', `${lat},${lon}: wanted a point in ${known}`)
}

async function planned(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant | undefined,
): Promise<RunPlan> {
  const now = Date.now()
  const which = run ?? (await newestRun(upstream, dataset, domain, now)).run
  const last = dataset.stages(which, domain).length - 1
  return planRun(upstream, dataset, which, domain, last, now, { partial: true })
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
          return x < 0 || y < 0 || x >= grid.nx || y >= grid.ny ? Number.NaN : values[y * grid.nx + x]!
        }),
      )
      const said = [product.name, product.level?.name, product.interval, product.qualifier].filter(Boolean).join(':')
      console.log(
        `  ${name.padEnd(32)} ${corners.map(number).join('  ')}  ${product.unit} at i ${i.toFixed(2)} j ${j.toFixed(2)} of ${grid.nx}×${grid.ny}; ${said}`,
      )
    }
  }
}

function messageOf({ bytes, field }: FetchedMessage): Message {
  for (const message of readMessages(bytes)) if (message.field === field) return message
  throw new Fault('Corrupt', `wanted field ${field} of the message, got fewer`)
}

/** Samples and weaves the one file in memory. */
async function tileOf(
  hand: Hand,
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  plan: RunPlan,
  lead: number,
  cell: string,
): Promise<{ receipt: Receipt; point: PointSeries | undefined }> {
  const memory = inMemory()
  const { h3Resolution: resolution } = hand.config
  const ports = { upstream, slabs: memory, pool: hand.pool(), resolution, cacheDir: hand.cacheDir }
  const file = plan.files.find(({ leadHours }) => leadHours === lead)!
  const [receipt] = await sampleLead(ports, dataset, plan.run, file, [domain], { lenient: true })
  if (receipt!.slabs.length === 0) return { receipt: receipt!, point: undefined }
  const request = { dataset: dataset.id, domain, run: plan.run, stage: plan.stage.name, slabs: [receipt!.slabKey] }
  const woven = await weave(hand.pool(), memory, memory, request)
  const run = await openRun(memory, woven.manifestKey)
  return { receipt: receipt!, point: await run.point(cell) }
}
