import { alertsAt } from '../../../../infra/simulator/alerts.ts'
import { precipProbability, spreads } from '../../../../infra/simulator/atmosphere.ts'
import { isoSeconds as iso } from '../../../../ingest/domain/time.ts'
import { lineWith, type Question, question, words } from '../question.ts'
import {
  airAt,
  fahrenheit,
  fallenAt,
  HOUR,
  hourOf,
  inZone,
  kmBetween,
  MINUTE,
  mph,
  type Town,
  towns,
} from '../truth.ts'
import { activeAt, centreOf, isInside } from './alerts.ts'

/** Questions about chances that are neither small nor nearly certain, and about the way between the stops of a route. */
export const chanceQuestions = (now: number): Question[] => [
  ...thresholds(now),
  ...wetHours(now),
  ...thunderHours(now),
  ...wetLegs(now),
  ...warnedLegs(now),
  ...quietLegs(now),
]

type Point = Pick<Town, 'lat' | 'lon'>
interface Bounds {
  readonly from: number
  readonly to: number
}

/** A server stores chances rounded and for cells of 2 km: points of percent that an answer may differ by. */
const ROUNDING = 5
/** Half the width of a cell and of a neighbour, degrees. */
const CELL = 0.015
const around = ({ lat, lon }: Point): Point[] =>
  [0, -CELL, CELL].flatMap((dy) => [0, -CELL, CELL].map((dx) => ({ lat: lat + dy, lon: lon + dx })))

const spoken = (at: number, timezone: string) => inZone(at, timezone, { weekday: 'long', hour: 'numeric' })
const rangeOf = (values: readonly number[]): Bounds => ({ from: Math.min(...values), to: Math.max(...values) })

/** Whether bounds say something: no part of them is near 0 or 100 %, and they are not wide. */
const isMiddling = ({ from, to }: Bounds): boolean => from >= 10 && to <= 90 && to - from <= 45

/**
 * The chance of an event in any of some hours, percent. How hours depend on each other is not part of the simulated sky: the chance is at
 * least that of the most likely hour, and at most that of independent hours.
 */
function ofAnyHour(chances: readonly Bounds[]): Bounds {
  const none = chances.reduce((product, { to }) => product * (1 - to / 100), 1)
  return { from: Math.max(...chances.map(({ from }) => from)), to: 100 * (1 - none) }
}

const percent = ({ from, to }: Bounds): Question['expected'] => ({
  is: 'number',
  from: Math.max(0, from - ROUNDING),
  to: Math.min(100, to + ROUNDING),
  unit: '%',
})

