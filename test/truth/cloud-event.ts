import { spawnSync } from 'node:child_process'

export interface CloudEventMessage {
  readonly key: string
  readonly value: string
  readonly headers: Readonly<Record<string, string>>
}

const python = process.env['PYTHON'] ?? 'python3'
/** Whether the CNCF's SDK for Python is installed: pip install cloudevents, PYTHON=… */
export const cloudEventsSdk = spawnSync(python, ['-c', 'from cloudevents.v1.kafka import from_binary']).status === 0

/** Returns what the stock SDK reads from a Kafka message in binary mode. */
export function readCloudEvent(message: CloudEventMessage): Record<string, unknown> {
  const script = `import json, sys
from cloudevents.v1.kafka import KafkaMessage, from_binary
given = json.load(sys.stdin)
headers = {name: value.encode() for name, value in given["headers"].items()}
event = from_binary(KafkaMessage(headers=headers, key=given["key"], value=given["value"].encode()))
print(json.dumps({**event.get_attributes(), "data": event.get_data()}))`
  const read = spawnSync(python, ['-c', script], { input: JSON.stringify(message) })
  if (read.status !== 0) throw new Error(String(read.stderr))
  return JSON.parse(String(read.stdout)) as Record<string, unknown>
}
