import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { errors, type Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { claimKey } from '../../sql/queries/keys.ts'
import { ensureAccount } from '../../sql/queries/sign-in.ts'
import { confirmPage, donePage } from '../pages/sign-in.ts'
import { isMarked, startSession, unmarkBrowser } from './browser-session.ts'
import { approveDevice, hyphenatedCode, openDevice } from './devices.ts'
import { exchangeOf, redirectToDeveloper, showPage } from './page.ts'
import { consumeTicket, type MailTicket, readTicket } from './tickets.ts'

interface ConfirmDeps {
  readonly database: Database
  readonly clock: () => Instant
  readonly provider: (request: Request) => Provider
}

type TicketOf<Kind extends MailTicket['kind']> = Extract<MailTicket, { kind: Kind }>

/** The page behind the link in a mail, and the decision that it sends. */
export function confirmHandlers({ database, clock, provider }: ConfirmDeps) {
  const account = (email: string) =>
    ensureAccount(database, {
      id: `acc_${createHash('sha256').update(email).digest('base64url').slice(0, 22)}`,
      email,
      verified: true,
      issuer: '',
      subject: email,
    })

  const show = async (request: Request, response: Response): Promise<void> => {
    const secret = new URL(request.originalUrl, 'http://x').searchParams.get('ticket') ?? ''
    const ticket = await readTicket(database, secret, clock())
    const details = ticket && (await detailsOf(provider(request), ticket))
    showPage(
      request,
      response,
      ticket && details ? confirmPage({ secret, email: ticket.email, ...details }) : donePage('gone'),
    )
  }

  const decideDevice = async (request: Request, ticket: TicketOf<'device'>, isApproved: boolean) => {
    const device = await openDevice(provider(request), ticket.userCode)
    if (!device) return donePage('gone')
    if (isApproved) await approveDevice(provider(request), device, (await account(ticket.email)).id, clock())
    else Object.assign(device, { error: 'access_denied', errorDescription: 'the person denied the request' })
    await device.save()
    return donePage(isApproved ? 'approved' : 'denied')
  }

  const decideInteraction = async (
    request: Request,
    response: Response,
    ticket: TicketOf<'interaction'>,
    isApproved: boolean,
  ): Promise<void> => {
    const server = provider(request)
    const interaction = await server.Interaction.find(ticket.uid)
    if (!interaction) return showPage(request, response, donePage('gone'))
    if (!isApproved) {
      return server.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'the person denied the request',
      })
    }
    const { id } = await account(ticket.email)
    const grant = new server.Grant({ accountId: id, clientId: String(interaction.params['client_id']) })
    grant.addOIDCScope('openid email offline_access weather:read')
    const resources = [interaction.params['resource']].flat()
    for (const resource of resources) if (resource) grant.addResourceScope(String(resource), 'weather:read')
    const location = await server.interactionResult(request, response, {
      login: { accountId: id },
      consent: { grantId: await grant.save() },
    })
    await endOtherSession(server, interaction.session, id)
    response.writeHead(303, { Location: location, 'Content-Length': 0 }).end()
  }

  const decide = async (
    request: Request,
    response: Response,
    { ticket: secret, decision }: { ticket: string; decision: string },
  ): Promise<void> => {
    const { base } = exchangeOf(request)
    const ticket = await readTicket(database, secret, clock())
    // A link that is opened in another browser stays valid in the browser that began the sign-in.
    if (ticket?.kind === 'interaction' && !(await beganHere(provider(request), request, response, ticket.uid)))
      return showPage(request, response, donePage('elsewhere'))
    if (ticket?.kind === 'session' && !isMarked(request, base, ticket.browser))
      return showPage(request, response, donePage('elsewhere'))
    const isDecision = decision === 'approve' || decision === 'deny'
    if (!ticket || !isDecision || !(await consumeTicket(database, secret)))
      return showPage(request, response, donePage('gone'))
    const isApproved = decision === 'approve'
    if (ticket.kind === 'interaction') return decideInteraction(request, response, ticket, isApproved)
    if (ticket.kind === 'device') return showPage(request, response, await decideDevice(request, ticket, isApproved))
    if (!isApproved) return showPage(request, response, donePage('denied'))
    const { id } = await account(ticket.email)
    if (ticket.kind === 'claim') {
      const isClaimed = await claimKey(database, ticket.prefix, id)
      return showPage(request, response, donePage(isClaimed ? 'claimed' : 'gone'))
    }
    redirectToDeveloper(request, response, [await startSession(database, base, id), unmarkBrowser(base)])
  }
  return { show, decide }
}

/** Returns the parts of the page that depend on the kind of ticket; undefined if its sign-in has ended. */
async function detailsOf(provider: Provider, ticket: MailTicket) {
  if (ticket.kind === 'claim') return { prefix: ticket.prefix }
  if (ticket.kind === 'session') return { session: true as const }
  if (ticket.kind === 'device') {
    const device = await openDevice(provider, ticket.userCode)
    return device && { code: hyphenatedCode(ticket.userCode) }
  }
  const interaction = await provider.Interaction.find(ticket.uid)
  return interaction && { client: await clientOf(provider, interaction.params) }
}

/** Whether a sign-in began in this browser: links that are opened elsewhere approve nothing. */
export async function beganHere(
  provider: Provider,
  request: Request,
  response: Response,
  uid: string,
): Promise<boolean> {
  try {
    return (await provider.interactionDetails(request, response)).uid === uid
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false
    throw error
  }
}

/** Ends the session of another account in this browser. */
async function endOtherSession(
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

/** Returns the name of a client, and the host to which it redirects. */
export async function clientOf(
  provider: Provider,
  params: Record<string, unknown>,
): Promise<{ name: string; host: string }> {
  const client = await provider.Client.find(String(params['client_id']))
  const redirect = String(params['redirect_uri'] ?? '')
  const id = client?.clientId ?? ''
  const name = client?.clientName ?? (id.startsWith('https:') ? '' : id)
  // The client chooses its name, but the host of a client document is verified.
  const home = id.startsWith('https:') ? new URL(id).host : ''
  return {
    name: (name && home ? `${name} (${home})` : name || home) || 'an unnamed client',
    host: URL.canParse(redirect) ? new URL(redirect).host : redirect,
  }
}
