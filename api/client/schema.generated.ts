// Written by api/make-openapi.ts from the routes; do not edit.

export type Problem = {
  /** Stable address of the kind of failure; compared, never fetched */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** Path of the request */
  readonly instance?: string
  /** Relations by name; `recommended` names the one to take first. On 401, 402, 403 and 429 */
  readonly next_steps?: Readonly<Record<string, string | {
    readonly href: string
    readonly description: string
    readonly [extension: string]: unknown
  }>>
  readonly [extension: string]: unknown
}

export type Weather = {
  readonly location: Location
  readonly current?: Current
  readonly hourly?: readonly (Hour)[]
  readonly daily?: readonly (Day)[]
  readonly alerts?: readonly (Alert)[]
  readonly outlooks?: readonly (Outlook)[]
  readonly astro?: Astro
  readonly narrations?: {
    readonly current?: string
    readonly short_term?: string
  }
  readonly guidance?: Guidance
  readonly discussions?: {
    readonly mesoscale: readonly (MCD)[]
    readonly area_forecast?: AFD
  }
  readonly nowcast?: Nowcast
  readonly radar?: RadarPoint
  readonly climate?: ClimateNormals
  readonly metar?: Metar
  readonly gis: GIS
  readonly units?: Units
  readonly attribution: Attribution
  readonly meta: Meta
}

export type Location = {
  readonly lat: number
  readonly lon: number
  readonly name: string
  readonly region?: string
  readonly country?: string
  readonly timezone: string
  readonly county?: string
  readonly zip?: string
}

export type Current = {
  readonly time: string
  readonly temperature?: number | null
  readonly feels_like?: number | null
  readonly humidity?: number | null
  readonly dew_point?: number | null
  readonly pressure?: number | null
  readonly wind_speed?: number | null
  readonly wind_gust?: number | null
  readonly visibility?: number | null
  readonly cloud_cover?: number | null
  readonly cloud_ceiling?: number | null
  readonly cloud_cover_low?: number | null
  readonly cloud_cover_mid?: number | null
  readonly cloud_cover_high?: number | null
  readonly uv_index?: number | null
  readonly pm25?: number | null
  readonly ozone?: number | null
  readonly pm10?: number | null
  readonly precip_rate?: number | null
  readonly precip_24h?: number | null
  readonly lightning_density?: number | null
  readonly wind_direction?: number | null
  readonly aqi?: number | null
  readonly lightning_prob?: number | null
  readonly lightning_flashes?: number | null
  readonly aqi_category?: string | null
  readonly precip_type?: string
  readonly conditions: string
  readonly icon: string
  readonly severe?: boolean
}

export type Hour = {
  readonly time: string
  readonly temperature?: number | null
  readonly feels_like?: number | null
  readonly humidity?: number | null
  readonly wind_speed?: number | null
  readonly precip_probability?: number | null
  readonly precip_amount?: number | null
  readonly wind_gust?: number | null
  readonly dew_point?: number | null
  readonly cloud_cover?: number | null
  readonly visibility?: number | null
  readonly pressure?: number | null
  readonly thunderstorm_probability?: number | null
  readonly uv_index?: number | null
  readonly aqi?: number | null
  readonly precip_type_rain_prob?: number | null
  readonly precip_type_snow_prob?: number | null
  readonly precip_type_freezing_rain_prob?: number | null
  readonly precip_type_ice_pellets_prob?: number | null
  readonly cape?: number | null
  readonly snow_amount?: number | null
  readonly cloud_ceiling?: number | null
  readonly cloud_cover_low?: number | null
  readonly cloud_cover_mid?: number | null
  readonly cloud_cover_high?: number | null
  readonly snow_level?: number | null
  readonly wind_direction?: number | null
  readonly conditions?: string
  readonly icon?: string
  readonly precip_type?: string
  readonly severe?: boolean
  readonly thunder_possible?: boolean
  readonly uncertainty?: HourlyUncertainty
}

export type HourlyUncertainty = {
  readonly temperature_stddev?: number | null
  readonly dew_point_stddev?: number | null
  readonly wind_speed_stddev?: number | null
  readonly wind_gust_stddev?: number | null
  readonly visibility_prob_below_1mi?: number | null
  readonly visibility_prob_below_2mi?: number | null
  readonly visibility_prob_below_3mi?: number | null
  readonly visibility_prob_below_5mi?: number | null
  readonly ceiling_prob_below_500ft?: number | null
  readonly ceiling_prob_below_1000ft?: number | null
  readonly ceiling_prob_below_2000ft?: number | null
  readonly ceiling_prob_below_3000ft?: number | null
  readonly ceiling_prob_below_6600ft?: number | null
  readonly wind_speed_p50?: number | null
  readonly wind_speed_prob_gt_75mph?: number | null
} | null

