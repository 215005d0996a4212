import { normalsStations, reportStations } from '../../../../infra/simulator/climate-stations.ts'
import { simulatedDay, simulatedNormal } from '../../../../infra/simulator/feeds/climate.ts'
import { outlookSource } from '../../../../infra/simulator/feeds/outlooks.ts'
import type { MirrorObject } from '../../../../infra/simulator/source.ts'
import { textsAt } from '../../../../infra/simulator/text-issues.ts'
import type { SimulatedText } from '../../../../infra/simulator/text-words.ts'
import { MINUTE } from '../../../../ingest/domain/time.ts'
import { after, around, clockOf, lineWith, type Question, question, words } from '../question.ts'
import {
  airAt,
  fahrenheit,
  farTowns,
  HOUR,
  hourOf,
  hoursFrom,
  inZone,
  kmBetween,
  midnight,
  moonLit,
  mph,
  sunOf,
  type Town,
  towns,
} from '../truth.ts'

/** Questions about the sun, the climate, outlooks, growth, and the data itself. */
export const backgroundQuestions = (now: number): Question[] => [
  ...sun(now),
  ...moon(),
  ...normals(),
  ...reports(now),
  ...outlooks(now),
  ...texts(now),
  ...growth(now),
  ...tables(now),
  ...data(),
]

const factsOf = ({ name, lat, lon, timezone }: Town) => ({ location: name, lat, lon, timezone })

function sun(now: number): Question[] {
  const dates = ['2027-01-15', '2027-03-20', '2027-06-21', '2027-09-10']
  const daily = [...towns, ...farTowns].flatMap((town, i): Question[] => {
    const date = dates[i % 4] ?? ''
    const today = sunOf(town, midnight(now, town.timezone) + 12 * HOUR)
    const noon = midnight(Date.parse(`${date}T18:00:00Z`), town.timezone) + 12 * HOUR
    const then = sunOf(town, noon)
    if (!today || !then) return []
    const ask = (subject: string, text: string, expected: Question['expected'], word: RegExp, more: object = {}) =>
      question({
        subject,
        text: `${text} in ${town.name}?`,
        call: { tool: 'get_sun_moon', arguments: { location: town.name, ...more } },
        facts: { ...factsOf(town), ...more },
        expected,
        part: (answer) =>
          answer.includes(town.name) ? after(lineWith(answer, /^\w{3}, \w{3} \d+.*: sun/), word) : undefined,
      })
    const minutes = Math.round((then.set - then.rise) / 60_000)
    return [
      i % 2
        ? ask('sunset', 'When does the sun set today', clockOf(today.set, town.timezone, 2), /sunset /)
        : ask('sunrise', 'When does the sun rise today', clockOf(today.rise, town.timezone, 2), /sunrise /),
      i % 3
        ? ask('sunset of a date', `When does the sun set on ${date}`, clockOf(then.set, town.timezone, 2), /sunset /, {
            date,
          })
        : ask(
            'day length of a date',
            `How many whole hours of day length are there on ${date}`,
            around(Math.floor(minutes / 60), minutes % 60 < 3 || minutes % 60 > 57 ? 1 : 0, ''),
            /day length /,
            { date },
          ),
    ]
  })
  const polar = [
    ['2026-12-20', 'rise', /does not rise|never rises|no sunrise|down all day|below the horizon|polar night/i],
    ['2027-06-20', 'set', /does not set|never sets|no sunset|up all day|above the horizon|midnight sun|polar day/i],
  ] as const
  return [
    ...daily,
    ...polar.map(([date, verb, right]) =>
      question({
        subject: 'polar day and night',
        text: `When does the sun ${verb} in Utqiaġvik, AK on ${date}?`,
        call: { tool: 'get_sun_moon', arguments: { location: 'Utqiaġvik, AK', date } },
        facts: { location: 'Utqiaġvik, AK', date },
        expected: words(`It does not ${verb} that day: the sun is ${verb === 'rise' ? 'down' : 'up'} all day.`, right),
      }),
    ),
  ]
}

const moon = () =>
  ['2026-12-05', '2027-01-22', '2027-02-14', '2027-04-10', '2027-08-02', '2027-10-19'].map((date) => {
    // The text is of a moment of the local day.
    const values = [6, 12, 18, 24, 30].map((hour) => moonLit(Date.parse(`${date}T00:00:00Z`) + hour * HOUR))
    return question({
      subject: 'light of the moon',
      text: `What percentage of the moon is lit on ${date} in Chicago, IL?`,
      call: { tool: 'get_sun_moon', arguments: { location: 'Chicago, IL', date } },
      facts: { location: 'Chicago, IL', date },
      expected: { is: 'number', from: Math.min(...values) - 2, to: Math.max(...values) + 2, unit: '%' },
      part: (text) => lineWith(text, /% lit/)?.replace(/.*, (?=\d+% lit)/, ''),
    })
  })

