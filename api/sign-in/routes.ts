import express, { type Request, type Response, Router } from 'express'
import type { Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { keyByTicket } from '../../sql/queries/keys.ts'
import { boundedBody } from '../http/request-body.ts'
import { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { hashOf } from '../keys/secret.ts'
import { signInPage } from '../pages/developer.ts'
import { askPage, claimPage, donePage, type FormNotice, interactionPage, sentPage } from '../pages/sign-in.ts'
import { isSameSite, markBrowser } from './browser-session.ts'
import { beganHere, clientOf, confirmHandlers } from './confirm.ts'
import { normalizedCode, openDevice } from './devices.ts'
import { endpointsOf } from './endpoints.ts'
import type { Issuer } from './issuer.ts'
import type { MailTransport } from './mail.ts'
import { exchangeOf, showPage } from './page.ts'
import { type MailTicket, mailTicket, type TicketDeps } from './tickets.ts'

export interface SignInDeps {
  readonly issuer: Issuer
  readonly database: Database
  readonly mail: MailTransport
  /** Whether mails are sent to their recipients, and not stored for the operator. */
  readonly mailed: boolean
  readonly clock: () => Instant
  readonly deviceCodeSeconds: number
}

/** Limit of wrong user codes from one address. */
const wrongCodes: Plan = { minute: 5, burst: 10, day: 100 }

interface SignInContext extends TicketDeps {
  readonly mailed: boolean
  readonly provider: (request: Request) => Provider
}

/** The sign-in pages, and the authorization server itself, all under /auth. */
export function signIn(deps: SignInDeps): Router {
  const { issuer, clock } = deps
  const meter = new AddressMeter()
  const router = Router({ caseSensitive: true })
  const form = boundedBody(8192, express.urlencoded({ extended: false, limit: 8192, parameterLimit: 40 }))
  const provider = (request: Request) => issuer.at(exchangeOf(request).base)
  const context: SignInContext = { ...deps, meter, provider }
  const confirm = confirmHandlers(context)

  router.get('/device', (request, response) => {
    const code = new URL(request.originalUrl, 'http://x').searchParams.get('user_code') ?? ''
    showPage(request, response, askPage({ code: code.slice(0, 20), email: '' }))
  })
  router.post('/device', form, (request, response) => startDevice(context, request, response))
  router.get('/claim', (request, response) => showPage(request, response, claimPage({ ticket: '', email: '' })))
  router.post('/claim', form, (request, response) => startClaim(context, request, response))
  router.post('/session', form, (request, response) => startBrowserSession(context, request, response))
  router.get('/interaction/:uid', async (request, response) => {
    const server = provider(request)
    if (!(await beganHere(server, request, response, request.params.uid)))
      return showPage(request, response, donePage('elsewhere'))
    const { uid, params } = await server.interactionDetails(request, response)
    showPage(request, response, interactionPage({ uid, email: '', ...(await clientOf(server, params)) }))
  })
  router.post('/interaction/:uid', form, async (request, response) => {
    const server = provider(request)
    if (!(await beganHere(server, request, response, request.params.uid)))
      return showPage(request, response, donePage('elsewhere'))
    const { uid, params } = await server.interactionDetails(request, response)
    const { email } = textsOf(request, ['email'])
    const client = await clientOf(server, params)
    const ticket: MailTicket = { kind: 'interaction', email: email.toLowerCase(), uid }
    const notice = await mailTicket(context, request, ticket, client.name)
    showPage(request, response, notice ? interactionPage({ uid, email, notice, ...client }) : sentPage(email))
  })
  router.get('/confirm', confirm.show)
  router.post('/confirm', form, (request, response) =>
    confirm.decide(request, response, textsOf(request, ['ticket', 'decision'])),
  )
  router.use(endpointsOf({ issuer, meter, clock }))
  return router
}

/** Mails the link that approves a device by its user code. */
async function startDevice(context: SignInContext, request: Request, response: Response): Promise<void> {
  const { meter, clock, provider } = context
  const { code, email } = textsOf(request, ['code', 'email'])
  const showAgain = (notice: FormNotice) => showPage(request, response, askPage({ code, email, notice }))
  const subject = `guess ${exchangeOf(request).address}`
  if (meter.peek(subject, wrongCodes, clock()).remaining === 0)
    return showAgain({
      field: 'code',
      text: 'Code: too many codes were tried from here. Wait a minute, then try again.',
    })
  if (!(await openDevice(provider(request), code))) {
    // RFC 8628, 5.1: a code of 8 letters is safe if few codes can be tried.
    meter.take(subject, wrongCodes, clock())
    return showAgain({
      field: 'code',
      text: 'Code: this code is unknown or has expired. Check the code on the device, or start again there.',
    })
  }
  const ticket: MailTicket = { kind: 'device', email: email.toLowerCase(), userCode: normalizedCode(code) }
  const notice = await mailTicket(context, request, ticket)
  if (notice) return showAgain(notice)
  showPage(request, response, sentPage(email))
}

/** Mails the link that claims a trial key by its ticket. */
async function startClaim(context: SignInContext, request: Request, response: Response): Promise<void> {
  const { ticket, email } = textsOf(request, ['ticket', 'email'])
  const key = await keyByTicket(context.database, hashOf(ticket))
  const notice = key
    ? await mailTicket(context, request, { kind: 'claim', email: email.toLowerCase(), prefix: key.prefix })
    : { field: 'ticket' as const, text: 'Ticket: this ticket is unknown, or its key has been claimed already.' }
  showPage(request, response, notice ? claimPage({ ticket, email, notice }) : sentPage(email))
}

/** Mails the link that signs in the browser. */
async function startBrowserSession(context: SignInContext, request: Request, response: Response): Promise<void> {
  const { email } = textsOf(request, ['email'])
  const browser = markBrowser(exchangeOf(request).base)
  const notice: FormNotice | undefined = isSameSite(request)
    ? await mailTicket(context, request, { kind: 'session', email: email.toLowerCase(), browser: browser.digest })
    : { field: 'email', text: 'Email: the form was sent by a page of another site. Use the form on this page.' }
  if (!notice) return showPage(request, response, sentPage(email, true), browser.header)
  const { mailed } = context
  showPage(request, response, signInPage({ mailed, email, notice: { field: 'email', text: notice.text } }))
}

/** Returns text fields of a form, trimmed and shortened to 300 characters. */
function textsOf<const Name extends string>(request: Request, names: readonly Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    names.map((name) => [name, typeof body[name] === 'string' ? (body[name] as string).trim().slice(0, 300) : '']),
  ) as Record<Name, string>
}
