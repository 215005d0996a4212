import { airAt as airQualityAt, monitors } from '../../../../infra/simulator/feeds/airnow.ts'
import { stormsAt } from '../../../../infra/simulator/storms.ts'
import { coverage } from '../../../../ingest/geo/coverage.ts'
import { after, around, judge, lineWith, type Question, question } from '../question.ts'
import {
  airAt,
  fahrenheit,
  fallenAt,
  farTowns,
  HOUR,
  hourOf,
  inches,
  isDryAround,
  kmBetween,
  MINUTE,
  mph,
  strongStorms,
  type Town,
  towns,
  withoutRadar,
} from '../truth.ts'

/** Questions about what is happening now and what has just fallen. */
export const presentQuestions = (now: number): Question[] => [
  ...conditions(now),
  ...reports(now),
  ...airQuality(now),
  ...wetPlaces(now),
  ...dryPlaces(now),
  ...unseenPlaces(),
  ...totals(now),
]

const factsOf = ({ name, lat, lon, timezone }: Town) => ({ location: name, lat, lon, timezone })

/** The analysis at a place: the newest quarter of an hour that is at least 25 minutes old. */
function conditions(now: number): Question[] {
  const at = Math.floor((now - 25 * MINUTE) / (15 * MINUTE)) * 15 * MINUTE
  return towns.flatMap((town, i): Question[] => {
    const air = airAt(town, at)
    const ask = (subject: string, text: string, expected: Question['expected'], word: RegExp) =>
      question({
        subject,
        text: `${text} in ${town.name} now?`,
        call: { tool: 'get_current_conditions', arguments: { location: town.name } },
        facts: factsOf(town),
        expected,
        part: (answer) =>
          lineWith(answer, `${town.name} at `) ? after(lineWith(answer, 'temperature '), word) : undefined,
      })
    const all = [
      ask('temperature now', 'How warm is it', around(fahrenheit(air.temperature), 2, '°F'), /^/),
      ask('dew point now', 'What is the dew point', around(fahrenheit(air.dewPoint), 3, '°F'), /dew point /),
      ask('gusts now', 'How strong are the gusts', around(mph(air.windGust), 3, 'mph'), /wind gust /),
      ask(
        'wind direction now',
        'From how many degrees does the wind blow',
        around(air.windDirection, 12, 'degrees'),
        /wind direction /,
      ),
    ] as const
    return [all[i % 4], all[(i + 1) % 4]].flatMap((question) => question ?? [])
  })
}

/** Reports of stations, which have at most 0.2 °C of noise and are at most an hour old. */
function reports(now: number): Question[] {
  const stations = [
    ['KDEN', 39.847, -104.656],
    ['KBOS', 42.361, -71.01],
    ['KORD', 41.96, -87.932],
    ['KATL', 33.63, -84.442],
    ['KPHX', 33.428, -112.004],
    ['KSEA', 47.445, -122.314],
    ['KDFW', 32.898, -97.019],
    ['KMSP', 44.883, -93.229],
  ] as const
  return stations.flatMap(([id, lat, lon]): Question[] => {
    const values = [0, 20, 40, 60, 80].map((minutes) => airAt({ lat, lon }, now - minutes * MINUTE))
    const spread = (read: (air: (typeof values)[number]) => number, tolerance: number) => ({
      from: Math.min(...values.map(read)) - tolerance,
      to: Math.max(...values.map(read)) + tolerance,
    })
    const ask = (subject: string, text: string, expected: Question['expected'], word: RegExp) =>
      question({
        subject,
        text: `${text} did the station ${id} report last?`,
        call: { tool: 'get_observations', arguments: { station: id, hours: 2 } },
        facts: { station: id },
        expected,
        part: (answer) => after(lineWith(answer, new RegExp(`^${id}.* °F`)), word),
      })
    return [
      ask(
        'temperature of a station',
        'Which temperature',
        { is: 'number', unit: '°F', ...spread(({ temperature }) => fahrenheit(temperature), 1.5) },
        /ago\), /,
      ),
      ask(
        'wind of a station',
        'Which wind speed',
        { is: 'number', unit: 'mph', ...spread(({ windSpeed }) => mph(windSpeed), 2) },
        /wind \w+ /,
      ),
    ]
  })
}

