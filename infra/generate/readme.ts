import { tools } from '../../api/mcp/tools/index.ts'
import { catalog } from '../../ingest/catalog.ts'
import { settings } from '../../ingest/config.ts'
import { type FieldSource, sourceOrder } from '../../ingest/domain/source-order.ts'

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

/** The tables of the README, generated from lists of the code. */
export const tables: Readonly<Record<string, () => string>> = {
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
  tools: () =>
    table(
      ['tool', 'title'],
      tools.map(({ name, title }) => [`\`${name}\``, title]),
    ),
}

export function renderReadme(text: string): string {
  return text.replace(/<!-- table:(\w+) -->[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = tables[name]
    if (!make) throw new Error(`README.md: wanted a table out of ${Object.keys(tables).join(', ')}, got "${name}"`)
    return `<!-- table:${name} -->\n${make()}\n<!-- end -->`
  })
}
