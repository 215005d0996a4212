import type { Instant } from '../time.ts'

/** A stored product of single radars: the mnemonic in file names, the name in answers, and the unit of values. */
export interface RadarProduct {
  readonly mnemonic: string
  readonly name: 'reflectivity' | 'velocity' | 'storm_relative_velocity' | 'hydrometeor_class'
  readonly title: string
  /** Unit of the values; velocities are positive away from the radar. */
  readonly unit: 'dBZ' | 'm/s' | 'class'
}

/** The lowest beam of each radar, in the products of the public bucket. */
export const radarProducts: readonly RadarProduct[] = [
  { mnemonic: 'N0B', name: 'reflectivity', title: 'Reflectivity of one radar', unit: 'dBZ' },
  { mnemonic: 'N0G', name: 'velocity', title: 'Radial velocity of one radar', unit: 'm/s' },
  { mnemonic: 'N0S', name: 'storm_relative_velocity', title: 'Storm-relative velocity of one radar', unit: 'm/s' },
  { mnemonic: 'N0H', name: 'hydrometeor_class', title: 'Hydrometeors of one radar', unit: 'class' },
]

/** Product codes (ICD 2620001, table III) by mnemonic. */
export const productCodes: Readonly<Record<string, number>> = {
  N0B: 153,
  N0G: 154,
  N0S: 56,
  N0H: 165,
  NST: 58,
  NMD: 141,
  NTV: 61,
}

/** Finds a product by mnemonic or name, in any case. */
export function radarProductOf(text: string): RadarProduct | undefined {
  const lowerCased = text.toLowerCase()
  return radarProducts.find(({ mnemonic, name }) => name === lowerCased || mnemonic.toLowerCase() === lowerCased)
}

/** Class of scatterers by the value of the hydrometeor product (ICD 2620003, product 165). */
export const hydrometeors: readonly (string | undefined)[] = [
  undefined,
  'biological',
  'ground_clutter',
  'ice_crystals',
  'dry_snow',
  'wet_snow',
  'rain',
  'heavy_rain',
  'big_drops',
  'graupel',
  'hail_rain',
  'large_hail',
  'giant_hail',
  'unknown',
]

/** A stored scan of a radar. */
export interface SiteScan {
  readonly site: string
  readonly mnemonic: string
  /** Start of the volume scan. */
  readonly time: Instant
  /** Key of the frame in the object store. */
  readonly key: string
  /** Elevation of the beam, degrees above the horizon. */
  readonly elevation?: number
  readonly coveragePattern: number
}

/** The newest scans of the radars of a domain. */
export interface SiteScans {
  readonly validTime: Instant
  readonly scans: readonly SiteScan[]
  /** Files that could not be read, with the reasons. */
  readonly rejected: readonly string[]
  /** Keys in the previous list that are not in this list; they are removed after this list is published. */
  readonly replaced: readonly string[]
}

/** Age after which a scan is not shown as current; a volume scan takes 4 to 10 minutes. */
export const SITE_SCAN_MAX_AGE_MS = 20 * 60_000
/** Range of a radar's lowest beam in answers and pictures, km. */
export const SITE_RANGE_KM = 230
