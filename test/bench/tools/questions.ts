import { resolve } from '../../../api/query/location.ts'
import { alertsAt, type SimulatedAlert } from '../../../infra/simulator/alerts.ts'
import { weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { sunMoon } from '../../../ingest/domain/sky/sun-moon.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { stateByCode } from '../../../ingest/geo/state.ts'

/** A question with the suitable tools, and a check of the answer's text against the simulator's truth. */
export interface Question {
  readonly kind: 'value' | 'time' | 'place' | 'yes-no' | 'comparison' | 'none'
  readonly text: string
  readonly tools: readonly string[]
  /** The form of the answer that a model is asked for. */
  readonly form: string
  /** Whether the text of a tool has the true answer, which may be an error. */
  right(text: string): boolean
  /** Whether an answer of a model in prose is true. */
  judge(answer: string): boolean
  /** A true and a false answer in prose. `judge` must accept only the first. */
  readonly examples: readonly [right: string, wrong: string]
  /** Whether an alert is active, so that a text with "no alerts" would be a false all-clear. */
  readonly danger?: boolean
}

const towns = [
  'Denver, CO',
  'Phoenix, AZ',
  'Boston, MA',
  'Miami, FL',
  'Seattle, WA',
  'Chicago, IL',
  'Atlanta, GA',
  'Dallas, TX',
  'Fargo, ND',
  'Boise, ID',
  'Omaha, NE',
  'Tulsa, OK',
  'Reno, NV',
  'Billings, MT',
  'Albany, NY',
  'Richmond, VA',
  'Memphis, TN',
  'Mobile, AL',
  'Tucson, AZ',
  'Portland, OR',
  'Portland, ME',
  'Duluth, MN',
  'El Paso, TX',
  'Savannah, GA',
  'Anchorage, AK',
  'Honolulu, HI',
  'Burlington, VT',
  'Cheyenne, WY',
  'Santa Fe, NM',
  'Madison, WI',
] as const

const placeOf = (location: string) => resolve({ kind: 'place', text: location })
const fahrenheit = (kelvin: number) => (kelvin - 273.15) * 1.8 + 32

/** The line of an hourly text for a local day and hour. */
function lineAt(text: string, at: number, timezone: string): string | undefined {
  const day = new Date(at).toLocaleString('en-US', {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  })
  const hour = new Date(at).toLocaleString('en-US', { timeZone: timezone, hour: 'numeric' })
  let here = false
  for (const line of text.split('\n')) {
    if (/^\w{3}, \w{3} \d+ /.test(line)) here = line.startsWith(day)
    if (here && (line.startsWith(`${hour}:`) || line.startsWith(`${day} ${hour}:`))) return line
  }
  return undefined
}

/** The text with ordinary spaces: times have a narrow no-break space before AM and PM. */
const plain = (text: string) => text.replaceAll('\u202f', ' ')

/** The first time in a text as minutes of the day; NaN without a time. */
function minutesOf(text: string): number {
  const [, hour, minute, half] = /(\d{1,2}):(\d{2}) ?([AP])\.?M/i.exec(plain(text)) ?? []
  if (hour === undefined) return Number.NaN
  return (Number(hour) % 12) * 60 + Number(minute) + (half?.toUpperCase() === 'P' ? 720 : 0)
}

/** Whether an answer in prose denies that there is an alert, by its first sentence. */
const denies = (answer: string) =>
  /^\W*(no|none|not)\b|\b(no|0|zero|without|not any) (active |current )?\w* ?(alerts?|warnings?)|aren't any|are no\b/i.test(
    answer.split(/(?<=[.!?])\s/)[0] ?? '',
  )
const refuses = (answer: string) => /outside|not cover|only (covers )?the (50 )?(US|United)|cannot|can't/i.test(answer)

const numberBefore = (text: string | undefined, unit: string) => {
  const [, number] = new RegExp(`(-?[\\d.]+) ${unit}`).exec(text ?? '') ?? []
  return Number(number ?? Number.NaN)
}

/** Whether a text denies every danger at a place where there is one. */
export function isFalseAllClear({ danger }: Question, text: string, prose: boolean): boolean {
  if (danger !== true) return false
  if (/\bno (active )?alerts?\b/i.test(text)) return true
  return prose && denies(text) && !/\bother|\bbut\b|\belse/i.test(text)
}

/** At least 200 questions about a moment of the simulated weather. */
export function questionsAt(now: number): Question[] {
  return [
    ...temperatures(now),
    ...sunsets(now),
    ...warningsAtPoints(now),
    ...warningsInStates(now),
    ...comparisons(now),
    ...places(),
    ...refusals(),
  ]
}

