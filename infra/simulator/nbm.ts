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

const miles = [
  [1, 160934, '1609.34'],
  [2, 321869, '3218.69'],
  [3, 482803, '4828.03'],
  [5, 804673, '8046.73'],
] as const
const feet = [
  [500, 15240, '152.4'],
  [1000, 30480, '304.8'],
  [2000, 60960, '609.6'],
  [3000, 91450, '914.5'],
  [6600, 201168, '2011.68'],
] as const
const types = [
  [3, 4, 'freezingFraction'],
  [1, 2, 'rainFraction'],
  [8, 9, 'icePelletsFraction'],
  [5, 7, 'snowFraction'],
] as const
const snows = [
  [254, '0.0254', 25.4],
  [508, '0.0508', 50.8],
  [1016, '0.1016', 101.6],
] as const

/** Percent: probability that snow exceeds a depth when `expected` is the median, mm. */
export function snowAbove(expected: number, limit: number): number {
  return expected <= 0 ? 0 : 100 / (1 + (limit / expected) ** 3)
}

/** Snow percentiles as shares of the median. */
const SNOW_SHARE = { 10: 0.5, 50: 1, 90: 1.7 } as const

export function nbm(run: number, lead: number): readonly SimulatedMessage[] {
  const end = run + lead * HOUR
  const list: SimulatedMessage[] = []
  const spread =
    (which: 'temperature' | 'dewPoint' | 'windSpeed' | 'windGust'): SimulatedMessage['values'] =>
    (s) =>
      map(s, (w, k) => spreads(w.front[k], lead)[which])
  const acc =
    (what: 'liquid' | 'snow' | 'ice', hours: number, scale = 1): SimulatedMessage['values'] =>
    (s) => {
      const sum = fall(s.grid, what, end, hours)
      return scale === 1 ? sum : sum.map((x) => x * scale)
    }
  const pop =
    (hours: number): SimulatedMessage['values'] =>
    (s) => {
      const sum = fall(s.grid, 'liquid', end, hours)
      return map(s, (w, k) => precipProbability(sum[k], w.cloudCover[k]))
    }
  const hourly = lead <= 36
  const sixth = Math.round(end / HOUR) % 6 === 0
  list.push(instant(lead, at.cape, plane('cape')))
  list.push(instant(lead, at.ceil, plane('ceiling')))
  for (const [i, [, value, text]] of feet.entries()) {
    list.push(
      instant(
        lead,
        { ...at.ceil, packing: c3(0) },
        (s) => map(s, (w, k) => probabilityBelow(w.ceiling[k], value / 100, 3)),
        {
          probability: { type: 0, lower: { scale: 2, value }, number: i + 2, of: 7 },
          tail: `prob <${text}:prob fcst ${i + 2}/7:probability forecast`,
        },
      ),
    )
  }
  list.push(instant(lead, at.dpt, plane('dewPoint')), instant(lead, at.dpt, spread('dewPoint'), STDDEV))
  if (hourly) list.push(instant(lead, at.dswrf, plane('solar')), interval(lead, 1, 'acc', at.ice, acc('ice', 1)))
  if (sixth && lead >= 6) list.push(interval(lead, 6, 'acc', at.ice, acc('ice', 6)))
  const popTail = { probability: { type: 1, upper: { scale: 3, value: 254 } }, tail: 'prob >0.254:prob fcst 255/255' }
  if (hourly) list.push(interval(lead, 1, 'acc', { ...at.apcp, packing: c3(0) }, pop(1), popTail))
  if (sixth && lead >= 6) list.push(interval(lead, 6, 'acc', { ...at.apcp, packing: c3(0) }, pop(6), popTail))
  for (const [from, to, name] of types) {
    list.push(
      instant(lead, at.ptype, (s) => map(s, (w, k) => 100 * w[name][k]), {
        probability: { type: 2, lower: { scale: 0, value: from }, upper: { scale: 0, value: to }, number: 1, of: 1 },
        tail: `prob >=${from} <${to}:prob fcst 1/1`,
      }),
    )
  }
  if (lead < 192) {
    if (hourly)
      list.push(interval(lead, 1, 'acc', at.tstm, plane('thunder'), { generating: 5, tail: 'probability forecast' }))
    if (Math.round(end / HOUR) % 3 === 0 && lead >= 3)
      list.push(interval(lead, 3, 'acc', at.tstm, plane('thunder'), { generating: 5, tail: 'probability forecast' }))
    if (sixth && lead >= 6)
      list.push(interval(lead, 6, 'acc', at.tstm, plane('thunder'), { generating: 5, tail: 'probability forecast' }))
  }
  if (hourly) list.push(interval(lead, 1, 'acc', at.apcp, acc('liquid', 1)))
  if (sixth && lead >= 6) list.push(interval(lead, 6, 'acc', at.apcp, acc('liquid', 6)))
  list.push(instant(lead, at.rh, (s) => map(s, (w, k) => relativeHumidity(w.temperature[k], w.dewPoint[k]))))
  list.push(instant(lead, at.sky, plane('cloudCover')), instant(lead, at.snowRatio, plane('snowRatio')))
  if (hourly) list.push(interval(lead, 1, 'acc', at.asnow, acc('snow', 1, 1e-3)))
  if (sixth && lead >= 6) list.push(interval(lead, 6, 'acc', at.asnow, acc('snow', 6, 1e-3)))
  if (Math.round(end / HOUR) % 12 === 0 && lead >= 24) {
    for (const [percentile, share] of Object.entries(SNOW_SHARE)) {
      list.push({
        ...interval(lead, 24, 'acc', at.asnow, acc('snow', 24, 1e-3 * share), { percentile: Number(percentile) }),
        line: `ASNOW:surface:${span(lead, 24, 'acc').replace(' fcst', `@(fcst,dt=24 hour),missing=0`)}:${percentile}% level`,
      })
    }
    for (const [value, text, limit] of snows) {
      list.push(
        interval(
          lead,
          24,
          'acc',
          { ...at.asnow, packing: c3(0) },
          (s) => fall(s.grid, 'snow', end, 24).map((x) => snowAbove(x, limit)),
          { probability: { type: 1, upper: { scale: 4, value } }, tail: `prob >${text}:prob fcst 255/255` },
        ),
      )
    }
  }
  list.push(instant(lead, at.snowLevel, plane('snowLevel')))
  if (Math.round(end / HOUR) % 24 === 0 && lead >= 12) {
    list.push(interval(lead, 12, 'max', at.tmax, (s) => extreme(s.grid, 'max', end, 12)))
  }
  if (Math.round(end / HOUR) % 24 === 12 && lead >= 12) {
    list.push(interval(lead, 12, 'min', at.tmin, (s) => extreme(s.grid, 'min', end, 12)))
  }
  list.push(instant(lead, at.tmp, plane('temperature')), instant(lead, at.tmp, spread('temperature'), STDDEV))
  list.push(instant(lead, at.vis, plane('visibility')))
  for (const [i, [, value, text]] of miles.entries()) {
    list.push(
      instant(
        lead,
        { ...at.vis, packing: c3(0) },
        (s) => map(s, (w, k) => probabilityBelow(w.visibility[k], value / 100, 4)),
        {
          probability: { type: 0, lower: { scale: 2, value }, number: i + 2, of: 6 },
          tail: `prob <${text}:prob fcst ${i + 2}/6:probability forecast`,
        },
      ),
    )
  }
  list.push(
    instant(lead, at.wdir, plane('windDirection')),
    instant(lead, at.gust, plane('windGust')),
    instant(lead, at.gust, spread('windGust'), STDDEV),
  )
  list.push(instant(lead, at.wind, plane('windSpeed')), instant(lead, at.wind, spread('windSpeed'), STDDEV))
  list.push(instant(lead, at.skin, plane('temperature')))
  return list
}
