type Reasons = readonly (readonly [members: RegExp, reason: string])[]

const direction = [/wind_direction$/, 'the text has the point of the compass'] as const
const raw = [
  /(ceiling_ft|base_ft|elevation_m)$/,
  'the raw METAR in the text has clouds; elevation is of the station',
] as const
const seconds = [/_seconds$/, 'the text has the age in words, such as 25 min'] as const

/** Numbers of structures that texts leave out, by tool: the members and the reason. */
export const notInText: Readonly<Record<string, Reasons>> = {
  'every tool': [
    [/(^|\.)(lat|lon|latitude|longitude)$/, 'the text names the place'],
    [/^(results\.count|station_count)$/, 'the text has the entries themselves'],
  ],
  compare_locations: [[/^hours$/, 'the text has the first and the last hour']],
  describe_dataset: [
    [/_seconds$|steps\[\]|h3_resolution/, 'for programs; the text has the age of the run and the first and last time'],
    [/^detail\.(variables|domains|skill)/, 'the text has names and units of variables'],
  ],
  find_best_window: [[/^criteria_applied|^sun_times/, 'the text has the criteria in words']],
  get_climate_normals: [
    [/station\.elevation_m$/, 'the text has the name and distance of the station'],
    [/(mean|stddev|years)$/, 'the text has normal highs, lows and precipitation'],
  ],
  get_climate_records: [
    [/\.(average|departures\.\w+)$/, 'the text has the value and its normal'],
    [/_to_date$|degree_days|_normal$/, 'the text has the day; sums of the month and the year are in the structure'],
  ],
  get_current_conditions: [direction, raw],
  get_fire_weather: [[/^days\[\]/, 'the text has lowest humidity, wind and gusts of each day']],
  get_forecast: [
    direction,
    [/^forecast\.current\./, 'the text has what people ask for; clouds by height are for programs'],
    [/^forecast\.daily\[\]\.(day|night)\./, 'the text has the values of the whole day and of its night'],
    [
      /^forecast\.daily\[\]\.(humidity_avg|cloud_cover_avg|dew_point_\w+|snow_level)$/,
      'the text has the high, low, chance, amount and hazards',
    ],
    [/^forecast\.hourly_sampling/, 'the text names its hours'],
  ],
  get_forecast_skill: [[/figures_left_out/, 'the number of figures that the structure leaves out']],
  get_growing_degree_days: [[/^days\[\]\.(tmin|tmax)/, 'the text has the degree days of each day']],
  get_hourly_forecast: [
    direction,
    [/^forecast\.hourly_sampling/, 'the text names its hours'],
    [
      /^forecast\.hourly\[\]\.(humidity|dew_point|feels_like|pressure|severe)/,
      'the text has temperature, sky, chance, amount and wind',
    ],
  ],
  get_lightning_activity: [[/density/, 'the text has flashes and their probability']],
  get_map_snapshot: [[/^(bbox|width|height)/, 'the text has the centre, the zoom and the width in km']],
  get_observations: [direction, raw],
  get_past_weather: [[/hours_total/, 'the text names missing hours']],
  get_precipitation_nowcast: [[/^nowcast\./, 'the sentence has begin, end and strength']],
  get_precipitation_totals: [[/pass$/, 'the pass of the analysis is for programs']],
  get_radar: [
    [/site\.distance_km$/, 'the text names the radar where its scan is missing'],
    [/bearing$/, 'the text has the point of the compass'],
  ],
  get_route_weather: [
    [/^stops\[\]\.forecast\./, 'the text has temperature, sky, chance, amounts, wind and gusts of the hour'],
    [/^legs\[\]/, 'the text has the highest chance of each leg'],
  ],
  get_service_status: [seconds],
  get_severe_outlook: [[/probability$/, 'the text has percent']],
  get_storm_tracks: [
    [/bearing$|heading$/, 'the text has the point of the compass'],
    [/_prob$|max_dbz$/, 'the text has the probability of severe weather'],
  ],
  get_sun_moon: [[/_length$/, 'the text has hours and minutes']],
  list_datasets: [seconds],
}
