import type { DomainId } from '../../ingest/domain/domain.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import type { StormList, StormObject } from '../../ingest/domain/weather/storm.ts'
import { headingOf, movedPlace } from '../../ingest/domain/weather/storm.ts'
import { nearestRadar } from '../../ingest/geo/site.ts'
import type { MetaWarning } from '../contract.ts'
import type { RadarFrames } from '../live/frames.ts'
import { round } from '../present/units.ts'
import type { QueryBox } from '../query/box.ts'
import { contains, domainsOf } from '../query/box.ts'

export const STORMS = 'storm-tracks'

/** Storm lists that are older than this are omitted. */
export const LIST_MAX_AGE_MS = 15 * MINUTE

/** Lead minutes of the forecast positions, which are extrapolated with the present motion of the storm. */
export const FORECAST_MINUTES = [15, 30, 45, 60] as const

/** Datasets of storm lists by domain: ProbSevere over the contiguous states, cells of single radars elsewhere. */
const LISTS: Readonly<Record<DomainId, string>> = { conus: STORMS, alaska: 'storm-cells', hawaii: 'storm-cells' }
const DOMAINS = Object.keys(LISTS) as DomainId[]
/**
 * Greatest age of a list of cells. Volume scans take up to ten minutes, and the age of a list is that of its newest
 * scan.
 */
const CELLS_STALE_MS = 30 * MINUTE

/** The served list of a domain if it is recent enough, with warnings. */
async function listOf(
  radar: RadarFrames,
  domain: DomainId,
  now: Instant,
): Promise<{ list?: StormList; warnings: readonly MetaWarning[] }> {
  const dataset = LISTS[domain]
  const list = await radar.object(dataset, domain, (bytes) => JSON.parse(Buffer.from(bytes).toString()) as StormList)
  const about = { section: 'storm_tracks', product_id: dataset } as const
  const where = domain === 'conus' ? '' : ` for ${domain === 'alaska' ? 'Alaska' : 'Hawaii'}`
  if (!list)
    return { warnings: [{ ...about, code: 'source_missing', detail: `No list of storms is available${where}.` }] }
  const age = now - list.validTime
  if (age > (domain === 'conus' ? LIST_MAX_AGE_MS : CELLS_STALE_MS)) {
    const detail = `The newest list of storms${where} is ${Math.round(age / MINUTE)} minutes old and is left out.`
    return { warnings: [{ ...about, code: 'stale_source', detail }] }
  }
  if (!list.missing || list.missing.length === 0) return { list, warnings: [] }
  const detail = `There is no recent scan of radar ${list.missing.join(', ')}. Storms around it are not known.`
  return { list, warnings: [{ ...about, code: 'source_incomplete', detail }] }
}

/** The storms of several domains in one list; undefined if no domain has a list that is recent enough. */
export async function stormsNow(
  radar: RadarFrames,
  now: Instant,
  domains: readonly DomainId[] = DOMAINS,
): Promise<{ list?: StormList; warnings: readonly MetaWarning[] }> {
  const results = await Promise.all(domains.map((domain) => listOf(radar, domain, now)))
  const warnings = results.flatMap((result) => result.warnings)
  const lists = results.flatMap(({ list }) => list ?? [])
  if (lists.length === 0) return { warnings }
  const list = {
    validTime: Math.max(...lists.map(({ validTime }) => validTime)),
    storms: lists.flatMap(({ storms, validTime }) => storms.map((storm) => ({ validTime, ...storm }))),
    rejected: [],
  }
  return { list, warnings }
}

/** Range of a radar in which its storms are listed. Beyond it the lowest beam passes above most storms. */
export const RADAR_RANGE_KM = 230

/** Whether a list of storms covers a point: ProbSevere covers the contiguous states; elsewhere storm cells need a radar in range. */
export function hasStormTracking(lat: number, lon: number): boolean {
  const domains = domainsOf([lon, lat, lon, lat])
  return domains.includes('conus') || (domains.length > 0 && nearestRadar(lat, lon).distance_km <= RADAR_RANGE_KM)
}

export function stormFeature(storm: StormObject, validTime: Instant) {
  const heading = headingOf(storm.east, storm.north)
  return {
    type: 'Feature' as const,
    id: storm.id,
    geometry: { type: 'Polygon' as const, coordinates: storm.outline },
    properties: {
      id: storm.id,
      valid_time: isoSeconds(storm.validTime ?? validTime),
      source: storm.details['SITE'] === undefined ? 'probsevere' : `nexrad_${storm.details['SITE'].toLowerCase()}`,
      speed: storm.motionUnknown ? null : round(Math.hypot(storm.east, storm.north), 1),
      direction: heading === undefined ? null : Math.round(heading) % 360,
      severe_probability: storm.severe ?? null,
      hail_probability: storm.hail ?? null,
      wind_probability: storm.wind ?? null,
      tornado_probability: storm.tornado ?? null,
      lat: round(storm.lat, 4),
      lon: round(storm.lon, 4),
      max_reflectivity_dbz: numberOf(storm.details['MAX_DBZ']),
      mesocyclone_strength: numberOf(storm.details['MESO_STRENGTH']),
      tornado_signature: storm.details['TVS'] ?? null,
      forecast: (storm.motionUnknown ? [] : FORECAST_MINUTES).map((minutes) => {
        const { lat, lon } = movedPlace(storm.lat, storm.lon, storm.east, storm.north, minutes * 60)
        return { minutes, lat: round(lat, 4), lon: round(lon, 4) }
      }),
    },
  }
}

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))

export function touches({ outline, lat, lon }: StormObject, box: QueryBox): boolean {
  return contains(box, lat, lon) || outline.slice(0, 1).some((ring) => ring.some(([x, y]) => contains(box, y, x)))
}