export type Day = {
  readonly date: string
  readonly relative_day: number
  readonly active_period: "day" | "night" | null
  readonly high?: number | null
  readonly low?: number | null
  readonly precip_probability?: number | null
  readonly precip_total?: number | null
  readonly snow_total?: number | null
  readonly ice_total?: number | null
  readonly wind_speed_max?: number | null
  readonly wind_gust_max?: number | null
  readonly humidity_avg?: number | null
  readonly cloud_cover_avg?: number | null
  readonly uv_index_max?: number | null
  readonly cape_max?: number | null
  readonly dew_point_max?: number | null
  readonly dew_point_min?: number | null
  readonly pressure_avg?: number | null
  readonly visibility_min?: number | null
  readonly cloud_ceiling_min?: number | null
  readonly thunderstorm_probability_max?: number | null
  readonly aqi_max?: number | null
  readonly feels_like_high?: number | null
  readonly feels_like_low?: number | null
  readonly solar_radiation_max?: number | null
  readonly snow_level?: number | null
  readonly wind_direction?: number | null
  readonly conditions?: string
  readonly icon?: string
  readonly severe?: boolean
  readonly thunder_possible?: boolean
  readonly astro?: Astro
  readonly day?: DailyPeriod
  readonly night?: DailyPeriod
  readonly threats?: readonly (DailyThreat)[]
  readonly uncertainty?: DailyUncertainty
  readonly climate?: DailyClimate
}

export type Astro = {
  readonly civil_dawn: string | null
  readonly sunrise: string | null
  readonly solar_noon: string | null
  readonly sunset: string | null
  readonly civil_dusk: string | null
  readonly moonrise: string | null
  readonly moonset: string | null
  readonly day_length: number
  readonly daylight_length: number
  readonly moon_phase: number
  readonly moon_phase_name: string
  readonly moon_illumination: number
  readonly polar?: "midnight_sun" | "polar_night" | null
}

export type DailyPeriod = {
  readonly temperature?: number | null
  readonly wind_speed?: number | null
  readonly precip_probability?: number | null
  readonly precip_total?: number | null
  readonly snow_total?: number | null
  readonly ice_total?: number | null
  readonly humidity?: number | null
  readonly cloud_cover?: number | null
  readonly wind_gust?: number | null
  readonly dew_point?: number | null
  readonly feels_like?: number | null
  readonly visibility?: number | null
  readonly pressure?: number | null
  readonly cloud_ceiling?: number | null
  readonly uv_index?: number | null
  readonly thunderstorm_probability?: number | null
  readonly cape?: number | null
  readonly aqi?: number | null
  readonly wind_direction?: number | null
  readonly precip_type?: string
  readonly conditions?: string
  readonly icon?: string
  readonly narrative?: string
  readonly thunder_possible?: boolean
  readonly severe?: boolean
}

export type DailyThreat = {
  readonly type: string
  readonly risk?: string
  readonly probability?: number
  readonly risk_label: string
}

export type DailyUncertainty = {
  readonly temperature_stddev_avg?: number | null
  readonly dew_point_stddev_avg?: number | null
  readonly wind_speed_stddev_avg?: number | null
  readonly wind_gust_stddev_avg?: number | null
  readonly visibility_prob_below_1mi_max?: number | null
  readonly ceiling_prob_below_1000ft_max?: number | null
  readonly snow_total_p10?: number | null
  readonly snow_total_p50?: number | null
  readonly snow_total_p90?: number | null
  readonly snow_prob_gt_1in?: number | null
  readonly snow_prob_gt_2in?: number | null
  readonly snow_prob_gt_4in?: number | null
} | null

export type DailyClimate = {
  readonly normal_high?: number | null
  readonly normal_low?: number | null
  readonly high_departure?: number | null
  readonly low_departure?: number | null
} | null

export type Alert = {
  readonly id: string
  readonly event: string
  readonly severity: string
  readonly urgency: string
  readonly certainty: string
  readonly headline: string
  readonly sender: string
  readonly status: "Actual" | "Exercise" | "Test"
  readonly onset: string
  readonly ends: string
  readonly effective: string
  readonly expires: string
  readonly expiration: string
  readonly area_desc?: string
  readonly highlights?: Readonly<Record<string, string>>
  readonly [extension: string]: unknown
}

export type Outlook = {
  readonly product_id: string
  readonly type: string
  readonly risk_label: string
  readonly day: number
  readonly valid: string
  readonly expires: string
  readonly risk?: string
  readonly probability?: number
  readonly significant?: boolean
}

