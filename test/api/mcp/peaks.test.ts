import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DayValue, HourValue } from '../../../api/answer/value.ts'
import { conciseDays } from '../../../api/mcp/tools/get-forecast.ts'
import { hourLines } from '../../../api/mcp/words/forecast-words.ts'
import { keyHours, peakLines, periodLines, worstHour, worstHourLine } from '../../../api/mcp/words/hour-peaks.ts'
import { dayName } from '../../../api/mcp/words/reply.ts'
import { units } from '../../../api/present/units.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { randomFrom } from '../../random.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

const { labels } = units.imperial
const START = Date.parse('2026-11-28T06:00:00Z')

/** Hours with pseudo-random weather: a few wet spells, one of them with thunder. */
function hoursOf(seed: number, count: number): HourValue[] {
  const { next } = randomFrom(seed)
  let chance = 0
  return Array.from({ length: count }, (_, i) => {
    chance = next() < 0.15 ? Math.round(next() * 100) : chance * (next() < 0.3 ? 0 : 1)
    const isThunder = chance > 70
    return {
      time: new Date(START + i * HOUR).toISOString(),
      temperature: Math.round(next() * 900) / 10,
      precip_probability: chance,
      precip_amount: chance >= 15 ? Math.round(next() * 50) / 100 : 0,
      wind_speed: Math.round(next() * 300) / 10,
      wind_gust: Math.round(300 + next() * 300) / 10,
      conditions: isThunder ? 'Thunderstorms' : chance >= 15 ? 'Rain' : 'Sunny',
    } as unknown as HourValue
  })
}
const clock = (time: string, timeZone = 'UTC') =>
  new Date(time)
    .toLocaleString('en-US', { timeZone, weekday: 'short', hour: 'numeric' })
    .replace(', ', ' ')
    .replaceAll('\u202f', ' ')
const plain = (lines: readonly string[]) => lines.join('\n').replaceAll('\u202f', ' ')
const most = (rows: readonly HourValue[], field: 'temperature' | 'wind_speed' | 'wind_gust' | 'precip_probability') =>
  Math.max(...rows.map((row) => row[field] ?? Number.NEGATIVE_INFINITY))

describe.each([24, 48, 168])('%i hours', (count) => {
  test('have their highest and lowest values, onsets, ends and hazards in the text', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const rows = hoursOf(seed, count)
      const text = plain(peakLines(rows, labels, 'UTC'))
      const temperatures = rows.map(({ temperature }) => temperature ?? 0)
      const rowOf = (field: 'temperature' | 'wind_gust', value: number) => rows.find((row) => row[field] === value)
      const hottest = Math.max(...temperatures)
      expect(text).toContain(`highest ${hottest} °F ${clock(rowOf('temperature', hottest)?.time ?? '')}`)
      expect(text).toContain(`lowest ${Math.min(...temperatures)} °F`)
      const gust = most(rows, 'wind_gust')
      expect(text).toContain(`gusts to ${gust} mph ${clock(rowOf('wind_gust', gust)?.time ?? '')}`)
      const chance = most(rows, 'precip_probability')
      expect(text.includes(`chance to ${chance}%`)).toBe(chance > 0)
      const onset = rows.find(({ precip_probability }) => (precip_probability ?? 0) >= 15)
      const wetStart = onset ? `: ${clock(onset.time)}` : undefined
      expect(/^.*Wet .*: .*/m.exec(text)?.[0].includes(wetStart ?? '')).toBe(onset ? true : undefined)
      const thunder = rows.find(({ conditions }) => conditions === 'Thunderstorms')
      const hazard = /^Hazardous: thunderstorms .*/m.exec(text)?.[0]
      expect(hazard !== undefined).toBe(thunder !== undefined)
      const likeliest = rows.findIndex(({ precip_probability }) => precip_probability === chance)
      const isLikeliest = rows[likeliest]?.conditions === 'Thunderstorms'
      let start = likeliest
      while (rows[start - 1]?.conditions === 'Thunderstorms') start--
      expect(hazard ?? '').toContain(isLikeliest ? clock(rows[start]?.time ?? '') : '')
    }
  })

  test('are all in a period, whose range holds their temperatures', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const rows = hoursOf(seed, count)
      for (const length of [6, 12, 24]) {
        const lines = plain(periodLines(rows, { units: labels, timezone: 'America/Denver', length }))
        for (const value of [Math.max, Math.min].map((pick) =>
          pick(...rows.map(({ temperature }) => temperature ?? 0)),
        ))
          expect(lines).toContain(String(value))
        expect(lines).toContain(`${most(rows, 'wind_speed')} mph`)
        expect(lines.split('\n').length).toBeGreaterThanOrEqual(Math.floor(count / length))
      }
    }
  })

  test('keep the hours of peaks, onsets and ends when the others are sampled', () => {
    let edgeCount = 0
    for (let seed = 1; seed <= 50; seed++) {
      const rows = hoursOf(seed, count)
      const keys = keyHours(rows)
      const edges: number[] = []
      for (const i of rows.keys()) {
        const isWet = (at: number) => (rows[at]?.precip_probability ?? 0) >= 15
        if (isWet(i) && (!isWet(i - 1) || !isWet(i + 1))) edges.push(i)
      }
      expect(edges.filter((i) => !keys.has(i))).toEqual([])
      edgeCount += edges.length
      expect(keys.has(rows.findIndex(({ temperature }) => temperature === most(rows, 'temperature')))).toBe(true)
      const worst = worstHour(rows)
      const worstTime = worst === undefined ? '' : clock(rows[worst]?.time ?? '')
      expect(worst === undefined || keys.has(worst)).toBe(true)
      expect(plain(worstHourLine(rows, labels, 'UTC'))).toContain(worstTime)
    }
    expect(edgeCount).toBeGreaterThan(50)
  })
})

