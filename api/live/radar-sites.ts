import { datasetOf } from '../../ingest/catalog.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import {
  hydrometeors,
  type RadarProduct,
  radarProducts,
  SITE_RANGE_KM,
  SITE_SCAN_MAX_AGE_MS,
  type SiteScan,
  type SiteScans,
} from '../../ingest/domain/weather/radar-scan.ts'
import { type Away, nearRadars, type Radar } from '../../ingest/geo/site.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { type Frame, stateOfCode } from '../../ingest/tile/frame-read.ts'
import type { PointAt, SiteAtPoint } from '../contract.ts'
import type { RadarFrames } from './frames.ts'

export const RADAR_SITES = datasetOf('site_scans').id
/** Number of nearest radars whose scans are considered. */
const CANDIDATES = 3

/** The newest stored scans of a radar, one for each product. */
export async function scansOf(radar: RadarFrames, site: Pick<Radar, 'id' | 'state'>): Promise<readonly SiteScan[]> {
  const domain: DomainId = site.state === 'AK' ? 'alaska' : site.state === 'HI' ? 'hawaii' : 'conus'
  const list = await radar.object(
    RADAR_SITES,
    domain,
    (bytes) => JSON.parse(Buffer.from(bytes).toString()) as SiteScans,
  )
  return list?.scans.filter((scan) => scan.site === site.id) ?? []
}

/** Samples a frame of one radar at a point; the value is in the frame's unit. */
export async function sampleScan(frame: Frame, lat: number, lon: number) {
  const { x, y } = pixelOf(frame.head.grid, lat, lon)
  const [i, j] = [Math.round(x), Math.round(y)]
  const { nx, ny } = frame.head.grid
  if (i < 0 || j < 0 || i >= nx || j >= ny) return { state: 'no_coverage', value: undefined } as const
  const code = (await frame.load([{ left: i, top: j, right: i, bottom: j }])).code(i, j)
  const state = stateOfCode(code)
  return { state, value: state === 'value' ? frame.value(code) : undefined }
}

/** The word for a class of hydrometeors, such as `rain`. */
export const hydrometeorOf = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : hydrometeors[Math.round(value)]

/** The supplier of single-radar data at a point: from the nearest radar with a recent scan, or without values from the nearest radar. */
export function siteAt(radar: RadarFrames): (at: PointAt) => Promise<SiteAtPoint | undefined> {
  return async ({ lat, lon, now }) => {
    const near = nearRadars(lat, lon, CANDIDATES, SITE_RANGE_KM)
    for (const site of near) {
      const recent = (await scansOf(radar, site)).filter(({ time }) => now - time <= SITE_SCAN_MAX_AGE_MS)
      const values = recent.length > 0 ? await siteValues(radar, site, recent, lat, lon) : undefined
      if (values) return values
    }
    const [site] = near.length > 0 ? near : nearRadars(lat, lon, 1)
    return site && { site, coverage: 'no_coverage' }
  }
}

/** Returns the values of a radar's scans at a point; undefined if no scan is stored any more. */
async function siteValues(
  radar: RadarFrames,
  site: Away<Radar>,
  scans: readonly SiteScan[],
  lat: number,
  lon: number,
): Promise<SiteAtPoint | undefined> {
  const sample = async ({ mnemonic }: RadarProduct) => {
    const scan = scans.find((candidate) => candidate.mnemonic === mnemonic)
    try {
      return scan && { scan, ...(await sampleScan(await radar.scan(scan.key), lat, lon)) }
    } catch (error) {
      // A newer list has been published meanwhile, and this scan was removed.
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }
  const [reflectivity, velocity, relative, kind] = await Promise.all(radarProducts.map(sample))
  const first = reflectivity ?? velocity ?? relative ?? kind
  if (!first) return undefined
  return {
    site,
    validTime: first.scan.time,
    elevation: first.scan.elevation,
    coverage: first.state,
    reflectivity: reflectivity?.value,
    velocity: velocity?.value,
    stormRelativeVelocity: relative?.value,
    hydrometeor: hydrometeorOf(kind?.value),
  }
}
