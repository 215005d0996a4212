import { createHash } from 'node:crypto'
import type { DomainId } from '../../ingest/domain/dataset.ts'
import type { PointTable } from './dataset-read.ts'
import { ToolError } from './error.ts'
import type { Input } from './query-input.ts'
import { arrow, type Cell, type Column, csv } from './table.ts'

const LARGEST_PAGE = 62_000
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** As many rows as a page may hold in bytes: the page gets shorter, never the values. */
export function shorten(rows: Cell[][], format: Input['format']): Cell[][] {
  if (format !== 'json') return rows
  let bytes = 0
  for (const [i, row] of rows.entries()) {
    bytes += JSON.stringify(row).length + 1
    if (bytes > LARGEST_PAGE - 12_000) return rows.slice(0, Math.max(1, i))
  }
  return rows
}

interface Position {
  readonly offset: number
  readonly from: number
  readonly to: number
  readonly runs: Readonly<Partial<Record<DomainId, number>>>
}

/** What a cursor stands for: all that was asked, but for the cursor itself. */
function fingerprint(asked: Input): string {
  const { cursor: _, ...rest } = asked
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 16)
}

export function writeCursor(asked: Input, { offset, from, to, runs }: Position): string {
  return Buffer.from(JSON.stringify([fingerprint(asked), offset, from, to, runs])).toString('base64url')
}

export function readCursor(asked: Input): Position | undefined {
  if (asked.cursor === undefined) return undefined
  const bad = (why: string) =>
    new ToolError('bad-request', `cursor: ${why}.`, 'begin again without cursor.', { field: 'cursor' })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(asked.cursor, 'base64url').toString())
  } catch {
    throw bad('it is not one of ours')
  }
  if (
    !Array.isArray(parts) ||
    parts.length !== 5 ||
    !parts.slice(1, 4).every((one) => Number.isSafeInteger(one) && one >= 0)
  )
    throw bad('it is not one of ours')
  if (parts[0] !== fingerprint(asked)) throw bad('it belongs to a call with other arguments')
  return { offset: parts[1], from: parts[2], to: parts[3], runs: parts[4] ?? {} }
}

export async function provenanceOf(
  asked: Input,
  tables: ReadonlyMap<number, PointTable>,
  from: number,
  to: number,
): Promise<object[]> {
  const runs = [...new Set([...tables.values()].flatMap(({ runs }) => runs))]
  const list: object[] = []
  for (const open of runs) {
    const sources = await open.provenance()
    for (const variable of asked.variables) {
      const times = open.variables.get(variable)?.times ?? []
      for (const [i, source] of (sources.get(variable) ?? []).entries()) {
        if (!source || times[i] < from || times[i] > to || list.length >= 200) continue
        list.push({
          variable,
          valid_time: iso(times[i]),
          file: source.url,
          message: null,
          byte_range: [source.from, source.from + source.length - 1],
          reference_time: iso(open.run),
        })
      }
    }
  }
  return list
}

export function resource(asked: Input, columns: readonly Column[], rows: readonly (readonly Cell[])[]) {
  const uri = `hexcast://query/${asked.dataset_id}/${fingerprint(asked)}`
  if (asked.format === 'csv')
    return {
      type: 'resource' as const,
      resource: { uri: `${uri}.csv`, mimeType: 'text/csv', text: csv(columns, rows) },
    }
  return {
    type: 'resource' as const,
    resource: {
      uri: `${uri}.arrows`,
      mimeType: 'application/vnd.apache.arrow.stream',
      blob: Buffer.from(arrow(columns, rows)).toString('base64'),
    },
  }
}
