/**
 * `npm run bench:grib` compares `values()` with ecCodes' `codes_get_double_array` on the same messages, alternating in one run,
 * so that a busy machine slows both alike. Figures are medians; a ratio is the time of ecCodes divided by ours. ecCodes fills a
 * buffer of its caller, and so does `values(out)`: that ratio is compared with the target. `values()` allocates a new buffer
 * each time, including the page faults (half of the time, for 98 MB); `decode()` copies nothing.
 * The limits: an entropy code is bound by coded bits a second. The share of a copy is the time to copy a field of floats in memory divided
 * by the time of `values(out)`; simple packing is bound by the same bandwidth. The bench needs the fixtures, and compares with ecCodes if
 * it is installed. `npm run bench:grib -- PNG` runs the cases with that word. CPATH,
 * LIBRARY_PATH and LD_LIBRARY_PATH choose another ecCodes, such as that of the Python package eccodeslib.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readMessages } from 'grib2-wasm'
import { nth } from '../../ingest/domain/nth.ts'
import { craft, scales } from '../../ingest/grib2-wasm/test/craft.ts'

interface PackedField {
  readonly bits: number
  readonly decimals: number
  /** Share of missing points: a third. */
  readonly bitmap?: true
}

interface Case {
  readonly label: string
  /** Path below the fixtures, or a generated field with these bits and decimals. */
  readonly file: string | PackedField
  readonly message: number
  readonly target: number
}

const CASES: readonly Case[] = [
  { label: 'HRRR 5.3', file: 'hrrr/hrrr.t06z.wrfsfcf01-TMP.grib2', message: 0, target: 2.5 },
  { label: 'HRRR 5.3', file: 'hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2', message: 0, target: 2.5 },
  { label: 'HRRR 5.3', file: 'hrrr/hrrr_tmp700mb.grib2', message: 0, target: 2.5 },
  { label: 'NBM 5.3', file: 'nbm/nbm-multilevel-tcdc.grib2', message: 0, target: 2 },
  { label: 'NBM 5.3', file: 'nbm/nbm-multilevel-tcdc.grib2', message: 1, target: 2 },
  { label: 'NBM 5.3', file: 'nbm/nbm-asnow-prob-thresholds.grib2', message: 0, target: 2 },
  { label: 'simple 5.0', file: 'hrrr/hrrr.t06z.wrfsfcf01-missing-zeros.grib2', message: 0, target: 4 },
  { label: 'simple GFS', file: 'gfs/nomads-crop-20260729t18z-f000.grib2', message: 0, target: 4 },
  { label: 'simple GFS', file: 'gfs/nomads_subset_f003.grib2', message: 0, target: 4 },
  { label: 'simple GFS', file: 'gfs/nomads_subset_f003.grib2', message: 1, target: 4 },
  // ecCodes is fastest for fields of whole octets.
  { label: 'simple 8', file: { bits: 8, decimals: 0 }, message: 0, target: 4 },
  { label: 'simple 8 D1', file: { bits: 8, decimals: 1 }, message: 0, target: 4 },
  { label: 'simple 10', file: { bits: 10, decimals: 0 }, message: 0, target: 4 },
  { label: 'simple 12 D1', file: { bits: 12, decimals: 1 }, message: 0, target: 4 },
  { label: 'simple 12 map', file: { bits: 12, decimals: 1, bitmap: true }, message: 0, target: 4 },
  { label: 'simple 13 D1', file: { bits: 13, decimals: 1 }, message: 0, target: 4 },
  { label: 'simple 16', file: { bits: 16, decimals: 0 }, message: 0, target: 4 },
  { label: 'simple 16 D3', file: { bits: 16, decimals: 3 }, message: 0, target: 4 },
  { label: 'simple 24', file: { bits: 24, decimals: 0 }, message: 0, target: 4 },
  { label: 'simple 24 D2', file: { bits: 24, decimals: 2 }, message: 0, target: 4 },
  { label: 'simple 28', file: { bits: 28, decimals: 0 }, message: 0, target: 4 },
  {
    label: 'MRMS PNG 16',
    file: 'mrms/MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2',
    message: 0,
    target: 3,
  },
  {
    label: 'MRMS PNG 16',
    file: 'mrms/CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809-150000.grib2.gz',
    message: 0,
    target: 3,
  },
  { label: 'MRMS PNG 8', file: 'mrms/MRMS_PrecipFlag_00.00_20260219-042400.grib2.gz', message: 0, target: 3 },
  { label: 'MRMS PNG 24', file: 'mrms/MRMS_MergedRhoHV_19.00_20260219-042039.grib2.gz', message: 0, target: 3 },
  { label: 'JPEG 2000', file: 'gfs/gfs.jpeg.grib2', message: 0, target: 1.5 },
  { label: 'JPEG 2000', file: 'ndfd/p06m_2022080912f168.grb', message: 0, target: 1.5 },
  { label: 'CCSDS', file: 'edge/ecmwf_ccsds_20250912120000-0h-oper-fc.89.grib2', message: 0, target: 0 },
]

const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'bench-grib-'))

