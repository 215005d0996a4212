import { alertsAt, type SimulatedAlert } from '../../../../infra/simulator/alerts.ts'
import { countyAt } from '../../../../ingest/geo/place.ts'
import { after, around, lineWith, type Question, question, words } from '../question.ts'
import { kmBetween, type Town, towns } from '../truth.ts'

/** Questions about alerts in effect, and about alerts, outlooks and radar whose sources are away. */
export const alertQuestions = (now: number): Question[] => [
  ...atPoints(now),
  ...atQuietTowns(now),
  ...inStates(now),
  ...ofCountry(now),
  ...away(now),
]

const factsOf = ({ name, lat, lon, timezone }: Town) => ({ location: name, lat, lon, timezone })

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
const ASKED_WITHIN = 240_000

/** Alerts that are in effect during all of this time. The simulator changes its alerts every 5 minutes. */
export function activeAt(now: number): SimulatedAlert[] {
  const later = new Set(inForce(now + ASKED_WITHIN).map(({ id }) => id))
  return inForce(now).filter(({ id }) => later.has(id))
}

/** The middle of an area. */
export function centreOf(ring: NonNullable<SimulatedAlert['ring']>): { lat: number; lon: number } {
  const corners = ring.slice(0, -1)
  const mean = (k: 0 | 1) =>
    Math.round((corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length) * 1000) / 1000
  return { lat: mean(1), lon: mean(0) }
}

/** Whether a point is inside the lower 48 states, half a degree from Mexico, Canada and the coasts. */
export const isInside = ({ lat, lon }: { readonly lat: number; readonly lon: number }): boolean =>
  [-0.5, 0, 0.5].every((dy) =>
    [-0.5, 0, 0.5].every((dx) => {
      const county = countyAt(lat + dy, lon + dx)
      return county?.km === 0 && !['AK', 'HI'].includes(county.state.code)
    }),
  )

function atPoints(now: number): Question[] {
  return activeAt(now)
    .flatMap((alert) => (alert.ring ? { alert, at: centreOf(alert.ring) } : []))
    .filter(({ at }) => isInside(at))
    .slice(0, 10)
    .flatMap(({ alert, at }): Question[] => {
      const { event, parameters } = alert
      const gust = Number(/\d+/.exec(parameters['maxWindGust']?.[0] ?? '')?.[0])
      const base = { facts: at, danger: true }
      const ask = (
        subject: string,
        text: string,
        tool: string,
        expected: Question['expected'],
        members: Partial<Question> & { more?: object } = {},
      ) =>
        question({
          ...base,
          subject,
          text: `${text} at ${at.lat}, ${at.lon}?`,
          call: { tool, arguments: { ...at, ...members.more } },
          expected,
          ...members,
        })
      const named = words(`Yes: a ${event} is in effect.`, new RegExp(event, 'i'))
      return [
        ask('alerts at a point', 'Are any warnings in effect', 'get_alerts', named),
        ask('alerts beside the forecast', 'Is the weather dangerous this week', 'get_forecast', named),
        ask('alerts beside the conditions', 'Is anything dangerous now', 'get_current_conditions', named),
        ask('alerts in a picture', 'Which alerts does the map show', 'get_map_snapshot', named, {
          more: { product: 'alerts', zoom: 9, width: 300, height: 200 },
        }),
        ask('gusts of a warning', 'How strong are the gusts of the warning', 'get_alerts', around(gust, 0.5, 'mph'), {
          part: (text) => after(lineWith(text.replaceAll('MPH', 'mph'), event), /gusts? (?:of |to )?/),
        }),
      ]
    })
}

/** Towns far from all alerts. Offices with advisories are left out, since their zones may have no outline. */
function atQuietTowns(now: number): Question[] {
  const active = alertsAt(now)
  return towns
    .filter(({ name }) => !['Denver, CO', 'Duluth, MN'].includes(name))
    .filter((town) => active.every(({ ring = [] }) => ring.every(([lon, lat]) => kmBetween({ lat, lon }, town) > 250)))
    .slice(0, 12)
    .flatMap((town, i): Question[] => {
      const tools = [
        ['alerts at a point', 'Are any warnings in effect for', 'get_alerts', /No active alerts|alert/],
        ['alerts beside the forecast', 'Are any alerts active this week for', 'get_forecast', /alert/i],
        ['red flag warning', 'Is a Red Flag Warning in effect for', 'get_fire_weather', /Red Flag/],
      ] as const
      return [tools[0], tools[1 + (i % 2)] ?? tools[1]].map(([subject, text, tool, start]) =>
        question({
          subject,
          text: `${text} ${town.name}?`,
          call: { tool, arguments: { location: town.name } },
          facts: factsOf(town),
          expected: { is: 'absent' },
          part: (answer) => lineWith(answer, start),
        }),
      )
    })
}

const states: Readonly<Record<string, string>> = {
  ...{ OK: 'Oklahoma', TX: 'Texas', KS: 'Kansas', NC: 'North Carolina', CA: 'California' },
  ...{ FL: 'Florida', WI: 'Wisconsin', IA: 'Iowa', NE: 'Nebraska', PA: 'Pennsylvania' },
}

