import { describe, expect, test } from 'vitest'
import { documentFetch, isPublicHost, openWeb, type Web } from '../../../api/sign-in/client-document.ts'
import { approve, Browser, newestLink, pair } from './browser.ts'
import {
  authorize,
  BACK,
  codeOf,
  documentFetches,
  edge,
  fetches,
  GRANTS,
  HOME,
  hashOf,
  host,
  json,
  openEdge,
  ownServer,
  post,
  register,
  tryToken,
} from './sign-in-site.ts'

describe('the issuer', () => {
  ownServer()

  test('shows an error for a redirect that is not the client’s, and for an unknown client', async () => {
    const { body } = await register({ redirect_uris: ['https://app.example.org/back'] })
    for (const url of [
      authorize(body.client_id, pair().challenge, { redirect_uri: 'https://evil.example/back' }),
      authorize('dyn_unknown', pair().challenge),
    ]) {
      const { status, away, page } = await new Browser(edge.base).open(url)
      expect([status, away]).toEqual([400, undefined])
      expect(page).toContain('This sign-in cannot continue')
      const redirected = await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' } })
      expect(redirected.headers.get('content-type')).toContain('application/json')
    }
  })

  test('redirects with an error without S256, and for another or no resource', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const errorOf = async (change: (url: URL) => void) => {
      const url = new URL(authorize(body.client_id, pair().challenge))
      change(url)
      const { away } = await new Browser(edge.base).open(url.href)
      expect(away?.origin).toBe(new URL(BACK).origin)
      const parameters = new URLSearchParams(away?.hash.slice(1) || away?.search)
      expect(parameters.get('iss')).toBe(`${edge.base}/auth`)
      return parameters.get('error')
    }
    expect(await errorOf((url) => url.searchParams.set('code_challenge_method', 'plain'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.delete('code_challenge'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.set('resource', 'https://other.example/mcp'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.delete('resource'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.set('response_type', 'token'))).toBe('unsupported_response_type')
  })

  test('registers only https and loopback redirects, within limits', async () => {
    const bad = { status: 400, body: expect.objectContaining({ error: expect.stringMatching(/^invalid_/) }) }
    for (const uri of ['http://evil.example/back', 'javascript:alert(1)', 'app:/back', 'https://u:p@a.example/', 'x']) {
      expect(await register({ redirect_uris: [uri] }), uri).toEqual(bad)
    }
    expect(await register({ redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) })).toEqual(
      bad,
    )
    expect(await register({ redirect_uris: [BACK], client_name: 'x'.repeat(201) })).toEqual(bad)
    expect(await register({ redirect_uris: [BACK], grant_types: ['client_credentials'] })).toEqual(bad)
  })

  test('rejects client documents that are wrong or do not arrive', async () => {
    const expectRejected = async (path: string) => {
      const { status, away } = await new Browser(edge.base).open(authorize(host.base + path, pair().challenge))
      expect([path, status, away]).toEqual([path, 400, undefined])
    }
    const startedAt = performance.now()
    await Promise.all(
      ['/other.json', '/foreign.json', '/large.json', '/moved.json', '/odd.json', '/slow.json'].map(expectRejected),
    )
    expect(performance.now() - startedAt).toBeLessThan(8000)
  }, 15_000)

  test('limits how many documents it fetches', async () => {
    const before = fetches
    const ids = Array.from({ length: 40 }, (_, i) => `${host.base}/other.json?${i}`)
    await Promise.all(ids.map((id) => fetch(authorize(id, pair().challenge)).then((response) => response.text())))
    expect(fetches - before).toBeLessThanOrEqual(20)
  })

  test('accepts the link of a mail only in the browser that requested it', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const mine = new Browser(edge.base)
    const { page } = await mine.open(authorize(body.client_id, pair().challenge))
    await mine.press(page, 'Continue', { Email: 'd@example.org' })
    const link = await newestLink(edge)
    const otherBrowser = new Browser(edge.base)
    const { page: otherPage } = await otherBrowser.open(link)
    expect((await otherBrowser.press(otherPage, 'Approve')).page).toContain('in the browser where you started')
    const { away } = await mine.press((await mine.open(link)).page, 'Approve')
    expect(away?.searchParams.get('code')).toBeTruthy()
  })

  test('signs two people in one after the other in the same browser', async () => {
    const browser = new Browser(edge.base)
    const { body } = await register({ redirect_uris: [BACK] })
    for (const email of ['e@example.org', 'f@example.org', 'f@example.org']) {
      const { verifier, challenge } = pair()
      const { back } = await approve(edge, authorize(body.client_id, challenge), email, browser)
      const { body: tokens } = await post('/auth/token', {
        grant_type: 'authorization_code',
        client_id: body.client_id,
        code: codeOf(back),
        code_verifier: verifier,
        redirect_uri: BACK,
      })
      const [row] = await edge.database.query<{ email: string }>(
        `select a.email from account a join oidc_record r on r.payload::jsonb ->> 'accountId' = a.id where r.model = 'AccessToken' and r.id = $1`,
        [hashOf(tokens.access_token)],
      )
      expect(row?.email).toBe(email)
    }
  })

  test('allows requests of a web client from its own origin only', async () => {
    const { body } = await register({ redirect_uris: [HOME], grant_types: GRANTS })
    const from = async (origin: string) => {
      const response = await fetch(`${edge.base}/auth/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ client_id: body.client_id, grant_type: 'refresh_token', refresh_token: 'x' }),
      })
      return [response.headers.get('access-control-allow-origin'), ((await response.json()) as { error: string }).error]
    }
    expect(await from('https://app.example.org')).toEqual(['https://app.example.org', 'invalid_grant'])
    expect(await from('https://evil.example')).toEqual([null, 'invalid_request'])
  })

  test('redirects with access_denied when the user denies', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const browser = new Browser(edge.base)
    const { page } = await browser.open(authorize(body.client_id, pair().challenge))
    await browser.press(page, 'Continue', { Email: 'g@example.org' })
    const { away } = await browser.press((await browser.open(await newestLink(edge))).page, 'Deny')
    expect(away?.searchParams.get('error')).toBe('access_denied')
    expect(away?.searchParams.get('code')).toBeNull()
  })
})

test('uses the public name everywhere behind a proxy that ends TLS', async () => {
  const site = 'https://weather.example.org'
  await openEdge({ PUBLIC_URL: site })
  try {
    const { wants } = await tryToken()
    expect(wants).toContain(`resource_metadata="${site}/.well-known/oauth-protected-resource/mcp"`)
    expect(await json('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
      resource: `${site}/mcp`,
      authorization_servers: [`${site}/auth`],
    })
    expect(await json('/.well-known/oauth-authorization-server/auth')).toMatchObject({
      issuer: `${site}/auth`,
      token_endpoint: `${site}/auth/token`,
    })
    const { body } = await register({ redirect_uris: [HOME] })
    const { verifier, challenge } = pair()
    const url = authorize(body.client_id, challenge, { redirect_uri: HOME, resource: `${site}/mcp` })
    const first = await fetch(url, { redirect: 'manual' })
    expect(first.headers.getSetCookie().length).toBeGreaterThan(0)
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/secure/i)
    const { back } = await approve(edge, url.replace(edge.base, site), 'h@example.org', new Browser(site, edge.base))
    expect(back.searchParams.get('iss')).toBe(`${site}/auth`)
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      code: codeOf(back),
      code_verifier: verifier,
      redirect_uri: HOME,
      resource: `${site}/mcp`,
    })
    expect((await tryToken(tokens.access_token)).status).toBe(200)
  } finally {
    await edge.close()
  }
})

describe('requests for client documents', () => {
  const publicWeb: Web = { ...openWeb, addresses: async () => ['8.8.8.8'] }
  test('do not go to addresses, plain http or internal names', async () => {
    for (const url of [
      'https://127.0.0.1/c',
      'https://8.8.8.8/c',
      'https://[::1]/c',
      'https://2130706433/c',
      'https://0x7f.1/c',
      'https://localhost/c',
      'https://a.localhost/c',
      'https://localhost./c',
      'https://db.internal/c',
      'https://metadata.google.internal./c',
      'http://app.example.org/c',
    ]) {
      expect(await isPublicHost(new URL(url), publicWeb), url).toBe(false)
    }
    expect(await isPublicHost(new URL('https://app.example.org/c'), publicWeb)).toBe(true)
  })

  test('do not go to names that resolve to internal addresses, also not at a second look-up', async () => {
    const inside = ['10.1.2.3', '127.0.0.1', '169.254.169.254', '192.168.0.1', '172.20.0.1', '100.64.1.1', '0.0.0.0']
    const inside6 = ['::1', '::', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1']
    for (const address of [...inside, ...inside6]) {
      const web: Web = { ...openWeb, addresses: async () => ['8.8.8.8', address] }
      expect(await isPublicHost(new URL('https://app.example.org/c'), web), address).toBe(false)
    }
    let times = 0
    const web: Web = { ...openWeb, addresses: async () => [times++ ? '127.0.0.1' : '8.8.8.8'], ca: host.cert }
    const before = documentFetches
    await expect(documentFetch(web)(`${host.base}/client.json`)).rejects.toThrow('public addresses')
    expect([times, documentFetches]).toEqual([2, before])
  })
})
