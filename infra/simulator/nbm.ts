import { HOUR } from '../../ingest/domain/time.ts'
import { precipProbability, probabilityBelow, spreads } from './atmosphere.ts'
import {
  at,
  c3,
  instant,
  interval,
  map,
  plane,
  relativeHumidity,
  type SimulatedMessage,
  STDDEV,
  span,
} from './message.ts'
import { extreme, fall } from './planes.ts'

/** Visibility limits of probabilities: miles, m × 100, and m as text in the index. */
const miles = [
  [1, 160934, '1609.34'],
  [2, 321869, '3218.69'],
  [3, 482803, '4828.03'],
  [5, 804673, '8046.73'],
] as const
/** Ceiling limits of probabilities: feet, m × 100, and m as text in the index. */
const feet = [
  [500, 15240, '152.4'],
  [1000, 30480, '304.8'],
  [2000, 60960, '609.6'],
  [3000, 91450, '914.5'],
  [6600, 201168, '2011.68'],
] as const
/** Precipitation types of probabilities: code from, code below, and the plane with the fraction. */
const types = [
  [3, 4, 'freezingFraction'],
  [1, 2, 'rainFraction'],
  [8, 9, 'icePelletsFraction'],
  [5, 7, 'snowFraction'],
] as const
/** Snow limits of probabilities: m × 10,000, m as text in the index, and mm. */
const snows = [
  [254, '0.0254', 25.4],
  [508, '0.0508', 50.8],
  [1016, '0.1016', 101.6],
] as const

/** Returns the probability in percent that snow exceeds a depth (mm) if `expected` (mm) is the median. */
export function snowAbove(expected: number, limit: number): number {
  return expected <= 0 ? 0 : 100 / (1 + (limit / expected) ** 3)
}

/** Snow percentiles as shares of the median. */
const SNOW_SHARE = { 10: 0.5, 50: 1, 90: 1.7 } as const

/** A file of NBM: its lead hour and the end of its intervals. */
interface FileTime {
  readonly lead: number
  readonly end: number
}

/** Returns whether the file has an interval that ends at a multiple of `hours` UTC. */
const endsAt = ({ lead, end }: FileTime, hours: number, minLead = hours) =>
  Math.round(end / HOUR) % hours === 0 && lead >= minLead
const hasHourly = ({ lead }: FileTime) => lead <= 36

function spread(lead: number, name: 'temperature' | 'dewPoint' | 'windSpeed' | 'windGust'): SimulatedMessage['values'] {
  return (scene) => map(scene, (w, k) => spreads(w.front[k]!, lead)[name])
}

/** Accumulation of the hours that end at `end`. */
function accumulation(
  end: number,
  kind: 'liquid' | 'snow' | 'ice',
  hours: number,
  scale = 1,
): SimulatedMessage['values'] {
  return ({ grid }) => {
    const sum = fall(grid, kind, end, hours)
    return scale === 1 ? sum : sum.map((amount) => amount * scale)
  }
}

function precipProbabilities(end: number, hours: number): SimulatedMessage['values'] {
  return (scene) => {
    const sum = fall(scene.grid, 'liquid', end, hours)
    return map(scene, (w, k) => precipProbability(sum[k]!, w.cloudCover[k]!))
  }
}

/** Returns the messages of an NBM core file, in the order of the real files. */
export function nbm(run: number, lead: number): readonly SimulatedMessage[] {
  const time = { lead, end: run + lead * HOUR }
  return [
    ...ceilings(lead),
    instant(lead, at.dpt, plane('dewPoint')),
    instant(lead, at.dpt, spread(lead, 'dewPoint'), STDDEV),
    ...precipitation(time),
    ...thunder(time),
    ...amounts(time),
    ...dailySnow(time),
    instant(lead, at.snowLevel, plane('snowLevel')),
    ...temperatures(time),
    ...visibilities(lead),
    instant(lead, at.wdir, plane('windDirection')),
    instant(lead, at.gust, plane('windGust')),
    instant(lead, at.gust, spread(lead, 'windGust'), STDDEV),
    instant(lead, at.wind, plane('windSpeed')),
    instant(lead, at.wind, spread(lead, 'windSpeed'), STDDEV),
    instant(lead, at.skin, plane('temperature')),
  ]
}

function ceilings(lead: number): SimulatedMessage[] {
  const probabilities = feet.map(([, value, text], i) =>
    instant(
      lead,
      { ...at.ceil, packing: c3(0) },
      (scene) => map(scene, (w, k) => probabilityBelow(w.ceiling[k]!, value / 100, 3)),
      {
        probability: { type: 0, lower: { scale: 2, value }, number: i + 2, total: 7 },
        tail: `prob <${text}:prob fcst ${i + 2}/7:probability forecast`,
      },
    ),
  )
  return [instant(lead, at.cape, plane('cape')), instant(lead, at.ceil, plane('ceiling')), ...probabilities]
}