function temperatures(now: number): Question[] {
  return towns.flatMap((town, i) =>
    [5, 11, 17].map((ahead): Question => {
      const { lat, lon, place } = placeOf(town)
      const at = Math.floor(now / HOUR) * HOUR + (ahead + (i % 3)) * HOUR
      const hour = new Date(at).toLocaleString('en-US', { timeZone: place.timezone, hour: 'numeric', weekday: 'long' })
      const truth = fahrenheit(weatherAt(lat, lon, at).temperature)
      return {
        kind: 'value',
        text: `How hot will it be at a time of day, hour by hour, ${hour}, in ${town}?`,
        tools: ['get_hourly_forecast'],
        form: 'the temperature in °F',
        // The tolerance is for cells of 2 km and for hours that are blended from several models.
        right: (text) => Math.abs(numberBefore(lineAt(text, at, place.timezone), '°F') - truth) <= 4,
        judge: (answer) => Math.abs(numberBefore(answer, '(?:° ?F?|degrees|F\\b)') - truth) <= 4,
        examples: [`It will be about ${truth.toFixed(0)} °F in ${town}.`, `About ${(truth + 12).toFixed(0)}°F.`],
      }
    }),
  )
}

function sunsets(now: number): Question[] {
  return towns.map((town): Question => {
    const { lat, lon, place } = placeOf(town)
    const local = zone(place.timezone)
    const day = local.dayOf(now)
    const { sunset } = sunMoon(skyAt(lat, lon), local.startOfDay(day), local.startOfDay(day + 1))
    const clock =
      sunset === undefined
        ? undefined
        : new Date(sunset).toLocaleString('en-US', { timeZone: place.timezone, hour: 'numeric', minute: '2-digit' })
    return {
      kind: 'time',
      text: `When does the sun set tonight in ${town}?`,
      tools: ['get_sun_moon'],
      right: (text) => clock !== undefined && plain(text).includes(plain(clock)),
      form: 'the local time, such as 5:31 PM',
      judge: (answer) => Math.abs(minutesOf(answer) - minutesOf(clock ?? '')) <= 2,
      examples: [`The sun sets at ${clock} there.`, 'At 12:01 PM.'],
    }
  })
}

/** Alerts in effect, without cancelled and replaced ones. */
function inForce(now: number): SimulatedAlert[] {
  const all = alertsAt(now)
  const replaced = new Set(all.flatMap(({ references }) => references))
  return all.filter(
    ({ id, kind, action, status, ends, expires }) =>
      status === 'Actual' &&
      kind !== 'Cancel' &&
      // A cancellation may be a separate message of type Alert.
      action !== 'CAN' &&
      action !== 'EXP' &&
      !replaced.has(id) &&
      now < Math.max(ends, expires),
  )
}

/** Time that the server may take to read its sources and to answer, ms. */
const ASKED_WITHIN = 120_000

/** Alerts that are in effect during all of this time. The simulator changes its alerts every 5 minutes. */
export function activeAt(now: number): SimulatedAlert[] {
  const later = new Set(inForce(now + ASKED_WITHIN).map(({ id }) => id))
  return inForce(now).filter(({ id }) => later.has(id))
}

function warningsAtPoints(now: number): Question[] {
  const inside = activeAt(now)
    .filter(({ ring }) => ring !== undefined)
    .slice(0, 20)
    .flatMap(({ ring = [], event }): Question[] => {
      const corners = ring.slice(0, -1)
      const lon = corners.reduce((sum, [x]) => sum + x, 0) / corners.length
      const lat = corners.reduce((sum, [, y]) => sum + y, 0) / corners.length
      return [
        {
          kind: 'yes-no',
          text: `Are there any warnings in effect for my area at ${lat.toFixed(3)}, ${lon.toFixed(3)}?`,
          tools: ['get_alerts'],
          danger: true,
          form: 'yes or no, and the names of the events',
          right: (text) => text.includes(event) || /outside-coverage/.test(text),
          judge: (answer) => (answer.includes(event) && !denies(answer)) || refuses(answer),
          examples: [`Yes: a ${event} is in effect.`, 'No warnings are in effect there.'],
        },
      ]
    })
  const active = activeAt(now)
  const quiet = towns.slice(0, 20).map((town): Question => {
    const { lat, lon } = placeOf(town)
    const near = active.some(({ ring = [] }) => ring.some(([x, y]) => Math.hypot(x - lon, y - lat) < 2))
    return {
      kind: near ? 'yes-no' : 'none',
      text: `Are there any warnings in effect for my area in ${town}?`,
      tools: ['get_alerts'],
      form: 'yes or no, and the names of the events',
      right: (text) => near || /No active alerts at .* as of|\d+ active at/.test(text),
      judge: (answer) => near || denies(answer),
      examples: [
        `No active alerts are in effect in ${town} now.`,
        near ? '' : `Yes, a Tornado Warning is in effect in ${town}.`,
      ],
    }
  })
  return [...inside, ...quiet]
}

