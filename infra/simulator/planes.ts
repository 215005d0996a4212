import { LRUCache } from 'lru-cache'
import { HOUR } from '../../ingest/domain/time.ts'
import { emptyWeather, type Fallen, fallenInHour, type SimulatedWeather, weatherAt } from './atmosphere.ts'
import { gridPoints, type Points, type SimulatedGrid } from './grids.ts'

export type PlaneName = keyof SimulatedWeather

/** The weather at all points of a grid at one time. */
export interface Planes {
  readonly points: Points
  readonly weather: Readonly<Record<PlaneName, Float32Array>>
}

const names = Object.keys(emptyWeather()) as PlaneName[]

/** Precipitation of an hour at the points with precipitation, which are few. */
type WetPoints = Record<keyof Fallen, Float32Array> & { readonly at: Uint32Array }

const points = new LRUCache<string, Points>({ max: 16 })
/**
 * One entry is enough, because the messages of a file have one grid and time. The planes of the global grid have 26 MB.
 */
const weather = new LRUCache<string, Planes>({ max: 1 })
const falls = new LRUCache<string, WetPoints>({ max: 60 })

function memoized<T extends object>(cache: LRUCache<string, T>, key: string, make: () => T): T {
  const cached = cache.get(key)
  if (cached) return cached
  const value = make()
  cache.set(key, value)
  return value
}

/** Returns whether a point may be read. All other points of a global grid have the same dry weather. */
function isNear(lat: number, lon: number): boolean {
  return lat > 10 && lat < 78 && (lon < -55 || lon > 165)
}

export function pointsOf(grid: SimulatedGrid): Points {
  return memoized(points, grid.name, () => gridPoints(grid))
}

/** Written out, because a loop over the names takes as long as computing the weather. */
function store(planes: Record<PlaneName, Float32Array>, k: number, w: SimulatedWeather): void {
  planes.temperature[k] = w.temperature
  planes.dewPoint[k] = w.dewPoint
  planes.windU[k] = w.windU
  planes.windV[k] = w.windV
  planes.windSpeed[k] = w.windSpeed
  planes.windDirection[k] = w.windDirection
  planes.windGust[k] = w.windGust
  planes.pressure[k] = w.pressure
  planes.surfacePressure[k] = w.surfacePressure
  planes.cloudCover[k] = w.cloudCover
  planes.cloudLow[k] = w.cloudLow
  planes.cloudMid[k] = w.cloudMid
  planes.cloudHigh[k] = w.cloudHigh
  planes.visibility[k] = w.visibility
  planes.ceiling[k] = w.ceiling
  planes.cape[k] = w.cape
  planes.solar[k] = w.solar
  planes.ozone[k] = w.ozone
  planes.smoke[k] = w.smoke
  planes.precipRate[k] = w.precipRate
  planes.rainFraction[k] = w.rainFraction
  planes.snowFraction[k] = w.snowFraction
  planes.freezingFraction[k] = w.freezingFraction
  planes.icePelletsFraction[k] = w.icePelletsFraction
  planes.snowLevel[k] = w.snowLevel
  planes.snowRatio[k] = w.snowRatio
  planes.thunder[k] = w.thunder
  planes.front[k] = w.front
}

export function planesOf(grid: SimulatedGrid, time: number): Planes {
  return memoized(weather, `${grid.name}@${time}`, () => {
    const at = pointsOf(grid)
    const n = at.lat.length
    const far = { ...weatherAt(40, -20, time), precipRate: 0 }
    const planes = Object.fromEntries(names.map((name) => [name, new Float32Array(n).fill(far[name])])) as Record<
      PlaneName,
      Float32Array
    >
    const w = emptyWeather()
    for (let k = 0; k < n; k++) {
      if (!isNear(at.lat[k]!, at.lon[k]!)) continue
      weatherAt(at.lat[k]!, at.lon[k]!, time, w)
      store(planes, k, w)
    }
    return { points: at, weather: planes }
  })
}

/** Returns the precipitation of the hour that ends at `end`. */
function hourFall(grid: SimulatedGrid, end: number): WetPoints {
  return memoized(falls, `${grid.name}@${end}`, () => {
    const { lat, lon } = pointsOf(grid)
    const fallen: Fallen = { liquid: 0, snow: 0, ice: 0 }
    const at: number[] = []
    const amounts: Record<keyof Fallen, number[]> = { liquid: [], snow: [], ice: [] }
    for (let k = 0; k < lat.length; k++) {
      if (!isNear(lat[k]!, lon[k]!)) continue
      fallenInHour(lat[k]!, lon[k]!, end, fallen)
      if (fallen.liquid === 0 && fallen.snow === 0 && fallen.ice === 0) continue
      at.push(k)
      amounts.liquid.push(fallen.liquid)
      amounts.snow.push(fallen.snow)
      amounts.ice.push(fallen.ice)
    }
    return {
      at: Uint32Array.from(at),
      liquid: Float32Array.from(amounts.liquid),
      snow: Float32Array.from(amounts.snow),
      ice: Float32Array.from(amounts.ice),
    }
  })
}

/** Returns the precipitation of the hours that end at `end`, at every point, mm. */
export function fall(grid: SimulatedGrid, kind: keyof Fallen, end: number, windowHours: number): Float32Array {
  const sum = new Float32Array(grid.nx * grid.ny)
  for (let hour = 0; hour < windowHours; hour++) {
    const { at, [kind]: amounts } = hourFall(grid, end - hour * HOUR)
    for (let i = 0; i < at.length; i++) sum[at[i]!]! += amounts[i]!
  }
  return sum
}

/** Returns the highest or lowest temperature at the full hours from `end - windowHours` to `end`, K. */
export function extreme(grid: SimulatedGrid, which: 'max' | 'min', end: number, windowHours: number): Float32Array {
  const at = pointsOf(grid)
  const out = new Float32Array(at.lat.length).fill(
    which === 'max' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  )
  const w = emptyWeather()
  const pick = which === 'max' ? Math.max : Math.min
  for (let hour = 0; hour <= windowHours; hour++) {
    for (let k = 0; k < out.length; k++)
      out[k] = pick(out[k]!, weatherAt(at.lat[k]!, at.lon[k]!, end - hour * HOUR, w).temperature)
  }
  return out
}

/** Returns the mean solar radiation of the hours that end at `end`, from the middle of each hour, W/m². */
export function meanSolar(grid: SimulatedGrid, end: number, windowHours: number): Float32Array {
  const at = pointsOf(grid)
  const out = new Float32Array(at.lat.length)
  const w = emptyWeather()
  for (let k = 0; k < out.length; k++) {
    if (!isNear(at.lat[k]!, at.lon[k]!)) continue
    for (let hour = 0; hour < windowHours; hour++) {
      out[k]! += weatherAt(at.lat[k]!, at.lon[k]!, end - (hour + 0.5) * HOUR, w).solar / windowHours
    }
  }
  return out
}