function airQuality(now: number): Question[] {
  const covered = towns.slice(0, 10).flatMap((town): Question[] => {
    const near = monitors().filter((monitor) => kmBetween(monitor, town) < 60)
    if (near.length === 0) return []
    const values = near.flatMap(({ lat, lon, pm25, ozone, pm10 }) =>
      [1, 2, 3].map((hours) => {
        const air = airQualityAt(lat, lon, hourOf(now) - hours * HOUR)
        return Math.max(pm25 ? air.pm25 : 0, ozone ? air.ozone : 0, pm10 ? air.pm10 : 0)
      }),
    )
    return [
      question({
        subject: 'air quality',
        text: `What is the air quality index in ${town.name}?`,
        call: { tool: 'get_air_quality', arguments: { location: town.name } },
        facts: factsOf(town),
        expected: { is: 'number', from: Math.min(...values) - 1, to: Math.max(...values) + 1, unit: 'AQI' },
        part: (text) => lineWith(text, `Air quality at ${town.name}`),
      }),
    ]
  })
  const uncovered = [...farTowns, ...withoutRadar].slice(0, 4).map((town) =>
    question({
      subject: 'air quality outside the monitors',
      text: `What is the air quality index in ${town.name}?`,
      call: { tool: 'get_air_quality', arguments: { location: town.name } },
      facts: factsOf(town),
      expected: { is: 'unknown' },
    }),
  )
  return [...covered, ...uncovered]
}

/** The tools that say whether something falls at a point. */
const fallTools = [
  { subject: 'rain now by radar', tool: 'get_radar', ask: 'Is rain or snow falling' },
  {
    subject: 'rain in the next hour',
    tool: 'get_precipitation_nowcast',
    ask: 'Does rain or snow fall now or within the hour',
  },
] as const

function wetPlaces(now: number): Question[] {
  return strongStorms(now)
    .slice(0, 12)
    .flatMap(({ lat, lon }) => {
      const base = { facts: { lat, lon }, danger: true }
      return [
        ...fallTools.map(({ subject, tool, ask }) =>
          question({
            ...base,
            subject,
            text: `${ask} at ${lat}, ${lon}?`,
            call: { tool, arguments: { lat, lon } },
            expected: {
              is: 'words',
              all: [/rain|snow|wintry|mix|dBZ|precipitation/i],
              none: [/no (?:lasting )?(?:rain|precipitation)/i],
              example: 'Yes, rain is falling.',
            },
            part: (text: string) =>
              text
                .split('\n')
                .filter((line) => !line.startsWith('SIMULATED'))
                .slice(0, 2)
                .join(' '),
          }),
        ),
        question({
          ...base,
          subject: 'nearest storm cell',
          text: `How far is the nearest storm cell from ${lat}, ${lon}?`,
          call: { tool: 'get_storm_tracks', arguments: { lat, lon } },
          expected: { is: 'number', from: 0, to: 25, unit: 'km' },
          part: (text) => lineWith(text, /^[\d.]+ km /),
        }),
      ]
    })
}

function dryPlaces(now: number): Question[] {
  const dry = towns.filter((town) => isDryAround(town, now))
  const storms = stormsAt(now)
  return dry.slice(0, 12).flatMap((town) => {
    const isFar = storms.every((state) => kmBetween(state, town) > 330)
    const ask = (subject: string, text: string, tool: string, start: RegExp, more: object = {}) =>
      question({
        subject,
        text: `${text} ${town.name}?`,
        call: { tool, arguments: { location: town.name, ...more } },
        facts: factsOf(town),
        expected: { is: 'absent' },
        part: (answer) => lineWith(answer, start),
      })
    return [
      ask('rain now by radar', 'Is rain or snow falling in', 'get_radar', /precipitation over/),
      ask(
        'rain in the next hour',
        'Does rain or snow fall within the hour in',
        'get_precipitation_nowcast',
        /rain or snow/,
      ),
      ...(isFar
        ? [
            ask('lightning near', 'Is there lightning near', 'get_lightning_activity', /flash/),
            ask('storm cells near', 'Are there storm cells within 100 km of', 'get_storm_tracks', /storm cell/, {
              radius_km: 100,
            }),
          ]
        : []),
    ]
  })
}

