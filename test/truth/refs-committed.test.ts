import { readFileSync } from 'node:fs'
import { type Message, readMessages } from 'grib2-wasm'
import { expect, test } from 'vitest'
import { identityOf } from '../../ingest/decode/grib-product.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { refsFiles } from '../cases/grib/refs.ts'

/** What ecCodes reads from a message of REFS; a limit without a value is null. */
interface Oracle extends Readonly<Record<string, number | null | readonly (readonly [number, number])[]>> {
  readonly samples: readonly (readonly [index: number, value: number])[]
}

const folder = new URL('../cases/grib/', import.meta.url)
const oracle = JSON.parse(readFileSync(new URL('refs-oracle.json', folder), 'utf8')) as Record<string, Oracle[]>
const messagesOf = (name: string) => [...readMessages(readFileSync(new URL(name, folder)))]

/** The time of a date such as 20261121 and an hour and minute such as 1800. */
const instantOf = (date: number, time: number) =>
  Date.UTC(
    Math.floor(date / 10_000),
    (Math.floor(date / 100) % 100) - 1,
    date % 100,
    Math.floor(time / 100),
    time % 100,
  )
const scaled = (scale: unknown, value: unknown) => Number(value) / 10 ** Number(scale)

/** The keys of ecCodes as the identity of a message. */
function identityBy(keys: Oracle) {
  const key = (name: string) => Number(keys[name])
  const template = key('productDefinitionTemplateNumber')
  const isProbability = template === 5 || template === 9
  const isInterval = template === 9 || template === 12
  const below = { below: scaled(keys['scaleFactorOfLowerLimit'], keys['scaledValueOfLowerLimit']) }
  const above = { above: scaled(keys['scaleFactorOfUpperLimit'], keys['scaledValueOfUpperLimit']) }
  return {
    discipline: key('discipline'),
    category: key('parameterCategory'),
    number: key('parameterNumber'),
    surface: key('typeOfFirstFixedSurface'),
    level: key('level'),
    windowHours: isInterval ? key('lengthOfTimeRange') : 0,
    process: isInterval ? key('typeOfStatisticalProcessing') : undefined,
    percentile: undefined,
    probability: isProbability ? (key('probabilityType') === 0 ? below : above) : undefined,
    derived: isProbability ? undefined : key('derivedForecast'),
    constituent: undefined,
    run: instantOf(key('dataDate'), key('dataTime')),
    validTime: instantOf(key('validityDate'), key('validityTime')),
  }
}

const membersOf = ({ product }: Message) => product.probability?.total ?? product.derived?.members
const ecMembers = (keys: Oracle) => keys['totalNumberOfForecastProbabilities'] ?? keys['numberOfForecastsInEnsemble']

test.each(Object.keys(oracle))(
  '%s: parameter, level, limits, members, window, times and values as ecCodes reads them',
  (name) => {
    const messages = messagesOf(name)
    const expected = entryOf(oracle, name)
    expect(messages).toHaveLength(expected.length)
    for (const [i, message] of messages.entries()) {
      const keys = entryOf(expected, i)
      const { level, ...identity } = identityOf(message.product)
      const about = `${name} ${i + 1}`
      expect({ ...identity, level: level ?? 0 }, about).toEqual(identityBy(keys))
      expect([message.product.template, message.packing.template], about).toEqual([
        keys['productDefinitionTemplateNumber'],
        keys['dataRepresentationTemplateNumber'],
      ])
      expect(membersOf(message), about).toBe(ecMembers(keys))
      const values = message.values()
      expect(values.length, about).toBe(keys['numberOfDataPoints'])
      for (const [k, value] of keys.samples) expect(values[k], `${about}, value ${k}`).toBeCloseTo(value, 4)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      expect(mean, about).toBeCloseTo(Number(keys['mean']), 3)
    }
  },
)

test.each(refsFiles)(
  '$name: ecCodes reads the simulated chances, means and spreads to half a step of the packing',
  ({ name, messages }) => {
    const expected = entryOf(oracle, `${name}.grib2`)
    expect(messages).toHaveLength(expected.length)
    for (const [i, { values, packing, product, scene }] of messages.entries()) {
      const keys = entryOf(expected, i)
      const step = 2 ** (packing.binary ?? 0) / 10 ** packing.decimal
      for (const [k, value] of keys.samples)
        expect(Math.abs(value - Number(values[k])), `${name} ${i + 1}, value ${k}`).toBeLessThanOrEqual(step / 2 + 1e-3)
      expect(ecMembers(keys), `${name} ${i + 1}`).toBe(product.probability?.total ?? 255)
      expect(identityBy(keys).validTime).toBe(scene.run + scene.leadHours * HOUR)
    }
  },
)

test('the messages have every template, side, window and count of REFS', () => {
  const all = Object.values(oracle).flat()
  const distinct = (name: string) =>
    [...new Set(all.map((keys) => keys[name]))].filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
  expect(distinct('productDefinitionTemplateNumber')).toEqual([2, 5, 9, 12])
  expect(distinct('derivedForecast')).toEqual([1, 4])
  expect(distinct('probabilityType')).toEqual([0, 1])
  expect(distinct('lengthOfTimeRange')).toEqual([1, 6, 24])
  expect(distinct('totalNumberOfForecastProbabilities')).toEqual([6, 12, 13, 14])
  // ecCodes encoded the last file itself.
  expect(distinct('dataRepresentationTemplateNumber')).toEqual([0, 3])
})
