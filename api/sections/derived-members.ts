/**
 * Members that no source provides, with the members of the same row or fields of `hours` from which they are computed.
 */
type DerivedMembers = Readonly<Record<string, readonly string[]>>

const wordInputs = [
  'cloud_cover',
  'precip_probability',
  'precip_amount',
  'precip_type',
  'thunderstorm_probability',
].concat('visibility', 'humidity', 'wind_speed', 'smoke', 'cape')
const typeInputs = [
  'precip_type_rain_prob',
  'precip_type_snow_prob',
  'precip_type_freezing_rain_prob',
  'precip_type_ice_pellets_prob',
  'temperature',
]

const everywhere: DerivedMembers = {
  feels_like: ['temperature', 'humidity', 'wind_speed'],
  humidity: ['temperature', 'dew_point'],
  uv_index: ['ozone', 'cloud_cover'],
  precip_type: typeInputs,
  conditions: wordInputs,
  icon: wordInputs,
  severe: ['alerts'],
  thunder_possible: ['thunderstorm_probability'],
  cloud_ceiling_unlimited: ['cloud_ceiling'],
}

export const derivedNow: DerivedMembers = { ...everywhere, precip_type: ['radar', 'temperature', 'humidity'] }
export const derivedHourly: DerivedMembers = everywhere

/** Members of `daily`, which are computed from the hours of the day and NBM's extremes of 12 hours. */
export const derivedDaily: DerivedMembers = {
  ...everywhere,
  high: ['temperature', 'temperature_max_12h'],
  low: ['temperature', 'temperature_min_12h'],
  temperature: ['temperature', 'temperature_max_12h', 'temperature_min_12h'],
  feels_like_high: ['feels_like', 'high'],
  feels_like_low: ['feels_like', 'low'],
  precip_probability: ['precip_probability', 'precip_probability_12h'],
  precip_total: ['precip_amount'],
  precip_fallen: ['precip_amount'],
  snow_total: ['snow_amount'],
  ice_total: ['ice_amount'],
  wind_speed_max: ['wind_speed'],
  wind_gust_max: ['wind_gust'],
  wind_speed: ['wind_speed'],
  wind_gust: ['wind_gust'],
  wind_direction: ['wind_direction', 'wind_speed'],
  humidity_avg: ['humidity'],
  dew_point: ['dew_point'],
  pressure: ['pressure'],
  visibility: ['visibility'],
  cloud_cover: ['cloud_cover'],
  cloud_ceiling: ['cloud_ceiling'],
  thunderstorm_probability: ['thunderstorm_probability'],
  cape: ['cape'],
  cloud_cover_avg: ['cloud_cover'],
  uv_index_max: ['uv_index'],
  cape_max: ['cape'],
  dew_point_max: ['dew_point'],
  dew_point_min: ['dew_point'],
  pressure_avg: ['pressure'],
  visibility_min: ['visibility'],
  cloud_ceiling_min: ['cloud_ceiling'],
  thunderstorm_probability_max: ['thunderstorm_probability'],
  solar_radiation_max: ['solar_radiation'],
  snow_level: ['snow_level'],
  narrative: ['conditions', 'temperature', 'wind_speed', 'precip_probability'],
  threats: ['alerts', 'outlooks'],
  astro: ['date', 'location'],
}

/**
 * Members that come from feeds and frames, with their dataset. Their sources are whole files, which `meta.freshness`
 * names.
 */
export const observedMembers: Readonly<Record<string, string>> = {
  aqi: 'airnow',
  aqi_max: 'airnow',
  aqi_category: 'airnow',
  pm25: 'airnow',
  ozone: 'airnow',
  pm10: 'airnow',
  precip_rate: 'mrms-precip-rate',
  precip_24h: 'mrms-qpe-24h',
  lightning_density: 'mrms-lightning-density',
  lightning_prob: 'mrms-lightning-prob',
  lightning_flashes: 'glm',
}
