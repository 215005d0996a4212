import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asyncApi } from '../../infra/generate/asyncapi.ts'
import { cloudEventHeaders } from '../../ingest/domain/cloud-event.ts'
import { topics } from '../../ingest/domain/event.ts'
import { cloudEventsSdk, readCloudEvent } from './cloud-event.ts'

const payload = {
  ...{ id: 'urn:oid:1', event: 'Tornado Warning', change: 'issued', areas: [], cells: [], expiration: null },
  at: '2026-08-20T21:12:00.000Z',
}

test('the headers are the attributes that CloudEvents 1.0 requires, and the type names the kind of change', () => {
  expect(cloudEventHeaders(topics.alerts.name, 'Actual/KBOU.TO.W.7', payload, '48121')).toEqual({
    ...{ ce_specversion: '1.0', ce_id: '48121', ce_source: 'urn:hexcast', ce_type: 'hexcast.alerts.v1.issued' },
    ...{ ce_subject: 'Actual/KBOU.TO.W.7', ce_partitionkey: 'Actual/KBOU.TO.W.7', ce_time: payload.at },
    'content-type': 'application/json',
  })
})

test.skipIf(!cloudEventsSdk)('the Python SDK reads the messages (skipped: pip install cloudevents, PYTHON=…)', () => {
  const headers = cloudEventHeaders(topics.alerts.name, 'key', payload, '48121')
  expect(readCloudEvent({ key: 'key', value: JSON.stringify(payload), headers })).toMatchObject({
    ...{ id: '48121', type: 'hexcast.alerts.v1.issued', source: 'urn:hexcast', subject: 'key', data: payload },
  })
})

test('the AsyncAPI document has every topic with its schema', () => {
  const written = JSON.parse(readFileSync(new URL('../../docs/asyncapi.json', import.meta.url), 'utf8')) as ReturnType<
    typeof asyncApi
  > & { channels: Record<string, { address: string }>; components: { messages: Record<string, { payload: object }> } }
  expect(written).toEqual(JSON.parse(JSON.stringify(asyncApi())))
  expect(Object.values(written.channels).map(({ address }) => address)).toEqual(
    Object.values(topics).map(({ name }) => name),
  )
  expect(written.components.messages['alerts']?.payload).toMatchObject({
    type: 'object',
    required: expect.arrayContaining(['id', 'change']),
  })
})
