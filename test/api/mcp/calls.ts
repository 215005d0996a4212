/** The result of a tool call. */
export interface Result {
  readonly isError?: boolean
  readonly content: readonly {
    type: string
    text?: string
    data?: string
    resource?: { mimeType: string; text?: string; blob?: string }
  }[]
  readonly structuredContent?: Record<string, unknown>
  readonly _meta?: Record<string, Record<string, unknown>>
}

export const denver = { location: 'Denver, CO' }
/** One ordinary call of every tool. */
export const ordinary: Readonly<Record<string, object>> = {
  chance_of: { ...denver, variable: 'wind_gust', threshold: 40 },
  compare_locations: {
    locations: [denver, { location: 'Amarillo, TX', label: 'south' }, { lat: 51.5, lon: -0.1 }],
    variables: ['wind_speed', 'temperature'],
  },
  describe_dataset: { dataset_id: 'nbm' },
  find_best_window: { ...denver, criteria: { min_temperature: -40, max_precipitation_probability: 100 } },
  get_air_quality: denver,
  get_alerts: denver,
  get_climate_normals: { ...denver, date: '2028-02-27' },
  get_climate_records: { type: 'records', wfo: 'BOX' },
  get_current_conditions: denver,
  get_fire_weather: denver,
  get_forecast: denver,
  get_forecast_discussion: { ...denver, type: 'afd' },
  get_forecast_distribution: { ...denver, aspect: 'temperature' },
  get_forecast_skill: { ...denver, variable: 'precip_probability' },
  get_growing_degree_days: { lat: 41.6, lon: -93.6, crop: 'corn' },
  get_hourly_forecast: denver,
  get_lightning_activity: denver,
  get_map_snapshot: denver,
  get_observations: denver,
  get_past_weather: denver,
  get_precipitation_nowcast: denver,
  get_precipitation_totals: denver,
  get_radar: denver,
  get_route_weather: {
    stops: [
      { ...denver, time: new Date(Date.now() + 3.6e6).toISOString() },
      { location: 'Moab, UT', time: new Date(Date.now() + 2.2e7).toISOString() },
    ],
  },
  get_service_status: {},
  get_severe_outlook: denver,
  get_storm_tracks: denver,
  get_sun_moon: { location: 'Utqiaġvik, AK', date: '2026-06-20', days: 2 },
  get_text_products: { type: 'pmd' },
  list_datasets: {},
  query_dataset: { ...denver, dataset_id: 'nbm', variables: ['temperature', 'wind_gust'], hours: 12 },
  search_alerts: { area: 'CO' },
  search_locations: { query: 'springfield' },
  what_changed: denver,
}

/** Tools whose data the analytic runs of the test server do not have. They must report that. */
export const unheld = new Set([
  'get_alerts',
  'search_alerts',
  'get_fire_weather',
  'get_severe_outlook',
  'get_precipitation_totals',
  'get_map_snapshot',
  'get_past_weather',
  'get_growing_degree_days',
  'get_forecast_discussion',
  'get_text_products',
  'what_changed',
])