function precipitation(time: FileTime): SimulatedMessage[] {
  const { lead, end } = time
  const above = { probability: { type: 1, upper: { scale: 3, value: 254 } }, tail: 'prob >0.254:prob fcst 255/255' }
  const probability = (hours: number) =>
    interval(lead, hours, 'acc', { ...at.apcp, packing: c3(0) }, precipProbabilities(end, hours), above)
  const list: SimulatedMessage[] = []
  if (hasHourly(time))
    list.push(instant(lead, at.dswrf, plane('solar')), interval(lead, 1, 'acc', at.ice, accumulation(end, 'ice', 1)))
  if (endsAt(time, 6)) list.push(interval(lead, 6, 'acc', at.ice, accumulation(end, 'ice', 6)))
  if (hasHourly(time)) list.push(probability(1))
  if (endsAt(time, 6)) list.push(probability(6))
  for (const [from, to, name] of types) {
    list.push(
      instant(lead, at.ptype, (scene) => map(scene, (w, k) => 100 * w[name][k]!), {
        probability: { type: 2, lower: { scale: 0, value: from }, upper: { scale: 0, value: to }, number: 1, total: 1 },
        tail: `prob >=${from} <${to}:prob fcst 1/1`,
      }),
    )
  }
  return list
}

function thunder(time: FileTime): SimulatedMessage[] {
  const { lead } = time
  if (lead >= 192) return []
  const windows = [...(hasHourly(time) ? [1] : []), ...[3, 6].filter((hours) => endsAt(time, hours))]
  return windows.map((hours) =>
    interval(lead, hours, 'acc', at.tstm, plane('thunder'), { generating: 5, tail: 'probability forecast' }),
  )
}

function amounts(time: FileTime): SimulatedMessage[] {
  const { lead, end } = time
  const windows = [...(hasHourly(time) ? [1] : []), ...(endsAt(time, 6) ? [6] : [])]
  return [
    ...windows.map((hours) => interval(lead, hours, 'acc', at.apcp, accumulation(end, 'liquid', hours))),
    instant(lead, at.rh, (scene) => map(scene, (w, k) => relativeHumidity(w.temperature[k]!, w.dewPoint[k]!))),
    instant(lead, at.sky, plane('cloudCover')),
    instant(lead, at.snowRatio, plane('snowRatio')),
    ...windows.map((hours) => interval(lead, hours, 'acc', at.asnow, accumulation(end, 'snow', hours, 1e-3))),
  ]
}

function dailySnow(time: FileTime): SimulatedMessage[] {
  const { lead, end } = time
  if (!endsAt(time, 12, 24)) return []
  const percentiles = Object.entries(SNOW_SHARE).map(([percentile, share]) => ({
    ...interval(lead, 24, 'acc', at.asnow, accumulation(end, 'snow', 24, 1e-3 * share), {
      percentile: Number(percentile),
    }),
    line: `ASNOW:surface:${span(lead, 24, 'acc').replace(' fcst', `@(fcst,dt=24 hour),missing=0`)}:${percentile}% level`,
  }))
  const probabilities = snows.map(([value, text, limit]) =>
    interval(
      lead,
      24,
      'acc',
      { ...at.asnow, packing: c3(0) },
      ({ grid }) => fall(grid, 'snow', end, 24).map((depth) => snowAbove(depth, limit)),
      { probability: { type: 1, upper: { scale: 4, value } }, tail: `prob >${text}:prob fcst 255/255` },
    ),
  )
  return [...percentiles, ...probabilities]
}

function temperatures({ lead, end }: FileTime): SimulatedMessage[] {
  const list: SimulatedMessage[] = []
  const hour = Math.round(end / HOUR) % 24
  if (hour === 0 && lead >= 12)
    list.push(interval(lead, 12, 'max', at.tmax, ({ grid }) => extreme(grid, 'max', end, 12)))
  if (hour === 12 && lead >= 12)
    list.push(interval(lead, 12, 'min', at.tmin, ({ grid }) => extreme(grid, 'min', end, 12)))
  list.push(instant(lead, at.tmp, plane('temperature')), instant(lead, at.tmp, spread(lead, 'temperature'), STDDEV))
  return list
}

function visibilities(lead: number): SimulatedMessage[] {
  const probabilities = miles.map(([, value, text], i) =>
    instant(
      lead,
      { ...at.vis, packing: c3(0) },
      (scene) => map(scene, (w, k) => probabilityBelow(w.visibility[k]!, value / 100, 4)),
      {
        probability: { type: 0, lower: { scale: 2, value }, number: i + 2, total: 6 },
        tail: `prob <${text}:prob fcst ${i + 2}/6:probability forecast`,
      },
    ),
  )
  return [instant(lead, at.vis, plane('visibility')), ...probabilities]
}
