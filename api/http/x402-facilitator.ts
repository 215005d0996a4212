import { z } from 'zod'
import { Problem } from '../problem.ts'

/** Maximum size of a response; larger responses are rejected. */
const MAX_RESPONSE_BYTES = 65_536
const VERIFY_TIMEOUT_MS = 5000
/** In ms. A settlement takes longer than a verification, because it waits for the chain. */
const SETTLE_TIMEOUT_MS = 20_000

const verdictSchema = z.looseObject({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  payer: z.string().nullish(),
})
const settlementSchema = z.looseObject({
  success: z.boolean(),
  errorReason: z.string().nullish(),
  payer: z.string().nullish(),
  transaction: z.string().max(200),
  network: z.string().max(100),
})

export type Verdict = z.infer<typeof verdictSchema>
export type Settlement = z.infer<typeof settlementSchema>

/**
 * The external service that verifies payments and submits them to the chain (x402 version 2, section 7). The client of @x402/core 2.27
 * follows redirects and reads responses without a size limit, and no package of x402 stores nonces, so this stays our own.
 */
export interface Facilitator {
  /** @throws Problem service-unavailable if there is no usable response */
  verify(body: object): Promise<Verdict>
  /** @throws Problem service-unavailable if it is unknown whether the money moved */
  settle(body: object): Promise<Settlement>
}

export function facilitatorAt(url: string): Facilitator {
  const base = url.replace(/(?<!\/)\/+$/, '')
  return {
    verify: async (body) => {
      const result = await post(`${base}/verify`, body, verdictSchema, VERIFY_TIMEOUT_MS, ({ isValid }) => isValid)
      if (result) return result
      throw new Problem(
        'service-unavailable',
        'The payment could not be checked, because the facilitator gave no usable answer. Nothing was charged. Retry in a moment.',
        { retryAfter: 5 },
      )
    },
    settle: async (body) => {
      const result = await post(`${base}/settle`, body, settlementSchema, SETTLE_TIMEOUT_MS, ({ success }) => success)
      if (result) return result
      throw new Problem(
        'service-unavailable',
        'The settlement was requested, but the facilitator gave no usable answer. Check the chain before you pay again: this authorization is not accepted twice.',
        { retryAfter: 5 },
      )
    },
  }
}

/** Returns undefined if the response is late, too large or of another schema, or if a positive result has an error status. */
async function post<T>(
  url: string,
  body: object,
  schema: z.ZodType<T>,
  milliseconds: number,
  isPositive: (result: T) => boolean,
): Promise<T | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(milliseconds),
    })
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > MAX_RESPONSE_BYTES) return undefined
      parts.push(part)
    }
    const result = schema.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')))
    if (!result.success || response.status >= 500 || (isPositive(result.data) && !response.ok)) return undefined
    return result.data
  } catch {
    return undefined
  }
}
