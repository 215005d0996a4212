import { createHash, randomBytes } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import { errors, type Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { claimKey, keyByTicket } from '../../sql/queries/keys.ts'
import { consumeRecord, ensureAccount, putRecord, recordOf } from '../../sql/queries/sign-in.ts'
import type { ApiRequest } from '../http/deps.ts'
import { send } from '../http/exchange.ts'
import { boundedBody } from '../http/request-body.ts'
import { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { hashOf } from '../keys/secret.ts'
import { signInPage } from '../pages/developer.ts'
import {
  askPage,
  claimPage,
  confirmPage,
  donePage,
  type FormNotice,
  interactionPage,
  sentPage,
} from '../pages/sign-in.ts'
import type { Answer } from '../route.ts'
import { isMarked, isSameSite, markBrowser, startSession, unmarkBrowser } from './browser-session.ts'
import { endpointsOf } from './endpoints.ts'
import type { Issuer } from './issuer.ts'
import type { MailTransport } from './mail.ts'
import { seal, unseal } from './sealed.ts'

export interface SignInDeps {
  readonly issuer: Issuer
  readonly database: Database
  readonly mail: MailTransport
  /** Mails are sent to their recipients, not kept for the operator. */
  readonly mailed: boolean
  readonly clock: () => Instant
  readonly deviceCodeSeconds: number
}

/** Limits of mails, for each address and each recipient. */
const mails: Plan = { minute: 30, burst: 40, day: 500 }
const letters: Plan = { minute: 10, burst: 20, day: 100 }
/** Wrong user codes from one address. */
const guesses: Plan = { minute: 5, burst: 10, day: 100 }
const EMAIL = /^[^\s\p{Cc}@<>"(),:;]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/iu

/** The pending decision behind the link of a mail. */
type MailTicket = { readonly email: string } & (
  | { readonly kind: 'device'; readonly userCode: string }
  | { readonly kind: 'interaction'; readonly uid: string }
  | { readonly kind: 'claim'; readonly prefix: string }
  /** `browser` is the digest of the cookie of the browser that asked. */
  | { readonly kind: 'session'; readonly browser: string }
)

/** The pages of signing in, then the authorization server itself, all under /auth. */
export function signIn(deps: SignInDeps): Router {
  const { issuer, database, clock } = deps
  const meter = new AddressMeter()
  const router = Router({ caseSensitive: true })
  const form = boundedBody(8192, express.urlencoded({ extended: false, limit: 8192, parameterLimit: 40 }))
  const baseOf = (request: Request) => (request as unknown as ApiRequest).exchange.base
  const addressOf = (request: Request) => (request as unknown as ApiRequest).exchange.address
  const provider = (request: Request) => issuer.at(baseOf(request))
  const show = (request: Request, response: Response, page: Answer, cookie?: string) =>
    send(
      response,
      (request as unknown as ApiRequest).exchange,
      page.status ?? 200,
      // Not stored: these pages contain tickets.
      {
        ...page.headers,
        'Content-Type': page.type!,
        'Cache-Control': 'no-store',
        ...(cookie && { 'Set-Cookie': cookie }),
      },
      String(page.body),
    )

  const post = async (request: Request, ticket: MailTicket, name: string): Promise<FormNotice | undefined> => {
    const now = clock()
    if (!EMAIL.test(ticket.email) || ticket.email.length > 254)
      return { field: 'email', text: 'Email: enter an address such as name@example.org.' }
    if (!meter.take(`from ${addressOf(request)}`, mails, now) || !meter.take(`to ${ticket.email}`, letters, now)) {
      return { field: 'email', text: 'Too many mails were requested. Wait a minute, then try again.' }
    }
    const secret = randomBytes(24).toString('base64url')
    const seconds = ticket.kind === 'device' ? deps.deviceCodeSeconds : 3600
    await putRecord(database, 'Ticket', ticketId(secret), seal(secret, ticket), seconds)
    await deps.mail({
      to: ticket.email,
      subject: 'Confirm your Hexcast sign-in',
      text: [
        `Someone, probably you, wants to sign in to Hexcast with this address${aim(ticket, name)}.`,
        `It was requested from the network address ${addressOf(request)} at ${new Date(now).toISOString()}.`,
        '',
        'Open this link to approve or deny it:',
        '',
        `${baseOf(request)}/auth/confirm?ticket=${secret}`,
        '',
        `The link is good for ${seconds < 180 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`}. If it was not you, deny it or do nothing.`,
      ].join('\n'),
    })
    return undefined
  }

  router.get('/device', (request, response) => {
    const code = new URL(request.originalUrl, 'http://x').searchParams.get('user_code') ?? ''
    show(request, response, askPage({ code: code.slice(0, 20), email: '' }))
  })
  router.post('/device', form, async (request, response) => {
    const { code, email } = textsOf(request, ['code', 'email'])
    const again = (notice: FormNotice) => show(request, response, askPage({ code, email, notice }))
    if (meter.peek(`guess ${addressOf(request)}`, guesses, clock()).remaining === 0)
      return again({ field: 'code', text: 'Code: too many codes were tried from here. Wait a minute, then try again.' })
    const device = await openDevice(provider(request), code)
    // RFC 8628, 5.1: a code of 8 letters is safe where few can be tried.
    if (!device) meter.take(`guess ${addressOf(request)}`, guesses, clock())
    if (!device)
      return again({
        field: 'code',
        text: 'Code: this code is not known, or it has lapsed. Look at the device again, or start anew there.',
      })
    const wrong = await post(request, { kind: 'device', email: email.toLowerCase(), userCode: normal(code) }, '')
    if (wrong) return again(wrong)
    show(request, response, sentPage(email))
  })

  router.get('/claim', (request, response) => show(request, response, claimPage({ ticket: '', email: '' })))
  router.post('/claim', form, async (request, response) => {
    const { ticket, email } = textsOf(request, ['ticket', 'email'])
    const key = await keyByTicket(database, hashOf(ticket))
    const wrong = key
      ? await post(request, { kind: 'claim', email: email.toLowerCase(), prefix: key.prefix }, '')
      : { field: 'ticket', text: 'Ticket: it is not known, or its key was claimed already.' }
    show(request, response, wrong ? claimPage({ ticket, email, notice: wrong }) : sentPage(email))
  })

  router.post('/session', form, async (request, response) => {
    const { email } = textsOf(request, ['email'])
    const browser = markBrowser(baseOf(request))
    const wrong: FormNotice | undefined = isSameSite(request)
      ? await post(request, { kind: 'session', email: email.toLowerCase(), browser: browser.digest }, '')
      : { field: 'email', text: 'Email: the form was sent by a page of another site. Use this one.' }
    if (!wrong) return show(request, response, sentPage(email, true), browser.header)
    show(request, response, signInPage({ mailed: deps.mailed, email, notice: { field: 'email', text: wrong.text } }))
  })

  router.get('/interaction/:uid', async (request, response) => {
    if (!(await began(provider(request), request, response, request.params.uid)))
      return show(request, response, donePage('elsewhere'))
    const details = await provider(request).interactionDetails(request, response)
    show(
      request,
      response,
      interactionPage({ uid: details.uid, email: '', ...(await clientOf(provider(request), details.params)) }),
    )
  })
  router.post('/interaction/:uid', form, async (request, response) => {
    if (!(await began(provider(request), request, response, request.params.uid)))
      return show(request, response, donePage('elsewhere'))
    const details = await provider(request).interactionDetails(request, response)
    const { email } = textsOf(request, ['email'])
    const client = await clientOf(provider(request), details.params)
    const wrong = await post(
      request,
      { kind: 'interaction', email: email.toLowerCase(), uid: details.uid },
      client.name,
    )
    if (wrong) return show(request, response, interactionPage({ uid: details.uid, email, notice: wrong, ...client }))
    show(request, response, sentPage(email))
  })

  router.get('/confirm', async (request, response) => {
    const secret = new URL(request.originalUrl, 'http://x').searchParams.get('ticket') ?? ''
    const ticket = await ticketOf(database, secret, clock())
    if (!ticket) return show(request, response, donePage('gone'))
    if (ticket.kind === 'device') {
      const device = await openDevice(provider(request), ticket.userCode)
      if (!device) return show(request, response, donePage('gone'))
      return show(request, response, confirmPage({ secret, email: ticket.email, code: spelled(ticket.userCode) }))
    }
    if (ticket.kind === 'claim')
      return show(request, response, confirmPage({ secret, email: ticket.email, prefix: ticket.prefix }))
    if (ticket.kind === 'session')
      return show(request, response, confirmPage({ secret, email: ticket.email, session: true }))
    const interaction = await provider(request).Interaction.find(ticket.uid)
    if (!interaction) return show(request, response, donePage('gone'))
    show(
      request,
      response,
      confirmPage({ secret, email: ticket.email, client: await clientOf(provider(request), interaction.params) }),
    )
  })
  router.post('/confirm', form, async (request, response) => {
    const { ticket: secret, decision } = textsOf(request, ['ticket', 'decision'])
    const ticket = await ticketOf(database, secret, clock())
    // Opened in another browser: the link stays valid for the one that began.
    if (ticket?.kind === 'interaction' && !(await began(provider(request), request, response, ticket.uid)))
      return show(request, response, donePage('elsewhere'))
    if (ticket?.kind === 'session' && !isMarked(request, baseOf(request), ticket.browser))
      return show(request, response, donePage('elsewhere'))
    if (
      !ticket ||
      !(decision === 'approve' || decision === 'deny') ||
      !(await consumeRecord(database, 'Ticket', ticketId(secret)))
    ) {
      return show(request, response, donePage('gone'))
    }
    const approved = decision === 'approve'
    if (ticket.kind === 'interaction') return finish(provider(request), request, response, ticket, approved)
    if (ticket.kind === 'claim') {
      const done = approved && (await claimKey(database, ticket.prefix, (await account(ticket.email)).id))
      return show(request, response, donePage(done ? 'claimed' : approved ? 'gone' : 'denied'))
    }
    if (ticket.kind === 'session') {
      if (!approved) return show(request, response, donePage('denied'))
      const base = baseOf(request)
      response.setHeader('Set-Cookie', [
        await startSession(database, base, (await account(ticket.email)).id),
        unmarkBrowser(base),
      ])
      return send(response, (request as unknown as ApiRequest).exchange, 303, {
        Location: '/developer',
        'Content-Length': '0',
        'Cache-Control': 'no-store',
      })
    }
    const device = await openDevice(provider(request), ticket.userCode)
    if (!device) return show(request, response, donePage('gone'))
    if (approved) await approve(provider(request), device, (await account(ticket.email)).id, clock())
    else Object.assign(device, { error: 'access_denied', errorDescription: 'the person denied the request' })
    await device.save()
    show(request, response, donePage(approved ? 'approved' : 'denied'))
  })

  const account = (email: string) =>
    ensureAccount(database, {
      id: `acc_${createHash('sha256').update(email).digest('base64url').slice(0, 22)}`,
      email,
      verified: true,
      issuer: '',
      subject: email,
    })

  const finish = async (
    at: Provider,
    request: Request,
    response: Response,
    ticket: MailTicket & { kind: 'interaction' },
    approved: boolean,
  ) => {
    const interaction = await at.Interaction.find(ticket.uid)
    if (!interaction) return show(request, response, donePage('gone'))
    if (!approved) {
      return at.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'the person denied the request',
      })
    }
    const { id } = await account(ticket.email)
    const grant = new at.Grant({ accountId: id, clientId: String(interaction.params['client_id']) })
    grant.addOIDCScope('openid email offline_access weather:read')
    const resource = interaction.params['resource']
    for (const one of Array.isArray(resource) ? resource : [resource])
      if (one) grant.addResourceScope(String(one), 'weather:read')
    const to = await at.interactionResult(request, response, {
      login: { accountId: id },
      consent: { grantId: await grant.save() },
    })
    await forgetOther(at, interaction.session, id)
    response.writeHead(303, { Location: to, 'Content-Length': 0 }).end()
  }

  router.use(endpointsOf({ issuer, meter, clock }))
  return router
}

/** Whether the sign-in began in this browser: links opened elsewhere approve nothing. */
async function began(provider: Provider, request: Request, response: Response, uid: string): Promise<boolean> {
  try {
    return (await provider.interactionDetails(request, response)).uid === uid
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false
    throw error
  }
}

/** Ends the session of another account in this browser. */
async function forgetOther(
  provider: Provider,
  previous: { uid: string } | undefined,
  accountId: string,
): Promise<void> {
  const session = previous && (await provider.Session.findByUid(previous.uid))
  if (!session?.accountId || session.accountId === accountId) return
  delete session.accountId
  session.authorizations = {}
  await session.persist()
}

type DeviceCode = InstanceType<Provider['DeviceCode']>

/** A device authorization that is pending. */
async function openDevice(provider: Provider, code: string): Promise<DeviceCode | undefined> {
  const text = normal(code)
  if (!/^[A-Z]{8}$/.test(text)) return undefined
  const device = await (
    provider.DeviceCode as unknown as { findByUserCode(code: string, options: object): Promise<DeviceCode | undefined> }
  ).findByUserCode(text, {
    ignoreExpiration: true,
  })
  return device && !device.isExpired && !device.error && !device.accountId ? device : undefined
}

/** Approves a device for an account, as the pages of the library do. */
async function approve(provider: Provider, device: DeviceCode, accountId: string, now: Instant): Promise<void> {
  const scope = String((device.params as Record<string, unknown>)['scope'] ?? 'openid')
  const grant = new provider.Grant({ accountId, clientId: device.clientId! })
  grant.addOIDCScope(scope)
  Object.assign(device, { accountId, grantId: await grant.save(), scope, authTime: Math.floor(now / 1000) })
}

async function clientOf(provider: Provider, params: Record<string, unknown>): Promise<{ name: string; host: string }> {
  const client = await provider.Client.find(String(params['client_id']))
  const redirect = String(params['redirect_uri'] ?? '')
  const id = client?.clientId ?? ''
  const named = client?.clientName ?? (id.startsWith('https:') ? '' : id)
  // The name is chosen by the client; the host of a client document is verified.
  const home = id.startsWith('https:') ? new URL(id).host : ''
  return {
    name: (named && home ? `${named} (${home})` : named || home) || 'an unnamed client',
    host: URL.canParse(redirect) ? new URL(redirect).host : redirect,
  }
}

function aim(ticket: MailTicket, name: string): string {
  if (ticket.kind === 'session') return ' in a browser, to see and make keys'
  if (ticket.kind === 'device') return ` on a device that shows the code ${spelled(ticket.userCode)}`
  return ticket.kind === 'claim'
    ? ` and to claim the trial key ${ticket.prefix}`
    : // Mail clients turn text like a host name into a link.
      ` for a program that calls itself "${name.replace(/\.(?=\S)/g, ' ')}"`
}

const ticketId = (secret: string) => hashOf(secret).toString('base64url')

async function ticketOf(database: Database, secret: string, now: Instant): Promise<MailTicket | undefined> {
  if (!/^[A-Za-z0-9_-]{20,64}$/.test(secret)) return undefined
  const row = await recordOf(database, 'Ticket', ticketId(secret))
  if (!row || row.consumed_at || (row.expires_at && row.expires_at.getTime() <= now)) return undefined
  return unseal(secret, row.payload) as unknown as MailTicket | undefined
}

function textsOf<const Name extends string>(request: Request, names: readonly Name[]): Record<Name, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    names.map((name) => [name, typeof body[name] === 'string' ? (body[name] as string).trim().slice(0, 300) : '']),
  ) as Record<Name, string>
}

const normal = (code: string) => code.toUpperCase().replace(/[^A-Z]/g, '')
const spelled = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`
