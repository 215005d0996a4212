import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { GribError, type Message, readMessages } from 'grib2-wasm'
import { afterAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'

const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/', import.meta.url))

interface Sample {
  readonly index: number
  readonly streamIndex: number
  readonly lat: number | null
  readonly lon: number | null
  readonly value: number | null
}

/** The output of ecCodes for one message. */
type Oracle = Readonly<Record<string, number | string>> & {
  readonly samples: readonly Sample[]
  readonly informativeSamples?: readonly Sample[]
}

interface OracleFile {
  readonly file: string
  readonly messages: readonly Oracle[]
}

function oracles(): OracleFile[] {
  if (!existsSync(`${fixtures}oracle`)) return []
  return readdirSync(`${fixtures}oracle`)
    .filter((name) => !/^(glm|nexrad)/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(`${fixtures}oracle/${name}`, 'utf8')))
}

function octets(file: string): Uint8Array {
  const raw = readFileSync(fixtures + file)
  return file.endsWith('.gz') ? gunzipSync(raw) : raw
}

const all = oracles()
const files = all.filter(({ messages }) => messages[0]?.edition === 2)
const others = all.filter(({ messages }) => messages[0]?.edition !== 2)
let messages = 0
let values = 0
let places = 0

const METADATA: readonly (readonly [key: string, of: (message: Message) => unknown])[] = [
  ['discipline', ({ product }) => product.discipline],
  ['parameterCategory', ({ product }) => product.category],
  ['parameterNumber', ({ product }) => product.number],
  ['productDefinitionTemplateNumber', ({ product }) => product.template],
  ['significanceOfReferenceTime', ({ product }) => product.referenceSignificance],
  ['dataDate', ({ product }) => Number(product.referenceTime.toISOString().slice(0, 10).replaceAll('-', ''))],
  ['dataTime', ({ product }) => product.referenceTime.getUTCHours() * 100 + product.referenceTime.getUTCMinutes()],
  ['second', ({ product }) => product.referenceTime.getUTCSeconds()],
  ['offset', ({ offset }) => offset],
  ['gridDefinitionTemplateNumber', ({ grid }) => grid.template],
  ['Nx', ({ grid }) => grid.nx],
  ['Ny', ({ grid }) => grid.ny],
  ['scanningMode', ({ grid }) => grid.scan],
  ['uvRelativeToGrid', ({ grid }) => Number(grid.uvRelativeToGrid)],
  ['dataRepresentationTemplateNumber', ({ packing }) => packing.template],
  ['bitsPerValue', ({ packing }) => packing.bits],
  ['referenceValue', ({ packing }) => packing.reference],
  ['binaryScaleFactor', ({ packing }) => packing.binaryScale],
  ['decimalScaleFactor', ({ packing }) => packing.decimalScale],
  ['percentileValue', ({ product }) => product.percentile],
  ['probabilityType', ({ product }) => product.probability?.type],
  ['derivedForecast', ({ product }) => product.derived?.type],
  ['typeOfStatisticalProcessing', ({ product }) => product.ranges?.[0]?.process],
]

function statistics(field: Float32Array) {
  let [min, max, sum, missing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (const value of field) {
    if (Number.isNaN(value)) missing++
    else {
      sum += value
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  return { min, max, missing, average: sum / (field.length - missing) }
}

/** Returns all differences between a message and its oracle, in words. */
function differences(message: Message, oracle: Oracle): string[] {
  const wrong: string[] = []
  for (const [key, readKey] of METADATA) {
    const expected = oracle[key]
    if (expected === undefined) continue
    if (readKey(message) !== expected) wrong.push(`${key}: must be ${expected}, but is ${readKey(message)}`)
  }
  const { grid, packing } = message
  const field = message.values()
  const near = (name: string, actual: number, expected: number) => {
    const allowed = Math.max(1e-5 * Math.abs(expected), packing.quantum / 2)
    if (!(Math.abs(actual - expected) <= allowed)) wrong.push(`${name}: must be ${expected}, but is ${actual}`)
  }
  const { min, max, missing, average } = statistics(field)
  if (missing !== oracle.missingCount) wrong.push(`missing: must be ${oracle.missingCount}, but is ${missing}`)
  if (missing < field.length) {
    near('min', min, Number(oracle.min))
    near('max', max, Number(oracle.max))
    near('mean', average, Number(oracle.average))
  }
  for (const sample of [...oracle.samples, ...(oracle.informativeSamples ?? [])]) {
    // The oracle numbers the points of column-major messages in the order of the data section.
    const [i, j] =
      grid.scan & 0x20
        ? [Math.floor(sample.streamIndex / grid.ny), sample.streamIndex % grid.ny]
        : [sample.index % grid.nx, Math.floor(sample.index / grid.nx)]
    const value = field[j * grid.nx + i] ?? Number.NaN
    values++
    if (sample.value === null) {
      if (!Number.isNaN(value)) wrong.push(`(${i}, ${j}): must be missing, but is ${value}`)
    } else near(`(${i}, ${j})`, value, sample.value)
    if (sample.lat === null || sample.lat === undefined || sample.lon === null) continue
    places++
    const [lat, lon] = grid.toLatLon(i, j)
    const turn = Math.abs(((((lon - sample.lon) % 360) + 540) % 360) - 180)
    if (!(Math.abs(lat - sample.lat) < 1e-4 && turn < 1e-4)) {
      wrong.push(`(${i}, ${j}): must be at ${sample.lat}, ${sample.lon}, but is at ${lat}, ${lon}`)
    }
    const [x, y] = grid.toIndex(lat, lon)
    if (!(Math.abs(x - i) < 1e-6 && Math.abs(y - j) < 1e-6)) wrong.push(`(${i}, ${j}) and back: got (${x}, ${y})`)
  }
  return wrong
}

describe.skipIf(files.length === 0)('every GRIB2 fixture agrees with ecCodes (skipped: no fixtures)', () => {
  test.each(files)('$file', ({ file, messages: expected }) => {
    const read = [...readMessages(octets(file))]
    expect(read.length).toBe(expected.length)
    for (const [k, oracle] of expected.entries()) {
      expect(differences(nth(read, k), oracle), `message ${k + 1}`).toEqual([])
      messages++
    }
  })

  test.each(others)('$file is refused: it is not GRIB2', ({ file }) => {
    const read = () => [...readMessages(octets(file))]
    expect(read).toThrow(GribError)
    expect(read).toThrow('GRIB2 section 0, octet 8: expected GRIB edition 2, but found edition 1')
  })

  afterAll(() => {
    console.log(`${messages} messages in ${files.length} files agree: ${values} sampled values, ${places} places`)
  })
})
