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
    'Stable address of the kind of failure; compared, never fetched',
    'https://weather.example.org/errors/service-unavailable',
  ),
  title: doc(z.string(), 'Title of the kind of failure', 'Service unavailable'),
  status: measured(z.int(), 'status', 503, 'Status code of the failure'),
  detail: doc(
    z.string(),
    'What was wanted, what was found, and what to do next',
    'days: wanted a whole number from 1 to 14; got "0".',
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
        status: doc(z.enum(['ok', 'outside_coverage', 'error']), 'ok, or why there is no value for the point', 'ok'),
        weather: part(weatherSchema.optional(), 'The answer of /v1/weather for the point'),
        problem: problemMember.optional().describe('Why the point has no answer'),
      }),
    )
    .describe('One for each point, in the order of the request'),
})

/** Answers for many points. Points fail independently; cached answers are used. */
export function batchRoutes(weather: Weather, past: Past): Route[] {
  const shape = { points: pointsShape(MAX_ITEMS), ...optionsShape }
  const handle = (method: 'get' | 'post') => async (request: RouteRequest) => {
    const { points: raw, ...rest } = membersOf(request.query, request.body, method)
    const values = parseParameters(optionsShape, rest)
    const query = queryOf(values)
    const points = parsePoints(raw, MAX_ITEMS)
    if (!(await request.count(Math.ceil(points.length / 10) - 1))) throw tooMany(points.length)
    const then = values.as_of === undefined ? undefined : await past.answersAt(values.as_of)
    const [pipeline, now] = then ? [then.weather, then.at] : [weather, request.now]
    const parts = await mapPaced(points, async ({ lat, lon }, index) => {
      const comma = index === 0 ? '' : ','
      try {
        const answer = await pipeline.answer({ selector: { kind: 'point', lat, lon }, query }, now)
        // A copy: a list of places may take seconds.
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
    // Answers of an earlier instant are kept by nobody, as of one place.
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
    summary: `Weather of up to ${MAX_ITEMS} points, each answered or failed by itself`,
    description:
      'Ten points, or fewer, count as one call. `as_of` gives the answers of an earlier instant again, as long as HISTORY_DAYS.',
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

export function tooMany(points: number): Problem {
  return new Problem(
    'too-many-requests',
    `This request of ${points} points counts as several calls, more than the limit has left just now. Send fewer points, or wait.`,
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
