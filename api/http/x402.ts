import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { releaseAuthorization, reserveAuthorization } from '../../sql/queries/payments.ts'
import { Problem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { type Facilitator, facilitatorAt, type Settlement } from './x402-facilitator.ts'

/** Seconds that a payer has from the offer to the settlement. */
const PAYMENT_TIMEOUT_SECONDS = 60
/** Longest lifetime of an authorization; its nonce is stored until it expires. */
const MAX_AUTHORIZATION_SECONDS = 3600
/** Longest wait for the database. */
const DATABASE_TIMEOUT_MS = 3000
const MAX_HEADER_BYTES = 8192

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const digits = z.string().regex(/^\d{1,78}$/)
const paymentSchema = z.looseObject({
  x402Version: z.literal(2),
  accepted: z.looseObject({
    scheme: z.string(),
    network: z.string(),
    amount: z.string(),
    asset: z.string(),
    payTo: z.string(),
  }),
  payload: z.looseObject({
    signature: z.string().regex(/^0x[0-9a-fA-F]{2,4096}$/),
    authorization: z.looseObject({
      from: address,
      to: address,
      value: digits,
      validAfter: digits,
      validBefore: digits,
      nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    }),
  }),
})
type Payment = z.infer<typeof paymentSchema>

/** Price of a call and recipient of the payment. */
export interface Terms {
  readonly payTo: string
  readonly facilitator: string
  /** Chain, as a CAIP-2 id. */
  readonly network: string
  readonly asset: string
  readonly assetName: string
  readonly assetVersion: string
  /** Decimal digits, in the smallest unit of the asset. */
  readonly price: string
}

/** A call whose payment is verified and not yet settled. */
export interface Sale {
  /** Settles the payment and adds the receipt to the answer, before it is sent. @throws Problem 402, or service-unavailable */
  settle(answer: Answer): Promise<Answer>
  /** Makes the authorization usable again, because no answer was sent. Does nothing after `settle`; never throws. */
  release(): Promise<void>
}

/** Payments for single calls by x402 version 2, scheme `exact` on EVM chains. */
export interface Payments {
  /** Returns the headers that state the price of a call. */
  offer(resource: Resource, error: string): Record<string, string>
  /** Verifies the payment of a request; undefined if it has no payment headers. @throws Problem */
  take(headers: IncomingMessage['headers'], resource: Resource, now: Instant): Promise<Sale | undefined>
}

/** The URL that is paid for, without its query. */
export interface Resource {
  readonly base: string
  readonly path: string
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
const shortened = (payer: string) => `${payer.slice(0, 6)}…${payer.slice(-4)}`

type PaymentDatabase = Pick<Database, 'query' | 'kysely'>
/** Makes the 402 problem of a payment, with the offer. */
type Refusal = (detail: string, headers?: Record<string, string>) => Problem

/** @param database stores used authorizations, so that no process accepts an authorization twice */
export function openPayments(
  terms: Terms,
  database: PaymentDatabase,
  facilitator: Facilitator = facilitatorAt(terms.facilitator),
): Payments {
  const requirements = {
    scheme: 'exact',
    network: terms.network,
    amount: terms.price,
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: PAYMENT_TIMEOUT_SECONDS,
    extra: { name: terms.assetName, version: terms.assetVersion },
  }
  const offer = (resource: Resource, error: string) => ({
    'PAYMENT-REQUIRED': encoded({
      x402Version: 2,
      error,
      resource: { url: resource.base + resource.path, mimeType: 'application/json' },
      accepts: [requirements],
    }),
    'Cache-Control': 'no-store',
  })
  return {
    offer,
    take: async (headers, resource, now) => {
      const refuse: Refusal = (detail, more) =>
        new Problem('unauthorized', detail, { status: 402, headers: { ...offer(resource, detail), ...more } })
      const header = headers['payment-signature']
      if (header === undefined) {
        requireNoPayment(headers, refuse)
        return undefined
      }
      const payment = readPayment(String(header))
      const reason = mismatch(payment, requirements, Math.floor(now / 1000))
      if (reason) throw refuse(reason)
      const { from, nonce, validBefore } = payment.payload.authorization
      const authorization = { payer: from.toLowerCase(), nonce: nonce.toLowerCase() }
      const taking = reserveAuthorization(database, authorization, new Date(Number(validBefore) * 1000)).catch(
        (error) => {
          throw unavailable(error)
        },
      )
      if (!(await within(DATABASE_TIMEOUT_MS, taking, unavailable)))
        throw refuse('This payment authorization has already been used. Sign a new one.')
      /** A nonce that cannot be returned expires by itself. */
      const release = async () => {
        const returning = releaseAuthorization(database, authorization)
        await within(DATABASE_TIMEOUT_MS, returning, unavailable).catch(() => undefined)
      }
      const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: requirements }
      try {
        const verdict = await facilitator.verify(body)
        if (!verdict.isValid)
          throw refuse(`The payment is not valid: ${reasonWord(verdict.invalidReason)}. Sign a new one.`)
      } catch (error) {
        await release()
        throw error
      }
      const settle = () => facilitator.settle(body)
      return saleOf({ settle, release, refuse, payer: from, network: terms.network })
    },
  }
}

const unavailable = (cause?: unknown) =>
  new Problem(
    'service-unavailable',
    'It could not be checked whether this payment has been used. Nothing was charged. Retry in a moment.',
    { retryAfter: 5, cause },
  )

/** @throws Problem if the caller wants to pay, but sent no payment of version 2 */
function requireNoPayment(headers: IncomingMessage['headers'], refuse: Refusal): void {
  if (headers['x-payment'] !== undefined)
    throw refuse(
      '`X-PAYMENT` belongs to x402 version 1. Send a payment of version 2 in the header `PAYMENT-SIGNATURE`.',
    )
  if (/(^|[\s,])x402\b/i.test(String(headers['accept-payment'] ?? '')))
    throw refuse('The header `PAYMENT-SIGNATURE` is missing. Send a payment as `PAYMENT-REQUIRED` describes it.')
}

interface SaleDeps {
  readonly settle: () => Promise<Settlement>
  readonly release: () => Promise<void>
  readonly refuse: Refusal
  readonly payer: string
  readonly network: string
}

/** The sale of a call whose payment was verified. */
function saleOf({ settle, release, refuse, payer, network }: SaleDeps): Sale {
  let isSettling = false
  return {
    release: async () => {
      if (!isSettling) await release()
    },
    settle: async (answer) => {
      isSettling = true
      const settlement = await settle()
      if (!settlement.success) {
        const errorReason = reasonWord(settlement.errorReason)
        throw refuse(`The payment was not settled: ${errorReason}. Sign a new one.`, {
          'PAYMENT-RESPONSE': encoded({ success: false, errorReason, transaction: '', network, payer }),
        })
      }
      const receipt = { success: true, transaction: settlement.transaction, network: settlement.network, payer }
      return {
        ...answer,
        etag: undefined,
        headers: {
          ...answer.headers,
          'PAYMENT-RESPONSE': encoded(receipt),
          // Shared caches must not serve a paid answer to other callers.
          'Cache-Control': 'private, no-store',
        },
        log: { ...answer.log, payer: shortened(payer) },
      }
    },
  }
}

/** Reasons are words such as `insufficient_funds`; any other text of a facilitator is not repeated. */
const reasonWord = (reason: string | null | undefined) =>
  reason && /^[\w.-]{1,80}$/.test(reason) ? reason : 'the facilitator gave no reason'

function readPayment(header: string): Payment {
  const malformed = (fault: string) =>
    new Problem(
      'bad-request',
      `\`PAYMENT-SIGNATURE\` must be a payment of x402 version 2 as JSON in base64, but ${fault}. Sign a new payment.`,
    )
  if (header.length > MAX_HEADER_BYTES) throw malformed(`has more than ${MAX_HEADER_BYTES} characters`)
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw malformed('could not be parsed')
  }
  const payment = paymentSchema.safeParse(value)
  if (payment.success) return payment.data
  const path = payment.error.issues[0]?.path.join('.')
  throw malformed(`its member ${path || 'at the top level'} is invalid`)
}

/** Returns why a payment does not match the offer, by checks that need no call to the facilitator. */
function mismatch(
  { accepted, payload: { authorization } }: Payment,
  offered: { scheme: string; network: string; amount: string; asset: string; payTo: string },
  seconds: number,
): string | undefined {
  for (const name of ['scheme', 'network', 'amount', 'asset', 'payTo'] as const)
    if (!isSame(accepted[name], offered[name]))
      return `The payment’s ${name} differs from the offer. Sign a payment as PAYMENT-REQUIRED describes it.`
  if (!isSame(authorization.to, offered.payTo))
    return `The authorization must pay ${offered.payTo}, but pays another recipient. Sign a new one.`
  if (BigInt(authorization.value) !== BigInt(offered.amount))
    return `The authorization must be for ${offered.amount}, but is for another amount. Sign a new one.`
  if (Number(authorization.validBefore) <= seconds) return 'The authorization has expired. Sign a new one.'
  if (Number(authorization.validBefore) > seconds + MAX_AUTHORIZATION_SECONDS)
    return `The authorization must be valid for at most ${PAYMENT_TIMEOUT_SECONDS} s, but is valid for longer. Sign a new one.`
  return undefined
}
