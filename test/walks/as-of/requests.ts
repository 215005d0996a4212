import type { Answers } from '../../../api/answer/open.ts'
import { QueryError } from '../../../api/dataset/error.ts'
import { tools } from '../../../api/mcp/tools/index.ts'
import type { MapPainter } from '../../../api/picture/map-painter.ts'
import { parseWeather } from '../../../api/query/query.ts'
import type { RouteRequest } from '../../../api/route.ts'
import { batchRoutes } from '../../../api/routes/batch.ts'
import { pointRoutes } from '../../../api/routes/points.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'

const toolNames = ['get_forecast', 'get_hourly_forecast', 'get_alerts', 'get_current_conditions'] as const
type ToolName = (typeof toolNames)[number]

/** A request as a caller would send it. */
export interface Question {
  /** A route, or the name of a tool. */
  readonly path: '/v1/weather' | '/v1/weather/batch' | '/v1/point' | '/v1/series/batch' | ToolName
  readonly query: Readonly<Record<string, string>>
}

export interface Asker {
  /** Returns the body as it would be sent, and the instant at which it was made. @throws Fault, Problem */
  ask(question: Question, now: number): Promise<{ readonly body: string; readonly at: number }>
}

interface Dated {
  readonly meta?: { readonly generated_at: string }
  readonly results?: readonly { readonly weather?: Dated }[]
}

/** Returns when an answer was made; for a batch, when its first weather was made. @throws Fault Missing if the first weather has no such time */
function madeAt({ meta, results }: Dated): number {
  const at = (meta ?? results?.[0]?.weather?.meta)?.generated_at
  if (at === undefined) throw new Fault('Missing', 'a place outside of the coverage')
  return Date.parse(at)
}

/** Calls the routes of the API on open answers, without a connection. */
export function asker(answers: Answers, database: Database, objects: Objects): Asker {
  const { weather, past, values, live } = answers
  const routes = [...pointRoutes(values, { database, objects, past }), ...batchRoutes(weather, past)]
  const { signal } = new AbortController()
  const { alerts, outlooks, radar } = live
  const pipeline = { weather, past, values, live, usedAnswers: new WeakSet() }
  // No tool of the walk draws a map.
  const deps = { ...pipeline, database, objects, alerts, outlooks, radar, maps: undefined as unknown as MapPainter }
  return {
    async ask({ path, query }, now) {
      let body: string
      if (path === '/v1/weather') {
        const { as_of: asOf, ...parameters } = query
        const then = asOf === undefined ? { weather, at: now } : await past.answersAt(Date.parse(asOf))
        body = (await then.weather.answer(parseWeather(parameters), then.at)).body.toString()
      } else if (!path.startsWith('/')) {
        const { lat, lon, ...rest } = query
        const context = {
          now,
          caller: 'walk',
          signal,
          deps,
          progress: async () => {},
          count: async () => {},
          reused() {},
        }
        const input = { lat: Number(lat), lon: Number(lon), ...rest }
        const tool = tools.find(({ name }) => name === path)!
        const { structured, text } = await tool.run(tool.input.parse(input), context).catch((error: unknown) => {
          throw error instanceof QueryError ? new Fault('Missing', error.message) : error
        })
        body = JSON.stringify({ ...structured, text })
      } else {
        const route = routes.find((tool) => tool.path === path && tool.method === 'get')!
        const request = {
          query,
          body: undefined,
          now,
          format: 'json',
          base: 'http://localhost',
          count: async () => true,
        }
        const answer = await route.handle!(request as unknown as RouteRequest)
        body = String(answer.body)
      }
      return { body, at: madeAt(JSON.parse(body) as Dated) }
    },
  }
}

const includes = [
  'current,hourly,daily,alerts,nowcast',
  'current,hourly,daily,alerts,outlooks,nowcast,radar,metar,guidance,narrations',
  'current,hourly,daily,provenance',
  'daily,climate',
]
const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust', 'cloud_cover', 'precip_amount']

/** Returns the question with a number; places are spread evenly over the country. */
export function questionOf(i: number, now: number): Question {
  const share = (step: number) => (i * step) % 1
  const [lat, lon] = [(31 + 14 * share(0.7548776662)).toFixed(3), (-117 + 36 * share(0.5698402909)).toFixed(3)]
  const units = i % 2 === 0 ? 'imperial' : 'metric'
  const hours: Readonly<Record<string, string>> =
    i % 3 === 0 ? { start: isoSeconds(now - (i % 11) * HOUR - HOUR), end: isoSeconds(now + HOUR) } : {}
  const names = variables.filter((_, k) => ((i >> 2) + k) % 2 === 0).join(',')
  const points = `${lat},${lon};39.74,-104.99`
  switch (i % 10) {
    case 3:
      return { path: '/v1/point', query: { points, variables: names, units, ...hours } }
    case 6:
      return { path: '/v1/series/batch', query: { points, variables: names, units, ...hours } }
    case 7:
      return {
        path: '/v1/point',
        query: { points, variables: 'temperature,wind_speed', dataset_id: i % 20 === 7 ? 'rtma' : 'hrrr', units },
      }
    case 9:
      if (i % 20 === 19) return { path: nth(toolNames, ((i - 19) / 20) % 4), query: { lat, lon } }
      return { path: '/v1/weather/batch', query: { points: `${lat},${lon}`, include: nth(includes, i % 3), units } }
    default:
      return {
        path: '/v1/weather',
        query: {
          lat,
          lon,
          include: nth(includes, (i + Math.floor(i / 10)) % includes.length),
          units,
          ...(i % 2 === 0 && { past_hours: '30' }),
        },
      }
  }
}
