import { DAY, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { officeAt, zoneList, zonesAt, zonesById } from '../../ingest/geo/zone.ts'
import { type StormState, stormAt, stormsAt } from './storms.ts'

/** One message of the simulated NWS, as in the feed. */
export interface SimulatedAlert {
  readonly id: string
  readonly event: string
  readonly kind: 'Alert' | 'Update' | 'Cancel'
  readonly status: 'Actual' | 'Test'
  readonly action: 'NEW' | 'CON' | 'CAN' | 'EXP'
  readonly office: string
  readonly phenomenon: string
  readonly significance: string
  readonly etn: number
  readonly sent: number
  readonly begin: number
  readonly ends: number
  /** When the message goes stale, and when the feed no longer lists it. */
  readonly expires: number
  readonly listedUntil: number
  readonly severity: string
  readonly urgency: string
  readonly certainty: string
  readonly zoneKind: 'county' | 'forecast'
  readonly zones: readonly string[]
  readonly ring?: readonly (readonly [number, number])[]
  readonly references: readonly string[]
  readonly text: string
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** Rain rate above which a storm has a warning, mm/h; above the second it may be tornadic. */
const WARNING_RATE = 12
const TORNADIC_RATE = 35
/** Interval between two products of one warning. */
const UPDATE_INTERVAL_MS = 15 * MINUTE
/** How long a warning lasts after its last product. */
const MARGIN_MS = 30 * MINUTE
/** How long a cancellation stays in the feed. */
const CANCELLATION_LISTED_MS = 15 * MINUTE

/** Messages that upstream lists at a time: warnings of storms, advisories of the day, and hourly tests. */
export function alertsAt(now: number): SimulatedAlert[] {
  const byStorm = new Map<string, SimulatedAlert[]>()
  for (let at = now - 2 * HOUR; at <= now; at += UPDATE_INTERVAL_MS / 3) {
    for (const { storm } of stormsAt(at)) if (!byStorm.has(storm.id)) byStorm.set(storm.id, warningsOf(storm, now))
  }
  return [...[...byStorm.values()].flat(), ...advisories(now), ...tests(now)]
    .filter((one) => one.sent <= now && now < one.listedUntil)
    .sort((a, b) => b.sent - a.sent || (a.id < b.id ? -1 : 1))
}

type WarnedStorm = StormState['storm']

/** The whole sequence of one warning up to `now`: NEW, CON with a polygon that moves, CAN for counties left behind, EXP or CAN at the end. */
function warningsOf(storm: WarnedStorm, now: number): SimulatedAlert[] {
  const steps: StormState[] = []
  const times: number[] = []
  for (
    let at = Math.ceil(storm.birth / UPDATE_INTERVAL_MS) * UPDATE_INTERVAL_MS;
    at < storm.death;
    at += UPDATE_INTERVAL_MS
  ) {
    const state = stormAt(storm, at)
    if (!state || state.rate < WARNING_RATE) continue
    steps.push(state)
    times.push(at)
  }
  if (steps.length === 0) return []
  const office = officeAt(steps[0]!.lat, steps[0]!.lon)
  if (!office) return []
  const tornado = storm.peak > TORNADIC_RATE
  const phenomenon = tornado ? 'TO' : 'SV'
  const etn = (hash(storm.id) % 9000) + 1
  const ends = times.at(-1)! + MARGIN_MS
  const messages: SimulatedAlert[] = []
  let last: { id: string; zones: readonly string[]; ring: SimulatedAlert['ring'] } | undefined
  const base = {
    event: tornado ? 'Tornado Warning' : 'Severe Thunderstorm Warning',
    status: 'Actual' as const,
    office,
    phenomenon,
    significance: 'W',
    etn,
    ends,
    severity: tornado ? 'Extreme' : 'Severe',
    urgency: 'Immediate',
    certainty: 'Observed',
    zoneKind: 'county' as const,
  }
  const id = (k: number, segment: number) => `urn:oid:2.49.0.1.840.0.simulated.${storm.id}.${k}.00${segment}.1`
  for (const [k, state] of steps.entries()) {
    const sent = times[k]!
    const ring = ahead(state)
    const zones = countiesIn(ring)
    if (zones.length === 0) break
    const left = last?.zones.filter((zone) => !zones.includes(zone)) ?? []
    const until = times[k + 1] ?? ends
    const references = last ? [last.id] : []
    if (left.length > 0) {
      messages.push({
        ...base,
        id: id(k, 1),
        kind: 'Cancel',
        action: 'CAN',
        sent,
        begin: times[0]!,
        expires: sent + CANCELLATION_LISTED_MS,
        listedUntil: sent + CANCELLATION_LISTED_MS,
        severity: 'Minor',
        urgency: 'Past',
        zones: left,
        ring: last?.ring,
        references,
        text: 'The storm has left these counties: the warning is cancelled for them.',
        parameters: {},
      })
    }
    const rate = Math.round(state.rate)
    messages.push({
      ...base,
      id: id(k, left.length > 0 ? 2 : 1),
      kind: k === 0 ? 'Alert' : 'Update',
      action: k === 0 ? 'NEW' : 'CON',
      sent,
      begin: times[0]!,
      expires: Math.min(ends, sent + MARGIN_MS),
      listedUntil: until,
      zones,
      ring,
      references,
      text: `A simulated storm at ${state.lat.toFixed(2)}, ${state.lon.toFixed(2)} brings ${rate} mm of rain an hour.`,
      parameters: {
        maxWindGust: [`${50 + Math.min(40, rate)} MPH`],
        maxHailSize: [tornado ? '1.75' : '1.00'],
        ...(tornado && { tornadoDetection: ['RADAR INDICATED'] }),
      },
    })
    last = { id: messages.at(-1)!.id, zones, ring }
  }
  // Every second warning is cancelled early, the others expire.
  if (last && etn % 2 === 0 && now >= ends - 15 * MINUTE) {
    const lifted = ends - 15 * MINUTE
    const open = messages.at(-1)!
    messages[messages.length - 1] = { ...open, listedUntil: Math.min(open.listedUntil, lifted) }
    messages.push({
      ...base,
      id: id(99, 1),
      // As in real NWS messages: a cancellation with the kind Alert.
      kind: etn % 4 === 0 ? 'Alert' : 'Cancel',
      action: 'CAN',
      sent: lifted,
      begin: times[0]!,
      expires: lifted + CANCELLATION_LISTED_MS,
      listedUntil: lifted + CANCELLATION_LISTED_MS,
      severity: 'Minor',
      urgency: 'Past',
      zones: last.zones,
      ring: last.ring,
      references: [last.id],
      text: 'The storm has weakened: the warning is cancelled.',
      parameters: {},
    })
  }
  return messages
}

/** The area ahead of a storm: a trapezium along its motion, wider at later positions. */
function ahead({ lat, lon, u, v, storm }: StormState): [number, number][] {
  const speed = Math.hypot(u, v)
  const [east, north] = speed > 0 ? [u / speed, v / speed] : [1, 0]
  const near = storm.radiusKm * 0.5
  const far = storm.radiusKm * 0.5 + speed * 3.6 * 0.75
  const corner = (along: number, across: number): [number, number] => {
    const x = along * east - across * north
    const y = along * north + across * east
    const degrees = (value: number) => Math.round(value * 100) / 100
    return [degrees(lon + x / (111.19 * Math.cos((lat * Math.PI) / 180))), degrees(lat + y / 111.19)]
  }
  const ring = [corner(-near, near), corner(-near, -near), corner(far, -near * 1.5), corner(far, near * 1.5)]
  return [...ring, ring[0]!]
}

function countiesIn(ring: readonly (readonly [number, number])[]): string[] {
  const [a, b, c, d] = ring as [[number, number], [number, number], [number, number], [number, number]]
  const found = new Set<string>()
  for (let i = 0; i <= 4; i++) {
    for (let j = 0; j <= 4; j++) {
      const [s, t] = [i / 4, j / 4]
      const mix = (k: 0 | 1) => (1 - s) * ((1 - t) * a[k] + t * b[k]) + s * ((1 - t) * d[k] + t * c[k])
      const { county } = zonesAt(mix(1), mix(0))
      if (county) found.add(county)
    }
  }
  return [...found].sort()
}

/** Offices whose zones have geometries, and their marine zones. */
const places = [
  { office: 'BOU', prefix: 'COZ', event: 'Red Flag Warning', phenomenon: 'FW', significance: 'W' },
  { office: 'MPX', prefix: 'MNZ', event: 'Heat Advisory', phenomenon: 'HT', significance: 'Y' },
  { office: 'AFC', prefix: 'AKZ', event: 'Wind Advisory', phenomenon: 'WI', significance: 'Y' },
  { office: 'HGX', prefix: 'GMZ', event: 'Small Craft Advisory', phenomenon: 'SC', significance: 'Y' },
]

/** One advisory a day for each place: issued at 09Z, continued at 15Z without a third of its zones, ends at 03Z. */
function advisories(now: number): SimulatedAlert[] {
  const messages: SimulatedAlert[] = []
  for (const day of [Math.floor(now / DAY) - 1, Math.floor(now / DAY)]) {
    for (const [n, { office, prefix, event, phenomenon, significance }] of places.entries()) {
      const zones = zonesOf(office, prefix)
      if (zones.length === 0) continue
      const first = day * DAY + 9 * HOUR
      const second = first + 6 * HOUR
      const ends = day * DAY + 27 * HOUR
      const gone = zones.slice(0, Math.ceil(zones.length / 3))
      const id = (k: number, segment: number) =>
        `urn:oid:2.49.0.1.840.0.simulated.${office.toLowerCase()}.${day}.${k}.00${segment}.1`
      const base = {
        event,
        status: 'Actual' as const,
        office,
        phenomenon,
        significance,
        etn: (day * 4 + n) % 9000,
        begin: first + 3 * HOUR,
        ends,
        severity: 'Moderate',
        urgency: 'Expected',
        certainty: 'Likely',
        zoneKind: 'forecast' as const,
        text: `A simulated ${event.toLowerCase()}.`,
        parameters: { NWSheadline: [`${event.toUpperCase()} UNTIL 03Z`] },
      }
      messages.push(
        {
          ...base,
          id: id(0, 1),
          kind: 'Alert',
          action: 'NEW',
          sent: first,
          expires: second + HOUR,
          listedUntil: second,
          zones,
          references: [],
        },
        {
          ...base,
          id: id(1, 1),
          kind: 'Cancel',
          action: 'CAN',
          sent: second,
          expires: second + CANCELLATION_LISTED_MS,
          listedUntil: second + CANCELLATION_LISTED_MS,
          zones: gone,
          references: [id(0, 1)],
          urgency: 'Past',
          severity: 'Minor',
        },
        {
          ...base,
          id: id(1, 2),
          kind: 'Update',
          action: 'CON',
          sent: second,
          expires: ends - 2 * HOUR,
          listedUntil: ends,
          zones: zones.slice(gone.length),
          references: [id(0, 1)],
        },
      )
    }
  }
  return messages
}

const zonesByPlace = new Map<string, readonly string[]>()

function zonesOf(office: string, prefix: string): readonly string[] {
  const known = zonesByPlace.get(office)
  if (known) return known
  const kinds = prefix === 'GMZ' ? ['marine'] : ['forecast']
  const found = zoneList()
    .filter((zone) => zone.office === office && kinds.includes(zone.kind) && zone.id.startsWith(prefix))
    .map(({ id }) => id)
    .filter((id) => zonesById(id).length > 0)
    .sort()
    .slice(0, 9)
  zonesByPlace.set(office, found)
  return found
}

/** A test of the system at the beginning of each hour, which must never be shown as a warning. */
function tests(now: number): SimulatedAlert[] {
  const sent = Math.floor(now / HOUR) * HOUR
  return [
    {
      id: `urn:oid:2.49.0.1.840.0.simulated.test.${sent / HOUR}.001.1`,
      event: 'Test Message',
      kind: 'Alert',
      status: 'Test',
      action: 'NEW',
      office: 'OUN',
      phenomenon: 'TO',
      significance: 'W',
      etn: 0,
      sent,
      begin: sent,
      ends: sent + 10 * MINUTE,
      expires: sent + 10 * MINUTE,
      listedUntil: sent + 10 * MINUTE,
      severity: 'Unknown',
      urgency: 'Unknown',
      certainty: 'Unknown',
      zoneKind: 'county',
      zones: ['OKC027'],
      references: [],
      text: 'This is a test.',
      parameters: {},
    },
  ]
}

function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}
