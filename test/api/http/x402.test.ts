import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPayments, type Payments } from '../../../api/http/x402.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import { reserveAuthorization } from '../../../sql/queries/payments.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const payer = '0x857b06519E91e3A54538791bDbb0E22373e36b66'
const place = '/v1/weather?zip=80202'

/** A facilitator on loopback, with its requests and replies. */
const sent: { path: string; body: Record<string, unknown> }[] = []
const settled = { success: true, transaction: `0x${'12'.repeat(32)}`, network: 'eip155:8453', payer }
let replies: { verify: unknown; settle: unknown; status: number }
let facilitator: Server
let edge: EdgeServer

beforeAll(async () => {
  facilitator = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const path = request.url!
    sent.push({ path, body: JSON.parse(text) })
    const answer = path.endsWith('/verify') ? replies.verify : replies.settle
    if (answer === 'cut') return void request.socket.destroy()
    response.writeHead(replies.status, { 'Content-Type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(facilitator, 'listening')
  const url = `http://127.0.0.1:${(facilitator.address() as AddressInfo).port}/x/`
  edge = await edgeServer({ X402_PAY_TO: payTo, X402_FACILITATOR: url })
})
afterAll(async () => {
  await edge?.close()
  facilitator?.close()
})
beforeEach(() => {
  sent.length = 0
  replies = { verify: { isValid: true, payer }, settle: settled, status: 200 }
})

type Json = Record<string, unknown>
const decoded = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as Json
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
const body = async (response: Response) => (await response.json()) as Json
let paymentCount = 0

/** Returns a payment that a client makes from the offer; the test facilitator does not check its signature. */
async function payment(authorization: Json = {}, accepted: Json = {}): Promise<Json> {
  const offered = decoded((await edge.get(place)).headers.get('payment-required'))
  const now = Math.floor(Date.now() / 1000)
  return {
    x402Version: 2,
    resource: offered['resource'],
    accepted: { ...(offered['accepts'] as Json[])[0], ...accepted },
    payload: {
      signature: `0x${'ab'.repeat(65)}`,
      authorization: {
        from: payer,
        to: payTo,
        value: '1000',
        validAfter: String(now - 600),
        validBefore: String(now + 60),
        nonce: `0x${(++paymentCount).toString(16).padStart(64, '0')}`,
        ...authorization,
      },
    },
  }
}
const pay = (value: Json, path = place, headers: Record<string, string> = {}) =>
  edge.get(path, undefined, { 'PAYMENT-SIGNATURE': encoded(value), ...headers })
const paths = () => sent.map((call) => call.path)

describe('the offer', () => {
  test('answers a call without a key with 401, the link and the offer', async () => {
    const response = await edge.get(place)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
    const steps = (await body(response))['next_steps'] as Record<string, Json>
    expect(steps['recommended']).toBe('device_flow')
    const href = new URL(entryOf(steps, 'keyless_x402')['href'] as string)
    expect((await edge.get(href.pathname)).status).toBe(200)
    expect(decoded(response.headers.get('payment-required'))['accepts']).toHaveLength(1)
  })

  test('answers Accept-Payment with 402 and the price', async () => {
    const response = await edge.get(place, undefined, { 'Accept-Payment': 'x402' })
    expect(response.status).toBe(402)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(decoded(response.headers.get('payment-required'))).toMatchObject({
      x402Version: 2,
      resource: { url: `${edge.base}/v1/weather` },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '1000',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          payTo,
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    })
    const problem = await body(response)
    expect(problem['status']).toBe(402)
    expect((problem['next_steps'] as Json)['recommended']).toBe('keyless_x402')
    expect((await edge.get(place, undefined, { 'X-PAYMENT': 'e30=' })).status).toBe(402)
  })

  test('requires a key on routes without payment', async () => {
    const value = await payment()
    for (const path of ['/v1/series/batch?points=39,-104&variables=temperature', '/developer/keys', '/v1/catalog']) {
      const response = await pay(value, path)
      expect(response.status).toBe(401)
      expect(response.headers.get('payment-response')).toBeNull()
      const { type, detail } = await body(response)
      expect(type).toBe(`${edge.base}/errors/unauthorized`)
      expect(detail, path).toMatch(/cannot be paid for/)
    }
    const tools = await fetch(`${edge.base}/mcp`, { method: 'POST', headers: { 'PAYMENT-SIGNATURE': encoded(value) } })
    expect([tools.status, (await body(tools))['detail']]).toEqual([401, expect.stringMatching(/cannot be paid for/)])
    expect(sent).toEqual([])
  })
})

describe('a paid call', () => {
  test('is verified, answered and settled, with a receipt and without caching', async () => {
    const value = await payment()
    const response = await pay(value, place, { 'If-None-Match': '*' })
    expect(response.status).toBe(200)
    expect(decoded(response.headers.get('payment-response'))).toEqual(settled)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('etag')).toBeNull()
    expect(await body(response)).toHaveProperty('current')
    expect(paths()).toEqual(['/x/verify', '/x/settle'])
    const offered = decoded((await edge.get(place)).headers.get('payment-required'))['accepts'] as Json[]
    for (const call of sent)
      expect(call.body).toEqual({ x402Version: 2, paymentPayload: value, paymentRequirements: offered[0] })
  })

  test('accepts an authorization once, even if it is sent concurrently and in another case', async () => {
    const value = await payment()
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => pay(value)))).map((response) => response.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 402)).toHaveLength(7)
    const spelled = structuredClone(value) as { payload: { authorization: { from: string } } }
    spelled.payload.authorization.from = `0x${payer.slice(2).toUpperCase()}`
    expect((await pay(spelled as unknown as Json)).status).toBe(402)
    expect(paths()).toEqual(['/x/verify', '/x/settle'])
  })

  test('charges the second payer of a cached answer', async () => {
    for (let i = 0; i < 2; i++) expect((await pay(await payment())).status).toBe(200)
    expect(paths().filter((path) => path === '/x/settle')).toHaveLength(2)
  })

  test('does not charge a failed call, and accepts its authorization again', async () => {
    const value = await payment()
    expect((await pay(value, '/v1/weather?lat=200&lon=0')).status).toBe(400)
    expect((await pay(value, `${place}&zip=1`)).status).toBe(400)
    expect(paths()).toEqual(['/x/verify', '/x/verify'])
    expect((await pay(value)).status).toBe(200)
  })

  test('uses the key if there is one, and charges nothing', async () => {
    const response = await pay(await payment(), place, { authorization: `Bearer ${await edge.key()}` })
    expect(response.status).toBe(200)
    expect(response.headers.get('payment-response')).toBeNull()
    expect(sent).toEqual([])
  })
})

