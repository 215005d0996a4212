import { tools } from '../../api/mcp/tools/index.ts'
import { catalog } from '../../ingest/catalog.ts'
import { settings } from '../../ingest/config.ts'
import { type FieldSource, sourceOrder } from '../../ingest/domain/source-order.ts'
import { describedRoutes } from './openapi.ts'

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(...head), `|${head.map(() => '---').join('|')}|`, ...rows.map((cells) => row(...cells))].join('\n')

function chain(from: readonly FieldSource[] | undefined, field: string): string {
  return (from ?? [])
    .map(({ dataset, variable, windowHours }) => {
      const name = variable === field || windowHours ? '' : ` (${variable})`
      return `${dataset}${windowHours ? ` ${windowHours} h` : ''}${name}`
    })
    .join(' → ')
}

const seconds = (value: number) =>
  value % 3600 === 0 ? `${value / 3600} h` : value >= 60 ? `${Math.round(value / 60)} min` : `${value} s`

/** The tables of README.md and docs/REFERENCE.md, generated from lists of the code. */
export const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  sources: () =>
    table(
      ['field', 'analyses, for now and the past', 'forecasts', 'between times'],
      sourceOrder.map(({ field, from, analyses, between }) => [
        `\`${field}\``,
        chain(analyses, field),
        from.length > 0 ? chain(from, field) : 'computed from the others',
        between,
      ]),
    ),
  datasets: () =>
    table(
      ['id', 'what', 'domains', 'every', 'latency', 'stale after'],
      catalog.map((one) => [
        `\`${one.id}\``,
        one.title,
        one.domains.map(({ id }) => id).join(', '),
        seconds(one.cadenceSeconds),
        seconds(one.latencySeconds),
        seconds(one.staleAfterSeconds),
      ]),
    ),
  settings: () =>
    table(
      ['name', 'meaning', 'default'],
      Object.entries(settings).map(([name, [fallback, meaning]]) => [
        `\`${name}\``,
        meaning.replaceAll('|', '\\|'),
        fallback ? `\`${fallback}\`` : '',
      ]),
    ),
  routes: async () => {
    const methods = new Map<string, { list: string[]; summary: string }>()
    for (const { method, path, contract } of await describedRoutes()) {
      if (!contract) continue
      const known = methods.get(path)
      if (known) known.list.push(method.toUpperCase())
      else methods.set(path, { list: [method.toUpperCase()], summary: contract.summary })
    }
    return table(
      ['route', '', 'gives'],
      [...methods].map(([path, { list, summary }]) => [`\`${path}\``, list.join(', '), summary]),
    )
  },
  tools: () =>
    table(
      ['tool', 'title'],
      tools.map(({ name, title }) => [`\`${name}\``, title]),
    ),
}

/** Files with tables between `<!-- table:NAME -->` and `<!-- end -->`. */
export const documentsWithTables = ['README.md', 'docs/REFERENCE.md'] as const

/** @throws Error where the text names a table that is not known */
export async function renderTables(text: string): Promise<string> {
  const parts = text.split(/(<!-- table:\w+ -->[\s\S]*?<!-- end -->)/)
  const rendered = parts.map(async (part) => {
    const name = /^<!-- table:(\w+) -->/.exec(part)?.[1]
    if (name === undefined) return part
    const make = tables[name]
    if (!make) throw new Error(`wanted a table out of ${Object.keys(tables).join(', ')}, got "${name}"`)
    return `<!-- table:${name} -->\n${await make()}\n<!-- end -->`
  })
  return (await Promise.all(rendered)).join('')
}
