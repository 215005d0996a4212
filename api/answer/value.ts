import type { MetaWarning } from '../contract.ts'
import type { AlertJson } from '../live/alerts.ts'

/** The Weather object as its readers in this process see it; `api/routes/weather-schema.ts` describes the same for clients. */
export interface WeatherValue {
  readonly location: { readonly lat: number; readonly lon: number; readonly name: string; readonly timezone: string }
  readonly current?: CurrentValue
  readonly hourly?: readonly HourValue[]
  readonly daily?: readonly DayValue[]
  readonly alerts?: readonly AlertJson[]
  readonly outlooks?: readonly OutlookValue[]
  readonly nowcast?: NowcastValue
  readonly radar?: RadarValue
  readonly narrations?: { readonly current?: string; readonly short_term?: string }
  readonly units: UnitLabels
  readonly attribution: { readonly sources: readonly string[]; readonly notice: string }
  readonly meta: {
    readonly generated_at: string
    readonly freshness?: readonly FreshnessValue[]
    readonly warnings?: readonly MetaWarning[]
    readonly hourly_sampling?: { readonly step_hours: number; readonly from_hour: number }
  }
}

type Numbers<Names extends string> = { readonly [Name in Names]?: number | null }

export type UnitLabels = Readonly<
  Record<'temperature' | 'wind_speed' | 'pressure' | 'visibility' | 'precip_amount' | 'altitude', string>
>

export interface FreshnessValue {
  readonly source: string
  readonly product_id: string
  readonly reference_time?: string | null
  readonly age_seconds?: number | null
}

export interface CurrentValue
  extends Numbers<
    | 'temperature'
    | 'feels_like'
    | 'humidity'
    | 'dew_point'
    | 'pressure'
    | 'wind_speed'
    | 'wind_gust'
    | 'wind_direction'
    | 'visibility'
    | 'cloud_cover'
    | 'cloud_ceiling'
    | 'precip_rate'
    | 'aqi'
    | 'lightning_prob'
    | 'lightning_flashes'
  > {
  readonly time: string
  readonly precip_type?: string
  readonly conditions: string
  readonly icon: string
  readonly severe?: boolean
}

export interface HourValue
  extends Numbers<
    | 'temperature'
    | 'feels_like'
    | 'humidity'
    | 'dew_point'
    | 'wind_speed'
    | 'wind_gust'
    | 'wind_direction'
    | 'precip_probability'
    | 'precip_amount'
    | 'snow_amount'
    | 'ice_amount'
    | 'cloud_cover'
    | 'cloud_ceiling'
    | 'visibility'
    | 'pressure'
    | 'thunderstorm_probability'
    | 'uv_index'
    | 'cape'
  > {
  readonly time: string
  readonly precip_type?: string
  readonly conditions?: string
  readonly icon?: string
  readonly severe?: boolean
  readonly thunder_possible?: boolean
}

export interface PeriodValue
  extends Numbers<
    | 'temperature'
    | 'feels_like'
    | 'precip_probability'
    | 'precip_total'
    | 'snow_total'
    | 'ice_total'
    | 'wind_speed'
    | 'wind_gust'
    | 'wind_direction'
    | 'humidity'
    | 'cloud_cover'
    | 'thunderstorm_probability'
  > {
  readonly conditions?: string
  readonly icon?: string
  readonly narrative?: string
}

export interface DayValue
  extends Numbers<
    | 'high'
    | 'low'
    | 'precip_probability'
    | 'precip_total'
    | 'snow_total'
    | 'ice_total'
    | 'wind_speed_max'
    | 'wind_gust_max'
    | 'humidity_avg'
    | 'cloud_cover_avg'
    | 'uv_index_max'
    | 'cape_max'
    | 'dew_point_max'
    | 'dew_point_min'
    | 'visibility_min'
    | 'snow_level'
    | 'thunderstorm_probability_max'
  > {
  readonly date: string
  readonly relative_day: number
  readonly active_period: 'day' | 'night' | null
  readonly conditions?: string
  readonly icon?: string
  readonly severe?: boolean
  readonly thunder_possible?: boolean
  readonly threats?: readonly { readonly type: string; readonly risk_label: string }[]
  readonly astro?: AstroValue
  readonly day?: PeriodValue
  readonly night?: PeriodValue
}

export interface AstroValue {
  readonly solar_noon: string | null
  readonly sunrise: string | null
  readonly sunset: string | null
  readonly polar?: 'midnight_sun' | 'polar_night' | null
}

export interface OutlookValue {
  readonly product_id: string
  readonly type: string
  readonly day: number
  readonly risk_label: string
  readonly risk?: string
  readonly probability?: number
  readonly significant?: boolean
  readonly intensity_group?: number
  readonly valid: string
  readonly expires: string
}

export interface NowcastValue {
  readonly interval_seconds: number
  readonly generated_at: string
  readonly summary?: {
    readonly starts_at?: string | null
    readonly ends_at?: string | null
    readonly duration_minutes?: number | null
    readonly type: string
    readonly peak_intensity?: string
    readonly already_occurring?: boolean
  }
  readonly points: readonly {
    readonly time: string
    readonly type: string
    readonly intensity_dbz: number
    readonly intensity: string
    readonly precip_rate?: number | null
    readonly precip_probability?: number | null
  }[]
}

export interface RadarValue {
  readonly product_id: string
  readonly valid_time: string
  readonly site?: string
  readonly reflectivity_dbz?: number | null
  readonly precip_rate?: number | null
  readonly coverage: 'value' | 'dry' | 'no_coverage'
}
