import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryOf } from '../../ingest/domain/nth.ts'
import { type Notice, openNotices } from '../../ingest/ports/notices.ts'
import { down, up } from './native.ts'

const folder = process.env['ENGINES_FOLDER']
let queue = ''
let client: SQSClient

beforeAll(async () => {
  if (!folder) return
  queue = entryOf(await up(folder, ['sqs']), 'UPSTREAM_QUEUE_URL')
  client = new SQSClient({ region: 'us-east-1' })
})

afterAll(async () => {
  client?.destroy()
  if (folder) await down(folder, ['sqs'])
})

const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl: queue, MessageBody }))
const object = (key: string) =>
  JSON.stringify({
    Message: JSON.stringify({ Records: [{ s3: { bucket: { name: 'noaa-mrms-pds' }, object: { key } } }] }),
  })

test.skipIf(!folder)(
  'delivers notices within a second, removes them once handled, and continues after malformed messages',
  async () => {
    const received: Notice[] = []
    let failures = 1
    const notices = openNotices(
      [queue],
      'us-east-1',
      async (list) => {
        if (list.length > 0 && failures-- > 0) throw new Error('on purpose')
        received.push(...list)
      },
      () => {},
    )
    await send('rubbish')
    await send(object('CONUS/a.gz'))
    // The first handling failed: the message comes again after the queue's visibility timeout of 30 s.
    await expect.poll(() => received.map(({ key }) => key), { timeout: 60_000 }).toEqual(['CONUS/a.gz'])
    const begun = performance.now()
    await send(object('CONUS/b.gz'))
    await expect.poll(() => received.length, { timeout: 5_000, interval: 20 }).toBe(2)
    expect(performance.now() - begun).toBeLessThan(1_000)
    expect(notices.unread).toBeGreaterThan(0)
    await expect
      .poll(
        async () =>
          (await client.send(new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['All'] }))).Attributes,
        { timeout: 10_000 },
      )
      .toMatchObject({ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' })
    await notices.close()
  },
)