/** Places that no radar sees: nothing may be called absent there. */
function unseenPlaces(): Question[] {
  const tools = [
    ['rain now by radar', 'Is rain or snow falling in', 'get_radar', {}],
    ['rain in the next hour', 'Does rain or snow fall within the hour in', 'get_precipitation_nowcast', {}],
    ['storm cells near', 'Are there storm cells near', 'get_storm_tracks', {}],
    ['rain of the past hours', 'How much rain fell in the last 3 hours in', 'get_precipitation_totals', { hours: 3 }],
    [
      'radar picture',
      'What does the radar picture show around',
      'get_map_snapshot',
      { product: 'mrms-reflectivity', zoom: 8, width: 300, height: 200 },
    ],
  ] as const
  // Totals of Alaska have gauges too: Utqiaġvik has one.
  const isUnseen = (town: Town, tool: string) => tool !== 'get_precipitation_totals' || town.name === 'Adak, AK'
  return withoutRadar.flatMap((town) =>
    tools
      .filter(([, , tool]) => isUnseen(town, tool))
      .map(([subject, text, tool, more]) =>
        question({
          subject,
          text: `${text} ${town.name}?`,
          call: { tool, arguments: { location: town.name, ...more } },
          facts: factsOf(town),
          expected: { is: 'unknown' },
        }),
      ),
  )
}

/** Rain of the last whole hour. An hour is published up to 45 minutes after its end. */
function totals(now: number): Question[] {
  const storms = stormsAt(hourOf(now) - 1.5 * HOUR)
    .filter(({ lat, lon, rate }) => rate > 8 && lat > 30 && lat < 46 && lon > -118 && lon < -84)
    .map(({ lat, lon }) => ({ lat: Math.round(lat * 100) / 100, lon: Math.round(lon * 100) / 100 }))
    .filter(({ lat, lon }) => coverage(lat, lon))
    .slice(0, 6)
  const wet = storms.flatMap((at): Question[] => {
    const ends = [hourOf(now), hourOf(now) - HOUR]
    const amounts = ends.map((end) => inches(fallenAt(at, end)))
    const right = amounts.map(
      (amount) => ({ is: 'number', from: amount * 0.65 - 0.02, to: amount * 1.35 + 0.02, unit: 'in' }) as const,
    )
    return [
      question({
        subject: 'rain of the last hour',
        text: `How much fell in the last whole hour at ${at.lat}, ${at.lon}?`,
        call: { tool: 'get_precipitation_totals', arguments: { ...at, hours: 1 } },
        facts: at,
        expected: {
          is: 'number',
          from: Math.min(...amounts) * 0.65 - 0.02,
          to: Math.max(...amounts) * 1.35 + 0.02,
          unit: 'in',
        },
        part(text) {
          const line = after(lineWith(text, '1 h to '), /: /)
          return line && right.some((expected) => judge(expected, line) || (/none/.test(line) && expected.from <= 0))
            ? line.replace('none', '0 in')
            : undefined
        },
      }),
    ]
  })
  const dry = towns
    .filter((town) => isDryAround(town, now - HOUR) && isDryAround(town, now - 2.5 * HOUR))
    .slice(0, 8)
    .map((town) =>
      question({
        subject: 'rain of the last hour',
        text: `How much fell in the last whole hour in ${town.name}?`,
        call: { tool: 'get_precipitation_totals', arguments: { location: town.name, hours: 1 } },
        facts: factsOf(town),
        expected: { is: 'absent' },
        part: (text) => after(lineWith(text, '1 h to '), /: /),
      }),
    )
  return [...wet, ...dry]
}
