import { expect, test } from 'vitest'
import { Problem, problemOf, renderProblem } from '../../../api/problem.ts'
import { Fault } from '../../../ingest/domain/fault.ts'

const places = {
  base: 'https://api.example.org',
  realm: 'api.example.org',
  device: { clientId: 'c', deviceEndpoint: 'd', tokenEndpoint: 't' },
  x402: false,
}
const rendered = (error: unknown) => {
  const { status, headers, body } = renderProblem(problemOf(error), places, '/v1/weather')
  return { status, headers, body: JSON.parse(body.toString()) as Record<string, unknown> }
}

test.each([
  [new Fault('Invalid', 'x'), 400, 'bad-request'],
  [new Fault('Missing', 'x'), 404, 'not-found'],
  [new Fault('Missing', 'x', { slug: 'outside-coverage' }), 404, 'outside-coverage'],
  [new Fault('Refused', 'x'), 503, 'service-unavailable'],
  [new Fault('NotYet', 'x'), 503, 'service-unavailable'],
  [new Fault('Corrupt', 'x'), 502, 'upstream'],
  [new Fault('Refused', 'x', { timeout: true }), 504, 'timeout'],
  [new TypeError('a secret of ours'), 500, 'internal'],
  ['a string', 500, 'internal'],
  [undefined, 500, 'internal'],
])('%s', (error, status, slug) => {
  const { body, headers } = rendered(error)
  expect(body).toMatchObject({ type: `https://api.example.org/errors/${slug}`, status, instance: '/v1/weather' })
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(headers['Cache-Control']).toBeUndefined()
  expect(Number(headers['Retry-After'] ?? 0) > 0).toBe(status === 503)
})

test('adds extension members without replacing standard members, and redacts keys', () => {
  const key = `hx_live_${'k'.repeat(43)}`
  const { body } = rendered(
    new Problem('service-unavailable', `not ${key}`, {
      members: { status: 'down', type: 'x', engines: { database: 'down' } },
    }),
  )
  expect(body).toMatchObject({
    status: 503,
    type: 'https://api.example.org/errors/service-unavailable',
    engines: { database: 'down' },
  })
  expect(JSON.stringify(body)).not.toContain(key)
})
