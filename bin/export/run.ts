import { readFile } from 'node:fs/promises'
import { loadConfig } from '../../ingest/config.ts'
import { defaultResolution } from '../../ingest/domain/cell.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { floorTo, HOUR, type Instant, parseInstant, parseRun } from '../../ingest/domain/time.ts'
import type { CommandLine } from '../verb.ts'
import { withKey } from '../verbs/temporary-key.ts'
import { chosenCells } from './cells.ts'
import { type ExportRequest, exportCells } from './export.ts'
import { openPlace, placeNamed } from './place.ts'
import { type ReadJson, serverAt } from './server.ts'

const MAX_HOURS = 264
const MAX_VARIABLES = 20
/** Characters of a file with cells: 20,000 cells and their line breaks take a third. */
const MAX_CELLS_TEXT = 1_000_000
const FORECAST =
  'temperature,feels_like,dew_point,humidity,wind_speed,wind_direction,wind_gust,pressure,visibility,cloud_cover,precip_probability,precip_amount,snow_amount,thunderstorm_probability'

/** `hexcast export`: writes hourly values of cells as Parquet files. @returns exit status */
export async function runExport(line: CommandLine): Promise<number> {
  const config = loadConfig()
  const base = (line.option('url') ?? `http://localhost:${config.port}`).replace(/\/$/, '')
  const place = placeNamed('to', line.option('to'))
  const words = await wordsOf(line.option('cells'))
  const choice = choiceOf(line)
  const store = await openPlace(place)
  const work = async (key: string) => {
    const read = serverAt(base, key)
    const cells = chosenCells(words, await resolutionOf(read))
    let rows = 0
    for await (const part of exportCells(read, store, { ...choice, cells })) {
      rows += part.rows
      const without = part.without > 0 ? `, ${part.without} cells without values` : ''
      console.log(`${part.key}: ${part.rows} rows${without}`)
    }
    console.log(`${cells.length} cells, ${rows} rows in ${place}`)
    return 0
  }
  try {
    const key = line.option('key')
    return key ? await work(key) : await withKey('export', work)
  } finally {
    await store.close()
  }
}

/** Returns the cells and points of `--cells`: a list separated by blanks or `;`, or the lines of `@FILE`. */
async function wordsOf(list: string | undefined): Promise<string[]> {
  if (!list) throw new Fault('Invalid', '--cells is missing; expected H3 indexes or points LAT,LON, or @FILE with them')
  const text = list.startsWith('@') ? await textOf(list.slice(1)) : list
  if (text.length > MAX_CELLS_TEXT) throw new Fault('Invalid', `--cells must have at most ${MAX_CELLS_TEXT} characters`)
  return text.split(/[\s;]/).filter(Boolean)
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Fault('Invalid', `--cells @${path} could not be read: ${(error as Error).message}`)
  }
}

function choiceOf(line: CommandLine): Omit<ExportRequest, 'cells'> {
  const dataset = line.option('dataset')?.toLowerCase()
  const names = line.option('variables') ?? (dataset === undefined ? FORECAST : undefined)
  if (!names) throw new Fault('Invalid', '--variables is missing; it is needed with --dataset')
  const variables = names.split(',').map((name) => name.trim())
  if (variables.length > MAX_VARIABLES || variables.some((name) => !/^[a-z][a-z0-9_]{0,60}$/.test(name)))
    throw new Fault(
      'Invalid',
      `--variables "${names}" is not a list of 1 to ${MAX_VARIABLES} names separated by commas`,
    )
  const hours = Number(line.option('hours') ?? 48)
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS)
    throw new Fault(
      'Invalid',
      `--hours must be a whole number from 1 to ${MAX_HOURS}, but is "${line.option('hours')}"`,
    )
  const units = line.option('units') ?? 'metric'
  if (units !== 'metric' && units !== 'imperial')
    throw new Fault('Invalid', `--units must be metric or imperial, but is "${units}"`)
  if (line.option('run') && dataset === undefined) throw new Fault('Invalid', '--run needs --dataset')
  if (line.option('at') && dataset !== undefined) throw new Fault('Invalid', '--at excludes --dataset; use --run')
  const at = timeNamed('at', line.option('at'), parseInstant) ?? floorTo(Date.now(), HOUR)
  return { dataset, variables, hours, units, at, run: timeNamed('run', line.option('run'), parseRun) }
}

function timeNamed(option: string, word: string | undefined, parse: (text: string) => Instant): Instant | undefined {
  if (word === undefined) return undefined
  const time = parse(word)
  if (Number.isNaN(time)) throw new Fault('Invalid', `--${option} "${word}" is not a time such as 2026-08-20T12:00Z`)
  return time
}

/** Returns the resolution of the model cells of the server. */
async function resolutionOf(read: ReadJson): Promise<number> {
  const { products } = await read<{ products: { h3_resolution: number | null }[] }>('/v1/catalog')
  return products.find(({ h3_resolution }) => h3_resolution !== null)?.h3_resolution ?? defaultResolution
}
