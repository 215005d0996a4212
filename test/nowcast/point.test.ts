import { describe, expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { precipTypes, typeAtSurface } from '../../ingest/domain/weather/precip-type.ts'
import { nowcastBoxes, nowcastSteps, originsOf } from '../../ingest/nowcast/point.ts'
import { intensityOf, type StepType, summarise } from '../../ingest/nowcast/summary.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'

const ANCHOR = Date.parse('2026-08-20T12:00:00Z')

/** `.` is dry, `r` rain, `s` snow, `f` freezing rain, `x` no coverage; each character is five minutes. */
function steps(text: string, rate = 1) {
  const types: Record<string, StepType> = { '.': 'none', r: 'rain', s: 'snow', f: 'freezing_rain', x: 'no_coverage' }
  return [...text].map((letter, k) => ({
    time: ANCHOR + 5 * k * MINUTE,
    type: entryOf(types, letter),
    rate: 'rsf'.includes(letter) ? rate : 0,
  }))
}
const summaryOf = (text: string, now = ANCHOR) => {
  const { startsAt, endsAt, ...rest } = summarise(steps(text), 5, now)
  const minute = (at: number | undefined) => (at === undefined ? undefined : (at - ANCHOR) / MINUTE)
  return { starts: minute(startsAt), ends: minute(endsAt), ...rest }
}

describe('the summary', () => {
  test('begins at the first of two wet steps and ends after the first unbroken run', () => {
    expect(summaryOf('....rr....')).toMatchObject({ starts: 20, ends: 30, durationMinutes: 10, type: 'rain' })
    expect(summaryOf('.r..rrr.rr')).toMatchObject({ starts: 20, ends: 35, durationMinutes: 15 })
    expect(summaryOf('rrr.......', ANCHOR)).toMatchObject({ starts: 0, ends: 15, alreadyOccurring: true })
  })
  test('needs more than a single wet step', () => {
    expect(summaryOf('...r......')).toEqual({
      starts: undefined,
      ends: undefined,
      type: 'none',
      peakIntensity: 'none',
      alreadyOccurring: false,
    })
    expect(summaryOf('..........')).toMatchObject({ type: 'none' })
  })
  test('has no end and no duration if it is wet to the horizon', () => {
    const open = summaryOf('.....rrrrr')
    expect(open).toMatchObject({ starts: 25, ends: undefined, type: 'rain' })
    expect(open.durationMinutes).toBeUndefined()
  })
  test('ends at missing coverage, and does not report dry weather if the end of the period is not covered', () => {
    expect(summaryOf('..rrx.rr..')).toMatchObject({ starts: 10, ends: 20 })
    expect(summaryOf('xxxxxxxxxx')).toMatchObject({ type: 'unknown' })
  })
  test('decides by the time of the request whether precipitation already occurs', () => {
    expect(summaryOf('.rr.......', ANCHOR + 4 * MINUTE).alreadyOccurring).toBe(false)
    expect(summaryOf('.rr.......', ANCHOR + 5 * MINUTE).alreadyOccurring).toBe(true)
  })
  test('skips an episode that is over at the time of the request', () => {
    expect(summaryOf('rr...rr...', ANCHOR + 9 * MINUTE)).toMatchObject({ starts: 0, ends: 10, alreadyOccurring: true })
    expect(summaryOf('rr...rr...', ANCHOR + 10 * MINUTE)).toMatchObject({
      starts: 25,
      ends: 35,
      alreadyOccurring: false,
    })
    expect(summaryOf('rr........', ANCHOR + 12 * MINUTE)).toMatchObject({ starts: undefined, type: 'none' })
  })
  test('has the most frequent type, or the more hazardous of equal types', () => {
    expect(summaryOf('..rrrs....').type).toBe('rain')
    expect(summaryOf('..rrff....').type).toBe('freezing_rain')
  })
  test('takes the intensity from the rate, with lower thresholds for snow', () => {
    expect([0.05, 0.1, 2.5, 7.6, 50].map((rate) => intensityOf(rate, 'rain'))).toEqual([
      'none',
      'light',
      'moderate',
      'heavy',
      'violent',
    ])
    expect(intensityOf(1.5, 'snow')).toBe('moderate')
    expect(intensityOf(9, 'no_coverage')).toBe('none')
  })
})

describe('the type at the surface', () => {
  const cold = { temperature: 271, wetBulb: 270.5 }
  test.each([
    ['rain on warm ground', 1, { temperature: 290, wetBulb: 288 }, 'rain'],
    ['rain with a wet bulb below freezing', 6, cold, 'freezing_rain'],
    ['cool stratiform rain just above freezing', 10, { temperature: 275, wetBulb: 273.9 }, 'wintry_mix'],
    ['convective rain just above freezing', 6, { temperature: 275, wetBulb: 273.9 }, 'rain'],
    ['snow', 3, cold, 'snow'],
    ['snow by the flag in warm air', 3, { temperature: 280, wetBulb: 278 }, 'rain'],
    ['sleet by the model', 1, { temperature: 272.5, wetBulb: 272, icePellets: true }, 'wintry_mix'],
    ['rain and snow by the model', 10, { temperature: 274.5, wetBulb: 273.6, rain: true, snow: true }, 'wintry_mix'],
    ['freezing rain by the model', 1, { temperature: 273.4, freezingRain: true }, 'freezing_rain'],
    ['rain on frozen ground, rain and snow by the model', 10, { ...cold, rain: true, snow: true }, 'freezing_rain'],
    ['rain on frozen ground in dry air', 1, { temperature: 272.9, wetBulb: 270 }, 'freezing_rain'],
    ['dry air at 36 °F is never freezing rain', 6, { temperature: 275.4, wetBulb: 272, freezingRain: true }, 'rain'],
    [
      'stratiform rain into dry air at 36 °F',
      1,
      { temperature: 275.4, wetBulb: 272, freezingRain: true },
      'wintry_mix',
    ],
    ['rain by the flag in air of −8 °C', 1, { temperature: 265, wetBulb: 264 }, 'snow'],
    ['no flag, freezing rain by the model in warm air', undefined, { temperature: 274, freezingRain: true }, 'rain'],
    ['no flag, nothing known', undefined, {}, 'unknown'],
    ['no flag, snow by the model', undefined, { snow: true }, 'snow'],
    ['a flag of no precipitation at a wet step', 0, {}, 'unknown'],
    ['rain, with unknown air', 1, {}, 'rain'],
  ] as const)('%s', (_, flag, air, type) => {
    expect(fallenType(flag, air)).toBe(type)
  })
})

test('never differs between sections for the same air', () => {
  for (let temperature = 258; temperature < 285; temperature += 0.25) {
    for (const flag of [1, 3, 6, 10]) {
      for (let bits = 0; bits < 16; bits++) {
        const [rain, snow, freezingRain, icePellets] = [1, 2, 4, 8].map((bit) => (bits & bit) !== 0)
        const type = fallenType(flag, { temperature, wetBulb: temperature - 1, rain, snow, freezingRain, icePellets })
        const code = precipTypes.indexOf(type)
        expect(typeAtSurface(code, temperature, Number.NaN)).toBe(code)
      }
    }
  }
})

describe('steps at a point', () => {
  const uniform = (u: number, v: number) => {
    const count = 20 * 20
    return {
      nx: 20,
      ny: 20,
      spacing: 50,
      u: new Float32Array(count).fill(u),
      v: new Float32Array(count).fill(v),
      quality: new Float32Array(count).fill(1),
    }
  }
  const spread = { least: 1, perMinute: 0.2 }

  test('shows an echo from the west at the right time', () => {
    const motion = uniform(2, 0)
    const rate = (x: number, y: number) => (x < 0 ? Number.NaN : x >= 300 && x <= 340 && y > 0 ? 4 : 0)
    const at = { x: 400, y: 500 }
    const summaryOf = nowcastSteps(originsOf(motion, at), rate, { least: 1, perMinute: 0.6 })
    expect(summaryOf.length).toBe(19)
    const wet = summaryOf.filter((step) => step.rate >= 0.1).map(({ minutes }) => minutes)
    expect(wet).toEqual([30, 35, 40, 45, 50])
    // Before and after this time the neighbourhood is already wet.
    const chance = (minutes: number) => summaryOf.find((step) => step.minutes === minutes)!.probability
    expect(chance(0)).toBe(0)
    expect(chance(40)).toBeGreaterThan(0.7)
    expect(chance(25)).toBeGreaterThan(0)
    expect(chance(25)).toBeLessThan(0.6)
  })

  test('marks air from outside the network as unknown and not as dry', () => {
    const summaryOf = nowcastSteps(
      originsOf(uniform(3, 0), { x: 100, y: 300 }),
      (x) => (x < 0 ? Number.NaN : 0),
      spread,
    )
    expect(nth(summaryOf, 0).rate).toBe(0)
    expect(nth(summaryOf, 18).rate).toBeNaN()
    expect(nth(summaryOf, 18).probability).toBeNaN()
  })

  test('read only inside the boxes', () => {
    const origins = originsOf(uniform(2.3, -1.1), { x: 512.4, y: 300.7 })
    const boxes = nowcastBoxes(origins, spread)
    nowcastSteps(
      origins,
      (x, y) => {
        expect(boxes.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom)).toBe(
          true,
        )
        return 0
      },
      spread,
    )
  })
})
