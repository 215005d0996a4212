import { DAY, HOUR, MINUTE, stamp } from '../../ingest/domain/time.ts'
import { analysis } from './analysis.ts'
import { gfs } from './gfs.ts'
import { gribMessage, type Origin } from './grib.ts'
import { coarsen, grids, type SimulatedGrid } from './grids.ts'
import { hrrr } from './hrrr.ts'
import type { SimulatedMessage } from './message.ts'
import { nbm } from './nbm.ts'
import { nbmQmd } from './nbm-qmd.ts'
import { type MirrorObject, nameTag, type SimulatedHost, type SimulatedListing } from './source.ts'

/** One kind of file in a bucket: times of its runs, their leads, and its names. */
interface FileFamily {
  readonly bucket: string
  readonly grid: SimulatedGrid
  readonly origin: Omit<Origin, 'run'>
  /** Milliseconds between runs. */
  readonly cadence: number
  /** Milliseconds from a run's time until its first file appears, and until its last. */
  readonly first: number
  readonly last: number
  leads(run: number): readonly number[]
  key(run: number, lead: number): string
  messages(run: number, lead: number): readonly SimulatedMessage[]
  /** Bytes of a point of a message: nearly twice the most of any season, lead and stride of grid points. */
  readonly pointBytes: number
  /** Runs that upstream keeps, ms. */
  readonly kept: number
}

const two = (n: number) => String(n).padStart(2, '0')
const three = (n: number) => String(n).padStart(3, '0')
const hourOf = (run: number) => new Date(run).getUTCHours()

