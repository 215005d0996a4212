import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstKey } from '../../../api/keys/issue.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { mails } from '../../../sql/queries/mail.ts'
import { addUsage, usageByDay } from '../../../sql/queries/usage.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
let first: string
beforeAll(async () => {
  edge = await edgeServer()
  first = (await firstKey(edge.database))!
})
afterAll(() => edge.close())

/** A minimal browser with cookies by path and the forms of pages. */
class Browser {
  readonly #cookies = new Map<string, { path: string; pair: string }>()
  text = ''
  status = 0
  headers = new Headers()

  async go(path: string, fields?: Record<string, string>, headers: Record<string, string> = {}): Promise<this> {
    const cookie = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path)).map(({ pair }) => pair)
    const response = await fetch(new URL(path, edge.base), {
      redirect: 'manual',
      headers: { cookie: cookie.join('; '), ...headers },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const set of response.headers.getSetCookie()) {
      expect(set).toMatch(/; HttpOnly; SameSite=Strict$/)
      const [pair, where] = set.split('; ') as [string, string]
      this.#cookies.set(nth(pair.split('='), 0), { path: where.slice('Path='.length), pair })
    }
    const to = response.headers.get('location')
    if (response.status === 303 && to) return this.go(to)
    this.text = await response.text()
    this.status = response.status
    this.headers = response.headers
    return this
  }

  /** Submits the form with an action, including its hidden fields. */
  submit(action: string, values: Record<string, string>, headers?: Record<string, string>): Promise<this> {
    const form = nth(new RegExp(`<form[^>]*action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(this.text)!, 1)
    const fields: Record<string, string> = {}
    for (const [, name, value] of form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
      fields[name!] = value!
    return this.go(action, { ...fields, ...values }, headers)
  }
}

const newestLink = async () => {
  const link = new URL(nth(/http\S+/.exec(nth(await mails(edge.database, 1), 0).body)!, 0))
  return link.pathname + link.search
}
const keyIn = (text: string) => /hx_live_[\w-]{43}/.exec(text)?.[0]
const signedIn = async (email: string) => {
  const browser = await new Browser().go('/developer')
  await browser.submit('/auth/session', { email })
  await browser.go(await newestLink())
  return browser.submit('/auth/confirm', { decision: 'approve' })
}

test('signs in by mail to an account whose key is shown once, renamed, used, counted and revoked', async () => {
  const browser = await signedIn('Person@example.org')
  expect(browser.text).toContain('person@example.org')
  expect(browser.headers.get('cache-control')).toBe('no-store')
  expect(browser.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const once = nth(/name="once" value="([^"]+)"/.exec(browser.text)!, 1)
  await browser.submit('/developer/create-key', { name: 'weather <b>station</b>' })
  const key = keyIn(browser.text)!
  expect(browser.text).toContain('weather &#60;b&#62;station&#60;/b&#62;')
  // The reload submits the same form again.
  await browser.submit('/developer/create-key', { name: 'weather <b>station</b>', once })
  expect(browser.text).toContain('shown once')
  expect(keyIn(browser.text)).toBeUndefined()
  await browser.go('/developer')
  expect(keyIn(browser.text)).toBeUndefined()
  expect(browser.text.match(/class="card"><p><strong>/g)).toHaveLength(1)

  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)
  await expect.poll(async () => (await browser.go('/developer')).text, { timeout: 5000 }).toContain('>1 of 1,000<')
  const prefix = key.slice(0, 16)
  await browser.submit('/developer/rename-key', { prefix, name: 'garden' })
  expect(browser.text).toContain('<strong>garden</strong>')
  expect((await browser.submit('/developer/rename-key', { name: ' ' })).status).toBe(400)
  await browser.submit('/developer/revoke-key', { prefix })
  await expect.poll(async () => (await edge.get('/v1/radars?id=FTG', key)).status, { timeout: 5000 }).toBe(401)
  await browser.submit('/developer/sign-out', {})
  expect(browser.text).toContain('Sign in or sign up')
})

test('uses one account for a mail address on the page and in the device flow', async () => {
  await signedIn('both@example.org')
  const accounts = await edge.database.query<{ id: string; issuer: string; subject: string }>(
    "select id, issuer, subject from account where email = 'both@example.org'",
  )
  expect(accounts).toEqual([expect.objectContaining({ issuer: '', subject: 'both@example.org' })])
})

test('accepts a link once, and only in the browser that requested it', async () => {
  const browser = await new Browser().go('/developer')
  await browser.submit('/auth/session', { email: 'victim@example.org' })
  const link = await newestLink()
  const other = await new Browser().go(link)
  await other.submit('/auth/confirm', { decision: 'approve' })
  expect(other.text).toContain('Open this in the browser where you started')
  await browser.go(link)
  const secret = nth(/name="ticket" value="([^"]+)"/.exec(browser.text)!, 1)
  expect((await browser.submit('/auth/confirm', { decision: 'approve' })).text).toContain('Signed in as')
  expect((await browser.go('/auth/confirm', { ticket: secret, decision: 'approve' })).text).toContain('no longer valid')
})

test('rejects forms of other sites, without the token of the session, and for other accounts', async () => {
  const [mine, theirs] = [await signedIn('mine@example.org'), await signedIn('theirs@example.org')]
  await theirs.submit('/developer/create-key', { name: 'theirs' })
  const prefix = keyIn(theirs.text)!.slice(0, 16)
  await mine.submit('/developer/create-key', { name: 'mine' })
  expect((await mine.submit('/developer/revoke-key', { prefix })).status).toBe(404)
  expect((await mine.submit('/developer/create-key', { name: 'x' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(
    403,
  )
  expect((await mine.go('/developer')).text).toContain('<strong>mine</strong>')
  expect((await mine.submit('/developer/create-key', { name: 'x', token: 'x' })).status).toBe(403)
  expect((await new Browser().go('/developer/create-key', { name: 'x' })).status).toBe(403)
  const response = await new Browser().go(
    '/auth/session',
    { email: 'a@example.org' },
    { 'sec-fetch-site': 'cross-site' },
  )
  expect(response.text).toContain('another site')
  const rows = await edge.database.query("select 1 from api_key where name = 'x'")
  expect(rows).toEqual([])
})

test('shows values that cannot be stored as errors of their fields', async () => {
  const browser = await signedIn('plain@example.org')
  expect((await browser.submit('/developer/create-key', { name: 'a\0b' })).status).toBe(400)
  expect((await browser.submit('/developer/create-key', { name: 'x'.repeat(200) })).status).toBe(400)
  const token = nth(/name="token" value="([^"]+)"/.exec(browser.text)!, 1)
  expect((await browser.go('/developer/revoke-key', { token, prefix: 'a\0b' })).status).toBe(404)
  for (const email of ['a\0b@example.org', 'a', `${'x'.repeat(300)}@example.org`]) {
    const response = await new Browser().go('/auth/session', { email })
    expect([response.status, response.text.includes('id="email-notice"')]).toEqual([200, true])
  }
  const keyed = await new Browser().go('/developer/key-sign-in', { key: `hx_live_${'\0'.repeat(43)}` })
  expect(keyed.status).toBe(403)
  const long = await fetch(`${edge.base}/developer/create-key`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'x'.repeat(9000) }),
  })
  expect(long.status).toBe(413)
})

test('signs in the operator by the first key only, and ends the session with the key', async () => {
  const browser = await new Browser().go('/developer')
  await browser.submit('/developer/key-sign-in', { key: await edge.key() })
  expect(browser.status).toBe(403)
  await browser.submit('/developer/key-sign-in', { key: first })
  expect(browser.text).toContain('Signed in as the operator')
  expect(browser.text).toContain('Plan <strong>Professional</strong>')
  const prefix = first.slice(0, 16)
  expect((await browser.submit('/developer/create-key', { name: 'second' })).text).toContain('Your new key')
  expect(browser.text).toContain(`keys revoke ${prefix}`)
  const token = nth(/name="token" value="([^"]+)"/.exec(browser.text)!, 1)
  expect((await browser.go('/developer/revoke-key', { token, prefix })).status).toBe(409)
  await edge.database.query('update api_key set revoked_at = now(), changed_at = clock_timestamp() where prefix = $1', [
    prefix,
  ])
  expect((await browser.go('/developer')).text).toContain('Sign in or sign up')
})

test('adds up the usage of days, without refunded calls', async () => {
  const entry = (day: string, calls: number) => ({
    ...{ subject: 'usage test', burst: 30, perSecond: 1, month: `${day.slice(0, 7)}-01` },
    ...{ day, calls },
  })
  for (const [day, count] of [
    ['2026-01-31', 5],
    ['2026-01-31', -2],
    ['2026-02-01', 7],
  ] as const)
    await addUsage(edge.database, [entry(day, count)])
  const rows = await edge.database.query(
    "select to_char(day, 'YYYY-MM-DD') as day, calls from usage_day where subject = 'usage test' order by day",
  )
  expect(rows).toEqual([
    { day: '2026-01-31', calls: 3 },
    { day: '2026-02-01', calls: 7 },
  ])
  // Two processes count on the same day; two calls are returned.
  const today = new Date().toISOString().slice(0, 10)
  for (const calls of [5, -2]) await addUsage(edge.database, [{ ...entry(today, calls), subject: 'shared test' }])
  const days = await usageByDay(edge.database, ['shared test', 'unknown'], 30)
  expect(days).toHaveLength(30)
  expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
})
