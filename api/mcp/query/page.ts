import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Dataset } from '../../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { pause } from '../../../ingest/domain/pacer.ts'
import { type Instant, isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import type { Pin, Pins } from '../../dataset/dataset-read.ts'
import { csv } from '../../present/csv.ts'
import type { TableCell, TableColumn } from '../../present/table.ts'
import { tableIn } from '../../present/table-forms.ts'
import { bareType } from '../../query/format.ts'
import { ToolError } from '../protocol/error.ts'
import type { QueryInput } from './query-input.ts'

/** Largest data of an answer, as JSON. */
const MAX_PAGE_BYTES = 64_000
/** Share of provenance in it, so that rows fit too. */
const MAX_PROVENANCE_BYTES = 20_000

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1

/** As many rows as fit beside the rest of the answer: the page gets shorter, never the values. */
export function shorten(
  rows: readonly (readonly TableCell[])[],
  format: QueryInput['format'],
  rest: object,
): readonly (readonly TableCell[])[] {
  if (format !== 'json') return rows
  let bytes = bytesOf(rest)
  for (const [i, row] of rows.entries()) {
    bytes += bytesOf(row)
    if (bytes > MAX_PAGE_BYTES) return rows.slice(0, Math.max(1, i))
  }
  return rows
}

interface PagePosition {
  readonly offset: number
  readonly from: number
  readonly to: number
  /** Rows of all pages. */
  readonly total: number
  readonly pins: Pins
}

/** Hash of the arguments without the cursor: a cursor is valid for the same query only. */
function fingerprint(asked: QueryInput): string {
  const { cursor: _, ...rest } = asked
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 16)
}

/** Lifetime of a cursor. */
const CURSOR_TTL_MS = 24 * 60 * MINUTE
const domains: readonly DomainId[] = ['conus', 'alaska', 'hawaii']

/** Short enough for a cursor: datasets and domains by index, runs in minutes before the query began. */
export function writeCursor(
  asked: QueryInput,
  { offset, from, to, total, pins }: PagePosition,
  datasets: readonly Dataset[],
): string {
  const begun = Math.floor(pins.at / MINUTE)
  const runs = pins.runs.map(({ dataset, domain, run }) => [
    datasets.findIndex(({ id }) => id === dataset),
    domains.indexOf(domain),
    begun - run / MINUTE,
  ])
  return Buffer.from(JSON.stringify([fingerprint(asked), offset, from, to, total, pins.at, runs])).toString('base64url')
}

/** @throws ToolError bad-request for a cursor that is malformed, expired, or of a call with other arguments */
export function readCursor(asked: QueryInput, datasets: readonly Dataset[], now: Instant): PagePosition | undefined {
  if (asked.cursor === undefined) return undefined
  const bad = (why: string) =>
    new ToolError('bad-request', `cursor: ${why}.`, 'begin again without cursor.', { field: 'cursor' })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(asked.cursor, 'base64url').toString())
  } catch {
    throw bad('it is not one of ours')
  }
  const read = cursorShape.safeParse(parts)
  if (!read.success) throw bad('it is not one of ours')
  const [mark, offset, from, to, total, at, list] = read.data
  if (mark !== fingerprint(asked)) throw bad('it belongs to a call with other arguments')
  if (Math.abs(now - at) > CURSOR_TTL_MS) throw bad('it is older than a day')
  const runs = list.map(([dataset, domain, minutes]) => ({
    dataset: datasets[dataset]?.id,
    domain: domains[domain],
    run: (Math.floor(at / MINUTE) - minutes) * MINUTE,
  }))
  if (!runs.every((pin): pin is Pin => pin.dataset !== undefined && pin.domain !== undefined))
    throw bad('it is not one of ours')
  return { offset, from, to, total, pins: { at, runs } }
}

const whole = z.number().int().min(0)
const cursorShape = z.tuple([
  z.string(),
  whole,
  whole,
  whole,
  whole,
  whole,
  z.array(z.tuple([whole, whole, z.number().int()])).max(40),
])

/** Where the values of these times came from upstream, as many entries as fit. */
export async function provenanceOf(
  asked: QueryInput,
  runs: readonly OpenRun[],
  fits: (time: number) => boolean,
): Promise<{ list: object[]; cut: boolean }> {
  const list: object[] = []
  let bytes = 0
  for (const open of runs) {
    const sources = await open.provenance()
    for (const variable of asked.variables) {
      const times = open.variables.get(variable)?.times ?? []
      for (const [i, source] of (sources.get(variable) ?? []).entries()) {
        if (!source || !fits(times[i])) continue
        const entry = {
          variable,
          valid_time: isoSeconds(times[i]),
          file: source.url,
          message: source.number ?? null,
          byte_range: [source.from, source.from + source.length - 1],
          reference_time: isoSeconds(open.run),
        }
        bytes += bytesOf(entry)
        if (bytes > MAX_PROVENANCE_BYTES) return { list, cut: true }
        list.push(entry)
      }
    }
  }
  return { list, cut: false }
}

/** Forms that are given as an embedded resource: the ends of their addresses. */
const resourceEnds = { csv: 'csv', arrow: 'arrows', parquet: 'parquet', covjson: 'covjson' } as const

/** CoverageJSON has values by point and time. @throws ToolError bad-request for statistics */
export function checkForm({ format, aggregate }: QueryInput): void {
  if (format !== 'covjson' || !aggregate) return
  throw new ToolError(
    'bad-request',
    'format covjson has values by point and time, aggregate gives statistics.',
    'leave aggregate out, or ask for csv, arrow or parquet.',
    { field: 'format', got: format, allowed: ['json', 'csv', 'arrow', 'parquet'] },
  )
}

/** A page in another form than JSON. @param coverages the page as CoverageJSON */
export async function resource(
  asked: QueryInput,
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  coverages: () => Promise<Buffer>,
) {
  const { format } = asked
  if (format === 'json') throw new Error('resource: wanted another form than json')
  const uri = `hexcast://query/${asked.dataset_id}/${fingerprint(asked)}.${resourceEnds[format]}`
  const of = (body: { readonly text: string } | { readonly blob: string }) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: bareType(format), ...body },
  })
  if (format === 'csv') return of({ text: csv(columns, rows) })
  if (format === 'covjson') return of({ text: (await coverages()).toString() })
  const timed = columns.map((one) => (one.name === 'valid_time' ? { ...one, type: 'time' as const } : one))
  return of({ blob: (await tableIn(format, { columns: timed, rows }, pause)).toString('base64') })
}
