import { expect, test } from 'vitest'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { dayRules } from '../../bin/doctor/day-rules.ts'
import { hourRules } from '../../bin/doctor/hour-rules.ts'
import { violationsOf } from '../../bin/doctor/rules.ts'

/**
 * Twelve minutes after midnight in a storm: the rows of 00:00 and 01:00 belong to the night of 3 July, that of 00:00
 * has fallen.
 */
const answer = () => ({
  location: { timezone: 'America/Chicago' },
  units: { precip_amount: 'in' },
  meta: { generated_at: '2026-07-04T05:12:00Z', warnings: [] },
  radar: { coverage: 'value', precip_rate: 0.6 },
  current: { conditions: 'Thunderstorms', precip_type: 'rain', lightning_prob: 100, temperature: 84 },
  hourly: ['05', '06', '07'].map((hour, i) => ({
    time: `2026-07-04T${hour}:00:00Z`,
    temperature: 84,
    feels_like: 90,
    precip_probability: [91, 80, 0][i],
    precip_amount: [0.602, 0.362, 0][i],
    snow_amount: 0,
    thunderstorm_probability: [91, 80, 0][i],
    precip_type: ['rain', 'rain', 'none'][i],
    conditions: ['Thunderstorms', 'Thunderstorms', 'Clear'][i],
    thunder_possible: i < 2,
  })),
  daily: [
    {
      date: '2026-07-03',
      active_period: 'night',
      high: 95,
      low: 82,
      feels_like_high: 99,
      feels_like_low: 85,
      precip_probability: 91,
      precip_total: 1.2,
      snow_total: 0,
      thunderstorm_probability_max: 100,
      conditions: 'Thunderstorms',
      thunder_possible: true,
      day: { temperature: 95, precip_total: 0.236, snow_total: 0, precip_type: 'rain', conditions: 'Rain' },
      night: {
        temperature: 82,
        precip_probability: 91,
        precip_total: 0.362,
        snow_total: 0,
        precip_type: 'rain',
        conditions: 'Thunderstorms',
        thunder_possible: true,
        narrative: 'Thunderstorms, mainly before 1 AM. Low near 82. Rain between a quarter and half an inch.',
      },
    },
  ],
  narrations: {
    short_term:
      'Tonight: thunderstorms, falling to 82°F by 5 AM. Thunderstorms expected, mainly 12 AM to 1 AM. Wind gusts to 40 mph.',
  },
})

const brokenBy = (change: (answer: AnyJson) => void): string[] => {
  const changed: AnyJson = answer()
  change(changed)
  return [...new Set(violationsOf(changed).map(({ rule }) => rule))]
}

test('an answer that agrees with itself breaks no rule', () => {
  expect(violationsOf(answer())).toEqual([])
})

const changes: readonly [rule: string, (answer: AnyJson) => void][] = [
  [
    'the total of a day is the sum of its hours, or at least of its remaining hours',
    ({ daily }) => (daily[0].precip_total = 0.396),
  ],
  [
    'the total of the running half is the sum of its remaining hours',
    ({ daily }) => (daily[0].night.precip_total = 0.45),
  ],
  [
    'the probability of thunder of a day is at least that of its hours',
    ({ daily }) => (daily[0].thunderstorm_probability_max = 61),
  ],
  ['lows and feels-like extremes include those of their hours', ({ daily }) => (daily[0].feels_like_low = 90.1)],
  [
    'the type of a half that has passed follows from its measured amount',
    ({ daily }) => (daily[0].day.precip_total = 0),
  ],
  [
    'a half with half an inch of snow is not called rain',
    ({ daily }) => {
      Object.assign(daily[0].night, { snow_total: 0.6, narrative: 'Rain, changing to snow after 1 AM. Low near 32.' })
    },
  ],
  [
    'a narrative names the amount of its half',
    ({ daily }) => (daily[0].night.narrative = 'Thunderstorms. Low near 82. Rain around half an inch.'),
  ],
  [
    'a narrative names the new snow of its half',
    ({ daily }) => {
      Object.assign(daily[0].night, { narrative: 'Snow. Low near 20. New snow of around an inch.', snow_total: 0.53 })
    },
  ],
  [
    'a narrative mentions more than a tenth of an inch of snow',
    ({ daily }) => {
      Object.assign(daily[0].night, { narrative: 'Rain. Low near 35.', snow_total: 0.47 })
    },
  ],
  [
    'a narrative names no rain where the type is not known',
    ({ daily }) => {
      Object.assign(daily[0].night, {
        narrative: 'Precipitation. Low near 35. Rain between a quarter and half an inch.',
        precip_type: 'unknown',
      })
    },
  ],
  [
    'a narrative of snow gives no amount of its liquid as precipitation',
    ({ daily }) => {
      const narrative = 'Snow. Low near 20. Precipitation between a quarter and half an inch.'
      Object.assign(daily[0].night, { narrative, precip_type: 'snow' })
    },
  ],
  [
    'a narrative names no more snow than its day has',
    ({ daily }) => (daily[0].night.narrative = 'Snow. Low near 20. New snow of 2 to 3 inches.'),
  ],
  [
    'a narrative with likely precipitation names no clear sky',
    ({ daily }) => (daily[0].night.narrative = 'Thunderstorms. Mostly clear, with a low near 82.'),
  ],
  [
    'narrations name no hour outside of their part of the day',
    ({ narrations }) => (narrations.short_term = 'Tonight: clear, falling to 42°F by 11 AM. Thunderstorms expected.'),
  ],
  [
    'narrations name no slight chance in the part of the day in which precipitation is expected',
    ({ narrations }) =>
      (narrations.short_term =
        'Tonight: slight chance of thunderstorms, near 84°F. Thunderstorms expected (91 percent), mainly 12 AM to 2 AM. Thunderstorms expected.'),
  ],
]