describe('invalid payments', () => {
  test('answers 400 to a malformed payment and 402 to another offer, without the facilitator', async () => {
    for (const header of ['abc', encoded({ x402Version: 1 }), 'A'.repeat(9000)])
      expect((await edge.get(place, undefined, { 'PAYMENT-SIGNATURE': header })).status).toBe(400)
    const now = Math.floor(Date.now() / 1000)
    const wrong = [
      await payment({ to: payer }),
      await payment({ value: '999' }),
      await payment({ validBefore: String(now - 1) }),
      await payment({ validBefore: String(now + 7200) }),
      await payment({}, { amount: '1' }),
      await payment({}, { network: 'eip155:84532' }),
      await payment({}, { payTo: payer }),
    ]
    for (const value of wrong) expect((await pay(value)).status).toBe(402)
    expect(sent).toEqual([])
  })

  test('answers 402 with the reason of the facilitator', async () => {
    replies.verify = { isValid: false, invalidReason: 'insufficient_funds' }
    const response = await pay(await payment())
    expect(response.status).toBe(402)
    expect((await body(response))['detail']).toContain('insufficient_funds')
    expect(paths()).toEqual(['/x/verify'])
  })

  test('answers 402 with the receipt and no weather if the payment is not settled', async () => {
    replies.settle = {
      success: false,
      errorReason: 'invalid_transaction_state',
      transaction: '',
      network: 'eip155:8453',
    }
    const response = await pay(await payment())
    expect(response.status).toBe(402)
    expect(decoded(response.headers.get('payment-response'))).toMatchObject({
      success: false,
      errorReason: 'invalid_transaction_state',
    })
    expect(await body(response)).not.toHaveProperty('current')
  })
})

