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

/** A layer of the map is read again after this time. */
const LAYER_TTL_MS = 20_000
const STILL_TTL_MS = 120_000
const PRODUCT = 'mrms-reflectivity-surface'

export interface PageDeps extends PictureDeps {
  readonly database: Database
  readonly weather: Weather
  readonly alerts: AlertWatch
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

type PageHandler = (request: RouteRequest) => Answer | Promise<Answer>

/** Makes routes that need no key, with a limit by address of their own. */
function openRoutes() {
  const meter = new AddressMeter()
  const metered = (path: string, handle: PageHandler): Route => ({
    method: 'get',
    path,
    open: true,
    handle: (request) => {
      if (!meter.take(request.address, visitors, request.now)) {
        const { wait } = meter.peek(request.address, visitors, request.now)
        const detail = `This address has sent too many requests of the page. Wait ${wait} s and try again.`
        throw new Problem('too-many-requests', detail, { retryAfter: wait })
      }
      return handle(request)
    },
  })
  /** Returns a route that answers only the page at `/`. */
  const forPage = (path: string, handle: PageHandler): Route =>
    metered(path, (request) => {
      if (isFromPage(request)) return handle(request)
      throw new Problem(
        'unauthorized',
        'This address serves only the page at /. Use the API with a key instead: see /docs/quickstart.',
      )
    })
  return { metered, forPage }
}

/** Returns the layers of the map: each has a route, and one read that all visitors share. */
function layersOf({ alerts, database, radar }: PageDeps, forPage: (path: string, handle: PageHandler) => Route) {
  const layer = (name: string, readLayer: (request: RouteRequest) => Promise<object | null>) => {
    const read = sharedRead(readLayer)
    const route = forPage(`/page/${name}`, async (request) => {
      noParameters(request.query)
      return { body: { [name]: await read(request) }, headers: { 'Cache-Control': 'max-age=20' } }
    })
    return { route, read }
  }
  const alertLayer = layer('alerts', ({ now }) => alertAreas(alerts, now))
  return {
    routes: [
      alertLayer.route,
      layer('outlooks', () => outlookAreas(database)).route,
      layer('lightning', ({ now }) => recentFlashes(radar, now)).route,
    ],
    readAlertAreas: async (request: RouteRequest) => ((await alertLayer.read(request)) ?? []) as AreaFeature[],
  }
}

/** Returns the pictures of the page: still maps, and previews of places for other sites. */
function picturesOf(deps: PageDeps, readAlertAreas: (request: RouteRequest) => Promise<AreaFeature[]>) {
  const simulated = () => deps.values.current.simulated()
  const caption = (now: Instant, name: StillName) => {
    const newest = deps.radar.newestTime(PRODUCT, name === 'us' ? 'conus' : name)
    const time = newest === undefined ? 'No radar available' : `Radar ${isoSeconds(newest).slice(11, 16)} UTC`
    return `${simulated() ? 'SIMULATED, not real weather. ' : ''}${time}. ${new Date(now).toISOString().slice(0, 10)}. NOAA data by Hexcast`
  }
  const never = new AbortController().signal
  const stills = new Map(
    (Object.keys(stillViews) as StillName[]).map((name) => [
      `${name}.webp`,
      refreshed(STILL_TTL_MS, async (request: RouteRequest) =>
        stillPicture(deps, name, await readAlertAreas(request), caption(request.now, name), never),
      ),
    ]),
  )
  const lineOf = async ({ lat, lon }: { lat: number; lon: number }, now: Instant): Promise<string> => {
    const weatherRequest = parseWeather({ lat: String(lat), lon: String(lon), include: 'current' })
    const { current } = (await deps.weather.value(weatherRequest, now)).value
    const degrees = typeof current?.temperature === 'number' ? `${Math.round(current.temperature)}°F, ` : ''
    return `${simulated() ? 'Simulated: ' : ''}${current ? degrees + current.conditions : 'Forecast and radar'}`
  }
  const still = async (request: RouteRequest): Promise<Answer> => {
    noParameters(request.query)
    const picture = stills.get(request.params['name'] ?? '')
    if (!picture) throw new Problem('not-found', `The picture must be one of ${[...stills.keys()].join(', ')}.`)
    return { body: await picture(request), type: 'image/webp', headers: { 'Cache-Control': 'max-age=60' } }
  }
  const preview = async (request: RouteRequest): Promise<Answer> => {
    const { link = '' } = request.params
    const place = placeOfLink(link)
    if (!place && link !== 'us')
      throw new Problem('not-found', 'There is no such place. Use a link such as denver-co, or us.')
    const line = place ? await lineOf(place, request.now) : 'Radar with a 90-minute forecast, hours, ten days, warnings'
    const title = place ? `${place.name}, ${place.region}` : 'Weather of the United States'
    const body = await previewPicture(
      deps,
      place,
      await readAlertAreas(request),
      { title, line },
      caption(request.now, place ? stillOf(place.lat, place.lon) : 'us'),
      request.cancellation.signal,
    )
    return { body: Buffer.from(body), type: 'image/png', headers: { 'Cache-Control': 'public, max-age=600' } }
  }
  return { still, preview }
}

/**
 * Returns the page at `/` and the addresses that it reads: without a key, for the page only, with a limit by address of their own.
 * @param routes routes of the API that the page calls under its own paths
 */
export function homeRoutes(routes: readonly Route[], deps: PageDeps): Route[] {
  const { metered, forPage } = openRoutes()
  const layers = layersOf(deps, forPage)
  const pictures = picturesOf(deps, layers.readAlertAreas)
  const simulated = () => deps.values.current.simulated()
  const handlerOf = (path: string): PageHandler => {
    const handle = routes.find((route) => route.path === path && route.method === 'get')?.handle
    if (!handle) throw new Error(`the page needs the route GET ${path}`)
    return handle
  }
  const forward = (path: string, target: string, format: RouteRequest['format'] = 'json'): Route => {
    const handle = handlerOf(target)
    return forPage(path, (request) => handle({ ...request, format }))
  }
  const radarPicture = handlerOf('/v1/radar/:product.png')
  return [
    { method: 'get', path: '/', open: true, handle: ({ base }) => homePage({ base, simulated: simulated() }) },
    forward('/page/weather', '/v1/weather'),
    forward('/page/places', '/v1/geocode'),
    forPage('/page/radar/:product.png', async (request) => {
      try {
        return await radarPicture(request)
      } catch (error) {
        // A missing picture is an ordinary state of the map.
        const { slug } = problemOf(error)
        if (slug === 'not-found' || slug === 'outside-coverage')
          return { status: 204, headers: { 'Cache-Control': 'no-store' } }
        throw error
      }
    }),
    forward('/page/radar/:product', '/v1/radar/:product'),
    forward('/page/storms', '/v1/storm-tracks'),
    forward('/page/stations', '/v1/observations', 'geojson'),
    ...layers.routes,
    tileRoute(openBaseMap()),
    forPage('/page/still/:name', pictures.still),
    metered('/preview/:link.png', pictures.preview),
    {
      method: 'get',
      path: '/:place',
      open: true,
      matches: ({ place = '' }) => isPlaceLink(place),
      handle: ({ params: { place: link = '' }, base }) => {
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

/** Returns whether a request comes from our page: by Sec-Fetch-Site or, because browsers omit it without TLS, by the referrer. */
function isFromPage({ headers, base }: RouteRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.referer?.startsWith(`${base}/`) === true : site === 'same-origin'
}

/** Shares one read among all visitors for 20 s. A failed read gives null, which the page shows as unknown. */
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
