import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/** An issuer whose access tokens are JWTs (RFC 9068). It publishes its keys and has no introspection. */
let issuer: Server
let address: string
let edge: EdgeServer
let own: CryptoKey
let foreign: CryptoKey
/** Tokens that were sent to userinfo, which must never get a token of another client. */
let userinfoTokens: string[] = []
/** Whether the published keys are answered with 503. */
let silent = false

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  own = pair.privateKey
  foreign = (await generateKeyPair('ES256')).privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  issuer = createServer((request, response) => {
    const answer = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/jwks') return answer(silent ? {} : { keys: [jwk] }, silent ? 503 : 200)
    if (request.url === '/me') {
      userinfoTokens.push(String(request.headers.authorization))
      return answer({ sub: 'u1', email: 'u@example.org', email_verified: true })
    }
    answer({
      issuer: address,
      device_authorization_endpoint: `${address}/device`,
      token_endpoint: `${address}/token`,
      userinfo_endpoint: `${address}/me`,
      jwks_uri: `${address}/jwks`,
    })
  })
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
  edge = await edgeServer({ AUTH_ISSUER: address })
})
afterAll(async () => {
  await edge.close()
  issuer.close()
})

interface Claims {
  readonly key?: CryptoKey
  readonly iss?: string
  readonly expires?: string
  readonly [claim: string]: unknown
}
const token = ({ key = own, iss = address, expires = '5m', ...claims }: Claims) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .setIssuer(iss)
    .setExpirationTime(expires)
    .sign(key)

let keyCount = 0
const makeKey = async (bearer: string) => {
  const response = await fetch(`${edge.base}/developer/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': `once-${++keyCount}`,
    },
    body: JSON.stringify({ name: 'n', origin: { channel: 'cli', value: 'device_flow' } }),
  })
  await response.arrayBuffer()
  return response.status
}

test.each<[string, Claims]>([
  ['by audience', { aud: 'hexcast-device' }],
  ['by one of several audiences', { aud: ['account', 'hexcast-device'] }],
  ['by client_id', { client_id: 'hexcast-device', aud: 'account' }],
  ['by azp', { azp: 'hexcast-device', aud: 'account' }],
])('creates a key for a token that was issued to our client: %s', async (_, claims) => {
  expect(await makeKey(await token(claims))).toBe(201)
})

test.each<[string, () => Claims]>([
  ['another audience', () => ({ aud: 'another-client' })],
  ['another client', () => ({ aud: 'account', client_id: 'another-client', azp: 'another-client' })],
  ['no audience and no client', () => ({})],
  ['a name that begins as ours', () => ({ aud: 'hexcast-device-2' })],
  ['another issuer', () => ({ aud: 'hexcast-device', iss: 'https://evil.example' })],
  ['a key that is not published', () => ({ aud: 'hexcast-device', key: foreign })],
  ['expired', () => ({ aud: 'hexcast-device', expires: '-1m' })],
])('rejects a token without sending it to userinfo: %s', async (_, claims) => {
  userinfoTokens = []
  expect(await makeKey(await token(claims()))).toBe(401)
  expect(userinfoTokens).toEqual([])
})

test('rejects text like a JWT, an unsigned JWT, and an opaque token without introspection', async () => {
  userinfoTokens = []
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'none' })}.${part({ iss: address, aud: 'hexcast-device' })}.`
  for (const bearer of ['a.b.c', unsigned, `${unsigned}x`, 'opaque'])
    expect([bearer, await makeKey(bearer)]).toEqual([bearer, 401])
  expect(userinfoTokens).toEqual([])
})

test('reports unreadable keys as a failure of the server, not as an invalid token', async () => {
  silent = true
  const other = await edgeServer({ AUTH_ISSUER: address })
  try {
    const response = await fetch(`${other.base}/developer/keys`, {
      headers: { authorization: `Bearer ${await token({ aud: 'hexcast-device' })}` },
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  } finally {
    silent = false
    await other.close()
  }
})