/** Quiet hours, some of them replaced. */
const quietBut = (changes: Readonly<Record<number, Partial<HourValue>>>, count = 48): HourValue[] =>
  hoursOf(1, count).map(
    (row, i) =>
      ({
        ...row,
        precip_probability: 0,
        precip_amount: 0,
        wind_gust: 10,
        conditions: 'Cloudy',
        ...changes[i],
      }) as HourValue,
  )

test('names every kind of hazard with its hours and its words of chance', () => {
  const rows = quietBut({
    3: { conditions: 'Slight Chance Rain and Thunderstorms', precip_probability: 20 },
    4: { conditions: 'Chance Rain Showers, Slight Chance Thunderstorms', precip_probability: 40 },
    10: { conditions: 'Freezing Rain Likely', precip_probability: 60 },
    11: { conditions: 'Freezing Rain', precip_probability: 90 },
    20: { conditions: 'Sleet', precip_probability: 80 },
    30: { conditions: 'Heavy Snow', precip_probability: 95 },
    40: { conditions: 'Rain', precip_probability: 80, severe: true },
  })
  expect(plain(peakLines(rows, labels, 'UTC'))).toContain(
    'Hazardous: severe weather possible Sun 10 PM; slight chance of thunderstorms Sat 9 AM to Sat 10 AM; ' +
      'freezing rain Sat 4 PM to Sat 5 PM; sleet Sun 2 AM; heavy snow Sun 12 PM.',
  )
})

test('names the first and the likeliest of many wet spells', () => {
  const wet = (chance: number) => ({ precip_probability: chance, conditions: 'Rain' })
  const rows = quietBut({ 2: wet(20), 6: wet(60), 10: wet(30), 14: wet(40), 18: wet(16), 40: wet(99), 41: wet(99) })
  expect(plain(peakLines(rows, labels, 'UTC'))).toContain(
    'Wet (chance of 15% or more): Sat 8 AM, Sat 12 PM, Sat 8 PM, Sun 10 PM to Sun 11 PM, and 2 more of at most 30%.',
  )
})

test('gives the snow of a period', () => {
  const rows = quietBut({ 1: { snow_amount: 0.5 }, 2: { snow_amount: 0.75 } } as never, 6)
  expect(plain(periodLines(rows, { units: labels, timezone: 'UTC', length: 24 }))).toContain('snow 1.25 in')
})

test('repeats a gust only where it changes, and says where it ends', () => {
  const gusts = [45, 44, 43, 46, 39, 20, 21, 35]
  const rows = quietBut(Object.fromEntries(gusts.map((wind_gust, i) => [i, { wind_gust }])), gusts.length)
  const lines = hourLines(rows, labels, 'UTC').map((line) => /gusts .*/.exec(line)?.[0])
  expect(lines).toEqual([
    ...['gusts 45 mph', undefined, undefined, undefined, 'gusts 39 mph', 'gusts below 30 mph', undefined],
    'gusts 35 mph',
  ])
})

test('finds no worst hour in quiet weather', () => {
  const rows = hoursOf(1, 24).map((row) => ({ ...row, precip_probability: 0, conditions: 'Sunny' }))
  expect(worstHour(rows)).toBeUndefined()
})

