import { precipProbability, probabilityBelow, spreads, surfaceHeight } from './atmosphere.ts'
import type { Packing, Product } from './grib.ts'
import type { Grid } from './grids.ts'
import { extreme, fall, type PlaneName, type Planes, planesOf, pointsOf } from './planes.ts'

const HOUR = 3_600_000

/** Where and when a message is to be made. */
export interface Scene {
  readonly grid: Grid
  readonly run: number
  readonly leadHours: number
}

/** One message of a file: its line in the index, what it says, how it is packed, what it holds. */
export interface Message {
  /** As wgrib2 prints it after the date: `TMP:2 m above ground:6 hour fcst:` */
  readonly line: string
  readonly product: Product
  readonly packing: Packing
  values(scene: Scene): Float32Array
}

const ground = { type: 1, value: 0 }
const height = (metres: number) => ({ type: 103, value: metres })
const sea = { type: 101, value: 0 }

/** `6 hour fcst`, `anl` */
const when = (lead: number) => (lead === 0 ? 'anl' : `${lead} hour fcst`)

/** `5-6 hour acc fcst`, or in days where both ends are whole days, as wgrib2 has it. */
function span(lead: number, hours: number, how: string): string {
  const start = lead - hours
  return start % 24 === 0 && lead % 24 === 0
    ? `${start / 24}-${lead / 24} day ${how} fcst`
    : `${start}-${lead} hour ${how} fcst`
}

function plane(name: PlaneName): Message['values'] {
  return (scene) => planesAt(scene).weather[name]
}

function planesAt(scene: Scene): Planes {
  return planesOf(scene.grid, scene.run + scene.leadHours * HOUR)
}

function map(scene: Scene, of: (w: Planes['weather'], k: number) => number): Float32Array {
  const { weather } = planesAt(scene)
  const out = new Float32Array(scene.grid.nx * scene.grid.ny)
  for (let k = 0; k < out.length; k++) out[k] = of(weather, k)
  return out
}

interface Instant {
  element: string
  level: string
  number: readonly [number, number]
  surface: Product['surface']
  second?: Product['surface']
  packing: Packing
  discipline?: number
}

function instant(
  lead: number,
  at: Instant,
  values: Message['values'],
  more: Partial<Product> & { tail?: string } = {},
): Message {
  const { tail = '', ...product } = more
  return {
    line: `${at.element}:${at.level}:${when(lead)}:${tail}`,
    product: {
      discipline: at.discipline ?? 0,
      category: at.number[0],
      number: at.number[1],
      surface: at.surface,
      second: at.second,
      leadHours: lead,
      ...product,
    },
    packing: at.packing,
    values,
  }
}

function interval(
  lead: number,
  hours: number,
  how: 'acc' | 'max' | 'min' | 'ave',
  at: Instant,
  values: Message['values'],
  more: Partial<Product> & { tail?: string } = {},
): Message {
  const { tail = '', ...product } = more
  const process = { ave: 0, acc: 1, max: 2, min: 3 }[how]
  return {
    line: `${at.element}:${at.level}:${span(lead, hours, how)}:${tail}`,
    product: {
      discipline: at.discipline ?? 0,
      category: at.number[0],
      number: at.number[1],
      surface: at.surface,
      leadHours: lead,
      windowHours: hours,
      process,
      ...product,
    },
    packing: at.packing,
    values,
  }
}

const c3 = (decimal: number, order: 1 | 2 = 2): Packing => ({ template: 3, decimal, order })
const simple = (decimal: number): Packing => ({ template: 0, decimal })

