import { z } from 'zod'
import { isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { headingOf, movedPlace } from '../../../ingest/domain/weather/storm.ts'
import { compassPoint } from '../../../ingest/geo/place.ts'
import { radarById } from '../../../ingest/geo/site.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { hasStormTracking, RADAR_RANGE_KM, stormsNow } from '../../answer/storms.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type PlaceInput } from '../../dataset/spot.ts'
import { domainsOf } from '../../query/box.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { bearingOf } from '../query/radar-around.ts'
import { absence } from '../words/absence.ts'
import { counted, localTime, phrase, plainMeta, reply } from '../words/reply.ts'

/** Time for which storms are assumed to keep their motion. */
const AHEAD_MINUTES = 120
const untracked: MetaWarning = {
  code: 'no_coverage',
  section: 'storms',
  detail:
    'storm cells are tracked in the lower 48 states, and within 230 km of the radars of Alaska and Hawaii: an empty list here is not an all-clear',
}
const probability = z.number().min(0).max(100).nullable()

export const getStormTracks = tool({
  name: 'get_storm_tracks',
  title: 'Get storm tracks',
  description:
    'Storm cells around a US place: where each is and heads, how fast, when it comes closest, and its severe, hail, wind and tornado probability: "is that storm coming towards me". Warnings: get_alerts; the rain itself: get_precipitation_nowcast. Alaska, Hawaii: no probabilities.',
  input: z.strictObject({
    ...shape.place,
    radius_km: z.number().min(10).max(500).default(150).describe('How far around the place, km.'),
    site: z.string().min(3).max(4).optional().describe('Only storms within 230 km of this radar, such as FTG.'),
    limit: z.number().int().min(1).max(50).default(10).describe('Storms at most.'),
  }),
  output: z.object({
    location: shape.location.optional(),
    storms: z
      .array(
        z.object({
          id: z.string(),
          lat: z.number(),
          lon: z.number(),
          distance_km: z.number(),
          bearing: z.number(),
          speed_kph: z.number().nullable(),
          heading: z.number().nullable(),
          closest_km: z.number(),
          closest_at: z.string().nullable(),
          severe_prob: probability,
          hail_prob: probability,
          wind_prob: probability,
          tornado_prob: probability,
          max_dbz: z.number().nullable(),
          valid_time: z.string(),
        }),
      )
      .nullable()
      .describe('null: not known'),
    valid_time: z.string().nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const { spot, site, centre, name } = centreOf(input)
    const { lat, lon } = centre
    const domains = domainsOf([lon, lat, lon, lat])
    const { list, warnings } = await stormsNow(context.deps.radar, context.now, domains)
    const isTracked = hasStormTracking(lat, lon)
    const near = (list?.storms ?? [])
      .map((storm) => ({ storm, distance: distanceKm(lat, lon, storm.lat, storm.lon) }))
      .filter(
        ({ storm, distance }) =>
          (!spot || distance <= input.radius_km) &&
          (!site || distanceKm(site.lat, site.lon, storm.lat, storm.lon) <= RADAR_RANGE_KM),
      )
      .sort((a, b) => a.distance - b.distance)
    const storms = list ? near.slice(0, input.limit).map(({ storm }) => stormRow(storm, centre, list.validTime)) : []
    const zone = spot?.timezone ?? 'UTC'
    const where = `${spot ? `within ${input.radius_km} km of` : 'near'} ${name}`
    const shownStorms = Math.min(MAX_LINES, storms.length)
    const doubt = !isTracked
      ? 'no radar that tracks storms reaches it'
      : !list || (storms.length === 0 && warnings.length > 0)
        ? (warnings[0]?.detail ?? 'no list is available')
        : undefined
    const lines =
      storms.length === 0
        ? [
            absence(
              'storm_cells',
              { where, at: list ? localTime(list.validTime, zone) : '', elsewhere: list?.storms.length ?? 0 },
              doubt,
            ),
          ]
        : [
            `${counted(near.length, 'storm cell')} ${where} at ${localTime(list?.validTime ?? context.now, zone)}${near.length > shownStorms ? `, the nearest ${shownStorms}` : ''}:`,
            ...storms.slice(0, shownStorms).map((storm) => stormWords(storm, zone)),
          ]
    const freshness = list
      ? [{ source: 'storm-tracks', product_id: 'storm-tracks', referenceTime: list.validTime }]
      : []
    return reply({
      structured: {
        ...(spot && { location: spot.location }),
        storms: storms.length === 0 && doubt !== undefined ? null : storms,
        valid_time: list ? isoSeconds(list.validTime) : null,
      },
      lines,
      meta: plainMeta(context, ['storm-tracks'], {
        warnings: isTracked ? warnings : [...warnings, untracked],
        freshness,
        spots: [spot],
      }),
    })
  },
})

interface LatLon {
  readonly lat: number
  readonly lon: number
}

/** Returns the point that distances count from: the place, else the radar. @throws ToolError bad-request, not-found */
function centreOf(input: PlaceInput & { readonly site?: string }) {
  const isPlaced = input.location !== undefined || input.lat !== undefined || input.lon !== undefined
  const site = input.site ? radarById(input.site.toUpperCase()) : undefined
  if (input.site && !site)
    throw new ToolError(
      'not-found',
      `No radar is called "${input.site}".`,
      'search_locations gives the nearest radar of a place.',
      { field: 'site', got: input.site },
    )
  if (isPlaced) {
    const spot = findSpot(input)
    return { spot, site, centre: spot.location, name: spot.location.name }
  }
  if (site) return { spot: undefined, site, centre: site, name: `radar ${site.id}` }
  throw new ToolError(
    'bad-request',
    'A place, a radar site, or both are required, but the call has neither.',
    'call again with location "Tulsa, OK" or site "INX".',
    { field: 'location' },
  )
}

type TrackedStorm = NonNullable<Awaited<ReturnType<typeof stormsNow>>['list']>['storms'][number]

/** Returns a storm as the tool gives it, with its nearest approach to the centre within two hours. */
function stormRow(storm: TrackedStorm, centre: LatLon, listTime: number) {
  const { lat, lon, east, north } = storm
  const distance = distanceKm(centre.lat, centre.lon, lat, lon)
  let closest = { km: distance, minutes: 0 }
  for (let minutes = 1; minutes <= AHEAD_MINUTES; minutes++) {
    const moved = movedPlace(lat, lon, east, north, minutes * 60)
    const km = distanceKm(centre.lat, centre.lon, moved.lat, moved.lon)
    if (km < closest.km) closest = { km, minutes }
  }
  const heading = headingOf(east, north)
  const validTime = storm.validTime ?? listTime
  const { MAXREF, COMPREF, MAX_DBZ } = storm.details
  const dbz = Number(MAXREF ?? COMPREF ?? MAX_DBZ)
  return {
    id: storm.id,
    lat: round(lat, 4),
    lon: round(lon, 4),
    distance_km: round(distance, 1),
    bearing: bearingOf(centre.lat, centre.lon, lat, lon),
    speed_kph: storm.motionUnknown ? null : round(Math.hypot(east, north) * 3.6, 1),
    heading: heading === undefined ? null : Math.round(heading) % 360,
    closest_km: round(closest.km, 1),
    closest_at: closest.minutes > 0 ? isoSeconds(validTime + closest.minutes * MINUTE) : null,
    severe_prob: storm.severe ?? null,
    hail_prob: storm.hail ?? null,
    wind_prob: storm.wind ?? null,
    tornado_prob: storm.tornado ?? null,
    max_dbz: Number.isFinite(dbz) ? dbz : null,
    valid_time: isoSeconds(validTime),
  }
}

/** Storm cells in the text block. */
const MAX_LINES = 8

type StormWordsInput = Pick<
  ReturnType<typeof stormRow>,
  'distance_km' | 'bearing' | 'heading' | 'speed_kph' | 'closest_km' | 'closest_at' | 'severe_prob' | 'valid_time'
>

/** Returns `96.2 km W, moving E at 63.5 km/h, closest 2.2 km at Thu, 2:07 PM MST, severe weather 23%` */
export function stormWords(storm: StormWordsInput, timezone: string): string {
  const { distance_km, bearing, heading, speed_kph, closest_km, closest_at, severe_prob, valid_time } = storm
  // A storm that is closest at the end of the two hours may still come closer.
  const isComing = closest_at && Date.parse(closest_at) - Date.parse(valid_time) >= AHEAD_MINUTES * MINUTE
  return phrase(
    `${distance_km} km ${compassPoint(bearing)}`,
    heading !== null
      ? `moving ${compassPoint(heading)} at ${speed_kph} km/h`
      : speed_kph === null
        ? 'motion not known yet'
        : 'stationary',
    closest_at
      ? isComing
        ? `${closest_km} km away at ${localTime(closest_at, timezone)} and still coming closer`
        : `closest ${closest_km} km at ${localTime(closest_at, timezone)}`
      : heading === null
        ? undefined
        : 'moving away',
    severe_prob === null ? undefined : `severe weather ${severe_prob}%`,
  )
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
