/** Texts for agents: `/llms.txt` (https://llmstxt.org) and a small OpenAPI document for function calling. */

/** Returns what the service is, and its routes and tools, as Markdown. */
export const llmsText = (base: string): string => `# Hexcast

> Weather of the 50 US states and DC from NOAA's own products: current conditions, forecasts to 14 days, alerts, radar nowcast of 90 minutes,
> chances, lightning and observations, as a REST API and as tools (MCP). Every data route needs a key.

What has no source is null or absent with a warning; an answer never says that something is not there when it is not known. Read
\`meta.warnings\`. An empty list of alerts with a warning is not an all-clear. Data marked as simulated say nothing about the real sky.

## Tools for assistants

- [MCP server](${base}/mcp): Streamable HTTP, with a key as bearer token or by signing in; [how to connect](${base}/docs/mcp)
- Warnings: get_alerts, search_alerts, get_severe_outlook, get_fire_weather, get_lightning_activity, get_storm_tracks
- Now and the next 90 minutes: get_current_conditions, get_precipitation_nowcast, get_radar, get_observations, get_air_quality, get_map_snapshot
- Ahead: get_forecast, get_hourly_forecast, find_best_window, get_route_weather, compare_locations, what_changed
- Chances: chance_of, get_forecast_distribution, get_forecast_skill
- Past: get_past_weather, get_precipitation_totals, get_climate_normals, get_climate_records, get_growing_degree_days
- Texts, sun and places: get_forecast_discussion, get_text_products, get_sun_moon, search_locations
- Data: list_datasets, describe_dataset, query_dataset, get_service_status

## Routes

- [Functions](${base}/functions.json): a small OpenAPI document for function calling: weather of a point, alerts, places
- [OpenAPI](${base}/openapi.json): every route; [reference](${base}/docs/api)
- [Weather](${base}/v1/weather?location=Denver,CO&include=current,alerts,nowcast): all sections for one place
- [Alerts](${base}/v1/alerts?area=CO): active alerts at a point, in a state or a zone
- [Status](${base}/v1/status): the age of every dataset

## Documents

- [Keys](${base}/docs/keys): how a program or a person gets a key
- [Formats](${base}/docs/formats): JSON, CSV, GeoJSON, Parquet and others
- [Errors](${base}/errors): every kind of failure and what to do
`

/** Operations for function calling with the parameters that a model needs. */
const functions: Readonly<Record<string, { readonly id: string; readonly about: string; readonly names: string[] }>> = {
  '/v1/weather': {
    id: 'get_weather',
    about:
      'Weather of one US place. include=current,alerts: now. include=nowcast: rain and snow in the next 90 minutes by radar. ' +
      'include=hourly: forecast with precip_probability, the chance of each hour. include=uncertainty: percentiles. ' +
      'null, absent sections and meta.warnings mean that something is not known, never that it is not there.',
    names: ['location', 'lat', 'lon', 'units', 'include', 'days', 'hourly_hours'],
  },
  '/v1/alerts': {
    id: 'get_alerts',
    about:
      'NWS watches, warnings and advisories in effect at a place, or in a state or zone. A failure, or an empty list with meta.warnings, ' +
      'means that the alerts are not known: that is not an all-clear.',
    names: ['location', 'lat', 'lon', 'area', 'zone', 'alert_detail'],
  },
  '/v1/geocode': { id: 'search_places', about: 'US places by name or ZIP code.', names: ['q', 'limit'] },
}

export interface FullOpenApi {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly servers?: unknown
  readonly paths: Record<string, { get?: { parameters: { name: string }[] } }>
  readonly components: { readonly securitySchemes: { readonly key: object } }
}

/** Returns the part of the OpenAPI document that is for function calling: a few parameters, and answers without schemas. */
export function functionsOf(document: object): object {
  const { openapi, info, servers, paths, components } = document as FullOpenApi
  const operations = Object.entries(functions).map(([path, { id, about, names }]) => [
    path,
    {
      get: {
        operationId: id,
        description: about,
        security: [{ key: [] }],
        parameters: paths[path]?.get?.parameters.filter(({ name }) => names.includes(name)) ?? [],
        responses: {
          200: { description: 'The answer', content: { 'application/json': { schema: { type: 'object' } } } },
          default: {
            description: 'A problem: what is wrong, and what to do next',
            content: { 'application/problem+json': { schema: { type: 'object' } } },
          },
        },
      },
    },
  ])
  return {
    openapi,
    info: { title: 'Hexcast functions', version: info.version },
    servers,
    paths: Object.fromEntries(operations),
    components: { securitySchemes: { key: components.securitySchemes.key } },
  }
}
