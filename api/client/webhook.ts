import { Webhook } from 'standardwebhooks'

export { WebhookVerificationError } from 'standardwebhooks'

/** The body of a call. */
export interface WebhookEvent {
  /** `alert.issued`, `run.published`, … */
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface WebhookReceiver {
  /**
   * Verifies a call: its signature, and that it was signed within the last five minutes.
   * @param body as it was received: the exact bytes, before any JSON parser
   * @returns the event; undefined where a call of this id was accepted before: answer 200 and do nothing
   * @throws WebhookVerificationError: answer 400
   */
  verify(body: string, headers: Readonly<Record<string, string | string[] | undefined>>): WebhookEvent | undefined
}

/** Longer than a signature is accepted: what is forgotten cannot be replayed. Calls are also repeated up to a day later. */
const MAX_REMEMBERED = 100_000

/** The reference receiver (Standard Webhooks). Remembers ids, so that a call that is repeated or replayed counts once. */
export function webhookReceiver(secret: string): WebhookReceiver {
  const webhook = new Webhook(secret)
  const accepted = new Set<string>()
  return {
    verify(body, headers) {
      const named = (name: string) => {
        const value = headers[name]
        return (Array.isArray(value) ? value[0] : value) ?? ''
      }
      const id = named('webhook-id')
      const signed = { 'webhook-id': id, 'webhook-timestamp': named('webhook-timestamp') }
      const event = webhook.verify(body, { ...signed, 'webhook-signature': named('webhook-signature') }) as WebhookEvent
      if (accepted.has(id)) return undefined
      if (accepted.size >= MAX_REMEMBERED) accepted.delete(accepted.values().next().value!)
      accepted.add(id)
      return event
    },
  }
}