function inStates(now: number): Question[] {
  const active = activeAt(now)
  const changing = new Set(
    [...inForce(now), ...inForce(now + ASKED_WITHIN)].filter((alert) => !active.some(({ id }) => id === alert.id)),
  )
  return Object.entries(states).flatMap(([code, name]) =>
    ['Tornado Warning', 'Severe Thunderstorm Warning', 'Blizzard Warning'].flatMap((event): Question[] => {
      const isHere = ({ zones }: SimulatedAlert) => zones.some((id) => id.startsWith(code))
      // A warning that is replaced while the questions are asked has another number of counties.
      if ([...changing].some((alert) => isHere(alert) && alert.event === event)) return []
      const here = active.filter(isHere)
      const count = here.filter((alert) => alert.event === event).length
      return [
        question({
          subject: 'alerts of a state',
          text: `Is any ${event} in effect in ${name} now, and how many?`,
          call: { tool: 'search_alerts', arguments: { area: code, event } },
          facts: { area: code, state: name, event },
          danger: count > 0,
          expected: count > 0 ? { is: 'number', from: count, to: count, unit: '' } : { is: 'absent' },
          part: (text) => lineWith(text, count > 0 ? /^\d+ active/ : /0 alerts match|No active alerts/),
        }),
      ]
    }),
  )
}

function ofCountry(now: number): Question[] {
  const active = activeAt(now)
  return ['Tornado Warning', 'Severe Thunderstorm Warning', 'Wind Advisory'].flatMap((event): Question[] => {
    const count = active.filter((alert) => alert.event === event).length
    const isSteady = [inForce(now), inForce(now + ASKED_WITHIN)].every(
      (list) => list.filter((alert) => alert.event === event).length === count,
    )
    if (count === 0 || !isSteady) return []
    return [
      question({
        subject: 'alerts of the country',
        text: `How many alerts of the kind ${event} are in effect in the whole country?`,
        call: { tool: 'search_alerts', arguments: { event } },
        facts: { event },
        danger: true,
        expected: { is: 'number', from: count, to: count, unit: '' },
        part: (text) => lineWith(text, /^\d+ active/),
      }),
    ]
  })
}

/** The same questions after their sources have failed, or have not been read for 45 minutes. */
function away(now: number): Question[] {
  const chosen = towns.slice(1, 5)
  const soon = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  const alertTools = [
    ['alerts at a point', 'Are any warnings in effect for', 'get_alerts', (location: string) => ({ location })],
    [
      'alerts beside the forecast',
      'Are any alerts active this week for',
      'get_forecast',
      (location: string) => ({ location }),
    ],
    [
      'alerts beside the conditions',
      'Is any warning in effect now for',
      'get_current_conditions',
      (location: string) => ({ location }),
    ],
    [
      'red flag warning',
      'Is a Red Flag Warning in effect for',
      'get_fire_weather',
      (location: string) => ({ location }),
    ],
    [
      'alerts of a route',
      'Are there alerts on a drive of two hours within',
      'get_route_weather',
      (location: string) => ({ stops: [1, 3].map((hours) => ({ location, time: soon(hours) })) }),
    ],
    [
      'alerts in a picture',
      'Which alerts does the map show around',
      'get_map_snapshot',
      (location: string) => ({ location, product: 'alerts', zoom: 9, width: 300, height: 200 }),
    ],
  ] as const
  const outlookTools = [
    [
      'severe outlook',
      'What is the risk of severe storms today in',
      'get_severe_outlook',
      (location: string) => ({ location }),
    ],
  ] as const
  const radarTools = [
    ['rain now by radar', 'Is rain or snow falling in', 'get_radar', (location: string) => ({ location })],
    [
      'rain in the next hour',
      'Does rain or snow fall within the hour in',
      'get_precipitation_nowcast',
      (location: string) => ({ location }),
    ],
    ['lightning near', 'Is there lightning near', 'get_lightning_activity', (location: string) => ({ location })],
    ['storm cells near', 'Are there storm cells near', 'get_storm_tracks', (location: string) => ({ location })],
  ] as const
  const ask = (
    state: Question['state'],
    tools: readonly (readonly [string, string, string, (location: string) => Record<string, unknown>])[],
  ) =>
    tools.flatMap(([subject, text, tool, arguments_]) =>
      chosen.map((town) =>
        question({
          subject,
          state,
          text: `${text} ${town.name}?`,
          call: { tool, arguments: arguments_(town.name) },
          facts: factsOf(town),
          // Outlooks that were read before are shown with a note, since they are valid for the whole day.
          expected:
            state === 'outlooks away'
              ? words('It could not be read.', /could not be read|not known/)
              : { is: 'unknown' },
        }),
      ),
    )
  return [
    ...ask('alerts away', alertTools),
    ...ask('outlooks away', outlookTools),
    ...ask('old data', [...alertTools.slice(0, 2), ...radarTools]),
  ]
}
