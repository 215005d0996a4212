import { gunzipSync } from 'node:zlib'
import { type Message, readMessages } from 'grib2-wasm'
import { expect } from 'vitest'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { variable } from '../../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../../ingest/domain/dataset/want.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { Upstream } from '../../../ingest/ports/upstream.ts'

/** The range in which a value must lie. */
export type Interval = readonly [low: number, high: number]

interface File {
  readonly dataset_id: string
  readonly run: string
  readonly url: string
  readonly lead_hours: number
}

interface Named {
  readonly file: number
  readonly variable: string
  readonly byte_range: [number, number] | null
  readonly v_byte_range?: [number, number]
}

interface Origin {
  readonly messages: readonly number[]
  readonly interpolation: string
  readonly adjusted?: boolean
}

/** The tables of `provenance`. */
export interface Tables {
  readonly files: readonly File[]
  readonly messages: readonly Named[]
  readonly origins: readonly Origin[]
}

/** Rounding errors: tiles round to their quantum, the packing to its step, the answer to a tenth or a whole number. */
const TOLERANCES: Readonly<Record<string, number>> = {
  temperature: 0.12,
  temperature_max_12h: 0.12,
  temperature_min_12h: 0.12,
  dew_point: 0.12,
  wind_speed: 0.16,
  wind_gust: 0.16,
  pressure: 12,
  visibility: 60,
  cape: 12,
  snow_level: 12,
  cloud_ceiling: 40,
  precip_amount: 0.06,
  snow_amount: 0.6,
  ozone: 0.6,
}
/** Fields in percent, and directions in degrees. */
const OTHERWISE = 1.1

export const toleranceOf = (name: string): number => TOLERANCES[name] ?? OTHERWISE

/** Fetches the messages that provenance names and decodes them at a place. */
export class Decoder {
  readonly #upstream: Upstream
  readonly #messages = new Map<string, Promise<Message>>()
  readonly #fields = new Map<Message, Float32Array>()

  constructor(upstream: Upstream) {
    this.#upstream = upstream
  }

  /** Returns the range of an origin at a place, without tolerance; undefined if a message has no value there, or if the value was adjusted. */
  async interval(tables: Tables, index: number | null | undefined, lat: number, lon: number) {
    const origin = index == null ? undefined : tables.origins[index]
    if (!origin || origin.adjusted) return undefined
    const values: Interval[] = []
    for (const number of origin.messages) {
      const named = nth(tables.messages, number)
      const interval = await this.#at(named, nth(tables.files, named.file), lat, lon)
      if (!interval) return undefined
      values.push(interval)
    }
    const [low, high] = [Math.min(...values.map(([a]) => a)), Math.max(...values.map(([, b]) => b))]
    if (origin.interpolation === 'split' || origin.interpolation === 'bound') return [0, high] as const
    // A linear interpolation stays within its two values; a cubic exceeds them by at most a fifth of their range.
    const beyond = origin.interpolation === 'smooth' ? 0.2 * (high - low) : 0
    return [low - beyond, high + beyond] as const
  }

  /** Returns the directions at the grid points around a place in every message of an origin, degrees. */
  async directions(tables: Tables, index: number | null | undefined, lat: number, lon: number) {
    const origin = index == null ? undefined : tables.origins[index]
    if (!origin || origin.adjusted) return undefined
    const directions: number[] = []
    for (const number of origin.messages) {
      const { file, byte_range, v_byte_range } = nth(tables.messages, number)
      const { url } = nth(tables.files, file)
      const message = await this.#fetch(url, byte_range)
      const first = this.#around(message, lat, lon)
      if (!v_byte_range) directions.push(...first.map(({ value }) => value))
      else {
        const second = this.#around(await this.#fetch(url, v_byte_range), lat, lon)
        for (const [k, { value: u, i, j }] of first.entries()) {
          const v = nth(second, k).value
          const turn = message.grid.uvRelativeToGrid ? message.grid.windRotation(i, j) : 0
          const east = u * Math.cos(turn) + v * Math.sin(turn)
          const north = v * Math.cos(turn) - u * Math.sin(turn)
          directions.push(((Math.atan2(-east, -north) * 180) / Math.PI + 360) % 360)
        }
      }
    }
    return directions
  }

