import { DAY, floorTo, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { countyAt } from '../../ingest/geo/place.ts'
import { officeAt, zoneList, zonesById } from '../../ingest/geo/zone.ts'
import { type StormState, stormAt, stormsAt } from './storms.ts'

/** A message of the simulated NWS, as in the feed. */
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
  /** When the message expires. */
  readonly expires: number
  /** When the feed stops listing it. */
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

/** Rain rate from which a storm has a warning, mm/h. */
const WARNING_RATE = 12
/** Peak rain rate above which the warning is for a tornado, mm/h. */
const TORNADIC_RATE = 35
/** Interval between two products of a warning. */
const UPDATE_INTERVAL_MS = 15 * MINUTE
/** Time from the last product of a warning to its end. */
const MARGIN_MS = 30 * MINUTE
/** Time for which a cancellation stays in the feed. */
const CANCELLATION_LISTED_MS = 15 * MINUTE

/** The lists of alerts that were computed last, by minute. */
const lists = new Map<number, readonly SimulatedAlert[]>()
const MAX_LISTS = 200

/**
 * Returns the messages that upstream lists at a time: warnings of storms, advisories of the day and hourly tests. Messages begin and end at
 * whole minutes.
 */
export function alertsAt(now: number): readonly SimulatedAlert[] {
  const minute = floorTo(now, MINUTE)
  const known = lists.get(minute)
  if (known) return known
  const list = listAt(minute)
  lists.set(minute, list)
  if (lists.size > MAX_LISTS) lists.delete(lists.keys().next().value as number)
  return list
}

function listAt(now: number): SimulatedAlert[] {
  const byStorm = new Map<string, SimulatedAlert[]>()
  for (let at = now - 2 * HOUR; at <= now; at += UPDATE_INTERVAL_MS / 3) {
    for (const { storm } of stormsAt(at)) if (!byStorm.has(storm.id)) byStorm.set(storm.id, warningsOf(storm, now))
  }
  return [...[...byStorm.values()].flat(), ...advisories(now), ...tests(now)]
    .filter((alert) => alert.sent <= now && now < alert.listedUntil)
    .sort((a, b) => b.sent - a.sent || (a.id < b.id ? -1 : 1))
}

type WarnedStorm = StormState['storm']

interface WarningStep {
  readonly sent: number
  readonly state: StormState
}

/** The members that all messages of a warning have in common. */
function warningBase(storm: WarnedStorm, office: string, ends: number) {
  const isTornado = storm.peak > TORNADIC_RATE
  return {
    event: isTornado ? 'Tornado Warning' : 'Severe Thunderstorm Warning',
    status: 'Actual' as const,
    office,
    phenomenon: isTornado ? 'TO' : 'SV',
    significance: 'W',
    etn: (hash(storm.id) % 9000) + 1,
    ends,
    severity: isTornado ? 'Extreme' : 'Severe',
    urgency: 'Immediate',
    certainty: 'Observed',
    zoneKind: 'county' as const,
  }
}

/** The members in which the cancellation of a warning, or of a part of it, differs from the warning. */
function cancellationAt(sent: number) {
  return {
    action: 'CAN' as const,
    sent,
    expires: sent + CANCELLATION_LISTED_MS,
    listedUntil: sent + CANCELLATION_LISTED_MS,
    severity: 'Minor',
    urgency: 'Past',
    parameters: {},
  }
}

/**
 * The times and states at which products of a storm's warning are issued: while most of the warned area is in counties of the US, since
 * the NWS does not warn abroad, and warns with other products over water.
 */
function warningSteps(storm: WarnedStorm): WarningStep[] {
  const steps: WarningStep[] = []
  const first = Math.ceil(storm.birth / UPDATE_INTERVAL_MS) * UPDATE_INTERVAL_MS
  for (let sent = first; sent < storm.death; sent += UPDATE_INTERVAL_MS) {
    const state = stormAt(storm, sent)
    if (!state || state.rate < WARNING_RATE) continue
    if (warnedArea(state, sent).isOnLand) steps.push({ sent, state })
    // A warning that has ended over water or abroad does not begin again.
    else if (steps.length > 0) break
  }
  return steps
}

/**
 * Returns all messages of a storm's warning up to `now`: NEW, CON with a polygon that moves, CAN for counties that the
 * polygon has left, and EXP or CAN at the end.
 */
function warningsOf(storm: WarnedStorm, now: number): SimulatedAlert[] {
  const steps = warningSteps(storm)
  const [first] = steps
  const office = first && officeAt(first.state.lat, first.state.lon)
  if (!first || !office) return []
  const ends = (steps.at(-1) ?? first).sent + MARGIN_MS
  const base = { ...warningBase(storm, office, ends), begin: first.sent }
  const messages: SimulatedAlert[] = []
  let last: SimulatedAlert | undefined
  const id = (k: number, segment: number) => `urn:oid:2.49.0.1.840.0.simulated.${storm.id}.${k}.00${segment}.1`
  for (const [k, { sent, state }] of steps.entries()) {
    const { ring, zones } = warnedArea(state, sent)
    const clearedZones = last?.zones.filter((zone) => !zones.includes(zone)) ?? []
    const references = last ? [last.id] : []
    if (clearedZones.length > 0) {
      messages.push({
        ...base,
        ...cancellationAt(sent),
        id: id(k, 1),
        kind: 'Cancel',
        zones: clearedZones,
        ring: last?.ring,
        references,
        text: 'The storm has left these counties: the warning is cancelled for them.',
      })
    }
    const rate = Math.round(state.rate)
    last = {
      ...base,
      id: id(k, clearedZones.length > 0 ? 2 : 1),
      kind: k === 0 ? 'Alert' : 'Update',
      action: k === 0 ? 'NEW' : 'CON',
      sent,
      expires: Math.min(ends, sent + MARGIN_MS),
      listedUntil: steps[k + 1]?.sent ?? ends,
      zones,
      ring,
      references,
      text: `A simulated storm at ${state.lat.toFixed(2)}, ${state.lon.toFixed(2)} brings ${rate} mm of rain an hour.`,
      parameters: {
        maxWindGust: [`${50 + Math.min(40, rate)} MPH`],
        maxHailSize: [base.phenomenon === 'TO' ? '1.75' : '1.00'],
        ...(base.phenomenon === 'TO' && { tornadoDetection: ['RADAR INDICATED'] }),
      },
    }
    messages.push(last)
  }
  // Every second warning is cancelled early; the others expire.
  const cancelledAt = ends - 15 * MINUTE
  if (last && base.etn % 2 === 0 && now >= cancelledAt) {
    messages.splice(-1, 1, { ...last, listedUntil: Math.min(last.listedUntil, cancelledAt) })
    messages.push({
      ...base,
      ...cancellationAt(cancelledAt),
      id: id(99, 1),
      // Some cancellations of the real NWS have the kind Alert.
      kind: base.etn % 4 === 0 ? 'Alert' : 'Cancel',
      zones: last.zones,
      ring: last.ring,
      references: [last.id],
      text: 'The storm has weakened: the warning is cancelled.',
    })
  }
  return messages
}

interface WarnedArea {
  readonly ring: [number, number][]
  readonly zones: readonly string[]
  /** Whether most of the area, and the mean of its corners, is inside US counties. */
  readonly isOnLand: boolean
}

/** The newest areas that were computed, by storm and time; each takes 25 searches of a county. */
const areas = new Map<string, WarnedArea>()
const MAX_AREAS = 4000

function warnedArea(state: StormState, sent: number): WarnedArea {
  const key = `${state.storm.id} ${sent}`
  const known = areas.get(key)
  if (known) return known
  const area = areaOf(areaAhead(state))
  areas.set(key, area)
  if (areas.size > MAX_AREAS) areas.delete(areas.keys().next().value as string)
  return area
}

/** Returns the area ahead of a storm: a closed ring of a trapezoid along its motion, wider at later positions. */
function areaAhead({ lat, lon, u, v, storm }: StormState): [number, number][] {
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
  const start = corner(-near, near)
  return [start, corner(-near, -near), corner(far, -near * 1.5), corner(far, near * 1.5), start]
}

/** Looks up 25 points of an area, and the mean of its corners. */
function areaOf(ring: [number, number][]): WarnedArea {
  const [a, b, c, d] = ring as [[number, number], [number, number], [number, number], [number, number]]
  const counties: string[] = []
  for (let i = 0; i <= 4; i++) {
    for (let j = 0; j <= 4; j++) {
      const [s, t] = [i / 4, j / 4]
      const mix = (k: 0 | 1) => (1 - s) * ((1 - t) * a[k] + t * b[k]) + s * ((1 - t) * d[k] + t * c[k])
      const county = countyAt(mix(1), mix(0))
      if (county?.km === 0) counties.push(`${county.state.code}C${county.fips.slice(2)}`)
    }
  }
  const mean = (k: 0 | 1) => (a[k] + b[k] + c[k] + d[k]) / 4
  const isOnLand = counties.length > 12 && countyAt(mean(1), mean(0))?.km === 0
  return { ring, zones: [...new Set(counties)].sort(), isOnLand }
}

/** Offices with advisories, the prefix of the zones, and the event. */
const advisoryPlaces = [
  { office: 'BOU', prefix: 'COZ', event: 'Red Flag Warning', phenomenon: 'FW', significance: 'W' },
  { office: 'MPX', prefix: 'MNZ', event: 'Heat Advisory', phenomenon: 'HT', significance: 'Y' },
  { office: 'AFC', prefix: 'AKZ', event: 'Wind Advisory', phenomenon: 'WI', significance: 'Y' },
  { office: 'HGX', prefix: 'GMZ', event: 'Small Craft Advisory', phenomenon: 'SC', significance: 'Y' },
]

/**
 * Returns the advisories of yesterday and today. Each is issued at 09Z, continued at 15Z without a third of its zones,
 * and ends at 03Z.
 */
function advisories(now: number): SimulatedAlert[] {
  const messages: SimulatedAlert[] = []
  for (const day of [Math.floor(now / DAY) - 1, Math.floor(now / DAY)]) {
    for (const [n, { office, prefix, event, phenomenon, significance }] of advisoryPlaces.entries()) {
      const zones = zonesOf(office, prefix)
      if (zones.length === 0) continue
      const first = day * DAY + 9 * HOUR
      const second = first + 6 * HOUR
      const ends = day * DAY + 27 * HOUR
      const cancelledZones = zones.slice(0, Math.ceil(zones.length / 3))
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
          ...cancellationAt(second),
          id: id(1, 1),
          kind: 'Cancel',
          zones: cancelledZones,
          references: [id(0, 1)],
          parameters: base.parameters,
        },
        {
          ...base,
          id: id(1, 2),
          kind: 'Update',
          action: 'CON',
          sent: second,
          expires: ends - 2 * HOUR,
          listedUntil: ends,
          zones: zones.slice(cancelledZones.length),
          references: [id(0, 1)],
        },
      )
    }
  }
  return messages
}

const zonesByPlace = new Map<string, readonly string[]>()

function zonesOf(office: string, prefix: string): readonly string[] {
  const cached = zonesByPlace.get(office)
  if (cached) return cached
  const kinds = prefix === 'GMZ' ? ['marine'] : ['forecast']
  const zones = zoneList()
    .filter((zone) => zone.office === office && kinds.includes(zone.kind) && zone.id.startsWith(prefix))
    .map(({ id }) => id)
    .filter((id) => zonesById(id).length > 0)
    .sort()
    .slice(0, 9)
  zonesByPlace.set(office, zones)
  return zones
}

/** Returns the test message of each hour, which must never be shown as a warning. */
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