export type Guidance = {
  readonly afd?: AFD
  readonly hwo?: {
    readonly day_one?: string
    readonly summary?: string
    readonly body?: string
    readonly has_active_hazards: boolean
    readonly issued_at?: string | null
  }
  readonly now?: {
    readonly summary?: string
    readonly wfo?: string
    readonly body?: string
    readonly issued_at?: string | null
  }
  readonly hls?: {
    readonly summary?: string
    readonly wfo?: string
    readonly body?: string
    readonly issued_at?: string | null
  }
  readonly active_mcds: number
  readonly mcds?: readonly (MCD)[]
  readonly active_mpds?: number
  readonly mpds?: readonly (MPD)[]
  readonly pmds?: readonly (PMD)[]
  readonly swo_day1_risk?: string
}

export type AFD = {
  readonly synopsis?: string
  readonly key_takeaway?: string
  readonly confidence?: string
  readonly wfo?: string
  readonly body?: string
  readonly issued_at?: string | null
}

export type MCD = {
  readonly mcd_number: number
  readonly issued_at?: string | null
  readonly expires_at?: string | null
  readonly concerning?: string
  readonly areas_affected?: string
  readonly summary?: string
  readonly body?: string
  readonly watch_probability?: number | null
}

export type MPD = {
  readonly mpd_number: number
  readonly issued_at?: string | null
  readonly expires_at?: string | null
  readonly concerning?: string
  readonly areas_affected?: string
  readonly flash_flood_tier?: string
  readonly summary?: string
  readonly body?: string
}

export type PMD = {
  readonly awips_id?: string
  readonly pmd_desk?: string
  readonly summary?: string
  readonly body?: string
  readonly issued_at?: string | null
}

export type Nowcast = {
  readonly interval_seconds: number
  readonly generated_at: string
  readonly summary?: NowcastSummary
  readonly points: readonly (NowcastPoint)[]
}

export type NowcastSummary = {
  readonly starts_at?: string | null
  readonly ends_at?: string | null
  readonly duration_minutes?: number | null
  readonly type: "rain" | "snow" | "freezing_rain" | "wintry_mix" | "unknown" | "none"
  readonly peak_intensity?: string
  readonly already_occurring?: boolean
}

export type NowcastPoint = {
  readonly time: string
  readonly type: "none" | "rain" | "snow" | "freezing_rain" | "wintry_mix" | "no_coverage" | "unknown"
  readonly intensity_dbz: number
  readonly intensity: string
  readonly precip_rate?: number | null
  readonly precip_probability?: number | null
}

export type RadarPoint = {
  readonly product_id: string
  readonly valid_time: string
  readonly site?: string
  readonly reflectivity_dbz?: number | null
  readonly precip_rate?: number | null
  readonly coverage: "value" | "dry" | "no_coverage"
}

export type ClimateNormals = {
  readonly station: {
    readonly station_id: string
    readonly name: string
    readonly state: string
    readonly latitude: number
    readonly longitude: number
    readonly elevation_m?: number | null
    readonly distance_km: number
  }
  readonly meta: {
    readonly normals_period: string
    readonly source: "station" | "grid" | "mixed"
    readonly normals_method: string
    readonly unit: string
    readonly approximate: boolean
    readonly missing_days: number
  }
  readonly days: readonly ({
    readonly date: string
    readonly month: number
    readonly day: number
    readonly normal_high?: number | null
    readonly normal_low?: number | null
    readonly normal_mean?: number | null
    readonly normal_high_stddev?: number | null
    readonly normal_low_stddev?: number | null
    readonly normal_mean_stddev?: number | null
    readonly normal_precip?: number | null
    readonly years?: number | null
    readonly completeness_flag?: string
  })[]
  readonly location?: Location
}

export type Metar = {
  readonly station_id: string
  readonly distance_km: number
  readonly observed_at: string
  readonly age_min: number
  readonly ceiling_ft?: number | null
  readonly layers?: readonly ({
    readonly cover: string
    readonly base_ft?: number | null
    readonly convective?: string
  })[]
  readonly weather?: readonly (string)[]
}

export type GIS = {
  readonly lat: number
  readonly lon: number
  readonly timezone: string
  readonly city?: string
  readonly nearest_city?: string
  readonly state?: string
  readonly county?: string
  readonly country?: string
  readonly population?: number | null
  readonly nearest_radar?: {
    readonly id: string
    readonly name: string
    readonly lat: number
    readonly lon: number
    readonly distance_km: number
  }
  readonly nearest_station?: {
    readonly id: string
    readonly lat: number
    readonly lon: number
    readonly distance_km: number
    readonly name?: string
    readonly state?: string
    readonly elevation_m?: number | null
  }
}

