import type { Instant } from '../../ingest/domain/time.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Weather } from '../answer/weather.ts'
import { AddressMeter } from '../keys/meter.ts'
import { visitors } from '../keys/plan.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import type { Current } from '../live/served-runs.ts'
import { type BaseMap, openBaseMap } from '../pages/base-map/tiles.ts'
import { homePage } from '../pages/home.ts'
import { isPlaceLink, placeOfLink } from '../pages/place-link.ts'
import { type StillName, stillOf, stillViews } from '../pages/still-view.ts'
import { Problem, problemOf } from '../problem.ts'
import { parseWeather } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { type AreaFeature, alertAreas, outlookAreas, recentFlashes } from './page-layers.ts'
import { type PictureDeps, previewPicture, refreshed, stillPicture } from './page-pictures.ts'
import { noParameters } from './shapes.ts'

/** A layer of the map is read again after so long. */
const LAYER_TTL_MS = 20_000
const STILL_TTL_MS = 120_000
const PRODUCT = 'mrms-reflectivity-surface'

export interface PageDeps extends PictureDeps {
  readonly database: Database
  readonly weather: Weather
  readonly alerts: AlertWatch
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

/**
 * The page at `/` and its reads: without a key, for the page alone, with a budget of their own by address.
 * @param routes routes of the API that the page calls under paths of its own
 */
export function homeRoutes(routes: readonly Route[], deps: PageDeps): Route[] {
  const meter = new AddressMeter()
  const baseMap = openBaseMap()
  const through = (path: string) => routes.find((route) => route.path === path && route.method === 'get')!
  const simulated = () => deps.values.current.simulated()
  const metered = (path: string, handle: (request: RouteRequest) => Answer | Promise<Answer>): Route => ({
    method: 'get',
    path,
    open: true,
    handle: (request) => {
      if (!meter.take(request.address, visitors, request.now)) {
        const { wait } = meter.peek(request.address, visitors, request.now)
        throw new Problem('too-many-requests', `Too many requests of the page from this address. Wait ${wait} s.`, {
          retryAfter: wait,
        })
      }
      return handle(request)
    },
  })
  const open = (path: string, handle: (request: RouteRequest) => Answer | Promise<Answer>) =>
    metered(path, (request) => {
      if (!fromPage(request)) {
        throw new Problem(
          'unauthorized',
          'This address serves the page at / alone. Use the interface with an API key: see /docs/quickstart.',
        )
      }
      return handle(request)
    })
  const passed = (path: string, target: string, format: RouteRequest['format'] = 'json'): Route =>
    open(path, (request) => through(target).handle!({ ...request, format }))
  const layer = (
    name: string,
    read: (request: RouteRequest) => Promise<object | null>,
  ): { route: Route; read: typeof read } => {
    const shared = sharedRead(read)
    const route = open(`/page/${name}`, async (request) => {
      noParameters(request.query)
      return { body: { [name]: await shared(request) }, headers: { 'Cache-Control': 'max-age=20' } }
    })
    return { route, read: shared }
  }
  const alerts = layer('alerts', ({ now }) => alertAreas(deps.alerts, now))
  const areas = async (request: RouteRequest) => ((await alerts.read(request)) ?? []) as AreaFeature[]
  const caption = (now: Instant, name: StillName) => {
    const newest = deps.radar.newestTime(PRODUCT, name === 'us' ? 'conus' : name)
    const time = newest === undefined ? 'No radar available' : `Radar ${isoSeconds(newest).slice(11, 16)} UTC`
    return `${simulated() ? 'SIMULATED, not real weather. ' : ''}${time}. ${new Date(now).toISOString().slice(0, 10)}. NOAA data by Hexcast`
  }
  const never = new AbortController().signal
  const still = new Map(
    (Object.keys(stillViews) as StillName[]).map((name) => [
      `${name}.webp`,
      refreshed(STILL_TTL_MS, async (request: RouteRequest) =>
        stillPicture(deps, name, await areas(request), caption(request.now, name), never),
      ),
    ]),
  )
  const preview = async (request: RouteRequest): Promise<Answer> => {
    const link = request.params['link']!
    const place = placeOfLink(link)
    if (!place && link !== 'us') throw new Problem('not-found', 'There is no such place.')
    const line = place ? await lineOf(place) : 'Radar with a 90-minute forecast, hours, ten days, warnings'
    const title = place ? `${place.name}, ${place.region}` : 'Weather of the United States'
    const body = await previewPicture(
      deps,
      place,
      await areas(request),
      { title, line },
      caption(request.now, place ? stillOf(place.lat, place.lon) : 'us'),
      request.cancellation.signal,
    )
    return { body: Buffer.from(body), type: 'image/png', headers: { 'Cache-Control': 'public, max-age=600' } }

    async function lineOf({ lat, lon }: { lat: number; lon: number }): Promise<string> {
      const asked = parseWeather({ lat: String(lat), lon: String(lon), include: 'current' })
      const { current } = (await deps.weather.value(asked, request.now)).value
      const degrees = typeof current?.temperature === 'number' ? `${Math.round(current.temperature)}°F, ` : ''
      return `${simulated() ? 'Simulated: ' : ''}${current ? degrees + current.conditions : 'Forecast and radar'}`
    }
  }
  return [
    { method: 'get', path: '/', open: true, handle: ({ base }) => homePage({ base, simulated: simulated() }) },
    passed('/page/weather', '/v1/weather'),
    passed('/page/places', '/v1/geocode'),
    open('/page/radar/:product.png', async (request) => {
      try {
        return await through('/v1/radar/:product.png').handle!(request)
      } catch (error) {
        // A missing image is an ordinary state of the map.
        const { slug } = problemOf(error)
        if (slug === 'not-found' || slug === 'outside-coverage')
          return { status: 204, headers: { 'Cache-Control': 'no-store' } }
        throw error
      }
    }),
    passed('/page/radar/:product', '/v1/radar/:product'),
    passed('/page/storms', '/v1/storm-tracks'),
    passed('/page/stations', '/v1/observations', 'geojson'),
    alerts.route,
    layer('outlooks', () => outlookAreas(deps.database)).route,
    layer('lightning', ({ now }) => recentFlashes(deps.radar, now)).route,
    tileRoute(baseMap),
    open('/page/still/:name', async (request) => {
      noParameters(request.query)
      const picture = still.get(request.params['name']!)
      if (!picture) throw new Problem('not-found', `There are pictures of ${[...still.keys()].join(', ')}.`)
      return { body: await picture(request), type: 'image/webp', headers: { 'Cache-Control': 'max-age=60' } }
    }),
    metered('/preview/:link.png', preview),
    {
      method: 'get',
      path: '/:place',
      open: true,
      matches: ({ place }) => isPlaceLink(place!),
      handle: ({ params, base }) => {
        const link = params['place']!
        const place = placeOfLink(link)
        return homePage({ base, simulated: simulated(), ...(place ? { linked: { link, place } } : { unknown: link }) })
      },
    },
  ]
}

function tileRoute(baseMap: BaseMap): Route {
  return {
    method: 'get',
    path: '/page/map/:z/:x/:y.pbf',
    open: true,
    handle: async ({ params }) => ({
      body: await baseMap.tile(Number(params['z']), Number(params['x']), Number(params['y'])),
      type: 'application/x-protobuf',
      headers: { 'Content-Encoding': 'gzip', 'Cache-Control': 'public, max-age=86400' },
    }),
  }
}

/** By Sec-Fetch-Site; browsers omit it without TLS except on loopback: then by the referrer. */
function fromPage({ headers, base }: RouteRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.referer?.startsWith(`${base}/`) === true : site === 'same-origin'
}

/** One read for all visitors of 20 s; null where it cannot be had, which the page shows as unknown. */
function sharedRead(
  read: (request: RouteRequest) => Promise<object | null>,
): (request: RouteRequest) => Promise<object | null> {
  let at: Instant = 0
  let value: Promise<object | null> = Promise.resolve(null)
  return (request) => {
    if (request.now - at > LAYER_TTL_MS) {
      at = request.now
      value = read(request).catch((error) => {
        at = 0
        if (problemOf(error).slug === 'internal') throw error
        return null
      })
    }
    return value
  }
}
