// Written by infra/generate/openapi.ts from the routes; do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process is alive */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness: engines, and the age of every dataset */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/weather": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about the weather of one point
         * @description Sections of one object, by `include`. A cached answer does not count. An answer on a degraded source is `no-store` and says why in `meta.warnings`.
         */
        get: operations["getV1Weather"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/weather/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Weather of up to 50 points, each answered or failed by itself
         * @description Ten points, or fewer, count as one call.
         */
        get: operations["getV1WeatherBatch"];
        put?: never;
        /**
         * Weather of up to 50 points, each answered or failed by itself
         * @description Ten points, or fewer, count as one call.
         */
        post: operations["postV1WeatherBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/point": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of variables at up to 500 points, at one time
         * @description Every 10000 values, or fewer, count as one call. A point outside is `out_of_domain`; with `retryable` it could not be checked in time.
         */
        get: operations["getV1Point"];
        put?: never;
        /**
         * Values of variables at up to 500 points, at one time
         * @description Every 10000 values, or fewer, count as one call. A point outside is `out_of_domain`; with `retryable` it could not be checked in time.
         */
        post: operations["postV1Point"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/series/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Time series of variables at up to 100 points
         * @description Every 10000 values, or fewer, count as one call. A point outside is `out_of_domain`; with `retryable` it could not be checked in time. Not open to trial keys.
         */
        get: operations["getV1SeriesBatch"];
        put?: never;
        /**
         * Time series of variables at up to 100 points
         * @description Every 10000 values, or fewer, count as one call. A point outside is `out_of_domain`; with `retryable` it could not be checked in time. Not open to trial keys.
         */
        post: operations["postV1SeriesBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every product and the run of it that is served now */
        get: operations["getV1Catalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/{product_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One product */
        get: operations["getV1CatalogProductId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active NWS alerts: at a point, in a box, of a state, zone or office, or one by its id
         * @description One of a point, bbox, area, zone, office or id; none means the whole country. A list without a point covers no particular point: an empty one is no all-clear.
         */
        get: operations["getV1Alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of alerts as server-sent events
         * @description One event a change: alert.issued, alert.updated, alert.cancelled or alert.expired. `Last-Event-ID` resumes where a stream broke off; a comment every 15 s shows that the connection is alive. One of a point, bbox, area, zone or office; none means all.
         */
        get: operations["getV1Events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * METARs: of a box, of the station nearest to a point, or of one station
         * @description What instruments measured; nothing is filled from another report or a model. One of bbox, a point, or station. An empty list does not describe the weather.
         */
        get: operations["getV1Observations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/storm-tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Storms with their motion, as GeoJSON
         * @description Contiguous states: ProbSevere objects with outline, speed (m/s), direction (towards), probability of severe weather, positions at the present motion. Alaska and Hawaii: storm cells of single radars, outlined by a circle of 5 km, with circulations and tornadic vortex signatures instead of probabilities. An empty list is not an all-clear.
         */
        get: operations["getV1StormTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/climate/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily climate reports (CLI)
         * @description What climate stations measured, beside normals and records; one item a station and date, the last issued. °F and inches as issued.
         */
        get: operations["getV1ClimateReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/climate/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Record event reports (RER)
         * @description One item for each record that a text names; what the text does not state is null.
         */
        get: operations["getV1ClimateRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/{product}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of a radar product, transparent, in Web-Mercator */
        get: operations["getV1RadarProductPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/{product}/legend.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The colours of a radar product */
        get: operations["getV1RadarProductLegendPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/{product}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Available times of the images of a radar product, and its colours */
        get: operations["getV1RadarProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/geocode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find places by name, ZIP code or coordinates, the most populous first */
        get: operations["getV1Geocode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reverse-geocode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Name of a point, and what is near it */
        get: operations["getV1ReverseGeocode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** METAR stations near a point, in a box or a state */
        get: operations["getV1Stations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** WSR-88D radars near a point, in a box or a state */
        get: operations["getV1Radars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/offices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Forecast offices: of a point, a state, or all */
        get: operations["getV1Offices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** NWS zones: of a point, a state, an office; as a list or as shapes (at most 50 shapes) */
        get: operations["getV1Zones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developer/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Keys of the account */
        get: operations["getDeveloperKeys"];
        put?: never;
        /**
         * Create an API key
         * @description With an access token of the device authorization grant. The same Idempotency-Key again gives 200 and the record without the key.
         */
        post: operations["postDeveloperKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/developer/keys/{prefix}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key; refused everywhere within 2 s */
        delete: operations["deleteDeveloperKeysPrefix"];
        options?: never;
        head?: never;
        /** Rename a key */
        patch: operations["patchDeveloperKeysPrefix"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description Stable address of the kind of failure; compared, never fetched */
            type: string;
            title: string;
            status: number;
            detail?: string;
            /** @description Path of the request */
            instance?: string;
            /** @description Relations by name; `recommended` names the one to take first. On 401, 402, 403 and 429 */
            next_steps?: {
                [key: string]: string | ({
                    href: string;
                    description: string;
                } & {
                    [key: string]: unknown;
                });
            };
        } & {
            [key: string]: unknown;
        };
        Weather: {
            location: components["schemas"]["Location"];
            current?: components["schemas"]["Current"];
            hourly?: components["schemas"]["Hour"][];
            daily?: components["schemas"]["Day"][];
            alerts?: components["schemas"]["Alert"][];
            outlooks?: components["schemas"]["Outlook"][];
            astro?: components["schemas"]["Astro"];
            narrations?: {
                current?: string;
                short_term?: string;
            };
            guidance?: components["schemas"]["Guidance"];
            discussions?: {
                mesoscale: components["schemas"]["MCD"][];
                area_forecast?: components["schemas"]["AFD"];
            };
            nowcast?: components["schemas"]["Nowcast"];
            radar?: components["schemas"]["RadarPoint"];
            climate?: components["schemas"]["ClimateNormals"];
            metar?: components["schemas"]["Metar"];
            gis: components["schemas"]["GIS"];
            units?: components["schemas"]["Units"];
            attribution: components["schemas"]["Attribution"];
            meta: components["schemas"]["Meta"];
        };
        Location: {
            lat: number;
            lon: number;
            name: string;
            region?: string;
            country?: string;
            timezone: string;
            county?: string;
            zip?: string;
            /** @description Ground at the point in units.altitude; null where no source of it was read */
            elevation?: number | null;
            /** @description Offset of timezone at meta.generated_at */
            utc_offset_seconds?: number;
        };
        /** @description Values of the newest analysis at `time`; its missing fields are the forecast at that time. What falls is what the radar sees; without radar coverage, the forecast of the hour where it is likelier than not. */
        Current: {
            /** Format: date-time */
            time: string;
            temperature?: number | null;
            feels_like?: number | null;
            humidity?: number | null;
            dew_point?: number | null;
            pressure?: number | null;
            wind_speed?: number | null;
            wind_gust?: number | null;
            visibility?: number | null;
            cloud_cover?: number | null;
            cloud_ceiling?: number | null;
            cloud_cover_low?: number | null;
            cloud_cover_mid?: number | null;
            cloud_cover_high?: number | null;
            uv_index?: number | null;
            pm25?: number | null;
            ozone?: number | null;
            pm10?: number | null;
            precip_rate?: number | null;
            precip_24h?: number | null;
            lightning_density?: number | null;
            wind_direction?: number | null;
            aqi?: number | null;
            lightning_prob?: number | null;
            lightning_flashes?: number | null;
            aqi_category?: string | null;
            precip_type?: string;
            conditions: string;
            icon: string;
            severe?: boolean;
            cloud_ceiling_unlimited?: boolean;
        };
        /** @description One hour of the blend. `precip_amount`, `precip_probability`, `snow_amount` and `thunderstorm_probability` are of the hour that ends at `time`, the others at `time`. Beyond the hourly range of the source amounts of 6 hours are dealt out with their sum, and probabilities of 6 hours stand at each hour as an upper bound (`meta.warnings`). `thunder_possible`: thunder 15 percent or CAPE 1000 J/kg. */
        Hour: {
            /** Format: date-time */
            time: string;
            temperature?: number | null;
            feels_like?: number | null;
            humidity?: number | null;
            wind_speed?: number | null;
            precip_probability?: number | null;
            precip_amount?: number | null;
            wind_gust?: number | null;
            dew_point?: number | null;
            cloud_cover?: number | null;
            visibility?: number | null;
            pressure?: number | null;
            thunderstorm_probability?: number | null;
            uv_index?: number | null;
            aqi?: number | null;
            precip_type_rain_prob?: number | null;
            precip_type_snow_prob?: number | null;
            precip_type_freezing_rain_prob?: number | null;
            precip_type_ice_pellets_prob?: number | null;
            cape?: number | null;
            snow_amount?: number | null;
            cloud_ceiling?: number | null;
            cloud_cover_low?: number | null;
            cloud_cover_mid?: number | null;
            cloud_cover_high?: number | null;
            snow_level?: number | null;
            wind_direction?: number | null;
            conditions?: string;
            icon?: string;
            precip_type?: string;
            severe?: boolean;
            thunder_possible?: boolean;
            cloud_ceiling_unlimited?: boolean;
            uncertainty?: components["schemas"]["HourlyUncertainty"];
        };
        HourlyUncertainty: {
            temperature_stddev?: number | null;
            dew_point_stddev?: number | null;
            wind_speed_stddev?: number | null;
            wind_gust_stddev?: number | null;
            visibility_prob_below_1mi?: number | null;
            visibility_prob_below_2mi?: number | null;
            visibility_prob_below_3mi?: number | null;
            visibility_prob_below_5mi?: number | null;
            ceiling_prob_below_500ft?: number | null;
            ceiling_prob_below_1000ft?: number | null;
            ceiling_prob_below_2000ft?: number | null;
            ceiling_prob_below_3000ft?: number | null;
            ceiling_prob_below_6600ft?: number | null;
            wind_speed_p50?: number | null;
            wind_speed_prob_gt_75mph?: number | null;
        } | null;
        Day: {
            /** Format: date */
            date: string;
            relative_day: number;
            /** @enum {string|null} */
            active_period: "day" | "night" | null;
            high?: number | null;
            low?: number | null;
            precip_probability?: number | null;
            precip_total?: number | null;
            snow_total?: number | null;
            ice_total?: number | null;
            wind_speed_max?: number | null;
            wind_gust_max?: number | null;
            humidity_avg?: number | null;
            cloud_cover_avg?: number | null;
            uv_index_max?: number | null;
            cape_max?: number | null;
            dew_point_max?: number | null;
            dew_point_min?: number | null;
            pressure_avg?: number | null;
            visibility_min?: number | null;
            cloud_ceiling_min?: number | null;
            thunderstorm_probability_max?: number | null;
            aqi_max?: number | null;
            feels_like_high?: number | null;
            feels_like_low?: number | null;
            solar_radiation_max?: number | null;
            snow_level?: number | null;
            wind_direction?: number | null;
            conditions?: string;
            icon?: string;
            severe?: boolean;
            thunder_possible?: boolean;
            cloud_ceiling_unlimited?: boolean;
            sources_disagree?: boolean;
            astro?: components["schemas"]["Astro"];
            day?: components["schemas"]["DailyPeriod"];
            night?: components["schemas"]["DailyPeriod"];
            threats?: components["schemas"]["DailyThreat"][];
            uncertainty?: components["schemas"]["DailyUncertainty"];
            climate?: components["schemas"]["DailyClimate"];
        };
        /** @description Events of the local calendar date, null where one does not occur on it. `day_length` is that of the daylight around the solar noon of the date, also where the sun sets after midnight. */
        Astro: {
            /** Format: date-time */
            civil_dawn: string | null;
            /** Format: date-time */
            sunrise: string | null;
            /** Format: date-time */
            solar_noon: string | null;
            /** Format: date-time */
            sunset: string | null;
            /** Format: date-time */
            civil_dusk: string | null;
            /** Format: date-time */
            moonrise: string | null;
            /** Format: date-time */
            moonset: string | null;
            day_length: number;
            daylight_length: number;
            moon_phase: number;
            moon_phase_name: string;
            moon_illumination: number;
            /** @enum {string|null} */
            polar?: "midnight_sun" | "polar_night" | null;
        };
        /** @description Day 06:00 to 17:59, night 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day, the lowest of the night, and `dew_point`, `humidity` and `feels_like` are of the same hour. `wind_speed`, `cloud_cover` and `pressure` are means, `wind_gust`, `uv_index`, `cape` and the probabilities greatest values, `visibility` and `cloud_ceiling` least ones. Of the half that runs they are of the hours still to come; a half that has passed has no probabilities. */
        DailyPeriod: {
            temperature?: number | null;
            wind_speed?: number | null;
            precip_probability?: number | null;
            precip_total?: number | null;
            snow_total?: number | null;
            ice_total?: number | null;
            humidity?: number | null;
            cloud_cover?: number | null;
            wind_gust?: number | null;
            dew_point?: number | null;
            feels_like?: number | null;
            visibility?: number | null;
            pressure?: number | null;
            cloud_ceiling?: number | null;
            uv_index?: number | null;
            thunderstorm_probability?: number | null;
            cape?: number | null;
            aqi?: number | null;
            wind_direction?: number | null;
            precip_type?: string;
            conditions?: string;
            icon?: string;
            narrative?: string;
            thunder_possible?: boolean;
            severe?: boolean;
            cloud_ceiling_unlimited?: boolean;
        };
        /** @description From outlooks that are mostly about the day (severe, fire, flood) and from its own numbers: winter (snow from 1 inch, ice), heat (feels like 95 °F and more), cold (-18 °F and less), wind (gusts of 46 mph and more). */
        DailyThreat: {
            type: string;
            risk?: string;
            probability?: number;
            risk_label: string;
        };
        DailyUncertainty: {
            temperature_stddev_avg?: number | null;
            dew_point_stddev_avg?: number | null;
            wind_speed_stddev_avg?: number | null;
            wind_gust_stddev_avg?: number | null;
            visibility_prob_below_1mi_max?: number | null;
            ceiling_prob_below_1000ft_max?: number | null;
            snow_total_p10?: number | null;
            snow_total_p50?: number | null;
            snow_total_p90?: number | null;
            snow_prob_gt_1in?: number | null;
            snow_prob_gt_2in?: number | null;
            snow_prob_gt_4in?: number | null;
        } | null;
        DailyClimate: {
            normal_high?: number | null;
            normal_low?: number | null;
            high_departure?: number | null;
            low_departure?: number | null;
        } | null;
        Alert: {
            id: string;
            event: string;
            severity: string;
            urgency: string;
            certainty: string;
            headline: string;
            sender: string;
            /** @enum {string} */
            status: "Actual" | "Exercise" | "Test";
            /** Format: date-time */
            onset: string;
            /** Format: date-time */
            ends: string;
            /** Format: date-time */
            effective: string;
            /** Format: date-time */
            expires: string;
            /** Format: date-time */
            expiration: string;
            area_desc?: string;
            highlights?: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        Outlook: {
            product_id: string;
            type: string;
            risk_label: string;
            day: number;
            /** Format: date-time */
            valid: string;
            /** Format: date-time */
            expires: string;
            risk?: string;
            probability?: number;
            significant?: boolean;
        };
        Guidance: {
            afd?: components["schemas"]["AFD"];
            hwo?: {
                day_one?: string;
                summary?: string;
                body?: string;
                has_active_hazards: boolean;
                /** Format: date-time */
                issued_at?: string | null;
            };
            now?: {
                summary?: string;
                wfo?: string;
                body?: string;
                /** Format: date-time */
                issued_at?: string | null;
            };
            hls?: {
                summary?: string;
                wfo?: string;
                body?: string;
                /** Format: date-time */
                issued_at?: string | null;
            };
            active_mcds: number;
            mcds?: components["schemas"]["MCD"][];
            active_mpds?: number;
            mpds?: components["schemas"]["MPD"][];
            pmds?: components["schemas"]["PMD"][];
            swo_day1_risk?: string;
        };
        AFD: {
            synopsis?: string;
            key_takeaway?: string;
            confidence?: string;
            wfo?: string;
            body?: string;
            /** Format: date-time */
            issued_at?: string | null;
        };
        MCD: {
            mcd_number: number;
            /** Format: date-time */
            issued_at?: string | null;
            /** Format: date-time */
            expires_at?: string | null;
            concerning?: string;
            areas_affected?: string;
            summary?: string;
            body?: string;
            watch_probability?: number | null;
        };
        MPD: {
            mpd_number: number;
            /** Format: date-time */
            issued_at?: string | null;
            /** Format: date-time */
            expires_at?: string | null;
            concerning?: string;
            areas_affected?: string;
            flash_flood_tier?: string;
            summary?: string;
            body?: string;
        };
        PMD: {
            awips_id?: string;
            pmd_desk?: string;
            summary?: string;
            body?: string;
            /** Format: date-time */
            issued_at?: string | null;
        };
        Nowcast: {
            interval_seconds: number;
            /** Format: date-time */
            generated_at: string;
            summary?: components["schemas"]["NowcastSummary"];
            points: components["schemas"]["NowcastPoint"][];
        };
        NowcastSummary: {
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            duration_minutes?: number | null;
            /** @enum {string} */
            type: "rain" | "snow" | "freezing_rain" | "wintry_mix" | "unknown" | "none";
            peak_intensity?: string;
            already_occurring?: boolean;
        };
        NowcastPoint: {
            /** Format: date-time */
            time: string;
            /** @enum {string} */
            type: "none" | "rain" | "snow" | "freezing_rain" | "wintry_mix" | "no_coverage" | "unknown";
            intensity_dbz: number;
            intensity: string;
            precip_rate?: number | null;
            precip_probability?: number | null;
        };
        RadarPoint: {
            product_id: string;
            /** Format: date-time */
            valid_time: string;
            site?: string;
            reflectivity_dbz?: number | null;
            precip_rate?: number | null;
            /** @enum {string} */
            coverage: "value" | "dry" | "no_coverage";
        };
        ClimateNormals: {
            station: {
                station_id: string;
                name: string;
                state?: string;
                latitude: number;
                longitude: number;
                elevation_m?: number | null;
                distance_km: number;
            };
            meta: {
                normals_period: string;
                /** @enum {string} */
                source: "station" | "grid" | "mixed";
                normals_method: string;
                unit: string;
                approximate: boolean;
                missing_days: number;
            };
            days: {
                /** Format: date */
                date: string;
                month: number;
                day: number;
                normal_high?: number | null;
                normal_low?: number | null;
                normal_mean?: number | null;
                normal_high_stddev?: number | null;
                normal_low_stddev?: number | null;
                normal_mean_stddev?: number | null;
                normal_precip?: number | null;
                years?: number | null;
                completeness_flag?: string | null;
            }[];
            location?: components["schemas"]["Location"];
        };
        Metar: {
            station_id: string;
            distance_km: number;
            /** Format: date-time */
            observed_at: string;
            age_min: number;
            ceiling_ft?: number | null;
            layers?: {
                cover: string;
                base_ft?: number | null;
                convective?: string;
            }[];
            weather?: string[];
        };
        GIS: {
            lat: number;
            lon: number;
            timezone: string;
            city?: string;
            nearest_city?: string;
            state?: string;
            county?: string;
            country?: string;
            population?: number | null;
            nearest_radar?: {
                id: string;
                name: string;
                lat: number;
                lon: number;
                distance_km: number;
            };
            nearest_station?: {
                id: string;
                lat: number;
                lon: number;
                distance_km: number;
                name?: string;
                state?: string;
                elevation_m?: number | null;
            };
        };
        Units: {
            /** @enum {string} */
            temperature: "F" | "C";
            /** @enum {string} */
            wind_speed: "mph" | "kph";
            /** @enum {string} */
            pressure: "inHg" | "hPa";
            /** @enum {string} */
            visibility: "mi" | "km";
            /** @enum {string} */
            precip_amount: "in" | "mm";
            /** @enum {string} */
            altitude: "m" | "ft";
            /** @enum {string} */
            solar_radiation: "W/m^2";
        };
        Attribution: {
            sources: string[];
            notice: string;
        };
        Meta: {
            schema_version: string;
            /** Format: date-time */
            generated_at: string;
            freshness?: components["schemas"]["SourceFreshness"][];
            warnings?: components["schemas"]["MetaWarning"][];
            hourly_sampling?: {
                step_hours: number;
                from_hour: number;
            };
        };
        SourceFreshness: {
            source: string;
            product_id: string;
            /** Format: date-time */
            reference_time?: string | null;
            /** Format: date-time */
            latest_valid?: string | null;
            age_seconds: number;
            /** @description Air quality: the monitor of each sub-index, its distance, and the start of its hour. */
            monitors?: {
                /** @enum {string} */
                pollutant: "pm25" | "ozone" | "pm10";
                id: string;
                name: string;
                distance_km: number;
                /** Format: date-time */
                hour: string;
            }[];
        };
        MetaWarning: {
            /** @description Stable; new ones may be added. `simulated_data`: the data come from a simulator and are not real weather. `stale_source`: a source is older than it may be; its values are left out or (alerts, radar, lightning) shown with this warning. `source_missing`: a source that should cover the point has nothing for it now. `source_incomplete`: the run of a source lacks variables or hours that it should have; `fields` stay null. `source_failed`: the read of a source failed; a later request may succeed. `not_held`: this installation has no data of this kind. `no_coverage`: a source does not reach the place. `fields_missing`: fields are null for the whole section. `probability_upper_bound`: a probability for 3, 6 or 12 hours is shown at each hour inside: an upper bound. `nowcast_blended`: radar and lightning are blended with the model in the hours from `from` to `to`: weight 1 now, 0 after 120 minutes. `source_fallback`: no analysis of the last 90 minutes: current is the model at this hour. `partial_day`: a part of the current day has passed without stored values: `fields` for the whole day are null in its row. `sources_disagree`: a total lies outside of the percentiles beside it: two sources disagree. `amount_split`: amounts of 6 hours are shown as hourly ones that keep the sum. `feed_unconfirmed`: a feed could not be confirmed; the last known data are shown. `area_approximated`: alerts of zones without geometry are shown for the whole of their counties: too far, never too little. `place_assumed`: a place name fits several places; the most populous was taken. `truncated`: a list was cut at its limit; `detail` has the total. `history_short`: less history is stored than requested; `detail` has its first time. `unreadable_product`: a text product could not be read; nothing was taken from it. `location_unverified`: the location lookup was unavailable. `text_incomplete`: the newest text of an office or center could not be read; the one before is given while it is current. `degraded`: a part of the system answers from its last known state. `no_data`: the station or place is known, but nothing of the requested period is stored. */
            code: string;
            section: string;
            detail?: string;
            product_id?: string;
            fields?: string[];
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        Product: {
            product_id: string;
            source: string;
            title: string;
            description: string;
            /** @enum {string} */
            kind: "grid" | "frame" | "station" | "event" | "text" | "climatology";
            provider: string;
            attribution: string;
            cadence_seconds: number;
            latency_seconds: number;
            stale_after_seconds: number;
            h3_resolution: number | null;
            coverage: {
                domain: string;
                bbox: number[];
                native_km: number;
            }[];
            variables: {
                name: string;
                unit: string;
                units?: {
                    imperial: string;
                    metric: string;
                };
                standard_name: string | null;
                description: string;
                kind: string;
            }[];
            served: {
                domain: string;
                /** Format: date-time */
                run: string;
                /** Format: date-time */
                published_at: string;
                age_seconds: number;
                stale: boolean;
            }[];
        };
        ClimateReport: {
            /** @description AWIPS code */
            station: string;
            name: string;
            /** Format: date */
            date: string;
            /** Format: date-time */
            issued_at: string;
            office: string;
            preliminary: boolean;
            /** @description °F */
            temperature: {
                high: number | null;
                low: number | null;
                average: number | null;
                normals: {
                    high: number | null;
                    low: number | null;
                    average: number | null;
                };
                departures: {
                    high: number | null;
                    low: number | null;
                    average: number | null;
                };
                records: {
                    high: number | null;
                    high_years: number[];
                    low: number | null;
                    low_years: number[];
                };
            };
            /** @description in */
            precipitation: {
                /** @description in; null where missing, and where a trace fell */
                total: number | null;
                trace: boolean;
                month_to_date: number | null;
                normal: number | null;
                record: number | null;
                record_years: number[];
                year_to_date: number | null;
            };
            /** @description in */
            snow: {
                /** @description in; null where missing, and where a trace fell */
                total: number | null;
                trace: boolean;
                month_to_date: number | null;
                normal: number | null;
                record: number | null;
                record_years: number[];
                depth: number | null;
                season_to_date: number | null;
            };
        };
        ClimateRecord: {
            /** @description AWIPS code */
            station: string;
            /** @enum {string} */
            event: "HIGH" | "LOW" | "HIGH_MIN" | "LOW_MAX" | "RAIN" | "SNOW" | "OTHER";
            /** @description °F or in */
            value: number | null;
            previous: number | null;
            previous_year: number | null;
            previous_years: number[];
            tied: boolean | null;
            /** Format: date-time */
            issued_at: string;
            office: string;
            /** Format: date */
            date: string;
            text: string;
        };
        KeyRecord: {
            prefix: string;
            name: string;
            plan: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
    };
    responses: {
        /**
         * @description The request is malformed. The detail names what was expected and what was received. Do not retry it unchanged.
         *
         *     Type: `bad-request`
         */
        Problem400: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is larger than the server accepts, or names more points than one request may.
         *
         *     Type: `payload-too-large`
         */
        Problem413: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The URL is longer than 8192 characters.
         *
         *     Type: `bad-request`
         */
        Problem414: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The headers are larger than 16 KB.
         *
         *     Type: `bad-request`
         */
        Problem431: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The server failed; the failure is logged. Retry with growing pauses, at most three times.
         *
         *     Type: `internal`
         */
        Problem500: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A data source returned unusable data. Retry with growing pauses, at most three times.
         *
         *     Type: `upstream`
         */
        Problem502: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The server cannot answer just now. Wait for Retry-After, then retry with growing pauses.
         *
         *     Type: `service-unavailable`
         */
        Problem503: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The answer took too long. Retry with growing pauses, at most three times.
         *
         *     Type: `timeout`
         */
        Problem504: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is malformed. The detail names what was expected and what was received. Do not retry it unchanged.
         *
         *     Type: `bad-request`
         */
        Problem400B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A valid API key is needed: send it as Authorization: Bearer. An unknown key and a revoked key look the same.
         *
         *     Type: `unauthorized`
         */
        Problem401: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Price of this call where single calls can be paid for (x402 version 2), base64 */
                "PAYMENT-REQUIRED"?: string;
                /** @description Challenge of RFC 6750 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The free calls of this trial key are used up. Claim the key to go on with it.
         *
         *     Type: `trial-ended`, `unauthorized`
         */
        Problem402: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Price of this call where single calls can be paid for (x402 version 2), base64 */
                "PAYMENT-REQUIRED"?: string;
                /** @description Settlement of a paid call, base64 */
                "PAYMENT-RESPONSE"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description This route is not open to trial keys. Claim the key to use it.
         *
         *     Type: `trial-route-not-allowed`, `flag-disabled`, `forbidden`
         */
        Problem403: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Challenge of RFC 6750 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description There is nothing at this address, or no such place, station, product or alert.
         *
         *     Type: `not-found`, `outside-coverage`
         */
        Problem404: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The Accept header excludes the media types of this resource.
         *
         *     Type: `bad-request`
         */
        Problem406: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request is larger than the server accepts, or names more points than one request may.
         *
         *     Type: `payload-too-large`
         */
        Problem413B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The URL is longer than 8192 characters.
         *
         *     Type: `bad-request`
         */
        Problem414B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The limit of the day or month is used up. Wait for Retry-After seconds, or take a larger plan.
         *
         *     Type: `rate-limit-exceeded`, `too-many-requests`
         */
        Problem429: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The headers are larger than 16 KB.
         *
         *     Type: `bad-request`
         */
        Problem431B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The server failed; the failure is logged. Retry with growing pauses, at most three times.
         *
         *     Type: `internal`
         */
        Problem500B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A data source returned unusable data. Retry with growing pauses, at most three times.
         *
         *     Type: `upstream`
         */
        Problem502B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The server cannot answer just now. Wait for Retry-After, then retry with growing pauses.
         *
         *     Type: `service-unavailable`
         */
        Problem503B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The answer took too long. Retry with growing pauses, at most three times.
         *
         *     Type: `timeout`
         */
        Problem504B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A valid API key is needed: send it as Authorization: Bearer. An unknown key and a revoked key look the same.
         *
         *     Type: `unauthorized`
         */
        Problem401B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Challenge of RFC 6750 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The free calls of this trial key are used up. Claim the key to go on with it.
         *
         *     Type: `trial-ended`
         */
        Problem402B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The body was not complete within 30 s.
         *
         *     Type: `timeout`
         */
        Problem408: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The body is not JSON.
         *
         *     Type: `bad-request`
         */
        Problem415: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The credentials are valid but do not allow this.
         *
         *     Type: `forbidden`
         */
        Problem403B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Challenge of RFC 6750 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The request contradicts an earlier one. Read the current state, then try once more.
         *
         *     Type: `conflict`
         */
        Problem409: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The limit of the minute is used up. Wait for Retry-After seconds. The limit is that of the key, not of the location.
         *
         *     Type: `too-many-requests`
         */
        Problem429B: {
            headers: {
                /** @description Request id, also in the log of the server */
                "X-Request-Id"?: string;
                /** @description Limit of the most restrictive window */
                "RateLimit-Limit"?: number;
                /** @description Remaining calls in it */
                "RateLimit-Remaining"?: number;
                /** @description Seconds until it is reset */
                "RateLimit-Reset"?: number;
                /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                "RateLimit-Policy"?: string;
                /** @description Seconds to wait */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "alive";
                    };
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ready: boolean;
                        /** @enum {string} */
                        status: "ok" | "degraded" | "down";
                        engines: {
                            [key: string]: "ok" | "down";
                        };
                        datasets: {
                            dataset: string;
                            domain: string;
                            /** Format: date-time */
                            run: string;
                            age_seconds: number;
                        }[];
                        clock_off_seconds?: number;
                        notes?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    getV1Weather: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty */
                include?: string;
                /** @description Every column of hourly and daily, or a subset */
                view?: "detailed" | "concise";
                /** @description full: alerts with description, instruction and geometry; concise: with a link to them */
                alert_detail?: "concise" | "full";
                /** @description Number of daily rows; a row of the current night (relative_day -1) is not counted */
                days?: number;
                /** @description Horizon of the hourly rows in hours, before rows are dropped */
                hourly_hours?: number;
                /** @description Keep every Nth hourly row */
                hourly_step?: number;
                /** @description Row from which hourly_step applies; those before all stay */
                hourly_step_from?: number;
            };
            header?: {
                "If-None-Match"?: string;
                /** @description `x402`: without a key, 402 and what the call costs */
                "Accept-Payment"?: string;
                /** @description A payment of x402 version 2, base64 */
                "PAYMENT-SIGNATURE"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description For If-None-Match */
                    ETag?: string;
                    /** @description max-age, or no-store where a source is degraded */
                    "Cache-Control"?: string;
                    /** @description Settlement of a paid call, base64 */
                    "PAYMENT-RESPONSE"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Weather"];
                };
            };
            /** @description Unchanged since the ETag that was sent; not counted */
            304: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description For If-None-Match */
                    ETag?: string;
                    /** @description max-age, or no-store where a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401"];
            402: components["responses"]["Problem402"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1WeatherBatch: {
        parameters: {
            query: {
                /** @description lat,lon;lat,lon;… at most 50 */
                points: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty */
                include?: string;
                /** @description Every column of hourly and daily, or a subset */
                view?: "detailed" | "concise";
                /** @description full: alerts with description, instruction and geometry; concise: with a link to them */
                alert_detail?: "concise" | "full";
                /** @description Number of daily rows; a row of the current night (relative_day -1) is not counted */
                days?: number;
                /** @description Horizon of the hourly rows in hours, before rows are dropped */
                hourly_hours?: number;
                /** @description Keep every Nth hourly row */
                hourly_step?: number;
                /** @description Row from which hourly_step applies; those before all stay */
                hourly_step_from?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "outside_coverage" | "error";
                            weather?: components["schemas"]["Weather"];
                            problem?: {
                                type: string;
                                title: string;
                                status: number;
                                detail: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1WeatherBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Degrees; at most 50 */
                    points: {
                        lat: number;
                        lon: number;
                    }[];
                    /**
                     * @description System of units
                     * @default imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty
                     * @default current,hourly,daily,alerts,outlooks,astro
                     */
                    include?: string;
                    /**
                     * @description Every column of hourly and daily, or a subset
                     * @default detailed
                     * @enum {string}
                     */
                    view?: "detailed" | "concise";
                    /**
                     * @description full: alerts with description, instruction and geometry; concise: with a link to them
                     * @default concise
                     * @enum {string}
                     */
                    alert_detail?: "concise" | "full";
                    /**
                     * @description Number of daily rows; a row of the current night (relative_day -1) is not counted
                     * @default 10
                     */
                    days?: number;
                    /**
                     * @description Horizon of the hourly rows in hours, before rows are dropped
                     * @default 48
                     */
                    hourly_hours?: number;
                    /**
                     * @description Keep every Nth hourly row
                     * @default 1
                     */
                    hourly_step?: number;
                    /**
                     * @description Row from which hourly_step applies; those before all stay
                     * @default 0
                     */
                    hourly_step_from?: number;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "outside_coverage" | "error";
                            weather?: components["schemas"]["Weather"];
                            problem?: {
                                type: string;
                                title: string;
                                status: number;
                                detail: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Point: {
        parameters: {
            query: {
                /** @description lat,lon;lat,lon;… at most 500 */
                points: string;
                /** @description Names of variables, separated by commas: the field names of Hourly */
                variables: string;
                /** @description A dataset of /v1/catalog as it is; absent: the published hourly forecast */
                dataset_id?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Instant; absent: now */
                time?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "out_of_domain";
                            retryable?: boolean;
                            values?: {
                                [key: string]: number | null;
                            };
                            /** Format: date-time */
                            valid_time?: string;
                            source?: string;
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1Point: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Degrees; at most 500 */
                    points: {
                        lat: number;
                        lon: number;
                    }[];
                    /** @description Names of variables, separated by commas: the field names of Hourly */
                    variables: string;
                    /**
                     * @description A dataset of /v1/catalog as it is; absent: the published hourly forecast
                     * @default blend
                     */
                    dataset_id?: string;
                    /**
                     * @description System of units
                     * @default imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * Format: date-time
                     * @description Instant; absent: now
                     */
                    time?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "out_of_domain";
                            retryable?: boolean;
                            values?: {
                                [key: string]: number | null;
                            };
                            /** Format: date-time */
                            valid_time?: string;
                            source?: string;
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1SeriesBatch: {
        parameters: {
            query: {
                /** @description lat,lon;lat,lon;… at most 100 */
                points: string;
                /** @description Names of variables, separated by commas: the field names of Hourly */
                variables: string;
                /** @description A dataset of /v1/catalog as it is; absent: the published hourly forecast */
                dataset_id?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Hours from the current one */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "out_of_domain";
                            retryable?: boolean;
                            series?: {
                                dataset_id: string;
                                valid_times: string[];
                                data: {
                                    [key: string]: (number | null)[];
                                };
                            };
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1SeriesBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Degrees; at most 100 */
                    points: {
                        lat: number;
                        lon: number;
                    }[];
                    /** @description Names of variables, separated by commas: the field names of Hourly */
                    variables: string;
                    /**
                     * @description A dataset of /v1/catalog as it is; absent: the published hourly forecast
                     * @default blend
                     */
                    dataset_id?: string;
                    /**
                     * @description System of units
                     * @default imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * @description Hours from the current one
                     * @default 48
                     */
                    hours?: number;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            index: number;
                            /** @enum {string} */
                            status: "ok" | "out_of_domain";
                            retryable?: boolean;
                            series?: {
                                dataset_id: string;
                                valid_times: string[];
                                data: {
                                    [key: string]: (number | null)[];
                                };
                            };
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Catalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        products: components["schemas"]["Product"][];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1CatalogProductId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of /v1/catalog */
                product_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        product_id: string;
                        source: string;
                        title: string;
                        description: string;
                        /** @enum {string} */
                        kind: "grid" | "frame" | "station" | "event" | "text" | "climatology";
                        provider: string;
                        attribution: string;
                        cadence_seconds: number;
                        latency_seconds: number;
                        stale_after_seconds: number;
                        h3_resolution: number | null;
                        coverage: {
                            domain: string;
                            bbox: number[];
                            native_km: number;
                        }[];
                        variables: {
                            name: string;
                            unit: string;
                            units?: {
                                imperial: string;
                                metric: string;
                            };
                            standard_name: string | null;
                            description: string;
                            kind: string;
                        }[];
                        served: {
                            domain: string;
                            /** Format: date-time */
                            run: string;
                            /** Format: date-time */
                            published_at: string;
                            age_seconds: number;
                            stale: boolean;
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Alerts: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description State, or two letters of marine zones: CO, GM */
                area?: string;
                /** @description Zone or county: COZ040, COC031 */
                zone?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
                /** @description Id of one alert, for its full detail */
                id?: string;
                /** @description Names of events, separated by commas: Tornado Warning,Flood Watch */
                event?: string;
                /** @description Severities, separated by commas */
                severity?: string;
                /** @description Urgencies, separated by commas */
                urgency?: string;
                /** @description Certainties, separated by commas */
                certainty?: string;
                /** @description Actual (default), Exercise, Test */
                status?: string;
                /** @description full: alerts with description, instruction and geometry; concise: with a link to them */
                alert_detail?: "concise" | "full";
                /** @description geojson gives a FeatureCollection with the areas drawn */
                format?: "json" | "geojson";
            };
            header?: {
                /** @description `x402`: without a key, 402 and what the call costs */
                "Accept-Payment"?: string;
                /** @description A payment of x402 version 2, base64 */
                "PAYMENT-SIGNATURE"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description Settlement of a paid call, base64 */
                    "PAYMENT-RESPONSE"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alerts: ({
                            id: string;
                            event: string;
                            severity: string;
                            urgency: string;
                            certainty: string;
                            headline: string;
                            sender: string;
                            /** @enum {string} */
                            status: "Actual" | "Exercise" | "Test";
                            /** Format: date-time */
                            onset: string;
                            /** Format: date-time */
                            ends: string;
                            /** Format: date-time */
                            effective: string;
                            /** Format: date-time */
                            expires: string;
                            /** Format: date-time */
                            expiration: string;
                            area_desc?: string;
                            highlights?: {
                                [key: string]: string;
                            };
                            office: string | null;
                            /** @description UGC codes of its area */
                            areas: string[];
                            /** @description with id and in GeoJSON */
                            description?: string | null;
                            instruction?: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            geometry?: unknown;
                            properties: {
                                id: string;
                                event: string;
                                severity: string;
                                urgency: string;
                                certainty: string;
                                headline: string;
                                sender: string;
                                /** @enum {string} */
                                status: "Actual" | "Exercise" | "Test";
                                /** Format: date-time */
                                onset: string;
                                /** Format: date-time */
                                ends: string;
                                /** Format: date-time */
                                effective: string;
                                /** Format: date-time */
                                expires: string;
                                /** Format: date-time */
                                expiration: string;
                                area_desc?: string;
                                highlights?: {
                                    [key: string]: string;
                                };
                                office: string | null;
                                /** @description UGC codes of its area */
                                areas: string[];
                                /** @description with id and in GeoJSON */
                                description?: string | null;
                                instruction?: string | null;
                            } & {
                                [key: string]: unknown;
                            };
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "application/geo+json": {
                        alerts: ({
                            id: string;
                            event: string;
                            severity: string;
                            urgency: string;
                            certainty: string;
                            headline: string;
                            sender: string;
                            /** @enum {string} */
                            status: "Actual" | "Exercise" | "Test";
                            /** Format: date-time */
                            onset: string;
                            /** Format: date-time */
                            ends: string;
                            /** Format: date-time */
                            effective: string;
                            /** Format: date-time */
                            expires: string;
                            /** Format: date-time */
                            expiration: string;
                            area_desc?: string;
                            highlights?: {
                                [key: string]: string;
                            };
                            office: string | null;
                            /** @description UGC codes of its area */
                            areas: string[];
                            /** @description with id and in GeoJSON */
                            description?: string | null;
                            instruction?: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            geometry?: unknown;
                            properties: {
                                id: string;
                                event: string;
                                severity: string;
                                urgency: string;
                                certainty: string;
                                headline: string;
                                sender: string;
                                /** @enum {string} */
                                status: "Actual" | "Exercise" | "Test";
                                /** Format: date-time */
                                onset: string;
                                /** Format: date-time */
                                ends: string;
                                /** Format: date-time */
                                effective: string;
                                /** Format: date-time */
                                expires: string;
                                /** Format: date-time */
                                expiration: string;
                                area_desc?: string;
                                highlights?: {
                                    [key: string]: string;
                                };
                                office: string | null;
                                /** @description UGC codes of its area */
                                areas: string[];
                                /** @description with id and in GeoJSON */
                                description?: string | null;
                                instruction?: string | null;
                            } & {
                                [key: string]: unknown;
                            };
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401"];
            402: components["responses"]["Problem402"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Events: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description State, or two letters of marine zones: CO, GM */
                area?: string;
                /** @description Zone or county: COZ040, COC031 */
                zone?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Observations: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description One station: KDEN, or its FAA or IATA code DEN */
                station?: string;
                /** @description Every report of the past hours, 1 to 72; without it the newest of each station, at most 3 hours old */
                hours?: number;
                /** @description Units */
                units?: "imperial" | "metric";
                /** @description At most this many, 1 to 2000 */
                limit?: number;
                /** @description Form of the answer */
                format?: "json" | "geojson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        observations: {
                            station_id: string;
                            name: string;
                            state: string | null;
                            lat: number;
                            lon: number;
                            elevation_m: number | null;
                            /** @description only where a point was given */
                            distance_km?: number;
                            /** Format: date-time */
                            observed_at: string;
                            age_min: number;
                            /** @enum {string} */
                            report_type: "METAR" | "SPECI";
                            corrected: boolean;
                            auto: boolean;
                            raw: string;
                            /** @enum {string|null} */
                            flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                            temperature: number | null;
                            dew_point: number | null;
                            wind_speed: number | null;
                            wind_gust: number | null;
                            /** @description degrees from which it blows, 360 for north; null where calm or variable */
                            wind_direction: number | null;
                            visibility: number | null;
                            /** @description altimeter setting */
                            pressure: number | null;
                            ceiling_ft?: number;
                            layers?: {
                                cover: string;
                                base_ft?: number;
                                /** @enum {string} */
                                convective?: "CB" | "TCU";
                            }[];
                            weather: string[];
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            geometry?: unknown;
                            properties: {
                                station_id: string;
                                name: string;
                                state: string | null;
                                lat: number;
                                lon: number;
                                elevation_m: number | null;
                                /** @description only where a point was given */
                                distance_km?: number;
                                /** Format: date-time */
                                observed_at: string;
                                age_min: number;
                                /** @enum {string} */
                                report_type: "METAR" | "SPECI";
                                corrected: boolean;
                                auto: boolean;
                                raw: string;
                                /** @enum {string|null} */
                                flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                                temperature: number | null;
                                dew_point: number | null;
                                wind_speed: number | null;
                                wind_gust: number | null;
                                /** @description degrees from which it blows, 360 for north; null where calm or variable */
                                wind_direction: number | null;
                                visibility: number | null;
                                /** @description altimeter setting */
                                pressure: number | null;
                                ceiling_ft?: number;
                                layers?: {
                                    cover: string;
                                    base_ft?: number;
                                    /** @enum {string} */
                                    convective?: "CB" | "TCU";
                                }[];
                                weather: string[];
                            };
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "application/geo+json": {
                        observations: {
                            station_id: string;
                            name: string;
                            state: string | null;
                            lat: number;
                            lon: number;
                            elevation_m: number | null;
                            /** @description only where a point was given */
                            distance_km?: number;
                            /** Format: date-time */
                            observed_at: string;
                            age_min: number;
                            /** @enum {string} */
                            report_type: "METAR" | "SPECI";
                            corrected: boolean;
                            auto: boolean;
                            raw: string;
                            /** @enum {string|null} */
                            flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                            temperature: number | null;
                            dew_point: number | null;
                            wind_speed: number | null;
                            wind_gust: number | null;
                            /** @description degrees from which it blows, 360 for north; null where calm or variable */
                            wind_direction: number | null;
                            visibility: number | null;
                            /** @description altimeter setting */
                            pressure: number | null;
                            ceiling_ft?: number;
                            layers?: {
                                cover: string;
                                base_ft?: number;
                                /** @enum {string} */
                                convective?: "CB" | "TCU";
                            }[];
                            weather: string[];
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            geometry?: unknown;
                            properties: {
                                station_id: string;
                                name: string;
                                state: string | null;
                                lat: number;
                                lon: number;
                                elevation_m: number | null;
                                /** @description only where a point was given */
                                distance_km?: number;
                                /** Format: date-time */
                                observed_at: string;
                                age_min: number;
                                /** @enum {string} */
                                report_type: "METAR" | "SPECI";
                                corrected: boolean;
                                auto: boolean;
                                raw: string;
                                /** @enum {string|null} */
                                flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                                temperature: number | null;
                                dew_point: number | null;
                                wind_speed: number | null;
                                wind_gust: number | null;
                                /** @description degrees from which it blows, 360 for north; null where calm or variable */
                                wind_direction: number | null;
                                visibility: number | null;
                                /** @description altimeter setting */
                                pressure: number | null;
                                ceiling_ft?: number;
                                layers?: {
                                    cover: string;
                                    base_ft?: number;
                                    /** @enum {string} */
                                    convective?: "CB" | "TCU";
                                }[];
                                weather: string[];
                            };
                        }[];
                        units: {
                            [key: string]: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1StormTracks: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Storms within 230 km of this radar: FTG or KFTG */
                site?: string;
            };
            header?: {
                /** @description `x402`: without a key, 402 and what the call costs */
                "Accept-Payment"?: string;
                /** @description A payment of x402 version 2, base64 */
                "PAYMENT-SIGNATURE"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description Settlement of a paid call, base64 */
                    "PAYMENT-RESPONSE"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            geometry: {
                                /** @enum {string} */
                                type: "Polygon";
                                coordinates: number[][][];
                            };
                            properties: {
                                id: string;
                                /** Format: date-time */
                                valid_time: string;
                                /** @description probsevere, or nexrad_ and the radar whose cell it is */
                                source: string;
                                /** @description m/s; null for a cell seen in one scan only */
                                speed: number | null;
                                /** @description degrees from north through east, towards which it moves; null where it is stationary */
                                direction: number | null;
                                /** @description percent, severe weather within an hour */
                                severe_probability: number | null;
                                hail_probability: number | null;
                                wind_probability: number | null;
                                tornado_probability: number | null;
                                /** @description of cells of a radar */
                                max_reflectivity_dbz: number | null;
                                /** @description strength rank 1 to 25 of a circulation in the cell */
                                mesocyclone_strength: number | null;
                                /**
                                 * @description tornadic vortex signature; ETVS: not down to the lowest beam
                                 * @enum {string|null}
                                 */
                                tornado_signature: "TVS" | "ETVS" | null;
                                lat: number;
                                lon: number;
                                forecast: {
                                    minutes: number;
                                    lat: number;
                                    lon: number;
                                }[];
                            };
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                            /** Format: date-time */
                            valid_time: string | null;
                            warnings?: {
                                code: string;
                                section: string;
                                detail?: string;
                                product_id?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401"];
            402: components["responses"]["Problem402"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1ClimateReports: {
        parameters: {
            query?: {
                /** @description Issuing office: BOX or KBOX */
                wfo?: string;
                /** @description Local date */
                date?: string;
                /** @description First local date, with end */
                start?: string;
                /** @description Last local date, with start; at most 366 days */
                end?: string;
                /** @description Issued in the last hours; without dates 48 */
                hours?: number;
                /** @description At most this many, 1 to 500 */
                limit?: number;
                /** @description Station by AWIPS or ICAO code: BOS or KBOS */
                station?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reports: components["schemas"]["ClimateReport"][];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                            warnings?: {
                                code: string;
                                section: string;
                                detail?: string;
                                product_id?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1ClimateRecords: {
        parameters: {
            query?: {
                /** @description Issuing office: BOX or KBOX */
                wfo?: string;
                /** @description Local date */
                date?: string;
                /** @description First local date, with end */
                start?: string;
                /** @description Last local date, with start; at most 366 days */
                end?: string;
                /** @description Issued in the last hours; without dates 48 */
                hours?: number;
                /** @description At most this many, 1 to 500 */
                limit?: number;
                /** @description One of HIGH, LOW, HIGH_MIN, LOW_MAX, RAIN, SNOW, OTHER */
                record_type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ClimateRecord"][];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                            warnings?: {
                                code: string;
                                section: string;
                                detail?: string;
                                product_id?: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarProductPng: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Pixels, 16 to 2048; the height follows in Web-Mercator */
                width?: number;
                /** @description ISO instant or unix seconds: the nearest stored frame, or up to 90 minutes ahead the nowcast; absent: the newest */
                time?: string;
                /** @description Of what is drawn, 0 to 1 */
                opacity?: number;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                /** @description A radar product of /v1/catalog */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description For If-None-Match */
                    ETag?: string;
                    /** @description max-age, or no-store where a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description Unchanged since the ETag that was sent; not counted */
            304: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    /** @description For If-None-Match */
                    ETag?: string;
                    /** @description max-age, or no-store where a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarProductLegendPng: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A radar product of /v1/catalog */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A radar product of /v1/catalog */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        product_id: string;
                        title: string;
                        unit: string;
                        times: string[];
                        nowcast_times: string[];
                        legend: {
                            from: number;
                            colour: string;
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Geocode: {
        parameters: {
            query: {
                /** @description City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents do not matter; the beginning of a name is enough */
                q: string;
                /** @description At most this many, 1 to 50 */
                limit?: number;
                /** @description lat,lon: places of one rank come nearest first */
                near?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        places: {
                            /** @enum {string} */
                            kind: "place" | "zip" | "coordinates" | "feature";
                            /** @description Of a feature: airport, county, park, forest, summit, lake, military, tribal, university, stadium, … */
                            feature?: string;
                            name: string;
                            region: string;
                            /** @enum {string} */
                            country: "US";
                            county?: string;
                            zip?: string;
                            lat: number;
                            lon: number;
                            timezone?: string;
                            population: number | null;
                        }[];
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1ReverseGeocode: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        location: {
                            lat: number;
                            lon: number;
                            name: string;
                            region: string;
                            country: string;
                            timezone: string;
                            county?: string;
                            zip?: string;
                        };
                        gis: {
                            lat: number;
                            lon: number;
                            timezone: string;
                            city?: string;
                            nearest_city?: string;
                            state?: string;
                            county?: string;
                            country?: string;
                            population: number | null;
                            nearest_radar: {
                                id: string;
                                name: string;
                                lat: number;
                                lon: number;
                                distance_km: number;
                            };
                            nearest_station: {
                                id: string;
                                name: string;
                                state: string;
                                elevation_m: number | null;
                                lat: number;
                                lon: number;
                                distance_km: number;
                            };
                        };
                        zones: {
                            office?: string;
                            county?: string;
                            fire?: string;
                            forecast?: string;
                            marine?: string;
                        };
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Stations: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description One site: KDEN, KFTG or FTG */
                id?: string;
                /** @description Only within this many kilometres */
                radius_km?: number;
                /** @description At most this many, 1 to 500 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stations: {
                            id: string;
                            name: string;
                            state: string;
                            lat: number;
                            lon: number;
                            elevation_m: number | null;
                            distance_km?: number;
                        }[];
                        total: number;
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Radars: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description One site: KDEN, KFTG or FTG */
                id?: string;
                /** @description Only within this many kilometres */
                radius_km?: number;
                /** @description At most this many, 1 to 500 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        radars: {
                            id: string;
                            icao: string;
                            name: string;
                            state: string;
                            lat: number;
                            lon: number;
                            elevation_m: number;
                            distance_km?: number;
                        }[];
                        total: number;
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Offices: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description Forecast office: BOU or KBOU */
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        offices: {
                            id: string;
                            name: string;
                            state: string;
                            lat: number;
                            lon: number;
                        }[];
                        total: number;
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Zones: {
        parameters: {
            query?: {
                /** @description Latitude in degrees, with lon; rounded to 4 decimals */
                lat?: number;
                /** @description Longitude in degrees, with lat; rounded to 4 decimals */
                lon?: number;
                /** @description Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99" */
                location?: string;
                /** @description US ZIP code: 80202 or 80202-1234 */
                zip?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
                /** @description Kind of zone */
                kind?: "county" | "forecast" | "fire" | "marine";
                /** @description Zone code: COC031, COZ040, GMZ630 */
                id?: string;
                /** @description geojson gives the available shapes */
                format?: "json" | "geojson";
                /** @description At most this many, 1 to 1000 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        zones: {
                            id: string;
                            /** @enum {string} */
                            kind: "county" | "forecast" | "fire" | "marine";
                            name: string;
                            state: string;
                            office: string;
                        }[];
                        total: number;
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            properties: {
                                id: string;
                                /** @enum {string} */
                                kind: "county" | "forecast" | "fire" | "marine";
                                name: string;
                                state: string;
                                office: string;
                            };
                            geometry: {
                                /** @enum {string} */
                                type: "MultiPolygon";
                                coordinates: number[][][][];
                            } | null;
                        }[];
                    };
                    "application/geo+json": {
                        zones: {
                            id: string;
                            /** @enum {string} */
                            kind: "county" | "forecast" | "fire" | "marine";
                            name: string;
                            state: string;
                            office: string;
                        }[];
                        total: number;
                        meta: {
                            schema_version: string;
                            /** Format: date-time */
                            generated_at: string;
                            attribution?: string;
                        };
                    } | {
                        /** @enum {string} */
                        type: "FeatureCollection";
                        features: {
                            /** @enum {string} */
                            type: "Feature";
                            id: string;
                            properties: {
                                id: string;
                                /** @enum {string} */
                                kind: "county" | "forecast" | "fire" | "marine";
                                name: string;
                                state: string;
                                office: string;
                            };
                            geometry: {
                                /** @enum {string} */
                                type: "MultiPolygon";
                                coordinates: number[][][][];
                            } | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            402: components["responses"]["Problem402B"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getDeveloperKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["KeyRecord"][];
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            403: components["responses"]["Problem403B"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postDeveloperKeys: {
        parameters: {
            query?: never;
            header: {
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the key */
                    name: string;
                    origin: {
                        /** @description Program that requests the key, such as cli */
                        channel: string;
                        /** @enum {string} */
                        value: "device_flow";
                    };
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecord"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        prefix: string;
                        name: string;
                        plan: string;
                        scopes: string[];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string | null;
                        /** Format: date-time */
                        revoked_at: string | null;
                        /** @description Shown this once */
                        key: string;
                    };
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            403: components["responses"]["Problem403B"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    deleteDeveloperKeysPrefix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description hx_live_ and eight characters */
                prefix: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecord"];
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            403: components["responses"]["Problem403B"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    patchDeveloperKeysPrefix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description hx_live_ and eight characters */
                prefix: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the key */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description Request id, also in the log of the server */
                    "X-Request-Id"?: string;
                    /** @description Limit of the most restrictive window */
                    "RateLimit-Limit"?: number;
                    /** @description Remaining calls in it */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until it is reset */
                    "RateLimit-Reset"?: number;
                    /** @description All windows, such as 60;w=60;burst=30, 1000;w=86400 */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecord"];
                };
            };
            400: components["responses"]["Problem400B"];
            401: components["responses"]["Problem401B"];
            403: components["responses"]["Problem403B"];
            404: components["responses"]["Problem404"];
            406: components["responses"]["Problem406"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413B"];
            414: components["responses"]["Problem414B"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
}