/** As listed on 2026-03-01: 16Z has f038 to f188 by 3 and f194 to f260 by 6; 03Z has 186, 189, 195. */
function nbmLeads(run: number): readonly number[] {
  const leads: number[] = []
  for (let lead = 1; lead <= 264; lead++) {
    const clock = hourOf(run) + lead
    if (lead <= 36 || (lead <= 192 - (hourOf(run) % 6) && clock % 3 === 0) || clock % 6 === 0) leads.push(lead)
  }
  return leads
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/** Bytes of the whole file: padded by a local use section in its last message, so that listings need not make it. */
function sizeOf(family: FileFamily, run: number, lead: number): number {
  const points = family.grid.nx * family.grid.ny
  return family.messages(run, lead).reduce((sum) => sum + 700 + Math.ceil(points * family.pointBytes), 0)
}

interface MadeFile {
  readonly bytes: Uint8Array
  readonly index: string
}

function make(family: FileFamily, run: number, lead: number): MadeFile {
  const list = family.messages(run, lead)
  const scene = { grid: family.grid, run, leadHours: lead }
  const origin = { ...family.origin, run }
  const out = new Uint8Array(sizeOf(family, run, lead))
  const day = stamp(run)
  const lines: string[] = []
  let at = 0
  for (const [i, message] of list.entries()) {
    const last = i === list.length - 1
    const values = message.values(scene)
    let bytes = gribMessage(origin, family.grid, message.product, message.packing, values)
    if (last) {
      const room = out.length - at - bytes.length
      if (room < 5)
        throw new Error(
          `simulated file of ${family.bucket} needs ${at + bytes.length} bytes and has ${out.length}: raise its pointBytes`,
        )
      bytes = gribMessage(origin, family.grid, message.product, message.packing, values, room - 5)
    }
    lines.push(`${i + 1}:${at}:d=${day.day}${day.hour}:${message.line}\n`)
    out.set(bytes, at)
    at += bytes.length
  }
  return { bytes: out, index: lines.join('') }
}

function families(coarse: number): readonly FileFamily[] {
  const grid = (of: SimulatedGrid) =>
    coarsen(
      of,
      of.nx < 700 ? Math.max(1, Math.floor(coarse / 2)) : of.nx === 1440 ? Math.max(1, Math.floor(coarse / 4)) : coarse,
    )
  const day = (run: number) => stamp(run).day
  const hh = (run: number) => stamp(run).hour
  const mm = (run: number) => stamp(run).minute
  const ncep = (subcentre: number, process: number) => ({ centre: 7, subcentre, process })
  const nbmOf = (area: string, of: SimulatedGrid): FileFamily => ({
    bucket: 'noaa-nbm-grib2-pds',
    grid: grid(of),
    origin: ncep(14, 104),
    cadence: HOUR,
    first: 50 * MINUTE,
    last: 75 * MINUTE,
    kept: 2 * DAY,
    leads: nbmLeads,
    messages: nbm,
    pointBytes: 1,
    key: (run, lead) => `blend.${day(run)}/${hh(run)}/core/blend.t${hh(run)}z.core.f${three(lead)}.${area}.grib2`,
  })
  const qmdOf = (area: string, of: SimulatedGrid): FileFamily => ({
    ...nbmOf(area, of),
    cadence: 6 * HOUR,
    first: 6 * HOUR,
    last: 7 * HOUR,
    leads: () => range(6, 240, 6),
    messages: nbmQmd,
    pointBytes: 1.4,
    key: (run, lead) => `blend.${day(run)}/${hh(run)}/qmd/blend.t${hh(run)}z.qmd.f${three(lead)}.${area}.grib2`,
  })
  const rtma = (
    bucket: string,
    name: string,
    tail: string,
    of: SimulatedGrid,
    first: number,
    cadence = HOUR,
  ): FileFamily => ({
    bucket,
    grid: grid(of),
    origin: ncep(0, 109),
    cadence,
    first,
    last: first,
    kept: 2 * DAY,
    leads: () => [0],
    messages: () => analysis(),
    pointBytes: 2.2,
    key: (run) => `${name}.${day(run)}/${name}.t${hh(run)}${cadence < HOUR ? mm(run) : ''}z.2dvaranl_ndfd${tail}`,
  })
  return [
    nbmOf('co', grids.nbmConus),
    nbmOf('ak', grids.nbmAlaska),
    nbmOf('hi', grids.nbmHawaii),
    qmdOf('co', grids.nbmConus),
    qmdOf('ak', grids.nbmAlaska),
    qmdOf('hi', grids.nbmHawaii),
    {
      bucket: 'noaa-hrrr-bdp-pds',
      grid: grid(grids.hrrrConus),
      origin: ncep(0, 83),
      cadence: HOUR,
      first: 51 * MINUTE,
      last: 86 * MINUTE,
      kept: 2 * DAY,
      leads: (run) => range(0, hourOf(run) % 6 === 0 ? 48 : 18),
      messages: hrrr,
      pointBytes: 1.3,
      key: (run, lead) => `hrrr.${day(run)}/conus/hrrr.t${hh(run)}z.wrfsfcf${two(lead)}.grib2`,
    },
    {
      bucket: 'noaa-hrrr-bdp-pds',
      grid: grid(grids.hrrrAlaska),
      origin: ncep(0, 83),
      cadence: 3 * HOUR,
      first: 51 * MINUTE,
      last: 86 * MINUTE,
      kept: 2 * DAY,
      leads: (run) => range(0, hourOf(run) % 6 === 0 ? 48 : 18),
      messages: hrrr,
      pointBytes: 1.3,
      key: (run, lead) => `hrrr.${day(run)}/alaska/hrrr.t${hh(run)}z.wrfsfcf${two(lead)}.ak.grib2`,
    },
    rtma('noaa-rtma-pds', 'rtma2p5', '.grb2_wexp', grids.rtmaConus, 35 * MINUTE),
    rtma('noaa-rtma-pds', 'rtma2p5_ru', '.grb2', grids.rtmaConus, 22 * MINUTE, 15 * MINUTE),
    rtma('noaa-rtma-pds', 'akrtma', '_3p0.grb2', grids.rtmaAlaska, 38 * MINUTE),
    rtma('noaa-rtma-pds', 'hirtma', '.grb2', grids.rtmaHawaii, 33 * MINUTE),
    rtma('noaa-urma-pds', 'urma2p5', '.grb2_wexp', grids.rtmaConus, 6 * HOUR),
    rtma('noaa-urma-pds', 'akurma', '_3p0.grb2', grids.rtmaAlaska, 6 * HOUR),
    rtma('noaa-urma-pds', 'hiurma', '.grb2', grids.rtmaHawaii, 6 * HOUR),
    {
      bucket: 'noaa-gfs-bdp-pds',
      grid: grid(grids.gfs),
      origin: ncep(0, 96),
      cadence: 6 * HOUR,
      first: 215 * MINUTE,
      last: 300 * MINUTE,
      kept: 3 * DAY,
      leads: () => [...range(0, 120), ...range(123, 384, 3)],
      messages: gfs,
      pointBytes: 0.5,
      key: (run, lead) => `gfs.${day(run)}/${hh(run)}/atmos/gfs.t${hh(run)}z.pgrb2.0p25.f${three(lead)}`,
    },
  ]
}

/** Size in bytes of the cache of made files: the files that readers have open, since index and ranges are asked for one after the other. */
const MADE_BYTES = 12e6

/**
 * The model buckets: NBM, HRRR, RTMA, URMA, GFS, each file made when it is first read.
 * @param mostMessages each file has only its first ones: for tests that are about runs, not about values
 */
export function modelSources(coarse: number, mostMessages = Number.POSITIVE_INFINITY): readonly SimulatedHost[] {
  const all = families(coarse).map((family) => ({
    ...family,
    messages: (run: number, lead: number) => family.messages(run, lead).slice(0, mostMessages),
  }))
  const kept = new Map<string, MadeFile>()
  let keptBytes = 0
  const made = (family: FileFamily, key: string, run: number, lead: number): MadeFile => {
    let file = kept.get(key)
    if (!file) {
      file = make(family, run, lead)
      kept.set(key, file)
      keptBytes += file.bytes.length
      for (const [old, { bytes }] of kept) {
        if (keptBytes < MADE_BYTES || old === key) break
        kept.delete(old)
        keptBytes -= bytes.length
      }
    }
    return file
  }

  /** When a file of a run appears: the first leads first. */
  const appears = (family: FileFamily, run: number, index: number, of: number) =>
    run + family.first + Math.round(((family.last - family.first) * index) / Math.max(1, of - 1))

  function* files(
    bucket: string,
    now: number,
    prefix: string,
  ): Generator<{ family: FileFamily; run: number; lead: number; key: string; since: number }> {
    const dated = /\.(\d{8})/.exec(prefix)
    const from = dated ? Date.UTC(+dated[1].slice(0, 4), +dated[1].slice(4, 6) - 1, +dated[1].slice(6, 8)) : undefined
    for (const family of all) {
      if (family.bucket !== bucket) continue
      const oldest = Math.max(now - family.kept, from ?? 0)
      const newest = Math.min(now, from === undefined ? now : from + DAY - 1)
      for (let run = Math.ceil(oldest / family.cadence) * family.cadence; run <= newest; run += family.cadence) {
        const leads = family.leads(run)
        const common = family.key(run, leads[0])
        // The keys of a run differ only in their lead: skip the run where its first key cannot match.
        const fixed = common.slice(0, common.lastIndexOf('/') + 1)
        if (!fixed.startsWith(prefix.slice(0, fixed.length))) continue
        for (const [i, lead] of leads.entries()) {
          const key = family.key(run, lead)
          const since = appears(family, run, i, leads.length)
          if (since <= now && (key.startsWith(prefix) || `${key}.idx`.startsWith(prefix)))
            yield { family, run, lead, key, since }
        }
      }
    }
  }

  return [...new Set(all.map((family) => family.bucket))].map(
    (bucket): SimulatedHost => ({
      host: `${bucket}.s3.amazonaws.com`,
      list(prefix, now) {
        const listed: SimulatedListing[] = []
        for (const { family, run, lead, key, since } of files(bucket, now, prefix)) {
          if (key.startsWith(prefix))
            listed.push({
              key,
              size: sizeOf(family, run, lead),
              etag: nameTag(`${key}/${coarse}`),
              lastModified: since,
            })
          listed.push({
            key: `${key}.idx`,
            size: 60 * family.messages(run, lead).length,
            etag: nameTag(`${key}.idx/${coarse}`),
            lastModified: since,
          })
        }
        return listed.sort((a, b) => (a.key < b.key ? -1 : 1))
      },
      find(path, _query, now): MirrorObject | undefined {
        const key = decodeURIComponent(path.slice(1))
        const data = key.replace(/\.idx$/, '')
        for (const file of files(bucket, now, data)) {
          if (file.key !== data) continue
          const index = key !== data
          return {
            etag: nameTag(`${key}/${coarse}`),
            lastModified: file.since,
            type: index ? 'text/plain' : 'application/octet-stream',
            size: index ? undefined : sizeOf(file.family, file.run, file.lead),
            body: () => {
              const { bytes, index: lines } = made(file.family, data, file.run, file.lead)
              return index ? Buffer.from(lines) : bytes
            },
          }
        }
        return undefined
      },
    }),
  )
}
