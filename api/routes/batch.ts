import { z } from 'zod'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import type { Past } from '../answer/past.ts'
import type { Weather } from '../answer/weather.ts'
import { weatherSchema } from '../answer/weather-schema.ts'
import { doc, measured, part } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem, problemOf, slugs, typeUri } from '../problem.ts'
import { membersOf, parsePoints } from '../query/points.ts'
import { asOfShape, parseParameters, queryOf, weatherShape } from '../query/query.ts'
import type { Route, RouteRequest } from '../route.ts'
import { bodyMembers, bodyPoints, points as pointsShape } from './shapes.ts'

const MAX_ITEMS = 50
const CLOSED = Buffer.from('}')

const problemMember = z.object({
  type: doc(
    z.string(),
    'Stable URI of the kind of failure, to compare and not to fetch',
    'https://weather.example.org/errors/service-unavailable',
  ),
  title: doc(z.string(), 'Title of the kind of failure', 'Service unavailable'),
  status: measured(z.int(), 'status', 503, 'Status code of the failure'),
  detail: doc(
    z.string(),
    'What is wrong, what was expected, and what to do next',
    '`days` must be a whole number from 1 to 14, but was "0". Change `days` and try again.',
  ),
})

const optionsShape = { ...weatherShape, as_of: asOfShape }
const bodySchema = z.strictObject({
  points: bodyPoints(MAX_ITEMS),
  ...bodyMembers(optionsShape, {
    units: { examples: ['imperial'] },
    include: { examples: ['current,hourly'] },
    view: { examples: ['detailed'] },
    alert_detail: { examples: ['concise'] },
    days: { 'x-unit': 'd', examples: [10] },
    hourly_hours: { 'x-unit': 'h', examples: [48] },
    hourly_step: { 'x-unit': 'h', examples: [1] },
    hourly_step_from: { 'x-unit': 'h', examples: [0] },
    past_hours: { 'x-unit': 'h', examples: [24] },
    as_of: { examples: ['2026-08-20T18:04:00.000Z'] },
  }),
})

const answerSchema = z.object({
  results: z
    .array(
      z.object({
        index: member.index,
        status: doc(z.enum(['ok', 'outside_coverage', 'error']), 'ok, or why the point has no answer', 'ok'),
        weather: part(weatherSchema.optional(), 'The answer of /v1/weather for the point'),
        problem: problemMember.optional().describe('Why the point has no answer'),
      }),
    )
    .describe('One for each point, in the order of the request'),
})

/** Answers for many points. Each point may fail by itself; cached answers are used. */
export function batchRoutes(weather: Weather, past: Past): Route[] {
  const shape = { points: pointsShape(MAX_ITEMS), ...optionsShape }
  const handle = (method: 'get' | 'post') => async (request: RouteRequest) => {
    const { points: raw, ...rest } = membersOf(request.query, request.body, method)
    const values = parseParameters(optionsShape, rest)
    const query = queryOf(values)
    const points = parsePoints(raw, MAX_ITEMS)
    if (!request.count(Math.ceil(points.length / 10) - 1)) throw tooMany(points.length)
    const then = values.as_of === undefined ? undefined : await past.answersAt(values.as_of)
    const [pipeline, now] = then ? [then.weather, then.at] : [weather, request.now]
    const parts = await mapPaced(points, async ({ lat, lon }, index) => {
      const comma = index === 0 ? '' : ','
      try {
        const answer = await pipeline.answer({ selector: { kind: 'point', lat, lon }, query }, now)
        // The body is copied and released, because a batch may take seconds.
        const body = Buffer.from(answer.body)
        answer.reading.release()
        return {
          storable: answer.storable,
          until: answer.until,
          bytes: [Buffer.from(`${comma}{"index":${index},"status":"ok","weather":`), body, CLOSED],
        }
      } catch (error) {
        return {
          storable: true,
          until: Number.POSITIVE_INFINITY,
          bytes: [Buffer.from(`${comma}${JSON.stringify(failed(error, index, request.base))}`)],
        }
      }
    })
    const storable = parts.every((part) => part.storable)
    const until = Math.min(request.now + 3_600_000, ...parts.map((part) => part.until))
    return {
      body: Buffer.concat([Buffer.from('{"results":['), ...parts.flatMap(({ bytes }) => bytes), Buffer.from(']}')]),
      headers: {
        'Cache-Control':
          storable && !then ? `max-age=${Math.max(0, Math.floor((until - request.now) / 1000))}` : 'no-store',
      },
    }
  }
  const contract = {
    tag: 'weather',
    summary: `Weather at up to ${MAX_ITEMS} points, each with its own answer or failure`,
    description:
      'Every ten points, or fewer, count as one call. `as_of` returns the answers of an earlier instant, as far back as HISTORY_DAYS.',
    answer: answerSchema,
  }
  return [
    {
      method: 'get',
      path: '/v1/weather/batch',
      handle: handle('get'),
      timeLimit: 20_000,
      contract: { ...contract, query: shape },
    },
    {
      method: 'post',
      path: '/v1/weather/batch',
      handle: handle('post'),
      timeLimit: 20_000,
      contract: {
        ...contract,
        body: bodySchema,
      },
    },
  ]
}

/** Returns the problem for a request that counts as more calls than the limit has left. */
export function tooMany(points: number): Problem {
  return new Problem(
    'too-many-requests',
    `This request of ${points} points counts as more calls than the limit has left. Send fewer points, or wait.`,
    { retryAfter: 2 },
  )
}

function failed(error: unknown, index: number, base: string) {
  const problem = problemOf(error)
  if (problem.slug === 'outside-coverage') return { index, status: 'outside_coverage' }
  return {
    index,
    status: 'error',
    problem: {
      type: typeUri(base, problem.slug),
      title: slugs[problem.slug][1],
      status: problem.status,
      detail: problem.message,
    },
  }
}