  async #at(named: Named, { url, dataset_id }: File, lat: number, lon: number): Promise<Interval | undefined> {
    const message = await this.#fetch(url, named.byte_range)
    if (dataset_id.startsWith('mrms-')) return measured(this.#around(message, lat, lon, true))
    const wants = gridDatasets.find(({ id }) => id === dataset_id)!.wants
    const want = wants.find((candidate) => wantedVariables(candidate).includes(named.variable))!
    if (want.kind === 'wind') {
      const vMessage = await this.#fetch(url, named.v_byte_range!)
      const [u, v] = [message, vMessage].map((component) => mean(this.#around(component, lat, lon)))
      return u === undefined || v === undefined ? undefined : [Math.hypot(u, v), Math.hypot(u, v)]
    }
    const around = this.#around(message, lat, lon, variable(named.variable).space === 'nearest')
    if (want.kind !== 'scalar') return range(mean(around))
    if (want.missing?.some((none) => around.some(({ value }) => Math.abs(value - none) < 1))) return undefined
    const value = mean(around)
    return value === undefined ? undefined : range(value * (want.scale ?? 1) + (want.offset ?? 0))
  }

  /** Fetches the byte range and decodes it as exactly one message. */
  #fetch(url: string, bytes: [number, number] | null): Promise<Message> {
    if (!bytes) throw new Error(`no byte range in ${url}`)
    const key = `${url} ${bytes[0]}`
    let fetched = this.#messages.get(key)
    if (!fetched) {
      fetched = this.#upstream.get(url, { range: bytes }).then((answer) => {
        const zipped = answer.bytes[0] === 0x1f && answer.bytes[1] === 0x8b
        const grib = zipped ? gunzipSync(answer.bytes) : answer.bytes
        const [message, ...more] = [...readMessages(grib)]
        expect([message!.offset, message!.byteLength, more.length]).toEqual([0, grib.length, 0])
        expect(answer.bytes.length).toBe(bytes[1] - bytes[0] + 1)
        return message!
      })
      this.#messages.set(key, fetched)
    }
    return fetched
  }

  #around(message: Message, lat: number, lon: number, nearest = false): Point[] {
    const { nx } = message.grid
    let values = this.#fields.get(message)
    if (!values) this.#fields.set(message, (values = message.values()))
    const [x, y] = message.grid.toIndex(lat, lon)
    const point = (i: number, j: number, weight: number): Point => ({ i, j, weight, value: nth(values, j * nx + i) })
    if (nearest) return [point(Math.round(x), Math.round(y), 1)]
    const [i, j] = [Math.floor(x), Math.floor(y)]
    const [u, v] = [x - i, y - j]
    return [
      point(i, j, (1 - u) * (1 - v)),
      point(i + 1, j, u * (1 - v)),
      point(i, j + 1, (1 - u) * v),
      point(i + 1, j + 1, u * v),
    ]
  }
}

interface Point {
  readonly i: number
  readonly j: number
  readonly weight: number
  readonly value: number
}

function mean(points: readonly Point[]): number | undefined {
  const sum = points.reduce((total, { weight, value }) => total + weight * value, 0)
  return Number.isNaN(sum) ? undefined : sum
}

const range = (value: number | undefined): Interval | undefined => (value === undefined ? undefined : [value, value])

/** In MRMS, -1 means dry and -3 means no coverage. */
function measured([point]: readonly Point[]): Interval | undefined {
  if (point!.value <= -2) return undefined
  return range(Math.max(0, point!.value))
}

/** Returns whether a direction lies on the shortest arc that contains the other directions. */
export function onArc(direction: number, directions: readonly number[], tolerance: number): boolean {
  const from = nth(directions, 0)
  const offsets = directions.map((other) => ((other - from + 540) % 360) - 180)
  const [low, high] = [Math.min(...offsets), Math.max(...offsets)]
  if (high - low > 170) return true
  const offset = ((direction - from + 540) % 360) - 180
  return [offset - 360, offset, offset + 360].some((angle) => angle >= low - tolerance && angle <= high + tolerance)
}
