import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { Past } from '../answer/past.ts'
import type { ValueDeps } from '../answer/values.ts'
import type { Weather } from '../answer/weather.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Readiness } from '../http/readiness.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import type { RadarFrames } from '../live/frames.ts'
import type { Live } from '../live/index.ts'
import type { ServiceStatus } from '../live/service-status.ts'
import { pageRoutes } from '../pages/routes.ts'
import type { MapPainter } from '../picture/map-painter.ts'
import type { Route } from '../route.ts'
import type { Identity } from '../sign-in/identity.ts'
import { activeEvents, alertsRoute } from './alerts.ts'
import { authorizationRoute } from './authorization.ts'
import { batchRoutes } from './batch.ts'
import { catalogRoutes } from './catalog.ts'
import { climateRoutes } from './climate.ts'
import { nwsRoutes } from './compatible/nws.ts'
import { openMeteoRoute } from './compatible/open-meteo.ts'
import { pirateWeatherRoute } from './compatible/pirate-weather.ts'
import { rainViewerRoutes } from './compatible/rainviewer.ts'
import { developerRoutes } from './developer.ts'
import { healthRoutes } from './health.ts'
import { observationsRoute } from './observations.ts'
import { edrQueryRoutes } from './ogc/edr-query.ts'
import { featureRoutes } from './ogc/features.ts'
import { ogcDocumentRoutes } from './ogc/landing.ts'
import { homeRoutes } from './page.ts'
import { geocode, reverseGeocode } from './places.ts'
import { pointRoutes } from './points.ts'
import { radarImageRoutes } from './radar-image.ts'
import { framePictures } from './radar-picture.ts'
import { radarSiteRoutes } from './radar-site.ts'
import { MAX_CACHED_TILES, radarTileRoutes } from './radar-tiles.ts'
import { radarsRoute, stationsRoute } from './sites.ts'
import { skillRoute } from './skill.ts'
import { skillPageRoute } from './skill-page.ts'
import { stacRoutes } from './stac/routes.ts'
import { statusRoutes } from './status.ts'
import { stormTracksRoute } from './storm-tracks.ts'
import { weatherRoute } from './weather.ts'
import { type WebhookDeps, webhookRoutes } from './webhooks.ts'
import { wellKnownRoutes } from './well-known.ts'
import { zarrRoutes } from './zarr/routes.ts'
import { officesRoute, zonesRoute } from './zones.ts'

/** Dependencies of the routes. */
export interface RouteDeps {
  readonly metricsToken: string | undefined
  readonly metricsTokenRequired: boolean
  readonly trialCalls: number
  /** Version of the package. */
  readonly version: string
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  readonly clock: () => Instant
  readonly metrics: Metrics
  readonly readiness: () => Promise<Readiness>
  readonly status: () => Promise<ServiceStatus | undefined>
  readonly weather: Weather
  /** Answers of earlier instants, for `as_of`. */
  readonly past: Past
  readonly values: ValueDeps
  readonly radar: RadarFrames
  readonly maps: MapPainter
  readonly identity: Identity
  readonly alerts: AlertWatch
  /** Every live source by name. */
  readonly live: Live
  readonly webhooks: Omit<WebhookDeps, 'database' | 'activeEvents'>
  /** `/v1/events` */
  readonly alertStream: Route
}

/** Returns every route, in the order of the OpenAPI document. */
export function routesOf(deps: RouteDeps): readonly Route[] {
  const simulated = () => deps.values.current.simulated()
  const { caches } = deps.metrics
  const radarDeps = { documents: deps.radar, database: deps.database, caches }
  const paintTile = framePictures(radarDeps, MAX_CACHED_TILES, 'radar_tiles')
  const routes: Route[] = [
    ...healthRoutes(deps.readiness, deps.metrics.registry, deps.metricsToken, deps.metricsTokenRequired),
    ...statusRoutes(deps.database, deps.clock, deps.status),
    weatherRoute(deps.weather, deps.past),
    ...batchRoutes(deps.weather, deps.past),
    ...pointRoutes(deps.values, deps),
    ...catalogRoutes(deps.values),
    alertsRoute(deps.alerts, simulated),
    deps.alertStream,
    observationsRoute(deps),
    skillRoute(deps),
    skillPageRoute(deps),
    stormTracksRoute(deps.radar, simulated),
    ...climateRoutes(deps.database, simulated),
    ...radarSiteRoutes(deps.radar, simulated),
    ...radarImageRoutes({ documents: deps.radar, database: deps.database, caches, simulated }),
    ...radarTileRoutes(radarDeps, paintTile),
    geocode,
    reverseGeocode,
    stationsRoute,
    radarsRoute,
    officesRoute,
    zonesRoute,
    ...ogcDocumentRoutes(deps),
    ...edrQueryRoutes(deps),
    ...featureRoutes({ ...deps, simulated }),
    ...stacRoutes({ ...deps, simulated }),
    ...zarrRoutes({ ...deps, ...deps.values }),
    ...webhookRoutes({
      database: deps.database,
      activeEvents: (now) => activeEvents(deps.alerts, deps.alerts.now(now)),
      ...deps.webhooks,
    }),
    ...developerRoutes(deps.database, deps.identity),
    authorizationRoute,
    ...wellKnownRoutes(deps.identity.issuer),
    openMeteoRoute(deps.weather),
    pirateWeatherRoute(deps.weather),
    ...rainViewerRoutes({ ...radarDeps, simulated }, paintTile),
    ...nwsRoutes({ ...deps, simulated }),
  ]
  return [...routes, ...pageRoutes(deps.trialCalls), ...homeRoutes(routes, deps)]
}
