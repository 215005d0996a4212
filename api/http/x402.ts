import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { type Authorization, returnAuthorization, takeAuthorization } from '../../sql/queries/payments.ts'
import { Problem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { type Facilitator, facilitatorAt } from './x402-facilitator.ts'

/** Seconds that a payer has from the offer to the settlement. */
const PAYMENT_TIMEOUT_SECONDS = 60
/** Longest lifetime of an authorization: its nonce is stored until then. */
const MAX_AUTHORIZATION_SECONDS = 3600
/** Longest wait for the database. */
const DATABASE_TIMEOUT_MS = 3000
const MAX_HEADER_BYTES = 8192

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const whole = z.string().regex(/^\d{1,78}$/)
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
      value: whole,
      validAfter: whole,
      validBefore: whole,
      nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    }),
  }),
})
type Payment = z.infer<typeof paymentSchema>

/** Price of a call and recipient of the payment. */
export interface Terms {
  readonly payTo: string
  readonly facilitator: string
  /** By CAIP-2. */
  readonly network: string
  readonly asset: string
  readonly assetName: string
  readonly assetVersion: string
  /** Decimal digits, in the smallest unit of the asset. */
  readonly price: string
}

/** A call that is paid for, verified and not yet settled. */
export interface Sale {
  /** Adds the receipt; the answer is sent only after this. @throws Problem: 402 not settled, or service-unavailable */
  settle(answer: Answer): Promise<Answer>
  /** No answer was sent: the authorization may be used again. Does nothing after settle; never throws. */
  release(): Promise<void>
}

/** Payments for single calls: x402 version 2, scheme `exact` on EVM chains. */
export interface Payments {
  /** Headers of a response with the price of a call. */
  offer(resource: Resource, error: string): Record<string, string>
  /** Undefined where the request has no payment headers. @throws Problem */
  take(headers: IncomingMessage['headers'], resource: Resource, now: Instant): Promise<Sale | undefined>
}

/** The URL that is paid for, without its query. */
export interface Resource {
  readonly base: string
  readonly path: string
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const shortened = (payer: string) => `${payer.slice(0, 6)}…${payer.slice(-4)}`

type PaymentDatabase = Pick<Database, 'query' | 'kysely'>

/** @param database stores used authorizations, so that none is accepted twice by any process */
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
  const refused = (resource: Resource, detail: string, more: Record<string, string> = {}) =>
    new Problem('unauthorized', detail, { status: 402, headers: { ...offer(resource, detail), ...more } })

  const unavailable = (cause?: unknown) =>
    new Problem('service-unavailable', 'Payments cannot be checked for reuse just now. Nothing was charged.', {
      retryAfter: 5,
      cause,
    })
  const reserve = async (authorization: Authorization, until: number, resource: Resource) => {
    const taking = takeAuthorization(database, authorization, new Date(until * 1000)).catch((error) => {
      throw unavailable(error)
    })
    if (!(await within(DATABASE_TIMEOUT_MS, taking, unavailable)))
      throw refused(resource, 'This payment authorization has been used. Sign a new one.')
  }
  /** A nonce that could not be returned expires by itself. */
  const returnNonce = (authorization: Authorization) =>
    within(DATABASE_TIMEOUT_MS, returnAuthorization(database, authorization), unavailable).catch(() => undefined)

  return {
    offer,
    take: async (headers, resource, now) => {
      const header = headers['payment-signature']
      if (header === undefined) {
        if (headers['x-payment'] !== undefined)
          throw refused(
            resource,
            'X-PAYMENT belongs to x402 version 1: wanted version 2 in the header PAYMENT-SIGNATURE.',
          )
        if (/(^|[\s,])x402\b/i.test(String(headers['accept-payment'] ?? '')))
          throw refused(resource, 'PAYMENT-SIGNATURE is missing: wanted a payment as PAYMENT-REQUIRED describes it.')
        return undefined
      }
      const payment = readPayment(String(header))
      const seconds = Math.floor(now / 1000)
      const wrong = mismatch(payment, requirements, seconds)
      if (wrong) throw refused(resource, wrong)
      const { from, nonce, validBefore } = payment.payload.authorization
      const own = { payer: from.toLowerCase(), nonce: nonce.toLowerCase() }
      await reserve(own, Number(validBefore), resource)
      const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: requirements }
      try {
        const verdict = await facilitator.verify(body)
        if (!verdict.isValid) throw refused(resource, `The payment is not valid: ${word(verdict.invalidReason)}.`)
      } catch (error) {
        await returnNonce(own)
        throw error
      }
      let begun = false
      return {
        release: async () => {
          if (!begun) await returnNonce(own)
        },
        settle: async (answer) => {
          begun = true
          const { success, transaction, network, errorReason } = await facilitator.settle(body)
          if (!success) {
            const receipt = {
              success,
              errorReason: word(errorReason),
              transaction: '',
              network: terms.network,
              payer: from,
            }
            throw refused(resource, `The payment was not settled: ${receipt.errorReason}. Sign a new one.`, {
              'PAYMENT-RESPONSE': encoded(receipt),
            })
          }
          return {
            ...answer,
            etag: undefined,
            headers: {
              ...answer.headers,
              'PAYMENT-RESPONSE': encoded({ success, transaction, network, payer: from }),
              // Shared caches must not serve a paid answer to others.
              'Cache-Control': 'private, no-store',
            },
            log: { ...answer.log, payer: shortened(from) },
          }
        },
      }
    },
  }
}

/** Reasons are words like `insufficient_funds`; any other text of a facilitator is not repeated. */
const word = (reason: string | null | undefined) => (/^[\w.-]{1,80}$/.test(reason ?? '') ? reason! : 'no reason given')

function readPayment(header: string): Payment {
  const malformed = (got: string) =>
    new Problem(
      'bad-request',
      `PAYMENT-SIGNATURE: wanted a payment payload of x402 version 2 as JSON in base64; ${got}.`,
    )
  if (header.length > MAX_HEADER_BYTES) throw malformed(`got more than ${MAX_HEADER_BYTES} characters`)
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw malformed('it could not be parsed')
  }
  const payment = paymentSchema.safeParse(value)
  if (payment.success) return payment.data
  throw malformed(`the member ${payment.error.issues[0]!.path.join('.') || 'at the top'} is invalid`)
}

/** Checks that need no call to the facilitator. */
function mismatch(
  { accepted, payload: { authorization } }: Payment,
  wanted: { scheme: string; network: string; amount: string; asset: string; payTo: string },
  seconds: number,
): string | undefined {
  for (const name of ['scheme', 'network', 'amount', 'asset', 'payTo'] as const)
    if (!same(accepted[name], wanted[name])) return `The payment’s ${name} is not the one of this offer.`
  if (!same(authorization.to, wanted.payTo)) return 'The authorization pays another recipient.'
  if (BigInt(authorization.value) !== BigInt(wanted.amount)) return 'The authorization is for another amount.'
  if (Number(authorization.validBefore) <= seconds) return 'The authorization has expired. Sign a new one.'
  if (Number(authorization.validBefore) > seconds + MAX_AUTHORIZATION_SECONDS)
    return `The authorization is valid for too long: wanted at most ${PAYMENT_TIMEOUT_SECONDS} s.`
  return undefined
}
