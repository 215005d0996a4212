import { randomBytes } from 'node:crypto'
import type { Request } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { consumeRecord, putRecord, recordOf } from '../../sql/queries/sign-in.ts'
import type { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { hashOf } from '../keys/secret.ts'
import type { FormNotice } from '../pages/sign-in.ts'
import { hyphenatedCode } from './devices.ts'
import type { MailTransport } from './mail.ts'
import { exchangeOf } from './page.ts'
import { seal, unseal } from './sealed.ts'

/** Limit of mails that one network address requests. */
const mailsByAddress: Plan = { minute: 30, burst: 40, day: 500 }
/** Limit of mails to one recipient. */
const mailsByRecipient: Plan = { minute: 10, burst: 20, day: 100 }
const EMAIL = /^[^\s\p{Cc}@<>"(),:;]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/iu
const TICKET_SECONDS = 3600

/** The pending decision behind the link in a mail. */
export type MailTicket = { readonly email: string } & (
  | { readonly kind: 'device'; readonly userCode: string }
  | { readonly kind: 'interaction'; readonly uid: string }
  | { readonly kind: 'claim'; readonly prefix: string }
  /** `browser` is the digest of the cookie of the browser that requested the mail. */
  | { readonly kind: 'session'; readonly browser: string }
)

export interface TicketDeps {
  readonly database: Database
  readonly mail: MailTransport
  readonly clock: () => Instant
  readonly deviceCodeSeconds: number
  readonly meter: AddressMeter
}

/**
 * Stores a ticket and mails its link.
 * @param name name of the client of an interaction
 * @returns the notice for the form if the address is not valid or too many mails were requested
 */
export async function mailTicket(
  { database, mail, clock, deviceCodeSeconds, meter }: TicketDeps,
  request: Request,
  ticket: MailTicket,
  name = '',
): Promise<FormNotice | undefined> {
  const now = clock()
  const { address, base } = exchangeOf(request)
  const { email, kind } = ticket
  if (!EMAIL.test(email) || email.length > 254)
    return { field: 'email', text: 'Email: enter an address such as name@example.org.' }
  if (!meter.take(`from ${address}`, mailsByAddress, now) || !meter.take(`to ${email}`, mailsByRecipient, now))
    return { field: 'email', text: 'Too many mails were requested. Wait a minute, then try again.' }
  const secret = randomBytes(24).toString('base64url')
  const seconds = kind === 'device' ? deviceCodeSeconds : TICKET_SECONDS
  await putRecord(database, 'Ticket', ticketId(secret), seal(secret, ticket), seconds)
  const lifetime = seconds < 180 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`
  await mail({
    to: email,
    subject: 'Confirm your Hexcast sign-in',
    text: [
      `Someone, probably you, wants to sign in to Hexcast with this address${purposeOf(ticket, name)}.`,
      `It was requested from the network address ${address} at ${new Date(now).toISOString()}.`,
      '',
      'Open this link to approve or deny it:',
      '',
      `${base}/auth/confirm?ticket=${secret}`,
      '',
      `The link is valid for ${lifetime}. If it was not you, deny it or do nothing.`,
    ].join('\n'),
  })
  return undefined
}

/** Returns the ticket of a secret; undefined if it is unknown, used or expired. */
export async function readTicket(database: Database, secret: string, now: Instant): Promise<MailTicket | undefined> {
  if (!/^[A-Za-z0-9_-]{20,64}$/.test(secret)) return undefined
  const row = await recordOf(database, 'Ticket', ticketId(secret))
  if (!row || row.consumed_at || (row.expires_at && row.expires_at.getTime() <= now)) return undefined
  return unseal(secret, row.payload) as unknown as MailTicket | undefined
}

/** Marks a ticket as used. @returns false if another request has used it */
export const consumeTicket = (database: Database, secret: string) => consumeRecord(database, 'Ticket', ticketId(secret))

const ticketId = (secret: string) => hashOf(secret).toString('base64url')

/** Continues the sentence of the mail about the sign-in. */
function purposeOf(ticket: MailTicket, name: string): string {
  if (ticket.kind === 'session') return ' in a browser, to see and create keys'
  if (ticket.kind === 'device') return ` on a device that shows the code ${hyphenatedCode(ticket.userCode)}`
  return ticket.kind === 'claim'
    ? ` and to claim the trial key ${ticket.prefix}`
    : // Mail clients turn text that looks like a host name into a link.
      ` for a program that calls itself "${name.replace(/\.(?=\S)/g, ' ')}"`
}
