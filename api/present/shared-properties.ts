import { z } from 'zod'
import { doc, measured } from './property.ts'

/** Properties of several schemas, with their descriptions. */

export const domain_or_none = doc(
  z.string(),
  'conus, alaska or hawaii; empty or null if the dataset is not divided',
  'conus',
)
export const run = doc(
  z.iso.datetime(),
  'Reference time of the served run or frame; last confirmed read of a feed',
  '2026-08-20T16:00:00Z',
)
export const age_seconds = measured(z.int(), 'seconds', 7200, 'Age since reference_time; null if nothing is stored')
export const dataset_id = doc(z.string(), 'Id of a dataset of /v1/catalog, or blend', 'nbm')
export const title = doc(z.string(), 'Title of the dataset', 'National Blend of Models')
export const lat = measured(z.number(), 'lat', 39.74, 'Latitude, north is positive')
export const lon = measured(z.number(), 'lon', -104.99, 'Longitude, west is negative')
export const region = doc(z.string(), 'Postal abbreviation of the state', 'CO')
export const country = doc(z.string(), 'Country by ISO 3166-1 alpha-2', 'US')
export const timezone = doc(z.string(), 'Time zone by its IANA name', 'America/Denver')
export const county = doc(z.string(), 'County of the point', 'Denver County')
export const zip = doc(z.string(), 'US ZIP code', '80202')
export const precip_rate = measured(
  z.number(),
  'rate',
  0.04,
  'Liquid equivalent that falls; null without radar coverage',
)
export const aqi = measured(
  z.number(),
  'aqi',
  51,
  'Air quality index of the US EPA: the greatest sub-index; null if no monitor is near',
)
export const aqi_category = doc(z.string(), 'Category of the index', 'Moderate')
export const precip_type = doc(
  z.string(),
  'What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown',
  'rain',
)
export const conditions = doc(z.string(), 'Conditions in words', 'Partly Cloudy')
export const icon = doc(z.string(), 'Slug of an icon', 'partly-cloudy-day')
export const severe = doc(z.boolean(), 'Severe conditions are present or imminent', false)
export const cloud_ceiling_unlimited = doc(z.boolean(), 'No layer covers more than half of the sky', true)
export const time = doc(z.iso.datetime(), 'Valid time', '2026-08-20T18:00:00Z')
export const thunder_possible = doc(
  z.boolean(),
  'Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row',
  false,
)
export const date = doc(z.iso.date(), 'Local calendar date', '2026-08-20')
export const precip_probability = measured(
  z.number(),
  'percent',
  30,
  'Probability of measurable precipitation; null if no source gives it',
)
export const ice_total = measured(
  z.number(),
  'amount',
  0,
  'Ice from freezing rain in the row; null if no source covers it',
)
export const risk = doc(z.string(), 'Risk code of the outlook', 'SLGT')
export const risk_label = doc(z.string(), 'Risk in words', 'Slight')
export const normal_high = measured(z.number(), 'temperature', 87.4, 'Normal high of the date')
export const normal_low = measured(z.number(), 'temperature', 58.9, 'Normal low of the date')
export const wfo = doc(z.string(), 'Forecast office', 'BOU')
export const body = doc(z.string(), 'Whole text', '.SYNOPSIS...')
export const issued_at = doc(z.iso.datetime(), 'Time of issue; null if the text has none', '2026-08-20T18:31:00Z')
export const summary = doc(z.string(), 'Summary of the text', 'Severe thunderstorms are possible this afternoon.')
export const expires_at = doc(
  z.iso.datetime(),
  'Time at which the text expires; null if it does not',
  '2026-08-20T20:30:00Z',
)
export const concerning = doc(z.string(), 'Subject of the text', 'SEVERE POTENTIAL...WATCH LIKELY')
export const areas_affected = doc(z.string(), 'Area in words', 'Northeast Colorado')
export const product_id = doc(z.string(), 'Id of the dataset in /v1/catalog', 'nbm')
export const valid_time = doc(z.iso.datetime(), 'Valid time of the values', '2026-08-20T18:00:00Z')
export const reflectivity_dbz = measured(z.number(), 'dbz', 31.5, 'Reflectivity; null if dry or without coverage')
export const id = doc(z.string(), 'Id of the station, radar, office or zone', 'KDEN')
export const name = doc(z.string(), 'Name', 'Denver')
export const distance_km = measured(z.number(), 'kilometres', 28.4, 'Distance from the point')
export const elevation_angle = measured(z.number(), 'degrees', 0.5, 'Elevation of the beam above the horizon')
export const station_id = doc(z.string(), 'Id of the station', 'KDEN')
export const state = doc(z.string(), 'Postal abbreviation of the state', 'CO')
export const elevation_m = measured(z.number(), 'metres', 1656, 'Height above sea level')
export const observed_at = doc(z.iso.datetime(), 'Time of the report', '2026-08-20T17:53:00Z')
export const ceiling_ft = measured(z.int(), 'feet', 6500, 'Lowest broken or overcast layer above the station')
export const weather = doc(z.array(z.string()), 'Groups of present weather as reported', ['-RA'])
export const cover = doc(z.string(), 'Cover: FEW, SCT, BKN, OVC, VV', 'BKN')
export const base_ft = measured(z.int(), 'feet', 6500, 'Base above the station')
export const url = doc(z.string(), 'URL that is called: https and a public name', 'https://example.org/hooks/weather')
export const city = doc(z.string(), 'City that contains the point', 'Denver')
export const nearest_city = doc(z.string(), 'Nearest city', 'Denver')
export const population = measured(z.int(), 'count', 715522, 'Number of inhabitants; null if it is not known')
export const schema_version = doc(z.string(), 'Version of the schema', '1.0.0')
export const generated_at = doc(z.iso.datetime(), 'Time at which the answer was built', '2026-08-20T18:04:00.000Z')
export const section = doc(z.string(), 'Section that the warning is about', 'hourly')
export const index = measured(z.int(), 'count', 0, 'Index of the point in the request, from 0')
export const retryable = doc(z.boolean(), 'Whether the point could not be checked in time; request it again', true)
export const source = doc(z.string(), 'Source of the values', 'nbm')
export const attribution = doc(z.string(), 'Source to name beside the data', 'NOAA National Blend of Models')
export const description = doc(z.string(), 'Description in words', 'Blend of the forecasts of several models')
export const domain = doc(z.string(), 'conus, alaska or hawaii; empty if the dataset is not divided', 'conus')
export const feature_id = doc(z.string(), 'Id of the feature', 'urn:oid:2.49.0.1.840.0.8a1f.001.1')
export const unit = doc(z.string(), 'Unit of bias, mae and rmse; null if they have none', 'F')
export const office = doc(z.string(), 'Forecast office', 'BOU')
export const icao = doc(z.string(), 'ICAO code', 'KFTG')
export const word = doc(z.string(), 'Name of the class, if the product has classes', 'wet_snow')
export const from = measured(z.number(), 'dbz', 20, 'Least value of the colour')
export const colour = doc(z.string(), 'Colour', '#04e9e7')
export const total = measured(z.int(), 'count', 42, 'Number of all matches, including those beyond limit')
export const timestamp = doc(z.iso.datetime(), 'Time of the event', '2026-08-20T21:12:00.000Z')
export const created_at = doc(z.iso.datetime(), 'Time of creation', '2026-08-01T09:00:00.000Z')
export const starts_at = doc(
  z.iso.datetime(),
  'Time at which precipitation begins; null if none does',
  '2026-08-20T18:25:00Z',
)
export const ends_at = doc(
  z.iso.datetime(),
  'Time at which precipitation ends; null if it lasts longer',
  '2026-08-20T18:50:00Z',
)
export const peak_intensity = doc(z.string(), 'Greatest intensity', 'moderate')
