import type { AlertMessage } from '../../domain/alert/alert.ts'
import type { Rejected } from './record.ts'

/**
 * Distinguishes messages with the same id and time but different content: all but the first receive a suffix to their id. Exact repetitions
 * remain unchanged.
 */
export function disambiguated(messages: readonly AlertMessage[]): AlertMessage[] {
  const byId = new Map<string, AlertMessage[]>()
  for (const message of messages) {
    const { id } = message.head
    const list = byId.get(id)
    if (list) list.push(message)
    else byId.set(id, [message])
  }
  return [...byId.values()].flatMap((list) => (list.length === 1 ? list : partsOf(list)))
}

function partsOf(list: readonly AlertMessage[]): AlertMessage[] {
  const newest = Math.max(...list.map(({ head }) => head.sent))
  const subject = ({ head }: AlertMessage) => JSON.stringify([head.vtec, head.areas, head.event])
  const parts = new Map<string, AlertMessage>()
  for (const message of list.toSorted((a, b) => (subject(a) < subject(b) ? -1 : 1))) {
    if (message.head.sent === newest) parts.set(subject(message), message)
  }
  return [...parts.values()].map((message, i) =>
    i === 0 ? message : { ...message, head: { ...message.head, id: `${message.head.id}#${message.head.fingerprint}` } },
  )
}

/** Reports the messages that a document repeats with the same content; each is used once. */
export function doubledIn(messages: readonly AlertMessage[]): Rejected[] {
  const counts = new Map<string, { readonly id: string; times: number }>()
  for (const { head } of messages) {
    const key = `${head.id} ${head.sent} ${head.fingerprint}`
    const count = counts.get(key)
    if (count) count.times++
    else counts.set(key, { id: head.id, times: 1 })
  }
  return [...counts.values()]
    .filter(({ times }) => times > 1)
    .map(({ id, times }) => ({
      reason: 'doubled',
      id,
      detail: `the document must have the feature once, but has it ${times} times; it is used once`,
      isAccepted: true,
    }))
}