test.each(changes)('%s', (rule, change) => {
  expect(brokenBy(change)).toEqual([rule])
})

const hourChanges: readonly [rule: string, (answer: AnyJson) => void][] = [
  ['an hour with a chance of 15 % has an amount', ({ hourly }) => (hourly[2].precip_probability = 15)],
  ['an hour with an amount has a chance of at least 5 %', ({ hourly }) => (hourly[2].precip_amount = 0.007)],
  [
    'the amount of an hour is possible with its chance',
    ({ hourly }) => Object.assign(hourly[2], { precip_amount: 0.7, precip_probability: 13 }),
  ],
  ['words of an hour name precipitation from a chance of 15 %', ({ hourly }) => (hourly[2].precip_probability = 100)],
  [
    'thunder of an hour is at most as likely as its precipitation',
    ({ hourly }) => (hourly[2].thunderstorm_probability = 30),
  ],
  ['an hour with likely thunderstorms has clouds', ({ hourly }) => (hourly[1].cloud_cover = 10)],
  [
    'the hour in which the nowcast begins rain has a chance',
    (answer) => {
      answer.nowcast = { summary: { starts_at: '2026-07-04T06:10:00Z' }, points: [] }
    },
  ],
]

test.each(hourChanges)('finds that %s', (rule, change) => {
  expect(brokenBy(change)).toContain(rule)
})

test('has a case for each rule about an hour', () => {
  expect(hourChanges.map(([rule]) => rule)).toEqual(hourRules.map(({ name }) => name))
})

test('a slight chance stands beside no part of the day in which precipitation is expected', () => {
  const rule = 'narrations name no slight chance in the part of the day in which precipitation is expected'
  const brokenWith = (text: string) => brokenBy(({ narrations }) => (narrations.short_term = text)).includes(rule)
  expect(brokenWith('Tonight: slight chance rain. Rain expected (90 percent), mainly 11 PM to 2 AM.')).toBe(true)
  expect(brokenWith('Tonight: slight chance rain. Rain expected (90 percent).')).toBe(true)
  expect(brokenWith('Tonight: slight chance rain. Rain expected (90 percent), mainly 8 AM to 10 AM.')).toBe(false)
  expect(brokenWith('Tonight: slight chance rain, near 44°F. Rain slight chance (22 percent).')).toBe(false)
})

test('likely thunder is in the narration', () => {
  const rule = 'narrations name likely thunder'
  const changed: AnyJson = answer()
  const [first, second, ...rest] = changed.hourly
  const more = Array.from({ length: 10 }, (_, i) => ({
    ...rest[0],
    time: `2026-07-04T${String(7 + i).padStart(2, '0')}:00:00Z`,
  }))
  changed.hourly = [first, second, ...more]
  changed.narrations.short_term = 'Tonight: thunderstorms, near 84°F. Thunderstorms possible.'
  expect(violationsOf(changed).map((violation) => violation.rule)).toContain(rule)
  const other = 'thunder that narrations expect is in the words of an hour'
  changed.narrations.short_term = 'Tonight: showers, near 84°F. Thunderstorms expected.'
  for (const row of changed.hourly) row.conditions = 'Rain Showers'
  expect(violationsOf(changed).map((violation) => violation.rule)).toContain(other)
  const others = [rule, other]
  expect(dayRules.map(({ name }) => name)).toEqual([...changes.map(([name]) => name), ...others])
})

