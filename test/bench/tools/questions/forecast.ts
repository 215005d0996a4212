import { nth } from '../../../../ingest/domain/nth.ts'
import { isoSeconds as iso } from '../../../../ingest/domain/time.ts'
import {
  after,
  around,
  clockOf,
  lineAt,
  lineWith,
  type Question,
  question,
  temperatureAt,
  type Unit,
  words,
} from '../question.ts'
import {
  airAt,
  fahrenheit,
  fallenAt,
  farTowns,
  HOUR,
  hourOf,
  hoursFrom,
  inches,
  inZone,
  midnight,
  mph,
  type Town,
  towns,
} from '../truth.ts'

/** Questions about the hours and days ahead. */
export const forecastQuestions = (now: number): Question[] => [
  ...hourlyTemperatures(now),
  ...peaks(now),
  ...days(now),
  ...amounts(now),
  ...windows(now),
  ...chances(now),
  ...comparisons(now),
  ...routes(now),
  ...distributions(now),
]

const factsOf = ({ name, lat, lon, timezone }: Town) => ({ location: name, lat, lon, timezone })
const spoken = (at: number, timezone: string) => inZone(at, timezone, { weekday: 'long', hour: 'numeric' })

const systems: readonly { units: string; unit: Unit; convert: (kelvin: number) => number; tolerance: number }[] = [
  { units: 'imperial', unit: '°F', convert: fahrenheit, tolerance: 2 },
  { units: 'metric', unit: '°C', convert: (kelvin) => kelvin - 273.15, tolerance: 1.1 },
  { units: 'si', unit: 'K', convert: (kelvin) => kelvin, tolerance: 1.1 },
]

function hourlyTemperatures(now: number): Question[] {
  return [...towns, ...farTowns].flatMap((town, i) =>
    [4, 9, 15].map((ahead, k): Question => {
      const at = hourOf(now) + (ahead + (i % 3)) * HOUR
      const { units, unit, convert, tolerance } = systems[(i + k) % 3] ?? nth(systems, 0)
      return question({
        subject: 'temperature at an hour',
        text: `How warm will it be on ${spoken(at, town.timezone)} in ${town.name}, in ${unit}?`,
        call: { tool: 'get_hourly_forecast', arguments: { location: town.name, units } },
        facts: { ...factsOf(town), time: iso(at), units },
        expected: around(convert(airAt(town, at).temperature), tolerance, unit),
        part: (text) =>
          text.includes(town.name)
            ? (lineAt(text, at, town.timezone) ?? temperatureAt(text, at, town.timezone))
            : undefined,
      })
    }),
  )
}

/** The highest and lowest values of the next 48 hours, and their hours. */
function peaks(now: number): Question[] {
  const kinds = [
    {
      name: 'highest temperature',
      word: /highest /,
      unit: '°F',
      tolerance: 2,
      of: (town: Town, at: number) => fahrenheit(airAt(town, at).temperature),
    },
    {
      name: 'lowest temperature',
      word: /lowest /,
      unit: '°F',
      tolerance: 2,
      of: (town: Town, at: number) => -fahrenheit(airAt(town, at).temperature),
    },
    {
      name: 'strongest gust',
      word: /gusts to /,
      unit: 'mph',
      tolerance: 3,
      of: (town: Town, at: number) => mph(airAt(town, at).windGust),
    },
    {
      name: 'strongest wind',
      word: /wind to /,
      unit: 'mph',
      tolerance: 2,
      of: (town: Town, at: number) => mph(airAt(town, at).windSpeed),
    },
  ] as const
  return towns.slice(0, 16).flatMap((town, i) =>
    kinds.flatMap(({ name, word, unit, tolerance, of }, k): Question[] => {
      const hours = hoursFrom(hourOf(now), 48)
      const values = hours.map((at) => of(town, at))
      const most = Math.max(...values)
      // The two days may be taken from the running hour or from the next one.
      const mostLater = Math.max(...values.slice(1), of(town, hourOf(now) + 48 * HOUR))
      if (Math.abs(most - mostLater) > tolerance / 2) return []
      if (name === 'strongest gust' && most < 25) return []
      const at = hours[values.indexOf(most)] ?? now
      const base = {
        call: { tool: 'get_hourly_forecast', arguments: { location: town.name } },
        facts: { ...factsOf(town), hours: 48 },
        part: (text: string) => after(lineWith(text, 'All hours:'), word),
      }
      const value = question({
        ...base,
        subject: name,
        text: `What is the ${name} of the next two days in ${town.name}?`,
        expected: around(Math.abs(most) * Math.sign(name === 'lowest temperature' ? -most : most), tolerance, unit),
      })
      // Another hour of nearly the same value would be as right.
      const isSharp = values.every((other, j) => most - other > tolerance / 2 || Math.abs((hours[j] ?? 0) - at) <= HOUR)
      if (!isSharp || (i + k) % 2 === 1) return [value]
      const time = question({
        ...base,
        subject: `hour of the ${name}`,
        text: `At what time do the next two days have their ${name} in ${town.name}?`,
        expected: clockOf(at, town.timezone, 61),
      })
      return [value, time]
    }),
  )
}