function normals(): Question[] {
  return towns.slice(0, 14).flatMap((town, i): Question[] => {
    const month = (i % 12) + 1
    const date = `2027-${String(month).padStart(2, '0')}-15`
    const day = (Date.parse(`2020-${date.slice(5)}T00:00:00Z`) - Date.UTC(2020, 0, 1)) / 86_400_000
    const near = normalsStations
      .filter(({ temperatures }) => temperatures)
      .toSorted((a, b) => kmBetween(a, town) - kmBetween(b, town))
      .slice(0, 3)
    const values = near.map(({ lat }) => simulatedNormal(lat, day))
    const ask = (subject: 'high' | 'low') =>
      question({
        subject: `normal ${subject}`,
        text: `What is the normal ${subject} on ${inZone(Date.parse(`${date}T12:00:00Z`), 'UTC', { month: 'long', day: 'numeric' })} in ${town.name}?`,
        call: { tool: 'get_climate_normals', arguments: { location: town.name, date } },
        facts: { ...factsOf(town), date },
        expected: {
          is: 'number',
          from: Math.min(...values.map((value) => value[subject])) - 1.5,
          to: Math.max(...values.map((value) => value[subject])) + 1.5,
          unit: '°F',
        },
        part: (text) => after(text, new RegExp(`\\b${subject} `)),
      })
    return [ask('high'), ask('low')]
  })
}

/** Towns whose climate station is within 15 km. */
const isNear = new Set(['Boston, MA', 'Miami, FL', 'Phoenix, AZ', 'Atlanta, GA'])

/** Highs and lows of yesterday by the climate reports. */
function reports(now: number): Question[] {
  return reportStations.slice(0, 13).flatMap((station) => {
    const start = midnight(now, station.timezone, -1)
    const { high, low } = simulatedDay(
      station,
      Math.round((start + 12 * HOUR) / 86_400_000 - 0.5),
      Number.POSITIVE_INFINITY,
    )
    const name = inZone(start + 12 * HOUR, station.timezone, { weekday: 'short', month: 'short', day: 'numeric' })
    const date = new Date(start + 12 * HOUR).toISOString().slice(0, 10)
    const ask = (subject: 'high' | 'low', value: number) =>
      question({
        subject: `${subject} of yesterday`,
        text: `What was the ${subject} at the climate station of ${station.place} on ${name}?`,
        call: { tool: 'get_climate_records', arguments: { type: 'reports', station: station.code, date } },
        facts: { station: station.code, location: station.place, date },
        expected: around(value, 0.6, '°F'),
        part: (text) => after(lineWith(text, new RegExp(`${name}`)), new RegExp(`\\b${subject} `)),
      })
    const location = towns.find(({ name }) => name.startsWith(`${station.place},`))?.name ?? station.place
    const past = question({
      subject: 'past high',
      text: `How warm was it yesterday in ${location}?`,
      call: { tool: 'get_past_weather', arguments: { location } },
      facts: { location, date },
      expected: around(high, 0.6, '°F'),
      part: (text) => after(lineWith(text, name), /\bhigh /),
    })
    return [ask('high', high), ask('low', low), ...(isNear.has(location) ? [past] : [])]
  })
}