test('an hour has what the nowcast brings in it', () => {
  const rule = 'the amount of an hour agrees with the steps of the nowcast in it'
  const points = (rate: number) =>
    Array.from({ length: 19 }, (_, i) => ({
      time: new Date(Date.parse('2026-07-04T05:10:00Z') + i * 300_000).toISOString(),
      type: rate > 0 ? 'rain' : 'none',
      precip_rate: rate,
      precip_probability: rate > 0 ? 90 : 0,
    }))
  // 48 minutes of the row of 01:00.
  expect(brokenBy((changed) => (changed.nowcast = { points: points(0.44).slice(0, 10) }))).not.toContain(rule)
  expect(brokenBy((changed) => (changed.nowcast = { points: points(0.6) }))).toContain(rule)
})

test('snow that has fallen is in the total of the running day, or the total is not given', () => {
  const rule = 'snow_total of the running day includes the snow that has fallen, or is null with partial_day'
  const cold = (total: number | null, warnings: readonly AnyJson[] = []) =>
    brokenBy((changed) => {
      changed.meta.warnings = warnings
      for (const row of changed.hourly) Object.assign(row, { precip_type: 'snow', conditions: 'Snow' })
      Object.assign(changed.daily[0], { high: 12, ice_total: 0, snow_total: total })
    })
  expect(cold(0)).toContain(rule)
  expect(cold(14)).not.toContain(rule)
  expect(cold(null)).toContain(rule)
  const partial = { code: 'partial_day', section: 'daily', detail: 'hours have passed', fields: ['snow_total'] }
  expect(cold(null, [partial])).not.toContain(rule)
})

test('the type of an hour is the type that its probabilities name', () => {
  const typed = (type: string, rain: number, snow: number) =>
    brokenBy(({ hourly }) => {
      Object.assign(hourly[1], {
        precip_type: type,
        precip_type_rain_prob: rain,
        precip_type_snow_prob: snow,
        precip_type_freezing_rain_prob: 0,
        precip_type_ice_pellets_prob: 0,
      })
    })
  const rule = 'the type of an hour is the type that its probabilities name'
  expect(typed('rain', 100, 0)).not.toContain(rule)
  expect(typed('wintry_mix', 60, 40)).not.toContain(rule)
  expect(typed('wintry_mix', 100, 0)).toContain(rule)
  expect(typed('snow', 70, 30)).toContain(rule)
})

test.each([
  [24, ['2026-07-03 91 above 46']],
  [23, []],
])('the joint chance of the last day is checked where its %i hours reach its end', (count, expected) => {
  const rule = 'the probability of a day is at least that of each hour and at most that of all hours together'
  const changed: AnyJson = answer()
  const [, , dry] = changed.hourly
  changed.hourly = Array.from({ length: count }, (_, i) => ({
    ...dry,
    time: new Date(Date.parse('2026-07-03T12:00:00Z') + i * 3_600_000).toISOString(),
    precip_probability: 2,
  }))
  const violations = violationsOf(changed).filter((violation) => violation.rule === rule)
  expect(violations.map(({ detail }) => detail)).toEqual(expected)
})

test.each([
  ['in air in which snow melts or rain freezes', 30, 33, true],
  ['in warm air', 60, 64, false],
  ['in air too cold for rain', 5, 9, false],
  ['at the same temperature', 33, 33.4, false],
])('current and the current hour may name two types %s: from %d to %d', (_, now, later, isAllowed) => {
  const changed: AnyJson = answer()
  changed.current.temperature = now
  changed.hourly[0].temperature = later
  changed.current.precip_type = 'snow'
  const broken = violationsOf(changed).map(({ rule }) => rule)
  expect(broken.includes('current and the current hour name the same type within radar coverage')).toBe(!isAllowed)
})

test.each([
  [
    'the half with thunder, by the chance of the other half',
    'Heavy Rain Showers, Thunderstorms Likely',
    'Thunderstorms Likely',
    true,
  ],
  ['no half', 'Snow Showers, Thunder Likely', 'Thunderstorms Likely', false],
  ['thunder without precipitation', 'Thunderstorms', 'Rain', false],
])('the words of a day are those of %s', (_, words, byDay, isAllowed) => {
  const broken = brokenBy(({ daily }) => {
    daily[0].conditions = words
    daily[0].day.conditions = byDay
    daily[0].night.conditions = 'Rain'
  })
  expect(broken.includes('the words of a day are those of one of its halves')).toBe(!isAllowed)
})

