import { z } from 'zod'
import { warningCodes } from '../contract.ts'
import { doc, measured, part } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { sections } from '../sections/index.ts'
import type { metarSchema } from '../sections/metar.ts'
import { alertSchema, outlookSchema } from './schema/alert.ts'
import { astroSchema, daySchema } from './schema/day.ts'
import { afdSchema, guidanceSchema, mcdSchema } from './schema/guidance.ts'
import { currentSchema, hourSchema } from './schema/hour.ts'
import { nowcastSchema, radarSiteSchema } from './schema/radar.ts'

/** Schema of the Weather object, for the OpenAPI document, the typed client and the tests. */
const at = z.iso.datetime()
const number = z.number()
const maybe = z.number().nullish()
const text = z.string().optional()
const maybeAt = at.nullish()

export const locationSchema = z
  .strictObject({
    lat: member.lat,
    lon: member.lon,
    name: doc(z.string(), 'Name of the place, without its state', 'Denver'),
    region: member.region.optional(),
    country: member.country.optional(),
    timezone: member.timezone,
    county: member.county.optional(),
    zip: member.zip.optional(),
    elevation: measured(
      number.nullish(),
      'altitude',
      5280,
      'Height of the ground at the point above sea level, from the terrain of HRRR, RTMA, RRFS or GFS; null if no served run of them covers the point',
    ),
    utc_offset_seconds: measured(z.int().optional(), 'offset', -21600, 'Offset of timezone at meta.generated_at'),
  })
  .meta({ id: 'Location' })

const climateSchema = z
  .strictObject({
    station: z
      .strictObject({
        station_id: member.station_id,
        name: member.name,
        state: member.state.optional(),
        latitude: measured(number, 'lat', 39.8328, 'Latitude of the station, north is positive'),
        longitude: measured(number, 'lon', -104.6575, 'Longitude of the station, west is negative'),
        elevation_m: member.elevation_m.nullish(),
        distance_km: member.distance_km,
      })
      .describe('Station of the normals'),
    meta: z
      .strictObject({
        normals_period: doc(z.string(), 'Years of the normals', '1991-2020'),
        source: doc(z.enum(['station', 'grid', 'mixed']), 'Whether the normals are for a station or a grid', 'station'),
        normals_method: doc(z.string(), 'Method of the normals', 'NCEI daily normals'),
        unit: doc(z.string(), 'Unit of the temperatures', 'degF'),
        approximate: doc(z.boolean(), 'Whether the station is far from the point', false),
        missing_days: measured(z.int(), 'count', 0, 'Days without a normal'),
      })
      .describe('Metadata of the normals'),
    days: z
      .array(
        z.strictObject({
          date: member.date,
          month: measured(z.int(), 'month', 8, 'Month of the year'),
          day: measured(z.int(), 'monthday', 20, 'Day of the month'),
          normal_high: member.normal_high.nullish(),
          normal_low: member.normal_low.nullish(),
          normal_mean: measured(maybe, 'temperature', 73.2, 'Normal mean of the date'),
          normal_high_stddev: measured(maybe, 'spread', 7.1, 'Standard deviation of the high'),
          normal_low_stddev: measured(maybe, 'spread', 5.2, 'Standard deviation of the low'),
          normal_mean_stddev: measured(maybe, 'spread', 5.6, 'Standard deviation of the mean'),
          normal_precip: measured(maybe, 'amount', 0.05, 'Normal precipitation of the date'),
          years: measured(z.int().optional(), 'years', 30, 'Number of years that the normal is based on'),
          completeness_flag: doc(z.string().optional(), "NCEI's flag of completeness", 'S'),
        }),
      )
      .describe('Normals by date'),
    location: part(locationSchema.optional(), 'The place of the answer'),
  })
  .meta({ id: 'ClimateNormals' })