const at = {
  tmp: { element: 'TMP', level: '2 m above ground', number: [0, 0], surface: height(2), packing: c3(1) },
  dpt: { element: 'DPT', level: '2 m above ground', number: [0, 6], surface: height(2), packing: c3(1) },
  tmax: { element: 'TMAX', level: '2 m above ground', number: [0, 4], surface: height(2), packing: c3(1) },
  tmin: { element: 'TMIN', level: '2 m above ground', number: [0, 5], surface: height(2), packing: c3(1) },
  rh: { element: 'RH', level: '2 m above ground', number: [1, 1], surface: height(2), packing: c3(0) },
  wind: { element: 'WIND', level: '10 m above ground', number: [2, 1], surface: height(10), packing: c3(1) },
  wdir: { element: 'WDIR', level: '10 m above ground', number: [2, 0], surface: height(10), packing: c3(0, 1) },
  gust: { element: 'GUST', level: '10 m above ground', number: [2, 22], surface: height(10), packing: c3(1) },
  sky: { element: 'TCDC', level: 'surface', number: [6, 1], surface: ground, packing: c3(0) },
  vis: { element: 'VIS', level: 'surface', number: [19, 0], surface: ground, packing: c3(0) },
  ceil: {
    element: 'CEIL',
    level: 'cloud ceiling',
    number: [6, 13],
    surface: { type: 215, value: 0 },
    packing: c3(0, 1),
  },
  apcp: { element: 'APCP', level: 'surface', number: [1, 8], surface: ground, packing: c3(2) },
  asnow: { element: 'ASNOW', level: 'surface', number: [1, 29], surface: ground, packing: c3(4) },
  ice: { element: 'FICEAC', level: 'surface', number: [1, 228], surface: ground, packing: c3(2) },
  snowLevel: {
    element: 'SNOWLVL',
    level: '0 m above mean sea level',
    number: [19, 236],
    surface: { type: 102, value: 0 },
    packing: c3(0),
  },
  snowRatio: { element: 'SNOWLR', level: 'surface', number: [1, 233], surface: ground, packing: c3(1) },
  ptype: { element: 'PTYPE', level: 'surface', number: [1, 19], surface: ground, packing: c3(0) },
  tstm: { element: 'TSTM', level: 'surface', number: [19, 2], surface: ground, packing: c3(0) },
  cape: { element: 'CAPE', level: 'surface', number: [7, 6], surface: ground, packing: c3(0) },
  dswrf: { element: 'DSWRF', level: 'surface', number: [4, 7], surface: ground, packing: c3(0) },
  skin: {
    element: 'TMP',
    level: 'surface',
    number: [0, 0],
    surface: ground,
    packing: { template: 3, decimal: 1, binary: 2 },
  },
} as const satisfies Record<string, Instant>

const STDDEV = { derived: 2, tail: 'ens std dev' } as const

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
export const SNOW_SHARE = { 10: 0.5, 50: 1, 90: 1.7 } as const
/** Wind percentiles in standard deviations from the mean. */
export const WIND_SIGMAS = { 10: -1.2816, 50: 0, 90: 1.2816 } as const