test.each([
  [0.24, 'snow', true],
  [0.24, 'none', true],
  [0.25, 'none', false],
  [0.23, 'snow', false],
])(
  'an hour with %d mm may have the type %s: it is shown as 0.010 inches from 0.2413 mm on',
  (amount, type, isAllowed) => {
    const changed: AnyJson = answer()
    changed.units = { precip_amount: 'mm' }
    const row = { ...changed.hourly[2], precip_probability: null, precip_amount: amount, precip_type: type }
    changed.hourly = [row]
    const rules = violationsOf(changed).map(({ rule }) => rule)
    expect(rules.includes('an hour has a type if, and only if, its numbers are wet')).toBe(!isAllowed)
  },
)

test('the running hour may have the chance of what has fallen in it, beyond that of its steps', () => {
  const rule = 'the chance of an hour agrees with the steps of the nowcast in it'
  const withChance = (amount: number) =>
    brokenBy((changed) => {
      const step = { type: 'none', precip_rate: 0, precip_probability: 0 }
      const time = (i: number) => new Date(Date.parse('2026-07-04T05:10:00Z') + i * 300_000).toISOString()
      changed.radar.precip_rate = 0
      changed.nowcast = { points: Array.from({ length: 19 }, (_, i) => ({ ...step, time: time(i) })) }
      changed.hourly = [{ ...changed.hourly[1], precip_probability: 60, precip_amount: amount }]
    })
  expect(withChance(0.008)).not.toContain(rule)
  expect(withChance(0)).toContain(rule)
})

test.each([
  ['a tenth of the snow of the row outside of it', 5.4, true],
  ['much of the snow of the row outside of it', 4, false],
  ['percentiles of no window', null, true],
])('an answer may have a window of percentiles with %s', (_, total, isAllowed) => {
  const changed: AnyJson = answer()
  const [, , dry] = changed.hourly
  const time = (i: number) => new Date(Date.parse('2026-07-04T13:00:00Z') + i * 3_600_000).toISOString()
  changed.hourly = Array.from({ length: 24 }, (_, i) => ({ ...dry, time: time(i), snow_amount: 0.25 }))
  const window = total === null ? {} : { snow_window_start: time(-1), snow_window_end: time(23) }
  changed.daily = [
    { ...changed.daily[0], date: '2026-07-04', active_period: null, snow_total: total, uncertainty: window },
  ]
  const rules = violationsOf(changed).map(({ rule }) => rule)
  expect(rules.includes('percentiles of snow are of a window with the snow of the row')).toBe(!isAllowed)
})

test('the dew point of a half is compared only with a temperature that is known', () => {
  const rule = 'the dew point is at most the temperature, and the gust at least the wind speed'
  const broken = (temperature: number | null) => {
    const changed: AnyJson = answer()
    Object.assign(changed.daily[0].day, { dew_point: 70, temperature })
    return violationsOf(changed).map((violation) => violation.rule)
  }
  expect(broken(69)).toContain(rule)
  expect(broken(null)).not.toContain(rule)
  expect(broken(71)).not.toContain(rule)
})

test('the running day may have no value and no words if forecasts end within its night, with a warning', () => {
  const rules = ['every row has a value', 'the words of a day are those of one of its halves']
  const withEnd = (warnings: readonly AnyJson[], active: string) =>
    brokenBy((changed) => {
      changed.meta.warnings = warnings
      const day = { precip_probability: null, conditions: 'Rain', precip_type: 'rain' }
      changed.daily = [{ date: '2026-07-03', active_period: active, high: null, day, night: {} }]
    }).filter((rule) => rules.includes(rule))
  const ended = { code: 'source_incomplete', section: 'daily', detail: 'No source has values after 05:00Z.' }
  expect(withEnd([ended], 'night')).toEqual([])
  expect(withEnd([], 'night')).toEqual([rules[0]])
  expect(withEnd([ended], 'day')).toEqual([rules[1]])
})

test('current may have words of the sky while it is not known whether anything falls', () => {
  const rule = 'words of an hour name precipitation if, and only if, it has a type'
  const withRate = (rate: number | null) =>
    brokenBy(({ current }) =>
      Object.assign(current, { precip_type: 'unknown', precip_rate: rate, conditions: 'Mostly Clear' }),
    )
  expect(withRate(null)).not.toContain(rule)
  expect(withRate(0.1)).toContain(rule)
})
