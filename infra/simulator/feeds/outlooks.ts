import { DAY, HOUR } from '../../../ingest/domain/time.ts'
import { type MirrorObject, nameTag, type SimulatedHost } from '../source.ts'
import { stormAt, stormsAt } from '../storms.ts'

/** Issue times of the day 1 outlook, hours UTC. The other days are issued at 06:00 and 17:30. */
const issues = [1, 6, 13, 16.5, 20]

interface RiskLevel {
  readonly number: number
  readonly label: string
  readonly name: string
  /** Minimum peak rain rate of the storms that the level surrounds, mm/h. */
  readonly least: number
  /** Radius around the storms, km. */
  readonly km: number
}

const categories: readonly RiskLevel[] = [
  { number: 2, label: 'TSTM', name: 'General Thunderstorms Risk', least: 0, km: 260 },
  { number: 3, label: 'MRGL', name: 'Marginal Risk', least: 15, km: 200 },
  { number: 4, label: 'SLGT', name: 'Slight Risk', least: 25, km: 140 },
  { number: 5, label: 'ENH', name: 'Enhanced Risk', least: 40, km: 80 },
]
const probabilities = (
  list: readonly (readonly [percent: number, least: number, km: number])[],
  hazard: string,
): RiskLevel[] =>
  list.map(([number, least, km]) => ({
    number,
    label: (number / 100).toFixed(2),
    name: `${number}% ${hazard} Risk`,
    least,
    km,
  }))
const group = (least: number): RiskLevel[] => [
  { number: 1, label: 'CIG1', name: 'Conditional Intensity Group 1 Risk', least, km: 70 },
]

const parts: Readonly<Record<string, readonly RiskLevel[]>> = {
  cat: categories,
  torn: probabilities(
    [
      [2, 25, 120],
      [5, 40, 70],
    ],
    'Tornado',
  ),
  hail: probabilities(
    [
      [5, 18, 160],
      [15, 35, 90],
    ],
    'Hail',
  ),
  wind: probabilities(
    [
      [5, 15, 180],
      [15, 30, 110],
    ],
    'Wind',
  ),
  prob: probabilities(
    [
      [5, 15, 180],
      [15, 30, 110],
    ],
    'Any Severe',
  ),
  cigtorn: group(45),
  cighail: group(44),
  cigwind: group(42),
  cigprob: group(44),
}

/** Host of SPC outlooks around future storms. A file is empty if nothing is expected. */
export const outlookSource: SimulatedHost = {
  host: 'www.spc.noaa.gov',
  find(path, _query, now) {
    const [, convectiveDay, part] =
      /^\/products\/outlook\/day([123])otlk_([a-z]+)\.(?:no)?lyr\.geojson$/.exec(path) ?? []
    const later = /^\/products\/exper\/day4-8\/day([4-8])prob\.(?:no)?lyr\.geojson$/.exec(path)
    const fire =
      /^\/products\/(?:fire_wx\/day[12]fw_(?:windrh|dryt)|exper\/fire_wx\/day[3-8]fw_(?:windrh|dryt)(?:cat|prob))\.(?:no)?lyr\.geojson$/.exec(
        path,
      )
    if (convectiveDay && part) {
      const day = Number(convectiveDay)
      const levels = parts[part]
      if (!levels || ((day === 3) !== ['prob', 'cigprob'].includes(part) && part !== 'cat')) return undefined
      return file(path, levels, day, now)
    }
    if (later) return file(path, probabilities([[15, 45, 160]], 'Any Severe'), Number(later[1]), now)
    return fire ? file(path, [], 1, now) : undefined
  },
}

/** The newest issue of each file. */
const files = new Map<string, MirrorObject>()

function file(path: string, levels: readonly RiskLevel[], day: number, now: number): MirrorObject {
  const issued = issueTime(day, now)
  const known = files.get(path)
  if (known?.lastModified === issued) return known
  const issue = makeFile(levels, day, issued)
  files.set(path, issue)
  return issue
}

function makeFile(levels: readonly RiskLevel[], day: number, issued: number): MirrorObject {
  // The outlook day begins at 12 UTC. An outlook that is issued earlier is for the coming day.
  const start = Math.floor((issued - 12 * HOUR + 6 * HOUR) / DAY) * DAY + 12 * HOUR + (day - 1) * DAY
  const valid = day === 1 ? Math.max(start, Math.ceil(issued / (HOUR / 2)) * (HOUR / 2)) : start
  const expires = start + DAY
  const text = (at: number) => new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 12)
  const times = { VALID: text(valid), EXPIRE: text(expires), ISSUE: text(issued) }
  const storms = stormsBetween(start, start + DAY)
  const features = levels.flatMap(({ number, label, name, least, km }) => {
    const circles = storms.filter(({ peak }) => peak >= least).map(({ lat, lon }) => circle(lat, lon, km))
    if (circles.length === 0) return []
    return [
      {
        type: 'Feature',
        geometry: { type: 'MultiPolygon', coordinates: circles },
        properties: { DN: number, ...times, FORECASTER: 'SIMULATED', LABEL: label, LABEL2: name },
      },
    ]
  })
  const empty = {
    type: 'Feature',
    geometry: { type: 'GeometryCollection', geometries: [] },
    properties: { DN: 0, ...times, FORECASTER: 'SIMULATED', LABEL: '', LABEL2: '' },
  }
  const body = JSON.stringify({ type: 'FeatureCollection', features: features.length > 0 ? features : [empty] })
  return {
    etag: nameTag(body),
    lastModified: issued,
    type: 'application/json',
    body: () => new TextEncoder().encode(body),
  }
}

function issueTime(day: number, now: number): number {
  const midnight = Math.floor(now / DAY) * DAY
  const hours = day === 1 ? issues : [6, 17.5]
  const times = [midnight - DAY, midnight].flatMap((at) => hours.map((hour) => at + hour * HOUR))
  return Math.max(...times.filter((at) => at <= now))
}

const stormsByDay = new Map<number, { lat: number; lon: number; peak: number }[]>()

/**
 * Returns the storms of the contiguous states that exist between two times, with their positions in the middle of their
 * lives.
 */
function stormsBetween(from: number, to: number): { lat: number; lon: number; peak: number }[] {
  const cached = stormsByDay.get(from)
  if (cached) return cached
  const storms = new Map<string, { lat: number; lon: number; peak: number }>()
  for (let at = from; at < to; at += HOUR / 2) {
    for (const { storm } of stormsAt(at)) {
      if (storms.has(storm.id) || !storm.id.startsWith('conus')) continue
      const middle = stormAt(storm, (storm.birth + storm.death) / 2)
      if (middle) storms.set(storm.id, { lat: middle.lat, lon: middle.lon, peak: storm.peak })
    }
  }
  const list = [...storms.values()].filter(({ peak }) => peak > 9)
  if (stormsByDay.size > 30) stormsByDay.clear()
  stormsByDay.set(from, list)
  return list
}

function circle(lat: number, lon: number, km: number): [number, number][][] {
  const north = km / 111.19
  const east = north / Math.cos((lat * Math.PI) / 180)
  const degrees = (value: number) => Math.round(value * 1000) / 1000
  // The SPC draws rings clockwise, with the area on the right.
  const corner = (i: number): [number, number] => {
    const angle = (-i * Math.PI) / 12
    return [degrees(lon + east * Math.cos(angle)), degrees(lat + north * Math.sin(angle))]
  }
  return [[...Array.from({ length: 24 }, (_, i) => corner(i)), corner(0)]]
}

export const sources = (): readonly SimulatedHost[] => [outlookSource]