test('a concise forecast always has the day of the worst weather to come', () => {
  const day = (date: string, conditions: string, chance: number) =>
    ({ date, conditions, precip_probability: chance }) as DayValue
  const linesOf = (daily: readonly DayValue[]) => daily.map(({ date, conditions }) => `${dayName(date)}: ${conditions}`)
  const shown = (...rest: readonly [string, number][]) => {
    const daily = [['Sunny', 0] as const, ...rest].map(([words, chance], i) => day(`2026-12-0${i + 1}`, words, chance))
    return conciseDays(linesOf(daily), daily, 1).map((line) => line.split(': ')[1])
  }
  expect(shown(['Freezing Rain', 80], ['Sunny', 0])).toEqual(['Sunny', 'Freezing Rain'])
  expect(shown(['Chance Snow', 40], ['Severe Thunderstorms', 60])).toEqual(['Sunny', 'Severe Thunderstorms'])
  expect(shown(['Chance Snow', 40], ['Slight Chance Thunderstorms', 15])).toEqual(['Sunny', 'Chance Snow'])
  expect(shown(['Rain Likely', 60], ['Cloudy', 5])).toEqual(['Sunny'])
})

describe('get_hourly_forecast', () => {
  let sky: SkyServer
  beforeAll(async () => {
    sky = await skyServer({ frames: [] })
  }, 120_000)
  afterAll(async () => sky.close())

  const points = [30, 35, 40, 45].flatMap((lat) => [-120, -111, -103, -96, -89, -82].map((lon) => ({ lat, lon })))
  test.each(['standard', 'detailed', 'concise'])(
    '%s names the peaks of its data at many places',
    async (detail_level) => {
      let [answered, wet, thundery] = [0, 0, 0]
      for (const [i, place] of points.entries()) {
        const days = [1, 2, 7][i % 3]
        const result = (await sky.client.callTool({
          name: 'get_hourly_forecast',
          arguments: { ...place, days, detail_level },
        })) as unknown as Result
        if (result.isError) continue
        answered++
        const text = plain([result.content.find(({ type }) => type === 'text')?.text ?? ''])
        expect(text.length).toBeLessThanOrEqual(2000)
        const { forecast } = result.structuredContent as { forecast: { hourly: HourValue[]; timezone: string } }
        const temperatures = forecast.hourly.map(({ temperature }) => temperature ?? Number.NaN)
        const hottest = forecast.hourly[temperatures.indexOf(Math.max(...temperatures))]
        expect(text).toContain(`highest ${hottest?.temperature} °F ${clock(hottest?.time ?? '', forecast.timezone)}`)
        expect(text).toContain(`lowest ${Math.min(...temperatures)} °F`)
        const chance = most(forecast.hourly, 'precip_probability')
        expect(text).toContain(chance > 0 ? `${chance}%` : '')
        wet += chance > 0 ? 1 : 0
        const thunder = forecast.hourly.find(({ conditions }) => /thunder/i.test(conditions ?? ''))
        expect(text).toContain(thunder && detail_level !== 'concise' ? clock(thunder.time, forecast.timezone) : '')
        thundery += thunder ? 1 : 0
        expect(/visibility \d/.test(text) || detail_level !== 'detailed').toBe(true)
      }
      expect(answered).toBeGreaterThan(15)
      expect([wet > 5, thundery > 0]).toEqual([true, true])
    },
  )

  test('gives the temperature of each of the next 24 hours, also in busy weather', async () => {
    let busy = 0
    const missing: string[] = []
    for (const lat of [31, 34, 37, 40, 43, 46])
      for (const lon of [-119, -112, -105, -98, -91, -84]) {
        const result = (await sky.client.callTool({
          name: 'get_hourly_forecast',
          arguments: { lat, lon },
        })) as unknown as Result
        const text = plain([result.content.find(({ type }) => type === 'text')?.text ?? ''])
        const { forecast } = (result.structuredContent ?? { forecast: { hourly: [], timezone: 'UTC' } }) as {
          forecast: { hourly: HourValue[]; timezone: string }
        }
        busy += text.includes('Temperatures') ? 1 : 0
        for (const { time, temperature } of forecast.hourly.slice(0, 24)) {
          const hour = clock(time, forecast.timezone).replace(/^\w+ /, '')
          if (![`${hour}: ${temperature} °F`, `${hour} ${temperature}`].some((words) => text.includes(words)))
            missing.push(`${lat}, ${lon} ${hour}: ${temperature} in ${text}`)
        }
      }
    expect(missing).toEqual([])
    expect(busy).toBeGreaterThan(0)
  })
})