const gisSchema = z
  .strictObject({
    lat: member.lat,
    lon: member.lon,
    timezone: member.timezone,
    city: member.city.optional(),
    nearest_city: member.nearest_city.optional(),
    state: member.state.optional(),
    county: member.county.optional(),
    country: member.country.optional(),
    population: member.population.nullish(),
    nearest_radar: z
      .strictObject({
        id: member.id,
        name: member.name,
        lat: member.lat,
        lon: member.lon,
        distance_km: member.distance_km,
      })
      .optional()
      .describe('Nearest radar'),
    nearest_station: z
      .strictObject({
        id: member.id,
        lat: member.lat,
        lon: member.lon,
        distance_km: member.distance_km,
        name: member.name.optional(),
        state: member.state.optional(),
        elevation_m: member.elevation_m.nullish(),
      })
      .optional()
      .describe('Nearest station'),
  })
  .meta({ id: 'GIS' })

export const unitsSchema = z
  .strictObject({
    temperature: doc(z.enum(['F', 'C']), 'Unit of temperatures', 'F'),
    wind_speed: doc(z.enum(['mph', 'kph']), 'Unit of wind speeds', 'mph'),
    pressure: doc(z.enum(['inHg', 'hPa']), 'Unit of pressures', 'inHg'),
    visibility: doc(z.enum(['mi', 'km']), 'Unit of visibilities', 'mi'),
    precip_amount: doc(z.enum(['in', 'mm']), 'Unit of amounts of rain, snow and ice', 'in'),
    altitude: doc(z.enum(['m', 'ft']), 'Unit of heights', 'ft'),
    solar_radiation: doc(z.literal('W/m^2'), 'Unit of radiation, always the same', 'W/m^2'),
  })
  .meta({ id: 'Units' })