/** The C program, or the reason why it is absent. */
function compile(): { readonly program: string } | { readonly why: string } {
  const program = join(work, 'grib-eccodes')
  const source = fileURLToPath(new URL('./grib-eccodes.c', import.meta.url))
  const gcc = spawnSync('cc', ['-O2', '-o', program, source, '-leccodes'], { encoding: 'utf8' })
  if (gcc.error) return { why: 'there is no C compiler' }
  return gcc.status === 0 ? { program } : { why: 'ecCodes is not installed (libeccodes-dev)' }
}

/** Decodes a message with ecCodes once a call, and returns nanoseconds. */
function eccodes(program: string, file: string, message: number) {
  const child: ChildProcess = spawn(program, [file, String(message)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  return {
    async next(): Promise<number> {
      const { value, done } = await lines.next()
      if (done) throw new Error(`ecCodes ended early on ${file}`)
      return Number(value)
    },
    async decode(): Promise<number> {
      child.stdin!.write('\n')
      return this.next()
    },
    end: () => child.stdin!.end(),
  }
}

/** Number of rounds before counting, for compilers and allocators to settle. */
const WARM = 8

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

function time(run: () => unknown): number {
  const from = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - from)
}

/** Returns a simply packed field of the size of HRRR with random bits. */
function packedField({ bits, decimals, bitmap }: PackedField): Uint8Array {
  const [nx, ny] = [1799, 1059]
  const random = (octets: number) =>
    Uint8Array.from({ length: octets }, (_, k) => Math.imul(k + 1, 2_654_435_761) >>> 24)
  const packing = [0, 0, ...scales(250, decimals ? 0 : -6, decimals), bits, 0]
  const points = nx * ny
  if (!bitmap) return craft({ nx, ny, packing, values: points, data: random(Math.ceil((points * bits) / 8)) })
  const map = new Uint8Array(Math.ceil(points / 8))
  let values = 0
  // Runs of present and missing points, as along a coast.
  for (let k = 0; k < points; k++) {
    if (k % 300 >= 200) continue
    map[k >> 3] = nth(map, k >> 3) | (0x80 >> (k & 7))
    values++
  }
  return craft({ nx, ny, packing, values, bitmap: [...map], data: random(Math.ceil((values * bits) / 8)) })
}

function octetsOf(file: Case['file']): Uint8Array {
  if (typeof file !== 'string') return packedField(file)
  const raw = readFileSync(join(fixtures, file))
  return file.endsWith('.gz') ? gunzipSync(raw) : raw
}

async function measure(benchCase: Case, program: string | undefined): Promise<string> {
  const octets = octetsOf(benchCase.file)
  const path = join(work, 'message.grib2')
  writeFileSync(path, octets)
  const message = [...readMessages(octets)][benchCase.message]
  if (!message) throw new Error(`${benchCase.file} has no message ${benchCase.message}`)
  const out = new Float32Array(message.points)
  const other = program ? eccodes(program, path, benchCase.message) : undefined
  await other?.next()
  const rounds = message.points > 5e6 ? 9 : 25
  const times = {
    theirs: [] as number[],
    values: [] as number[],
    into: [] as number[],
    view: [] as number[],
    copy: [] as number[],
  }
  const field = message.values()
  for (let round = -WARM; round < rounds; round++) {
    const theirs = (await other?.decode()) ?? Number.NaN
    const values = time(() => message.values())
    const into = time(() => message.values(out))
    const view = time(() => message.decode())
    const copy = time(() => out.set(field))
    if (round < 0) continue
    times.theirs.push(theirs)
    times.values.push(values)
    times.into.push(into)
    times.view.push(view)
    times.copy.push(copy)
  }
  other?.end()
  const ms = (list: number[]) => (median(list) / 1e6).toFixed(2).padStart(8)
  const speed = (list: number[]) => (message.points / (median(list) / 1e3)).toFixed(0).padStart(5)
  const ratio = (list: number[]) =>
    program ? `${(median(times.theirs) / median(list)).toFixed(2)}×`.padStart(7) : '      –'
  const reached = median(times.theirs) / median(times.into) >= benchCase.target
  const verdict =
    !program || benchCase.target === 0 ? 'no target' : `wanted ${benchCase.target}×: ${reached ? 'met' : 'MISSED'}`
  return [
    `${benchCase.label.padEnd(13)} ${(message.points / 1e6).toFixed(2).padStart(6)} M  ecCodes ${ms(times.theirs)} ms`,
    `values(out) ${ms(times.into)} ms ${speed(times.into)} M/s ${ratio(times.into)}`,
    `${((message.byteLength * 8e3) / median(times.into)).toFixed(0).padStart(5)} Mbit/s ${((100 * median(times.copy)) / median(times.into)).toFixed(0).padStart(3)} % of a copy`,
    `values() ${ms(times.values)} ms ${ratio(times.values)}  decode() ${ms(times.view)} ms ${ratio(times.view)}`,
    verdict,
  ].join('  ')
}

if (!existsSync(fixtures)) {
  console.log('bench:grib skipped: the fixtures are not there (../shared/fixtures)')
} else {
  const compiled = compile()
  const program = 'program' in compiled ? compiled.program : undefined
  if ('why' in compiled) console.log(`ecCodes skipped: ${compiled.why}; our own times only`)
  try {
    for (const benchCase of CASES.filter(({ label }) => label.includes(process.argv[2] ?? '')))
      console.log(await measure(benchCase, program))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
