import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Instant, runName } from '../../domain/time.ts'
import { elementsOf, type IssuedForecasts } from '../../domain/verification/forecast.ts'

const folder = 'verification/v1/issued'
const FORMAT = 1
/** Codes of a missing value, and of an unlimited ceiling. */
const MISSING = -32768
const UNLIMITED = 32767
/** Steps of the stored values: 0.1 °C, 0.1 m/s, 1 %, 10 m, 10 m, 1 %; 0.1 °C for days. */
const quanta = { hour: [0.1, 0.1, 0.1, 0.1, 1, 10, 10, 1], day: [0.1, 0.1] } as const
/** Largest file that is read: 4,000 stations. */
const MAX_BYTES = 16 * 1_048_576

/** Key prefix of the forecasts that verify at an hour. */
export function issuedPrefix(valid: Instant): string {
  return `${folder}/${runName(valid)}/`
}

export const issuedFolder = `${folder}/`

export function issuedKey({ kind, valid, issued, leadHours }: IssuedForecasts): string {
  return `${issuedPrefix(valid)}${kind}-${String(leadHours).padStart(3, '0')}-${runName(issued)}`
}

type Head = Omit<IssuedForecasts, 'values'> & { readonly format: number }

/** Encodes forecasts as an object: a line of JSON, then a 16-bit code for each value, compressed. */
export function packIssued({ values, ...about }: IssuedForecasts): Uint8Array {
  const head: Head = { format: FORMAT, ...about }
  const codes = new Int16Array(values.length)
  const steps = quanta[about.kind]
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    codes[i] = Number.isNaN(value)
      ? MISSING
      : Math.max(MISSING + 1, Math.min(UNLIMITED, Math.round(value / nth(steps, i % steps.length))))
  }
  const text = new TextEncoder().encode(`${JSON.stringify(head)}\n`)
  const bytes = new Uint8Array(text.length + codes.byteLength)
  bytes.set(text)
  bytes.set(new Uint8Array(codes.buffer), text.length)
  return zstdCompressSync(bytes)
}

/** @throws Fault Corrupt */
export function readIssued(key: string, packed: Uint8Array): IssuedForecasts {
  const corrupt = (what: string, cause?: unknown) =>
    new Fault('Corrupt', `object ${key}: not readable as issued forecasts, because ${what}`, { key }, cause)
  let bytes: Uint8Array
  let head: Head
  let end: number
  try {
    bytes = zstdDecompressSync(packed, { maxOutputLength: MAX_BYTES })
    end = bytes.indexOf(10)
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Head
  } catch (error) {
    throw corrupt('its bytes cannot be unpacked', error)
  }
  if (head.format !== FORMAT) throw corrupt(`its format must be ${FORMAT}, but is ${head.format}`)
  const steps = quanta[head.kind]
  const count = head.stations.length * head.sources.length * elementsOf(head.kind).length
  // The bytes are copied, because 16-bit views begin at even offsets.
  const body = Uint8Array.from(bytes.subarray(end + 1))
  if (body.byteLength !== 2 * count)
    throw corrupt(`it must have ${2 * count} bytes of values, but has ${body.byteLength}`)
  const codes = new Int16Array(body.buffer, 0, count)
  // A plain loop takes a tenth of the time of Float32Array.from, for twenty million codes a day.
  const values = new Float32Array(count)
  for (const [element, step] of steps.entries())
    for (let i = element; i < count; i += steps.length) {
      const code = codes[i]!
      values[i] = code === MISSING ? Number.NaN : code === UNLIMITED ? Number.POSITIVE_INFINITY : code * step
    }
  const { format: _, ...about } = head
  return { ...about, values }
}