export const warningSchema = z
  .strictObject({
    code: z
      .string()
      .meta({
        description: `Stable; new ones may be added. ${Object.entries(warningCodes)
          .map(([code, about]) => `\`${code}\`: ${about}`)
          .join('. ')}.`,
      })
      .meta({ examples: ['stale_source'] }),
    section: member.section,
    detail: doc(text, 'The warning in words', 'hours 37 to 48 come from the 18Z run'),
    product_id: member.product_id.optional(),
    fields: doc(z.array(z.string()).optional(), 'Fields that are null or left out', ['snow_amount']),
    from: doc(at.optional(), 'First valid time that the warning is about', '2026-08-22T06:00:00Z'),
    to: doc(at.optional(), 'Last valid time that the warning is about', '2026-08-24T06:00:00Z'),
  })
  .meta({ id: 'MetaWarning' })

export const freshnessSchema = z
  .strictObject({
    source: doc(z.string(), 'Family of the dataset', 'nbm'),
    product_id: member.product_id,
    reference_time: doc(maybeAt, 'Reference time of the run', '2026-08-20T16:00:00Z'),
    latest_valid: doc(
      maybeAt,
      'Last valid time of the run; null if no value of the run was read',
      '2026-08-31T00:00:00Z',
    ),
    available_at: doc(
      maybeAt,
      'When the run was first served here; null for scans and feeds, which are served when they arrive',
      '2026-08-20T17:20:00Z',
    ),
    age_seconds: member.age_seconds,
    monitors: z
      .array(
        z.strictObject({
          pollutant: doc(z.enum(['pm25', 'ozone', 'pm10']), 'Pollutant of the sub-index', 'pm25'),
          id: doc(z.string(), 'Id of the monitor', '080310002'),
          name: member.name,
          distance_km: member.distance_km,
          hour: doc(at, 'Start of the hour of the measurement', '2026-08-20T17:00:00Z'),
        }),
      )
      .optional()
      .meta({ description: 'Air quality: the monitor of each sub-index, its distance, and the start of its hour.' }),
  })
  .meta({ id: 'SourceFreshness' })

export const attributionSchema = z
  .strictObject({
    sources: doc(z.array(z.string()), 'Sources of the answer', ['NOAA National Blend of Models']),
    notice: doc(z.string(), 'Text to show beside the data', 'Data of NOAA, not endorsed by it.'),
  })
  .meta({ id: 'Attribution' })

/**
 * Members whose schema is in the file of their section. A section that is added later is described too, but has no type
 * of its own here.
 */
const ownSchemas = Object.fromEntries(
  sections.flatMap(({ name, schema }) => (schema ? [[name, schema.optional()] as const] : [])),
) as { metar: z.ZodOptional<typeof metarSchema> }

export const weatherSchema = z
  .strictObject({
    location: part(locationSchema, 'The place of the answer'),
    current: part(currentSchema.optional(), 'Conditions now'),
    hourly: z
      .array(hourSchema)
      .optional()
      .describe(
        'Hours ascending by time. An hour is named by its end: the first row is the whole running hour, and its time is the next full hour. Amounts are for the 60 minutes that end at time, so each minute is in one row',
      ),
    daily: z.array(daySchema).optional().describe('Local calendar days ascending by date'),
    alerts: z
      .array(alertSchema)
      .optional()
      .describe('Active alerts of the National Weather Service, the most severe first'),
    outlooks: z
      .array(outlookSchema)
      .optional()
      .describe('Convective, fire and excessive rainfall outlooks that cover the point'),
    astro: part(astroSchema.optional(), 'Sun and moon of a local calendar date'),
    narrations: z
      .strictObject({
        current: doc(text, 'Conditions now in words, generated by rules', 'Partly cloudy and 71 degrees.'),
        short_term: doc(text, 'The next hours in words, generated by rules', 'Clear tonight, sunny tomorrow.'),
      })
      .optional()
      .describe('Weather in words, generated by rules'),
    guidance: part(guidanceSchema.optional(), 'Texts of forecasters for the place'),
    discussions: z
      .strictObject({
        mesoscale: z.array(mcdSchema).describe('Mesoscale discussions whose area covers the point'),
        area_forecast: part(afdSchema.optional(), 'Newest area forecast discussion of the office'),
      })
      .optional()
      .meta({ description: 'Deprecated: guidance has the same discussions and more', deprecated: true }),
    nowcast: part(nowcastSchema.optional(), 'Extrapolation of the radar 90 minutes ahead'),
    radar: part(
      z
        .strictObject({
          product_id: member.product_id,
          valid_time: member.valid_time,
          site: part(
            radarSiteSchema.nullable(),
            'The nearest radar and what its lowest beam sees at the point; null if no single radar is stored',
          ),
          reflectivity_dbz: member.reflectivity_dbz.nullish(),
          precip_rate: member.precip_rate.nullish(),
          coverage: doc(
            z.enum(['value', 'dry', 'no_coverage']),
            'value, dry, or no_coverage: no radar sees the point',
            'value',
          ),
        })
        .meta({ id: 'RadarPoint' })
        .optional(),
      'The newest radar scan at the point',
    ),
    climate: part(climateSchema.optional(), 'Normals of 1991 to 2020'),
    ...ownSchemas,
    gis: part(gisSchema, 'Places and stations around the point'),
    units: part(unitsSchema.optional(), 'Unit of each quantity of the answer'),
    attribution: part(attributionSchema, 'Sources to name beside the data'),
    meta: part(
      z
        .strictObject({
          schema_version: member.schema_version,
          generated_at: member.generated_at,
          freshness: z.array(freshnessSchema).optional().describe('Age of each source'),
          warnings: z.array(warningSchema).optional().describe('Warnings about missing, late or assumed data'),
          hourly_sampling: z
            .strictObject({
              step_hours: measured(z.int(), 'hours', 3, 'hourly_step as applied'),
              from_hour: measured(z.int(), 'hours', 12, 'hourly_step_from as applied'),
            })
            .optional()
            .describe('Only if hourly_step dropped rows'),
        })
        .meta({ id: 'Meta' }),
      'Metadata of the answer',
    ),
  })
  .meta({ id: 'Weather' })
