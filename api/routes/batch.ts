import { z } from 'zod'
import { mapPaced } from '../answer/pacer.ts'
import type { Weather } from '../answer/weather.ts'
import { Problem, problemOf, slugs, typeUri } from '../problem.ts'
import { membersOf, parsePoints } from '../query/points.ts'
import { parseParameters, queryOf, weatherShape } from '../query/query.ts'
import type { Ask, Route } from '../route.ts'
import { bodyPoints, points as pointsShape } from './shapes.ts'
import { weatherSchema } from './weather-schema.ts'

const MAX_ITEMS = 50
const CLOSED = Buffer.from('}')

const problemMember = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
})

const answerSchema = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      status: z.enum(['ok', 'outside_coverage', 'error']),
      weather: weatherSchema.optional(),
      problem: problemMember.optional(),
    }),
  ),
})

/** Answers for many points. Points fail independently; cached answers are used. */
export function batchRoutes(weather: Weather): Route[] {
  const shape = { points: pointsShape(MAX_ITEMS), ...weatherShape }
  const handle = (method: 'get' | 'post') => async (ask: Ask) => {
    const { points: raw, ...rest } = membersOf(ask.query, ask.body, method)
    const query = queryOf(parseParameters(weatherShape, rest))
    const points = parsePoints(raw, MAX_ITEMS)
    if (!(await ask.count(Math.ceil(points.length / 10) - 1))) throw tooMany(points.length)
    const parts = await mapPaced(points, async ({ lat, lon }, index) => {
      const comma = index === 0 ? '' : ','
      try {
        const answer = await weather.answer({ selector: { kind: 'point', lat, lon }, query }, ask.now)
        return {
          storable: answer.storable,
          until: answer.until,
          bytes: [Buffer.from(`${comma}{"index":${index},"status":"ok","weather":`), answer.body, CLOSED],
        }
      } catch (error) {
        return {
          storable: true,
          until: Number.POSITIVE_INFINITY,
          bytes: [Buffer.from(`${comma}${JSON.stringify(failed(error, index, ask.base))}`)],
        }
      }
    })
    const storable = parts.every((part) => part.storable)
    const until = Math.min(ask.now + 3_600_000, ...parts.map((part) => part.until))
    return {
      body: Buffer.concat([Buffer.from('{"results":['), ...parts.flatMap(({ bytes }) => bytes), Buffer.from(']}')]),
      headers: {
        'Cache-Control': storable ? `max-age=${Math.max(0, Math.floor((until - ask.now) / 1000))}` : 'no-store',
      },
    }
  }
  const contract = {
    tag: 'weather',
    summary: `Weather of up to ${MAX_ITEMS} points, each answered or failed by itself`,
    description: 'Ten points, or fewer, count as one call.',
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
        body: z.strictObject({ ...shape, points: bodyPoints(MAX_ITEMS) }),
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
