import { randomUUID } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { adoptKey, type KeyRow, keysByPrefix, listKeys, renameKey, revokeKey } from '../../sql/queries/keys.ts'
import { ensureAccount } from '../../sql/queries/sign-in.ts'
import { usageByDay } from '../../sql/queries/usage.ts'
import { countUnauthenticated } from '../http/authenticate.ts'
import type { ApiRequest, HttpDeps } from '../http/deps.ts'
import { send } from '../http/exchange.ts'
import { boundedBody } from '../http/request-body.ts'
import { createAccountKey } from '../keys/account-key.ts'
import { planNamed } from '../keys/issue.ts'
import { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { accountSubject } from '../keys/ring.ts'
import { hashOf } from '../keys/secret.ts'
import { developerPage, outsidePage, type PageNotice, signInPage } from '../pages/developer.ts'
import { Problem } from '../problem.ts'
import { isPlainText, keyName } from '../query/printable.ts'
import type { Answer } from '../route.ts'
import { type BrowserSession, endSession, isFormToken, isSameSite, sessionOf, startSession } from './browser-session.ts'

export interface DeveloperDeps {
  readonly http: HttpDeps
  readonly database: Database
  readonly clock: () => Instant
  /** Mails are sent: the operator's first key does not sign in. */
  readonly mailed: boolean
  /** The external issuer that keeps the accounts, where there is one. */
  readonly outsideIssuer: string | undefined
}

/** Days of the chart. */
const CHART_DAYS = 30
/** Keys that do not sign in, from one address. */
const wrongKeys: Plan = { minute: 5, burst: 10, day: 100 }
const MAX_FORM_BYTES = 8192

/**
 * The pages of an account at /developer: keys, usage and limits. Plain forms, no script. Whatever is not theirs (`/developer/keys`) goes
 * on to the routes.
 */
export function developerPages(deps: DeveloperDeps): Router {
  const { database, clock, outsideIssuer } = deps
  const router = Router({ caseSensitive: true, strict: true })
  const form = boundedBody(
    MAX_FORM_BYTES,
    express.urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: 20 }),
  )
  const pages = pagesOf(deps)
  const { metered, show, back, signedOut, dashboard } = pages
  /** A form of the session: its work, then the page again. */
  const act: Act = (path, work) =>
    void router.post(path, metered, form, async (request, response) => {
      refuseOtherSites(request)
      const session = await sessionOf(database, request, exchangeOf(request).base, clock())
      const fields = fieldsOf(request)
      if (!session || !isFormToken(session, fields['token'] ?? '')) {
        return signedOut(request, response, { text: 'You are signed out. Sign in again; nothing was changed.' }, 403)
      }
      try {
        show(request, response, await dashboard(session, await work(session, fields)))
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        const page = await dashboard(session, { notice: { text: error.message } })
        show(request, response, { ...page, status: error.status })
      }
    })

  router.get('/', metered, async (request, response) => {
    if (outsideIssuer) return show(request, response, outsidePage(outsideIssuer))
    const session = await sessionOf(database, request, exchangeOf(request).base, clock())
    if (!session) return signedOut(request, response)
    show(request, response, await dashboard(session))
  })
  if (outsideIssuer) return router

  router.post('/key-sign-in', metered, form, keySignIn(pages, deps))
  keyForms(act, deps)
  router.post('/sign-out', metered, form, async (request, response) => {
    refuseOtherSites(request)
    back(request, response, await endSession(database, request, exchangeOf(request).base))
  })
  return router
}

const exchangeOf = (request: Request) => (request as unknown as ApiRequest).exchange

/** Counts the requests of the pages, and sends them. */
function pagesOf({ http, database, mailed }: DeveloperDeps) {
  const metered = (request: Request, _response: Response, next: () => void) => {
    const exchange = exchangeOf(request)
    exchange.route = '/developer'
    countUnauthenticated(http.auth, exchange)
    next()
  }
  const show = (request: Request, response: Response, page: Answer, cookie?: string) =>
    send(
      response,
      exchangeOf(request),
      page.status ?? 200,
      {
        ...page.headers,
        'Content-Type': page.type!,
        // Keys and addresses of people.
        'Cache-Control': 'no-store',
        ...(cookie && { 'Set-Cookie': cookie }),
      },
      String(page.body),
    )
  const back = (request: Request, response: Response, cookie: string) =>
    send(response, exchangeOf(request), 303, {
      Location: '/developer',
      'Content-Length': '0',
      'Cache-Control': 'no-store',
      'Set-Cookie': cookie,
    })
  const signedOut = (request: Request, response: Response, notice?: PageNotice, status = 200) =>
    show(request, response, { ...signInPage({ mailed, ...(notice && { notice }) }), status })

  const dashboard = async (
    { account, keyPrefix, formToken }: BrowserSession,
    more: { newKey?: string; notice?: PageNotice } = {},
  ): Promise<Answer> => {
    const keys = await listKeys(database, account.id)
    // Before a key belonged to its account it was counted by itself.
    const subjects = [accountSubject(account.id), ...keys.map(({ prefix }) => prefix)]
    return developerPage({
      email: account.email,
      plan: planNamed(account.plan),
      limits: http.auth.plans[planNamed(account.plan)],
      keys,
      usage: await usageByDay(database, subjects, CHART_DAYS),
      formToken,
      once: randomUUID(),
      signInKey: keyPrefix,
      ...more,
    })
  }
  return { metered, show, back, signedOut, dashboard }
}