describe('a facilitator that fails', () => {
  const nonsense = ['cut', 'no json', '{}', `"${'x'.repeat(70_000)}"`]
  test.each(nonsense)('answers 503 if verification fails, and accepts the authorization later', async (answer) => {
    replies.verify = answer
    const value = await payment()
    const response = await pay(value)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    replies.verify = { isValid: true }
    expect((await pay(value)).status).toBe(200)
  })

  test.each(nonsense)(
    'answers 503 without weather if settlement fails, and does not accept the authorization again',
    async (answer) => {
      replies.settle = answer
      const value = await payment()
      const response = await pay(value)
      expect(response.status).toBe(503)
      expect(await body(response)).not.toHaveProperty('current')
      replies.settle = settled
      expect((await pay(value)).status).toBe(402)
    },
  )

  test('rejects a positive result with an error status', async () => {
    replies.status = 500
    expect((await pay(await payment())).status).toBe(503)
  })
})

test('accepts an authorization once among processes that share a database', async () => {
  const terms = edge.config.payPerCall!
  const tills = [1, 2, 3, 4].map(() => openPayments(terms, edge.database))
  const value = await payment()
  const take = (till: Payments) =>
    till.take({ 'payment-signature': encoded(value) }, { base: edge.base, path: '/v1/weather' }, Date.now())
  const outcomes = await Promise.allSettled(tills.map(take))
  const sales = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value!] : []))
  expect(sales).toHaveLength(1)
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.status] : []))
  expect(refusals).toEqual([402, 402, 402])
  await nth(sales, 0).release()
  const again = (await take(nth(tills, 1)))!
  await again.settle({ body: {} })
  await again.release()
  await expect(take(nth(tills, 2))).rejects.toThrow('has already been used')
})

test('sells and charges nothing without the database', async () => {
  const unavailable = { query: () => Promise.reject(new Error('connection refused')) } as never
  const till = openPayments(edge.config.payPerCall!, unavailable)
  const value = await payment()
  await expect(
    till.take({ 'payment-signature': encoded(value) }, { base: edge.base, path: '/v1/weather' }, Date.now()),
  ).rejects.toMatchObject({ slug: 'service-unavailable' })
  expect(sent).toEqual([])
})

test('deletes expired authorizations', async () => {
  const authorization = { payer, nonce: '0x01' }
  expect(await reserveAuthorization(edge.database, authorization, new Date(Date.now() - 7_200_000))).toBe(true)
  expect(await reserveAuthorization(edge.database, { payer, nonce: '0x02' }, new Date(Date.now() + 60_000))).toBe(true)
  expect(await reserveAuthorization(edge.database, { payer, nonce: '0x02' }, new Date(Date.now() + 60_000))).toBe(false)
  const remaining = await edge.database.query<{ nonce: string }>(
    "select nonce from payment where nonce in ('0x01', '0x02')",
  )
  expect(remaining).toEqual([{ nonce: '0x02' }])
})

test('logs only the ends of the payer’s address', async () => {
  const till = openPayments(edge.config.payPerCall!, edge.database)
  const value = await payment()
  const sale = await till.take(
    { 'payment-signature': encoded(value) },
    { base: edge.base, path: '/v1/weather' },
    Date.now(),
  )
  const { log } = await sale!.settle({ body: {} })
  expect(log).toEqual({ payer: '0x857b…6b66' })
})

test('requires both settings or neither, and a valid address', () => {
  expect(loadConfig({}).payPerCall).toBeUndefined()
  const url = 'https://facilitator.example'
  expect(() => loadConfig({ X402_PAY_TO: payTo })).toThrow('X402_FACILITATOR')
  expect(() => loadConfig({ X402_FACILITATOR: url })).toThrow('X402_PAY_TO')
  expect(() => loadConfig({ X402_PAY_TO: '0x12', X402_FACILITATOR: url })).toThrow('X402_PAY_TO')
  expect(() => loadConfig({ X402_PAY_TO: payTo, X402_FACILITATOR: url, X402_NETWORK: 'eip155:1' })).toThrow(
    'X402_ASSET',
  )
})
