import { LRUCache } from 'lru-cache'
import { emptyWeather, type Fallen, fallenInHour, type Weather, weatherAt } from './atmosphere.ts'
import { type Grid, gridPoints, type Points } from './grids.ts'

const HOUR = 3_600_000

export type PlaneName = keyof Weather

/** One grid of weather at one time, computed at its first use. */
export interface Planes {
  readonly points: Points
  readonly weather: Readonly<Record<PlaneName, Float32Array>>
}

const names = Object.keys(emptyWeather()) as PlaneName[]

const points = new LRUCache<string, Points>({ max: 16 })
const weather = new LRUCache<string, Planes>({ max: 6 })
const falls = new LRUCache<string, Record<keyof Fallen, Float32Array>>({ max: 60 })

function memoized<T extends object>(cache: LRUCache<string, T>, key: string, make: () => T): T {
  const known = cache.get(key)
  if (known) return known
  const value = make()
  cache.set(key, value)
  return value
}

/** Whether a point may be read. The rest of a global grid has one dry weather. */
function isNear(lat: number, lon: number): boolean {
  return lat > 10 && lat < 78 && (lon < -55 || lon > 165)
}

export function pointsOf(grid: Grid): Points {
  return memoized(points, grid.name, () => gridPoints(grid))
}

export function planesOf(grid: Grid, time: number): Planes {
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
      if (!isNear(at.lat[k], at.lon[k])) continue
      weatherAt(at.lat[k], at.lon[k], time, w)
      for (const name of names) planes[name][k] = w[name]
    }
    return { points: at, weather: planes }
  })
}

/** Precipitation of the hour that ends at `end`, at every point. */
function hourFall(grid: Grid, end: number): Record<keyof Fallen, Float32Array> {
  return memoized(falls, `${grid.name}@${end}`, () => {
    const at = pointsOf(grid)
    const n = at.lat.length
    const planes = { liquid: new Float32Array(n), snow: new Float32Array(n), ice: new Float32Array(n) }
    const fallen: Fallen = { liquid: 0, snow: 0, ice: 0 }
    for (let k = 0; k < n; k++) {
      if (!isNear(at.lat[k], at.lon[k])) continue
      fallenInHour(at.lat[k], at.lon[k], end, fallen)
      planes.liquid[k] = fallen.liquid
      planes.snow[k] = fallen.snow
      planes.ice[k] = fallen.ice
    }
    return planes
  })
}

/** Precipitation of the hours that end at `end`. */
export function fall(grid: Grid, what: keyof Fallen, end: number, windowHours: number): Float32Array {
  if (windowHours === 1) return hourFall(grid, end)[what]
  const sum = new Float32Array(grid.nx * grid.ny)
  for (let hour = 0; hour < windowHours; hour++) {
    const plane = hourFall(grid, end - hour * HOUR)[what]
    for (let k = 0; k < sum.length; k++) sum[k] += plane[k]
  }
  return sum
}

/** Highest or lowest temperature of the full hours from `end - windowHours` to `end`. */
export function extreme(grid: Grid, which: 'max' | 'min', end: number, windowHours: number): Float32Array {
  const at = pointsOf(grid)
  const out = new Float32Array(at.lat.length).fill(
    which === 'max' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  )
  const w = emptyWeather()
  const pick = which === 'max' ? Math.max : Math.min
  for (let hour = 0; hour <= windowHours; hour++) {
    for (let k = 0; k < out.length; k++)
      out[k] = pick(out[k], weatherAt(at.lat[k], at.lon[k], end - hour * HOUR, w).temperature)
  }
  return out
}

/** Mean solar radiation of the hours that end at `end`, from the middle of each hour. */
export function meanSolar(grid: Grid, end: number, windowHours: number): Float32Array {
  const at = pointsOf(grid)
  const out = new Float32Array(at.lat.length)
  const w = emptyWeather()
  for (let k = 0; k < out.length; k++) {
    if (!isNear(at.lat[k], at.lon[k])) continue
    for (let hour = 0; hour < windowHours; hour++) {
      out[k] += weatherAt(at.lat[k], at.lon[k], end - (hour + 0.5) * HOUR, w).solar / windowHours
    }
  }
  return out
}
