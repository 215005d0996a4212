import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { keysByPrefix } from '../../sql/queries/keys.ts'
import { type AccountRow, accountOf, putRecord, recordOf, removeRecord } from '../../sql/queries/sign-in.ts'
import { hashOf } from '../keys/secret.ts'

/** A browser that is signed in at /developer. */
export interface BrowserSession {
  readonly account: AccountRow
  /** The operator's key that signed in, with which the session ends; undefined after sign-in by mail. */
  readonly keyPrefix: string | undefined
  /** Token in every form of the session, which another site cannot know. */
  readonly formToken: string
}

const MODEL = 'BrowserSession'
const SESSION_SECONDS = 86_400
/** The link in a mail must be opened within an hour, in the browser that requested it. */
const START_SECONDS = 3600
const SECRET = /^[A-Za-z0-9_-]{43}$/

const newSecret = () => randomBytes(32).toString('base64url')
const digest = (secret: string) => hashOf(secret).toString('base64url')

/** Creates a session. @returns the value of Set-Cookie */
export async function startSession(
  database: Database,
  base: string,
  accountId: string,
  keyPrefix?: string,
): Promise<string> {
  const secret = newSecret()
  await putRecord(database, MODEL, digest(secret), { accountId, ...(keyPrefix && { keyPrefix }) }, SESSION_SECONDS)
  return cookie(base, 'hexcast_session', secret, '/developer', SESSION_SECONDS)
}

/** Returns the session of a request; undefined if there is none or it has ended. */
export async function sessionOf(
  database: Database,
  request: IncomingMessage,
  base: string,
  now: Instant,
): Promise<BrowserSession | undefined> {
  const secret = cookieOf(request, base, 'hexcast_session')
  if (!secret) return undefined
  const row = await recordOf(database, MODEL, digest(secret))
  if (!row?.expires_at || row.expires_at.getTime() <= now) return undefined
  const { accountId, keyPrefix } = row.payload as { accountId: string; keyPrefix?: string }
  if (keyPrefix !== undefined) {
    const key = (await keysByPrefix(database, keyPrefix)).find(({ prefix }) => prefix === keyPrefix)
    if (!key || key.revoked_at || (key.expires_at && key.expires_at.getTime() <= now)) return undefined
  }
  const account = await accountOf(database, accountId)
  return account && { account, keyPrefix, formToken: formTokenOf(secret) }
}

/** Ends the session of a request. @returns the value of Set-Cookie */
export async function endSession(database: Database, request: IncomingMessage, base: string): Promise<string> {
  const secret = cookieOf(request, base, 'hexcast_session')
  if (secret) await removeRecord(database, MODEL, digest(secret))
  return cookie(base, 'hexcast_session', '', '/developer', 0)
}

/** Marks the browser that requests a mail. @returns `digest` for the ticket, and the value of Set-Cookie */
export function markBrowser(base: string): { digest: string; header: string } {
  const secret = newSecret()
  return { digest: digest(secret), header: cookie(base, 'hexcast_sign_in', secret, '/auth', START_SECONDS) }
}

/** Whether a request comes from the browser with this mark. */
export function isMarked(request: IncomingMessage, base: string, marked: string): boolean {
  const secret = cookieOf(request, base, 'hexcast_sign_in')
  return secret !== undefined && isEqual(digest(secret), marked)
}

export const unmarkBrowser = (base: string): string => cookie(base, 'hexcast_sign_in', '', '/auth', 0)

export const isFormToken = (session: BrowserSession, token: string): boolean => isEqual(session.formToken, token)

/**
 * Whether a form may come from a page of this server. Browsers send Sec-Fetch-Site over TLS and to loopback; without it, the SameSite=Strict
 * cookies and the form token decide. Origin does not help, because it is `null` under our Referrer-Policy.
 */
export function isSameSite(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin'
}

const formTokenOf = (secret: string) => createHmac('sha256', secret).update('form').digest('base64url')

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type CookieName = 'hexcast_session' | 'hexcast_sign_in'

/** Returns the name of a cookie. Over TLS it has a prefix that a page without TLS on the same host cannot set. */
const nameAt = (base: string, name: CookieName) => (base.startsWith('https:') ? `__Secure-${name}` : name)

function cookie(base: string, name: CookieName, value: string, path: string, seconds: number): string {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${nameAt(base, name)}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

function cookieOf(request: IncomingMessage, base: string, name: CookieName): string | undefined {
  const start = `${nameAt(base, name)}=`
  const pair = request.headers.cookie?.split(';').find((text) => text.trim().startsWith(start))
  const value = pair?.trim().slice(start.length)
  return value && SECRET.test(value) ? value : undefined
}
