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
/** Largest provenance in an answer, so that rows fit too. */
const MAX_PROVENANCE_BYTES = 20_000

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1

/** Returns as many rows as fit beside the other members of the answer; values are never shortened. */
export function shorten(
  rows: readonly (readonly TableCell[])[],
  format: QueryInput['format'],
  header: object,
): readonly (readonly TableCell[])[] {
  if (format !== 'json') return rows
  let bytes = bytesOf(header)
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

/** Returns the hash of the arguments without the cursor. A cursor is valid only for the same arguments. */
function fingerprint({ cursor: _, ...args }: QueryInput): string {
  return createHash('sha256').update(JSON.stringify(args)).digest('base64url').slice(0, 16)
}

/** Lifetime of a cursor. */
const CURSOR_TTL_MS = 24 * 60 * MINUTE
const domains: readonly DomainId[] = ['conus', 'alaska', 'hawaii']

/** Returns a cursor, kept short: datasets and domains are indexes, runs are minutes before the begin of the query. */
export function writeCursor(
  args: QueryInput,
  { offset, from, to, total, pins }: PagePosition,
  datasets: readonly Dataset[],
): string {
  const start = Math.floor(pins.at / MINUTE)
  const runs = pins.runs.map(({ dataset, domain, run }) => [
    datasets.findIndex(({ id }) => id === dataset),
    domains.indexOf(domain),
    start - run / MINUTE,
  ])
  return Buffer.from(JSON.stringify([fingerprint(args), offset, from, to, total, pins.at, runs])).toString('base64url')
}

/** Returns the position of a cursor. @throws ToolError bad-request for a cursor that is malformed, expired, or of a call with other arguments */
export function readCursor(args: QueryInput, datasets: readonly Dataset[], now: Instant): PagePosition | undefined {
  if (args.cursor === undefined) return undefined
  const cursorError = (reason: string) =>
    new ToolError('bad-request', `cursor: ${reason}.`, 'begin again without cursor.', { field: 'cursor' })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(args.cursor, 'base64url').toString())
  } catch {
    throw cursorError('this server did not issue it')
  }
  const parsed = cursorShape.safeParse(parts)
  if (!parsed.success) throw cursorError('this server did not issue it')
  const [mark, offset, from, to, total, at, list] = parsed.data
  if (mark !== fingerprint(args)) throw cursorError('it belongs to a call with other arguments')
  if (Math.abs(now - at) > CURSOR_TTL_MS) throw cursorError('it is older than a day')
  const runs = list.map(([dataset, domain, minutes]) => ({
    dataset: datasets[dataset]?.id,
    domain: domains[domain],
    run: (Math.floor(at / MINUTE) - minutes) * MINUTE,
  }))
  if (!runs.every((pin): pin is Pin => pin.dataset !== undefined && pin.domain !== undefined))
    throw cursorError('this server did not issue it')
  return { offset, from, to, total, pins: { at, runs } }
}

const naturalNumber = z.number().int().min(0)
const cursorShape = z.tuple([
  z.string(),
  naturalNumber,
  naturalNumber,
  naturalNumber,
  naturalNumber,
  naturalNumber,
  z.array(z.tuple([naturalNumber, naturalNumber, z.number().int()])).max(40),
])

/** Returns the upstream file and byte range of the values at the chosen times; `isCut` if not all entries fit. */
export async function provenanceOf(
  { variables }: QueryInput,
  runs: readonly OpenRun[],
  isChosen: (time: number) => boolean,
): Promise<{ list: object[]; isCut: boolean }> {
  const list: object[] = []
  let bytes = 0
  for (const open of runs) {
    const sources = await open.provenance()
    for (const variable of variables) {
      const times = open.variables.get(variable)?.times ?? []
      for (const [i, source] of (sources.get(variable) ?? []).entries()) {
        const time = times[i]
        if (!source || time === undefined || !isChosen(time)) continue
        const entry = {
          variable,
          valid_time: isoSeconds(time),
          file: source.url,
          message: source.number ?? null,
          byte_range: [source.from, source.from + source.length - 1],
          sha256: source.sha256 ?? null,
          reference_time: isoSeconds(open.run),
        }
        bytes += bytesOf(entry)
        if (bytes > MAX_PROVENANCE_BYTES) return { list, isCut: true }
        list.push(entry)
      }
    }
  }
  return { list, isCut: false }
}

/** File extensions of the formats that are given as an embedded resource. */
const extensions = { csv: 'csv', arrow: 'arrows', parquet: 'parquet', covjson: 'covjson' } as const

/** @throws ToolError bad-request for statistics as CoverageJSON, which has values by point and time only */
export function checkFormat({ format, aggregate }: QueryInput): void {
  if (format !== 'covjson' || !aggregate) return
  throw new ToolError(
    'bad-request',
    'format covjson cannot be combined with aggregate: it has values by point and time, not statistics.',
    'leave aggregate out, or ask for csv, arrow or parquet.',
    { field: 'format', got: format, allowed: ['json', 'csv', 'arrow', 'parquet'] },
  )
}

/** Returns a page in a format other than JSON, as an embedded resource. @param coverages gives the page as CoverageJSON */
export async function resource(
  args: QueryInput,
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  coverages: () => Promise<Buffer>,
) {
  const { format } = args
  if (format === 'json') throw new Error('resource: format must not be json')
  const uri = `hexcast://query/${args.dataset_id}/${fingerprint(args)}.${extensions[format]}`
  const resourceOf = (body: { readonly text: string } | { readonly blob: string }) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: bareType(format), ...body },
  })
  if (format === 'csv') return resourceOf({ text: csv(columns, rows) })
  if (format === 'covjson') return resourceOf({ text: (await coverages()).toString() })
  const timed = columns.map((column) => (column.name === 'valid_time' ? { ...column, type: 'time' as const } : column))
  return resourceOf({ blob: (await tableIn(format, { columns: timed, rows }, pause)).toString('base64') })
}