/** Chance (percent) that a normal variable is above a limit, by Simpson's rule over its density. */
export function normalTail(limit: number, mean: number, spread: number): number {
  const z = Math.max(-8, Math.min(8, (limit - mean) / spread))
  const steps = 400
  const width = (8 - z) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
    sum += weight * Math.exp(-((z + i * width) ** 2) / 2)
  }
  return (100 * sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

interface ChanceCall {
  readonly town: Town
  readonly variable: string
  readonly comparison: 'above' | 'below'
  readonly threshold: number
  readonly unit: string
  readonly start: number
  readonly end: number
}

function ofChance({ town, variable, comparison, threshold, unit, start, end }: ChanceCall, truth: Bounds): Question {
  const facts = { variable, comparison, threshold, start: iso(start), end: iso(end) }
  const span = `from ${spoken(start, town.timezone)} to ${spoken(end, town.timezone)} in ${town.name}`
  return question({
    subject: `chance of ${variable} ${comparison} a threshold`,
    text: `What is the chance that the ${variable.replace('_', ' ')} is ${comparison} ${threshold} ${unit} ${span}?`,
    call: { tool: 'chance_of', arguments: { location: town.name, ...facts } },
    facts: { location: town.name, lat: town.lat, lon: town.lon, timezone: town.timezone, ...facts },
    expected: percent(truth),
  })
}

const kinds = [
  {
    variable: 'temperature',
    unit: '°F',
    mean: (point: Point, at: number) => fahrenheit(airAt(point, at).temperature),
    spread: (point: Point, at: number, lead: number) => 1.8 * spreads(airAt(point, at).front, lead).temperature,
  },
  {
    variable: 'wind_gust',
    unit: 'mph',
    mean: (point: Point, at: number) => mph(airAt(point, at).windGust),
    spread: (point: Point, at: number, lead: number) => mph(spreads(airAt(point, at).front, lead).windGust),
  },
] as const

/** Thresholds within a standard deviation of the forecast of temperature and gusts, at two hours that follow each other. */
function thresholds(now: number): Question[] {
  return towns.flatMap((town, i) =>
    kinds.flatMap(({ variable, unit, mean, spread }, k): Question[] => {
      const start = hourOf(now) + (5 + ((i * 7 + k * 3) % 24)) * HOUR
      const comparison = (i + k) % 2 === 0 ? 'above' : 'below'
      const middle = spread(town, start, (start - now) / HOUR)
      const threshold = Math.round(mean(town, start) + (((i % 5) - 2) / 2) * middle)
      const chanceAt = (at: number): Bounds =>
        rangeOf(
          around(town).flatMap((point) =>
            // The newest run is one to three hours old.
            [1, 3].map((age) => {
              const above = normalTail(threshold, mean(point, at), spread(point, at, (at - now) / HOUR + age))
              return comparison === 'above' ? above : 100 - above
            }),
          ),
        )
      const truth = ofAnyHour([chanceAt(start), chanceAt(start + HOUR)])
      const call = { town, variable, comparison, threshold, unit, start, end: start + HOUR } as const
      return isMiddling(truth) ? [ofChance(call, truth)] : []
    }),
  )
}

const wetChance = (point: Point, end: number) => precipProbability(fallenAt(point, end), airAt(point, end).cloudCover)

/** Measurable precipitation in a single hour, whose chance the simulator publishes. */
function wetHours(now: number): Question[] {
  return towns.flatMap((town): Question[] => {
    const hours = Array.from({ length: 24 }, (_, i) => hourOf(now) + (4 + i) * HOUR)
    const call = { town, variable: 'precip_amount', comparison: 'above', threshold: 0.01, unit: 'in' } as const
    return hours
      .map((end) => ({ end, truth: rangeOf(around(town).map((point) => wetChance(point, end))) }))
      .filter(({ truth }) => isMiddling(truth))
      .slice(0, 1)
      .map(({ end, truth }) => ofChance({ ...call, start: end - HOUR, end }, truth))
  })
}

/** Thunder in a single hour, whose chance the simulator publishes. */
function thunderHours(now: number): Question[] {
  return towns.flatMap((town): Question[] => {
    const hours = Array.from({ length: 24 }, (_, i) => hourOf(now) + (4 + i) * HOUR)
    return hours
      .map((end) => ({ end, truth: rangeOf(around(town).map((point) => airAt(point, end).thunder)) }))
      .filter(({ truth }) => isMiddling(truth))
      .slice(0, 1)
      .map(({ end, truth }) => {
        const facts = { variable: 'thunderstorm', start: iso(end - HOUR), end: iso(end) }
        const span = `from ${spoken(end - HOUR, town.timezone)} to ${spoken(end, town.timezone)}`
        return question({
          subject: 'chance of thunderstorms',
          text: `What is the chance of a thunderstorm ${span} in ${town.name}?`,
          call: { tool: 'chance_of', arguments: { location: town.name, ...facts } },
          facts: { location: town.name, lat: town.lat, lon: town.lon, timezone: town.timezone, ...facts },
          expected: percent(truth),
        })
      })
  })
}

const placeOf = ({ lat, lon }: Point) => `${lat.toFixed(3)},${lon.toFixed(3)}`

/** The leg of a route from one point to another, asked of the tool for routes. */
function ofLeg(
  subject: string,
  ask: string,
  [a, b]: readonly [Point, Point],
  [start, end]: readonly [number, number],
  expected: Question['expected'],
  danger = false,
): Question {
  const [from, to] = [placeOf(a), placeOf(b)]
  return question({
    subject,
    text: `I leave ${from} at ${iso(start)} and arrive at ${to} at ${iso(end)}. ${ask}`,
    call: {
      tool: 'get_route_weather',
      arguments: {
        stops: [
          { lat: Number(a.lat.toFixed(3)), lon: Number(a.lon.toFixed(3)), time: iso(start) },
          { lat: Number(b.lat.toFixed(3)), lon: Number(b.lon.toFixed(3)), time: iso(end) },
        ],
      },
    },
    facts: { from, location: to, start: iso(start), end: iso(end) },
    expected,
    danger,
    part: (text) => lineWith(text, 'Between stops 1 and 2'),
  })
}

/** Short legs on which the chance of rain or snow is much the same everywhere, within one hour. */
function wetLegs(now: number): Question[] {
  return towns.flatMap((town): Question[] => {
    const legs = [
      [0.5, 0],
      [0, 0.7],
      [-0.5, 0.3],
    ].flatMap(([dy = 0, dx = 0]) =>
      [6, 9, 12, 15, 18, 21].map((ahead) => ({
        stops: [town, { lat: town.lat + dy, lon: town.lon + dx }] as const,
        start: hourOf(now) + ahead * HOUR + 10 * MINUTE,
      })),
    )
    return legs
      .map(({ stops: [a, b], start }) => {
        const points = [0.2, 0.35, 0.5, 0.65, 0.8].map((share) => ({
          lat: a.lat + share * (b.lat - a.lat),
          lon: a.lon + share * (b.lon - a.lon),
        }))
        const truth = rangeOf(points.flatMap(around).map((point) => wetChance(point, hourOf(start) + HOUR)))
        return { stops: [a, b] as const, start, truth }
      })
      .filter(({ truth }) => isMiddling(truth))
      .slice(0, 1)
      .map(({ stops, start, truth }) =>
        ofLeg(
          'chance of rain on a leg',
          'How likely is rain or snow on the way?',
          stops,
          [start, start + 40 * MINUTE],
          percent(truth),
        ),
      )
  })
}

/** Half the length of a leg across a warning, degrees of longitude. */
const ACROSS = 0.7

/** Legs that cross the middle of a warning, which is in effect at the time of passing. */
function warnedLegs(now: number): Question[] {
  return activeAt(now)
    .filter(({ begin, ends, expires }) => begin <= now && Math.min(ends, expires) > now + 16 * MINUTE)
    .flatMap(({ ring, event }) => (ring ? [{ event, at: centreOf(ring) }] : []))
    .filter(({ at }) => isInside(at))
    .slice(0, 8)
    .map(({ event, at: { lat, lon } }) =>
      ofLeg(
        'alerts on a leg',
        'Are any warnings in effect on the way?',
        [
          { lat, lon: lon - ACROSS },
          { lat, lon: lon + ACROSS },
        ],
        [now + 2 * MINUTE, now + 20 * MINUTE],
        words(`Yes, a ${event} is in effect on the way.`, new RegExp(event, 'i')),
        true,
      ),
    )
}

/** Legs far from all alerts of the next hour. */
function quietLegs(now: number): Question[] {
  const alerts = alertsAt(now)
  const isFar = (point: Point) =>
    alerts.every(({ ring = [] }) => ring.every(([lon, lat]) => kmBetween({ lat, lon }, point) > 300))
  return towns
    .filter((town) => !['Denver, CO', 'Duluth, MN'].includes(town.name) && isFar(town))
    .slice(0, 6)
    .map((town) =>
      ofLeg(
        'alerts on a leg',
        'Is any alert in effect on the way?',
        [town, { lat: town.lat + 0.4, lon: town.lon }],
        [now + 10 * MINUTE, now + 40 * MINUTE],
        { is: 'absent' },
      ),
    )
}