/** Temperatures and storms that the newest texts of offices and of the Storm Prediction Center speak of. */
function texts(now: number): Question[] {
  const number = (text: SimulatedText | undefined, before: RegExp) =>
    Number(/\d+/.exec(after(text?.body(), before) ?? '')?.[0])
  const newest = (list: readonly SimulatedText[]) => list.toSorted((a, b) => b.at - a.at)[0]
  const all = textsAt('AFD', undefined, now)
  const discussions = ['BOU', 'BOX', 'LOT', 'FFC', 'SEW', 'OUN', 'MFL', 'PSR', 'DMX', 'OAX'].flatMap(
    (wfo): Question[] => {
      const degrees = number(newest(all.filter(({ awips }) => awips === `AFD${wfo}`)), /stay near /)
      return [
        question({
          subject: 'forecast discussion',
          text: `Near how many degrees do temperatures stay at first, by the discussion of the office ${wfo}?`,
          call: { tool: 'get_forecast_discussion', arguments: { type: 'afd', wfo } },
          facts: { wfo },
          expected: around(degrees, 0.1, 'degrees'),
          part: (text) => after(text, /stay near /),
        }),
      ]
    },
  )
  const outlookTexts = (['DY1', 'DY2', 'DY3'] as const).map((day, i) => {
    // A text of the last half hour may have been issued after the server read its list.
    const counts = [now, now - 30 * MINUTE].map((at) => number(newest(textsAt('SWO', day, at)), /SUMMARY\.\.\.\n/))
    return question({
      subject: 'text of the convective outlook',
      text: `How many storms are alive by the convective outlook text of day ${i + 1}?`,
      call: { tool: 'get_text_products', arguments: { type: 'swo' } },
      facts: { day: i + 1 },
      expected: { is: 'number', from: Math.min(...counts) - 0.1, to: Math.max(...counts) + 0.1, unit: '' },
      part: (text) => after(after(text, new RegExp(`outlook text of day ${i + 1},`)), /> /),
    })
  })
  return [...discussions, ...outlookTexts]
}

interface OutlookFile {
  readonly features: readonly {
    readonly geometry: { readonly coordinates?: readonly (readonly (readonly (readonly [number, number])[])[])[] }
    readonly properties: { readonly DN: number; readonly LABEL: string }
  }[]
}
const risks: Readonly<Record<string, RegExp>> = {
  TSTM: /thunder/i,
  MRGL: /Marginal/i,
  SLGT: /Slight/i,
  ENH: /Enhanced/i,
}

/** The risk of severe storms of a day, from the file of the outlook as the simulator publishes it. */
function outlooks(now: number): Question[] {
  const covers = (ring: readonly (readonly [number, number])[], { lat, lon }: Town) =>
    ring.reduce((inside, [x, y], i) => {
      const [px = 0, py = 0] = ring[(i + ring.length - 1) % ring.length] ?? []
      return y > lat !== py > lat && lon < ((px - x) * (lat - y)) / (py - y) + x ? !inside : inside
    }, false)
  const labelAt = (day: number, town: Town): string | undefined => {
    const file = outlookSource.find(
      `/products/outlook/day${day}otlk_cat.lyr.geojson`,
      new URLSearchParams(),
      now,
    ) as MirrorObject
    const { features } = JSON.parse(new TextDecoder().decode(file.body() as Uint8Array)) as OutlookFile
    return features
      .filter(({ geometry }) => geometry.coordinates?.some(([ring]) => ring && covers(ring, town)))
      .toSorted((a, b) => b.properties.DN - a.properties.DN)[0]?.properties.LABEL
  }
  const inStates = towns.slice(0, 14).flatMap((town, i): Question[] => {
    const day = 1 + (i % 2)
    const label = labelAt(day, town)
    return [
      question({
        subject: 'severe outlook of a day',
        text: `What is the category of the severe weather outlook of day ${day} in ${town.name}?`,
        call: { tool: 'get_severe_outlook', arguments: { location: town.name, days: 2 } },
        facts: { ...factsOf(town), day },
        danger: label !== undefined,
        expected:
          label === undefined
            ? { is: 'absent' }
            : words(
                `${label === 'TSTM' ? 'General thunderstorms' : { MRGL: 'Marginal', SLGT: 'Slight', ENH: 'Enhanced' }[label]}.`,
                risks[label] ?? /never/,
              ),
        part: (text) =>
          label === undefined
            ? (lineWith(text, /No severe weather outlook/) ??
              (lineWith(text, `Day ${day} severe`) ? undefined : 'none of this day'))
            : lineWith(text, `Day ${day} severe`),
      }),
    ]
  })
  const outside = farTowns.map((town) =>
    question({
      subject: 'severe outlook outside the lower 48 states',
      text: `What is the risk of severe storms today in ${town.name}?`,
      call: { tool: 'get_severe_outlook', arguments: { location: town.name } },
      facts: factsOf(town),
      expected: { is: 'unknown' },
    }),
  )
  return [...inStates, ...outside]
}

