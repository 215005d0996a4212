import { randomUUID } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { adoptKey, type KeyRow, keysByPrefix, listKeys, renameKey, revokeKey } from '../../sql/queries/keys.ts'
import { ensureAccount } from '../../sql/queries/sign-in.ts'
import { usageByDay } from '../../sql/queries/usage.ts'
import { countUnauthenticated } from '../http/authenticate.ts'
import type { HttpDeps } from '../http/deps.ts'
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
import { exchangeOf, redirectToDeveloper, showPage } from './page.ts'

export interface DeveloperDeps {
  readonly http: HttpDeps
  readonly database: Database
  readonly clock: () => Instant
  /** Whether mails are sent; if so, the operator's first key does not sign in. */
  readonly mailed: boolean
  /** URL of the external issuer that holds the accounts, if there is one. */
  readonly outsideIssuer: string | undefined
}

/** Days of the chart. */
const CHART_DAYS = 30
/** Limit of keys from one address that fail to sign in. */
const wrongKeys: Plan = { minute: 5, burst: 10, day: 100 }
const MAX_FORM_BYTES = 8192

/**
 * The pages of an account at /developer, with keys, usage and limits. They use plain forms and no script. Other addresses, such as
 * `/developer/keys`, continue to the routes.
 */
export function developerPages(deps: DeveloperDeps): Router {
  const { database, clock, outsideIssuer } = deps
  const router = Router({ caseSensitive: true, strict: true })
  const form = boundedBody(
    MAX_FORM_BYTES,
    express.urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: 20 }),
  )
  const pages = pagesOf(deps)
  const { metered, showSignIn, dashboard } = pages
  /** Adds a form of the session: it does its work, then shows the page again. */
  const addForm: AddForm = (path, work) =>
    void router.post(path, metered, form, async (request, response) => {
      refuseOtherSites(request)
      const session = await sessionOf(database, request, exchangeOf(request).base, clock())
      const fields = fieldsOf(request)
      if (!session || !isFormToken(session, fields['token'] ?? '')) {
        return showSignIn(request, response, { text: 'You are signed out. Sign in again; nothing was changed.' }, 403)
      }
      try {
        showPage(request, response, await dashboard(session, await work(session, fields)))
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        const page = await dashboard(session, { notice: { text: error.message } })
        showPage(request, response, { ...page, status: error.status })
      }
    })

  router.get('/', metered, async (request, response) => {
    if (outsideIssuer) return showPage(request, response, outsidePage(outsideIssuer))
    const session = await sessionOf(database, request, exchangeOf(request).base, clock())
    if (!session) return showSignIn(request, response)
    showPage(request, response, await dashboard(session))
  })
  if (outsideIssuer) return router

  router.post('/key-sign-in', metered, form, keySignIn(pages, deps))
  addKeyForms(addForm, deps)
  router.post('/sign-out', metered, form, async (request, response) => {
    refuseOtherSites(request)
    redirectToDeveloper(request, response, [await endSession(database, request, exchangeOf(request).base)])
  })
  return router
}

