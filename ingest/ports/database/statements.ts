import { messages, type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import type { Parameter, Result, Row } from '../../../sql/session.ts'

const { serialize } = protocol

/**
 * Runs one statement with parameters, or several statements without parameters by the simple protocol. Returns the result of the last one.
 *
 * All messages of a statement are one exchange with the database; the library's own `query` takes six, to learn the types of the parameters
 * first. No statement stays prepared: its plan would be of the time when a table was small, because nothing analyzes the tables of an
 * embedded database.
 */
export function runStatement(database: PGlite, text: string, parameters: readonly Parameter[] = []): Promise<Result> {
  if (parameters.length === 0) return exchange(database, serialize.query(text))
  return exchange(
    database,
    serialize.parse({ text }),
    serialize.bind({ values: parameters.map(textOf) }),
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
    serialize.sync(),
  )
}

async function exchange(database: PGlite, ...parts: readonly Uint8Array[]): Promise<Result> {
  const reply = await database.execProtocol(Buffer.concat(parts), { syncToFs: false, throwOnError: false })
  const error = reply.messages.find((message) => message instanceof messages.DatabaseError)
  if (error) throw error
  const results = parse.parseResults(reply.messages, database.parsers) as readonly Results<Row>[]
  const last = results.at(-1)
  const counts = !/^(SELECT|SHOW|WITH)?$/.test(last?.command ?? '')
  return { rows: last?.rows ?? [], affected: counts ? (last?.rowCount ?? last?.affectedRows ?? 0) : 0 }
}

/** Returns the text form of a parameter: of an array as PostgreSQL's array, and of another object as JSON. */
function textOf(value: Parameter): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(elementOf).join()}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function elementOf(value: Parameter): string {
  const text = textOf(value)
  if (text === null || Array.isArray(value)) return text ?? 'null'
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