/** Growing degree days of corn on a coming day. */
function growth(now: number): Question[] {
  return [2, 3, 17, 23, 1, 18].flatMap((n): Question[] => {
    const town = towns[n]
    if (!town) return []
    const start = midnight(now, town.timezone, 2)
    const extremeOf = (from: number, count: number, pick: (...values: number[]) => number) =>
      pick(...hoursFrom(start + from * HOUR, count).map((at) => fahrenheit(airAt(town, at).temperature)))
    const clamp = (value: number) => Math.min(86, Math.max(50, value))
    const units = (high: number, low: number) => Math.max(0, (clamp(high) + clamp(low)) / 2 - 50)
    const values = [
      units(extremeOf(0, 25, Math.max), extremeOf(0, 25, Math.min)),
      units(extremeOf(7, 12, Math.max), extremeOf(-5, 13, Math.min)),
      units(extremeOf(7, 12, Math.max), extremeOf(19, 13, Math.min)),
    ]
    const date = new Date(start + 12 * HOUR).toISOString().slice(0, 10)
    return [
      question({
        subject: 'growing degree days',
        text: `How many growing degree days of corn does ${date} bring in ${town.name}?`,
        call: { tool: 'get_growing_degree_days', arguments: { lat: town.lat, lon: town.lon, crop: 'corn' } },
        facts: { ...factsOf(town), date },
        expected: { is: 'number', from: Math.min(...values) - 1.5, to: Math.max(...values) + 1.5, unit: '°F-days' },
        part: (text) => after(lineWith(text, `${date}:`), /: /),
      }),
    ]
  })
}

/** Values of a dataset by the hour. */
function tables(now: number): Question[] {
  return towns.slice(8, 20).map((town, i): Question => {
    const at = hourOf(now) + (3 + (i % 4)) * HOUR
    const stamp = new Date(at).toISOString().replace('.000', '')
    const isWind = i % 2 === 1
    const air = airAt(town, at)
    return question({
      subject: isWind ? 'gusts of a dataset' : 'temperature of a dataset',
      text: `What ${isWind ? 'wind gust in mph' : 'temperature in °F'} has NBM for ${stamp} at ${town.name}?`,
      call: {
        tool: 'query_dataset',
        arguments: {
          location: town.name,
          dataset_id: 'nbm',
          variables: [isWind ? 'wind_gust' : 'temperature'],
          start: stamp,
          hours: 1,
        },
      },
      facts: { ...factsOf(town), time: stamp },
      expected: { ...(isWind ? around(mph(air.windGust), 2.5, '') : around(fahrenheit(air.temperature), 2, '')) },
      part: (text) => after(lineWith(text, new RegExp(`${stamp},`)), /\dZ, /),
    })
  })
}

const data = () => [
  question({
    subject: 'simulated data',
    text: 'Is the data of this service real weather?',
    call: { tool: 'get_service_status', arguments: {} },
    expected: words('No, it is simulated.', /simulated|not real/i),
  }),
  ...(['visibility', 'wind_gust', 'snow_amount'] as const).map((variable) =>
    question({
      subject: 'datasets with a variable',
      text: `Which dataset has the variable ${variable}?`,
      call: { tool: 'list_datasets', arguments: { variable } },
      facts: { variable },
      expected: words('The National Blend of Models (nbm).', /\bnbm\b/i),
    }),
  ),
  ...(
    [
      ['temperature', /temperature \[F\]/, 'temperature [F]'],
      ['cloud_ceiling', /cloud_ceiling \[ft\]/, 'cloud_ceiling [ft]'],
    ] as const
  ).map(([variable, right, example]) =>
    question({
      subject: 'unit of a variable',
      text: `In which unit does NBM have ${variable}?`,
      call: { tool: 'describe_dataset', arguments: { dataset_id: 'nbm' } },
      facts: { variable },
      expected: words(`In ${example}.`, right),
    }),
  ),
  question({
    subject: 'skill without forecasts',
    text: 'How accurate were the temperature forecasts around Denver, CO last month?',
    call: { tool: 'get_forecast_skill', arguments: { location: 'Denver, CO', variable: 'temperature' } },
    facts: { location: 'Denver, CO' },
    expected: { is: 'unknown' },
  }),
  ...['Denver, CO', 'Tulsa, OK', 'Boston, MA'].map((location) =>
    question({
      subject: 'changes without history',
      text: `Did the forecast for ${location} change since this morning?`,
      call: { tool: 'what_changed', arguments: { location } },
      facts: { location },
      expected: { is: 'unknown' },
    }),
  ),
  question({
    subject: 'past weather that is not stored',
    text: 'How warm was it on May 1 in Chicago, IL? If it is not stored, what may have it?',
    call: { tool: 'get_past_weather', arguments: { location: 'Chicago, IL', start: '2026-05-01', end: '2026-05-01' } },
    facts: { location: 'Chicago, IL', date: '2026-05-01' },
    expected: words(
      'It is not stored; get_climate_normals has what is usual.',
      /get_(?:observations|climate_records|climate_normals)/,
    ),
  }),
]
