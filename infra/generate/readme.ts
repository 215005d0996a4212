import { type FieldSource, sourceOrder } from '../../api/blend/fields.ts'
import { tools } from '../../api/mcp/tools/index.ts'
import { catalog } from '../../ingest/catalog.ts'
import { settings } from '../../ingest/config.ts'
import { takesFile } from '../../ingest/domain/setting-values.ts'
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

/** Groups of routes. Each is a line of the README. */
const families: readonly { readonly named: string; readonly paths: RegExp; readonly gives: string }[] = [
  {
    named: '`/v1/weather`',
    paths: /^\/v1\/weather/,
    gives: 'Everything about one point; `/batch` for up to 50 points',
  },
  {
    named: '`/v1/point`, `/v1/series/batch`',
    paths: /^\/v1\/(?:point|series)/,
    gives: 'Chosen variables at up to 500 points, or as time series at up to 100',
  },
  {
    named: '`/v1/alerts`',
    paths: /^\/v1\/alerts/,
    gives: 'Active NWS alerts for a point, box, state, zone or office; JSON, GeoJSON or CAP',
  },
  {
    named: '`/v1/events`',
    paths: /^\/v1\/events/,
    gives: 'Changes as server-sent events: alerts, forecaster texts, model runs, rain that is about to begin',
  },
  {
    named: '`/v1/webhooks/…`',
    paths: /^\/v1\/webhooks/,
    gives: 'The same changes as signed calls to your server, with retry and replay',
  },
  {
    named: '`/v1/radar/…`',
    paths: /^\/v1\/radar\//,
    gives: 'Radar with the 90-minute forecast, mosaic or single radars: times, pictures, map tiles, values',
  },
  {
    named: '`/v1/storm-tracks`',
    paths: /^\/v1\/storm-tracks/,
    gives: 'Storms with their motion and chance of severe weather, as GeoJSON',
  },
  {
    named: '`/v1/observations`, `/v1/climate/…`',
    paths: /^\/v1\/(?:observations|climate)/,
    gives: 'METARs; daily climate and record reports',
  },
  {
    named: '`/v1/skill`',
    paths: /^\/v1\/skill/,
    gives: 'Accuracy of the served forecasts, compared with station reports and radar',
  },
  {
    named: '`/v1/geocode`, `/reverse-geocode`, `/stations`, `/radars`, `/offices`, `/zones`',
    paths: /^\/v1\/(?:geocode|reverse-geocode|stations|radars|offices|zones)/,
    gives: 'Places by name, ZIP code or point; stations, radars, forecast offices and zones',
  },
  {
    named: '`/edr/…`',
    paths: /^\/edr/,
    gives: 'OGC API EDR and Features: positions, areas, cubes, stations; CoverageJSON and GeoJSON',
  },
  { named: '`/stac/…`', paths: /^\/stac/, gives: 'STAC catalog of the stored model runs, with their tiles as assets' },
  { named: '`/zarr/…`', paths: /^\/zarr/, gives: 'Stored model runs as Zarr groups for xarray and zarrita' },
  {
    named: '`/v1/catalog`, `/v1/status`, `/healthz`, `/readyz`',
    paths: /^\/(?:v1\/(?:catalog|status)|healthz|readyz)/,
    gives: 'Products with their served runs; late runs; health of the process',
  },
  { named: '`/developer/keys`', paths: /^\/(?:developer|v1\/authorization)/, gives: 'API keys' },
]

/** Generators of the tables in README.md and docs/REFERENCE.md, from lists in the code. */
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
      catalog.map((dataset) => [
        `\`${dataset.id}\``,
        dataset.title,
        dataset.domains.map(({ id }) => id).join(', '),
        seconds(dataset.cadenceSeconds),
        seconds(dataset.latencySeconds),
        seconds(dataset.staleAfterSeconds),
      ]),
    ),
  settings: () =>
    table(
      ['name', 'meaning', 'default'],
      Object.entries(settings).map(([name, [fallback, meaning]]) => [
        takesFile(name) ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``,
        meaning.replaceAll('|', '\\|'),
        fallback ? `\`${fallback}\`` : '',
      ]),
    ),
  routes: async () => {
    const methods = new Map<string, { list: string[]; summary: string }>()
    for (const { method, path, contract } of await describedRoutes()) {
      if (!contract) continue
      const entry = methods.get(path)
      if (entry) entry.list.push(method.toUpperCase())
      else methods.set(path, { list: [method.toUpperCase()], summary: contract.summary })
    }
    return table(
      ['route', '', 'gives'],
      [...methods].map(([path, { list, summary }]) => [`\`${path}\``, list.join(', '), summary]),
    )
  },
  families: async () => {
    const paths = [...new Set((await describedRoutes()).filter(({ contract }) => contract).map(({ path }) => path))]
    const missing = paths.filter((path) => !families.some((family) => family.paths.test(path)))
    if (missing.length > 0)
      throw new Error(`${missing.join(', ')} are in no family of the README; add them to \`families\` in readme.ts`)
    return table(
      ['routes', 'give'],
      families.map(({ named, gives }) => [named, gives]),
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

/** Replaces the tables of a document. @throws Error if the text names an unknown table */
export async function renderTables(text: string): Promise<string> {
  const parts = text.split(/(<!-- table:\w+ -->[\s\S]*?<!-- end -->)/)
  const rendered = parts.map(async (part) => {
    const name = /^<!-- table:(\w+) -->/.exec(part)?.[1]
    if (name === undefined) return part
    const generate = tables[name]
    if (!generate) throw new Error(`"${name}" is not a table; expected one of ${Object.keys(tables).join(', ')}`)
    return `<!-- table:${name} -->\n${await generate()}\n<!-- end -->`
  })
  return (await Promise.all(rendered)).join('')
}