const dayName = (at: number, timezone: string) =>
  inZone(at + 12 * HOUR, timezone, { weekday: 'short', month: 'short', day: 'numeric' })

/** Highs and lows of the next days: of the hours from 6 AM and from 6 PM to 12 hours later, exclusive, or of the periods of the models. */
function days(now: number): Question[] {
  return towns.slice(0, 14).flatMap((town, i) =>
    [1 + (i % 2), 3 + (i % 3)].flatMap((ahead): Question[] => {
      const start = midnight(now, town.timezone, ahead)
      const extremeOf = (hours: readonly number[], pick: (...values: number[]) => number) =>
        pick(...hours.map((at) => fahrenheit(airAt(town, at).temperature)))
      // Models give the highs of 12 to 24 UTC and the lows of 0 to 12 UTC.
      const noonUtc = Math.floor((start + 12 * HOUR) / (24 * HOUR)) * 24 * HOUR + 12 * HOUR
      const highs = [extremeOf(hoursFrom(start + 6 * HOUR, 12), Math.max), extremeOf(hoursFrom(noonUtc, 13), Math.max)]
      const lows = [
        extremeOf(hoursFrom(start + 18 * HOUR, 12), Math.min),
        extremeOf(hoursFrom(noonUtc + 12 * HOUR, 13), Math.min),
      ]
      const name = dayName(start, town.timezone)
      const base = {
        call: { tool: 'get_forecast', arguments: { location: town.name } },
        facts: { ...factsOf(town), date: iso(start + 12 * HOUR).slice(0, 10) },
      }
      return [
        question({
          ...base,
          subject: 'high of a day',
          text: `What is the high on ${name} in ${town.name}?`,
          expected: { is: 'number', from: Math.min(...highs) - 2, to: Math.max(...highs) + 2, unit: '' },
          part: (text) => after(lineWith(text, `${name}:`), /high |: /),
        }),
        question({
          ...base,
          subject: 'low of a night',
          text: `What is the low of the night after ${name} in ${town.name}?`,
          expected: { is: 'number', from: Math.min(...lows) - 2, to: Math.max(...lows) + 2, unit: '°F' },
          part: (text) => after(lineWith(text, `${name}:`), /low |\//),
        }),
      ]
    }),
  )
}

/** Precipitation of a day from 6 AM to 6 AM. */
function amounts(now: number): Question[] {
  return towns.flatMap((town, i): Question[] => {
    const start = midnight(now, town.timezone, 1 + (i % 4)) + 6 * HOUR
    const sum = (from: number) =>
      inches(hoursFrom(from + HOUR, 24).reduce((total, end) => total + fallenAt(town, end), 0))
    const around6 = [sum(start - HOUR), sum(start), sum(start + HOUR)]
    const [least, most] = [Math.min(...around6), Math.max(...around6)]
    const name = dayName(start - 6 * HOUR, town.timezone)
    const base = {
      call: { tool: 'get_forecast', arguments: { location: town.name } },
      facts: { ...factsOf(town), date: iso(start + 6 * HOUR).slice(0, 10) },
    }
    // Amounts in between depend on the hour at which the day begins.
    if (most >= 0.003 && least < 0.08) return []
    const isDry = most < 0.003
    return [
      question({
        ...base,
        subject: 'precipitation of a day',
        text: `How much rain and melted snow falls on ${name} in ${town.name}, from 6 AM to 6 AM?`,
        expected: {
          is: 'number',
          from: isDry ? 0 : least * 0.75 - 0.03,
          to: isDry ? 0.02 : most * 1.25 + 0.03,
          unit: 'in',
        },
        part(text) {
          const line = lineWith(text, `${name}:`)?.replace(/(?:snow|ice) [\d.]+ in\b/g, '')
          // A line without an amount is of a dry day.
          return line && (/[\d.]+ in\b/.exec(line)?.[0] ?? '0 in')
        },
      }),
    ]
  })
}

/** The first window of four hours that meets a criterion, and criteria that no hour meets. */
function windows(now: number): Question[] {
  return towns.slice(0, 14).flatMap((town, i): Question[] => {
    const hours = hoursFrom(hourOf(now) + HOUR, 60)
    const values = hours.map((at) => fahrenheit(airAt(town, at).temperature))
    const sorted = values.toSorted((a, b) => a - b)
    const firstAbove = (limit: number) =>
      values.findIndex((_, k) => k + 4 <= values.length && values.slice(k, k + 4).every((value) => value >= limit))
    // Values close to the threshold before the window or in it would make another hour as right.
    const isClear = (limit: number) =>
      firstAbove(limit) > 1 && values.slice(0, firstAbove(limit) + 4).every((value) => Math.abs(value - limit) > 0.7)
    const least = sorted.map(Math.round).find(isClear)
    const base = { facts: { ...factsOf(town), min_temperature: least ?? 0 } }
    const arguments_ = (min_temperature: number) => ({
      ...{
        location: town.name,
        criteria: { min_temperature },
        hours: 60,
        activity_duration_hours: 4,
        daylight_only: false,
      },
    })
    const impossible = question({
      ...base,
      subject: 'window that does not exist',
      text: `When are four hours above ${Math.round(Math.max(...values)) + 12} °F in ${town.name} in the next 60 hours?`,
      call: { tool: 'find_best_window', arguments: arguments_(Math.round(Math.max(...values)) + 12) },
      expected: { is: 'absent' },
      part: (text) => lineWith(text, 'No window'),
    })
    if (least === undefined) return [impossible]
    const possible = question({
      ...base,
      subject: 'first window',
      text: `From when is it at least ${least} °F for four hours in ${town.name}?`,
      call: { tool: 'find_best_window', arguments: arguments_(least) },
      expected: clockOf(hours[firstAbove(least)] ?? now, town.timezone, 61),
      part: (text) => lineWith(text, /^\w{3}, \d+:\d+ [AP]M .* \(\d+ h\)/),
    })
    return i % 2 === 0 ? [possible, impossible] : [possible]
  })
}

/** Chances of thresholds that are far from the forecast, so that the chance is nearly certain. */
function chances(now: number): Question[] {
  return towns.slice(4, 14).flatMap((town): Question[] => {
    const [from, to] = [hourOf(now) + 2 * HOUR, hourOf(now) + 12 * HOUR]
    const hours = hoursFrom(from, 11)
    const gusts = hours.map((at) => mph(airAt(town, at).windGust))
    const temperatures = hours.map((at) => fahrenheit(airAt(town, at).temperature))
    const ask = (variable: string, comparison: string, threshold: number, unit: string, high: boolean) =>
      question({
        subject: `chance of ${variable} ${comparison} a threshold`,
        text: `What is the chance that the ${variable.replace('_', ' ')} is ${comparison} ${threshold} ${unit} in any of the hours from ${spoken(from, town.timezone)} to ${spoken(to, town.timezone)} in ${town.name}?`,
        call: {
          tool: 'chance_of',
          arguments: { location: town.name, variable, comparison, threshold, start: iso(from), end: iso(to) },
        },
        facts: { ...factsOf(town), variable, comparison, threshold, start: iso(from), end: iso(to) },
        expected: { is: 'number', from: high ? 90 : 0, to: high ? 100 : 10, unit: '%' },
      })
    return [
      ask('wind_gust', 'above', Math.round(Math.max(...gusts)) + 25, 'mph', false),
      ask('temperature', 'above', Math.round(Math.max(...temperatures)) - 10, '°F', true),
      ask('temperature', 'below', Math.round(Math.min(...temperatures)) - 15, '°F', false),
    ]
  })
}

function comparisons(now: number): Question[] {
  const kinds = [
    {
      variable: 'temperature',
      ask: 'gets warmer',
      least: 5,
      of: (town: Town, at: number) => fahrenheit(airAt(town, at).temperature),
    },
    {
      variable: 'wind_gust',
      ask: 'has stronger gusts',
      least: 5,
      of: (town: Town, at: number) => mph(airAt(town, at).windGust),
    },
  ] as const
  return kinds.flatMap(({ variable, ask, least, of }) =>
    towns.slice(0, 20).flatMap((town, i): Question[] => {
      const other = towns[(i + 7) % 20] ?? town
      const most = (town: Town) => Math.max(...hoursFrom(hourOf(now), 24).map((at) => of(town, at)))
      const [value, otherValue] = [most(town), most(other)]
      if (Math.abs(value - otherValue) < least) return []
      const [winner, loser] = value > otherValue ? [town, other] : [other, town]
      return [
        question({
          subject: `comparison of ${variable}`,
          text: `Which city ${ask} in the next 24 hours, ${town.name} or ${other.name}?`,
          form: 'the name of the city alone',
          call: {
            tool: 'compare_locations',
            arguments: { locations: [{ location: town.name }, { location: other.name }], variables: [variable] },
          },
          facts: { location: town.name, other: other.name, variable },
          expected: words(`${winner.name}.`, new RegExp(`^${winner.name.replace(/,.*/, '')}`)),
          part(text) {
            const highest = (town: Town) =>
              Number(
                / to (-?[\d.]+) /.exec(
                  lineWith(text, town.name)
                    ?.split('(from')[0]
                    ?.replace(/^[^:]*\)/, '') ?? '',
                )?.[1],
              )
            return highest(winner) > highest(loser) ? winner.name : loser.name
          },
        }),
      ]
    }),
  )
}