export type Units = {
  readonly temperature: "F" | "C"
  readonly wind_speed: "mph" | "kph"
  readonly pressure: "inHg" | "hPa"
  readonly visibility: "mi" | "km"
  readonly precip_amount: "in" | "mm"
  readonly altitude: "m" | "ft"
  readonly solar_radiation: "W/m^2"
}

export type Attribution = {
  readonly sources: readonly (string)[]
  readonly notice: string
}

export type Meta = {
  readonly schema_version: string
  readonly generated_at: string
  readonly freshness?: readonly (SourceFreshness)[]
  readonly warnings?: readonly (MetaWarning)[]
  readonly hourly_sampling?: {
    readonly step_hours: number
    readonly from_hour: number
  }
}

export type SourceFreshness = {
  readonly source: string
  readonly product_id: string
  readonly reference_time?: string | null
  readonly latest_valid?: string | null
  readonly age_seconds: number
}

export type MetaWarning = {
  /** Stable; new ones may be added. `simulated_data`: what is shown comes from a simulator, not from the sky. `stale_source`: a source is older than it may be; its values are left out or (alerts, radar, lightning) shown with this word. `source_missing`: a source that should cover the point has nothing for it now. `source_incomplete`: the run of a source lacks variables or hours that it should have; `fields` stay null. `source_failed`: the read of a source failed; a later request may succeed. `not_held`: no data of this kind is held by this installation. `no_coverage`: a source does not reach the place. `fields_missing`: fields are null for the whole section. `probability_upper_bound`: a probability for 3, 6 or 12 hours is shown at each hour inside: an upper bound. `probability_estimated`: a probability that no source gives is estimated from the amount. `amount_split`: amounts of 6 hours are shown as hourly ones that keep the sum. `feed_unconfirmed`: a feed could not be confirmed; what is held is shown. `area_approximated`: alerts of zones whose shape nobody has given yet are shown for the whole of their counties: too far, never too little. `place_assumed`: a place name fits several places; the most populous was taken. `location_unverified`: the location lookup was unavailable. `degraded`: a part of the system answers from what it last knew. */
  readonly code: string
  readonly section: string
  readonly detail?: string
  readonly product_id?: string
  readonly fields?: readonly (string)[]
}

export type Product = {
  readonly product_id: string
  readonly source: string
  readonly title: string
  readonly description: string
  readonly kind: "grid" | "frame" | "station" | "event" | "text" | "climatology"
  readonly provider: string
  readonly attribution: string
  readonly cadence_seconds: number
  readonly latency_seconds: number
  readonly stale_after_seconds: number
  readonly h3_resolution: number | null
  readonly coverage: readonly ({
    readonly domain: string
    readonly bbox: readonly (number)[]
    readonly native_km: number
  })[]
  readonly variables: readonly ({
    readonly name: string
    readonly unit: string
    readonly units?: {
      readonly imperial: string
      readonly metric: string
    }
    readonly standard_name: string | null
    readonly description: string
    readonly kind: string
  })[]
  readonly served: readonly ({
    readonly domain: string
    readonly run: string
    readonly published_at: string
    readonly age_seconds: number
    readonly stale: boolean
  })[]
}