export function nbm(run: number, lead: number): readonly Message[] {
  const end = run + lead * HOUR
  const list: Message[] = []
  const spread =
    (which: 'temperature' | 'dewPoint' | 'windSpeed' | 'windGust'): Message['values'] =>
    (s) =>
      map(s, (w, k) => spreads(w.front[k], lead)[which])
  const acc =
    (what: 'liquid' | 'snow' | 'ice', hours: number, scale = 1): Message['values'] =>
    (s) => {
      const sum = fall(s.grid, what, end, hours)
      return scale === 1 ? sum : sum.map((x) => x * scale)
    }
  const pop =
    (hours: number): Message['values'] =>
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

/** Relative humidity over water by Magnus (Alduchov and Eskridge 1996), percent; K. */
export function relativeHumidity(temperature: number, dewPoint: number): number {
  const e = (kelvin: number) => Math.exp((17.625 * (kelvin - 273.15)) / (243.04 + kelvin - 273.15))
  return Math.min(100, (100 * e(dewPoint)) / e(temperature))
}

/** East and north wind turned to the grid's own axes, where the grid wants that. */
function gridWind(axis: 'u' | 'v'): Message['values'] {
  return (scene) => {
    const { sin, cos } = pointsOf(scene.grid)
    return map(scene, (w, k) => {
      const u = w.windU[k]
      const v = w.windV[k]
      if (!sin || !cos) return axis === 'u' ? u : v
      return axis === 'u' ? u * cos[k] - v * sin[k] : u * sin[k] + v * cos[k]
    })
  }
}

const surfaceFlag =
  (name: 'rainFraction' | 'snowFraction' | 'freezingFraction' | 'icePelletsFraction'): Message['values'] =>
  (s) =>
    map(s, (w, k) => (w.precipRate[k] > 0.05 && w[name][k] > 0.3 ? 1 : 0))

const layer = (element: string, level: string, number: readonly [number, number], type: number): Instant => ({
  element,
  level,
  number,
  surface: { type, value: 0 },
  packing: c3(0),
})

const wind10: readonly [Instant, Instant] = [
  { element: 'UGRD', level: '10 m above ground', number: [2, 2], surface: height(10), packing: simple(2) },
  { element: 'VGRD', level: '10 m above ground', number: [2, 3], surface: height(10), packing: c3(2) },
]

export function hrrr(run: number, lead: number): readonly Message[] {
  const end = run + lead * HOUR
  const list: Message[] = [
    instant(lead, { ...at.vis, packing: c3(-1) }, plane('visibility')),
    instant(
      lead,
      { element: 'GUST', level: 'surface', number: [2, 22], surface: ground, packing: c3(2) },
      plane('windGust'),
    ),
    instant(
      lead,
      { element: 'MSLMA', level: 'mean sea level', number: [3, 198], surface: sea, packing: c3(-1) },
      plane('pressure'),
    ),
    instant(
      lead,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: c3(-1) },
      plane('surfacePressure'),
    ),
    instant(lead, { element: 'HGT', level: 'surface', number: [3, 5], surface: ground, packing: c3(1) }, heights),
    instant(lead, { ...at.tmp, packing: c3(2) }, plane('temperature')),
    instant(lead, { ...at.dpt, packing: c3(2) }, plane('dewPoint')),
    instant(lead, { ...at.rh, packing: c3(1) }, (s) =>
      map(s, (w, k) => relativeHumidity(w.temperature[k], w.dewPoint[k])),
    ),
    instant(
      lead,
      { element: 'MASSDEN', level: '8 m above ground', number: [20, 0], surface: height(8), packing: c3(10) },
      plane('smoke'),
    ),
    instant(lead, wind10[0], gridWind('u')),
    instant(lead, wind10[1], gridWind('v')),
    instant(lead, { element: 'PRATE', level: 'surface', number: [1, 7], surface: ground, packing: c3(6) }, (s) =>
      map(s, (w, k) => w.precipRate[k] / 3600),
    ),
  ]
  if (lead > 0)
    list.push(interval(lead, 1, 'acc', { ...at.apcp, packing: c3(3) }, (s) => fall(s.grid, 'liquid', end, 1)))
  list.push(
    instant(
      lead,
      { element: 'CSNOW', level: 'surface', number: [1, 36], surface: ground, packing: simple(0) },
      surfaceFlag('snowFraction'),
    ),
    instant(
      lead,
      { element: 'CICEP', level: 'surface', number: [1, 35], surface: ground, packing: simple(0) },
      surfaceFlag('icePelletsFraction'),
    ),
    instant(
      lead,
      { element: 'CFRZR', level: 'surface', number: [1, 34], surface: ground, packing: simple(0) },
      surfaceFlag('freezingFraction'),
    ),
    instant(
      lead,
      { element: 'CRAIN', level: 'surface', number: [1, 33], surface: ground, packing: simple(0) },
      surfaceFlag('rainFraction'),
    ),
    instant(lead, at.cape, plane('cape')),
    instant(lead, layer('LCDC', 'low cloud layer', [6, 3], 214), plane('cloudLow')),
    instant(lead, layer('MCDC', 'middle cloud layer', [6, 4], 224), plane('cloudMid')),
    instant(lead, layer('HCDC', 'high cloud layer', [6, 5], 234), plane('cloudHigh')),
    instant(lead, layer('TCDC', 'entire atmosphere', [6, 1], 10), plane('cloudCover')),
    instant(
      lead,
      { element: 'HGT', level: 'cloud ceiling', number: [3, 5], surface: { type: 215, value: 0 }, packing: c3(0, 1) },
      (s) => {
        const ground = heights(s)
        return map(s, (w, k) => w.ceiling[k] + ground[k])
      },
    ),
    instant(lead, { ...at.dswrf, packing: c3(1) }, plane('solar')),
    instant(lead, at.skin, plane('temperature')),
  )
  return list
}

function heights(scene: Scene): Float32Array {
  const { lat, lon } = pointsOf(scene.grid)
  return Float32Array.from(lat, (la, k) => surfaceHeight(la, lon[k]))
}

/** RTMA and URMA: analyses, in the order in which their files hold them. */
export function analysis(): readonly Message[] {
  return [
    instant(0, { element: 'HGT', level: 'surface', number: [3, 5], surface: ground, packing: simple(1) }, heights),
    instant(
      0,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: simple(-1) },
      plane('surfacePressure'),
    ),
    instant(0, { ...at.tmp, packing: simple(2) }, plane('temperature')),
    instant(0, { ...at.dpt, packing: simple(2) }, plane('dewPoint')),
    instant(0, wind10[0], gridWind('u')),
    instant(0, { ...wind10[1], packing: simple(2) }, gridWind('v')),
    instant(0, { ...at.wdir, packing: simple(0) }, plane('windDirection')),
    instant(0, { ...at.wind, packing: simple(2) }, plane('windSpeed')),
    instant(0, { ...at.gust, packing: simple(2) }, plane('windGust')),
    instant(0, { ...at.vis, packing: simple(0) }, plane('visibility')),
    instant(0, { ...at.ceil, packing: simple(0) }, plane('ceiling')),
    instant(
      0,
      { ...layer('TCDC', 'entire atmosphere (considered as a single layer)', [6, 1], 200), packing: simple(0) },
      plane('cloudCover'),
    ),
    instant(0, at.skin, plane('temperature')),
  ]
}

