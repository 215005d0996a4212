import { units } from '../../api/present/units.ts'
import { type NarrativeInput, narrate, type Timing } from '../../api/sections/narrative.ts'
import { knownWords, ownWords } from '../../ingest/domain/weather/conditions.ts'
import { FREEZING_RAIN, ICE_PELLETS, NONE, RAIN, SNOW, WINTRY_MIX } from '../../ingest/domain/weather/precip-type.ts'

/**
 * Synthetic halves of days: each hazard, time and system of units. `npx hexcast words` prints them;
 * test/cases/narratives.txt is the golden list.
 */

interface Case {
  readonly title: string
  readonly half: NarrativeInput
}

const unknown = Number.NaN
const calm = {
  precipProbability: unknown,
  cloudCover: unknown,
  windSpeed: unknown,
  windGust: unknown,
  windDirection: unknown,
  precipType: NONE as number,
  mostlyRain: false,
  precipTotal: 0,
  snowTotal: 0,
  iceTotal: 0,
  severe: false,
}

const nothing = {
  name: 'day' as const,
  firstWords: undefined,
  sky: undefined,
  remaining: unknown,
  timing: undefined,
}
const named = (conditions: string) => knownWords.slice(0, ownWords).find((words) => words.conditions === conditions)

const timings: readonly [string, Timing | undefined][] = [
  ['all half', undefined],
  ['onset', { stretches: [{ after: 21 }] }],
  ['end', { stretches: [{ before: 0 }] }],
  ['a stretch', { stretches: [{ after: 12, before: 16 }] }],
]

/** Words, type, amounts of liquid, snow and ice in mm, and temperature in K. */
const hazards: readonly [string, number, number, number, number, number][] = [
  ['Slight Chance Rain Showers', RAIN, 0.3, 0, 0, 290],
  ['Chance Rain', RAIN, 3, 0, 0, 288],
  ['Rain Likely', RAIN, 8, 0, 0, 284],
  ['Heavy Rain', RAIN, 48, 0, 0, 286],
  ['Light Rain', RAIN, 1, 0, 0, 279],
  ['Rain Showers', RAIN, 14, 0, 0, 287],
  ['Rain Showers Likely', RAIN, 7, 12, 0, 276],
  ['Slight Chance Thunderstorms', RAIN, 1, 0, 0, 303],
  ['Chance Showers and Thunderstorms', RAIN, 6, 0, 0, 301],
  ['Showers and Thunderstorms Likely', RAIN, 20, 0, 0, 300],
  ['Thunderstorms', RAIN, 30, 0, 0, 305],
  ['Chance Snow Showers', SNOW, 0.4, 4, 0, 270],
  ['Snow Likely', SNOW, 2, 24, 0, 268],
  ['Snow', SNOW, 9, 102, 0, 266],
  ['Heavy Snow', SNOW, 24, 284.3, 0, 262],
  ['Light Snow', SNOW, 0.8, 9, 0, 255],
  ['Snow Showers', SNOW, 1.2, 13.5, 0, 268],
  ['Heavy Snow Showers', SNOW, 22, unknown, 0, 268],
  ['Chance Snow and Thunder', SNOW, 4, 44, 0, 270],
  ['Chance Rain and Snow Showers', WINTRY_MIX, 3, 8, 0, 274],
  ['Wintry Mix', WINTRY_MIX, 7, 30, 2, 273],
  ['Chance Freezing Rain', FREEZING_RAIN, 1, 0, 0.4, 272],
  ['Freezing Rain', FREEZING_RAIN, 9, 0, 5, 271],
  ['Heavy Freezing Rain', FREEZING_RAIN, 30, 0, 18, 271.5],
  ['Sleet Likely', ICE_PELLETS, 4, 6, 0, 271],
]

const skies = [
  'Sunny',
  'Mostly Sunny',
  'Clear',
  'Mostly Clear',
  'Partly Cloudy',
  'Mostly Cloudy',
  'Cloudy',
  'Fog',
  'Dense Fog',
  'Haze',
  'Smoke',
]

type WindCase = readonly [title: string, speed: number, gust: number, direction: number]
/** Title, wind and gust in m/s, and direction in degrees. */
const winds: readonly [WindCase, ...WindCase[]] = [
  ['no wind known', unknown, unknown, unknown],
  ['light wind', 0.9, 2, 10],
  ['a breeze', 5, 7, 225],
  ['gusts', 12, 21, 315],
]

function* cases(): Generator<Case> {
  for (const [words, precipType, precipTotal, snowTotal, iceTotal, temperature] of hazards) {
    for (const [when, timing] of timings) {
      const name = when === 'onset' || when === 'end' ? ('night' as const) : ('day' as const)
      const [, windSpeed, windGust, windDirection] = winds[timings.findIndex(([title]) => title === when)] ?? winds[0]
      const half = {
        ...calm,
        precipType,
        precipTotal,
        snowTotal,
        iceTotal,
        windSpeed,
        windGust,
        windDirection,
        severe: when === 'a stretch',
      }
      yield {
        title: `${words}, ${when}, ${name}`,
        half: {
          name,
          words: named(words),
          firstWords: undefined,
          sky: named('Mostly Cloudy'),
          temperature,
          remaining: unknown,
          timing,
          half,
        },
      }
    }
  }
  yield* skyCases()
  yield* timedCases()
  yield* longCases()
  yield* otherCases()
}