function warningsInStates(now: number): Question[] {
  const active = activeAt(now)
  return ['OK', 'TX', 'KS', 'NC', 'CA', 'FL', 'WI', 'AK', 'NE', 'PA'].flatMap((code) =>
    ['Tornado Warning', 'Severe Thunderstorm Warning', 'Blizzard Warning'].map((event): Question => {
      const here = active.filter(({ zones }) => zones.some((id) => id.startsWith(code)))
      const matching = here.filter((alert) => alert.event === event)
      const changing = inForce(now + ASKED_WITHIN).some((alert) => alert.event === event && !matching.includes(alert))
      return {
        kind: matching.length > 0 ? 'yes-no' : 'none',
        text: `Any ${event.toLowerCase()}s right now across the state of ${stateByCode.get(code)?.name}?`,
        tools: ['search_alerts'],
        danger: here.length > 0,
        form: 'yes or no, and how many',
        judge: (answer) => changing || matching.length > 0 !== denies(answer),
        examples: [
          matching.length > 0
            ? `Yes, ${matching.length} ${event}s.`
            : here.length > 0
              ? `No ${event}s, but ${here.length} other alerts are active.`
              : `No ${event}s are active there.`,
          changing ? '' : matching.length > 0 ? 'No, none.' : `Yes, 2 ${event}s are active.`,
        ],
        right: (text) =>
          changing ||
          (matching.length > 0
            ? new RegExp(`^\\d+ active in .*${event}`, 'm').test(text)
            : text.includes(`0 alerts match event ${event}`) &&
              (here.length === 0 || /others? (is|are) active there/.test(text))),
      }
    }),
  )
}

function comparisons(now: number): Question[] {
  return towns.slice(0, 20).map((town, i): Question => {
    const other = towns[(i + 7) % 20] ?? town
    const highOf = (name: string) => {
      const { lat, lon } = placeOf(name)
      const hours = Array.from({ length: 24 }, (_, hour) => Math.floor(now / HOUR) * HOUR + hour * HOUR)
      return Math.max(...hours.map((at) => fahrenheit(weatherAt(lat, lon, at).temperature)))
    }
    const [high, otherHigh] = [highOf(town), highOf(other)]
    const isTie = Math.abs(high - otherHigh) < 4
    return {
      kind: 'comparison',
      text: `Compare the temperature side by side: which city gets warmer, ${town} or ${other}?`,
      tools: ['compare_locations'],
      form: 'the name of the city alone',
      judge: (answer) => {
        const positionOf = (name: string) => answer.indexOf(name.replace(/,.*/, ''))
        const [first, second] = [positionOf(town), positionOf(other)]
        if (isTie) return first >= 0 || second >= 0
        const position = second < 0 || (first >= 0 && first < second) ? first : second
        return position >= 0 && (position === first) === high > otherHigh
      },
      examples: [high > otherHigh ? town : other, 'Neither.'],
      right(text) {
        const highInText = (name: string) => {
          const line = text.split('\n').find((candidate) => candidate.startsWith(name))
          return Number(/ to (-?[\d.]+) °F/.exec(line ?? '')?.[1])
        }
        return isTie || highInText(town) > highInText(other) === high > otherHigh
      },
    }
  })
}

function places(): Question[] {
  return ['Springfield', 'Franklin', 'Clinton', 'Greenville', 'Madison', 'Salem', 'Georgetown', 'Bristol'].map(
    (name) => ({
      kind: 'place',
      text: `It is unclear which place is meant: find the places called ${name} with their coordinates.`,
      tools: ['search_locations'],
      form: 'at least two of them with their states',
      right: (text) => (text.match(new RegExp(`^${name}`, 'gm')) ?? []).length >= 2,
      judge: (answer) => new Set(answer.match(new RegExp(`${name}, [A-Z][A-Za-z]+`, 'g')) ?? []).size >= 2,
      examples: [`${name}, MO and ${name}, IL, among others.`, `${name} is a town.`],
    }),
  )
}

function refusals(): Question[] {
  return ['Paris, France', 'London, UK', 'Toronto, ON', 'San Juan, PR', 'Guam', 'Tokyo, Japan', 'Cancun, Mexico'].map(
    (name) => ({
      kind: 'none',
      text: `What's the weather this week in ${name}?`,
      tools: ['get_forecast'],
      form: 'the forecast, or why there is none',
      right: (text) => /^Error \(outside-coverage\)/.test(text),
      judge: (answer) => refuses(answer) && !/\d ?°/.test(answer),
      examples: [`${name} is outside the coverage of this service.`, 'Sunny, 25 °C.'],
    }),
  )
}
