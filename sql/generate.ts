import type { SessionSource } from './session.ts'

type CatalogReader = <T extends object>(text: string) => Promise<T[]>

interface SchemaColumn {
  readonly relation: string
  readonly column: string
  readonly type: string
  readonly element: string | null
  readonly name: string
  readonly not_null: boolean
  readonly fallback: string | null
  readonly identity: string
  readonly generated: string
}

/** Condition that a relation belongs to our schema and not to an extension. */
const isOurs = (alias: string) => `${alias}.relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.objid = ${alias}.oid and d.deptype = 'e')`

async function columnsOf(read: CatalogReader): Promise<SchemaColumn[]> {
  return read<SchemaColumn>(`
    select c.relname as relation, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, t.typname as name,
           e.typname as element, a.attnotnull as not_null, pg_get_expr(f.adbin, f.adrelid) as fallback,
           a.attidentity as identity, a.attgenerated as generated
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    left join pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
    where c.relkind in ('r', 'v', 'm') and ${isOurs('c')}
    order by c.relname, a.attnum`)
}

/**
 * Returns the schema that the migrations create, as SQL and as TypeScript types, with the tables in alphabetical order.
 */
export async function dumpSchema(source: SessionSource): Promise<{ sql: string; types: string }> {
  const session = await source.acquire()
  const read: CatalogReader = async <T extends object>(text: string) => (await session.run(text)).rows as T[]
  try {
    const columns = await columnsOf(read)
    const constraints = await read<{ relation: string; name: string; definition: string }>(`
      select c.relname as relation, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype in ('p', 'u', 'f', 'c', 'x') and ${isOurs('c')} order by 1, k.contype <> 'p', 2`)
    const indexes = await read<{ definition: string }>(`
      select pg_get_indexdef(i.indexrelid) || ';' as definition
      from pg_index i join pg_class c on c.oid = i.indrelid
      where ${isOurs('c')} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      order by i.indexrelid::regclass::text collate "C"`)
    const functions = await read<{ definition: string }>(`
      select pg_get_functiondef(p.oid) || ';' as definition from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      order by p.proname collate "C"`)
    const triggers = await read<{ definition: string }>(`
      select pg_get_triggerdef(g.oid) || ';' as definition from pg_trigger g join pg_class c on c.oid = g.tgrelid
      where not g.tgisinternal and ${isOurs('c')} order by c.relname, g.tgname`)

    const relations = [...new Set(columns.map(({ relation }) => relation))].filter((name) => name !== 'migration')
    const tables = relations.map((relation) => {
      const lines = [
        ...columns.filter((column) => column.relation === relation).map(columnLine),
        ...constraints
          .filter((constraint) => constraint.relation === relation)
          .map(({ name, definition }) => `constraint ${name} ${definition}`),
      ]
      return `create table ${relation} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
    })
    const others = [indexes, functions, triggers]
      .flat()
      .map(({ definition }) => definition)
      .filter((text) => !/ on migration /i.test(text))
    return {
      sql: `${['-- Written by npm run generate from the migrations; do not edit.', ...tables, ...others].join('\n\n')}\n`,
      types: typesFile(relations, columns),
    }
  } finally {
    session.release()
  }
}

function columnLine(column: SchemaColumn): string {
  const parts = [column.column, column.type]
  if (column.identity) parts.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`)
  else if (column.generated) parts.push(`generated always as (${column.fallback}) stored`)
  else if (column.fallback !== null) parts.push(`default ${column.fallback}`)
  if (column.not_null) parts.push('not null')
  return parts.join(' ')
}

const numbers = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid'])

/** Returns the TypeScript types of a selected value and of an inserted value of a PostgreSQL type. */
function typeOf(name: string): readonly [read: string, write: string] {
  if (numbers.has(name)) return ['number', 'number']
  if (name === 'bool') return ['boolean', 'boolean']
  if (name === 'timestamptz' || name === 'timestamp') return ['Date', 'Date | string']
  if (name === 'json' || name === 'jsonb') return ['unknown', 'string']
  if (name === 'bytea') return ['Uint8Array', 'Uint8Array']
  return ['string', 'string']
}

function columnType(column: SchemaColumn): string {
  const orNull = column.not_null ? '' : ' | null'
  const [read, write] = column.element
    ? typeOf(column.element).map((type) => `${type.includes('|') ? `(${type})` : type}[]`)
    : typeOf(column.name)
  if (column.generated || column.identity === 'a') return `GeneratedAlways<${read}${orNull}>`
  if (column.fallback !== null || column.identity) {
    return read === write
      ? `Generated<${read}${orNull}>`
      : `ColumnType<${read}${orNull}, ${write}${orNull} | undefined, ${write}${orNull}>`
  }
  return read === write ? `${read}${orNull}` : `ColumnType<${read}${orNull}, ${write}${orNull}, ${write}${orNull}>`
}

function typesFile(relations: readonly string[], columns: readonly SchemaColumn[]): string {
  const interfaces = relations.map((relation) => {
    const lines = columns
      .filter((column) => column.relation === relation)
      .map((column) => `  ${column.column}: ${columnType(column)}`)
    return `export interface ${pascal(relation)}Table {\n${lines.join('\n')}\n}`
  })
  const schema = `export interface Schema {\n${relations.map((name) => `  ${name}: ${pascal(name)}Table`).join('\n')}\n}`
  return `// Written by npm run generate from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// JSON is written as text and read as parsed values.

${[...interfaces, schema].join('\n\n')}
`
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
