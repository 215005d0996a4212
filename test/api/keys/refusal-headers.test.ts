import { expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/** More calls than the largest burst: 30 of a free key, 150 of an address without one. */
const CALLS = 260

type Ask = (edge: EdgeServer, key: string) => Promise<Response>

const get =
  (path: string, hasKey: boolean): Ask =>
  (edge, key) =>
    edge.get(path, hasKey ? key : undefined)
const post =
  (path: string, authorization: (key: string) => string): Ask =>
  (edge, key) =>
    fetch(edge.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: authorization(key) },
      body: '{}',
    })

test.each<readonly [string, Ask]>([
  ['a key on a route', get('/v1/catalog', true)],
  ['an address without a key', get('/v1/catalog', false)],
  ['an address on an open route, without a key', get('/edr', false)],
  ['an address on an open route, with a valid key', get('/edr', true)],
  ['an address on a route for account tokens, with a valid key', get('/developer/keys', true)],
  [
    'an unknown key of the tool server',
    post('/mcp', () => 'Bearer hx_live_unknownkeyunknownkeyunknownkeyunknownkey123'),
  ],
])('says that no call remains in each refusal: %s', async (_, ask) => {
  const edge = await edgeServer()
  try {
    const key = await edge.key('free')
    // The key is known to the process before it is refused.
    expect((await edge.get('/v1/catalog', key)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: CALLS }, () => ask(edge, key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(50)
    expect([...new Set(refused.map(({ headers }) => headers.get('ratelimit-remaining')))]).toEqual(['0'])
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  } finally {
    await edge.close()
  }
})
