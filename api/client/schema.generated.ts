// Written by infra/generate/openapi.ts from the routes; do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process is alive
         * @description Needs no key and reads nothing, so it answers while the database is down. Use it to decide whether to restart the process.
         */
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
        /**
         * Readiness of the process, with engines and the age of every dataset
         * @description Needs no key. Answers 503 with the same members while the process knows no served run or is about to end. Use it to decide whether to send requests here.
         */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of every dataset: served, expected and late runs
         * @description Needs no key; limited by address.
         */
        get: operations["getV1Status"];
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
         * All weather information for one point
         * @description The sections in `include`, as members of one object. A cached answer does not count as a call. `as_of` returns the answer of an earlier instant, as far back as HISTORY_DAYS; an earlier instant gives a 404 with the range. An answer from a degraded source is `no-store` and says why in `meta.warnings`; CSV and calendars have the codes of warnings in `X-Warnings`.
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
         * Weather at up to 50 points, each with its own answer or failure
         * @description Every ten points, or fewer, count as one call. `as_of` returns the answers of an earlier instant, as far back as HISTORY_DAYS.
         */
        get: operations["getV1WeatherBatch"];
        put?: never;
        /**
         * Weather at up to 50 points, each with its own answer or failure
         * @description Every ten points, or fewer, count as one call. `as_of` returns the answers of an earlier instant, as far back as HISTORY_DAYS.
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
         * Values of variables at up to 500 points, at one time or over a period
         * @description Every 10000 values, or fewer, count as one call. A point outside the coverage is `out_of_domain`; with `retryable`, the point could not be read in time. `start` and `end` may be in the past, as far back as values are stored (else a 404 with the range): `sources` names for each time the analysis and accumulation, or the run, of its values.
         */
        get: operations["getV1Point"];
        put?: never;
        /**
         * Values of variables at up to 500 points, at one time or over a period
         * @description Every 10000 values, or fewer, count as one call. A point outside the coverage is `out_of_domain`; with `retryable`, the point could not be read in time. `start` and `end` may be in the past, as far back as values are stored (else a 404 with the range): `sources` names for each time the analysis and accumulation, or the run, of its values.
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
         * @description Every 10000 values, or fewer, count as one call. A point outside the coverage is `out_of_domain`; with `retryable`, the point could not be read in time. `start` and `end` may be in the past, as far back as values are stored (else a 404 with the range): `sources` names for each time the analysis and accumulation, or the run, of its values. Not open to trial keys.
         */
        get: operations["getV1SeriesBatch"];
        put?: never;
        /**
         * Time series of variables at up to 100 points
         * @description Every 10000 values, or fewer, count as one call. A point outside the coverage is `out_of_domain`; with `retryable`, the point could not be read in time. `start` and `end` may be in the past, as far back as values are stored (else a 404 with the range): `sources` names for each time the analysis and accumulation, or the run, of its values. Not open to trial keys.
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
        /**
         * Every product and its served runs
         * @description Datasets with their variables, domains, license and the age of what is served now. Ids of this list are the `dataset_id` of other routes.
         */
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
        /**
         * One product
         * @description The same members as in /v1/catalog, for one dataset. An unknown id is 404.
         */
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
         * Active NWS alerts at a point, in a box, in a state or zone, of an office, or one alert by id
         * @description Use at most one of a point, bbox, area, zone, office or id; without one, the list is for the whole country. An empty list without a point is not an all-clear.
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
         * Changes of alerts, forecaster texts and runs, and the onset of precipitation, as server-sent events
         * @description One event per change: alert.issued, alert.updated, alert.cancelled or alert.expired; with `events=text.*`, text.issued and text.expired for texts of forecasters; with `run.*`, run.started, run.published, run.stage and run.late for model runs; with `nowcast.onset`, precipitation that begins within `within_minutes` at the point, once per episode. `Last-Event-ID` resumes an interrupted stream; if changes after that id may be lost, because the database was restored or the id is more than a week old, the stream begins with the event `replay`, and the reader should read again what it shows. Every 15 s, an id without data shows that the connection is alive, and where to resume after hours without a change. Use at most one of a point, bbox, area, zone or office; without one, all events are sent.
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
         * METARs in a box, of the station nearest to a point, or of one station
         * @description Measurements as reported: missing values are not filled from other reports or models. Use exactly one of bbox, a point or station. An empty list says nothing about the weather.
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
    "/v1/skill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scores of forecasts against station reports and radar
         * @description Scores of the published forecast (blend) and of each input by lead, with 95 % intervals over days. Sources and leads with fewer than 30 pairs are omitted and counted in figures_left_out; why_empty says why there are no scores. Use at most one of state, office, station, bbox and domain; without one, the scores are for the 50 states and DC together. With variable=nowcast, nowcast_figures has the scores of the served nowcasts against the radar frames that followed, beside the last frame unmoved and the model, by domain, lead_minutes and threshold; today so far is included, and lead_minutes adds the scores of each day.
         */
        get: operations["getV1Skill"];
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
         * @description Contiguous states: ProbSevere objects with outline, speed (m/s), direction of motion, probability of severe weather, and positions extrapolated from the present motion. Alaska and Hawaii: storm cells of single radars, outlined by a circle of 5 km, with circulations and tornadic vortex signatures instead of probabilities. An empty list is not an all-clear.
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
         * @description Measurements of climate stations with normals and records: the last report for each station and date. Units are °F and inches, as issued.
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
         * @description One item for each record in a text; members that the text does not state are null.
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
    "/v1/radar/site/{id}/{product}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transparent picture of the newest scan of one radar in Web Mercator
         * @description Answers a PNG of the requested size around the radar. Precipitation below the lowest color of the legend and places out of range are transparent.
         */
        get: operations["getV1RadarSiteIdProductPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/site/{id}/{product}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest scan of one radar, with its extent and legend, and its value at a point
         * @description With a point, also the value of the scan there. A radar without a recent scan is 404.
         */
        get: operations["getV1RadarSiteIdProduct"];
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
        /**
         * A transparent picture of a radar product in Web Mercator
         * @description Answers a PNG of the box at the newest scan, or at `time`. Places without precipitation and without coverage are transparent. The product must be one of /v1/catalog whose images are served.
         */
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
        /**
         * The legend of a radar product, as a picture
         * @description A PNG of the colors with their values and unit. It changes only with the program.
         */
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
        /**
         * Available times of the images of a radar product, and its legend
         * @description Times of the stored scans, oldest first, and for products with a nowcast its times. Each is a value of `time` of the images and tiles.
         */
        get: operations["getV1RadarProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/{product}/{time}/tiles.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * TileJSON 3.0 of a radar product: addresses, zooms and bounds of its tiles
         * @description Map libraries such as MapLibre read this document as the source of a raster layer.
         */
        get: operations["getV1RadarProductTimeTilesJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/radar/{product}/{time}/{z}/{x}/{y}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of a radar product for Web Mercator maps, transparent without precipitation and without coverage
         * @description Answers a PNG of 256 or 512 pixels. `latest` is the newest scan. A tile of a given time does not change, so it may be cached for long.
         */
        get: operations["getV1RadarProductTimeZXYPng"];
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
        /**
         * Find places by name, ZIP code or coordinates, the most populous first
         * @description US places only, from packaged tables. Each has the point to use with the other routes. Nothing that matches is an empty list with the reason.
         */
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
        /**
         * Name of a point, and the places, stations and zones around it
         * @description The nearest place with its time zone, county and zones, and the stations and radars around the point with their distances.
         */
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
        /**
         * METAR stations near a point, in a box or a state
         * @description Use at most one of a point, bbox, state or id. The nearest are first if a point is given.
         */
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
        /**
         * WSR-88D radars near a point, in a box or a state
         * @description Use at most one of a point, bbox, state or id. The nearest are first if a point is given.
         */
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
        /**
         * Forecast offices at a point, in a state, or all
         * @description A point, state and id may be combined. An id of this list is the `office` of /v1/zones, /v1/alerts and /v1/events.
         */
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
        /**
         * NWS zones at a point, in a state or of an office, as a list or as at most 50 shapes
         * @description Public forecast zones, counties, fire weather zones and marine zones. Shapes come with `format=geojson` or Accept. Alerts name these zones as their areas.
         */
        get: operations["getV1Zones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Landing page of OGC API EDR and Features
         * @description Needs no key. Clients such as OWSLib and QGIS start here and follow the links.
         */
        get: operations["getEdr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Conformance classes
         * @description Needs no key. URIs of the classes of OGC API Common, EDR and Features that are satisfied whole.
         */
        get: operations["getEdrConformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All collections: datasets by domain, stations and features
         * @description Each collection has its extent in space and time, its parameters with units, and the queries that it supports.
         */
        get: operations["getEdrCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One collection
         * @description The document of a collection of /edr/collections, by its id.
         */
        get: operations["getEdrCollectionsCollectionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stored runs of a collection, newest first
         * @description At most 100 runs. An id of this list queries one run instead of the newest; stations and radar have no instances.
         */
        get: operations["getEdrCollectionsCollectionIdInstances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One stored run
         * @description The document of a collection with the time of one run, or of the newest by `latest`.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stations and places of a collection, each with an id
         * @description Stations of a collection of stations; for a grid, the larger US places and the stations. Each feature has the address of its values.
         */
        get: operations["getEdrCollectionsCollectionIdLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stations and places of a collection, each with an id
         * @description Stations of a collection of stations; for a grid, the larger US places and the stations. Each feature has the address of its values.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at up to 50 points, or at the nearest stations
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdPosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/radius": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at the cells or stations within a distance of a point
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdRadius"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/area": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at up to 500 cells or stations in a polygon, with the finest cells that fit
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdArea"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/cube": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values on a regular grid over a box, at most 500 positions
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdCube"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/locations/{location_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at a station or place of /locations
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdLocationsLocationId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at up to 50 points, or at the nearest stations, of one run
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdPosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/radius": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at the cells or stations within a distance of a point, of one run
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdRadius"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/area": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at up to 500 cells or stations in a polygon, with the finest cells that fit, of one run
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdArea"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/cube": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values on a regular grid over a box, at most 500 positions, of one run
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdCube"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/instances/{instance_id}/locations/{location_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values at a station or place of /locations, of one run
         * @description OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.
         */
        get: operations["getEdrCollectionsCollectionIdInstancesInstanceIdLocationsLocationId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Features of a collection: alerts, outlooks, storm-tracks, observations
         * @description OGC API Features 1.0. Values are metric. Warnings say why the list may be incomplete.
         */
        get: operations["getEdrCollectionsCollectionIdItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edr/collections/{collection_id}/items/{feature_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One feature
         * @description A feature of /items by its id, with links. A feature that has expired is 404.
         */
        get: operations["getEdrCollectionsCollectionIdItemsFeatureId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Catalog of the stored runs (STAC)
         * @description Needs no key. STAC clients such as pystac-client start here and follow the links.
         */
        get: operations["getStac"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Conformance classes of the catalog
         * @description Needs no key. URIs of the classes of STAC API that are satisfied.
         */
        get: operations["getStacConformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Datasets of runs by domain, as STAC collections
         * @description Only datasets that have a stored run, each with its extent in space and time.
         */
        get: operations["getStacCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One dataset in a domain, with links to its runs
         * @description The 1000 newest runs are linked; the others are in /items.
         */
        get: operations["getStacCollectionsCollectionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stored runs, newest first, page by page
         * @description Follow the link `next` for older runs.
         */
        get: operations["getStacCollectionsCollectionIdItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection_id}/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One stored run, with the objects of its tiles as assets
         * @description An item has the time and stage of the run, its variables, and the size and checksum of each tile.
         */
        get: operations["getStacCollectionsCollectionIdItemsItemId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stac/collections/{collection_id}/items/{item_id}/assets/{asset_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An object of a run: a tile, its manifest, or the sources of its values
         * @description Bytes as they are stored; ingest/tile/FORMAT.md describes them. `Range` returns a part. Every MiB, or less, counts as one call. Not open to trial keys.
         */
        get: operations["getStacCollectionsCollectionIdItemsItemIdAssetsAssetName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zarr/{dataset}/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirects to the Zarr group of the served run
         * @description The address of a run stays valid until the run is removed, so that a reader never mixes two runs.
         */
        get: operations["getZarrDatasetDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zarr/{dataset}/{domain}/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Zarr group of a run; a reference time such as 2026-08-20T12Z redirects to it
         * @description The same document as its zarr.json, for readers that open the address of the group.
         */
        get: operations["getZarrDatasetDomainRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zarr/{dataset}/{domain}/{run}/zarr.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The metadata of a run and all its arrays (Zarr version 3, consolidated)
         * @description Units, names and coordinates follow the conventions for climate and forecast (CF).
         */
        get: operations["getZarrDatasetDomainRunZarrJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zarr/{dataset}/{domain}/{run}/{array}/zarr.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The metadata of one array of a run
         * @description The same as in the consolidated metadata of the run.
         */
        get: operations["getZarrDatasetDomainRunArrayZarrJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zarr/{dataset}/{domain}/{run}/{array}/{chunk}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A chunk of an array
         * @description Little-endian numbers: all values of at most 4096 cells, NaN where a value is missing. 410 if the run is not stored. Not open to trial keys.
         */
        get: operations["getZarrDatasetDomainRunArrayChunk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks of this key
         * @description All webhooks of the key with their state, without their secrets.
         */
        get: operations["getV1Webhooks"];
        put?: never;
        /**
         * Create a webhook, which is called when something changes
         * @description Calls are signed by Standard Webhooks with the secret, which is shown only in this answer. Each event is delivered at least once, in order for each alert event and dataset. A failed call is repeated for 24 hours. Your receiver must answer 2xx within 10 s.
         */
        post: operations["postV1Webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description The webhook with its filter and state, without its secret. A webhook of another key is 404.
         */
        get: operations["getV1WebhooksId"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its waiting calls
         * @description A call that is being made may still arrive. Deleting it again is 404.
         */
        delete: operations["deleteV1WebhooksId"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook
         * @description Members that are absent stay as they are. A webhook that was disabled by failures is enabled again by `enabled`.
         */
        patch: operations["patchV1WebhooksId"];
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test call
         * @description A signed call of the type webhook.test is sent to the address at once and is listed in the deliveries.
         */
        post: operations["postV1WebhooksIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of a webhook, newest first, with the last status and the next attempt
         * @description Calls that have ended are listed for three days.
         */
        get: operations["getV1WebhooksIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat all dead calls, or one
         * @description Makes dead calls due again, oldest first, up to the limit of waiting calls.
         */
        post: operations["postV1WebhooksIdReplay"];
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
        /**
         * Keys of the account
         * @description Needs an access token of the device authorization grant. A key itself is shown only once.
         */
        get: operations["getDeveloperKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Needs an access token of the device authorization grant. A repeated Idempotency-Key gives 200 and the record without the key.
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
        /**
         * Revoke a key; it is rejected everywhere within 2 s
         * @description Needs an access token of the device authorization grant. The key stays in the list.
         */
        delete: operations["deleteDeveloperKeysPrefix"];
        options?: never;
        head?: never;
        /**
         * Rename a key
         * @description Needs an access token of the device authorization grant. The key itself does not change.
         */
        patch: operations["patchDeveloperKeysPrefix"];
        trace?: never;
    };
    "/v1/authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a key may make a call now
         * @description For a cache in front of the API, which checks the key of each request before it answers from its store: 204, or 401, 402, 403 or 429 as the call itself would be answered. Not counted as a call.
         */
        get: operations["getV1Authorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What your server receives: alert
         * @description Signed by Standard Webhooks. Calls with the same webhook-id are attempts of the same call.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Id of the call, the same at every attempt */
                    "webhook-id": string;
                    /** @description Time of the signature, seconds since 1970; reject calls that are older than 5 minutes */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the HMAC-SHA256 of id.timestamp.body in base64 */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertCall"];
                };
            };
            responses: {
                /** @description Accepted; any 2xx within 10 s counts */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The receiver wants no more calls; the webhook is disabled */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What your server receives: run
         * @description Signed by Standard Webhooks. Calls with the same webhook-id are attempts of the same call.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Id of the call, the same at every attempt */
                    "webhook-id": string;
                    /** @description Time of the signature, seconds since 1970; reject calls that are older than 5 minutes */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the HMAC-SHA256 of id.timestamp.body in base64 */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunCall"];
                };
            };
            responses: {
                /** @description Accepted; any 2xx within 10 s counts */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The receiver wants no more calls; the webhook is disabled */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    onset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What your server receives: onset
         * @description Signed by Standard Webhooks. Calls with the same webhook-id are attempts of the same call.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Id of the call, the same at every attempt */
                    "webhook-id": string;
                    /** @description Time of the signature, seconds since 1970; reject calls that are older than 5 minutes */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the HMAC-SHA256 of id.timestamp.body in base64 */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OnsetCall"];
                };
            };
            responses: {
                /** @description Accepted; any 2xx within 10 s counts */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The receiver wants no more calls; the webhook is disabled */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AlertCall: {
            /**
             * @description Type of the event
             * @example alert.issued
             * @enum {string}
             */
            type: "alert.issued" | "alert.updated" | "alert.cancelled" | "alert.expired";
            /**
             * Format: date-time
             * @description Time of the event
             * @example 2026-08-20T21:12:00.000Z
             */
            timestamp: string;
            /** @description The change of the alert */
            data: {
                /**
                 * @description Id of the alert, as in /v1/alerts
                 * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                 */
                id: string;
                /**
                 * @description Name of the event
                 * @example Severe Thunderstorm Warning
                 */
                event: string;
                /**
                 * @description Kind of the change
                 * @example issued
                 */
                change: string;
                /**
                 * @description UGC codes of the alert
                 * @example [
                 *       "COC031"
                 *     ]
                 */
                areas: string[];
                /**
                 * @description Coarse H3 cells that the alert touches, as in Surrogate-Key of cached answers
                 * @example [
                 *       "8426b5dffffffff"
                 *     ]
                 */
                cells: string[];
                /**
                 * Format: date-time
                 * @description Time at which the alert is over: ends, else expires
                 * @example 2026-08-20T22:00:00Z
                 */
                expiration: string | null;
                /**
                 * @description Ids of the messages that it replaces
                 * @example [
                 *       "urn:oid:2.49.0.1.840.0.8a1f.000.1"
                 *     ]
                 */
                replaces?: string[];
                /**
                 * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
                 * @example Severe
                 */
                severity?: string;
                /**
                 * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
                 * @example Immediate
                 */
                urgency?: string;
                /**
                 * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
                 * @example Observed
                 */
                certainty?: string;
                /**
                 * @description Headline of the message
                 * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
                 */
                headline?: string;
                /**
                 * @description Areas in words
                 * @example Denver; Adams; Arapahoe
                 */
                area_desc?: string;
                /**
                 * @description URL of the alert with its geometry
                 * @example https://weather.example.org/v1/alerts?id=urn:oid:2.49.0.1.840.0.8a1f.001.1&format=geojson
                 */
                geometry: string;
                /**
                 * @description Present only if the weather is simulated
                 * @enum {boolean}
                 */
                simulated?: true;
            };
        };
        RunCall: {
            /**
             * @description Type of the event; run.stage extends a published run
             * @example run.published
             * @enum {string}
             */
            type: "run.started" | "run.published" | "run.stage" | "run.late";
            /**
             * Format: date-time
             * @description Time of the event
             * @example 2026-08-20T21:12:00.000Z
             */
            timestamp: string;
            /** @description The run */
            data: {
                /**
                 * @description Id of the dataset
                 * @example nbm
                 */
                dataset: string;
                /**
                 * @description conus, alaska or hawaii; empty if the dataset is not divided
                 * @example conus
                 */
                domain?: string;
                /**
                 * Format: date-time
                 * @description Reference time of the run
                 * @example 2026-08-20T16:00:00Z
                 */
                run: string;
                /**
                 * @description Stage of the run; absent for the only or first stage
                 * @example 1
                 */
                stage?: number;
                /**
                 * Format: date-time
                 * @description Time of the event
                 * @example 2026-08-20T17:12:00.000Z
                 */
                at: string;
                /**
                 * Format: date-time
                 * @description When the run is usually served
                 * @example 2026-08-20T13:15:00Z
                 */
                expected_at?: string;
                /**
                 * Format: date-time
                 * @description When the run becomes late
                 * @example 2026-08-20T13:45:00Z
                 */
                due_at?: string;
                /**
                 * @description Present only if the weather is simulated
                 * @enum {boolean}
                 */
                simulated?: true;
            };
        };
        OnsetCall: {
            /**
             * @description Type of the event
             * @enum {string}
             */
            type: "nowcast.onset";
            /**
             * Format: date-time
             * @description Time of the event
             * @example 2026-08-20T21:12:00.000Z
             */
            timestamp: string;
            /** @description The onset of precipitation */
            data: {
                /**
                 * @description Latitude, north is positive
                 * @example 39.74
                 */
                lat: number;
                /**
                 * @description Longitude, west is negative
                 * @example -104.99
                 */
                lon: number;
                /**
                 * @description How far ahead precipitation is reported
                 * @example 60
                 */
                within_minutes: number;
                /**
                 * Format: date-time
                 * @description Time at which precipitation begins; null if none does
                 * @example 2026-08-20T18:25:00Z
                 */
                starts_at: string;
                /**
                 * @description Minutes until precipitation begins
                 * @example 15
                 */
                minutes: number;
                /**
                 * Format: date-time
                 * @description Time at which precipitation ends; null if it lasts longer
                 * @example 2026-08-20T18:50:00Z
                 */
                ends_at: string | null;
                /**
                 * @description Type of the precipitation
                 * @example rain
                 */
                type: string;
                /**
                 * @description Greatest intensity
                 * @example moderate
                 */
                peak_intensity: string;
                /**
                 * Format: date-time
                 * @description Time at which the answer was built
                 * @example 2026-08-20T18:04:00.000Z
                 */
                generated_at: string;
                /**
                 * Format: date-time
                 * @description Time of the event
                 * @example 2026-08-20T17:12:00.000Z
                 */
                at: string;
                /**
                 * @description Present only if the weather is simulated
                 * @enum {boolean}
                 */
                simulated?: true;
            };
        };
        Problem: {
            /**
             * @description Stable URI of the kind of failure, to compare and not to fetch
             * @example https://weather.example.org/errors/bad-request
             */
            type: string;
            /**
             * @description Title of the kind of failure
             * @example Bad request
             */
            title: string;
            /**
             * @description Status code of the answer
             * @example 400
             */
            status: number;
            /**
             * @description What is wrong, what was expected, and what to do next
             * @example `days` must be a whole number from 1 to 14, but was "0". Change `days` and try again.
             */
            detail?: string;
            /**
             * @description Path of the request
             * @example /v1/weather
             */
            instance?: string;
            /** @description Links to next steps by name, on 401, 402, 403 and 429; `recommended` names the first to take */
            next_steps?: {
                [key: string]: string | ({
                    /**
                     * @description Address of the step
                     * @example https://weather.example.org/docs/keys
                     */
                    href: string;
                    /**
                     * @description What the step does
                     * @example How to get an API key.
                     */
                    description: string;
                } & {
                    [key: string]: unknown;
                });
            };
        } & {
            [key: string]: unknown;
        };
        Weather: {
            /** @description The place of the answer */
            location: components["schemas"]["Location"];
            /** @description Conditions now */
            current?: components["schemas"]["Current"];
            /** @description Hours ascending by time. An hour is named by its end: the first row is the whole running hour, and its time is the next full hour. Amounts are for the 60 minutes that end at time, so each minute is in one row */
            hourly?: components["schemas"]["Hour"][];
            /** @description Local calendar days ascending by date */
            daily?: components["schemas"]["Day"][];
            /** @description Active alerts of the National Weather Service, the most severe first */
            alerts?: components["schemas"]["Alert"][];
            /** @description Convective, fire and excessive rainfall outlooks that cover the point */
            outlooks?: components["schemas"]["Outlook"][];
            /** @description Sun and moon of a local calendar date */
            astro?: components["schemas"]["Astro"];
            /** @description Weather in words, generated by rules */
            narrations?: {
                /**
                 * @description Conditions now in words, generated by rules
                 * @example Partly cloudy and 71 degrees.
                 */
                current?: string;
                /**
                 * @description The next hours in words, generated by rules
                 * @example Clear tonight, sunny tomorrow.
                 */
                short_term?: string;
            };
            /** @description Texts of forecasters for the place */
            guidance?: components["schemas"]["Guidance"];
            /**
             * @deprecated
             * @description Deprecated: guidance has the same discussions and more
             */
            discussions?: {
                /** @description Mesoscale discussions whose area covers the point */
                mesoscale: components["schemas"]["MCD"][];
                /** @description Newest area forecast discussion of the office */
                area_forecast?: components["schemas"]["AFD"];
            };
            /** @description Extrapolation of the radar 90 minutes ahead */
            nowcast?: components["schemas"]["Nowcast"];
            /** @description The newest radar scan at the point */
            radar?: components["schemas"]["RadarPoint"];
            /** @description Normals of 1991 to 2020 */
            climate?: components["schemas"]["ClimateNormals"];
            /** @description Newest report of the nearest station */
            metar?: components["schemas"]["Metar"];
            /** @description Where each number of current, hourly and daily comes from: tables, and indexes into them. Only with include=provenance */
            provenance?: {
                /** @description The cell whose centre is where messages are read */
                cell: {
                    /**
                     * @description H3 index
                     * @example 872681364ffffff
                     */
                    id: string;
                    /**
                     * @description Latitude, north is positive
                     * @example 39.74
                     */
                    lat: number;
                    /**
                     * @description Longitude, west is negative
                     * @example -104.99
                     */
                    lon: number;
                };
                /** @description The upstream files that were read */
                files: {
                    /**
                     * @description Id of a dataset of /v1/catalog, or blend
                     * @example nbm
                     */
                    dataset_id: string;
                    /**
                     * @description Reference time of the run
                     * @example 2026-08-20T16:00:00Z
                     */
                    run: string;
                    /**
                     * @description Time from the reference time of the run to the valid time; 0 for analyses and measured amounts, whose run is the hour
                     * @example 3
                     */
                    lead_hours: number;
                    /**
                     * @description URL that is called: https and a public name
                     * @example https://example.org/hooks/weather
                     */
                    url: string | null;
                }[];
                /** @description The GRIB2 messages that were read, each with one variable at one time */
                messages: {
                    /**
                     * @description Index into files
                     * @example 0
                     */
                    file: number;
                    /**
                     * @description Variable of the message
                     * @example temperature
                     */
                    variable: string;
                    /**
                     * @description First and last byte of the message in the file; all bytes of a radar file; null if not recorded
                     * @example [
                     *       1048576,
                     *       1310719
                     *     ]
                     */
                    byte_range: [
                        number,
                        number
                    ] | null;
                    /**
                     * @description Value that was read from it at cell, or for `pixel` at location, in the unit that samplings states; null if it has none there
                     * @example 294.35
                     */
                    value: number | null;
                    /**
                     * @description SHA-256 of these bytes in hexadecimal digits; null if not recorded
                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                     */
                    sha256: string | null;
                    /**
                     * @description Number of the message in the file, counted from 1 as in its index; null if not recorded
                     * @example 71
                     */
                    message: string | null;
                    /**
                     * @description Bytes of the second message: the northward component of a wind, the speed by which a direction is averaged, or the height of the ground that is subtracted from a ceiling
                     * @example [
                     *       1310720,
                     *       1572863
                     *     ]
                     */
                    v_byte_range?: [
                        number,
                        number
                    ];
                    /**
                     * @description Number of the second message
                     * @example 72
                     */
                    v_message?: string | null;
                    /**
                     * @description SHA-256 of the second message
                     * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
                     */
                    v_sha256?: string | null;
                }[];
                /** @description How values of messages follow from grid points, by dataset and variable */
                samplings: {
                    /**
                     * @description Id of a dataset of /v1/catalog, or blend
                     * @example nbm
                     */
                    dataset_id: string;
                    /**
                     * @description Variable of messages
                     * @example temperature
                     */
                    variable: string;
                    /**
                     * @description Unit of the values of messages
                     * @example K
                     */
                    unit: string;
                    /**
                     * @description bilinear (the four grid points around the centre of cell, without those that are missing or out of range), nearest (grid point), members (number of members that the message states), wind_speed and wind_direction (of the bilinear means of both components, turned to true north at the grid points), direction (of the bilinear mean of vectors with the direction, and the speed of the second message or 1)
                     * @example bilinear
                     */
                    method: string;
                    /**
                     * @description Step to which the value is rounded
                     * @example 0.05
                     */
                    quantum?: number;
                    /**
                     * @description Least and greatest valid value
                     * @example [
                     *       180,
                     *       340
                     *     ]
                     */
                    range?: number[];
                    /**
                     * @description value = native × scale + offset; 1 if absent
                     * @example 1000
                     */
                    scale?: number;
                    /**
                     * @description 0 if absent
                     * @example 273.15
                     */
                    offset?: number;
                    /**
                     * @description Native values that mean that there is none
                     * @example [
                     *       20000
                     *     ]
                     */
                    missing?: number[];
                }[];
                /** @description How values follow from messages */
                origins: {
                    /**
                     * @description Indexes into messages, by valid time
                     * @example [
                     *       12
                     *     ]
                     */
                    messages: number[];
                    /**
                     * @description none, linear, smooth (a cubic that exceeds the two values around the hour by at most a fifth of the range of its values), direction (turns from the first to the second value by the second weight), nearest, pixel (the pixel of the radar at location), solar, split (a share of the amount of a longer interval), bound (a share of the probability of a longer interval)
                     * @example none
                     */
                    interpolation: string;
                    /**
                     * @description Weights of the values of messages, whose sum is the value; the value of the message if absent. Absent for bound
                     * @example [
                     *       0.25,
                     *       0.75
                     *     ]
                     */
                    weights?: number[];
                    /**
                     * @description Whether the value was changed afterwards to agree with other members, radar or measured amounts
                     * @example true
                     */
                    adjusted?: boolean;
                    /**
                     * @description The changes in order, each with the value after it in the unit of the message: moisture, consistency, measured, nowcast (docs/CONSISTENCY.md has their rules)
                     * @example [
                     *       {
                     *         "by": "consistency",
                     *         "value": 281.2
                     *       }
                     *     ]
                     */
                    steps?: {
                        /**
                         * @description Step: blend, moisture, consistency, measured or nowcast
                         * @example consistency
                         */
                        by: string;
                        /**
                         * @description Value after the step
                         * @example 281.2
                         */
                        value: number;
                    }[];
                }[];
                /**
                 * @description Time of the first entry of each list of hours; the others follow by the hour
                 * @example 2026-08-20T12:00:00Z
                 */
                hours_from: string;
                /**
                 * @description Indexes into origins, by field and hour
                 * @example {
                 *       "temperature": [
                 *         0,
                 *         0,
                 *         1
                 *       ]
                 *     }
                 */
                hours: {
                    [key: string]: (number | null)[];
                };
                /** @description Variables of 3 to 24 hours from which members of daily are computed: indexes into origins, by the end of the interval */
                periods: {
                    [key: string]: {
                        /**
                         * @description End of the interval
                         * @example 2026-08-21T00:00:00Z
                         */
                        end: string;
                        /**
                         * @description Index into origins
                         * @example 12
                         */
                        origin: number;
                    }[];
                };
                /** @description How radar and the nowcast were blended into the first hours: the step `nowcast` of origins */
                nowcast: {
                    /**
                     * Format: date-time
                     * @description Valid time
                     * @example 2026-08-20T18:00:00Z
                     */
                    time: string;
                    /**
                     * @description Weight of the nowcast in the probability; the model has the rest
                     * @example 0.75
                     */
                    weight: number;
                    /**
                     * @description Probability of the nowcast; null if it has none
                     * @example 80
                     */
                    chance: number | null;
                    /**
                     * @description Minutes that scans or steps of the nowcast describe
                     * @example 42
                     */
                    minutes: number;
                    /**
                     * @description Amount of these minutes; the model has its share of the others
                     * @example 1.2
                     */
                    amount: number;
                }[];
                /** @description Days whose scores the correction of the probabilities of the nowcast was learned from; absent if it has none */
                nowcast_calibration?: {
                    /**
                     * Format: date
                     * @description First day, UTC
                     * @example 2026-07-21
                     */
                    first_day: string;
                    /**
                     * Format: date
                     * @description Last day, UTC: before the day of the nowcast
                     * @example 2026-08-19
                     */
                    last_day: string;
                };
                /** @description Origins of the rows that past_hours requests. Only with past_hours */
                past?: {
                    /**
                     * @description Time of the first entry of each list; the others follow by the hour
                     * @example 2026-08-20T06:00:00Z
                     */
                    from: string;
                    /**
                     * @description Indexes into origins, by field and hour
                     * @example {
                     *       "temperature": [
                     *         0,
                     *         0,
                     *         1
                     *       ]
                     *     }
                     */
                    hours: {
                        [key: string]: (number | null)[];
                    };
                };
                /** @description Origins of the members of current */
                current: {
                    /**
                     * @description Valid time
                     * @example 2026-08-20T18:00:00Z
                     */
                    time: string;
                    /**
                     * @description Indexes into origins, by member of current
                     * @example {
                     *       "temperature": 4
                     *     }
                     */
                    origins: {
                        [key: string]: number;
                    };
                };
                /** @description Every member of the three sections: a field of hours, a computed member, or a member from an observing source */
                members: {
                    /**
                     * @description current, hourly or daily; the halves of a day have the members of daily
                     * @example hourly
                     */
                    section: string;
                    /**
                     * @description Name of the member
                     * @example feels_like
                     */
                    member: string;
                    /**
                     * @description Field of hours that the member shows
                     * @example temperature
                     */
                    field?: string;
                    /**
                     * @description Members and fields from which the member is computed
                     * @example [
                     *       "temperature"
                     *     ]
                     */
                    inputs?: string[];
                    /**
                     * @description Whether the member is computed, as no source gives it
                     * @example true
                     */
                    computed?: boolean;
                    /**
                     * @description Id of a dataset of /v1/catalog, or blend
                     * @example nbm
                     */
                    dataset_id?: string;
                }[];
            };
            /** @description Places and stations around the point */
            gis: components["schemas"]["GIS"];
            /** @description Unit of each quantity of the answer */
            units?: components["schemas"]["Units"];
            /** @description Sources to name beside the data */
            attribution: components["schemas"]["Attribution"];
            /** @description Metadata of the answer */
            meta: components["schemas"]["Meta"];
        };
        Location: {
            /**
             * @description Latitude, north is positive
             * @example 39.74
             */
            lat: number;
            /**
             * @description Longitude, west is negative
             * @example -104.99
             */
            lon: number;
            /**
             * @description Name of the place, without its state
             * @example Denver
             */
            name: string;
            /**
             * @description Postal abbreviation of the state
             * @example CO
             */
            region?: string;
            /**
             * @description Country by ISO 3166-1 alpha-2
             * @example US
             */
            country?: string;
            /**
             * @description Time zone by its IANA name
             * @example America/Denver
             */
            timezone: string;
            /**
             * @description County of the point
             * @example Denver County
             */
            county?: string;
            /**
             * @description US ZIP code
             * @example 80202
             */
            zip?: string;
            /**
             * @description Height of the ground at the point above sea level, from the terrain of HRRR, RTMA, RRFS or GFS; null if no served run of them covers the point
             * @example 5280
             */
            elevation?: number | null;
            /**
             * @description Offset of timezone at meta.generated_at
             * @example -21600
             */
            utc_offset_seconds?: number;
        };
        /** @description Values of the newest analysis at `time`; fields that it lacks come from the forecast at that time. Precipitation is what the radar sees; without radar coverage it is the forecast of the hour, if precipitation is likelier than not. */
        Current: {
            /**
             * Format: date-time
             * @description Valid time of the analysis
             * @example 2026-08-20T18:00:00Z
             */
            time: string;
            /**
             * @description Air temperature 2 m above the ground
             * @example 71.3
             */
            temperature?: number | null;
            /**
             * @description Heat index, wind chill, or the temperature itself
             * @example 71.3
             */
            feels_like?: number | null;
            /**
             * @description Relative humidity 2 m above the ground
             * @example 34
             */
            humidity?: number | null;
            /**
             * @description Dew point 2 m above the ground
             * @example 42.1
             */
            dew_point?: number | null;
            /**
             * @description Pressure reduced to sea level
             * @example 30.05
             */
            pressure?: number | null;
            /**
             * @description Wind 10 m above the ground
             * @example 8.1
             */
            wind_speed?: number | null;
            /**
             * @description Gusts 10 m above the ground
             * @example 16.4
             */
            wind_gust?: number | null;
            /**
             * @description Visibility at the ground; null if no source has it
             * @example 10
             */
            visibility?: number | null;
            /**
             * @description Share of the sky that is covered
             * @example 40
             */
            cloud_cover?: number | null;
            /**
             * @description Height of the lowest layer that covers more than half of the sky, above the ground; null if there is none (cloud_ceiling_unlimited is then true) or it is not known
             * @example 6500
             */
            cloud_ceiling?: number | null;
            /**
             * @description Cover of low clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 10
             */
            cloud_cover_low?: number | null;
            /**
             * @description Cover of middle clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 20
             */
            cloud_cover_mid?: number | null;
            /**
             * @description Cover of high clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 40
             */
            cloud_cover_high?: number | null;
            /**
             * @description UV index
             * @example 6.2
             */
            uv_index?: number | null;
            /**
             * @description Sub-index of fine particles, AQI scale; null if no monitor is near
             * @example 42
             */
            pm25?: number | null;
            /**
             * @description Sub-index of ozone, AQI scale; null if no monitor is near
             * @example 51
             */
            ozone?: number | null;
            /**
             * @description Sub-index of coarse particles, AQI scale; null if no monitor is near
             * @example 18
             */
            pm10?: number | null;
            /**
             * @description Liquid equivalent that falls; null without radar coverage
             * @example 0.04
             */
            precip_rate?: number | null;
            /**
             * @description Liquid equivalent of the past 24 hours by gauge-corrected radar, always in mm; null without radar coverage
             * @example 3.2
             */
            precip_24h?: number | null;
            /**
             * @description Flashes in the area and time window of the source
             * @example 0.05
             */
            lightning_density?: number | null;
            /**
             * @description Direction from which the wind blows; null if calm or variable
             * @example 270
             */
            wind_direction?: number | null;
            /**
             * @description Air quality index of the US EPA: the greatest sub-index; null if no monitor is near
             * @example 51
             */
            aqi?: number | null;
            /**
             * @description Probability of lightning
             * @example 12
             */
            lightning_prob?: number | null;
            /**
             * @description Flashes seen from orbit near the point in the past minutes
             * @example 3
             */
            lightning_flashes?: number | null;
            /**
             * @description Category of the index
             * @example Moderate
             */
            aqi_category?: string | null;
            /**
             * @description What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown
             * @example rain
             */
            precip_type?: string;
            /**
             * @description Conditions in words
             * @example Partly Cloudy
             */
            conditions: string;
            /**
             * @description Slug of an icon
             * @example partly-cloudy-day
             */
            icon: string;
            /**
             * @description Severe conditions are present or imminent
             * @example false
             */
            severe?: boolean;
            /**
             * @description No layer covers more than half of the sky
             * @example true
             */
            cloud_ceiling_unlimited?: boolean;
        };
        /** @description One hour of the blend, named by its end. `precip_amount`, `precip_probability`, `precip_type`, `snow_amount`, `thunderstorm_probability`, `conditions`, `icon` and `severe` are for the 60 minutes that end at `time`; all other members are for `time`. The first row is the running hour, whole: its amounts include what has fallen since the last full hour, and `precip_probability` is 100 once a measurable amount has fallen, and at least 50 while precipitation is observed; its other probabilities are of its remaining minutes. Beyond the hourly range of the source, amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours (`meta.warnings`). Sums are preserved; no hour is likelier than its interval, and all its hours together are at least as likely. `thunder_possible` means a probability of thunder of 15 percent or CAPE of 1000 J/kg. Rows of hours that have ended (`past_hours`) have `source`, `product_id` and `precip_product_id`. Each comes from one analysis, with the liquid that was measured. Members that no analysis has are null or absent. An hour for which nothing is stored has no row, with a warning. */
        Hour: {
            /**
             * Format: date-time
             * @description Valid time
             * @example 2026-08-20T18:00:00Z
             */
            time: string;
            /**
             * @description Air temperature 2 m above the ground
             * @example 71.3
             */
            temperature?: number | null;
            /**
             * @description Heat index, wind chill, or the temperature itself
             * @example 71.3
             */
            feels_like?: number | null;
            /**
             * @description Relative humidity 2 m above the ground
             * @example 34
             */
            humidity?: number | null;
            /**
             * @description Dew point 2 m above the ground
             * @example 42.1
             */
            dew_point?: number | null;
            /**
             * @description Wind 10 m above the ground
             * @example 8.1
             */
            wind_speed?: number | null;
            /**
             * @description Gusts 10 m above the ground
             * @example 16.4
             */
            wind_gust?: number | null;
            /**
             * @description Direction from which the wind blows; null if calm or variable
             * @example 270
             */
            wind_direction?: number | null;
            /**
             * @description Pressure reduced to sea level
             * @example 30.05
             */
            pressure?: number | null;
            /**
             * @description Visibility at the ground; null if no source has it
             * @example 10
             */
            visibility?: number | null;
            /**
             * @description Share of the sky that is covered
             * @example 40
             */
            cloud_cover?: number | null;
            /**
             * @description Cover of low clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 10
             */
            cloud_cover_low?: number | null;
            /**
             * @description Cover of middle clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 20
             */
            cloud_cover_mid?: number | null;
            /**
             * @description Cover of high clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover
             * @example 40
             */
            cloud_cover_high?: number | null;
            /**
             * @description Height of the lowest layer that covers more than half of the sky, above the ground; null if there is none (cloud_ceiling_unlimited is then true) or it is not known
             * @example 6500
             */
            cloud_ceiling?: number | null;
            /**
             * @description Probability of measurable precipitation in the hour that ends at time; in the first row, the running hour, of the whole hour: 100 once a measurable amount has fallen in it, and at least 50 while precipitation is observed; null in hours for which no source gives it, as beyond the last hour of NBM
             * @example 30
             */
            precip_probability?: number | null;
            /**
             * @description Liquid equivalent of the 60 minutes that end at time: the first row is for the whole running hour, including what has fallen in it. It comes from measurements, then from the steps of the nowcast, then from the models
             * @example 0.02
             */
            precip_amount?: number | null;
            /**
             * @description Probability of rain if something falls; null without NBM
             * @example 100
             */
            precip_type_rain_prob?: number | null;
            /**
             * @description Probability of snow if something falls; null without NBM
             * @example 0
             */
            precip_type_snow_prob?: number | null;
            /**
             * @description Probability of freezing rain if something falls; null without NBM
             * @example 0
             */
            precip_type_freezing_rain_prob?: number | null;
            /**
             * @description Probability of ice pellets if something falls; null without NBM
             * @example 0
             */
            precip_type_ice_pellets_prob?: number | null;
            /**
             * @description Depth of new snow of the 60 minutes that end at time, as precip_amount; null if no source has snow
             * @example 0
             */
            snow_amount?: number | null;
            /**
             * @description Height above sea level at which snow turns to rain; null beyond the hours of NBM
             * @example 11200
             */
            snow_level?: number | null;
            /**
             * @description Probability of thunder in the hour that ends at time, at most precip_probability from 30 percent on; null in hours for which no source gives it
             * @example 10
             */
            thunderstorm_probability?: number | null;
            /**
             * @description Convective available potential energy
             * @example 450
             */
            cape?: number | null;
            /**
             * @description UV index
             * @example 6.2
             */
            uv_index?: number | null;
            /**
             * @description Air quality index of the US EPA: the greatest sub-index; null if no monitor is near
             * @example 51
             */
            aqi?: number | null;
            /**
             * @description Conditions in words
             * @example Partly Cloudy
             */
            conditions?: string;
            /**
             * @description Slug of an icon
             * @example partly-cloudy-day
             */
            icon?: string;
            /**
             * @description What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown
             * @example rain
             */
            precip_type?: string | null;
            /**
             * @description Severe conditions are present or imminent
             * @example false
             */
            severe?: boolean;
            /**
             * @description Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row
             * @example false
             */
            thunder_possible?: boolean;
            /**
             * @description No layer covers more than half of the sky
             * @example true
             */
            cloud_ceiling_unlimited?: boolean;
            /** @description Spread of the forecast, with include=uncertainty; null where NBM gives none, as beyond its last hour */
            uncertainty?: components["schemas"]["HourlyUncertainty"];
            /**
             * @description Only in hours that have ended: observed from URMA, analysis from RTMA; null if nothing is stored
             * @example observed
             * @enum {string|null}
             */
            source?: "observed" | "analysis" | null;
            /**
             * @description Only in hours that have ended: the analysis of the row; null if none is stored
             * @example urma
             * @enum {string|null}
             */
            product_id?: "urma" | "rtma" | "rtma-ru" | null;
            /**
             * @description Only in hours that have ended: the source of precip_amount; null if none is stored
             * @example mrms-qpe-1h
             * @enum {string|null}
             */
            precip_product_id?: "mrms-qpe-1h" | "mrms-qpe-1h-pass1" | null;
        };
        HourlyUncertainty: {
            /**
             * @description Standard deviation of temperature; null where NBM gives none
             * @example 2.1
             */
            temperature_stddev?: number | null;
            /**
             * @description Standard deviation of dew_point; null where NBM gives none
             * @example 2.4
             */
            dew_point_stddev?: number | null;
            /**
             * @description Standard deviation of wind_speed; null where NBM gives none
             * @example 1.8
             */
            wind_speed_stddev?: number | null;
            /**
             * @description Standard deviation of wind_gust; null where NBM gives none
             * @example 3.1
             */
            wind_gust_stddev?: number | null;
            /**
             * @description Probability of a visibility below 1 mile; null where NBM gives none
             * @example 1
             */
            visibility_prob_below_1mi?: number | null;
            /**
             * @description Probability of a visibility below 2 miles; null where NBM gives none
             * @example 1
             */
            visibility_prob_below_2mi?: number | null;
            /**
             * @description Probability of a visibility below 3 miles; null where NBM gives none
             * @example 2
             */
            visibility_prob_below_3mi?: number | null;
            /**
             * @description Probability of a visibility below 5 miles; null where NBM gives none
             * @example 4
             */
            visibility_prob_below_5mi?: number | null;
            /**
             * @description Probability of a ceiling below 500 ft; null where NBM gives none
             * @example 1
             */
            ceiling_prob_below_500ft?: number | null;
            /**
             * @description Probability of a ceiling below 1000 ft; null where NBM gives none
             * @example 1
             */
            ceiling_prob_below_1000ft?: number | null;
            /**
             * @description Probability of a ceiling below 2000 ft; null where NBM gives none
             * @example 2
             */
            ceiling_prob_below_2000ft?: number | null;
            /**
             * @description Probability of a ceiling below 3000 ft; null where NBM gives none
             * @example 5
             */
            ceiling_prob_below_3000ft?: number | null;
            /**
             * @description Probability of a ceiling below 6600 ft; null where NBM gives none
             * @example 20
             */
            ceiling_prob_below_6600ft?: number | null;
            /**
             * @description Median of wind_speed; null where NBM gives none
             * @example 7.9
             */
            wind_speed_p50?: number | null;
            /**
             * @description Probability of a wind of more than 75 mph; null until NBM gives it
             * @example 0
             */
            wind_speed_prob_gt_75mph?: number | null;
            /**
             * @description Probability of a visibility below 1 mile (1,600 m), from REFS; null where REFS gives none
             * @example 2
             */
            ensemble_visibility_prob_below_1mi?: number | null;
            /**
             * @description Probability of a visibility below 3 miles (4,829 m), from REFS; null where REFS gives none
             * @example 4
             */
            ensemble_visibility_prob_below_3mi?: number | null;
            /**
             * @description Probability of a visibility below 5 miles (8,049 m), from REFS; null where REFS gives none
             * @example 7
             */
            ensemble_visibility_prob_below_5mi?: number | null;
            /**
             * @description Probability of a ceiling below 500 ft (152.4 m), from REFS; null where REFS gives none
             * @example 2
             */
            ensemble_ceiling_prob_below_500ft?: number | null;
            /**
             * @description Probability of a ceiling below 1000 ft (305 m), from REFS; null where REFS gives none
             * @example 4
             */
            ensemble_ceiling_prob_below_1000ft?: number | null;
            /**
             * @description Probability of a ceiling below 3000 ft (915 m), from REFS; null where REFS gives none
             * @example 9
             */
            ensemble_ceiling_prob_below_3000ft?: number | null;
            /**
             * @description Probability of more than 0.01 in (0.254 mm) of precipitation in the hour that ends at time, from REFS; null where REFS gives none
             * @example 21
             */
            ensemble_precip_probability?: number | null;
            /**
             * @description Number of members that the probabilities of visibility and ceiling from REFS count: up to 14, fewer at later hours; null where REFS gives none
             * @example 14
             */
            ensemble_members?: number | null;
        } | null;
        /** @description The 24 hours from 06:00 of `date` to 05:59 of the next date, by the local clock, not from midnight to midnight. `high` is for the day (06:00 to 17:59), `low` for the night that follows, not for the morning before. Before 06:00 the first row is yesterday (`relative_day` -1), whose night is running. In the current row `high`, `low`, `feels_like_high`, `feels_like_low`, the totals, `wind_gust_max`, `uv_index_max`, `dew_point_max` and `dew_point_min` are for all hours: passed hours come from analyses and measured amounts, future hours from the rows of `hourly`. All other members are for the future hours. If passed hours are not stored, the members that need them are null, with a warning `partial_day`. */
        Day: {
            /**
             * Format: date
             * @description Local calendar date
             * @example 2026-08-20
             */
            date: string;
            /**
             * @description Days from the local date of now: -1 is yesterday, whose night is running, 0 today, 1 tomorrow
             * @example 0
             */
            relative_day: number;
            /**
             * @description The half that contains now: day 06:00 to 17:59, night 18:00 to 05:59; null in all other rows
             * @example day
             * @enum {string|null}
             */
            active_period: "day" | "night" | null;
            /**
             * @description Highest temperature of the day
             * @example 84.5
             */
            high?: number | null;
            /**
             * @description Lowest temperature of the night
             * @example 58.2
             */
            low?: number | null;
            /**
             * @description Probability of measurable precipitation; null if no source gives it
             * @example 30
             */
            precip_probability?: number | null;
            /**
             * @description Liquid equivalent of the 24 hours from 06:00, the sum of precip_amount over all hours, including passed hours; null with partial_day
             * @example 0.12
             */
            precip_total?: number | null;
            /**
             * @description Part of precip_total that fell in hours that have ended; 0 in rows to come; null with partial_day
             * @example 0
             */
            precip_fallen?: number | null;
            /**
             * @description Depth of new snow of the 24 hours from 06:00, passed hours included, by the snow ratio of the hour if no depth is known; null with partial_day
             * @example 0
             */
            snow_total?: number | null;
            /**
             * @description Ice from freezing rain in the row; null if no source covers it
             * @example 0
             */
            ice_total?: number | null;
            /**
             * @description Greatest wind of the day
             * @example 14.2
             */
            wind_speed_max?: number | null;
            /**
             * @description Greatest gust of the day
             * @example 28.7
             */
            wind_gust_max?: number | null;
            /**
             * @description Mean of humidity
             * @example 38
             */
            humidity_avg?: number | null;
            /**
             * @description Mean of cloud_cover
             * @example 35
             */
            cloud_cover_avg?: number | null;
            /**
             * @description Greatest UV index of the day
             * @example 8.4
             */
            uv_index_max?: number | null;
            /**
             * @description Greatest CAPE of the day
             * @example 900
             */
            cape_max?: number | null;
            /**
             * @description Highest dew point of the day
             * @example 46.2
             */
            dew_point_max?: number | null;
            /**
             * @description Lowest dew point of the day
             * @example 38.9
             */
            dew_point_min?: number | null;
            /**
             * @description Mean of pressure
             * @example 30.02
             */
            pressure_avg?: number | null;
            /**
             * @description Least visibility of the day
             * @example 9.4
             */
            visibility_min?: number | null;
            /**
             * @description Lowest ceiling of the day; null if there is none (cloud_ceiling_unlimited is then true) or it is not known
             * @example 5200
             */
            cloud_ceiling_min?: number | null;
            /**
             * @description Greatest probability of thunder of the day, at most precip_probability; null beyond day 8, for which NBM gives none
             * @example 20
             */
            thunderstorm_probability_max?: number | null;
            /**
             * @description Greatest air quality index of the day; null without a forecast of AirNow for the place and date
             * @example 61
             */
            aqi_max?: number | null;
            /**
             * @description Highest feels_like of the day
             * @example 83.9
             */
            feels_like_high?: number | null;
            /**
             * @description Lowest feels_like of the night
             * @example 58.2
             */
            feels_like_low?: number | null;
            /**
             * @description Greatest downward shortwave radiation of the day; null if the hour with the highest sun is not known, as beyond the hourly steps of NBM
             * @example 880
             */
            solar_radiation_max?: number | null;
            /**
             * @description Height above sea level at which snow turns to rain; null beyond the hours of NBM
             * @example 11200
             */
            snow_level?: number | null;
            /**
             * @description Direction from which the wind blows; null if calm or variable
             * @example 270
             */
            wind_direction?: number | null;
            /**
             * @description The most significant weather of the row; in the current row, of its remaining hours. The words end in `at Night` if that weather is only at night
             * @example Rain Showers Likely, Chance Thunderstorms
             */
            conditions?: string;
            /**
             * @description Icon of `conditions` for local noon; icons of the night are in `night`
             * @example showers-day
             */
            icon?: string;
            /**
             * @description Severe conditions are present or imminent
             * @example false
             */
            severe?: boolean;
            /**
             * @description Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row
             * @example false
             */
            thunder_possible?: boolean;
            /**
             * @description No layer covers more than half of the sky
             * @example true
             */
            cloud_ceiling_unlimited?: boolean;
            /**
             * @description Whether two sources of the row contradict each other
             * @example false
             */
            sources_disagree?: boolean;
            /** @description Sun and moon of a local calendar date */
            astro?: components["schemas"]["Astro"];
            /** @description 06:00 to 17:59 by the local clock */
            day?: components["schemas"]["DailyPeriod"];
            /** @description 18:00 to 05:59 of the next date by the local clock */
            night?: components["schemas"]["DailyPeriod"];
            /** @description Threats of the day */
            threats?: components["schemas"]["DailyThreat"][];
            /** @description Spread of the forecast, with include=uncertainty; null where NBM gives none, as beyond its last hour */
            uncertainty?: components["schemas"]["DailyUncertainty"];
            /** @description Normals of the date and the departures of the forecast from them */
            climate?: components["schemas"]["DailyClimate"];
        };
        /** @description Events of the local calendar date; an event that does not occur on it is null. `day_length` is for the daylight around the solar noon of the date, even if the sun sets after midnight. */
        Astro: {
            /**
             * Format: date-time
             * @description Sun 6° below the horizon before sunrise; null if this does not occur on the date
             * @example 2026-08-20T11:48:00Z
             */
            civil_dawn: string | null;
            /**
             * Format: date-time
             * @description Upper limb at the horizon; null on polar day and night
             * @example 2026-08-20T12:17:00Z
             */
            sunrise: string | null;
            /**
             * Format: date-time
             * @description Sun highest
             * @example 2026-08-20T19:03:00Z
             */
            solar_noon: string | null;
            /**
             * Format: date-time
             * @description Upper limb at the horizon; null on polar day and night
             * @example 2026-08-21T01:48:00Z
             */
            sunset: string | null;
            /**
             * Format: date-time
             * @description Sun 6° below the horizon after sunset; null if this does not occur on the date
             * @example 2026-08-21T02:17:00Z
             */
            civil_dusk: string | null;
            /**
             * Format: date-time
             * @description Moonrise; null if it does not occur on the date
             * @example 2026-08-20T20:10:00Z
             */
            moonrise: string | null;
            /**
             * Format: date-time
             * @description Moonset; null if it does not occur on the date
             * @example 2026-08-20T05:41:00Z
             */
            moonset: string | null;
            /**
             * @description Time from sunrise to sunset; 86400 under the midnight sun, 0 in the polar night
             * @example 48660
             */
            day_length: number;
            /**
             * @description Time from civil dawn to civil dusk; 86400 if civil twilight never ends
             * @example 52140
             */
            daylight_length: number;
            /**
             * @description Phase: 0 and 1 new, 0.5 full
             * @example 0.25
             */
            moon_phase: number;
            /**
             * @description Name of the phase
             * @example First Quarter
             */
            moon_phase_name: string;
            /**
             * @description Lit part of the disc
             * @example 0.5
             */
            moon_illumination: number;
            /**
             * @description Set if the sun neither rises nor sets; else null
             * @example midnight_sun
             * @enum {string|null}
             */
            polar?: "midnight_sun" | "polar_night" | null;
        };
        /** @description Day from 06:00 to 17:59, night from 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day and the lowest of the night; `feels_like` is for the hour of that extreme. `wind_speed`, `wind_direction`, `cloud_cover`, `humidity`, `dew_point` and `pressure` are means over the hours; `wind_gust`, `uv_index`, `cape` and the probabilities are greatest values; `visibility` and `cloud_ceiling` are least values; the totals are sums. In the running half all members but the temperature are for the remaining hours. A half that has passed has analyzed and measured values and no probabilities. */
        DailyPeriod: {
            /**
             * @description Highest temperature of the day, lowest of the night; null if not known
             * @example 84.5
             */
            temperature?: number | null;
            /**
             * @description Mean wind speed of the hours
             * @example 8.1
             */
            wind_speed?: number | null;
            /**
             * @description Probability of measurable precipitation in the half: at least that of each hour; null in a half that has passed
             * @example 30
             */
            precip_probability?: number | null;
            /**
             * @description Sum of precip_amount over the hours of the half. In the running half only the hours that have not ended count, including the whole running hour. Null if no source covers the half
             * @example 0.12
             */
            precip_total?: number | null;
            /**
             * @description Sum of snow_amount over the same hours as precip_total; null if no source covers the half
             * @example 0
             */
            snow_total?: number | null;
            /**
             * @description Sum of ice_amount over the same hours as precip_total; null if no source covers the half
             * @example 0
             */
            ice_total?: number | null;
            /**
             * @description Mean relative humidity of the hours
             * @example 41
             */
            humidity?: number | null;
            /**
             * @description Mean cloud cover of the hours
             * @example 35
             */
            cloud_cover?: number | null;
            /**
             * @description Greatest gust of the hours
             * @example 22.4
             */
            wind_gust?: number | null;
            /**
             * @description Mean dew point of the hours
             * @example 51.3
             */
            dew_point?: number | null;
            /**
             * @description Feels-like temperature of the hour whose temperature is nearest to that of the half
             * @example 84.1
             */
            feels_like?: number | null;
            /**
             * @description Least visibility of the hours
             * @example 9.4
             */
            visibility?: number | null;
            /**
             * @description Mean sea-level pressure of the hours; null beyond the range of its sources
             * @example 30.02
             */
            pressure?: number | null;
            /**
             * @description Lowest ceiling of the hours; null with cloud_ceiling_unlimited if there is none, null alone if not known
             * @example 5200
             */
            cloud_ceiling?: number | null;
            /**
             * @description Greatest UV index of the hours; absent at night
             * @example 8.4
             */
            uv_index?: number | null;
            /**
             * @description Greatest probability of thunder of the hours and of the longest interval that a source gives, at most precip_probability; null if no source gives it
             * @example 20
             */
            thunderstorm_probability?: number | null;
            /**
             * @description Greatest CAPE of the hours
             * @example 900
             */
            cape?: number | null;
            /**
             * @description Always null: AirNow forecasts whole days, see aqi_max
             * @example 61
             */
            aqi?: number | null;
            /**
             * @description Direction of the vector mean of the wind of the hours
             * @example 225
             */
            wind_direction?: number | null;
            /**
             * @description What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown
             * @example rain
             */
            precip_type?: string;
            /**
             * @description Conditions in words
             * @example Partly Cloudy
             */
            conditions?: string;
            /**
             * @description Slug of an icon
             * @example partly-cloudy-day
             */
            icon?: string;
            /**
             * @description The half in words
             * @example Sunny, with a high near 85.
             */
            narrative?: string;
            /**
             * @description Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row
             * @example false
             */
            thunder_possible?: boolean;
            /**
             * @description Severe conditions are present or imminent
             * @example false
             */
            severe?: boolean;
            /**
             * @description No layer covers more than half of the sky
             * @example true
             */
            cloud_ceiling_unlimited?: boolean;
        };
        /** @description A threat from an outlook that is mostly for the day (severe, fire, flood) or from the numbers of the row: winter (1 inch of snow or more, ice), heat (feels like 95 °F or more), cold (-18 °F or less), wind (gusts of 46 mph or more). */
        DailyThreat: {
            /**
             * @description Kind: severe, winter, heat, cold, wind, fire, flood
             * @example severe
             */
            type: string;
            /**
             * @description Risk code of the outlook
             * @example SLGT
             */
            risk?: string;
            /**
             * @description Probability within 25 miles of a point
             * @example 0.15
             */
            probability?: number;
            /**
             * @description Risk in words
             * @example Slight
             */
            risk_label: string;
        };
        DailyUncertainty: {
            /**
             * @description Mean of temperature_stddev; null where NBM gives none
             * @example 2.2
             */
            temperature_stddev_avg?: number | null;
            /**
             * @description Mean of dew_point_stddev; null where NBM gives none
             * @example 2.4
             */
            dew_point_stddev_avg?: number | null;
            /**
             * @description Mean of wind_speed_stddev; null where NBM gives none
             * @example 1.9
             */
            wind_speed_stddev_avg?: number | null;
            /**
             * @description Mean of wind_gust_stddev; null where NBM gives none
             * @example 3.3
             */
            wind_gust_stddev_avg?: number | null;
            /**
             * @description Greatest probability of a visibility below 1 mile; null where NBM gives none
             * @example 2
             */
            visibility_prob_below_1mi_max?: number | null;
            /**
             * @description Greatest probability of a ceiling below 1000 ft; null where NBM gives none
             * @example 3
             */
            ceiling_prob_below_1000ft_max?: number | null;
            /**
             * @description Snow that is exceeded with a probability of 90 percent in the 24 hours from snow_window_start; null in Alaska and Hawaii, for which NBM gives no percentiles, and where none of its windows of 24 hours, which end at 12Z, shares 22 hours with the row and has its snow: the sums of snow_amount differ by more than a tenth and by more than 0.1 in (2.54 mm). So the percentiles can be shown beside snow_total
             * @example 0
             */
            snow_total_p10?: number | null;
            /**
             * @description Median of the snow in the same 24 hours; null with snow_total_p10
             * @example 0
             */
            snow_total_p50?: number | null;
            /**
             * @description Snow that is exceeded with a probability of 10 percent in the same 24 hours; null with snow_total_p10
             * @example 0.4
             */
            snow_total_p90?: number | null;
            /**
             * @description Probability of more than 1 inch of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none
             * @example 5
             */
            snow_prob_gt_1in?: number | null;
            /**
             * @description Probability of more than 2 inches of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none
             * @example 2
             */
            snow_prob_gt_2in?: number | null;
            /**
             * @description Probability of more than 4 inches of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none
             * @example 0
             */
            snow_prob_gt_4in?: number | null;
            /**
             * Format: date-time
             * @description Start of the 24 hours that the percentiles and probabilities of snow are for; null without them
             * @example 2026-11-23T12:00:00Z
             */
            snow_window_start: string | null;
            /**
             * Format: date-time
             * @description End of the 24 hours that the percentiles and probabilities of snow are for; null without them
             * @example 2026-11-24T12:00:00Z
             */
            snow_window_end: string | null;
            /**
             * @description Probability of more than 1 inch (25 mm) of snow near the point in the 24 hours to ensemble_window_end, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none
             * @example 43
             */
            ensemble_snow_nearby_prob_gt_1in?: number | null;
            /**
             * @description Probability of more than 3 inches (76 mm) of snow near the point in the 24 hours to ensemble_window_end, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none
             * @example 21
             */
            ensemble_snow_nearby_prob_gt_3in?: number | null;
            /**
             * @description Probability of more than 6 inches (152 mm) of snow near the point in the 24 hours to ensemble_window_end, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none
             * @example 7
             */
            ensemble_snow_nearby_prob_gt_6in?: number | null;
            /**
             * @description Probability of more than 12 inches (304 mm) of snow near the point in the 24 hours to ensemble_window_end, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none
             * @example 0
             */
            ensemble_snow_nearby_prob_gt_12in?: number | null;
            /**
             * @description Probability of more than 18 inches (457 mm) of snow near the point in the 24 hours to ensemble_window_end, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none
             * @example 0
             */
            ensemble_snow_nearby_prob_gt_18in?: number | null;
            /**
             * @description Probability of more than 0.10 in (2.54 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 62
             */
            ensemble_precip_prob_gt_010in?: number | null;
            /**
             * @description Probability of more than 0.25 in (6.35 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 41
             */
            ensemble_precip_prob_gt_025in?: number | null;
            /**
             * @description Probability of more than 0.50 in (12.7 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 18
             */
            ensemble_precip_prob_gt_050in?: number | null;
            /**
             * @description Probability of more than 1 in (25.4 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 6
             */
            ensemble_precip_prob_gt_100in?: number | null;
            /**
             * @description Probability of more than 2 in (50.8 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 1
             */
            ensemble_precip_prob_gt_200in?: number | null;
            /**
             * @description Probability of more than 3 in (76.2 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 0
             */
            ensemble_precip_prob_gt_300in?: number | null;
            /**
             * @description Probability of more than 5 in (127 mm) of precipitation in the 24 hours to ensemble_window_end, from the ensemble agreement scale of REFS; null where REFS gives none
             * @example 0
             */
            ensemble_precip_prob_gt_500in?: number | null;
            /**
             * @description Number of members that REFS counts at ensemble_window_end; null where REFS gives none
             * @example 14
             */
            ensemble_members?: number | null;
            /**
             * Format: date-time
             * @description Start of the 24 hours of the probabilities from REFS, which share at least 22 hours with the row; null without them
             * @example 2026-11-23T12:00:00Z
             */
            ensemble_window_start: string | null;
            /**
             * Format: date-time
             * @description End of the 24 hours of the probabilities from REFS; null without them
             * @example 2026-11-24T12:00:00Z
             */
            ensemble_window_end: string | null;
        } | null;
        DailyClimate: {
            /**
             * @description Normal high of the date
             * @example 87.4
             */
            normal_high?: number | null;
            /**
             * @description Normal low of the date
             * @example 58.9
             */
            normal_low?: number | null;
            /**
             * @description high minus normal_high
             * @example -2.9
             */
            high_departure?: number | null;
            /**
             * @description low minus normal_low
             * @example -0.7
             */
            low_departure?: number | null;
        } | null;
        Alert: {
            /**
             * @description Id of the NWS message
             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
             */
            id: string;
            /**
             * @description Name of the event
             * @example Severe Thunderstorm Warning
             */
            event: string;
            /**
             * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
             * @example Severe
             */
            severity: string;
            /**
             * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
             * @example Immediate
             */
            urgency: string;
            /**
             * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
             * @example Observed
             */
            certainty: string;
            /**
             * @description Headline of the message
             * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
             */
            headline: string;
            /**
             * @description Issuing office
             * @example NWS Denver CO
             */
            sender: string;
            /**
             * @description Actual; Exercise and Test are not warnings
             * @example Actual
             * @enum {string}
             */
            status: "Actual" | "Exercise" | "Test";
            /**
             * Format: date-time
             * @description Start of the event
             * @example 2026-08-20T21:12:00Z
             */
            onset: string;
            /**
             * Format: date-time
             * @description End of the event
             * @example 2026-08-20T22:00:00Z
             */
            ends: string;
            /**
             * Format: date-time
             * @description Start of the validity of the message
             * @example 2026-08-20T21:12:00Z
             */
            effective: string;
            /**
             * Format: date-time
             * @description End of the validity of the message
             * @example 2026-08-20T22:00:00Z
             */
            expires: string;
            /**
             * Format: date-time
             * @description Time at which the alert is over: ends, else expires
             * @example 2026-08-20T22:00:00Z
             */
            expiration: string;
            /**
             * @description Areas in words
             * @example Denver; Adams; Arapahoe
             */
            area_desc?: string;
            /**
             * @description Chosen parameters of the message, such as the hail size, by name
             * @example {
             *       "maxHailSize": "1.00 in"
             *     }
             */
            highlights?: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        Outlook: {
            /**
             * @description Id of the dataset in /v1/catalog
             * @example spc-outlooks
             */
            product_id: string;
            /**
             * @description Subject of the outlook: severe, tornado, hail, wind, fire, flood
             * @example severe
             */
            type: string;
            /**
             * @description Risk in words
             * @example Slight
             */
            risk_label: string;
            /**
             * @description Day of the outlook: 1 is today
             * @example 1
             */
            day: number;
            /**
             * Format: date-time
             * @description Start of the outlook
             * @example 2026-08-20T12:00:00Z
             */
            valid: string;
            /**
             * Format: date-time
             * @description End of the outlook
             * @example 2026-08-21T12:00:00Z
             */
            expires: string;
            /**
             * @description Risk code of the outlook
             * @example SLGT
             */
            risk?: string;
            /**
             * @description Probability within 25 miles of a point
             * @example 0.15
             */
            probability?: number;
            /**
             * @description Inside the area of significant severe weather: EF2 tornadoes, hail of 2 inches, gusts of 65 kt; left out if this is not known
             * @example false
             */
            significant?: boolean;
            /**
             * @description Conditional intensity group (CIG 1 to 3) of the severe weather, if the outlook has one
             * @example 2
             */
            intensity_group?: number;
        };
        Guidance: {
            /** @description Area forecast discussion */
            afd?: components["schemas"]["AFD"];
            /** @description Hazardous weather outlook */
            hwo?: {
                /**
                 * @description Text for the first day
                 * @example Isolated thunderstorms this afternoon.
                 */
                day_one?: string;
                /**
                 * @description Summary of the text
                 * @example Severe thunderstorms are possible this afternoon.
                 */
                summary?: string;
                /**
                 * @description Whole text
                 * @example .SYNOPSIS...
                 */
                body?: string;
                /**
                 * @description Whether the text names a hazard for today
                 * @example true
                 */
                has_active_hazards: boolean;
                /**
                 * Format: date-time
                 * @description Time of issue; null if the text has none
                 * @example 2026-08-20T18:31:00Z
                 */
                issued_at?: string | null;
            };
            /** @description Short-term forecast of the office */
            now?: {
                /**
                 * @description Summary of the text
                 * @example Severe thunderstorms are possible this afternoon.
                 */
                summary?: string;
                /**
                 * @description Forecast office
                 * @example BOU
                 */
                wfo?: string;
                /**
                 * @description Whole text
                 * @example .SYNOPSIS...
                 */
                body?: string;
                /**
                 * Format: date-time
                 * @description Time of issue; null if the text has none
                 * @example 2026-08-20T18:31:00Z
                 */
                issued_at?: string | null;
            };
            /** @description Hurricane local statement */
            hls?: {
                /**
                 * @description Summary of the text
                 * @example Severe thunderstorms are possible this afternoon.
                 */
                summary?: string;
                /**
                 * @description Forecast office
                 * @example BOU
                 */
                wfo?: string;
                /**
                 * @description Whole text
                 * @example .SYNOPSIS...
                 */
                body?: string;
                /**
                 * Format: date-time
                 * @description Time of issue; null if the text has none
                 * @example 2026-08-20T18:31:00Z
                 */
                issued_at?: string | null;
            };
            /**
             * @description Mesoscale discussions whose area covers the point now
             * @example 1
             */
            active_mcds: number;
            /** @description These discussions */
            mcds?: components["schemas"]["MCD"][];
            /**
             * @description Mesoscale precipitation discussions whose area covers the point now
             * @example 0
             */
            active_mpds?: number;
            /** @description These discussions */
            mpds?: components["schemas"]["MPD"][];
            /** @description Discussions of the Weather Prediction Center */
            pmds?: components["schemas"]["PMD"][];
            /**
             * @description Categorical risk of the convective outlook of day 1
             * @example Slight
             */
            swo_day1_risk?: string;
        };
        AFD: {
            /**
             * @description Synopsis of the discussion
             * @example High pressure builds over the region.
             */
            synopsis?: string;
            /**
             * @description Key message of the discussion
             * @example Afternoon thunderstorms on the plains.
             */
            key_takeaway?: string;
            /**
             * @description Confidence of the forecasters in words
             * @example High
             */
            confidence?: string;
            /**
             * @description Forecast office
             * @example BOU
             */
            wfo?: string;
            /**
             * @description Whole text
             * @example .SYNOPSIS...
             */
            body?: string;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at?: string | null;
        };
        MCD: {
            /**
             * @description Number of the discussion in its year
             * @example 1525
             */
            mcd_number: number;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at?: string | null;
            /**
             * Format: date-time
             * @description Time at which the text expires; null if it does not
             * @example 2026-08-20T20:30:00Z
             */
            expires_at?: string | null;
            /**
             * @description Subject of the text
             * @example SEVERE POTENTIAL...WATCH LIKELY
             */
            concerning?: string;
            /**
             * @description Area in words
             * @example Northeast Colorado
             */
            areas_affected?: string;
            /**
             * @description Summary of the text
             * @example Severe thunderstorms are possible this afternoon.
             */
            summary?: string;
            /**
             * @description Whole text
             * @example .SYNOPSIS...
             */
            body?: string;
            /**
             * @description Probability that a watch follows
             * @example 80
             */
            watch_probability?: number | null;
        };
        MPD: {
            /**
             * @description Number of the discussion in its year
             * @example 812
             */
            mpd_number: number;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at?: string | null;
            /**
             * Format: date-time
             * @description Time at which the text expires; null if it does not
             * @example 2026-08-20T20:30:00Z
             */
            expires_at?: string | null;
            /**
             * @description Subject of the text
             * @example SEVERE POTENTIAL...WATCH LIKELY
             */
            concerning?: string;
            /**
             * @description Area in words
             * @example Northeast Colorado
             */
            areas_affected?: string;
            /**
             * @description Flash flooding: possible, likely, occurring
             * @example likely
             */
            flash_flood_tier?: string;
            /**
             * @description Summary of the text
             * @example Severe thunderstorms are possible this afternoon.
             */
            summary?: string;
            /**
             * @description Whole text
             * @example .SYNOPSIS...
             */
            body?: string;
        };
        PMD: {
            /**
             * @description AWIPS id of the text
             * @example PMDSPD
             */
            awips_id?: string;
            /**
             * @description Desk of the discussion: SPD, EPD, HI, CA, MRD, THR, ENS
             * @example SPD
             */
            pmd_desk?: string;
            /**
             * @description Summary of the text
             * @example Severe thunderstorms are possible this afternoon.
             */
            summary?: string;
            /**
             * @description Whole text
             * @example .SYNOPSIS...
             */
            body?: string;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at?: string | null;
        };
        Nowcast: {
            /**
             * @description Time between points
             * @example 300
             */
            interval_seconds: number;
            /**
             * Format: date-time
             * @description Time of the radar scan on which the nowcast is based
             * @example 2026-08-20T18:02:00Z
             */
            generated_at: string;
            /** @description When precipitation begins and ends */
            summary?: components["schemas"]["NowcastSummary"];
            /** @description Steps of the next 90 minutes */
            points: components["schemas"]["NowcastPoint"][];
        };
        NowcastSummary: {
            /**
             * Format: date-time
             * @description Start of the first precipitation that lasts for two steps; null without precipitation
             * @example 2026-08-20T18:20:00Z
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description Time at which precipitation ends; null if it lasts longer
             * @example 2026-08-20T18:50:00Z
             */
            ends_at?: string | null;
            /**
             * @description Minutes from starts_at to ends_at; null without precipitation and if it lasts to the end of the nowcast
             * @example 25
             */
            duration_minutes?: number | null;
            /**
             * @description Type of most steps of the precipitation
             * @example rain
             * @enum {string}
             */
            type: "rain" | "snow" | "freezing_rain" | "wintry_mix" | "unknown" | "none";
            /**
             * @description Greatest intensity
             * @example moderate
             */
            peak_intensity?: string;
            /**
             * @description Whether it is falling already
             * @example false
             */
            already_occurring?: boolean;
        };
        NowcastPoint: {
            /**
             * Format: date-time
             * @description Valid time
             * @example 2026-08-20T18:00:00Z
             */
            time: string;
            /**
             * @description Type of precipitation
             * @example rain
             * @enum {string}
             */
            type: "none" | "rain" | "snow" | "freezing_rain" | "wintry_mix" | "no_coverage" | "unknown";
            /**
             * @description Reflectivity
             * @example 31.5
             */
            intensity_dbz: number;
            /**
             * @description Intensity in words
             * @example light
             */
            intensity: string;
            /**
             * @description Liquid equivalent that falls; null without radar coverage
             * @example 0.04
             */
            precip_rate?: number | null;
            /**
             * @description Probability of measurable precipitation; null if no source gives it
             * @example 30
             */
            precip_probability?: number | null;
        };
        RadarPoint: {
            /**
             * @description Id of the dataset in /v1/catalog
             * @example nbm
             */
            product_id: string;
            /**
             * Format: date-time
             * @description Valid time of the values
             * @example 2026-08-20T18:00:00Z
             */
            valid_time: string;
            /** @description The nearest radar and what its lowest beam sees at the point; null if no single radar is stored */
            site: components["schemas"]["RadarSitePoint"];
            /**
             * @description Reflectivity; null if dry or without coverage
             * @example 31.5
             */
            reflectivity_dbz?: number | null;
            /**
             * @description Liquid equivalent that falls; null without radar coverage
             * @example 0.04
             */
            precip_rate?: number | null;
            /**
             * @description value, dry, or no_coverage: no radar sees the point
             * @example value
             * @enum {string}
             */
            coverage: "value" | "dry" | "no_coverage";
        };
        /** @description The lowest beam of the nearest radar with a scan of the last 20 minutes, else the nearest radar with `valid_time` null. Velocities are in `units.wind_speed`, positive away from the radar. */
        RadarSitePoint: {
            /**
             * @description Id of the station, radar, office or zone
             * @example KDEN
             */
            id: string;
            /**
             * @description Name
             * @example Denver
             */
            name: string;
            /**
             * @description Latitude, north is positive
             * @example 39.74
             */
            lat: number;
            /**
             * @description Longitude, west is negative
             * @example -104.99
             */
            lon: number;
            /**
             * @description Distance from the point
             * @example 28.4
             */
            distance_km: number;
            /**
             * Format: date-time
             * @description Valid time of the values
             * @example 2026-08-20T18:00:00Z
             */
            valid_time: string | null;
            /**
             * @description Elevation of the beam above the horizon
             * @example 0.5
             */
            elevation_angle: number | null;
            /**
             * @description value, dry, or no_coverage: without a scan, out of range, or a range-folded echo
             * @example value
             * @enum {string}
             */
            coverage: "value" | "dry" | "no_coverage";
            /**
             * @description Reflectivity; null if dry or without coverage
             * @example 31.5
             */
            reflectivity_dbz: number | null;
            /**
             * @description Velocity along the beam, positive away from the radar; null if there is none
             * @example -14.5
             */
            radial_velocity: number | null;
            /**
             * @description radial_velocity minus the mean motion of storms, in coarse steps; null if there is none
             * @example -6.1
             */
            storm_relative_velocity: number | null;
            /**
             * @description Type of the scatterers: rain, heavy_rain, wet_snow, dry_snow, hail_rain, graupel, ground_clutter, …; null if there is none
             * @example wet_snow
             */
            hydrometeor: string | null;
        } | null;
        ClimateNormals: {
            /** @description Station of the normals */
            station: {
                /**
                 * @description Id of the station
                 * @example KDEN
                 */
                station_id: string;
                /**
                 * @description Name
                 * @example Denver
                 */
                name: string;
                /**
                 * @description Postal abbreviation of the state
                 * @example CO
                 */
                state?: string;
                /**
                 * @description Latitude of the station, north is positive
                 * @example 39.8328
                 */
                latitude: number;
                /**
                 * @description Longitude of the station, west is negative
                 * @example -104.6575
                 */
                longitude: number;
                /**
                 * @description Height above sea level
                 * @example 1656
                 */
                elevation_m?: number | null;
                /**
                 * @description Distance from the point
                 * @example 28.4
                 */
                distance_km: number;
            };
            /** @description Metadata of the normals */
            meta: {
                /**
                 * @description Years of the normals
                 * @example 1991-2020
                 */
                normals_period: string;
                /**
                 * @description Whether the normals are for a station or a grid
                 * @example station
                 * @enum {string}
                 */
                source: "station" | "grid" | "mixed";
                /**
                 * @description Method of the normals
                 * @example NCEI daily normals
                 */
                normals_method: string;
                /**
                 * @description Unit of the temperatures
                 * @example degF
                 */
                unit: string;
                /**
                 * @description Whether the station is far from the point
                 * @example false
                 */
                approximate: boolean;
                /**
                 * @description Days without a normal
                 * @example 0
                 */
                missing_days: number;
            };
            /** @description Normals by date */
            days: {
                /**
                 * Format: date
                 * @description Local calendar date
                 * @example 2026-08-20
                 */
                date: string;
                /**
                 * @description Month of the year
                 * @example 8
                 */
                month: number;
                /**
                 * @description Day of the month
                 * @example 20
                 */
                day: number;
                /**
                 * @description Normal high of the date
                 * @example 87.4
                 */
                normal_high?: number | null;
                /**
                 * @description Normal low of the date
                 * @example 58.9
                 */
                normal_low?: number | null;
                /**
                 * @description Normal mean of the date
                 * @example 73.2
                 */
                normal_mean?: number | null;
                /**
                 * @description Standard deviation of the high
                 * @example 7.1
                 */
                normal_high_stddev?: number | null;
                /**
                 * @description Standard deviation of the low
                 * @example 5.2
                 */
                normal_low_stddev?: number | null;
                /**
                 * @description Standard deviation of the mean
                 * @example 5.6
                 */
                normal_mean_stddev?: number | null;
                /**
                 * @description Normal precipitation of the date
                 * @example 0.05
                 */
                normal_precip?: number | null;
                /**
                 * @description Number of years that the normal is based on
                 * @example 30
                 */
                years?: number;
                /**
                 * @description NCEI's flag of completeness
                 * @example S
                 */
                completeness_flag?: string;
            }[];
            /** @description The place of the answer */
            location?: components["schemas"]["Location"];
        };
        Metar: {
            /**
             * @description Id of the station
             * @example KDEN
             */
            station_id: string;
            /**
             * @description Distance from the point
             * @example 28.4
             */
            distance_km: number;
            /**
             * Format: date-time
             * @description Time of the report
             * @example 2026-08-20T17:53:00Z
             */
            observed_at: string;
            /**
             * @description Age of the report
             * @example 11
             */
            age_min: number;
            /**
             * @description Lowest broken or overcast layer above the station
             * @example 6500
             */
            ceiling_ft?: number | null;
            /** @description Layers of clouds, the lowest first */
            layers?: {
                /**
                 * @description Cover: FEW, SCT, BKN, OVC, VV
                 * @example BKN
                 */
                cover: string;
                /**
                 * @description Base above the station
                 * @example 6500
                 */
                base_ft?: number | null;
                /**
                 * @description Convective cloud: CB or TCU
                 * @example CB
                 */
                convective?: string;
            }[];
            /**
             * @description Groups of present weather as reported
             * @example [
             *       "-RA"
             *     ]
             */
            weather?: string[];
        };
        GIS: {
            /**
             * @description Latitude, north is positive
             * @example 39.74
             */
            lat: number;
            /**
             * @description Longitude, west is negative
             * @example -104.99
             */
            lon: number;
            /**
             * @description Time zone by its IANA name
             * @example America/Denver
             */
            timezone: string;
            /**
             * @description City that contains the point
             * @example Denver
             */
            city?: string;
            /**
             * @description Nearest city
             * @example Denver
             */
            nearest_city?: string;
            /**
             * @description Postal abbreviation of the state
             * @example CO
             */
            state?: string;
            /**
             * @description County of the point
             * @example Denver County
             */
            county?: string;
            /**
             * @description Country by ISO 3166-1 alpha-2
             * @example US
             */
            country?: string;
            /**
             * @description Number of inhabitants; null if it is not known
             * @example 715522
             */
            population?: number | null;
            /** @description Nearest radar */
            nearest_radar?: {
                /**
                 * @description Id of the station, radar, office or zone
                 * @example KDEN
                 */
                id: string;
                /**
                 * @description Name
                 * @example Denver
                 */
                name: string;
                /**
                 * @description Latitude, north is positive
                 * @example 39.74
                 */
                lat: number;
                /**
                 * @description Longitude, west is negative
                 * @example -104.99
                 */
                lon: number;
                /**
                 * @description Distance from the point
                 * @example 28.4
                 */
                distance_km: number;
            };
            /** @description Nearest station */
            nearest_station?: {
                /**
                 * @description Id of the station, radar, office or zone
                 * @example KDEN
                 */
                id: string;
                /**
                 * @description Latitude, north is positive
                 * @example 39.74
                 */
                lat: number;
                /**
                 * @description Longitude, west is negative
                 * @example -104.99
                 */
                lon: number;
                /**
                 * @description Distance from the point
                 * @example 28.4
                 */
                distance_km: number;
                /**
                 * @description Name
                 * @example Denver
                 */
                name?: string;
                /**
                 * @description Postal abbreviation of the state
                 * @example CO
                 */
                state?: string;
                /**
                 * @description Height above sea level
                 * @example 1656
                 */
                elevation_m?: number | null;
            };
        };
        Units: {
            /**
             * @description Unit of temperatures
             * @example F
             * @enum {string}
             */
            temperature: "F" | "C";
            /**
             * @description Unit of wind speeds
             * @example mph
             * @enum {string}
             */
            wind_speed: "mph" | "kph";
            /**
             * @description Unit of pressures
             * @example inHg
             * @enum {string}
             */
            pressure: "inHg" | "hPa";
            /**
             * @description Unit of visibilities
             * @example mi
             * @enum {string}
             */
            visibility: "mi" | "km";
            /**
             * @description Unit of amounts of rain, snow and ice
             * @example in
             * @enum {string}
             */
            precip_amount: "in" | "mm";
            /**
             * @description Unit of heights
             * @example ft
             * @enum {string}
             */
            altitude: "m" | "ft";
            /**
             * @description Unit of radiation, always the same
             * @example W/m^2
             * @enum {string}
             */
            solar_radiation: "W/m^2";
        };
        Attribution: {
            /**
             * @description Sources of the answer
             * @example [
             *       "NOAA National Blend of Models"
             *     ]
             */
            sources: string[];
            /**
             * @description Text to show beside the data
             * @example Data of NOAA, not endorsed by it.
             */
            notice: string;
        };
        Meta: {
            /**
             * @description Version of the schema
             * @example 1.0.0
             */
            schema_version: string;
            /**
             * Format: date-time
             * @description Time at which the answer was built
             * @example 2026-08-20T18:04:00.000Z
             */
            generated_at: string;
            /** @description Age of each source */
            freshness?: components["schemas"]["SourceFreshness"][];
            /** @description Warnings about missing, late or assumed data */
            warnings?: components["schemas"]["MetaWarning"][];
            /** @description Only if hourly_step dropped rows */
            hourly_sampling?: {
                /**
                 * @description hourly_step as applied
                 * @example 3
                 */
                step_hours: number;
                /**
                 * @description hourly_step_from as applied
                 * @example 12
                 */
                from_hour: number;
            };
        };
        SourceFreshness: {
            /**
             * @description Family of the dataset
             * @example nbm
             */
            source: string;
            /**
             * @description Id of the dataset in /v1/catalog
             * @example nbm
             */
            product_id: string;
            /**
             * Format: date-time
             * @description Reference time of the run
             * @example 2026-08-20T16:00:00Z
             */
            reference_time?: string | null;
            /**
             * Format: date-time
             * @description Last valid time of the run; null if no value of the run was read
             * @example 2026-08-31T00:00:00Z
             */
            latest_valid?: string | null;
            /**
             * Format: date-time
             * @description When the run was first served here; null for scans and feeds, which are served when they arrive
             * @example 2026-08-20T17:20:00Z
             */
            available_at?: string | null;
            /**
             * @description Age since reference_time; null if nothing is stored
             * @example 7200
             */
            age_seconds: number;
            /** @description Air quality: the monitor of each sub-index, its distance, and the start of its hour. */
            monitors?: {
                /**
                 * @description Pollutant of the sub-index
                 * @example pm25
                 * @enum {string}
                 */
                pollutant: "pm25" | "ozone" | "pm10";
                /**
                 * @description Id of the monitor
                 * @example 080310002
                 */
                id: string;
                /**
                 * @description Name
                 * @example Denver
                 */
                name: string;
                /**
                 * @description Distance from the point
                 * @example 28.4
                 */
                distance_km: number;
                /**
                 * Format: date-time
                 * @description Start of the hour of the measurement
                 * @example 2026-08-20T17:00:00Z
                 */
                hour: string;
            }[];
        };
        MetaWarning: {
            /**
             * @description Stable; new ones may be added. `simulated_data`: the data come from a simulator and are not real weather. `stale_source`: a source is older than its limit; its values are omitted or (alerts, radar, lightning) shown with this warning. `source_missing`: a source that should cover the point has no data for it now. `source_incomplete`: the run of a source lacks variables or hours that it should have; `fields` are null. `source_failed`: a source could not be read; a later request may succeed. `not_held`: this installation has no data of this kind. `no_coverage`: a source does not reach the place. `fields_missing`: fields are null for the whole section. `nowcast_blended`: radar, lightning or the warning of a storm, named in `detail`, is blended with the model from `from` to `to`. `source_fallback`: another source is used, named in `detail`; in current, the model at this hour if no analysis is newer than 90 minutes. `partial_day`: no values are stored for a part of the current day that has passed: `fields` for the whole day are null in its row. `sources_disagree`: a total lies outside the percentiles beside it, because two sources disagree. `amount_split`: amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours; sums are preserved. `feed_unconfirmed`: a feed could not be confirmed; the last known data are shown. `area_approximated`: alerts for zones without geometry are shown for their whole counties: for too large an area, never too small. `place_assumed`: a place name has several meanings or names an area; `detail` says which place or point was chosen. `truncated`: a list was shortened to its limit; `detail` has the total. `history_short`: less history is stored than requested; `detail` has the first stored time. `unreadable_product`: a text product could not be read and was not used. `location_unverified`: the location lookup was unavailable. `text_incomplete`: the newest text of an office or center could not be read; the previous text is shown while it is current. `degraded`: a part of the system answers from its last known state. `unknown_event`: an alert filter names an event that is in no NWS list and has no current alert: an empty list is not an all-clear. `deprecated`: a requested part of the answer is deprecated; `detail` names its replacement. `no_data`: the station or place is known, but nothing is stored for the requested period.
             * @example stale_source
             */
            code: string;
            /**
             * @description Section that the warning is about
             * @example hourly
             */
            section: string;
            /**
             * @description The warning in words
             * @example hours 37 to 48 come from the 18Z run
             */
            detail?: string;
            /**
             * @description Id of the dataset in /v1/catalog
             * @example nbm
             */
            product_id?: string;
            /**
             * @description Fields that are null or left out
             * @example [
             *       "snow_amount"
             *     ]
             */
            fields?: string[];
            /**
             * Format: date-time
             * @description First valid time that the warning is about
             * @example 2026-08-22T06:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description Last valid time that the warning is about
             * @example 2026-08-24T06:00:00Z
             */
            to?: string;
        };
        Product: {
            /**
             * @description Id of the dataset in /v1/catalog
             * @example nbm
             */
            product_id: string;
            /**
             * @description Source of the values
             * @example nbm
             */
            source: string;
            /**
             * @description Title of the dataset
             * @example National Blend of Models
             */
            title: string;
            /**
             * @description Description in words
             * @example Blend of the forecasts of several models
             */
            description: string;
            /**
             * @description Kind of the dataset
             * @example grid
             * @enum {string}
             */
            kind: "grid" | "frame" | "station" | "event" | "text" | "climatology";
            /**
             * @description Producer of the dataset
             * @example NOAA NCEP
             */
            provider: string;
            /**
             * @description Source to name beside the data
             * @example NOAA National Blend of Models
             */
            attribution: string;
            /**
             * @description Time between runs
             * @example 3600
             */
            cadence_seconds: number;
            /**
             * @description Usual time from reference time to publication
             * @example 4200
             */
            latency_seconds: number;
            /**
             * @description Age at which the dataset counts as late
             * @example 14400
             */
            stale_after_seconds: number;
            /**
             * @description H3 resolution of the stored cells; null if the dataset is not stored by cell
             * @example 7
             */
            h3_resolution: number | null;
            /** @description Domains of the dataset */
            coverage: {
                /**
                 * @description conus, alaska or hawaii; empty if the dataset is not divided
                 * @example conus
                 */
                domain: string;
                /**
                 * @description west, south, east, north
                 * @example [
                 *       -125
                 *     ]
                 */
                bbox: number[];
                /**
                 * @description Grid spacing of the source
                 * @example 2.54
                 */
                native_km: number;
            }[];
            /** @description Variables of the dataset */
            variables: {
                /**
                 * @description Name of the variable in requests and answers
                 * @example temperature
                 */
                name: string;
                /**
                 * @description Unit of the stored values
                 * @example K
                 */
                unit: string;
                /** @description Units of the variable in answers */
                units?: {
                    /**
                     * @description Unit with units=imperial
                     * @example F
                     */
                    imperial: string;
                    /**
                     * @description Unit with units=metric
                     * @example C
                     */
                    metric: string;
                };
                /**
                 * @description Standard name in the CF conventions; null if there is none
                 * @example air_temperature
                 */
                standard_name: string | null;
                /**
                 * @description Description in words
                 * @example Blend of the forecasts of several models
                 */
                description: string;
                /**
                 * @description Whether a value is for an instant, or for the interval that ends at its time
                 * @example instant
                 */
                kind: string;
            }[];
            /** @description Runs that answers use now */
            served: {
                /**
                 * @description conus, alaska or hawaii; empty if the dataset is not divided
                 * @example conus
                 */
                domain: string;
                /**
                 * Format: date-time
                 * @description Reference time of the run
                 * @example 2026-08-20T16:00:00Z
                 */
                run: string;
                /**
                 * Format: date-time
                 * @description When it was published
                 * @example 2026-08-20T17:12:00Z
                 */
                published_at: string;
                /**
                 * @description Age since reference_time; null if nothing is stored
                 * @example 7200
                 */
                age_seconds: number;
                /**
                 * @description Whether the run is older than stale_after_seconds
                 * @example false
                 */
                stale: boolean;
            }[];
        };
        ClimateReport: {
            /**
             * @description AWIPS code
             * @example KDEN
             */
            station: string;
            /**
             * @description Name of the station in its report
             * @example DENVER CO
             */
            name: string;
            /**
             * Format: date
             * @description Local calendar date
             * @example 2026-08-20
             */
            date: string;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at: string;
            /**
             * @description Forecast office
             * @example BOU
             */
            office: string;
            /**
             * @description Whether the report was issued before the day was over
             * @example true
             */
            preliminary: boolean;
            /** @description °F */
            temperature: {
                /**
                 * @description Highest temperature of the day
                 * @example 84
                 */
                high: number | null;
                /**
                 * @description Lowest temperature of the day
                 * @example 58
                 */
                low: number | null;
                /**
                 * @description Mean of high and low
                 * @example 71
                 */
                average: number | null;
                /** @description Normals of the date */
                normals: {
                    /**
                     * @description Normal high of the date
                     * @example 87
                     */
                    high: number | null;
                    /**
                     * @description Normal low of the date
                     * @example 59
                     */
                    low: number | null;
                    /**
                     * @description Mean of high and low
                     * @example 71
                     */
                    average: number | null;
                };
                /** @description Differences from the normals */
                departures: {
                    /**
                     * @description High less its normal
                     * @example -3
                     */
                    high: number | null;
                    /**
                     * @description Low less its normal
                     * @example -1
                     */
                    low: number | null;
                    /**
                     * @description Mean less its normal
                     * @example -2
                     */
                    average: number | null;
                };
                /** @description Records of the date */
                records: {
                    /**
                     * @description Highest temperature on record for the date
                     * @example 98
                     */
                    high: number | null;
                    /**
                     * @description Years of the record
                     * @example [
                     *       2012
                     *     ]
                     */
                    high_years: number[];
                    /**
                     * @description Lowest temperature on record for the date
                     * @example 44
                     */
                    low: number | null;
                    /**
                     * @description Years of the record
                     * @example [
                     *       1974
                     *     ]
                     */
                    low_years: number[];
                };
            };
            /** @description in */
            precipitation: {
                /**
                 * @description Amount in inches; null if missing or a trace
                 * @example 0.12
                 */
                total: number | null;
                /**
                 * @description Whether a trace fell
                 * @example false
                 */
                trace: boolean;
                /**
                 * @description Sum of the month so far
                 * @example 0.87
                 */
                month_to_date: number | null;
                /**
                 * @description Normal of the date
                 * @example 0.05
                 */
                normal: number | null;
                /**
                 * @description Largest amount on record for the date
                 * @example 1.9
                 */
                record: number | null;
                /**
                 * @description Years of the record
                 * @example [
                 *       1982
                 *     ]
                 */
                record_years: number[];
                /**
                 * @description Sum of the year so far
                 * @example 9.1
                 */
                year_to_date: number | null;
            };
            /** @description in */
            snow: {
                /**
                 * @description Amount in inches; null if missing or a trace
                 * @example 0
                 */
                total: number | null;
                /**
                 * @description Whether a trace fell
                 * @example false
                 */
                trace: boolean;
                /**
                 * @description Sum of the month so far
                 * @example 0.87
                 */
                month_to_date: number | null;
                /**
                 * @description Normal of the date
                 * @example 0.05
                 */
                normal: number | null;
                /**
                 * @description Largest amount on record for the date
                 * @example 1.9
                 */
                record: number | null;
                /**
                 * @description Years of the record
                 * @example [
                 *       1982
                 *     ]
                 */
                record_years: number[];
                /**
                 * @description Snow on the ground
                 * @example 0
                 */
                depth: number | null;
                /**
                 * @description Sum of the snow season so far
                 * @example 0
                 */
                season_to_date: number | null;
            };
        };
        ClimateRecord: {
            /**
             * @description AWIPS code
             * @example KDEN
             */
            station: string;
            /**
             * @description Record that was exceeded or tied
             * @example HIGH
             * @enum {string}
             */
            event: "HIGH" | "LOW" | "HIGH_MIN" | "LOW_MAX" | "RAIN" | "SNOW" | "OTHER";
            /**
             * @description °F or in
             * @example 98
             */
            value: number | null;
            /**
             * @description Previous record, °F or in
             * @example 97
             */
            previous: number | null;
            /**
             * @description Year of the previous record, the last of several
             * @example 2012
             */
            previous_year: number | null;
            /**
             * @description Years of the previous record
             * @example [
             *       2012
             *     ]
             */
            previous_years: number[];
            /**
             * @description Whether the record was tied and not exceeded; null if the text does not say
             * @example false
             */
            tied: boolean | null;
            /**
             * Format: date-time
             * @description Time of issue; null if the text has none
             * @example 2026-08-20T18:31:00Z
             */
            issued_at: string;
            /**
             * @description Forecast office
             * @example BOU
             */
            office: string;
            /**
             * Format: date
             * @description Local calendar date
             * @example 2026-08-20
             */
            date: string;
            /**
             * @description Text of the report
             * @example A RECORD HIGH TEMPERATURE OF 98 WAS SET AT DENVER
             */
            text: string;
        };
        /** @description A place as in /v1/alerts, the least severity, names of alerts, and datasets of runs; for nowcast.onset, the point and how far ahead to report */
        WebhookFilter: {
            /**
             * @description Latitude, north is positive
             * @example 39.74
             */
            lat?: number;
            /**
             * @description Longitude, west is negative
             * @example -104.99
             */
            lon?: number;
            /**
             * @description west,south,east,north in degrees
             * @example -105.5,39.5,-104.5,40.2
             */
            bbox?: string;
            /**
             * @description State, or the two letters of marine zones
             * @example CO
             */
            area?: string;
            /**
             * @description Zone or county
             * @example COZ040
             */
            zone?: string;
            /**
             * @description Forecast office
             * @example BOU
             */
            office?: string;
            /**
             * @description The least severity that is reported
             * @example Severe
             * @enum {string}
             */
            min_severity?: "Extreme" | "Severe" | "Moderate" | "Minor" | "Unknown";
            /**
             * @description Names of alerts
             * @example [
             *       "Tornado Warning"
             *     ]
             */
            event?: string[];
            /**
             * @description Datasets whose runs are reported
             * @example [
             *       "nbm"
             *     ]
             */
            dataset_id?: string[];
            /**
             * @description How far ahead precipitation is reported
             * @example 60
             */
            within_minutes?: number;
        };
        Webhook: {
            /**
             * @description Id of the webhook
             * @example wh_3fJ2mQ0aXb9cD1eF
             */
            id: string;
            /**
             * @description URL of the receiver: https with a public host name
             * @example https://example.org/hooks/weather
             */
            url: string;
            /**
             * @description Types of events
             * @example [
             *       "alert.*"
             *     ]
             */
            events: string[];
            /** @description Conditions on events */
            filter: components["schemas"]["WebhookFilter"];
            /**
             * @description Purpose of the webhook
             * @example Alerts of the Front Range
             */
            description: string;
            /**
             * @description Whether calls are sent; false while paused, and after the receiver answered 410
             * @example true
             */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-08-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * @description Number of waiting calls
             * @example 0
             */
            waiting: number;
            /**
             * Format: date-time
             * @description When the receiver began to fail (no answer, 5xx, 408, 429, redirects); null while it works
             * @example 2026-08-20T20:02:00.000Z
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Time of the next call to a failing receiver; null while it works
             * @example 2026-08-20T21:13:00.000Z
             */
            next_attempt_at: string | null;
            /** @description Doubts about the filter of the request: unknown_event */
            warnings?: {
                /**
                 * @description Stable code; new ones may be added
                 * @example stale_source
                 */
                code: string;
                /**
                 * @description Section that the warning is about
                 * @example hourly
                 */
                section: string;
                /**
                 * @description Explanation of the warning
                 * @example hours 37 to 48 come from the 18Z run
                 */
                detail?: string;
                /**
                 * @description Id of the dataset in /v1/catalog
                 * @example nbm
                 */
                product_id?: string;
            }[];
        };
        WebhookDelivery: {
            /**
             * @description The webhook-id header, the same at every attempt
             * @example msg_8aJ2mQ0aXb9cD1eFgH3k
             */
            id: string;
            /**
             * @description Type of the event
             * @example alert.issued
             */
            type: string;
            /**
             * @description Subject of the event; calls with one subject are sent in order
             * @example Actual/KBOU.TO.W.0007.2026
             */
            subject: string;
            /**
             * @description dead: attempts failed for a day, or too many calls were waiting
             * @example delivered
             * @enum {string}
             */
            state: "pending" | "delivered" | "dead";
            /**
             * @description Attempts so far
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Time of the next attempt; null if there is none
             * @example 2026-08-20T21:13:00.000Z
             */
            next_at: string | null;
            /**
             * @description Status of the last answer; null without an answer
             * @example 200
             */
            status: number | null;
            /**
             * @description Why the last attempt failed; null if it succeeded
             * @example no answer within 10 s
             */
            error: string | null;
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-08-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the call was delivered or given up
             * @example 2026-08-20T21:12:02.000Z
             */
            ended_at: string | null;
        };
        KeyRecord: {
            /**
             * @description First characters of the key: its name in lists and logs
             * @example hx_live_4fJ2
             */
            prefix: string;
            /**
             * @description Name of the key
             * @example my laptop
             */
            name: string;
            /**
             * @description Plan of the key
             * @example free
             */
            plan: string;
            /**
             * @description Scopes of the key
             * @example [
             *       "weather:read"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description Time of creation
             * @example 2026-08-01T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time at which the text expires; null if it does not
             * @example 2026-08-20T20:30:00Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null while it is valid
             * @example 2026-08-20T09:00:00.000Z
             */
            revoked_at: string | null;
        };
    };
    responses: {
        /**
         * @description The request is malformed. The detail says what was received and what was expected. Do not retry the request unchanged.
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
         * @description The server failed, and the failure is logged. Retry with growing pauses, at most three times.
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
         * @description The server cannot answer at the moment. Wait for Retry-After seconds, then retry with growing pauses.
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
         * @description The request is malformed. The detail says what was received and what was expected. Do not retry the request unchanged.
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
         * @description The limit per minute is used up. Wait for Retry-After seconds. The limit applies to the key, not to the location.
         *
         *     Type: `too-many-requests`
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
         * @description The server failed, and the failure is logged. Retry with growing pauses, at most three times.
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
         * @description The server cannot answer at the moment. Wait for Retry-After seconds, then retry with growing pauses.
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
         * @description The free calls of this trial key are used up. Claim the key to continue to use it.
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
         * @description There is nothing at this address, or no such place, station, product or alert exists.
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
         * @description The limit per day or month is used up. Wait for Retry-After seconds, or choose a larger plan.
         *
         *     Type: `rate-limit-exceeded`, `too-many-requests`
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
         * @description The free calls of this trial key are used up. Claim the key to continue to use it.
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
         * @description The credentials are valid, but do not allow this request.
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
         * @description The request conflicts with an earlier request. Read the current state, then try once more.
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
                        /**
                         * @description Always alive: the process runs
                         * @example alive
                         * @enum {string}
                         */
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
                        /**
                         * @description Whether requests can be answered
                         * @example true
                         */
                        ready: boolean;
                        /**
                         * @description The process still answers and is about to end
                         * @example true
                         * @enum {boolean}
                         */
                        draining?: true;
                        /**
                         * @description degraded if an engine is down; down if no run is served yet
                         * @example ok
                         * @enum {string}
                         */
                        status: "ok" | "degraded" | "down";
                        /** @description State of each engine by name */
                        engines: {
                            [key: string]: "ok" | "down";
                        };
                        /** @description State of each dataset */
                        datasets: {
                            /**
                             * @description Id of the dataset
                             * @example nbm
                             */
                            dataset: string;
                            /**
                             * @description conus, alaska or hawaii; empty or null if the dataset is not divided
                             * @example conus
                             */
                            domain: string;
                            /**
                             * Format: date-time
                             * @description Reference time of the served run or frame; last confirmed read of a feed
                             * @example 2026-08-20T16:00:00Z
                             */
                            run: string;
                            /**
                             * @description Age since reference_time; null if nothing is stored
                             * @example 7200
                             */
                            age_seconds: number;
                        }[];
                        /**
                         * @description Seconds that the clock of this process is ahead of the clock of the database
                         * @example 0.2
                         */
                        clock_off_seconds?: number;
                        /**
                         * @description Notes for the operator
                         * @example [
                         *       "nbm: late"
                         *     ]
                         */
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
    getV1Status: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag of an earlier answer; the answer is 304 if nothing has changed */
                "If-None-Match"?: string;
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the state was read
                         * @example 2026-08-20T18:04:00Z
                         */
                        generated_at: string;
                        /**
                         * @description degraded if data are stale or missing; outage if no model run is stored
                         * @example ok
                         * @enum {string}
                         */
                        status: "ok" | "degraded" | "outage";
                        /**
                         * @description Whether the weather is simulated
                         * @example false
                         */
                        simulated: boolean;
                        /**
                         * @description Why the document itself may be out of date
                         * @example [
                         *       "The database cannot be reached: this is the last known state."
                         *     ]
                         */
                        notes: string[];
                        /** @description Result of the daily check whether upstream has the keys, lead hours, index lines, messages, frames and feeds that ingestion expects; null if the weather is simulated or no check has ended */
                        upstream_check: {
                            /**
                             * Format: date-time
                             * @description When the last check ended
                             * @example 2026-08-20T06:04:00Z
                             */
                            checked_at: string;
                            /**
                             * @description Number of checks that passed
                             * @example 140
                             */
                            passed: number;
                            /**
                             * @description Number of checks with a warning
                             * @example 2
                             */
                            warnings: number;
                            /**
                             * @description Number of checks that failed
                             * @example 0
                             */
                            failed: number;
                            /** @description Failed checks, then warnings */
                            problems: {
                                /**
                                 * @description Name of the check
                                 * @example storm-tracks/conus newest frame
                                 */
                                check: string;
                                /**
                                 * @description Result of the check
                                 * @example failed
                                 * @enum {string}
                                 */
                                state: "warning" | "failed";
                                /**
                                 * @description What was expected and what upstream has
                                 * @example no key begins with ProbSevere/20260820
                                 */
                                detail: string;
                            }[];
                        } | null;
                        /**
                         * Format: date
                         * @description First day of the `availability` lists
                         * @example 2026-05-23
                         */
                        availability_from: string;
                        /** @description State of each dataset */
                        datasets: {
                            /**
                             * @description Id of a dataset of /v1/catalog, or blend
                             * @example nbm
                             */
                            dataset_id: string;
                            /**
                             * @description Title of the dataset
                             * @example National Blend of Models
                             */
                            title: string;
                            /**
                             * @description conus, alaska or hawaii; empty or null if the dataset is not divided
                             * @example conus
                             */
                            domain: string | null;
                            /**
                             * @description Kind of the dataset
                             * @example grid
                             * @enum {string}
                             */
                            kind: "grid" | "frame" | "station" | "event" | "text" | "climatology";
                            /**
                             * @description late: the next run is overdue, or the source provides none (see last_failures); stale: the served data are older than the limit of the dataset; not_configured: this installation does not ingest the dataset; unknown: the database does not answer, and the other members are as of generated_at
                             * @example on_time
                             * @enum {string}
                             */
                            state: "on_time" | "late" | "stale" | "nothing_stored" | "not_configured" | "unknown";
                            /**
                             * Format: date-time
                             * @description Reference time of the served run or frame; last confirmed read of a feed
                             * @example 2026-08-20T16:00:00Z
                             */
                            run: string | null;
                            /**
                             * @description Last served stage of a model run, from 0
                             * @example 1
                             */
                            stage: number | null;
                            /**
                             * Format: date-time
                             * @description When the run was first served
                             * @example 2026-08-20T17:20:00Z
                             */
                            available_at: string | null;
                            /**
                             * @description Age since reference_time; null if nothing is stored
                             * @example 7200
                             */
                            age_seconds: number | null;
                            /** @description The next run, frame or read */
                            expected_next: {
                                /**
                                 * Format: date-time
                                 * @description Reference time; null for a feed
                                 * @example 2026-08-20T17:00:00Z
                                 */
                                run: string | null;
                                /**
                                 * Format: date-time
                                 * @description When it is usually served, the median of the last 90 days
                                 * @example 2026-08-20T18:18:00Z
                                 */
                                expected_at: string;
                                /**
                                 * Format: date-time
                                 * @description When it becomes late: the 95th percentile and a margin of at least 15 minutes
                                 * @example 2026-08-20T18:34:00Z
                                 */
                                late_at: string;
                                /**
                                 * @description False until seven days are recorded: the declared latency is used
                                 * @example true
                                 */
                                learned: boolean;
                            } | null;
                            /**
                             * @description Seconds since expected_at if the run is late; 0 if it is on time
                             * @example 0
                             */
                            late_by_seconds: number | null;
                            /** @description The newest three of the last seven days, newest first */
                            last_failures: {
                                /**
                                 * Format: date-time
                                 * @description When it failed
                                 * @example 2026-08-20T17:12:00Z
                                 */
                                at: string;
                                /**
                                 * Format: date-time
                                 * @description The run or frame that was rejected; null for a feed
                                 * @example 2026-08-20T16:00:00Z
                                 */
                                run: string | null;
                                /**
                                 * @description Reason
                                 * @example 2 of 24 required fields are corrupt
                                 */
                                detail: string;
                            }[];
                            /**
                             * Format: date-time
                             * @description Since when the bucket lists no new key of the dataset although it answers, or no read of a feed has succeeded: since the start, or since the newest run or frame became older than the limit. Null while data arrive. last_failures names the prefix
                             * @example null
                             */
                            silent_since: string | null;
                            /** @description Second source, used while the first fails or is late; null while the first is used */
                            second_source: {
                                /**
                                 * @description Host of the second source
                                 * @example storage.googleapis.com
                                 */
                                host: string;
                                /**
                                 * Format: date-time
                                 * @description When reading from it began
                                 * @example 2026-08-20T17:12:00Z
                                 */
                                since: string;
                                /**
                                 * @description Why the first source is not used
                                 * @example status 503: try again later
                                 */
                                reason: string;
                            } | null;
                            /** @description Data that upstream delivered in the last day and that are not published, the newest three: variables of runs, scans, documents and rows of feeds */
                            quarantine: {
                                /**
                                 * Format: date-time
                                 * @description When it was last detected
                                 * @example 2026-08-20T17:12:00Z
                                 */
                                at: string;
                                /**
                                 * Format: date-time
                                 * @description Run or scan; for a feed, the hour of the read; for rows of a feed, the day
                                 * @example 2026-08-20T16:00:00Z
                                 */
                                run: string;
                                /**
                                 * @description Variable, row or feature that is omitted; null for a whole file
                                 * @example dew_point
                                 */
                                variable: string | null;
                                /**
                                 * @description Reason code
                                 * @example grid
                                 */
                                reason: string;
                                /**
                                 * @description Affected hours of the run
                                 * @example [
                                 *       6
                                 *     ]
                                 */
                                lead_hours: number[];
                                /**
                                 * @description Expected and actual values
                                 * @example grid: expected lat1 21.138, but found 26.138
                                 */
                                detail: string;
                            }[];
                            /**
                             * @description Share of checked minutes in which the dataset was not stale, for each of 90 days, oldest first; null if nothing was checked
                             * @example [
                             *       1
                             *     ]
                             */
                            availability: (number | null)[];
                        }[];
                    };
                };
            };
            /** @description Unchanged since the ETag in the request; not counted as a call */
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance */
                include?: string;
                /** @description detailed: every column of hourly and daily; concise: a subset */
                view?: "detailed" | "concise";
                /** @description full: alerts with description, instruction and geometry; concise: alerts with a link to these */
                alert_detail?: "concise" | "full";
                /** @description Number of daily rows; a row for the current night (relative_day -1) is not counted */
                days?: number;
                /** @description Horizon of the hourly rows in hours, before hourly_step drops rows */
                hourly_hours?: number;
                /** @description Keep every Nth hourly row */
                hourly_step?: number;
                /** @description Row from which hourly_step applies; all rows before it stay */
                hourly_step_from?: number;
                /** @description Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour */
                past_hours?: number;
                /** @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now */
                as_of?: string;
                /** @description Format of the answer, instead of Accept. json: application/json, csv: text/csv, ics: text/calendar */
                format?: "json" | "csv" | "ics";
            };
            header?: {
                /** @description An ETag of an earlier answer; the answer is 304 if nothing has changed */
                "If-None-Match"?: string;
                /** @description `x402` without a key: the answer is 402 with the price of the call */
                "Accept-Payment"?: string;
                /** @description A payment by x402 version 2, base64 */
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    /** @description Settlement of a paid call, base64 */
                    "PAYMENT-RESPONSE"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Weather"];
                    "text/csv": string;
                    "text/calendar": string;
                };
            };
            /** @description Unchanged since the ETag in the request; not counted as a call */
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
                    /** @description max-age, or no-store if a source is degraded */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon;lat,lon;… with at most 50 points */
                points: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance */
                include?: string;
                /** @description detailed: every column of hourly and daily; concise: a subset */
                view?: "detailed" | "concise";
                /** @description full: alerts with description, instruction and geometry; concise: alerts with a link to these */
                alert_detail?: "concise" | "full";
                /** @description Number of daily rows; a row for the current night (relative_day -1) is not counted */
                days?: number;
                /** @description Horizon of the hourly rows in hours, before hourly_step drops rows */
                hourly_hours?: number;
                /** @description Keep every Nth hourly row */
                hourly_step?: number;
                /** @description Row from which hourly_step applies; all rows before it stay */
                hourly_step_from?: number;
                /** @description Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour */
                past_hours?: number;
                /** @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now */
                as_of?: string;
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no answer
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "outside_coverage" | "error";
                            /** @description The answer of /v1/weather for the point */
                            weather?: components["schemas"]["Weather"];
                            /** @description Why the point has no answer */
                            problem?: {
                                /**
                                 * @description Stable URI of the kind of failure, to compare and not to fetch
                                 * @example https://weather.example.org/errors/service-unavailable
                                 */
                                type: string;
                                /**
                                 * @description Title of the kind of failure
                                 * @example Service unavailable
                                 */
                                title: string;
                                /**
                                 * @description Status code of the failure
                                 * @example 503
                                 */
                                status: number;
                                /**
                                 * @description What is wrong, what was expected, and what to do next
                                 * @example `days` must be a whole number from 1 to 14, but was "0". Change `days` and try again.
                                 */
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
            429: components["responses"]["Problem429B"];
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
                    /** @description Points in degrees, at most 50 */
                    points: {
                        /**
                         * @description Latitude, north is positive
                         * @example 39.74
                         */
                        lat: number;
                        /**
                         * @description Longitude, west is negative
                         * @example -104.99
                         */
                        lon: number;
                    }[];
                    /**
                     * @description System of units
                     * @default imperial
                     * @example imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * @description Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance
                     * @default current,hourly,daily,alerts,outlooks,astro
                     * @example current,hourly
                     */
                    include?: string;
                    /**
                     * @description detailed: every column of hourly and daily; concise: a subset
                     * @default detailed
                     * @example detailed
                     * @enum {string}
                     */
                    view?: "detailed" | "concise";
                    /**
                     * @description full: alerts with description, instruction and geometry; concise: alerts with a link to these
                     * @default concise
                     * @example concise
                     * @enum {string}
                     */
                    alert_detail?: "concise" | "full";
                    /**
                     * @description Number of daily rows; a row for the current night (relative_day -1) is not counted
                     * @default 10
                     * @example 10
                     */
                    days?: number;
                    /**
                     * @description Horizon of the hourly rows in hours, before hourly_step drops rows
                     * @default 48
                     * @example 48
                     */
                    hourly_hours?: number;
                    /**
                     * @description Keep every Nth hourly row
                     * @default 1
                     * @example 1
                     */
                    hourly_step?: number;
                    /**
                     * @description Row from which hourly_step applies; all rows before it stay
                     * @default 0
                     * @example 0
                     */
                    hourly_step_from?: number;
                    /**
                     * @description Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour
                     * @default 0
                     * @example 24
                     */
                    past_hours?: number;
                    /**
                     * Format: date-time
                     * @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
                     * @example 2026-08-20T18:04:00.000Z
                     */
                    as_of?: string;
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no answer
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "outside_coverage" | "error";
                            /** @description The answer of /v1/weather for the point */
                            weather?: components["schemas"]["Weather"];
                            /** @description Why the point has no answer */
                            problem?: {
                                /**
                                 * @description Stable URI of the kind of failure, to compare and not to fetch
                                 * @example https://weather.example.org/errors/service-unavailable
                                 */
                                type: string;
                                /**
                                 * @description Title of the kind of failure
                                 * @example Service unavailable
                                 */
                                title: string;
                                /**
                                 * @description Status code of the failure
                                 * @example 503
                                 */
                                status: number;
                                /**
                                 * @description What is wrong, what was expected, and what to do next
                                 * @example `days` must be a whole number from 1 to 14, but was "0". Change `days` and try again.
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon;lat,lon;… with at most 500 points */
                points: string;
                /** @description Names of variables, separated by commas: the field names of hourly rows */
                variables: string;
                /** @description A dataset of /v1/catalog by itself; default: the published hourly forecast */
                dataset_id?: string;
                /** @description Reference time of a run that is still stored, with dataset_id; default: the newest run */
                run?: string;
                /** @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now */
                as_of?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Format of the answer, instead of Accept. json: application/json, csv: text/csv, parquet: application/vnd.apache.parquet, arrow: application/vnd.apache.arrow.stream, covjson: application/prs.coverage+json */
                format?: "json" | "csv" | "parquet" | "arrow" | "covjson";
                /** @description Instant, which may be in the past if values are stored; default: now */
                time?: string;
                /** @description First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour */
                start?: string;
                /** @description Last time of the period, at most 264 hours after start; default: 47 hours after start */
                end?: string;
                /** @description provenance: also the file, byte range and digest of each value of a run, with dataset_id and at most 10 points; JSON only */
                include?: "provenance";
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no value
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "out_of_domain";
                            /**
                             * @description Whether the point could not be checked in time; request it again
                             * @example true
                             */
                            retryable?: boolean;
                            /** @description Values over time */
                            series?: {
                                /**
                                 * @description Id of a dataset of /v1/catalog, or blend
                                 * @example nbm
                                 */
                                dataset_id: string;
                                /**
                                 * @description Valid times, ascending
                                 * @example [
                                 *       "2026-08-20T18:00:00Z"
                                 *     ]
                                 */
                                valid_times: string[];
                                /**
                                 * @description Values of each variable, one for each valid time
                                 * @example {
                                 *       "temperature": [
                                 *         71.2
                                 *       ]
                                 *     }
                                 */
                                data: {
                                    [key: string]: (number | null)[];
                                };
                                /**
                                 * @description For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored
                                 * @example [
                                 *       "urma"
                                 *     ]
                                 */
                                sources?: (string | null)[];
                            };
                            /**
                             * @description Value of each variable; null if there is none
                             * @example {
                             *       "temperature": 71.2
                             *     }
                             */
                            values?: {
                                [key: string]: number | null;
                            };
                            /**
                             * Format: date-time
                             * @description Valid time of the values
                             * @example 2026-08-20T18:00:00Z
                             */
                            valid_time?: string;
                            /**
                             * @description Source of the values
                             * @example nbm
                             */
                            source?: string | null;
                            /** @description Where the values come from. Only with include=provenance */
                            provenance?: {
                                /** @description The cell whose centre is where messages are read */
                                cell: {
                                    /**
                                     * @description H3 index
                                     * @example 872681364ffffff
                                     */
                                    id: string;
                                    /**
                                     * @description Latitude, north is positive
                                     * @example 39.74
                                     */
                                    lat: number;
                                    /**
                                     * @description Longitude, west is negative
                                     * @example -104.99
                                     */
                                    lon: number;
                                };
                                /** @description The upstream files that were read */
                                files: {
                                    /**
                                     * @description Id of a dataset of /v1/catalog, or blend
                                     * @example nbm
                                     */
                                    dataset_id: string;
                                    /**
                                     * @description Reference time of the run
                                     * @example 2026-08-20T16:00:00Z
                                     */
                                    run: string;
                                    /**
                                     * @description Time from the reference time of the run to the valid time; 0 for analyses and measured amounts, whose run is the hour
                                     * @example 3
                                     */
                                    lead_hours: number;
                                    /**
                                     * @description URL that is called: https and a public name
                                     * @example https://example.org/hooks/weather
                                     */
                                    url: string | null;
                                }[];
                                /** @description The GRIB2 messages that were read, each with one variable at one time */
                                messages: {
                                    /**
                                     * @description Index into files
                                     * @example 0
                                     */
                                    file: number;
                                    /**
                                     * @description Variable of the message
                                     * @example temperature
                                     */
                                    variable: string;
                                    /**
                                     * @description First and last byte of the message in the file; all bytes of a radar file; null if not recorded
                                     * @example [
                                     *       1048576,
                                     *       1310719
                                     *     ]
                                     */
                                    byte_range: [
                                        number,
                                        number
                                    ] | null;
                                    /**
                                     * @description Value that was read from it at cell, or for `pixel` at location, in the unit that samplings states; null if it has none there
                                     * @example 294.35
                                     */
                                    value: number | null;
                                    /**
                                     * @description SHA-256 of these bytes in hexadecimal digits; null if not recorded
                                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                                     */
                                    sha256: string | null;
                                    /**
                                     * @description Number of the message in the file, counted from 1 as in its index; null if not recorded
                                     * @example 71
                                     */
                                    message: string | null;
                                    /**
                                     * @description Bytes of the second message: the northward component of a wind, the speed by which a direction is averaged, or the height of the ground that is subtracted from a ceiling
                                     * @example [
                                     *       1310720,
                                     *       1572863
                                     *     ]
                                     */
                                    v_byte_range?: [
                                        number,
                                        number
                                    ];
                                    /**
                                     * @description Number of the second message
                                     * @example 72
                                     */
                                    v_message?: string | null;
                                    /**
                                     * @description SHA-256 of the second message
                                     * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
                                     */
                                    v_sha256?: string | null;
                                }[];
                                /** @description How values of messages follow from grid points, by dataset and variable */
                                samplings: {
                                    /**
                                     * @description Id of a dataset of /v1/catalog, or blend
                                     * @example nbm
                                     */
                                    dataset_id: string;
                                    /**
                                     * @description Variable of messages
                                     * @example temperature
                                     */
                                    variable: string;
                                    /**
                                     * @description Unit of the values of messages
                                     * @example K
                                     */
                                    unit: string;
                                    /**
                                     * @description bilinear (the four grid points around the centre of cell, without those that are missing or out of range), nearest (grid point), members (number of members that the message states), wind_speed and wind_direction (of the bilinear means of both components, turned to true north at the grid points), direction (of the bilinear mean of vectors with the direction, and the speed of the second message or 1)
                                     * @example bilinear
                                     */
                                    method: string;
                                    /**
                                     * @description Step to which the value is rounded
                                     * @example 0.05
                                     */
                                    quantum?: number;
                                    /**
                                     * @description Least and greatest valid value
                                     * @example [
                                     *       180,
                                     *       340
                                     *     ]
                                     */
                                    range?: number[];
                                    /**
                                     * @description value = native × scale + offset; 1 if absent
                                     * @example 1000
                                     */
                                    scale?: number;
                                    /**
                                     * @description 0 if absent
                                     * @example 273.15
                                     */
                                    offset?: number;
                                    /**
                                     * @description Native values that mean that there is none
                                     * @example [
                                     *       20000
                                     *     ]
                                     */
                                    missing?: number[];
                                }[];
                                /**
                                 * @description Indexes into messages by variable and valid time
                                 * @example {
                                 *       "temperature": [
                                 *         0,
                                 *         1,
                                 *         null
                                 *       ]
                                 *     }
                                 */
                                values: {
                                    [key: string]: (number | null)[];
                                };
                            };
                        }[];
                        /**
                         * @description System of units; in an answer the unit of each variable
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    };
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
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
                    /** @description Points in degrees, at most 500 */
                    points: {
                        /**
                         * @description Latitude, north is positive
                         * @example 39.74
                         */
                        lat: number;
                        /**
                         * @description Longitude, west is negative
                         * @example -104.99
                         */
                        lon: number;
                    }[];
                    /**
                     * @description Names of variables, separated by commas: the field names of hourly rows
                     * @example temperature,wind_speed
                     */
                    variables: string;
                    /**
                     * @description A dataset of /v1/catalog by itself; default: the published hourly forecast
                     * @default blend
                     * @example nbm
                     */
                    dataset_id?: string;
                    /**
                     * Format: date-time
                     * @description Reference time of a run that is still stored, with dataset_id; default: the newest run
                     * @example 2026-08-20T16:00:00Z
                     */
                    run?: string;
                    /**
                     * Format: date-time
                     * @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
                     * @example 2026-08-20T18:04:00.000Z
                     */
                    as_of?: string;
                    /**
                     * @description System of units
                     * @default imperial
                     * @example imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * @description Format of the answer, instead of Accept. json: application/json, csv: text/csv, parquet: application/vnd.apache.parquet, arrow: application/vnd.apache.arrow.stream, covjson: application/prs.coverage+json
                     * @default json
                     * @example json
                     * @enum {string}
                     */
                    format?: "json" | "csv" | "parquet" | "arrow" | "covjson";
                    /**
                     * Format: date-time
                     * @description Instant, which may be in the past if values are stored; default: now
                     * @example 2026-08-20T18:00:00Z
                     */
                    time?: string;
                    /**
                     * Format: date-time
                     * @description First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
                     * @example 2026-08-20T12:00:00Z
                     */
                    start?: string;
                    /**
                     * Format: date-time
                     * @description Last time of the period, at most 264 hours after start; default: 47 hours after start
                     * @example 2026-08-21T12:00:00Z
                     */
                    end?: string;
                    /**
                     * @description provenance: also the file, byte range and digest of each value of a run, with dataset_id and at most 10 points; JSON only
                     * @example provenance
                     * @enum {string}
                     */
                    include?: "provenance";
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no value
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "out_of_domain";
                            /**
                             * @description Whether the point could not be checked in time; request it again
                             * @example true
                             */
                            retryable?: boolean;
                            /** @description Values over time */
                            series?: {
                                /**
                                 * @description Id of a dataset of /v1/catalog, or blend
                                 * @example nbm
                                 */
                                dataset_id: string;
                                /**
                                 * @description Valid times, ascending
                                 * @example [
                                 *       "2026-08-20T18:00:00Z"
                                 *     ]
                                 */
                                valid_times: string[];
                                /**
                                 * @description Values of each variable, one for each valid time
                                 * @example {
                                 *       "temperature": [
                                 *         71.2
                                 *       ]
                                 *     }
                                 */
                                data: {
                                    [key: string]: (number | null)[];
                                };
                                /**
                                 * @description For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored
                                 * @example [
                                 *       "urma"
                                 *     ]
                                 */
                                sources?: (string | null)[];
                            };
                            /**
                             * @description Value of each variable; null if there is none
                             * @example {
                             *       "temperature": 71.2
                             *     }
                             */
                            values?: {
                                [key: string]: number | null;
                            };
                            /**
                             * Format: date-time
                             * @description Valid time of the values
                             * @example 2026-08-20T18:00:00Z
                             */
                            valid_time?: string;
                            /**
                             * @description Source of the values
                             * @example nbm
                             */
                            source?: string | null;
                            /** @description Where the values come from. Only with include=provenance */
                            provenance?: {
                                /** @description The cell whose centre is where messages are read */
                                cell: {
                                    /**
                                     * @description H3 index
                                     * @example 872681364ffffff
                                     */
                                    id: string;
                                    /**
                                     * @description Latitude, north is positive
                                     * @example 39.74
                                     */
                                    lat: number;
                                    /**
                                     * @description Longitude, west is negative
                                     * @example -104.99
                                     */
                                    lon: number;
                                };
                                /** @description The upstream files that were read */
                                files: {
                                    /**
                                     * @description Id of a dataset of /v1/catalog, or blend
                                     * @example nbm
                                     */
                                    dataset_id: string;
                                    /**
                                     * @description Reference time of the run
                                     * @example 2026-08-20T16:00:00Z
                                     */
                                    run: string;
                                    /**
                                     * @description Time from the reference time of the run to the valid time; 0 for analyses and measured amounts, whose run is the hour
                                     * @example 3
                                     */
                                    lead_hours: number;
                                    /**
                                     * @description URL that is called: https and a public name
                                     * @example https://example.org/hooks/weather
                                     */
                                    url: string | null;
                                }[];
                                /** @description The GRIB2 messages that were read, each with one variable at one time */
                                messages: {
                                    /**
                                     * @description Index into files
                                     * @example 0
                                     */
                                    file: number;
                                    /**
                                     * @description Variable of the message
                                     * @example temperature
                                     */
                                    variable: string;
                                    /**
                                     * @description First and last byte of the message in the file; all bytes of a radar file; null if not recorded
                                     * @example [
                                     *       1048576,
                                     *       1310719
                                     *     ]
                                     */
                                    byte_range: [
                                        number,
                                        number
                                    ] | null;
                                    /**
                                     * @description Value that was read from it at cell, or for `pixel` at location, in the unit that samplings states; null if it has none there
                                     * @example 294.35
                                     */
                                    value: number | null;
                                    /**
                                     * @description SHA-256 of these bytes in hexadecimal digits; null if not recorded
                                     * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                                     */
                                    sha256: string | null;
                                    /**
                                     * @description Number of the message in the file, counted from 1 as in its index; null if not recorded
                                     * @example 71
                                     */
                                    message: string | null;
                                    /**
                                     * @description Bytes of the second message: the northward component of a wind, the speed by which a direction is averaged, or the height of the ground that is subtracted from a ceiling
                                     * @example [
                                     *       1310720,
                                     *       1572863
                                     *     ]
                                     */
                                    v_byte_range?: [
                                        number,
                                        number
                                    ];
                                    /**
                                     * @description Number of the second message
                                     * @example 72
                                     */
                                    v_message?: string | null;
                                    /**
                                     * @description SHA-256 of the second message
                                     * @example 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
                                     */
                                    v_sha256?: string | null;
                                }[];
                                /** @description How values of messages follow from grid points, by dataset and variable */
                                samplings: {
                                    /**
                                     * @description Id of a dataset of /v1/catalog, or blend
                                     * @example nbm
                                     */
                                    dataset_id: string;
                                    /**
                                     * @description Variable of messages
                                     * @example temperature
                                     */
                                    variable: string;
                                    /**
                                     * @description Unit of the values of messages
                                     * @example K
                                     */
                                    unit: string;
                                    /**
                                     * @description bilinear (the four grid points around the centre of cell, without those that are missing or out of range), nearest (grid point), members (number of members that the message states), wind_speed and wind_direction (of the bilinear means of both components, turned to true north at the grid points), direction (of the bilinear mean of vectors with the direction, and the speed of the second message or 1)
                                     * @example bilinear
                                     */
                                    method: string;
                                    /**
                                     * @description Step to which the value is rounded
                                     * @example 0.05
                                     */
                                    quantum?: number;
                                    /**
                                     * @description Least and greatest valid value
                                     * @example [
                                     *       180,
                                     *       340
                                     *     ]
                                     */
                                    range?: number[];
                                    /**
                                     * @description value = native × scale + offset; 1 if absent
                                     * @example 1000
                                     */
                                    scale?: number;
                                    /**
                                     * @description 0 if absent
                                     * @example 273.15
                                     */
                                    offset?: number;
                                    /**
                                     * @description Native values that mean that there is none
                                     * @example [
                                     *       20000
                                     *     ]
                                     */
                                    missing?: number[];
                                }[];
                                /**
                                 * @description Indexes into messages by variable and valid time
                                 * @example {
                                 *       "temperature": [
                                 *         0,
                                 *         1,
                                 *         null
                                 *       ]
                                 *     }
                                 */
                                values: {
                                    [key: string]: (number | null)[];
                                };
                            };
                        }[];
                        /**
                         * @description System of units; in an answer the unit of each variable
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    };
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon;lat,lon;… with at most 100 points */
                points: string;
                /** @description Names of variables, separated by commas: the field names of hourly rows */
                variables: string;
                /** @description A dataset of /v1/catalog by itself; default: the published hourly forecast */
                dataset_id?: string;
                /** @description Reference time of a run that is still stored, with dataset_id; default: the newest run */
                run?: string;
                /** @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now */
                as_of?: string;
                /** @description System of units */
                units?: "imperial" | "metric";
                /** @description Format of the answer, instead of Accept. json: application/json, csv: text/csv, parquet: application/vnd.apache.parquet, arrow: application/vnd.apache.arrow.stream, covjson: application/prs.coverage+json */
                format?: "json" | "csv" | "parquet" | "arrow" | "covjson";
                /** @description Hours from the current one */
                hours?: number;
                /** @description First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour */
                start?: string;
                /** @description Last time of the period, at most 264 hours after start; default: 47 hours after start */
                end?: string;
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no value
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "out_of_domain";
                            /**
                             * @description Whether the point could not be checked in time; request it again
                             * @example true
                             */
                            retryable?: boolean;
                            /** @description Values over time */
                            series?: {
                                /**
                                 * @description Id of a dataset of /v1/catalog, or blend
                                 * @example nbm
                                 */
                                dataset_id: string;
                                /**
                                 * @description Valid times, ascending
                                 * @example [
                                 *       "2026-08-20T18:00:00Z"
                                 *     ]
                                 */
                                valid_times: string[];
                                /**
                                 * @description Values of each variable, one for each valid time
                                 * @example {
                                 *       "temperature": [
                                 *         71.2
                                 *       ]
                                 *     }
                                 */
                                data: {
                                    [key: string]: (number | null)[];
                                };
                                /**
                                 * @description For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored
                                 * @example [
                                 *       "urma"
                                 *     ]
                                 */
                                sources?: (string | null)[];
                            };
                        }[];
                        /**
                         * @description System of units; in an answer the unit of each variable
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    };
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
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
                    /** @description Points in degrees, at most 100 */
                    points: {
                        /**
                         * @description Latitude, north is positive
                         * @example 39.74
                         */
                        lat: number;
                        /**
                         * @description Longitude, west is negative
                         * @example -104.99
                         */
                        lon: number;
                    }[];
                    /**
                     * @description Names of variables, separated by commas: the field names of hourly rows
                     * @example temperature,wind_speed
                     */
                    variables: string;
                    /**
                     * @description A dataset of /v1/catalog by itself; default: the published hourly forecast
                     * @default blend
                     * @example nbm
                     */
                    dataset_id?: string;
                    /**
                     * Format: date-time
                     * @description Reference time of a run that is still stored, with dataset_id; default: the newest run
                     * @example 2026-08-20T16:00:00Z
                     */
                    run?: string;
                    /**
                     * Format: date-time
                     * @description Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
                     * @example 2026-08-20T18:04:00.000Z
                     */
                    as_of?: string;
                    /**
                     * @description System of units
                     * @default imperial
                     * @example imperial
                     * @enum {string}
                     */
                    units?: "imperial" | "metric";
                    /**
                     * @description Format of the answer, instead of Accept. json: application/json, csv: text/csv, parquet: application/vnd.apache.parquet, arrow: application/vnd.apache.arrow.stream, covjson: application/prs.coverage+json
                     * @default json
                     * @example json
                     * @enum {string}
                     */
                    format?: "json" | "csv" | "parquet" | "arrow" | "covjson";
                    /**
                     * @description Hours from the current one
                     * @default 48
                     * @example 48
                     */
                    hours?: number;
                    /**
                     * Format: date-time
                     * @description First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
                     * @example 2026-08-20T12:00:00Z
                     */
                    start?: string;
                    /**
                     * Format: date-time
                     * @description Last time of the period, at most 264 hours after start; default: 47 hours after start
                     * @example 2026-08-21T12:00:00Z
                     */
                    end?: string;
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
                        /** @description One for each point, in the order of the request */
                        results: {
                            /**
                             * @description Index of the point in the request, from 0
                             * @example 0
                             */
                            index: number;
                            /**
                             * @description ok, or why the point has no value
                             * @example ok
                             * @enum {string}
                             */
                            status: "ok" | "out_of_domain";
                            /**
                             * @description Whether the point could not be checked in time; request it again
                             * @example true
                             */
                            retryable?: boolean;
                            /** @description Values over time */
                            series?: {
                                /**
                                 * @description Id of a dataset of /v1/catalog, or blend
                                 * @example nbm
                                 */
                                dataset_id: string;
                                /**
                                 * @description Valid times, ascending
                                 * @example [
                                 *       "2026-08-20T18:00:00Z"
                                 *     ]
                                 */
                                valid_times: string[];
                                /**
                                 * @description Values of each variable, one for each valid time
                                 * @example {
                                 *       "temperature": [
                                 *         71.2
                                 *       ]
                                 *     }
                                 */
                                data: {
                                    [key: string]: (number | null)[];
                                };
                                /**
                                 * @description For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored
                                 * @example [
                                 *       "urma"
                                 *     ]
                                 */
                                sources?: (string | null)[];
                            };
                        }[];
                        /**
                         * @description System of units; in an answer the unit of each variable
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    };
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.stream": string;
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
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
                        /** @description Datasets */
                        products: components["schemas"]["Product"][];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                        /**
                         * @description Id of the dataset in /v1/catalog
                         * @example nbm
                         */
                        product_id: string;
                        /**
                         * @description Source of the values
                         * @example nbm
                         */
                        source: string;
                        /**
                         * @description Title of the dataset
                         * @example National Blend of Models
                         */
                        title: string;
                        /**
                         * @description Description in words
                         * @example Blend of the forecasts of several models
                         */
                        description: string;
                        /**
                         * @description Kind of the dataset
                         * @example grid
                         * @enum {string}
                         */
                        kind: "grid" | "frame" | "station" | "event" | "text" | "climatology";
                        /**
                         * @description Producer of the dataset
                         * @example NOAA NCEP
                         */
                        provider: string;
                        /**
                         * @description Source to name beside the data
                         * @example NOAA National Blend of Models
                         */
                        attribution: string;
                        /**
                         * @description Time between runs
                         * @example 3600
                         */
                        cadence_seconds: number;
                        /**
                         * @description Usual time from reference time to publication
                         * @example 4200
                         */
                        latency_seconds: number;
                        /**
                         * @description Age at which the dataset counts as late
                         * @example 14400
                         */
                        stale_after_seconds: number;
                        /**
                         * @description H3 resolution of the stored cells; null if the dataset is not stored by cell
                         * @example 7
                         */
                        h3_resolution: number | null;
                        /** @description Domains of the dataset */
                        coverage: {
                            /**
                             * @description conus, alaska or hawaii; empty if the dataset is not divided
                             * @example conus
                             */
                            domain: string;
                            /**
                             * @description west, south, east, north
                             * @example [
                             *       -125
                             *     ]
                             */
                            bbox: number[];
                            /**
                             * @description Grid spacing of the source
                             * @example 2.54
                             */
                            native_km: number;
                        }[];
                        /** @description Variables of the dataset */
                        variables: {
                            /**
                             * @description Name of the variable in requests and answers
                             * @example temperature
                             */
                            name: string;
                            /**
                             * @description Unit of the stored values
                             * @example K
                             */
                            unit: string;
                            /** @description Units of the variable in answers */
                            units?: {
                                /**
                                 * @description Unit with units=imperial
                                 * @example F
                                 */
                                imperial: string;
                                /**
                                 * @description Unit with units=metric
                                 * @example C
                                 */
                                metric: string;
                            };
                            /**
                             * @description Standard name in the CF conventions; null if there is none
                             * @example air_temperature
                             */
                            standard_name: string | null;
                            /**
                             * @description Description in words
                             * @example Blend of the forecasts of several models
                             */
                            description: string;
                            /**
                             * @description Whether a value is for an instant, or for the interval that ends at its time
                             * @example instant
                             */
                            kind: string;
                        }[];
                        /** @description Runs that answers use now */
                        served: {
                            /**
                             * @description conus, alaska or hawaii; empty if the dataset is not divided
                             * @example conus
                             */
                            domain: string;
                            /**
                             * Format: date-time
                             * @description Reference time of the run
                             * @example 2026-08-20T16:00:00Z
                             */
                            run: string;
                            /**
                             * Format: date-time
                             * @description When it was published
                             * @example 2026-08-20T17:12:00Z
                             */
                            published_at: string;
                            /**
                             * @description Age since reference_time; null if nothing is stored
                             * @example 7200
                             */
                            age_seconds: number;
                            /**
                             * @description Whether the run is older than stale_after_seconds
                             * @example false
                             */
                            stale: boolean;
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description State, or the two letters of marine zones: CO, GM */
                area?: string;
                /** @description Zone or county: COZ040, COC031 */
                zone?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
                /** @description Id of one alert, for its full detail */
                id?: string;
                /** @description Names of events in any case, separated by commas: Tornado Warning,Flood Watch. A misspelled name is rejected with the nearest name; a name in no list gives the warning unknown_event */
                event?: string;
                /** @description Severities, separated by commas */
                severity?: string;
                /** @description Urgencies, separated by commas */
                urgency?: string;
                /** @description Certainties, separated by commas */
                certainty?: string;
                /** @description Actual (default), Exercise, Test */
                status?: string;
                /** @description full: alerts with description, instruction and geometry; concise: alerts with a link to these */
                alert_detail?: "concise" | "full";
                /** @description Format of the answer, instead of Accept. json: application/json, geojson: application/geo+json, csv: text/csv, atom: application/atom+xml, cap: application/cap+xml, ics: text/calendar */
                format?: "json" | "geojson" | "csv" | "atom" | "cap" | "ics";
            };
            header?: {
                /** @description `x402` without a key: the answer is 402 with the price of the call */
                "Accept-Payment"?: string;
                /** @description A payment by x402 version 2, base64 */
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
                        /** @description Active alerts of the National Weather Service, the most severe first */
                        alerts: ({
                            /**
                             * @description Id of the NWS message
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /**
                             * @description Name of the event
                             * @example Severe Thunderstorm Warning
                             */
                            event: string;
                            /**
                             * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
                             * @example Severe
                             */
                            severity: string;
                            /**
                             * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
                             * @example Immediate
                             */
                            urgency: string;
                            /**
                             * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
                             * @example Observed
                             */
                            certainty: string;
                            /**
                             * @description Headline of the message
                             * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
                             */
                            headline: string;
                            /**
                             * @description Issuing office
                             * @example NWS Denver CO
                             */
                            sender: string;
                            /**
                             * @description Actual; Exercise and Test are not warnings
                             * @example Actual
                             * @enum {string}
                             */
                            status: "Actual" | "Exercise" | "Test";
                            /**
                             * Format: date-time
                             * @description Start of the event
                             * @example 2026-08-20T21:12:00Z
                             */
                            onset: string;
                            /**
                             * Format: date-time
                             * @description End of the event
                             * @example 2026-08-20T22:00:00Z
                             */
                            ends: string;
                            /**
                             * Format: date-time
                             * @description Start of the validity of the message
                             * @example 2026-08-20T21:12:00Z
                             */
                            effective: string;
                            /**
                             * Format: date-time
                             * @description End of the validity of the message
                             * @example 2026-08-20T22:00:00Z
                             */
                            expires: string;
                            /**
                             * Format: date-time
                             * @description Time at which the alert is over: ends, else expires
                             * @example 2026-08-20T22:00:00Z
                             */
                            expiration: string;
                            /**
                             * @description Areas in words
                             * @example Denver; Adams; Arapahoe
                             */
                            area_desc?: string;
                            /**
                             * @description Chosen parameters of the message, such as the hail size, by name
                             * @example {
                             *       "maxHailSize": "1.00 in"
                             *     }
                             */
                            highlights?: {
                                [key: string]: string;
                            };
                            /**
                             * @description Forecast office
                             * @example BOU
                             */
                            office: string | null;
                            /**
                             * @description UGC codes of its area
                             * @example [
                             *       "COC031"
                             *     ]
                             */
                            areas: string[];
                            /**
                             * @description Text of the alert; only with id, with alert_detail=full and in GeoJSON
                             * @example At 312 PM MDT, a severe thunderstorm was located near Denver.
                             */
                            description?: string | null;
                            /**
                             * @description What to do
                             * @example Move to an interior room.
                             */
                            instruction?: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description GeoJSON geometry */
                            geometry?: unknown;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Name of the event
                                 * @example Severe Thunderstorm Warning
                                 */
                                event: string;
                                /**
                                 * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
                                 * @example Severe
                                 */
                                severity: string;
                                /**
                                 * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
                                 * @example Immediate
                                 */
                                urgency: string;
                                /**
                                 * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
                                 * @example Observed
                                 */
                                certainty: string;
                                /**
                                 * @description Headline of the message
                                 * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
                                 */
                                headline: string;
                                /**
                                 * @description Issuing office
                                 * @example NWS Denver CO
                                 */
                                sender: string;
                                /**
                                 * @description Actual; Exercise and Test are not warnings
                                 * @example Actual
                                 * @enum {string}
                                 */
                                status: "Actual" | "Exercise" | "Test";
                                /**
                                 * Format: date-time
                                 * @description Start of the event
                                 * @example 2026-08-20T21:12:00Z
                                 */
                                onset: string;
                                /**
                                 * Format: date-time
                                 * @description End of the event
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                ends: string;
                                /**
                                 * Format: date-time
                                 * @description Start of the validity of the message
                                 * @example 2026-08-20T21:12:00Z
                                 */
                                effective: string;
                                /**
                                 * Format: date-time
                                 * @description End of the validity of the message
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                expires: string;
                                /**
                                 * Format: date-time
                                 * @description Time at which the alert is over: ends, else expires
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                expiration: string;
                                /**
                                 * @description Areas in words
                                 * @example Denver; Adams; Arapahoe
                                 */
                                area_desc?: string;
                                /**
                                 * @description Chosen parameters of the message, such as the hail size, by name
                                 * @example {
                                 *       "maxHailSize": "1.00 in"
                                 *     }
                                 */
                                highlights?: {
                                    [key: string]: string;
                                };
                                /**
                                 * @description Forecast office
                                 * @example BOU
                                 */
                                office: string | null;
                                /**
                                 * @description UGC codes of its area
                                 * @example [
                                 *       "COC031"
                                 *     ]
                                 */
                                areas: string[];
                                /**
                                 * @description Text of the alert; only with id, with alert_detail=full and in GeoJSON
                                 * @example At 312 PM MDT, a severe thunderstorm was located near Denver.
                                 */
                                description?: string | null;
                                /**
                                 * @description What to do
                                 * @example Move to an interior room.
                                 */
                                instruction?: string | null;
                            } & {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "application/geo+json": {
                        /** @description Active alerts of the National Weather Service, the most severe first */
                        alerts: ({
                            /**
                             * @description Id of the NWS message
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /**
                             * @description Name of the event
                             * @example Severe Thunderstorm Warning
                             */
                            event: string;
                            /**
                             * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
                             * @example Severe
                             */
                            severity: string;
                            /**
                             * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
                             * @example Immediate
                             */
                            urgency: string;
                            /**
                             * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
                             * @example Observed
                             */
                            certainty: string;
                            /**
                             * @description Headline of the message
                             * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
                             */
                            headline: string;
                            /**
                             * @description Issuing office
                             * @example NWS Denver CO
                             */
                            sender: string;
                            /**
                             * @description Actual; Exercise and Test are not warnings
                             * @example Actual
                             * @enum {string}
                             */
                            status: "Actual" | "Exercise" | "Test";
                            /**
                             * Format: date-time
                             * @description Start of the event
                             * @example 2026-08-20T21:12:00Z
                             */
                            onset: string;
                            /**
                             * Format: date-time
                             * @description End of the event
                             * @example 2026-08-20T22:00:00Z
                             */
                            ends: string;
                            /**
                             * Format: date-time
                             * @description Start of the validity of the message
                             * @example 2026-08-20T21:12:00Z
                             */
                            effective: string;
                            /**
                             * Format: date-time
                             * @description End of the validity of the message
                             * @example 2026-08-20T22:00:00Z
                             */
                            expires: string;
                            /**
                             * Format: date-time
                             * @description Time at which the alert is over: ends, else expires
                             * @example 2026-08-20T22:00:00Z
                             */
                            expiration: string;
                            /**
                             * @description Areas in words
                             * @example Denver; Adams; Arapahoe
                             */
                            area_desc?: string;
                            /**
                             * @description Chosen parameters of the message, such as the hail size, by name
                             * @example {
                             *       "maxHailSize": "1.00 in"
                             *     }
                             */
                            highlights?: {
                                [key: string]: string;
                            };
                            /**
                             * @description Forecast office
                             * @example BOU
                             */
                            office: string | null;
                            /**
                             * @description UGC codes of its area
                             * @example [
                             *       "COC031"
                             *     ]
                             */
                            areas: string[];
                            /**
                             * @description Text of the alert; only with id, with alert_detail=full and in GeoJSON
                             * @example At 312 PM MDT, a severe thunderstorm was located near Denver.
                             */
                            description?: string | null;
                            /**
                             * @description What to do
                             * @example Move to an interior room.
                             */
                            instruction?: string | null;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description GeoJSON geometry */
                            geometry?: unknown;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Name of the event
                                 * @example Severe Thunderstorm Warning
                                 */
                                event: string;
                                /**
                                 * @description Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
                                 * @example Severe
                                 */
                                severity: string;
                                /**
                                 * @description Urgency by CAP: Immediate, Expected, Future, Past, Unknown
                                 * @example Immediate
                                 */
                                urgency: string;
                                /**
                                 * @description Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
                                 * @example Observed
                                 */
                                certainty: string;
                                /**
                                 * @description Headline of the message
                                 * @example Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO
                                 */
                                headline: string;
                                /**
                                 * @description Issuing office
                                 * @example NWS Denver CO
                                 */
                                sender: string;
                                /**
                                 * @description Actual; Exercise and Test are not warnings
                                 * @example Actual
                                 * @enum {string}
                                 */
                                status: "Actual" | "Exercise" | "Test";
                                /**
                                 * Format: date-time
                                 * @description Start of the event
                                 * @example 2026-08-20T21:12:00Z
                                 */
                                onset: string;
                                /**
                                 * Format: date-time
                                 * @description End of the event
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                ends: string;
                                /**
                                 * Format: date-time
                                 * @description Start of the validity of the message
                                 * @example 2026-08-20T21:12:00Z
                                 */
                                effective: string;
                                /**
                                 * Format: date-time
                                 * @description End of the validity of the message
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                expires: string;
                                /**
                                 * Format: date-time
                                 * @description Time at which the alert is over: ends, else expires
                                 * @example 2026-08-20T22:00:00Z
                                 */
                                expiration: string;
                                /**
                                 * @description Areas in words
                                 * @example Denver; Adams; Arapahoe
                                 */
                                area_desc?: string;
                                /**
                                 * @description Chosen parameters of the message, such as the hail size, by name
                                 * @example {
                                 *       "maxHailSize": "1.00 in"
                                 *     }
                                 */
                                highlights?: {
                                    [key: string]: string;
                                };
                                /**
                                 * @description Forecast office
                                 * @example BOU
                                 */
                                office: string | null;
                                /**
                                 * @description UGC codes of its area
                                 * @example [
                                 *       "COC031"
                                 *     ]
                                 */
                                areas: string[];
                                /**
                                 * @description Text of the alert; only with id, with alert_detail=full and in GeoJSON
                                 * @example At 312 PM MDT, a severe thunderstorm was located near Denver.
                                 */
                                description?: string | null;
                                /**
                                 * @description What to do
                                 * @example Move to an interior room.
                                 */
                                instruction?: string | null;
                            } & {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": string;
                    "application/atom+xml": string;
                    "application/cap+xml": string;
                    "text/calendar": string;
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description State, or the two letters of marine zones: CO, GM */
                area?: string;
                /** @description Zone or county: COZ040, COC031 */
                zone?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
                /** @description The least severity; an update also passes if the alert before it had this severity */
                min_severity?: "Unknown" | "Minor" | "Moderate" | "Severe" | "Extreme";
                /** @description Names of events, separated by commas. alert.* (the default), text.* and run.* mean all events of a kind; nowcast.onset needs a point */
                events?: string;
                /** @description Datasets of run.* events, separated by commas; default: all */
                dataset_id?: string;
                /** @description How far ahead nowcast.onset reports precipitation, minutes */
                within_minutes?: number;
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description One station: KDEN, or its FAA or IATA code DEN */
                station?: string;
                /** @description Every report of the past hours, 1 to 72; default: the newest report of each station, at most 3 hours old */
                hours?: number;
                /** @description Units */
                units?: "imperial" | "metric";
                /** @description Largest number of items, 1 to 2000 */
                limit?: number;
                /** @description Format of the answer, instead of Accept. json: application/json, geojson: application/geo+json, csv: text/csv, parquet: application/vnd.apache.parquet, arrow: application/vnd.apache.arrow.stream */
                format?: "json" | "geojson" | "csv" | "parquet" | "arrow";
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
                        /** @description Reports, newest first for each station */
                        observations: {
                            /**
                             * @description Id of the station
                             * @example KDEN
                             */
                            station_id: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string | null;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Height above sea level
                             * @example 1656
                             */
                            elevation_m: number | null;
                            /**
                             * @description Distance from the point; only in requests with a point
                             * @example 28.4
                             */
                            distance_km?: number;
                            /**
                             * Format: date-time
                             * @description Time of the report
                             * @example 2026-08-20T17:53:00Z
                             */
                            observed_at: string;
                            /**
                             * @description Age of the report
                             * @example 11
                             */
                            age_min: number;
                            /**
                             * @description Routine or special report
                             * @example METAR
                             * @enum {string}
                             */
                            report_type: "METAR" | "SPECI";
                            /**
                             * @description Whether the report corrects an earlier report
                             * @example false
                             */
                            corrected: boolean;
                            /**
                             * @description Whether the report is fully automated
                             * @example true
                             */
                            auto: boolean;
                            /**
                             * @description Text of the report
                             * @example KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005
                             */
                            raw: string;
                            /**
                             * @description Flight category; null if it cannot be determined
                             * @example VFR
                             * @enum {string|null}
                             */
                            flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                            /**
                             * @description Air temperature 2 m above the ground
                             * @example 71.3
                             */
                            temperature: number | null;
                            /**
                             * @description Dew point 2 m above the ground
                             * @example 42.1
                             */
                            dew_point: number | null;
                            /**
                             * @description Wind 10 m above the ground
                             * @example 8.1
                             */
                            wind_speed: number | null;
                            /**
                             * @description Gusts 10 m above the ground
                             * @example 16.4
                             */
                            wind_gust: number | null;
                            /**
                             * @description Direction from which the wind blows, 360 for north; null if calm or variable
                             * @example 270
                             */
                            wind_direction: number | null;
                            /**
                             * @description Visibility at the ground; null if no source has it
                             * @example 10
                             */
                            visibility: number | null;
                            /**
                             * @description Altimeter setting
                             * @example 30.05
                             */
                            pressure: number | null;
                            /**
                             * @description Lowest broken or overcast layer above the station
                             * @example 6500
                             */
                            ceiling_ft?: number;
                            /** @description Layers of clouds, the lowest first */
                            layers?: {
                                /**
                                 * @description Cover: FEW, SCT, BKN, OVC, VV
                                 * @example BKN
                                 */
                                cover: string;
                                /**
                                 * @description Base above the station
                                 * @example 6500
                                 */
                                base_ft?: number;
                                /**
                                 * @description Convective cloud: CB or TCU
                                 * @example CB
                                 * @enum {string}
                                 */
                                convective?: "CB" | "TCU";
                            }[];
                            /**
                             * @description Groups of present weather as reported
                             * @example [
                             *       "-RA"
                             *     ]
                             */
                            weather: string[];
                        }[];
                        /**
                         * @description Unit of each quantity of the answer
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description GeoJSON geometry */
                            geometry?: unknown;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station
                                 * @example KDEN
                                 */
                                station_id: string;
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Postal abbreviation of the state
                                 * @example CO
                                 */
                                state: string | null;
                                /**
                                 * @description Latitude, north is positive
                                 * @example 39.74
                                 */
                                lat: number;
                                /**
                                 * @description Longitude, west is negative
                                 * @example -104.99
                                 */
                                lon: number;
                                /**
                                 * @description Height above sea level
                                 * @example 1656
                                 */
                                elevation_m: number | null;
                                /**
                                 * @description Distance from the point; only in requests with a point
                                 * @example 28.4
                                 */
                                distance_km?: number;
                                /**
                                 * Format: date-time
                                 * @description Time of the report
                                 * @example 2026-08-20T17:53:00Z
                                 */
                                observed_at: string;
                                /**
                                 * @description Age of the report
                                 * @example 11
                                 */
                                age_min: number;
                                /**
                                 * @description Routine or special report
                                 * @example METAR
                                 * @enum {string}
                                 */
                                report_type: "METAR" | "SPECI";
                                /**
                                 * @description Whether the report corrects an earlier report
                                 * @example false
                                 */
                                corrected: boolean;
                                /**
                                 * @description Whether the report is fully automated
                                 * @example true
                                 */
                                auto: boolean;
                                /**
                                 * @description Text of the report
                                 * @example KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005
                                 */
                                raw: string;
                                /**
                                 * @description Flight category; null if it cannot be determined
                                 * @example VFR
                                 * @enum {string|null}
                                 */
                                flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                                /**
                                 * @description Air temperature 2 m above the ground
                                 * @example 71.3
                                 */
                                temperature: number | null;
                                /**
                                 * @description Dew point 2 m above the ground
                                 * @example 42.1
                                 */
                                dew_point: number | null;
                                /**
                                 * @description Wind 10 m above the ground
                                 * @example 8.1
                                 */
                                wind_speed: number | null;
                                /**
                                 * @description Gusts 10 m above the ground
                                 * @example 16.4
                                 */
                                wind_gust: number | null;
                                /**
                                 * @description Direction from which the wind blows, 360 for north; null if calm or variable
                                 * @example 270
                                 */
                                wind_direction: number | null;
                                /**
                                 * @description Visibility at the ground; null if no source has it
                                 * @example 10
                                 */
                                visibility: number | null;
                                /**
                                 * @description Altimeter setting
                                 * @example 30.05
                                 */
                                pressure: number | null;
                                /**
                                 * @description Lowest broken or overcast layer above the station
                                 * @example 6500
                                 */
                                ceiling_ft?: number;
                                /** @description Layers of clouds, the lowest first */
                                layers?: {
                                    /**
                                     * @description Cover: FEW, SCT, BKN, OVC, VV
                                     * @example BKN
                                     */
                                    cover: string;
                                    /**
                                     * @description Base above the station
                                     * @example 6500
                                     */
                                    base_ft?: number;
                                    /**
                                     * @description Convective cloud: CB or TCU
                                     * @example CB
                                     * @enum {string}
                                     */
                                    convective?: "CB" | "TCU";
                                }[];
                                /**
                                 * @description Groups of present weather as reported
                                 * @example [
                                 *       "-RA"
                                 *     ]
                                 */
                                weather: string[];
                            };
                        }[];
                        /**
                         * @description Unit of each quantity of the answer
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "application/geo+json": {
                        /** @description Reports, newest first for each station */
                        observations: {
                            /**
                             * @description Id of the station
                             * @example KDEN
                             */
                            station_id: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string | null;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Height above sea level
                             * @example 1656
                             */
                            elevation_m: number | null;
                            /**
                             * @description Distance from the point; only in requests with a point
                             * @example 28.4
                             */
                            distance_km?: number;
                            /**
                             * Format: date-time
                             * @description Time of the report
                             * @example 2026-08-20T17:53:00Z
                             */
                            observed_at: string;
                            /**
                             * @description Age of the report
                             * @example 11
                             */
                            age_min: number;
                            /**
                             * @description Routine or special report
                             * @example METAR
                             * @enum {string}
                             */
                            report_type: "METAR" | "SPECI";
                            /**
                             * @description Whether the report corrects an earlier report
                             * @example false
                             */
                            corrected: boolean;
                            /**
                             * @description Whether the report is fully automated
                             * @example true
                             */
                            auto: boolean;
                            /**
                             * @description Text of the report
                             * @example KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005
                             */
                            raw: string;
                            /**
                             * @description Flight category; null if it cannot be determined
                             * @example VFR
                             * @enum {string|null}
                             */
                            flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                            /**
                             * @description Air temperature 2 m above the ground
                             * @example 71.3
                             */
                            temperature: number | null;
                            /**
                             * @description Dew point 2 m above the ground
                             * @example 42.1
                             */
                            dew_point: number | null;
                            /**
                             * @description Wind 10 m above the ground
                             * @example 8.1
                             */
                            wind_speed: number | null;
                            /**
                             * @description Gusts 10 m above the ground
                             * @example 16.4
                             */
                            wind_gust: number | null;
                            /**
                             * @description Direction from which the wind blows, 360 for north; null if calm or variable
                             * @example 270
                             */
                            wind_direction: number | null;
                            /**
                             * @description Visibility at the ground; null if no source has it
                             * @example 10
                             */
                            visibility: number | null;
                            /**
                             * @description Altimeter setting
                             * @example 30.05
                             */
                            pressure: number | null;
                            /**
                             * @description Lowest broken or overcast layer above the station
                             * @example 6500
                             */
                            ceiling_ft?: number;
                            /** @description Layers of clouds, the lowest first */
                            layers?: {
                                /**
                                 * @description Cover: FEW, SCT, BKN, OVC, VV
                                 * @example BKN
                                 */
                                cover: string;
                                /**
                                 * @description Base above the station
                                 * @example 6500
                                 */
                                base_ft?: number;
                                /**
                                 * @description Convective cloud: CB or TCU
                                 * @example CB
                                 * @enum {string}
                                 */
                                convective?: "CB" | "TCU";
                            }[];
                            /**
                             * @description Groups of present weather as reported
                             * @example [
                             *       "-RA"
                             *     ]
                             */
                            weather: string[];
                        }[];
                        /**
                         * @description Unit of each quantity of the answer
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description GeoJSON geometry */
                            geometry?: unknown;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station
                                 * @example KDEN
                                 */
                                station_id: string;
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Postal abbreviation of the state
                                 * @example CO
                                 */
                                state: string | null;
                                /**
                                 * @description Latitude, north is positive
                                 * @example 39.74
                                 */
                                lat: number;
                                /**
                                 * @description Longitude, west is negative
                                 * @example -104.99
                                 */
                                lon: number;
                                /**
                                 * @description Height above sea level
                                 * @example 1656
                                 */
                                elevation_m: number | null;
                                /**
                                 * @description Distance from the point; only in requests with a point
                                 * @example 28.4
                                 */
                                distance_km?: number;
                                /**
                                 * Format: date-time
                                 * @description Time of the report
                                 * @example 2026-08-20T17:53:00Z
                                 */
                                observed_at: string;
                                /**
                                 * @description Age of the report
                                 * @example 11
                                 */
                                age_min: number;
                                /**
                                 * @description Routine or special report
                                 * @example METAR
                                 * @enum {string}
                                 */
                                report_type: "METAR" | "SPECI";
                                /**
                                 * @description Whether the report corrects an earlier report
                                 * @example false
                                 */
                                corrected: boolean;
                                /**
                                 * @description Whether the report is fully automated
                                 * @example true
                                 */
                                auto: boolean;
                                /**
                                 * @description Text of the report
                                 * @example KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005
                                 */
                                raw: string;
                                /**
                                 * @description Flight category; null if it cannot be determined
                                 * @example VFR
                                 * @enum {string|null}
                                 */
                                flight_category: "VFR" | "MVFR" | "IFR" | "LIFR" | null;
                                /**
                                 * @description Air temperature 2 m above the ground
                                 * @example 71.3
                                 */
                                temperature: number | null;
                                /**
                                 * @description Dew point 2 m above the ground
                                 * @example 42.1
                                 */
                                dew_point: number | null;
                                /**
                                 * @description Wind 10 m above the ground
                                 * @example 8.1
                                 */
                                wind_speed: number | null;
                                /**
                                 * @description Gusts 10 m above the ground
                                 * @example 16.4
                                 */
                                wind_gust: number | null;
                                /**
                                 * @description Direction from which the wind blows, 360 for north; null if calm or variable
                                 * @example 270
                                 */
                                wind_direction: number | null;
                                /**
                                 * @description Visibility at the ground; null if no source has it
                                 * @example 10
                                 */
                                visibility: number | null;
                                /**
                                 * @description Altimeter setting
                                 * @example 30.05
                                 */
                                pressure: number | null;
                                /**
                                 * @description Lowest broken or overcast layer above the station
                                 * @example 6500
                                 */
                                ceiling_ft?: number;
                                /** @description Layers of clouds, the lowest first */
                                layers?: {
                                    /**
                                     * @description Cover: FEW, SCT, BKN, OVC, VV
                                     * @example BKN
                                     */
                                    cover: string;
                                    /**
                                     * @description Base above the station
                                     * @example 6500
                                     */
                                    base_ft?: number;
                                    /**
                                     * @description Convective cloud: CB or TCU
                                     * @example CB
                                     * @enum {string}
                                     */
                                    convective?: "CB" | "TCU";
                                }[];
                                /**
                                 * @description Groups of present weather as reported
                                 * @example [
                                 *       "-RA"
                                 *     ]
                                 */
                                weather: string[];
                            };
                        }[];
                        /**
                         * @description Unit of each quantity of the answer
                         * @example {
                         *       "temperature": "F"
                         *     }
                         */
                        units: {
                            [key: string]: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.stream": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Skill: {
        parameters: {
            query?: {
                /** @description Variable that is scored; nowcast compares nowcasts with the radar that followed */
                variable?: "temperature" | "dew_point" | "wind_speed" | "wind_gust" | "sky" | "flight_category" | "precip_probability" | "high" | "low" | "nowcast";
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description Forecast office */
                office?: string;
                /** @description One station */
                station?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Days before today (UTC), 1 to 400 */
                days?: number;
                /** @description One lead in hours; 0 is the analysis */
                lead?: 0 | 1 | 3 | 6 | 12 | 24 | 48 | 72 | 120 | 168;
                /** @description One source; blend is the published forecast */
                source?: "blend" | "nbm" | "hrrr" | "rrfs" | "gfs" | "persistence" | "rtma";
                /** @description Units */
                units?: "imperial" | "metric";
                /** @description One domain: of radar for a nowcast, otherwise of the states in it */
                domain?: "conus" | "alaska" | "hawaii";
                /** @description One lead of a nowcast in minutes */
                lead_minutes?: 5;
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
                        /**
                         * @description Variable that is scored
                         * @example temperature
                         * @enum {string}
                         */
                        variable: "temperature" | "dew_point" | "wind_speed" | "wind_gust" | "sky" | "flight_category" | "precip_probability" | "high" | "low" | "nowcast";
                        /**
                         * @description Unit of bias, mae and rmse; null if they have none
                         * @example F
                         */
                        unit: string | null;
                        /**
                         * @description US, a domain, a state, a forecast office, a station, or the requested box
                         * @example BOU
                         */
                        scored_area: string;
                        /**
                         * Format: date
                         * @description First day, UTC
                         * @example 2026-07-21
                         */
                        first_day: string;
                        /**
                         * Format: date
                         * @description Last day, UTC
                         * @example 2026-08-19
                         */
                        last_day: string;
                        /** @description Scores of each source and lead with at least 30 pairs */
                        figures: {
                            /**
                             * @description Source of the values
                             * @example nbm
                             * @enum {string}
                             */
                            source: "blend" | "nbm" | "hrrr" | "rrfs" | "gfs" | "persistence" | "rtma";
                            /**
                             * @description Hours from issue to valid time; for high and low, from 06:00 local time to 06:00 of the day; 0: the analysis
                             * @example 24
                             */
                            lead_hours: number;
                            /**
                             * @description Pairs of a forecast and a report
                             * @example 51230
                             */
                            pairs: number;
                            /**
                             * @description Days with a pair
                             * @example 30
                             */
                            days: number;
                            /** @description Scores by name */
                            scores: {
                                [key: string]: {
                                    /**
                                     * @description Score over all pairs
                                     * @example 1.37
                                     */
                                    estimate: number;
                                    /**
                                     * @description Lower end of the 95 % interval; null with fewer than five days
                                     * @example 1.31
                                     */
                                    lower: number | null;
                                    /**
                                     * @description Upper end of the 95 % interval; null with fewer than five days
                                     * @example 1.44
                                     */
                                    upper: number | null;
                                };
                            };
                            /** @description Ten bins of the probability of 0.01 inch or more in an hour */
                            reliability?: {
                                /**
                                 * @description Lowest probability of the bin
                                 * @example 30
                                 */
                                from_percent: number;
                                /**
                                 * @description Lowest probability of the next bin
                                 * @example 40
                                 */
                                to_percent: number;
                                /**
                                 * @description Pairs with a probability in the bin
                                 * @example 1204
                                 */
                                pairs: number;
                                /**
                                 * @description Mean forecast probability; null below 30 pairs
                                 * @example 34.6
                                 */
                                forecast_percent: number | null;
                                /**
                                 * @description Share of hours that were wet; null below 30 pairs
                                 * @example 33.1
                                 */
                                observed_percent: number | null;
                            }[];
                        }[];
                        /** @description With variable=nowcast: scores of each domain, lead, threshold and source with at least 30 frames, of the model 18 */
                        nowcast_figures?: {
                            /**
                             * @description Domain of radar
                             * @example conus
                             * @enum {string}
                             */
                            domain: "conus" | "alaska" | "hawaii";
                            /**
                             * @description nowcast is the served nowcast, persistence the radar frame it began with, unmoved, model the rate of HRRR by the newest run that was served when the nowcast was: at full hours and at points within the states, so with other frames and pixels; Hawaii has none
                             * @example nowcast
                             * @enum {string}
                             */
                            source: "nowcast" | "persistence" | "model";
                            /**
                             * @description Minutes from the radar frame it began with to the valid time
                             * @example 30
                             */
                            lead_minutes: number;
                            /**
                             * @description Rate from which a pixel counts as an event
                             * @example 0.1
                             */
                            threshold_mm_h: number;
                            /**
                             * @description Radar frames that were compared
                             * @example 4320
                             */
                            frames: number;
                            /**
                             * @description Compared pixels of these frames; for the model, points
                             * @example 4100000000
                             */
                            pixels: number;
                            /**
                             * @description Days with a frame
                             * @example 30
                             */
                            days: number;
                            /** @description Scores by name: csi is hits among hits, misses and false alarms; pod is the share of observed events that were forecast; far is the share of forecast events that were not observed; frequency_bias is the number of forecast events divided by that of observed events. A score without events is absent */
                            scores: {
                                [key: string]: {
                                    /**
                                     * @description Score over all pairs
                                     * @example 1.37
                                     */
                                    estimate: number;
                                    /**
                                     * @description Lower end of the 95 % interval; null with fewer than five days
                                     * @example 1.31
                                     */
                                    lower: number | null;
                                    /**
                                     * @description Upper end of the 95 % interval; null with fewer than five days
                                     * @example 1.44
                                     */
                                    upper: number | null;
                                };
                            };
                            /** @description Ten bins of the served probability of 0.1 mm/h or more, with the nowcast at this threshold */
                            reliability?: {
                                /**
                                 * @description Lowest probability of the bin
                                 * @example 30
                                 */
                                from_percent: number;
                                /**
                                 * @description Lowest probability of the next bin
                                 * @example 40
                                 */
                                to_percent: number;
                                /**
                                 * @description Pairs with a probability in the bin
                                 * @example 1204
                                 */
                                pairs: number;
                                /**
                                 * @description Mean forecast probability; null below 30 pairs
                                 * @example 34.6
                                 */
                                forecast_percent: number | null;
                                /**
                                 * @description Share of points that were wet; null below 30 pairs
                                 * @example 33.1
                                 */
                                observed_percent: number | null;
                            }[];
                        }[];
                        /** @description With variable=nowcast, lead_minutes and at most 31 days: the same scores by day (UTC), without intervals, of days with at least 30 frames, of the model 18 */
                        nowcast_days?: {
                            /**
                             * @description Domain of radar
                             * @example conus
                             * @enum {string}
                             */
                            domain: "conus" | "alaska" | "hawaii";
                            /**
                             * @description nowcast is the served nowcast, persistence the radar frame it began with, unmoved, model the rate of HRRR by the newest run that was served when the nowcast was: at full hours and at points within the states, so with other frames and pixels; Hawaii has none
                             * @example nowcast
                             * @enum {string}
                             */
                            source: "nowcast" | "persistence" | "model";
                            /**
                             * @description Minutes from the radar frame it began with to the valid time
                             * @example 30
                             */
                            lead_minutes: number;
                            /**
                             * @description Rate from which a pixel counts as an event
                             * @example 0.1
                             */
                            threshold_mm_h: number;
                            /**
                             * @description Radar frames that were compared
                             * @example 4320
                             */
                            frames: number;
                            /**
                             * Format: date
                             * @description Day, UTC
                             * @example 2026-08-19
                             */
                            day: string;
                            /** @description Scores by name, as in nowcast_figures */
                            scores: {
                                [key: string]: number;
                            };
                        }[];
                        /**
                         * @description Number of requested sources and leads with fewer than 30 pairs, or frames of a nowcast, or 18 frames of the model
                         * @example 1
                         */
                        figures_left_out: number;
                        /**
                         * @description Why there are no scores; null if there are some
                         * @example No forecast has been stored yet.
                         */
                        why_empty: string | null;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /**
                             * @description Warnings about missing, late or assumed data
                             * @example [
                             *       {
                             *         "code": "simulated_data",
                             *         "message": "SIMULATED DATA: this is not real weather."
                             *       }
                             *     ]
                             */
                            warnings: {
                                [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
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
                /** @description `x402` without a key: the answer is 402 with the price of the call */
                "Accept-Payment"?: string;
                /** @description A payment by x402 version 2, base64 */
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
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description GeoJSON geometry */
                            geometry: {
                                /**
                                 * @description Type of the GeoJSON object
                                 * @enum {string}
                                 */
                                type: "Polygon";
                                /**
                                 * @description Positions in the order of GeoJSON: longitude, latitude
                                 * @example [
                                 *       [
                                 *         [
                                 *           -104.99
                                 *         ]
                                 *       ]
                                 *     ]
                                 */
                                coordinates: number[][][];
                            };
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * Format: date-time
                                 * @description Valid time of the values
                                 * @example 2026-08-20T18:00:00Z
                                 */
                                valid_time: string;
                                /**
                                 * @description probsevere, or nexrad_ and the radar that detected the cell
                                 * @example probsevere
                                 */
                                source: string;
                                /**
                                 * @description Speed in m/s; null for a cell in only one scan
                                 * @example 14.2
                                 */
                                speed: number | null;
                                /**
                                 * @description Direction of motion, degrees clockwise from north; null if the storm is stationary
                                 * @example 45
                                 */
                                direction: number | null;
                                /**
                                 * @description Severe weather within an hour
                                 * @example 62
                                 */
                                severe_probability: number | null;
                                /**
                                 * @description Severe hail within an hour
                                 * @example 48
                                 */
                                hail_probability: number | null;
                                /**
                                 * @description Severe wind within an hour
                                 * @example 31
                                 */
                                wind_probability: number | null;
                                /**
                                 * @description Tornado within an hour
                                 * @example 4
                                 */
                                tornado_probability: number | null;
                                /**
                                 * @description Largest reflectivity of a radar cell
                                 * @example 58
                                 */
                                max_reflectivity_dbz: number | null;
                                /**
                                 * @description Strength rank of a circulation in the cell, 1 to 25
                                 * @example 7
                                 */
                                mesocyclone_strength: number | null;
                                /**
                                 * @description Tornadic vortex signature; ETVS does not reach the lowest beam
                                 * @example TVS
                                 * @enum {string|null}
                                 */
                                tornado_signature: "TVS" | "ETVS" | null;
                                /**
                                 * @description Latitude, north is positive
                                 * @example 39.74
                                 */
                                lat: number;
                                /**
                                 * @description Longitude, west is negative
                                 * @example -104.99
                                 */
                                lon: number;
                                /** @description Forecast positions */
                                forecast: {
                                    /**
                                     * @description Minutes from the scan
                                     * @example 15
                                     */
                                    minutes: number;
                                    /**
                                     * @description Latitude, north is positive
                                     * @example 39.74
                                     */
                                    lat: number;
                                    /**
                                     * @description Longitude, west is negative
                                     * @example -104.99
                                     */
                                    lon: number;
                                }[];
                            };
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                            /**
                             * Format: date-time
                             * @description Valid time of the values
                             * @example 2026-08-20T18:00:00Z
                             */
                            valid_time: string | null;
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
            429: components["responses"]["Problem429B"];
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
                /** @description Reports that were issued in this many last hours; default without dates: 48 */
                hours?: number;
                /** @description Largest number of items, 1 to 500 */
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
                        /** @description Daily climate reports */
                        reports: components["schemas"]["ClimateReport"][];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description Reports that were issued in this many last hours; default without dates: 48 */
                hours?: number;
                /** @description Largest number of items, 1 to 500 */
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
                        /** @description Reports of records */
                        records: components["schemas"]["ClimateRecord"][];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarSiteIdProductPng: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Width in pixels, 16 to 2048 */
                width?: number;
                /** @description Opacity of the picture, 0 to 1 */
                opacity?: number;
            };
            header?: {
                /** @description An ETag of an earlier answer; the answer is 304 if nothing has changed */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A radar: FTG or KFTG; see /v1/radars */
                id: string;
                /** @description N0B or reflectivity, N0G or velocity, N0S or storm_relative_velocity, N0H or hydrometeor_class */
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description Unchanged since the ETag in the request; not counted as a call */
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
                    /** @description max-age, or no-store if a source is degraded */
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarSiteIdProduct: {
        parameters: {
            query?: {
                /** @description Latitude of a point, for its value; degrees */
                lat?: number;
                /** @description Longitude of a point, for its value; degrees */
                lon?: number;
            };
            header?: never;
            path: {
                /** @description A radar: FTG or KFTG; see /v1/radars */
                id: string;
                /** @description N0B or reflectivity, N0G or velocity, N0S or storm_relative_velocity, N0H or hydrometeor_class */
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
                        /** @description The radar */
                        site: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description ICAO code
                             * @example KFTG
                             */
                            icao: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                        };
                        /**
                         * @description Mnemonic of the product
                         * @example N0B
                         */
                        product: string;
                        /**
                         * @description Name
                         * @example Denver
                         */
                        name: string;
                        /**
                         * @description Title of the dataset
                         * @example National Blend of Models
                         */
                        title: string;
                        /**
                         * @description Unit of bias, mae and rmse; null if they have none
                         * @example F
                         */
                        unit: string;
                        /**
                         * Format: date-time
                         * @description Valid time of the values
                         * @example 2026-08-20T18:00:00Z
                         */
                        valid_time: string;
                        /**
                         * @description Whether the scan is older than 20 minutes
                         * @example false
                         */
                        stale: boolean;
                        /**
                         * @description Elevation of the beam above the horizon
                         * @example 0.5
                         */
                        elevation_angle: number | null;
                        /**
                         * @description Volume coverage pattern of the radar
                         * @example 212
                         */
                        coverage_pattern: number;
                        /**
                         * @description west, south, east, north
                         * @example [
                         *       -125
                         *     ]
                         */
                        bbox: number[];
                        /**
                         * @description Path of the picture
                         * @example /v1/radar/site/FTG/N0B.png
                         */
                        image: string;
                        /** @description The value at the requested point */
                        at?: {
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description value, dry, or no_coverage: beyond the range of the radar, or a range-folded echo
                             * @example value
                             * @enum {string}
                             */
                            coverage: "value" | "dry" | "no_coverage";
                            /**
                             * @description Value of the product at the point, in `unit`; null without a value
                             * @example 42
                             */
                            value: number | null;
                            /**
                             * @description Name of the class, if the product has classes
                             * @example wet_snow
                             */
                            word?: string;
                        };
                        /** @description Legend of the picture */
                        legend: {
                            /**
                             * @description Least value of the colour
                             * @example 20
                             */
                            from: number;
                            /**
                             * @description Colour
                             * @example #04e9e7
                             */
                            colour: string;
                            /**
                             * @description Name of the class, if the product has classes
                             * @example wet_snow
                             */
                            word?: string;
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description Width in pixels, 16 to 2048; the height follows from Web Mercator */
                width?: number;
                /** @description ISO 8601 instant or Unix seconds: the nearest stored frame, or the nowcast up to 90 minutes ahead; default: the newest frame */
                time?: string;
                /** @description Opacity of the picture, 0 to 1 */
                opacity?: number;
            };
            header?: {
                /** @description An ETag of an earlier answer; the answer is 304 if nothing has changed */
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description Unchanged since the ETag in the request; not counted as a call */
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
                    /** @description max-age, or no-store if a source is degraded */
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
            429: components["responses"]["Problem429B"];
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
            429: components["responses"]["Problem429B"];
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
                        /**
                         * @description Id of the dataset in /v1/catalog
                         * @example mrms-reflectivity
                         */
                        product_id: string;
                        /**
                         * @description Title of the product
                         * @example Composite reflectivity
                         */
                        title: string;
                        /**
                         * @description Unit of the values
                         * @example dBZ
                         */
                        unit: string;
                        /**
                         * @description Available times of scans
                         * @example [
                         *       "2026-08-20T18:00:00Z"
                         *     ]
                         */
                        times: string[];
                        /**
                         * @description Available times of the nowcast
                         * @example [
                         *       "2026-08-20T18:30:00Z"
                         *     ]
                         */
                        nowcast_times: string[];
                        /** @description Legend of the picture */
                        legend: {
                            /**
                             * @description Least value of the colour
                             * @example 20
                             */
                            from: number;
                            /**
                             * @description Colour
                             * @example #04e9e7
                             */
                            colour: string;
                        }[];
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarProductTimeTilesJson: {
        parameters: {
            query?: {
                /** @description Opacity of the picture, 0 to 1 */
                opacity?: number;
                /** @description Pixels of a side: 256 or 512 */
                size?: 256;
            };
            header?: never;
            path: {
                /** @description A radar product of /v1/catalog */
                product: string;
                /** @description latest, or an instant as in /v1/radar/{product}.png */
                time: string;
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
                        /**
                         * @description Version of TileJSON
                         * @example 3.0.0
                         * @enum {string}
                         */
                        tilejson: "3.0.0";
                        /**
                         * @description Name of the layer
                         * @example Composite reflectivity, newest of 2026-08-20T18:02:00Z
                         */
                        name: string;
                        /**
                         * @description Source to name beside the data
                         * @example NOAA National Blend of Models
                         */
                        attribution: string;
                        /**
                         * @description Scheme of tile addresses; rows count from the north
                         * @example xyz
                         * @enum {string}
                         */
                        scheme: "xyz";
                        /**
                         * @description Template of the addresses of tiles
                         * @example [
                         *       "https://weather.example.org/v1/radar/mrms-reflectivity/latest/{z}/{x}/{y}.png"
                         *     ]
                         */
                        tiles: string[];
                        /**
                         * @description Least zoom
                         * @example 2
                         */
                        minzoom: number;
                        /**
                         * @description Greatest zoom
                         * @example 9
                         */
                        maxzoom: number;
                        /**
                         * @description west, south, east, north
                         * @example [
                         *       -176
                         *     ]
                         */
                        bounds: number[];
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1RadarProductTimeZXYPng: {
        parameters: {
            query?: {
                /** @description Opacity of the picture, 0 to 1 */
                opacity?: number;
                /** @description Pixels of a side: 256 or 512 */
                size?: 256;
            };
            header?: {
                /** @description An ETag of an earlier answer; the answer is 304 if nothing has changed */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A radar product of /v1/catalog */
                product: string;
                /** @description latest, or an instant as in /v1/radar/{product}.png */
                time: string;
                /** @description Zoom, 2 to 9 */
                z: string;
                /** @description Column from the west */
                x: string;
                /** @description Row from the north */
                y: string;
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
                    /** @description max-age, or no-store if a source is degraded */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description Unchanged since the ETag in the request; not counted as a call */
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
                    /** @description max-age, or no-store if a source is degraded */
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
            429: components["responses"]["Problem429B"];
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
                /** @description City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents are ignored, and the beginning of a name is enough */
                q: string;
                /** @description Largest number of items, 1 to 50 */
                limit?: number;
                /** @description lat,lon: among places with the same name, nearer places are preferred */
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
                        /** @description Places, the most likely first */
                        places: {
                            /**
                             * @description Kind of the match
                             * @example place
                             * @enum {string}
                             */
                            kind: "place" | "zip" | "coordinates" | "feature";
                            /**
                             * @description Kind of a feature: airport, county, park, forest, summit, lake, military, tribal, university, stadium, …
                             * @example airport
                             */
                            feature?: string;
                            /**
                             * @description How the name fits the text: its own name, another name of it, a name that begins so, a similar name
                             * @example exact
                             * @enum {string}
                             */
                            match: "exact" | "other" | "prefix" | "similar";
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            region: string;
                            /**
                             * @description Country by ISO 3166-1 alpha-2
                             * @example US
                             * @enum {string}
                             */
                            country: "US";
                            /**
                             * @description County of the point
                             * @example Denver County
                             */
                            county?: string;
                            /**
                             * @description US ZIP code
                             * @example 80202
                             */
                            zip?: string;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Time zone by its IANA name
                             * @example America/Denver
                             */
                            timezone?: string;
                            /**
                             * @description Number of inhabitants; null if it is not known
                             * @example 715522
                             */
                            population: number | null;
                        }[];
                        /** @description The state, region or country that the text names; places then has the towns with the same name */
                        area?: {
                            /**
                             * @description Kind of the area
                             * @example state
                             * @enum {string}
                             */
                            kind: "state" | "region" | "country";
                            /**
                             * @description Name of the area
                             * @example Michigan
                             */
                            name: string;
                            /**
                             * @description Postal codes of its states
                             * @example [
                             *       "MI"
                             *     ]
                             */
                            states: string[];
                            /**
                             * @description Large cities in it
                             * @example [
                             *       "Detroit, MI"
                             *     ]
                             */
                            cities: string[];
                        };
                        /** @description The place outside coverage that the text names */
                        abroad?: {
                            /**
                             * @description Kind of the place
                             * @example city
                             * @enum {string}
                             */
                            kind: "territory" | "country" | "city";
                            /**
                             * @description Country or territory of the place
                             * @example France
                             */
                            where: string;
                        };
                        /**
                         * @description What the text names besides the places, in a sentence
                         * @example "Michigan" is a state
                         */
                        message?: string;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
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
                        /** @description The place of the answer */
                        location: {
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            region: string;
                            /**
                             * @description Country by ISO 3166-1 alpha-2
                             * @example US
                             */
                            country: string;
                            /**
                             * @description Time zone by its IANA name
                             * @example America/Denver
                             */
                            timezone: string;
                            /**
                             * @description County of the point
                             * @example Denver County
                             */
                            county?: string;
                            /**
                             * @description US ZIP code
                             * @example 80202
                             */
                            zip?: string;
                        };
                        /** @description Surroundings of the point */
                        gis: {
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Time zone by its IANA name
                             * @example America/Denver
                             */
                            timezone: string;
                            /**
                             * @description City that contains the point
                             * @example Denver
                             */
                            city?: string;
                            /**
                             * @description Nearest city
                             * @example Denver
                             */
                            nearest_city?: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state?: string;
                            /**
                             * @description County of the point
                             * @example Denver County
                             */
                            county?: string;
                            /**
                             * @description Country by ISO 3166-1 alpha-2
                             * @example US
                             */
                            country?: string;
                            /**
                             * @description Number of inhabitants; null if it is not known
                             * @example 715522
                             */
                            population: number | null;
                            /** @description Nearest radar */
                            nearest_radar: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Latitude, north is positive
                                 * @example 39.74
                                 */
                                lat: number;
                                /**
                                 * @description Longitude, west is negative
                                 * @example -104.99
                                 */
                                lon: number;
                                /**
                                 * @description Distance from the point
                                 * @example 28.4
                                 */
                                distance_km: number;
                            };
                            /** @description Nearest station */
                            nearest_station: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Postal abbreviation of the state
                                 * @example CO
                                 */
                                state: string;
                                /**
                                 * @description Height above sea level
                                 * @example 1656
                                 */
                                elevation_m: number | null;
                                /**
                                 * @description Latitude, north is positive
                                 * @example 39.74
                                 */
                                lat: number;
                                /**
                                 * @description Longitude, west is negative
                                 * @example -104.99
                                 */
                                lon: number;
                                /**
                                 * @description Distance from the point
                                 * @example 28.4
                                 */
                                distance_km: number;
                            };
                        };
                        /** @description Zones of the point */
                        zones: {
                            /**
                             * @description Forecast office
                             * @example BOU
                             */
                            office?: string;
                            /**
                             * @description Code of the county
                             * @example COC031
                             */
                            county?: string;
                            /**
                             * @description Code of the fire weather zone
                             * @example COZ240
                             */
                            fire?: string;
                            /**
                             * @description Code of the forecast zone
                             * @example COZ040
                             */
                            forecast?: string;
                            /**
                             * @description Code of the marine zone
                             * @example GMZ335
                             */
                            marine?: string;
                        };
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description One site: KDEN, KFTG or FTG */
                id?: string;
                /** @description Only sites within this many kilometres */
                radius_km?: number;
                /** @description Largest number of items, 1 to 500 */
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
                        /** @description Stations, the nearest first */
                        stations: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Height above sea level
                             * @example 1656
                             */
                            elevation_m: number | null;
                            /**
                             * @description Distance from the point
                             * @example 28.4
                             */
                            distance_km?: number;
                        }[];
                        /**
                         * @description Number of all matches, including those beyond limit
                         * @example 42
                         */
                        total: number;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description One site: KDEN, KFTG or FTG */
                id?: string;
                /** @description Only sites within this many kilometres */
                radius_km?: number;
                /** @description Largest number of items, 1 to 500 */
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
                        /** @description Radars, the nearest first */
                        radars: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description ICAO code
                             * @example KFTG
                             */
                            icao: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                            /**
                             * @description Height above sea level
                             * @example 1656
                             */
                            elevation_m: number;
                            /**
                             * @description Distance from the point
                             * @example 28.4
                             */
                            distance_km?: number;
                        }[];
                        /**
                         * @description Number of all matches, including those beyond limit
                         * @example 42
                         */
                        total: number;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
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
                        /** @description Forecast offices */
                        offices: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string;
                            /**
                             * @description Latitude, north is positive
                             * @example 39.74
                             */
                            lat: number;
                            /**
                             * @description Longitude, west is negative
                             * @example -104.99
                             */
                            lon: number;
                        }[];
                        /**
                         * @description Number of all matches, including those beyond limit
                         * @example 42
                         */
                        total: number;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
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
            429: components["responses"]["Problem429B"];
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
                /** @description lat,lon: among places with the same name, nearer places are preferred */
                near?: string;
                /** @description Postal abbreviation of a state */
                state?: string;
                /** @description Forecast office: BOU or KBOU */
                office?: string;
                /** @description Kind of zone */
                kind?: "county" | "forecast" | "fire" | "marine";
                /** @description Zone code: COC031, COZ040, GMZ630 */
                id?: string;
                /** @description Format of the answer, instead of Accept. json: application/json, geojson: application/geo+json */
                format?: "json" | "geojson";
                /** @description Largest number of items, 1 to 1000 */
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
                        /** @description Zones */
                        zones: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description Kind of the zone
                             * @example forecast
                             * @enum {string}
                             */
                            kind: "county" | "forecast" | "fire" | "marine";
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string;
                            /**
                             * @description Forecast office
                             * @example BOU
                             */
                            office: string;
                        }[];
                        /**
                         * @description Number of all matches, including those beyond limit
                         * @example 42
                         */
                        total: number;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Kind of the zone
                                 * @example forecast
                                 * @enum {string}
                                 */
                                kind: "county" | "forecast" | "fire" | "marine";
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Postal abbreviation of the state
                                 * @example CO
                                 */
                                state: string;
                                /**
                                 * @description Forecast office
                                 * @example BOU
                                 */
                                office: string;
                            };
                            /** @description GeoJSON geometry */
                            geometry: {
                                /**
                                 * @description Type of the GeoJSON object
                                 * @enum {string}
                                 */
                                type: "MultiPolygon";
                                /**
                                 * @description Positions in the order of GeoJSON: longitude, latitude
                                 * @example [
                                 *       [
                                 *         [
                                 *           [
                                 *             -104.99
                                 *           ]
                                 *         ]
                                 *       ]
                                 *     ]
                                 */
                                coordinates: number[][][][];
                            } | null;
                        }[];
                    };
                    "application/geo+json": {
                        /** @description Zones */
                        zones: {
                            /**
                             * @description Id of the station, radar, office or zone
                             * @example KDEN
                             */
                            id: string;
                            /**
                             * @description Kind of the zone
                             * @example forecast
                             * @enum {string}
                             */
                            kind: "county" | "forecast" | "fire" | "marine";
                            /**
                             * @description Name
                             * @example Denver
                             */
                            name: string;
                            /**
                             * @description Postal abbreviation of the state
                             * @example CO
                             */
                            state: string;
                            /**
                             * @description Forecast office
                             * @example BOU
                             */
                            office: string;
                        }[];
                        /**
                         * @description Number of all matches, including those beyond limit
                         * @example 42
                         */
                        total: number;
                        /** @description Metadata of the answer */
                        meta: {
                            /**
                             * @description Version of the schema
                             * @example 1.0.0
                             */
                            schema_version: string;
                            /**
                             * Format: date-time
                             * @description Time at which the answer was built
                             * @example 2026-08-20T18:04:00.000Z
                             */
                            generated_at: string;
                            /**
                             * @description Source to name beside the data
                             * @example NOAA National Blend of Models
                             */
                            attribution?: string;
                            /** @description Warnings about missing, late or assumed data */
                            warnings?: {
                                /**
                                 * @description Stable code; new ones may be added
                                 * @example stale_source
                                 */
                                code: string;
                                /**
                                 * @description Section that the warning is about
                                 * @example hourly
                                 */
                                section: string;
                                /**
                                 * @description Explanation of the warning
                                 * @example hours 37 to 48 come from the 18Z run
                                 */
                                detail?: string;
                                /**
                                 * @description Id of the dataset in /v1/catalog
                                 * @example nbm
                                 */
                                product_id?: string;
                            }[];
                        };
                    } | {
                        /**
                         * @description Type of the GeoJSON object
                         * @enum {string}
                         */
                        type: "FeatureCollection";
                        /** @description GeoJSON features */
                        features: {
                            /**
                             * @description Type of the GeoJSON object
                             * @enum {string}
                             */
                            type: "Feature";
                            /**
                             * @description Id of the feature
                             * @example urn:oid:2.49.0.1.840.0.8a1f.001.1
                             */
                            id: string;
                            /** @description Properties of the feature */
                            properties: {
                                /**
                                 * @description Id of the station, radar, office or zone
                                 * @example KDEN
                                 */
                                id: string;
                                /**
                                 * @description Kind of the zone
                                 * @example forecast
                                 * @enum {string}
                                 */
                                kind: "county" | "forecast" | "fire" | "marine";
                                /**
                                 * @description Name
                                 * @example Denver
                                 */
                                name: string;
                                /**
                                 * @description Postal abbreviation of the state
                                 * @example CO
                                 */
                                state: string;
                                /**
                                 * @description Forecast office
                                 * @example BOU
                                 */
                                office: string;
                            };
                            /** @description GeoJSON geometry */
                            geometry: {
                                /**
                                 * @description Type of the GeoJSON object
                                 * @enum {string}
                                 */
                                type: "MultiPolygon";
                                /**
                                 * @description Positions in the order of GeoJSON: longitude, latitude
                                 * @example [
                                 *       [
                                 *         [
                                 *           [
                                 *             -104.99
                                 *           ]
                                 *         ]
                                 *       ]
                                 *     ]
                                 */
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdr: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
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
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem400B"];
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
    getEdrConformance: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
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
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem400B"];
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
    getEdrCollections: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionId: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstances: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceId: {
        parameters: {
            query?: {
                /** @description Always JSON */
                f?: "json" | "application/json";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, or latest */
                instance_id: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdLocations: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Largest number of items, 1 to 5000 */
                limit?: number;
                /** @description Number of features before this page; the link with rel=next has the next offset */
                offset?: number;
                /** @description Always GeoJSON */
                f?: "geojson" | "GeoJSON";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdLocations: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description Largest number of items, 1 to 5000 */
                limit?: number;
                /** @description Number of features before this page; the link with rel=next has the next offset */
                offset?: number;
                /** @description Always GeoJSON */
                f?: "geojson" | "GeoJSON";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdPosition: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POINT(-104.99 39.74) or MULTIPOINT(…) */
                coords: string;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdRadius: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POINT(-104.99 39.74) */
                coords: string;
                /** @description Distance, at most 500 km */
                within: string;
                /** @description Unit of within */
                "within-units": "km" | "m" | "mi";
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdArea: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POLYGON((-105 39,-104 39,-104 40,-105 39)) or MULTIPOLYGON(…) */
                coords: string;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdCube: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees */
                bbox: string;
                /** @description Positions along this axis */
                "resolution-x"?: number;
                /** @description Positions along this axis */
                "resolution-y"?: number;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdLocationsLocationId: {
        parameters: {
            query?: {
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A location of /locations */
                location_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdPosition: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POINT(-104.99 39.74) or MULTIPOINT(…) */
                coords: string;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdRadius: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POINT(-104.99 39.74) */
                coords: string;
                /** @description Distance, at most 500 km */
                within: string;
                /** @description Unit of within */
                "within-units": "km" | "m" | "mi";
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdArea: {
        parameters: {
            query: {
                /** @description Well-known text, longitude first: POLYGON((-105 39,-104 39,-104 40,-105 39)) or MULTIPOLYGON(…) */
                coords: string;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdCube: {
        parameters: {
            query: {
                /** @description west,south,east,north in degrees */
                bbox: string;
                /** @description Positions along this axis */
                "resolution-x"?: number;
                /** @description Positions along this axis */
                "resolution-y"?: number;
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdInstancesInstanceIdLocationsLocationId: {
        parameters: {
            query?: {
                /** @description An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations */
                datetime?: string;
                /** @description Parameters of the collection, separated by commas; default: all */
                "parameter-name"?: string;
                /** @description System of units */
                units?: "metric" | "imperial" | "si";
                /** @description Always CRS84: longitude, latitude */
                crs?: "CRS84" | "OGC:CRS84" | "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
                /** @description Format of the answer, instead of Accept */
                f?: "covjson" | "geojson" | "csv" | "CoverageJSON" | "GeoJSON" | "CSV";
            };
            header?: never;
            path: {
                /** @description A collection of /edr/collections */
                collection_id: string;
                /** @description A run, by an id of /instances */
                instance_id: string;
                /** @description A location of /locations */
                location_id: string;
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
                    "application/prs.coverage+json": {
                        [key: string]: unknown;
                    };
                    "application/geo+json": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdItems: {
        parameters: {
            query?: {
                /** @description west,south,east,north in degrees */
                bbox?: string;
                /** @description An instant or start/end, with .. for an open end: only features that are valid then */
                datetime?: string;
                /** @description Largest number of items, 1 to 1000 */
                limit?: number;
                /** @description Number of features before this page; the link with rel=next has the next offset */
                offset?: number;
                /** @description Format of the answer */
                f?: "geojson" | "GeoJSON";
            };
            header?: never;
            path: {
                /** @description A collection of features */
                collection_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getEdrCollectionsCollectionIdItemsFeatureId: {
        parameters: {
            query?: {
                /** @description Format of the answer */
                f?: "geojson" | "GeoJSON";
            };
            header?: never;
            path: {
                /** @description A collection of features */
                collection_id: string;
                /** @description Id of a feature */
                feature_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getStac: {
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
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem400B"];
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
    getStacConformance: {
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
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Problem400B"];
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
    getStacCollections: {
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getStacCollectionsCollectionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A collection of /stac/collections, such as nbm-conus */
                collection_id: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getStacCollectionsCollectionIdItems: {
        parameters: {
            query?: {
                /** @description Largest number of items, 1 to 100 */
                limit?: number;
                /** @description Number of features before this page; the link with rel=next has the next offset */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description A collection of /stac/collections, such as nbm-conus */
                collection_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getStacCollectionsCollectionIdItemsItemId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A collection of /stac/collections, such as nbm-conus */
                collection_id: string;
                /** @description A run of the collection, such as nbm-conus-2026-08-20T12Z */
                item_id: string;
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
                    "application/geo+json": {
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getStacCollectionsCollectionIdItemsItemIdAssetsAssetName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A collection of /stac/collections, such as nbm-conus */
                collection_id: string;
                /** @description A run of the collection, such as nbm-conus-2026-08-20T12Z */
                item_id: string;
                /** @description An asset of the run: manifest, sources, 0000.tile, … */
                asset_name: string;
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
                    "application/vnd.hexcast.tile": string;
                };
            };
            /** @description The answer */
            206: {
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
                    "application/vnd.hexcast.tile": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getZarrDatasetDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A dataset of model runs of /v1/catalog, such as nbm */
                dataset: string;
                /** @description A domain of the dataset, such as conus */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            302: {
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
                    "application/json": null;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getZarrDatasetDomainRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A dataset of model runs of /v1/catalog, such as nbm */
                dataset: string;
                /** @description A domain of the dataset, such as conus */
                domain: string;
                /** @description The name of a run as in the redirect of /zarr/{dataset}/{domain}; or its reference time, which is redirected */
                run: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getZarrDatasetDomainRunZarrJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A dataset of model runs of /v1/catalog, such as nbm */
                dataset: string;
                /** @description A domain of the dataset, such as conus */
                domain: string;
                /** @description The name of a run as in the redirect of /zarr/{dataset}/{domain}; or its reference time, which is redirected */
                run: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getZarrDatasetDomainRunArrayZarrJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A dataset of model runs of /v1/catalog, such as nbm */
                dataset: string;
                /** @description A domain of the dataset, such as conus */
                domain: string;
                /** @description The name of a run as in the redirect of /zarr/{dataset}/{domain}; or its reference time, which is redirected */
                run: string;
                /** @description An array of the group, such as temperature */
                array: string;
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
                        [key: string]: unknown;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getZarrDatasetDomainRunArrayChunk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A dataset of model runs of /v1/catalog, such as nbm */
                dataset: string;
                /** @description A domain of the dataset, such as conus */
                domain: string;
                /** @description The name of a run as in the redirect of /zarr/{dataset}/{domain}; or its reference time, which is redirected */
                run: string;
                /** @description An array of the group, such as temperature */
                array: string;
                /** @description The key of a chunk, such as c.0.12 */
                chunk: string;
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
                    "application/vnd.hexcast.zarr-chunk": string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Webhooks: {
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
                        /** @description Webhooks of the key */
                        webhooks: components["schemas"]["Webhook"][];
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1Webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description URL of the receiver: https with a public host name
                     * @example https://example.org/hooks/weather
                     */
                    url: string;
                    /**
                     * @description Types of events
                     * @example [
                     *       "alert.*"
                     *     ]
                     */
                    events: ("alert.*" | "alert.issued" | "alert.updated" | "alert.cancelled" | "alert.expired" | "run.*" | "run.started" | "run.published" | "run.stage" | "run.late" | "nowcast.onset")[];
                    /** @description Conditions on events */
                    filter?: components["schemas"]["WebhookFilter"];
                    /**
                     * @description Purpose of the webhook
                     * @default
                     * @example Alerts of the Front Range
                     */
                    description?: string;
                };
            };
        };
        responses: {
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
                        /**
                         * @description Id of the webhook
                         * @example wh_3fJ2mQ0aXb9cD1eF
                         */
                        id: string;
                        /**
                         * @description URL of the receiver: https with a public host name
                         * @example https://example.org/hooks/weather
                         */
                        url: string;
                        /**
                         * @description Types of events
                         * @example [
                         *       "alert.*"
                         *     ]
                         */
                        events: string[];
                        /** @description Conditions on events */
                        filter: components["schemas"]["WebhookFilter"];
                        /**
                         * @description Purpose of the webhook
                         * @example Alerts of the Front Range
                         */
                        description: string;
                        /**
                         * @description Whether calls are sent; false while paused, and after the receiver answered 410
                         * @example true
                         */
                        enabled: boolean;
                        /**
                         * Format: date-time
                         * @description Time of creation
                         * @example 2026-08-01T09:00:00.000Z
                         */
                        created_at: string;
                        /**
                         * @description Number of waiting calls
                         * @example 0
                         */
                        waiting: number;
                        /**
                         * Format: date-time
                         * @description When the receiver began to fail (no answer, 5xx, 408, 429, redirects); null while it works
                         * @example 2026-08-20T20:02:00.000Z
                         */
                        failing_since: string | null;
                        /**
                         * Format: date-time
                         * @description Time of the next call to a failing receiver; null while it works
                         * @example 2026-08-20T21:13:00.000Z
                         */
                        next_attempt_at: string | null;
                        /** @description Doubts about the filter of the request: unknown_event */
                        warnings?: {
                            /**
                             * @description Stable code; new ones may be added
                             * @example stale_source
                             */
                            code: string;
                            /**
                             * @description Section that the warning is about
                             * @example hourly
                             */
                            section: string;
                            /**
                             * @description Explanation of the warning
                             * @example hours 37 to 48 come from the 18Z run
                             */
                            detail?: string;
                            /**
                             * @description Id of the dataset in /v1/catalog
                             * @example nbm
                             */
                            product_id?: string;
                        }[];
                        /**
                         * @description Secret that signs every call; it is shown only once
                         * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
                         */
                        secret: string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1WebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
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
                    "application/json": components["schemas"]["Webhook"];
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    deleteV1WebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    patchV1WebhooksId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description URL of the receiver: https with a public host name
                     * @example https://example.org/hooks/weather
                     */
                    url?: string;
                    /**
                     * @description Types of events
                     * @example [
                     *       "alert.*"
                     *     ]
                     */
                    events?: ("alert.*" | "alert.issued" | "alert.updated" | "alert.cancelled" | "alert.expired" | "run.*" | "run.started" | "run.published" | "run.stage" | "run.late" | "nowcast.onset")[];
                    /** @description Conditions on events */
                    filter?: components["schemas"]["WebhookFilter"];
                    /**
                     * @description Purpose of the webhook
                     * @example Alerts of the Front Range
                     */
                    description?: string;
                    /**
                     * @description Whether calls are sent; false while paused, and after the receiver answered 410
                     * @example true
                     */
                    enabled?: boolean;
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
                    "application/json": components["schemas"]["Webhook"];
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1WebhooksIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
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
                        /**
                         * @description Id of a call
                         * @example msg_8aJ2mQ0aXb9cD1eFgH3k
                         */
                        delivery_id: string;
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1WebhooksIdDeliveries: {
        parameters: {
            query?: {
                /** @description Only calls in this state */
                state?: "pending" | "delivered" | "dead";
                /** @description Largest number of items, 1 to 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
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
                        /** @description Calls, the newest first */
                        deliveries: components["schemas"]["WebhookDelivery"][];
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    postV1WebhooksIdReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a webhook of this key */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Id of a call
                     * @example msg_8aJ2mQ0aXb9cD1eFgH3k
                     */
                    delivery_id?: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
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
                        /**
                         * @description Number of calls that are due again
                         * @example 3
                         */
                        replayed: number;
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
            429: components["responses"]["Problem429B"];
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
                        /** @description Keys of the account */
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
            429: components["responses"]["Problem429"];
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
                /** @description A text of your choice; send the same text again after a lost answer to get the same key */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Name of the key
                     * @example my laptop
                     */
                    name: string;
                    /** @description Program that requests the key, and how */
                    origin: {
                        /**
                         * @description Program that requests the key, such as cli
                         * @example cli
                         */
                        channel: string;
                        /**
                         * @description How the key was requested
                         * @example device_flow
                         * @enum {string}
                         */
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
                        /**
                         * @description First characters of the key: its name in lists and logs
                         * @example hx_live_4fJ2
                         */
                        prefix: string;
                        /**
                         * @description Name of the key
                         * @example my laptop
                         */
                        name: string;
                        /**
                         * @description Plan of the key
                         * @example free
                         */
                        plan: string;
                        /**
                         * @description Scopes of the key
                         * @example [
                         *       "weather:read"
                         *     ]
                         */
                        scopes: string[];
                        /**
                         * Format: date-time
                         * @description Time of creation
                         * @example 2026-08-01T09:00:00.000Z
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description Time at which the text expires; null if it does not
                         * @example 2026-08-20T20:30:00Z
                         */
                        expires_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the key was revoked; null while it is valid
                         * @example 2026-08-20T09:00:00.000Z
                         */
                        revoked_at: string | null;
                        /**
                         * @description The key itself, which is shown only once
                         * @example hx_live_4fJ2…
                         */
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
                    /**
                     * @description Name of the key
                     * @example Denver
                     */
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
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
    getV1Authorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without a body */
            204: {
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
            429: components["responses"]["Problem429B"];
            431: components["responses"]["Problem431B"];
            500: components["responses"]["Problem500B"];
            502: components["responses"]["Problem502B"];
            503: components["responses"]["Problem503B"];
            504: components["responses"]["Problem504B"];
        };
    };
}
