import { Webhook } from 'standardwebhooks'

/** A call whose signature is missing, forged or too old. Its own class, since the types of standardwebhooks need those of Node. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** The body of a webhook call. */
export interface WebhookEvent {
  /** `alert.issued`, `run.published`, … */
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface WebhookReceiver {
  /**
   * Verifies the signature of a call, and that it was signed within the last five minutes.
   * @param body the exact bytes as they were received, before any JSON parser
   * @returns the event; undefined if a call with this id has been accepted before, in which case you answer 200 and do nothing
   * @throws WebhookVerificationError if the call must be answered with 400
   */
  verify(body: string, headers: Readonly<Record<string, string | string[] | undefined>>): WebhookEvent | undefined
}

/** Number of remembered ids. Forgotten calls cannot be replayed, since their signatures have expired; the server may repeat a call for a day. */
const MAX_REMEMBERED = 100_000

/** Creates the reference receiver (Standard Webhooks). It remembers ids, so that a repeated or replayed call counts once. */
export function webhookReceiver(secret: string): WebhookReceiver {
  const webhook = new Webhook(secret)
  const accepted = new Set<string>()
  return {
    verify(body, headers) {
      const header = (name: string) => {
        const value = headers[name]
        return (Array.isArray(value) ? value[0] : value) ?? ''
      }
      const id = header('webhook-id')
      const signed = { 'webhook-id': id, 'webhook-timestamp': header('webhook-timestamp') }
      const event = verified(webhook, body, { ...signed, 'webhook-signature': header('webhook-signature') })
      if (accepted.has(id)) return undefined
      const [oldest] = accepted
      if (oldest !== undefined && accepted.size >= MAX_REMEMBERED) accepted.delete(oldest)
      accepted.add(id)
      return event
    },
  }
}

function verified(webhook: Webhook, body: string, headers: Record<string, string>): WebhookEvent {
  try {
    return webhook.verify(body, headers) as WebhookEvent
  } catch (error) {
    throw new WebhookVerificationError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
