import { gridDatasets } from '../../ingest/catalog.ts'
import { variable as variableOf } from '../../ingest/domain/dataset/variable.ts'
import { type Want, wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { PointSeries, ValueSource } from '../../ingest/tile/read.ts'
import type { TracedInterpolation } from '../blend/trace.ts'
import type { Messages } from '../contract.ts'
import type { Provenance } from './provenance-schema.ts'

type OriginRow = Provenance['origins'][number]
type MessageRow = Provenance['messages'][number]
type Sampling = Provenance['samplings'][number]

/** What an origin states beside its messages. */
export interface OriginDetails {
  readonly interpolation: TracedInterpolation | 'pixel'
  readonly weights?: readonly number[]
  /** Present if the value differs from that of its messages. */
  readonly steps?: OriginRow['steps']
}

/** Assigns an index to each row by a number, or by a text if there is no number. */
type Index = Map<number | string, number>

/** Tables of files, messages, samplings and origins without duplicates. */
export class Tables {
  readonly all: Pick<Provenance, 'files' | 'messages' | 'samplings' | 'origins'> = {
    files: [],
    messages: [],
    samplings: [],
    origins: [],
  }
  readonly #files: Index = new Map()
  /** Messages of each file by variable; a file has one valid time. */
  readonly #messagesOfFile: Index[] = []
  readonly #samplings: Index = new Map()
  readonly #origins: Index = new Map()
  readonly #messageIndexes = new Map<PointSeries, Map<string, Int32Array>>()
  readonly #messages: ReadonlyMap<PointSeries, Messages>

  constructor(messages: ReadonlyMap<PointSeries, Messages>) {
    this.#messages = messages
  }

  /**
   * Returns the index of the message of a variable at a time. It is looked up once for each variable and time, because
   * fields and hours refer to each message some ten times.
   * @param place index among the times of the variable
   */
  message(series: PointSeries, variable: string, place: number): number {
    const { times, values, quantum } = series.variables.get(variable) ?? {}
    const time = times?.[place]
    if (!times || time === undefined) throw new Error(`${series.dataset} has no ${variable} at index ${place}.`)
    let variables = this.#messageIndexes.get(series)
    if (!variables) this.#messageIndexes.set(series, (variables = new Map()))
    let indexes = variables.get(variable)
    if (!indexes) variables.set(variable, (indexes = new Int32Array(times.length).fill(-1)))
    const known = indexes[place] ?? -1
    if (known >= 0) return known
    const value = values?.[place] ?? Number.NaN
    const index = this.address(series, variable, time, { value, quantum }, this.#messages.get(series)?.(variable, time))
    indexes[place] = index
    return index
  }

  /**
   * Returns the index of the row of a message.
   * @param series dataset and run, unless `source` has its own, as in tiles of several datasets
   * @param read the value at the place, and its quantum if it is stored with one
   */
  address(
    series: Pick<PointSeries, 'dataset' | 'run'>,
    variable: string,
    time: Instant,
    read: { readonly value: number; readonly quantum: number | undefined },
    source?: ValueSource,
  ): number {
    const { dataset, run } = source?.of ?? series
    const url = source?.url ?? null
    const { files, messages, samplings } = this.all
    const file = once(this.#files, `${dataset} ${run} ${time} ${url}`, files, () => ({
      dataset_id: dataset,
      run: isoSeconds(run),
      lead_hours: (time - run) / HOUR,
      url,
    }))
    once(this.#samplings, `${dataset} ${variable}`, samplings, () => samplingOf(dataset, variable, read.quantum))
    const ofFile = (this.#messagesOfFile[file] ??= new Map())
    // An accumulation may be read at the cell and at the place itself.
    return once(ofFile, `${variable} ${read.value}`, messages, () => ({
      file,
      variable,
      value: Number.isNaN(read.value) ? null : rounded(read.value),
      ...addressOf(source),
    }))
  }

  /** Index of the row of an origin. */
  origin(messages: readonly number[], { interpolation, weights, steps }: OriginDetails): number {
    const shown = weights && messages.length > 0 && !isUnchanged(weights) ? weights.map(rounded) : undefined
    const name = [interpolation, messages.join(), shown?.join(), steps && JSON.stringify(steps)].join(' ')
    return once(this.#origins, name, this.all.origins, () => ({
      messages: [...messages],
      interpolation,
      ...(shown && { weights: shown }),
      ...(steps && { adjusted: true, steps }),
    }))
  }
}

const isUnchanged = ([first, ...others]: readonly number[]) => first === 1 && others.length === 0

/** Keeps nine significant digits, more than a value of a tile has. */
export const rounded = (value: number): number => Number(value.toPrecision(9))

/** Index of the row with a name; the row is created if it does not exist. */
function once<Row>(index: Index, name: number | string, rows: Row[], row: () => Row): number {
  let existing = index.get(name)
  if (existing === undefined) {
    existing = rows.push(row()) - 1
    index.set(name, existing)
  }
  return existing
}

function addressOf(source: ValueSource | undefined): Omit<MessageRow, 'file' | 'variable' | 'value'> {
  const range = ({ from, length }: Pick<ValueSource, 'from' | 'length'>): [number, number] | null =>
    length > 0 ? [from, from + length - 1] : null
  if (!source) return { byte_range: null, message: null, sha256: null }
  const { v, number, sha256 } = source
  const first = { byte_range: range(source), message: number ?? null, sha256: sha256 ?? null }
  if (!v) return first
  return { ...first, v_byte_range: range(v) ?? undefined, v_message: v.number ?? null, v_sha256: v.sha256 ?? null }
}

const wants = new Map<string, Want>(
  gridDatasets.flatMap(({ id, wants }) =>
    wants.flatMap((want) => wantedVariables(want).map((name) => [`${id} ${name}`, want] as const)),
  ),
)

/** Returns how the value at a cell follows from the grid points of a message. */
function samplingOf(dataset_id: string, name: string, quantum: number | undefined): Sampling {
  const want = wants.get(`${dataset_id} ${name}`)
  const { unit, range, space } = variableOf(name)
  const common = { dataset_id, variable: name, unit, ...(quantum !== undefined && { quantum }) }
  // Frames of radar have no wants: their pixels are read.
  if (!want) return { ...common, method: 'nearest', range: [...range] }
  if (want.kind === 'wind') return { ...common, method: want.speed === name ? 'wind_speed' : 'wind_direction' }
  if (want.kind === 'direction') return { ...common, method: 'direction' }
  const { scale, offset, missing, members } = want
  return {
    ...common,
    method: members ? 'members' : space === 'nearest' ? 'nearest' : 'bilinear',
    range: [...range],
    ...(scale !== undefined && { scale }),
    ...(offset !== undefined && { offset }),
    ...(missing && { missing: [...missing] }),
  }
}
