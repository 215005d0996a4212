import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '@aws-sdk/client-sqs'
import type { AwsCredentials } from '../domain/connection-settings.ts'
import { awsProvider } from './aws-credentials.ts'

/** A new object of an upstream bucket, as the bucket announces it. */
export interface Notice {
  readonly bucket: string
  readonly key: string
}

export interface Notices {
  /** Number of deleted messages that were neither an SNS notification nor an S3 event. */
  readonly unread: number
  readonly received: number
  close(): Promise<void>
}

/** Seconds that a receive request waits for a message. */
const LONG_POLL_SECONDS = 20

/**
 * Listens to SQS queues that are subscribed to NOAA's SNS topics. A message is deleted from the queue after its notices are handled;
 * otherwise SQS delivers it again. A notice only triggers an earlier poll: a lost notice delays ingestion until the next regular poll.
 */
export function openNotices(
  queues: readonly string[],
  region: string,
  handle: (notices: readonly Notice[]) => Promise<void>,
  report: (error: unknown) => void,
  credentials?: AwsCredentials,
): Notices {
  const stopping = new AbortController()
  const counts = { received: 0, unread: 0 }

  async function listen(QueueUrl: string): Promise<void> {
    const { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs')
    const client = new SQSClient({
      region,
      endpoint: new URL(QueueUrl).origin,
      maxAttempts: 3,
      credentials: awsProvider(credentials),
    })
    while (!stopping.signal.aborted) {
      try {
        const ask = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: LONG_POLL_SECONDS })
        const { Messages = [] } = await client.send(ask, { abortSignal: stopping.signal })
        if (Messages.length === 0) continue
        const notices = Messages.flatMap(({ Body }) => {
          const read = readNotices(Body ?? '')
          if (!read) counts.unread++
          return read ?? []
        })
        await handle(notices)
        counts.received += notices.length
        await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: Messages.map(entry) }))
      } catch (error) {
        if (stopping.signal.aborted) break
        report(error)
        await pauseOrStop(5_000, stopping.signal)
      }
    }
    client.destroy()
  }
  const listening = queues.map(listen)

  return {
    get received() {
      return counts.received
    },
    get unread() {
      return counts.unread
    },
    async close() {
      stopping.abort()
      await Promise.all(listening)
    },
  }
}

function entry({ ReceiptHandle }: Message, index: number): { Id: string; ReceiptHandle: string | undefined } {
  return { Id: String(index), ReceiptHandle }
}

/**
 * Returns the new objects in a message: an S3 event, or an SNS notification that contains an S3 event. Any other message gives undefined.
 */
export function readNotices(body: string): Notice[] | undefined {
  try {
    const outer = JSON.parse(body) as { Message?: unknown; Records?: unknown; Event?: unknown }
    const event = typeof outer.Message === 'string' ? (JSON.parse(outer.Message) as typeof outer) : outer
    // S3 sends this event when a subscription is created.
    if (event.Event === 's3:TestEvent') return []
    if (!Array.isArray(event.Records)) return undefined
    return event.Records.flatMap((record: { s3?: { bucket?: { name?: unknown }; object?: { key?: unknown } } }) => {
      const [bucket, key] = [record.s3?.bucket?.name, record.s3?.object?.key]
      if (typeof bucket !== 'string' || typeof key !== 'string') return []
      // Keys are form-encoded: a plus sign stands for a space, and other characters are percent-encoded.
      return [{ bucket, key: decodeURIComponent(key.replaceAll('+', ' ')) }]
    })
  } catch {
    return undefined
  }
}

async function pauseOrStop(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
