import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { ValueParts } from '../answer/values.ts'
import type { Weather } from '../answer/weather.ts'
import type { Metrics } from '../http/metrics.ts'
import { openApiOf } from '../http/openapi.ts'
import type { Readiness } from '../http/readiness.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import type { RadarHeld } from '../live/frames.ts'
import type { Live } from '../live/index.ts'
import { pageRoutes } from '../pages/routes.ts'
import type { MapPainter } from '../picture/map-painter.ts'
import type { Route } from '../route.ts'
import type { Identity } from '../sign-in/identity.ts'
import { alertsRoute } from './alerts.ts'
import { batchRoutes } from './batch.ts'
import { catalogRoutes } from './catalog.ts'
import { climateRoutes } from './climate.ts'
import { developerRoutes } from './developer.ts'
import { healthRoutes } from './health.ts'
import { observationsRoute } from './observations.ts'
import { homeRoutes } from './page.ts'
import { geocode, reverseGeocode } from './places.ts'
import { pointRoutes } from './points.ts'
import { radarImageRoutes } from './radar-image.ts'
import { radarsRoute, stationsRoute } from './sites.ts'
import { stormTracksRoute } from './storm-tracks.ts'
import { weatherRoute } from './weather.ts'
import { wellKnownRoutes } from './well-known.ts'
import { officesRoute, zonesRoute } from './zones.ts'
/** What routes are made of. */
export interface ApiParts {
  readonly metricsToken: string | undefined
  readonly metricsTokenRequired: boolean
  readonly trialCalls: number
  /** Of the package. */
  readonly version: string
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  readonly clock: () => Instant
  readonly metrics: Metrics
  readonly readiness: () => Promise<Readiness>
  readonly weather: Weather
  readonly values: ValueParts
  readonly radar: RadarHeld
  readonly maps: MapPainter
  readonly identity: Identity
  readonly alerts: AlertWatch
  /** Every live source by name. */
  readonly live: Live
  /** `/v1/events` */
  readonly alertStream: Route
}

/** Every route of the interface, in the order of the documents. */
export function routesOf(parts: ApiParts): readonly Route[] {
  const routes: Route[] = [
    ...healthRoutes(parts.readiness, parts.metrics.registry, parts.metricsToken, parts.metricsTokenRequired),
    weatherRoute(parts.weather),
    ...batchRoutes(parts.weather),
    ...pointRoutes(parts.values),
    ...catalogRoutes(parts.values),
    alertsRoute(parts.alerts),
    parts.alertStream,
    observationsRoute(parts),
    stormTracksRoute(parts.radar),
    ...climateRoutes(parts.database),
    ...radarImageRoutes({ held: parts.radar, database: parts.database }),
    geocode,
    reverseGeocode,
    stationsRoute,
    radarsRoute,
    officesRoute,
    zonesRoute,
    ...developerRoutes(parts.database, parts.identity),
    ...wellKnownRoutes(parts.identity.issuer),
  ]
  const document = memoised((base) => openApiOf(routes, parts.version, base))
  return [...routes, ...pageRoutes(document, parts.trialCalls), ...homeRoutes(routes, parts)]
}

/** One document an address; a handful of spellings of this machine. */
export function memoised(make: (base: string) => object): (base: string) => object {
  const held = new Map<string, object>()
  return (base) => {
    let made = held.get(base)
    if (!made) {
      if (held.size > 16) held.clear()
      held.set(base, (made = make(base)))
    }
    return made
  }
}