function routes(now: number): Question[] {
  return towns.slice(0, 12).map((town, i): Question => {
    const other = towns[(i + 5) % 20] ?? town
    const [start, end] = [hourOf(now) + 2 * HOUR, hourOf(now) + (8 + (i % 5)) * HOUR]
    return question({
      subject: 'temperature at a stop',
      text: `I leave ${town.name} at ${spoken(start, town.timezone)} and arrive in ${other.name} at ${spoken(end, other.timezone)}. What temperature do I find there?`,
      call: {
        tool: 'get_route_weather',
        arguments: {
          stops: [
            { location: town.name, time: iso(start) },
            { location: other.name, time: iso(end) },
          ],
        },
      },
      facts: { from: town.name, location: other.name, start: iso(start), end: iso(end) },
      expected: around(fahrenheit(airAt(other, end).temperature), 2, '°F'),
      part: (text) => lineWith(text, `2. ${other.name}`),
    })
  })
}

function distributions(now: number): Question[] {
  return towns.slice(10, 20).map((town): Question => {
    const values = hoursFrom(hourOf(now), 72).map((at) => fahrenheit(airAt(town, at).temperature))
    return question({
      subject: 'range of the next 72 hours',
      text: `What is the highest expected temperature of the next 72 hours in ${town.name}?`,
      call: { tool: 'get_forecast_distribution', arguments: { location: town.name, aspect: 'temperature', hours: 72 } },
      facts: factsOf(town),
      expected: around(Math.max(...values), 2.5, '°F'),
      part: (text) => after(lineWith(text, 'temperature:'), / to /),
    })
  })
}