export function gfs(run: number, lead: number): readonly Message[] {
  const end = run + lead * HOUR
  const bucket = lead === 0 ? 0 : lead <= 120 ? ((lead - 1) % 6) + 1 : lead % 6 === 0 ? 6 : 3
  const list: Message[] = [
    instant(
      lead,
      { element: 'PRMSL', level: 'mean sea level', number: [3, 1], surface: sea, packing: c3(0) },
      plane('pressure'),
    ),
    instant(lead, { ...at.vis, packing: c3(0) }, plane('visibility')),
    instant(
      lead,
      { element: 'GUST', level: 'surface', number: [2, 22], surface: ground, packing: c3(1) },
      plane('windGust'),
    ),
    instant(
      lead,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: c3(0) },
      plane('surfacePressure'),
    ),
    instant(lead, at.tmp, plane('temperature')),
    instant(lead, at.dpt, plane('dewPoint')),
    instant(lead, { ...at.rh, packing: c3(1) }, (s) =>
      map(s, (w, k) => relativeHumidity(w.temperature[k], w.dewPoint[k])),
    ),
    instant(lead, { ...wind10[0], packing: c3(2) }, gridWind('u')),
    instant(lead, wind10[1], gridWind('v')),
    instant(lead, { element: 'PRATE', level: 'surface', number: [1, 7], surface: ground, packing: c3(6) }, (s) =>
      map(s, (w, k) => w.precipRate[k] / 3600),
    ),
  ]
  if (bucket > 0) {
    list.push(interval(lead, bucket, 'acc', at.apcp, (s) => fall(s.grid, 'liquid', end, bucket)))
    list.push(
      interval(lead, bucket, 'ave', at.dswrf, (s) => {
        const sum = new Float32Array(s.grid.nx * s.grid.ny)
        for (let hour = 0; hour < bucket; hour++) {
          const { solar } = planesOf(s.grid, end - (hour + 0.5) * HOUR).weather
          for (let k = 0; k < sum.length; k++) sum[k] += solar[k] / bucket
        }
        return sum
      }),
    )
  }
  list.push(
    instant(
      lead,
      { element: 'CSNOW', level: 'surface', number: [1, 36], surface: ground, packing: simple(0) },
      surfaceFlag('snowFraction'),
    ),
    instant(
      lead,
      { element: 'CICEP', level: 'surface', number: [1, 35], surface: ground, packing: simple(0) },
      surfaceFlag('icePelletsFraction'),
    ),
    instant(
      lead,
      { element: 'CFRZR', level: 'surface', number: [1, 34], surface: ground, packing: simple(0) },
      surfaceFlag('freezingFraction'),
    ),
    instant(
      lead,
      { element: 'CRAIN', level: 'surface', number: [1, 33], surface: ground, packing: simple(0) },
      surfaceFlag('rainFraction'),
    ),
    instant(lead, at.cape, plane('cape')),
    instant(
      lead,
      {
        element: 'TOZNE',
        level: 'entire atmosphere (considered as a single layer)',
        number: [14, 0],
        surface: { type: 200, value: 0 },
        packing: c3(0),
      },
      plane('ozone'),
    ),
    instant(lead, layer('LCDC', 'low cloud layer', [6, 3], 214), plane('cloudLow')),
    instant(lead, layer('MCDC', 'middle cloud layer', [6, 4], 224), plane('cloudMid')),
    instant(lead, layer('HCDC', 'high cloud layer', [6, 5], 234), plane('cloudHigh')),
    instant(lead, layer('TCDC', 'entire atmosphere', [6, 1], 10), plane('cloudCover')),
    instant(
      lead,
      { element: 'HGT', level: 'cloud ceiling', number: [3, 5], surface: { type: 215, value: 0 }, packing: c3(0, 1) },
      (s) => map(s, (w, k) => (Number.isNaN(w.ceiling[k]) ? 20000 : w.ceiling[k])),
    ),
    instant(lead, at.skin, plane('temperature')),
  )
  return list
}
