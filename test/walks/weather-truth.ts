import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWeather } from '../../api/answer/weather.ts'
import { parseWeather } from '../../api/query/query.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { expectAgreement } from '../api/agreement.ts'
import { parsed } from '../api/answer/parsed.ts'
import { makeTiles, type WantedRuns } from './make-tiles.ts'
import { tileCurrent } from './tile-current.ts'
import { compare, Errors } from './truth.ts'

export interface Truth {
  readonly now: Instant
  readonly points: number
  readonly coarse: number
  readonly resolution: number
  readonly runs: readonly WantedRuns[]
  /** Hours of `hourly` and rows of `daily` in the requests. */
  readonly hours: number
  readonly days: number
  readonly seed?: number
  readonly report?: (line: string) => void
}

/** Places on coasts, borders, islands and corners, where grids end and zones meet. */
const edges: readonly (readonly [number, number])[] = [
  [25.7617, -80.1918],
  [24.5551, -81.78],
  [44.8101, -66.9519],
  [47.6062, -122.3321],
  [48.9951, -122.7502],
  [49.3, -95.1],
  [48.99, -111.96],
  [32.54, -117.12],
  [31.78, -106.44],
  [25.9, -97.16],
  [29.3013, -94.7977],
  [41.05, -71.86],
  [46.5, -84.35],
  [42.33, -83.05],
  [36.998, -102.042],
  [45.95, -104.04],
  [61.2181, -149.9003],
  [71.2906, -156.7886],
  [51.88, -176.6581],
  [52.9, 172.9],
  [55.06, -131.55],
  [54.8, -130.9],
  [60.54, -165.1],
  [65.6, -168.0],
  [57.79, -152.4],
  [21.3069, -157.8583],
  [18.92, -155.68],
  [22.2, -159.4],
  [20.63, -156.5],
  [21.97, -160.1],
]
const boxes = [
  [24.6, 49.2, -124.5, -67],
  [54.8, 71.2, -168, -130.5],
  [18.95, 22.2, -160.2, -154.9],
] as const

function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** Builds tiles from the simulated upstream at an instant, requests points of three domains, and compares every field with the truth. */
export async function measureTruth(truth: Truth): Promise<{ errors: Errors; answered: number; domains: Set<string> }> {
  const { now, points, resolution, report } = truth
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-truth-'))
  try {
    const objects = await makeTiles({ ...truth, folder })
    const current = await tileCurrent(objects)
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution, cacheBytes: 1 })
    const errors = new Errors()
    const domains = new Set<string>()
    const next = random(truth.seed ?? 7)
    let answered = 0
    for (let tries = 0; answered < points && tries < points * 4; tries++) {
      const [south, north, west, east] = nth(boxes, tries % 3)
      const wild: readonly [number, number] =
        tries < edges.length ? nth(edges, tries) : [south + next() * (north - south), west + next() * (east - west)]
      // With wide cells the centres of cells are requested, so that the test measures the weather and not the width of a cell.
      const [lat, lon] = resolution >= 7 ? wild : centreOf(cellOf(wild[0], wild[1], resolution))
      try {
        const ask = parseWeather({
          lat: lat.toFixed(4),
          lon: lon.toFixed(4),
          hourly_hours: String(truth.hours),
          days: String(truth.days),
        })
        const si = await weather.answer({ ...ask, query: { ...ask.query, units: 'si' } }, now)
        const domain = domainOf(lat)
        const [nbm, hrrr] = ['nbm', 'hrrr'].map((id) => current.served(id, domain))
        const until = now + truth.hours * HOUR
        compare(parsed(si) as Parameters<typeof compare>[0], now, until, errors, (field, at) =>
          field === 'nbm' ? at <= (nbm?.run ?? 0) + 36 * HOUR : at <= (hrrr?.run ?? 0) + 18 * HOUR,
        )
        if (answered % 8 === 0) {
          expectAgreement(parsed(await weather.answer(ask, now)) as Parameters<typeof expectAgreement>[0], now)
        }
        domains.add(domain)
        answered++
        if (answered % 200 === 0) report?.(`${answered} points`)
      } catch (error) {
        if (!isFault(error, 'Missing')) throw error
      }
    }
    await objects.close()
    return { errors, answered, domains }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const domainOf = (lat: number) => (lat > 50 ? 'alaska' : lat < 23.5 ? 'hawaii' : 'conus')

/** The allowed 99th percentile and maximum error. Most of it comes from the stride of the grids. */
export interface Tolerance {
  readonly [field: string]: readonly [p99: number, worst: number]
}

export function tableOf(errors: Errors, tolerance: Tolerance): string {
  const short = (value: number) => String(Number(value.toPrecision(3)))
  const lines = errors.report().map(({ field, count, p50, p99, worst, where }) => {
    const allowed = tolerance[field] === undefined ? '' : `allowed ${tolerance[field].join(', ')}`
    return `${field.padEnd(46)} ${String(count).padStart(7)}  p50 ${short(p50).padEnd(9)} p99 ${short(p99).padEnd(8)} worst ${short(worst).padEnd(8)} ${allowed.padEnd(18)} ${where}`
  })
  return lines.join('\n')
}

if (import.meta.main) {
  const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  const points = Number(word('points') ?? 2000)
  const coarse = Number(word('coarse') ?? 8)
  for (const at of (word('at') ?? '2026-03-07T08:20:00Z,2026-10-31T08:20:00Z,2026-07-15T02:20:00Z').split(',')) {
    console.log(`\n${at}: ${points} points, grids every ${coarse}th point, cells of resolution 7`)
    const { errors, answered } = await measureTruth({
      now: Date.parse(at),
      points,
      coarse,
      resolution: 7,
      runs: [
        { dataset: 'rtma', maxLead: 0 },
        { dataset: 'rtma-ru', maxLead: 0 },
        { dataset: 'nbm', maxLead: 264 },
        { dataset: 'hrrr', maxLead: 18 },
        { dataset: 'hrrr-long', maxLead: 48 },
        { dataset: 'gfs', maxLead: 384 },
      ],
      hours: 96,
      days: 10,
      report: (line) => process.stderr.write(`${line}\n`),
    })
    console.log(`${answered} answers\n${tableOf(errors, {})}`)
  }
}