/** The parts of the pages: the counter of requests, and the pages with and without a session. */
function pagesOf({ http, database, mailed }: DeveloperDeps) {
  const metered = (request: Request, _response: Response, next: () => void) => {
    const exchange = exchangeOf(request)
    exchange.route = '/developer'
    countUnauthenticated(http.auth, exchange)
    next()
  }
  const showSignIn = (request: Request, response: Response, notice?: PageNotice, status = 200) =>
    showPage(request, response, { ...signInPage({ mailed, ...(notice && { notice }) }), status })

  const dashboard = async (
    { account, keyPrefix, formToken }: BrowserSession,
    more: { newKey?: string; notice?: PageNotice } = {},
  ): Promise<Answer> => {
    const keys = await listKeys(database, account.id)
    // Calls of a key were counted under its prefix before it belonged to its account.
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
  return { metered, showSignIn, dashboard }
}

/** Adds a form of a session by its path and its work. */
type AddForm = (
  path: string,
  work: (
    session: BrowserSession,
    fields: Readonly<Record<string, string>>,
  ) => Promise<{ newKey?: string; notice?: PageNotice }>,
) => void

/** Signs in the operator's first key, if no mails are sent. */
function keySignIn(
  { showSignIn }: ReturnType<typeof pagesOf>,
  { http, database, clock, mailed }: DeveloperDeps,
): (request: Request, response: Response) => Promise<unknown> {
  const meter = new AddressMeter()
  return async (request, response) => {
    refuseOtherSites(request)
    const wrong = (text: string) => showSignIn(request, response, { field: 'key', text }, 403)
    if (mailed) return wrong('Key: this server sends mails. Sign in with your email address.')
    const now = clock()
    const from = `key ${exchangeOf(request).address}`
    if (meter.peek(from, wrongKeys, now).remaining === 0)
      return wrong('Key: too many keys were tried from here. Wait a minute, then try again.')
    const caller = await http.auth.ring.find(fieldsOf(request)['key'] ?? '', now)
    const key = caller && (await keysByPrefix(database, caller.prefix)).find(({ prefix }) => prefix === caller.prefix)
    if (key?.channel !== 'first') {
      meter.take(from, wrongKeys, now)
      return wrong("Key: enter the operator's first key, which this server printed at its first start.")
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
    const cookie = await startSession(database, exchangeOf(request).base, account.id, key.prefix)
    redirectToDeveloper(request, response, [cookie])
  }
}

/** Adds the forms that create, rename and revoke keys. */
function addKeyForms(addForm: AddForm, { database, clock }: DeveloperDeps): void {
  addForm('/create-key', async ({ account }, { name: text = '', once = '' }) => {
    const name = checkedName(text)
    if (!/^[0-9a-f-]{36}$/.test(once))
      throw new Problem('bad-request', 'The form was incomplete. Reload the page and try again.')
    const { key } = await createAccountKey(database, {
      account,
      name,
      channel: 'page',
      once,
      bodyHash: hashOf(name),
      now: clock(),
    })
    return key
      ? { newKey: key }
      : { notice: { text: 'This key was created before and was shown once. Use it, or create another.' } }
  })
  addForm('/rename-key', async (session, { prefix = '', name: text = '' }) => {
    const name = checkedName(text)
    requireKey(await renameKey(database, checkedPrefix(prefix), name, session.account.id))
    return { notice: { done: true, text: `${prefix} is now called "${name}".` } }
  })
  addForm('/revoke-key', async (session, { prefix = '' }) => {
    if (prefix === session.keyPrefix) {
      throw new Problem(
        'conflict',
        `${prefix} signs you in here and cannot be revoked here. Revoke it on the server: npx hexcast keys revoke ${prefix}`,
      )
    }
    requireKey(await revokeKey(database, checkedPrefix(prefix), session.account.id))
    return { notice: { done: true, text: `${prefix} is revoked. It is rejected everywhere within 2 seconds.` } }
  })
}

/** @throws Problem not-found */
function requireKey(key: KeyRow | undefined): void {
  if (!key) throw new Problem('not-found', 'This account has no such key. Reload the page to see its keys.')
}

/** Checks a prefix: no key has control characters, and PostgreSQL rejects a NUL in a text. @throws Problem not-found */
function checkedPrefix(prefix: string): string {
  if (!isPlainText(prefix)) requireKey(undefined)
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
function checkedName(text: string): string {
  const parsed = keyName.safeParse(text)
  if (parsed.success) return parsed.data
  throw new Problem('bad-request', 'Name: enter 1 to 100 characters.')
}

function fieldsOf(request: Request): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, unknown>))
    if (typeof value === 'string') fields[name] = value.slice(0, 300)
  return fields
}