function* skyCases(): Generator<Case> {
  for (const sky of skies) {
    for (const [title, windSpeed, windGust, windDirection] of winds) {
      for (const name of ['day', 'night'] as const) {
        if (sky.includes(name === 'day' ? 'Clear' : 'Sunny')) continue
        const half = { ...calm, windSpeed, windGust, windDirection }
        yield {
          title: `${sky}, ${title}, ${name}`,
          half: {
            name,
            words: named(sky),
            firstWords: undefined,
            sky: undefined,
            temperature: name === 'day' ? 295 : 262,
            remaining: unknown,
            timing: undefined,
            half,
          },
        }
      }
    }
  }
}

/** Halves that test the timing, thunder or change of precipitation. */
function* timedCases(): Generator<Case> {
  const rain = { ...calm, precipType: RAIN, precipTotal: 6, precipProbability: 90, cloudCover: 95 }
  const shown = { ...nothing, sky: named('Cloudy'), temperature: 275, half: rain }
  yield {
    title: 'two stretches, night',
    half: { ...shown, name: 'night', words: named('Rain'), timing: { stretches: [{ before: 21 }, { after: 3 }] } },
  }
  yield {
    title: 'likely rain with a slight chance of thunderstorms, day',
    half: { ...shown, words: named('Rain Likely, Slight Chance Thunderstorms') },
  }
  yield {
    title: 'rain that changes to snow, night',
    half: {
      ...shown,
      name: 'night',
      words: named('Wintry Mix'),
      firstWords: named('Rain'),
      timing: { stretches: [], change: { first: RAIN, later: [{ type: SNOW, after: 1 }] } },
    },
  }
  const later = [
    { type: ICE_PELLETS, after: 21 },
    { type: SNOW, after: 1 },
  ]
  yield {
    title: 'rain that changes to sleet and to snow, night',
    half: {
      ...shown,
      name: 'night',
      words: named('Wintry Mix'),
      firstWords: named('Rain'),
      timing: { stretches: [], change: { first: RAIN, later } },
    },
  }
}

/** Halves with more to say than a text for one hazard has room for. */
function* longCases(): Generator<Case> {
  const stretches = [
    { after: 10, before: 11 },
    { after: 15, before: 17 },
  ]
  const wind = { windSpeed: 9, windGust: 16, windDirection: 225 }
  const cases: readonly [string, string, Partial<NarrativeInput['half']>, Timing][] = [
    ['half an inch of rain', 'Rain Showers Likely', { precipType: RAIN, precipTotal: 16.5 }, { stretches }],
    ['a slight chance of an inch', 'Slight Chance Rain', { precipType: RAIN, precipTotal: 22.5 }, { stretches }],
    ['some snow', 'Chance Snow Showers', { precipType: SNOW, precipTotal: 0.8, snowTotal: 9 }, { stretches }],
    [
      'a mix that freezes',
      'Rain and Snow Showers Likely',
      { precipType: WINTRY_MIX, precipTotal: 3, snowTotal: 9 },
      { stretches: [], change: { first: WINTRY_MIX, later: [{ type: FREEZING_RAIN, after: 10 }] } },
    ],
  ]
  for (const [title, conditions, amounts, timing] of cases) {
    const words = named(conditions)
    const shown = { ...nothing, words, firstWords: words, sky: named('Mostly Cloudy'), temperature: 280, timing }
    const half = { ...calm, ...wind, precipProbability: 70, cloudCover: 80, ...amounts }
    yield { title: `${title} beside much else, day`, half: { ...shown, half } }
    yield { title: `${title} in falling temperatures, day`, half: { ...shown, remaining: 271, half } }
  }
}

function* otherCases(): Generator<Case> {
  const passed = { ...nothing, words: named('Partly Cloudy'), half: calm }
  yield { title: 'the warmest has passed, day', half: { ...passed, temperature: 285, remaining: 269 } }
  yield { title: 'the coldest has passed, night', half: { ...passed, name: 'night', temperature: 278, remaining: 283 } }
  const showers = { ...calm, precipType: RAIN, precipTotal: 6, precipProbability: 90, cloudCover: 14 }
  yield {
    title: 'showers from few clouds, night',
    half: {
      ...nothing,
      name: 'night',
      words: named('Rain Showers'),
      sky: named('Mostly Clear'),
      temperature: 288,
      half: showers,
    },
  }
  const turning = { ...calm, precipType: FREEZING_RAIN, precipTotal: 20, mostlyRain: true }
  yield {
    title: 'freezing rain that is mostly rain, night',
    half: {
      ...nothing,
      name: 'night',
      words: named('Freezing Rain'),
      sky: named('Cloudy'),
      temperature: 274,
      half: turning,
    },
  }
  yield { title: 'no temperature', half: { ...nothing, words: named('Sunny'), temperature: unknown, half: calm } }
  yield { title: 'no words', half: { ...nothing, words: undefined, temperature: 280, half: calm } }
  yield { title: 'nothing', half: { ...nothing, words: undefined, temperature: unknown, half: calm } }
}

/** Returns one line `title [units]: narrative` for each case and system of units. */
export function narrativeLines(): string[] {
  return [...cases()].flatMap(({ title, half }) =>
    (['imperial', 'metric'] as const).map((system) => `${title} [${system}]: ${narrate(half, units[system]) ?? ''}`),
  )
}