/** A form of a session: its path, and its work. */
type Act = (
  path: string,
  work: (
    session: BrowserSession,
    fields: Readonly<Record<string, string>>,
  ) => Promise<{ newKey?: string; notice?: PageNotice }>,
) => void

/** The operator's first key signs in where no mails are sent. */
function keySignIn(
  { signedOut, back }: ReturnType<typeof pagesOf>,
  { http, database, clock, mailed }: DeveloperDeps,
): (request: Request, response: Response) => Promise<unknown> {
  const meter = new AddressMeter()
  return async (request, response) => {
    refuseOtherSites(request)
    const wrong = (text: string) => signedOut(request, response, { field: 'key', text }, 403)
    if (mailed) return wrong('Key: this server sends mails. Sign in with your email address.')
    const now = clock()
    const from = `key ${exchangeOf(request).address}`
    if (meter.peek(from, wrongKeys, now).remaining === 0)
      return wrong('Key: too many keys were tried from here. Wait a minute, then try again.')
    const caller = await http.auth.ring.find(fieldsOf(request)['key'] ?? '', now)
    const key = caller && (await keysByPrefix(database, caller.prefix)).find(({ prefix }) => prefix === caller.prefix)
    if (key?.channel !== 'first') {
      meter.take(from, wrongKeys, now)
      return wrong("Key: wanted the operator's first key, which the first start of this server printed.")
    }
    const account = await ensureAccount(database, {
      id: 'acc_operator',
      email: '',
      verified: true,
      issuer: 'first key',
      subject: 'operator',
      plan: key.plan,
    })
    await adoptKey(database, key.prefix, account.id)
    back(request, response, await startSession(database, exchangeOf(request).base, account.id, key.prefix))
  }
}

/** Forms that make, rename and revoke keys. */
function keyForms(act: Act, { database, clock }: DeveloperDeps): void {
  act('/create-key', async ({ account }, { name: wanted = '', once = '' }) => {
    const name = named(wanted)
    if (!/^[0-9a-f-]{36}$/.test(once)) throw new Problem('bad-request', 'The form was incomplete. Try again.')
    const { key } = await createAccountKey(database, {
      account,
      name,
      channel: 'page',
      once,
      bodyHash: hashOf(name),
      now: clock(),
    })
    return key ? { newKey: key } : { notice: { text: 'This key was made already, and it was shown once.' } }
  })
  act('/rename-key', async (session, { prefix = '', name = '' }) => {
    const renamed = named(name)
    found(await renameKey(database, given(prefix), renamed, session.account.id))
    return { notice: { done: true, text: `${prefix} is called "${renamed}" now.` } }
  })
  act('/revoke-key', async (session, { prefix = '' }) => {
    if (prefix === session.keyPrefix) {
      throw new Problem(
        'conflict',
        `${prefix} signs you in here. It is revoked on the server: npx hexcast keys revoke ${prefix}`,
      )
    }
    found(await revokeKey(database, given(prefix), session.account.id))
    return { notice: { done: true, text: `${prefix} is revoked: refused everywhere within 2 seconds.` } }
  })
}

const found = (key: KeyRow | undefined): void => {
  if (!key) throw new Problem('not-found', 'This account has no such key.')
}
/** No key has control characters, and PostgreSQL refuses a NUL in a text. */
const given = (prefix: string): string => {
  if (!isPlainText(prefix)) found(undefined)
  return prefix
}

/** @throws Problem forbidden */
function refuseOtherSites(request: Request): void {
  if (isSameSite(request)) return
  throw new Problem(
    'forbidden',
    'This form was sent by a page of another site. Open /developer and use the form there.',
  )
}

/** @throws Problem bad-request */
function named(text: string): string {
  const parsed = keyName.safeParse(text)
  if (parsed.success) return parsed.data
  throw new Problem('bad-request', 'Name: wanted 1 to 100 characters.')
}

function fieldsOf(request: Request): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, unknown>))
    if (typeof value === 'string') fields[name] = value.slice(0, 300)
  return fields
}
