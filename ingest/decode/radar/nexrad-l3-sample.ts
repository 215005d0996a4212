import type { Level3Product } from './nexrad-l3.ts'

/** The value of a radar field at a point, or the reason why it has none. */
export type RadarSample =
  | { readonly state: 'value'; readonly value: number; readonly rangeKm: number }
  /** Covered, with a value below the threshold of the product. */
  | { readonly state: 'below_threshold'; readonly rangeKm: number }
  /** An echo whose distance is ambiguous. */
  | { readonly state: 'range_folded'; readonly rangeKm: number }
  | { readonly state: 'outside' }

const EARTH_KM = 6371
/** Effective radius of the earth, km. In standard air a beam bends as if it were straight over an earth with 4/3 of the true radius. */
const BEAM_EARTH_KM = (EARTH_KM * 4) / 3
const RADIANS = Math.PI / 180
/** Number of azimuth steps of the index; a step is a fifth of a radial of half a degree. */
const STEPS = 3600

/** Returns the distance along the ground in km and the azimuth in degrees of a point, as seen from the radar. */
function polarOf(product: Level3Product, lat: number, lon: number): readonly [km: number, azimuth: number] {
  const [a, b] = [product.lat * RADIANS, lat * RADIANS]
  const across = (lon - product.lon) * RADIANS
  const east = Math.sin(across) * Math.cos(b)
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(across)
  const up = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(across)
  const azimuth = Math.atan2(east, north) / RADIANS
  return [EARTH_KM * Math.atan2(Math.hypot(east, north), up), (azimuth + 360) % 360]
}

/** Returns the distance in km along a beam with an elevation in degrees to the point above a ground distance. */
function slantOf(km: number, elevation: number): number {
  const angle = km / BEAM_EARTH_KM
  return (BEAM_EARTH_KM * Math.sin(angle)) / Math.cos(angle + elevation * RADIANS)
}

/**
 * Returns a function that reads the value of a radial product at a latitude and longitude; undefined if the product has no decoded values.
 */
export function samplerOf(product: Level3Product): ((lat: number, lon: number) => RadarSample) | undefined {
  const { kind, scale, elevation } = product
  const field = product.radials[0]
  if (!kind || !scale || !field) return undefined
  const gateKm = (field.gateMeters ?? kind.gateMeters) / 1000
  const radials = new Int16Array(STEPS).fill(-1)
  for (let k = 0; k < field.radials; k++) {
    const first = Math.round((field.starts[k]! * STEPS) / 360)
    const count = Math.round((field.widths[k]! * STEPS) / 360)
    for (let step = 0; step < count; step++) radials[(((first + step) % STEPS) + STEPS) % STEPS] = k
  }
  return (lat, lon) => {
    const [km, azimuth] = polarOf(product, lat, lon)
    const along = elevation === undefined ? km : slantOf(km, elevation)
    const gate = Math.floor(along / gateKm) - field.firstGate
    const radial = radials[Math.floor((azimuth * STEPS) / 360) % STEPS]!
    if (radial < 0 || !(gate >= 0 && gate < field.gates)) return { state: 'outside' }
    const level = field.levels[radial * field.gates + gate]!
    const value = scale.values[level]
    if (value !== undefined && !Number.isNaN(value)) return { state: 'value', value, rangeKm: km }
    return { state: level === scale.foldedLevel ? 'range_folded' : 'below_threshold', rangeKm: km }
  }
}