export type KeyRecord = {
  readonly prefix: string
  readonly name: string
  readonly plan: string
  readonly scopes: readonly (string)[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export interface Operations {
  /** The process is alive */
  readonly getHealthz: {
    readonly method: 'GET'
    readonly path: '/healthz'
    readonly answer: {
      readonly status: "alive"
    }
  }
  /** Answers can be given; engines, and the age of every dataset */
  readonly getReadyz: {
    readonly method: 'GET'
    readonly path: '/readyz'
    readonly answer: {
      readonly ready: boolean
      readonly status: "ok" | "degraded" | "down"
      readonly engines: Readonly<Record<string, "ok" | "down">>
      readonly datasets: readonly ({
        readonly dataset: string
        readonly domain: string
        readonly run: string
        readonly age_seconds: number
      })[]
      readonly clock_off_seconds?: number
      readonly notes?: readonly (string)[]
    }
  }
  /** Everything about the weather of one point */
  readonly getV1Weather: {
    readonly method: 'GET'
    readonly path: '/v1/weather'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty */
      readonly include?: string
      /** Every column of hourly and daily, or a subset */
      readonly view?: "detailed" | "concise"
      /** Number of daily rows; a row of the running night (relative_day -1) is not counted */
      readonly days?: number
      /** Horizon of the hourly rows in hours, before rows are dropped */
      readonly hourly_hours?: number
      /** Keep every Nth hourly row */
      readonly hourly_step?: number
      /** Row from which hourly_step applies; those before all stay */
      readonly hourly_step_from?: number
    }
    readonly answer: Weather
  }
  /** Weather of up to 50 points, each answered or failed by itself */
  readonly getV1WeatherBatch: {
    readonly method: 'GET'
    readonly path: '/v1/weather/batch'
    readonly query: {
      /** lat,lon;lat,lon;… at most 50 */
      readonly points: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty */
      readonly include?: string
      /** Every column of hourly and daily, or a subset */
      readonly view?: "detailed" | "concise"
      /** Number of daily rows; a row of the running night (relative_day -1) is not counted */
      readonly days?: number
      /** Horizon of the hourly rows in hours, before rows are dropped */
      readonly hourly_hours?: number
      /** Keep every Nth hourly row */
      readonly hourly_step?: number
      /** Row from which hourly_step applies; those before all stay */
      readonly hourly_step_from?: number
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "outside_coverage" | "error"
        readonly weather?: Weather
        readonly problem?: {
          readonly type: string
          readonly title: string
          readonly status: number
          readonly detail: string
        }
      })[]
    }
  }
  /** Weather of up to 50 points, each answered or failed by itself */
  readonly postV1WeatherBatch: {
    readonly method: 'POST'
    readonly path: '/v1/weather/batch'
    readonly body: {
      /** Degrees; at most 50 */
      readonly points: readonly ({
        readonly lat: number
        readonly lon: number
      })[]
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty */
      readonly include?: string
      /** Every column of hourly and daily, or a subset */
      readonly view?: "detailed" | "concise"
      /** Number of daily rows; a row of the running night (relative_day -1) is not counted */
      readonly days?: number
      /** Horizon of the hourly rows in hours, before rows are dropped */
      readonly hourly_hours?: number
      /** Keep every Nth hourly row */
      readonly hourly_step?: number
      /** Row from which hourly_step applies; those before all stay */
      readonly hourly_step_from?: number
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "outside_coverage" | "error"
        readonly weather?: Weather
        readonly problem?: {
          readonly type: string
          readonly title: string
          readonly status: number
          readonly detail: string
        }
      })[]
    }
  }
  /** Values of variables at up to 500 points, at one time */
  readonly getV1Point: {
    readonly method: 'GET'
    readonly path: '/v1/point'
    readonly query: {
      /** lat,lon;lat,lon;… at most 500 */
      readonly points: string
      /** Names of variables, separated by commas: the field names of Hourly */
      readonly variables: string
      /** A dataset of /v1/catalog as it is; absent: the published hourly forecast */
      readonly dataset_id?: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Instant; absent: now */
      readonly time?: string
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "out_of_domain"
        readonly retryable?: boolean
        readonly values?: Readonly<Record<string, number | null>>
        readonly valid_time?: string
        readonly source?: string
      })[]
      readonly units: Readonly<Record<string, string>>
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Values of variables at up to 500 points, at one time */
  readonly postV1Point: {
    readonly method: 'POST'
    readonly path: '/v1/point'
    readonly body: {
      /** Degrees; at most 500 */
      readonly points: readonly ({
        readonly lat: number
        readonly lon: number
      })[]
      /** Names of variables, separated by commas: the field names of Hourly */
      readonly variables: string
      /** A dataset of /v1/catalog as it is; absent: the published hourly forecast */
      readonly dataset_id?: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Instant; absent: now */
      readonly time?: string
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "out_of_domain"
        readonly retryable?: boolean
        readonly values?: Readonly<Record<string, number | null>>
        readonly valid_time?: string
        readonly source?: string
      })[]
      readonly units: Readonly<Record<string, string>>
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Time series of variables at up to 100 points */
  readonly getV1SeriesBatch: {
    readonly method: 'GET'
    readonly path: '/v1/series/batch'
    readonly query: {
      /** lat,lon;lat,lon;… at most 100 */
      readonly points: string
      /** Names of variables, separated by commas: the field names of Hourly */
      readonly variables: string
      /** A dataset of /v1/catalog as it is; absent: the published hourly forecast */
      readonly dataset_id?: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Hours from the current one */
      readonly hours?: number
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "out_of_domain"
        readonly retryable?: boolean
        readonly series?: {
          readonly dataset_id: string
          readonly valid_times: readonly (string)[]
          readonly data: Readonly<Record<string, readonly (number | null)[]>>
        }
      })[]
      readonly units: Readonly<Record<string, string>>
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Time series of variables at up to 100 points */
  readonly postV1SeriesBatch: {
    readonly method: 'POST'
    readonly path: '/v1/series/batch'
    readonly body: {
      /** Degrees; at most 100 */
      readonly points: readonly ({
        readonly lat: number
        readonly lon: number
      })[]
      /** Names of variables, separated by commas: the field names of Hourly */
      readonly variables: string
      /** A dataset of /v1/catalog as it is; absent: the published hourly forecast */
      readonly dataset_id?: string
      /** System of units */
      readonly units?: "imperial" | "metric"
      /** Hours from the current one */
      readonly hours?: number
    }
    readonly answer: {
      readonly results: readonly ({
        readonly index: number
        readonly status: "ok" | "out_of_domain"
        readonly retryable?: boolean
        readonly series?: {
          readonly dataset_id: string
          readonly valid_times: readonly (string)[]
          readonly data: Readonly<Record<string, readonly (number | null)[]>>
        }
      })[]
      readonly units: Readonly<Record<string, string>>
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Every product and the run of it that is served now */
  readonly getV1Catalog: {
    readonly method: 'GET'
    readonly path: '/v1/catalog'
    readonly answer: {
      readonly products: readonly (Product)[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** One product */
  readonly getV1CatalogProductId: {
    readonly method: 'GET'
    readonly path: '/v1/catalog/{product_id}'
    readonly params: {
      /** An id of /v1/catalog */
      readonly product_id: string
    }
    readonly answer: {
      readonly product_id: string
      readonly source: string
      readonly title: string
      readonly description: string
      readonly kind: "grid" | "frame" | "station" | "event" | "text" | "climatology"
      readonly provider: string
      readonly attribution: string
      readonly cadence_seconds: number
      readonly latency_seconds: number
      readonly stale_after_seconds: number
      readonly h3_resolution: number | null
      readonly coverage: readonly ({
        readonly domain: string
        readonly bbox: readonly (number)[]
        readonly native_km: number
      })[]
      readonly variables: readonly ({
        readonly name: string
        readonly unit: string
        readonly units?: {
          readonly imperial: string
          readonly metric: string
        }
        readonly standard_name: string | null
        readonly description: string
        readonly kind: string
      })[]
      readonly served: readonly ({
        readonly domain: string
        readonly run: string
        readonly published_at: string
        readonly age_seconds: number
        readonly stale: boolean
      })[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Active NWS alerts: at a point, in a box, of a state, zone or office, or one by its id */
  readonly getV1Alerts: {
    readonly method: 'GET'
    readonly path: '/v1/alerts'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** west,south,east,north in degrees */
      readonly bbox?: string
      /** State, or two letters of marine zones: CO, GM */
      readonly area?: string
      /** Zone or county: COZ040, COC031 */
      readonly zone?: string
      /** Forecast office: BOU or KBOU */
      readonly office?: string
      /** Id of one alert, for its full detail */
      readonly id?: string
      /** Names of events, separated by commas: Tornado Warning,Flood Watch */
      readonly event?: string
      /** Severities, separated by commas */
      readonly severity?: string
      /** Urgencies, separated by commas */
      readonly urgency?: string
      /** Certainties, separated by commas */
      readonly certainty?: string
      /** Actual (default), Exercise, Test */
      readonly status?: string
      /** geojson gives a FeatureCollection with the areas drawn */
      readonly format?: "json" | "geojson"
    }
    readonly answer: {
      readonly alerts: readonly ({
        readonly id: string
        readonly event: string
        readonly severity: string
        readonly urgency: string
        readonly certainty: string
        readonly headline: string
        readonly sender: string
        readonly status: "Actual" | "Exercise" | "Test"
        readonly onset: string
        readonly ends: string
        readonly effective: string
        readonly expires: string
        readonly expiration: string
        readonly area_desc?: string
        readonly highlights?: Readonly<Record<string, string>>
        readonly office: string | null
        /** UGC codes in which it stands */
        readonly areas: readonly (string)[]
        /** with id and in GeoJSON */
        readonly description?: string | null
        readonly instruction?: string | null
        readonly [extension: string]: unknown
      })[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
        readonly [extension: string]: unknown
      }
    } | {
      readonly type: "FeatureCollection"
      readonly features: readonly ({
        readonly type: "Feature"
        readonly id: string
        readonly geometry?: unknown
        readonly properties: {
          readonly id: string
          readonly event: string
          readonly severity: string
          readonly urgency: string
          readonly certainty: string
          readonly headline: string
          readonly sender: string
          readonly status: "Actual" | "Exercise" | "Test"
          readonly onset: string
          readonly ends: string
          readonly effective: string
          readonly expires: string
          readonly expiration: string
          readonly area_desc?: string
          readonly highlights?: Readonly<Record<string, string>>
          readonly office: string | null
          /** UGC codes in which it stands */
          readonly areas: readonly (string)[]
          /** with id and in GeoJSON */
          readonly description?: string | null
          readonly instruction?: string | null
          readonly [extension: string]: unknown
        }
      })[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
        readonly [extension: string]: unknown
      }
    }
  }
  /** Times for which pictures of a radar product can be had, and its colours */
  readonly getV1RadarProduct: {
    readonly method: 'GET'
    readonly path: '/v1/radar/{product}'
    readonly params: {
      /** A radar product of /v1/catalog */
      readonly product: string
    }
    readonly answer: {
      readonly product_id: string
      readonly title: string
      readonly unit: string
      readonly times: readonly (string)[]
      readonly nowcast_times: readonly (string)[]
      readonly legend: readonly ({
        readonly from: number
        readonly colour: string
      })[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Find places by name, ZIP code or coordinates, the most populous first */
  readonly getV1Geocode: {
    readonly method: 'GET'
    readonly path: '/v1/geocode'
    readonly query: {
      /** City, city and state, ZIP code, or lat,lon; case and accents do not matter */
      readonly q: string
      /** At most this many, 1 to 50 */
      readonly limit?: number
    }
    readonly answer: {
      readonly places: readonly ({
        readonly kind: "place" | "zip" | "coordinates"
        readonly name: string
        readonly region: string
        readonly country: "US"
        readonly county?: string
        readonly zip?: string
        readonly lat: number
        readonly lon: number
        readonly timezone?: string
        readonly population: number | null
      })[]
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** What a point is called, and what is near it */
  readonly getV1ReverseGeocode: {
    readonly method: 'GET'
    readonly path: '/v1/reverse-geocode'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
    }
    readonly answer: {
      readonly location: {
        readonly lat: number
        readonly lon: number
        readonly name: string
        readonly region: string
        readonly country: string
        readonly timezone: string
        readonly county?: string
        readonly zip?: string
      }
      readonly gis: {
        readonly lat: number
        readonly lon: number
        readonly timezone: string
        readonly city?: string
        readonly nearest_city?: string
        readonly state?: string
        readonly county?: string
        readonly country?: string
        readonly population: number | null
        readonly nearest_radar: {
          readonly id: string
          readonly name: string
          readonly lat: number
          readonly lon: number
          readonly distance_km: number
        }
        readonly nearest_station: {
          readonly id: string
          readonly name: string
          readonly state: string
          readonly elevation_m: number | null
          readonly lat: number
          readonly lon: number
          readonly distance_km: number
        }
      }
      readonly zones: {
        readonly office?: string
        readonly county?: string
        readonly fire?: string
        readonly forecast?: string
        readonly marine?: string
      }
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** METAR stations near a point, in a box or a state */
  readonly getV1Stations: {
    readonly method: 'GET'
    readonly path: '/v1/stations'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** west,south,east,north in degrees */
      readonly bbox?: string
      /** Postal abbreviation of a state */
      readonly state?: string
      /** One site: KDEN, KFTG or FTG */
      readonly id?: string
      /** Only within this many kilometres */
      readonly radius_km?: number
      /** At most this many, 1 to 500 */
      readonly limit?: number
    }
    readonly answer: {
      readonly stations: readonly ({
        readonly id: string
        readonly name: string
        readonly state: string
        readonly lat: number
        readonly lon: number
        readonly elevation_m: number | null
        readonly distance_km?: number
      })[]
      readonly total: number
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** WSR-88D radars near a point, in a box or a state */
  readonly getV1Radars: {
    readonly method: 'GET'
    readonly path: '/v1/radars'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** west,south,east,north in degrees */
      readonly bbox?: string
      /** Postal abbreviation of a state */
      readonly state?: string
      /** One site: KDEN, KFTG or FTG */
      readonly id?: string
      /** Only within this many kilometres */
      readonly radius_km?: number
      /** At most this many, 1 to 500 */
      readonly limit?: number
    }
    readonly answer: {
      readonly radars: readonly ({
        readonly id: string
        readonly icao: string
        readonly name: string
        readonly state: string
        readonly lat: number
        readonly lon: number
        readonly elevation_m: number
        readonly distance_km?: number
      })[]
      readonly total: number
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** Forecast offices: of a point, a state, or all */
  readonly getV1Offices: {
    readonly method: 'GET'
    readonly path: '/v1/offices'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** Postal abbreviation of a state */
      readonly state?: string
      /** Forecast office: BOU or KBOU */
      readonly id?: string
    }
    readonly answer: {
      readonly offices: readonly ({
        readonly id: string
        readonly name: string
        readonly state: string
        readonly lat: number
        readonly lon: number
      })[]
      readonly total: number
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    }
  }
  /** NWS zones: of a point, a state, an office; as a list or as shapes (at most 50 shapes) */
  readonly getV1Zones: {
    readonly method: 'GET'
    readonly path: '/v1/zones'
    readonly query?: {
      /** Latitude in degrees, with lon; rounded to 4 decimals */
      readonly lat?: number
      /** Longitude in degrees, with lat; rounded to 4 decimals */
      readonly lon?: number
      /** Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
      readonly location?: string
      /** US ZIP code: 80202 or 80202-1234 */
      readonly zip?: string
      /** Postal abbreviation of a state */
      readonly state?: string
      /** Forecast office: BOU or KBOU */
      readonly office?: string
      /** Kind of zone */
      readonly kind?: "county" | "forecast" | "fire" | "marine"
      /** Zone code: COC031, COZ040, GMZ630 */
      readonly id?: string
      /** geojson gives the shapes that are held */
      readonly format?: "json" | "geojson"
      /** At most this many, 1 to 1000 */
      readonly limit?: number
    }
    readonly answer: {
      readonly zones: readonly ({
        readonly id: string
        readonly kind: "county" | "forecast" | "fire" | "marine"
        readonly name: string
        readonly state: string
        readonly office: string
      })[]
      readonly total: number
      readonly meta: {
        readonly schema_version: string
        readonly generated_at: string
        readonly attribution?: string
      }
    } | {
      readonly type: "FeatureCollection"
      readonly features: readonly ({
        readonly type: "Feature"
        readonly id: string
        readonly properties: {
          readonly id: string
          readonly kind: "county" | "forecast" | "fire" | "marine"
          readonly name: string
          readonly state: string
          readonly office: string
        }
        readonly geometry: {
          readonly type: "MultiPolygon"
          readonly coordinates: readonly (readonly (readonly (readonly (number)[])[])[])[]
        } | null
      })[]
    }
  }
  /** Make an API key */
  readonly postDeveloperKeys: {
    readonly method: 'POST'
    readonly path: '/developer/keys'
    readonly body: {
      /** What the key is called */
      readonly name: string
      readonly origin: {
        /** What asks for the key, such as cli */
        readonly channel: string
        readonly value: "device_flow"
      }
    }
    readonly answer: KeyRecord | {
      readonly prefix: string
      readonly name: string
      readonly plan: string
      readonly scopes: readonly (string)[]
      readonly created_at: string
      readonly expires_at: string | null
      readonly revoked_at: string | null
      /** Shown this once */
      readonly key: string
    }
  }
  /** Keys of the account */
  readonly getDeveloperKeys: {
    readonly method: 'GET'
    readonly path: '/developer/keys'
    readonly answer: {
      readonly keys: readonly (KeyRecord)[]
    }
  }
  /** Give a key another name */
  readonly patchDeveloperKeysPrefix: {
    readonly method: 'PATCH'
    readonly path: '/developer/keys/{prefix}'
    readonly params: {
      /** hx_live_ and eight characters */
      readonly prefix: string
    }
    readonly body: {
      /** What the key is called */
      readonly name: string
    }
    readonly answer: KeyRecord
  }
  /** Revoke a key; refused everywhere within 2 s */
  readonly deleteDeveloperKeysPrefix: {
    readonly method: 'DELETE'
    readonly path: '/developer/keys/{prefix}'
    readonly params: {
      /** hx_live_ and eight characters */
      readonly prefix: string
    }
    readonly answer: KeyRecord
  }
}

export const operations: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {
  getHealthz: ['GET', '/healthz'],
  getReadyz: ['GET', '/readyz'],
  getV1Weather: ['GET', '/v1/weather'],
  getV1WeatherBatch: ['GET', '/v1/weather/batch'],
  postV1WeatherBatch: ['POST', '/v1/weather/batch'],
  getV1Point: ['GET', '/v1/point'],
  postV1Point: ['POST', '/v1/point'],
  getV1SeriesBatch: ['GET', '/v1/series/batch'],
  postV1SeriesBatch: ['POST', '/v1/series/batch'],
  getV1Catalog: ['GET', '/v1/catalog'],
  getV1CatalogProductId: ['GET', '/v1/catalog/{product_id}'],
  getV1Alerts: ['GET', '/v1/alerts'],
  getV1RadarProduct: ['GET', '/v1/radar/{product}'],
  getV1Geocode: ['GET', '/v1/geocode'],
  getV1ReverseGeocode: ['GET', '/v1/reverse-geocode'],
  getV1Stations: ['GET', '/v1/stations'],
  getV1Radars: ['GET', '/v1/radars'],
  getV1Offices: ['GET', '/v1/offices'],
  getV1Zones: ['GET', '/v1/zones'],
  postDeveloperKeys: ['POST', '/developer/keys'],
  getDeveloperKeys: ['GET', '/developer/keys'],
  patchDeveloperKeysPrefix: ['PATCH', '/developer/keys/{prefix}'],
  deleteDeveloperKeysPrefix: ['DELETE', '/developer/keys/{prefix}'],
}
