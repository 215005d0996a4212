import type { MultiPolygon, Polygon } from 'geojson'
import { shapeOfWkb } from '../../ingest/domain/shape.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { outlookIssues } from '../../sql/queries/outlooks.ts'
import { AddressMeter } from '../keys/meter.ts'
import { visitors } from '../keys/plan.ts'
import { pathOf } from '../pages/chart.ts'
import { homePage } from '../pages/home.ts'
import { Problem, problemOf } from '../problem.ts'
import type { Answer, Ask, Route } from '../route.ts'
import { noParameters } from './shapes.ts'

/** Simplification tolerance, units of the map. */
const SIMPLIFY_TOLERANCE = 0.25
const LAYER_TTL_MS = 20_000

/**
 * The page at `/` and its reads: without a key, for the page alone, with a budget of their own by address.
 * @param routes routes of the API that the page calls under paths of its own
 */
export function homeRoutes(routes: readonly Route[], database: Database): Route[] {
  const meter = new AddressMeter()
  const page = homePage()
  const through = (path: string) => routes.find((route) => route.path === path && route.method === 'get')!
  const open = (path: string, handle: (ask: Ask) => Answer | Promise<Answer>): Route => ({
    method: 'get',
    path,
    open: true,
    handle: (ask) => {
      if (!fromPage(ask)) {
        throw new Problem(
          'unauthorized',
          'This address serves the page at / alone. Use the interface with an API key: see /docs/quickstart.',
        )
      }
      if (!meter.take(ask.address, visitors, ask.now)) {
        const { wait } = meter.peek(ask.address, visitors, ask.now)
        throw new Problem('too-many-requests', `Too many requests of the page from this address. Wait ${wait} s.`, {
          retryAfter: wait,
        })
      }
      return handle(ask)
    },
  })
  const passed = (path: string, target: string): Route => open(path, (ask) => through(target).handle!(ask))
  const alerts = cachedLayer('alerts', async (ask) => {
    const { body } = await through('/v1/alerts').handle!({ ...ask, query: {}, format: 'geojson' })
    return drawn(typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : (body as Features))
  })
  const outlooks = cachedLayer('outlooks', () => drawnOutlooks(database))
  return [
    { method: 'get', path: '/', open: true, handle: () => page },
    passed('/page/weather', '/v1/weather'),
    open('/page/radar/:product.png', async (ask) => {
      try {
        return await through('/v1/radar/:product.png').handle!(ask)
      } catch (error) {
        // A missing image is an ordinary state of the map.
        if (problemOf(error).slug === 'not-found') return { status: 204, headers: { 'Cache-Control': 'no-store' } }
        throw error
      }
    }),
    passed('/page/radar/:product', '/v1/radar/:product'),
    open('/page/alerts', (ask) => alerts(ask)),
    open('/page/outlooks', (ask) => outlooks(ask)),
  ]
}

/** By Sec-Fetch-Site; browsers omit it without TLS except on loopback: then by the referrer. */
function fromPage({ headers, base }: Ask): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.referer?.startsWith(`${base}/`) === true : site === 'same-origin'
}

/** A layer of the map, built at most every 20 s; null where it is unavailable, for which the page shows a text. */
function cachedLayer(name: string, make: (ask: Ask) => Promise<object[]>): (ask: Ask) => Promise<Answer> {
  let at: Instant = 0
  let shared: Promise<object[] | null> = Promise.resolve(null)
  return async (ask) => {
    noParameters(ask.query)
    if (ask.now - at > LAYER_TTL_MS) {
      at = ask.now
      shared = make(ask).catch((error) => {
        at = 0
        if (problemOf(error).slug === 'internal') throw error
        return null
      })
    }
    return { body: { [name]: await shared }, headers: { 'Cache-Control': 'max-age=20' } }
  }
}

interface Features {
  readonly features: readonly {
    readonly id: string
    readonly geometry: Polygon | MultiPolygon | null
    readonly properties: { readonly event: string; readonly severity: string; readonly headline: string }
  }[]
}

const order = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme']

/** Alerts as paths of the map, the most severe on top. */
function drawn({ features }: Features): object[] {
  return features
    .filter(({ geometry }) => geometry !== null)
    .map(({ id, geometry, properties: { event, severity, headline } }) => ({
      id,
      event,
      severity,
      headline,
      path: pathOf(
        (geometry!.type === 'Polygon' ? [geometry!.coordinates] : geometry!.coordinates).flat() as number[][][],
        SIMPLIFY_TOLERANCE,
        true,
      ),
    }))
    .filter(({ path }) => path !== '')
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

/** The categories of today's convective outlook as paths, the highest on top. */
async function drawnOutlooks(database: Database): Promise<object[]> {
  return (await outlookIssues(database))
    .filter(({ day, hazard }) => day === 1 && hazard === 'severe')
    .flatMap(({ levels }) => levels)
    .filter(({ scale }) => scale === 'category')
    .sort((a, b) => a.rank - b.rank)
    .map(({ label, rank, wkb }) => ({
      label,
      rank,
      path: pathOf(
        shapeOfWkb(wkb).polygons.flatMap(({ rings }) => rings.map((ring) => pairs(ring))),
        SIMPLIFY_TOLERANCE,
        true,
      ),
    }))
}

function pairs(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])
}
