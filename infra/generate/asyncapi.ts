/** Generates the AsyncAPI document of the topics from the table of events. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { cloudEventType } from '../../ingest/domain/cloud-event.ts'
import { topics } from '../../ingest/domain/event.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const text = (description: string, examples: string[]) => ({ type: 'string', description, examples })

function headersOf(topic: string, schema: z.ZodType): object {
  const changes = schema instanceof z.ZodObject ? (schema.shape as { change?: z.ZodEnum }).change?.options : undefined
  const types = changes ? changes.map((change) => cloudEventType(topic, { change })) : [cloudEventType(topic, {})]
  return {
    type: 'object',
    required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type'],
    properties: {
      ce_specversion: { const: '1.0' },
      ce_id: text(
        'Unique id for the source: the incarnation of the database and the number of the message. A message that is published again has the same id',
        ['3f9a12bc-48121'],
      ),
      ce_source: { const: 'urn:hexcast' },
      ce_type: { type: 'string', enum: types },
      ce_subject: text('Key of the message', ['nbm']),
      ce_time: { type: 'string', format: 'date-time', description: '`at` of the body' },
      traceparent: text('W3C trace context of the cause', ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']),
    },
  }
}

/** Returns the AsyncAPI 3 document of the messages that are published to Kafka. */
export function asyncApi(): object {
  const names = Object.entries(topics)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Hexcast events',
      version,
      description:
        'Messages are CloudEvents 1.0 in binary mode. They are delivered at least once, and in order for each key.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      names.map(([name, { name: address, key, partitions }]) => [
        name,
        {
          address,
          description: `Key: ${key}`,
          messages: { [name]: { $ref: `#/components/messages/${name}` } },
          bindings: { kafka: { partitions, bindingVersion: '0.5.0' } },
        },
      ]),
    ),
    operations: Object.fromEntries(
      names.map(([name]) => [
        `send-${name}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${name}` },
          messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        names.map(([name, { name: topic, key, schema }]) => {
          const { $schema: _, ...payload } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>
          const bindings = { kafka: { key: { type: 'string', description: key }, bindingVersion: '0.5.0' } }
          return [
            name,
            { name: topic, contentType: 'application/json', headers: headersOf(topic, schema), payload, bindings },
          ]
        }),
      ),
    },
  }
}
