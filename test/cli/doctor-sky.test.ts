import { expect, test } from 'vitest'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { nowcastRules } from '../../bin/doctor/nowcast-rules.ts'
import { skyRules } from '../../bin/doctor/sky-rules.ts'
import { typeRules } from '../../bin/doctor/type-rules.ts'

const sky = { cloud_cover: 95, cloud_cover_low: 40, cloud_cover_mid: 95, cloud_cover_high: 0, visibility: 2 }

/** Moderate rain at 05:12, and steps of the nowcast that continue it for 90 minutes. */
const answer = (): AnyJson => ({
  units: { precip_amount: 'mm', visibility: 'km' },
  meta: { generated_at: '2026-07-04T05:12:00Z', warnings: [] },
  radar: { coverage: 'value', precip_rate: 8 },
  current: { ...sky, time: '2026-07-04T05:12:00Z', precip_type: 'rain', temperature: 10 },
  nowcast: {
    points: Array.from({ length: 18 }, (_, i) => ({
      time: new Date(Date.parse('2026-07-04T05:10:00Z') + i * 300_000).toISOString(),
      type: 'rain',
      precip_rate: 8,
      precip_probability: 60,
    })),
  },
  hourly: ['05', '06', '07'].map((hour) => ({
    ...sky,
    time: `2026-07-04T${hour}:00:00Z`,
    temperature: 10,
    precip_probability: 60,
    precip_amount: 8,
    precip_type: 'rain',
  })),
})

const rules = [...skyRules, ...nowcastRules, ...typeRules]
function brokenBy(change: (answer: AnyJson) => void): string[] {
  const changed = answer()
  change(changed)
  return rules.filter(({ check }) => check(changed).length > 0).map(({ name }) => name)
}

test('finds nothing in an answer whose sky agrees with its rain', () => {
  expect(brokenBy(() => undefined)).toEqual([])
})

const DRY_SKY = 'where the radar or the nowcast has rain or snow the sky is not clear'
const LAYERS = 'the total of clouds is at least the greatest layer and at most their sum'
const CHANCE = 'the chance of an hour agrees with the steps of the nowcast in it'
const FREEZING = 'rain in freezing air is freezing rain'

const changes: readonly [fault: string, rule: string, (answer: AnyJson) => void][] = [
  [
    'few clouds beside rain on radar',
    DRY_SKY,
    ({ current }) => Object.assign(current, { cloud_cover: 40, cloud_cover_mid: 40 }),
  ],
  ['an unlimited ceiling beside rain on radar', DRY_SKY, ({ current }) => (current.cloud_ceiling_unlimited = true)],
  ['a far view in heavy rain', DRY_SKY, ({ current }) => (current.visibility = 16)],
  ['a far view in an hour that the nowcast covers', DRY_SKY, ({ hourly }) => (hourly[1].visibility = 16)],
  ['a total below the greatest layer', LAYERS, ({ hourly }) => (hourly[2].cloud_cover_high = 96)],
  ['a total above the sum of the layers', LAYERS, ({ hourly }) => (hourly[2].cloud_cover_mid = 20)],
  ['a chance far below the steps', CHANCE, ({ hourly }) => (hourly[1].precip_probability = 20)],
  [
    'a chance far above the steps',
    CHANCE,
    ({ nowcast, hourly }) => {
      for (const step of nowcast.points.slice(1))
        Object.assign(step, { type: 'none', precip_rate: 0, precip_probability: 0 })
      hourly[1].precip_probability = 90
    },
  ],
  ['rain in freezing air', FREEZING, ({ hourly }) => (hourly[2].temperature = -1)],
]

test.each(changes)('finds %s', (_, rule, change) => {
  expect(brokenBy(change)).toEqual([rule])
})
