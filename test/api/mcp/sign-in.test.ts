import { beforeAll, describe, expect, test } from 'vitest'
import { approve, Keeper, pair } from './browser.ts'
import {
  authorize,
  BACK,
  codeOf,
  connect,
  documentFetches,
  edge,
  expectWorking,
  expire,
  GRANTS,
  hashOf,
  host,
  type IssuerBody,
  json,
  mcp,
  ownServer,
  post,
  register,
  tryToken,
  visitor,
} from './sign-in-site.ts'

describe('a stock client that knows only the address', () => {
  ownServer()

  test('finds the resource by a 401, and the issuer by the resource', async () => {
    const { status, wants } = await tryToken()
    expect(status).toBe(401)
    const place = `${edge.base}/.well-known/oauth-protected-resource/mcp`
    expect(wants).toContain(`resource_metadata="${place}"`)
    expect(wants).toContain('scope="weather:read"')
    expect(wants).not.toContain('error=')
    expect((await tryToken('none')).wants).toContain('error="invalid_token"')
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      expect(await json(path)).toMatchObject({
        resource: mcp().href,
        authorization_servers: [`${edge.base}/auth`],
        scopes_supported: ['weather:read'],
        bearer_methods_supported: ['header'],
      })
    }
    const server = await json('/.well-known/oauth-authorization-server/auth')
    expect(server).toMatchObject({
      issuer: `${edge.base}/auth`,
      authorization_endpoint: `${edge.base}/auth/authorize`,
      token_endpoint: `${edge.base}/auth/token`,
      registration_endpoint: `${edge.base}/auth/register`,
      revocation_endpoint: `${edge.base}/auth/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect([...(server['grant_types_supported'] as string[])].sort()).toEqual([
      ...GRANTS,
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
    expect(await json('/auth/.well-known/openid-configuration')).toEqual(server)
  })

  test('registers, signs in, lists tools, calls them, and refreshes an expired token', async () => {
    const keeper = new Keeper({ client_name: 'Sky <b>Reader</b>', redirect_uris: [BACK] })
    const { client, pages } = await connect(keeper, 'a@example.org')
    expect((keeper.stored['client'] as { client_id: string }).client_id).toMatch(/^dyn_/)
    expect(pages).toHaveLength(2)
    for (const page of pages) {
      expect(page).toContain('Sky &#60;b&#62;Reader')
      expect(page).toContain('127.0.0.1:43117')
    }
    await expectWorking(client)
    const before = { ...(keeper.stored['tokens'] as IssuerBody) }
    expect(before).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(before.scope.split(' ')).toContain('weather:read')

    await expire('AccessToken')
    const ended = await tryToken(before.access_token)
    expect([ended.status, ended.wants]).toEqual([401, expect.stringContaining('error="invalid_token"')])
    keeper.sentTo = undefined
    await expectWorking(client)
    const after = keeper.stored['tokens'] as IssuerBody
    expect(keeper.sentTo).toBeUndefined()
    expect(after.access_token).not.toBe(before.access_token)
    expect(after.refresh_token).not.toBe(before.refresh_token)
    await client.close()
  })

  test('is identified by its document, whatever its port', async () => {
    const id = `${host.base}/client.json`
    const keeper = new Keeper({ redirect_uris: ['http://localhost:51777/callback'] }, id)
    const { client, pages } = await connect(keeper, 'b@example.org')
    expect((keeper.stored['client'] as { client_id: string }).client_id).toBe(id)
    for (const page of pages) {
      expect(page).toContain(`Cloud (${new URL(id).host})`)
      expect(page).toContain('localhost:51777')
    }
    await expectWorking(client)
    await client.close()
    const secondKeeper = new Keeper({ redirect_uris: ['http://localhost:51778/callback'] }, id)
    await (await connect(secondKeeper, 'b@example.org')).client.close()
    expect(documentFetches).toBe(1)
  })

  test('signs in without a scope, as older clients do', async () => {
    const { body } = await register({
      redirect_uris: [BACK],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: GRANTS,
    })
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(body).not.toHaveProperty('client_secret')
    const { verifier, challenge } = pair()
    const url = new URL(authorize(body.client_id, challenge))
    url.searchParams.delete('scope')
    const { back } = await approve(edge, url, 'c@example.org')
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      code: codeOf(back),
      code_verifier: verifier,
      redirect_uri: BACK,
    })
    expect((await tryToken(tokens.access_token)).status).toBe(200)
  })
})

describe('tokens', () => {
  ownServer()
  let newGrant: Awaited<ReturnType<typeof visitor>>
  beforeAll(async () => {
    newGrant = await visitor()
  })

  test('are refusal for a wrong verifier, another redirect and another client', async () => {
    const grant = await newGrant()
    const refusal = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) }
    expect(await post('/auth/token', { ...grant, code_verifier: pair().verifier })).toEqual(refusal)
    const other = await newGrant()
    expect(await post('/auth/token', { ...other, redirect_uri: 'https://app.example.org/other' })).toEqual(refusal)
    const { body } = await register({ redirect_uris: [BACK] })
    expect(await post('/auth/token', { ...(await newGrant()), client_id: body.client_id })).toEqual(refusal)
    const { code_verifier: _, ...bare } = await newGrant()
    expect((await post('/auth/token', bare)).status).toBe(400)
  })

  test('are revoked when their code is used again', async () => {
    const grant = await newGrant()
    const { body } = await post('/auth/token', grant)
    expect((await tryToken(body.access_token)).status).toBe(200)
    expect((await post('/auth/token', grant)).body.error).toBe('invalid_grant')
    expect((await tryToken(body.access_token)).status).toBe(401)
  })

  test('are issued at most once for a code that is sent ten times at once', async () => {
    const grant = await newGrant()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/auth/token', grant)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status, body } of answers) expect([200, 400], JSON.stringify(body)).toContain(status)
    const tokens = answers.flatMap(({ body }) => body.access_token ?? [])
    const tried = await Promise.all(tokens.map(tryToken))
    expect(tried.map(({ status }) => status)).toEqual(tokens.map(() => 401))
  })

  test('are all revoked when a refresh token is used a second time', async () => {
    const grant = await newGrant()
    const { body: first } = await post('/auth/token', grant)
    const refresh = (token: string) =>
      post('/auth/token', { grant_type: 'refresh_token', client_id: grant.client_id, refresh_token: token })
    const { body: second } = await refresh(first.refresh_token)
    expect((await tryToken(second.access_token)).status).toBe(200)
    expect(await refresh(first.refresh_token)).toEqual({
      status: 400,
      body: expect.objectContaining({ error: 'invalid_grant' }),
    })
    expect((await tryToken(second.access_token)).status).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('stop working when their own client revokes them', async () => {
    const grant = await newGrant()
    const { body } = await post('/auth/token', grant)
    const { body: other } = await register({ redirect_uris: [BACK] })
    await post('/auth/revoke', { client_id: other.client_id, token: body.refresh_token })
    expect((await tryToken(body.access_token)).status).toBe(200)
    const revoked = await post('/auth/revoke', { client_id: grant.client_id, token: body.refresh_token })
    expect(revoked.status).toBe(200)
    expect((await tryToken(body.access_token)).status).toBe(401)
  })

  test('without the scope get an answer that names the scope and the metadata', async () => {
    const { body } = await post('/auth/token', await newGrant({ scope: 'openid' }))
    const { status, wants } = await tryToken(body.access_token)
    expect(status).toBe(403)
    expect(wants).toContain('error="insufficient_scope"')
    expect(wants).toContain('scope="weather:read"')
    expect(wants).toContain(`resource_metadata="${edge.base}/.well-known/oauth-protected-resource/mcp"`)
  })

  test('work only for their resource, and do not create keys', async () => {
    const { body } = await post('/auth/token', await newGrant())
    const rows = await edge.database.query<{ id: string; payload: Record<string, unknown> }>(
      `select id, payload from oidc_record where model = 'AccessToken' and id = $1`,
      [hashOf(body.access_token)],
    )
    expect(rows).toHaveLength(1)
    // The database stores only hashes of tokens.
    const all = JSON.stringify(await edge.database.query('select * from oidc_record'))
    expect(all).toContain(hashOf(body.access_token))
    for (const name of ['access_token', 'refresh_token'] as const) expect(all).not.toContain(body[name])
    expect(rows[0]?.payload['aud']).toBe(mcp().href)
    const keys = await fetch(`${edge.base}/developer/keys`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(keys.status).toBe(401)
    // The server under another name is another resource.
    const named = mcp().href.replace('127.0.0.1', 'localhost')
    const elsewhere = await fetch(named, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      body: '{}',
    })
    expect(elsewhere.status).toBe(401)
    await edge.database.query(
      `update oidc_record set payload = jsonb_set(payload::jsonb, '{aud}', '"https://other.example/mcp"') where model = 'AccessToken' and id = $1`,
      [hashOf(body.access_token)],
    )
    expect((await tryToken(body.access_token)).status).toBe(401)
  })
})
