import { randomUUID } from 'node:crypto'
import { type Kafka, Partitioners, type Producer, type ProducerRecord } from 'kafkajs'
import { cloudEventHeaders } from '../../domain/cloud-event.ts'
import { deadLetters } from '../../domain/event.ts'
import { eventIdText } from '../../domain/event-id.ts'
import type { EventMessage } from '../events.ts'
import type { DeadLetter } from './kafka-listener.ts'

/** Sends messages with an idempotent producer. */
export class KafkaSender {
  readonly #kafka: Kafka
  #producer: Producer
  #connecting: Promise<void> | undefined

  constructor(kafka: Kafka) {
    this.#kafka = kafka
    this.#producer = this.#open()
  }

  #open(): Producer {
    return this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
    })
  }

  connect(): Promise<void> {
    this.#connecting ??= this.#producer.connect().catch((error) => {
      this.#connecting = undefined
      throw error
    })
    return this.#connecting
  }

  /**
   * Sends a message, and waits until all in-sync replicas have it. After a failure the next message has a new producer,
   * because the sequence numbers of the old one may differ from the broker's for good.
   * @throws the error of kafkajs; the broker may have stored the message nevertheless
   */
  async send(record: ProducerRecord): Promise<void> {
    await this.connect()
    const producer = this.#producer
    try {
      await producer.send(record)
    } catch (error) {
      if (this.#producer === producer) {
        this.#producer = this.#open()
        this.#connecting = undefined
        producer.disconnect().catch(() => {})
      }
      throw error
    }
  }

  disconnect(): Promise<void> {
    return this.#producer.disconnect()
  }
}

/** Returns an event as a CloudEvent in binary mode. */
export function recordOf({ topic, key, payload, id, incarnation, trace }: EventMessage): ProducerRecord {
  const headers = {
    ...cloudEventHeaders(
      topic,
      key,
      payload,
      id === undefined ? randomUUID() : eventIdText({ incarnation, number: id }),
    ),
    // Processes of earlier releases read the number alone.
    ...(id !== undefined && { id: String(id) }),
    ...(trace && { traceparent: trace }),
  }
  return { topic, acks: -1, messages: [{ key, value: JSON.stringify(payload), headers }] }
}

/** Returns a dead letter with the key, value and headers of its message, so that it can be published again as it is. */
export function recordOfLetter(letter: DeadLetter): ProducerRecord {
  const { topic, partition, offset, group, key, value, headers, error } = letter
  const place = { topic, partition: String(partition), offset, group, error: error.slice(0, 1000) }
  const reasons = Object.entries(place).map(([name, text]) => [`hexcast-${name}`, text])
  return {
    topic: deadLetters.name,
    acks: -1,
    messages: [{ key, value, headers: { ...headers, ...Object.fromEntries(reasons) } }],
  }
}
