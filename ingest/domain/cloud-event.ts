/** URI of the source of events, which CloudEvents requires to be stable. */
const SOURCE = 'urn:hexcast'

/** Returns the type of a message: its topic, followed by the kind of change if the topic has kinds: `hexcast.alerts.v1.issued`. */
export function cloudEventType(topic: string, payload: unknown): string {
  const { change } = (payload ?? {}) as { change?: unknown }
  return typeof change === 'string' ? `${topic}.${change}` : topic
}

/**
 * Returns the headers of CloudEvents 1.0 in the binary mode of Kafka: attributes as headers, the body unchanged.
 * @param id unique for the source: the incarnation of the database with the number of the outbox row, or a random id
 */
export function cloudEventHeaders(topic: string, key: string, payload: unknown, id: string): Record<string, string> {
  const { at } = (payload ?? {}) as { at?: unknown }
  return {
    ce_specversion: '1.0',
    ce_id: id,
    ce_source: SOURCE,
    ce_type: cloudEventType(topic, payload),
    ce_subject: key,
    ce_partitionkey: key,
    ...(typeof at === 'string' && { ce_time: at }),
    'content-type': 'application/json',
  }
}
