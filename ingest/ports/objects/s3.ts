import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Place } from '../../config.ts'
import { certificateFault } from '../../domain/certificate-fault.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { awsProvider } from '../aws-credentials.ts'
import type { Objects, PutOptions, StoredObject } from '../objects.ts'
import { randomWait } from '../random-wait.ts'
import { tlsOptions } from '../tls.ts'
import { joinRanges } from './join.ts'
import { checkKey, missingObject, otherBytes } from './key.ts'

/** Size in bytes above which an object is sent as a multipart upload, so that a broken connection costs only one part. */
const partBytes = 16 << 20
const ATTEMPTS = 4

function clientOf(place: S3Place): S3Client {
  return new S3Client({
    region: place.region,
    endpoint: place.endpoint,
    // S3-compatible servers outside AWS usually have no wildcard DNS name for buckets.
    forcePathStyle: Boolean(place.endpoint),
    credentials: awsProvider(place.credentials),
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 20_000,
      throwOnRequestTimeout: true,
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 64 }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 64, ...tlsOptions({ ca: place.ca }) }),
    },
  })
}

/** Returns the requests for one object, by its key without the prefix of the place. */
function requestsTo(client: S3Client, place: S3Place) {
  const Bucket = place.bucket
  const fullKey = (key: string) => (place.prefix ? `${place.prefix}/${checkKey(key)}` : checkKey(key))
  /** Whether the server may know `If-None-Match`; false after it has answered 501 (Not Implemented). */
  let isConditional = true
  const headers = ({ ifAbsent, contentType }: PutOptions) => ({
    ...(ifAbsent && isConditional && { IfNoneMatch: '*' }),
    ...(contentType && { ContentType: contentType }),
  })

  async function attempt<T>(key: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      throw translateError(key, error, place)
    }
  }

  async function bytesOf(key: string, Range?: string): Promise<Uint8Array> {
    const answer = await client.send(
      new GetObjectCommand({ Bucket, Key: fullKey(key), Range, ChecksumMode: Range ? undefined : 'ENABLED' }),
    )
    const bytes = await answer.Body!.transformToByteArray()
    if (answer.ContentLength !== undefined && bytes.length !== answer.ContentLength) {
      throw new Fault(
        'Corrupt',
        `object ${key}: must have ${answer.ContentLength} bytes, but has ${bytes.length}. Read it again.`,
        { key },
      )
    }
    return bytes
  }

  async function upload(key: string, Body: Uint8Array | Readable, options: PutOptions): Promise<void> {
    const params = { Bucket, Key: fullKey(key), Body, ChecksumAlgorithm: 'CRC32' as const, ...headers(options) }
    await new Upload({ client, params, partSize: partBytes, queueSize: 3 }).done()
  }

  /** Retries after status 409, as S3 requires when a concurrent request changes the object; the SDK does not retry it. */
  async function retryConflicts(act: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return void (await act())
      } catch (error) {
        if (statusOf(error) !== 409 || tries === ATTEMPTS) throw error
        await pause(randomWait(50 * 2 ** tries, 0.5))
      }
    }
  }

  /**
   * Writes an object. With `ifAbsent`, an existing object with the same bytes counts as success. A server without
   * conditional puts is asked whether the object exists, which lets two concurrent puts of other bytes pass.
   */
  async function writeOrCompare(
    key: string,
    options: PutOptions,
    act: () => Promise<unknown>,
    same: () => Promise<boolean>,
  ): Promise<void> {
    if (options.ifAbsent && !isConditional && (await size(key)) !== undefined) {
      if (!(await attempt(key, same))) throw otherBytes(key)
      return
    }
    try {
      await retryConflicts(act)
    } catch (error) {
      if (options.ifAbsent && isConditional && statusOf(error) === 501) {
        isConditional = false
        return writeOrCompare(key, options, act, same)
      }
      if (statusOf(error) !== 412 && nameOf(error) !== 'PreconditionFailed') throw translateError(key, error, place)
      if (!(await attempt(key, same))) throw otherBytes(key)
    }
  }

  async function size(key: string): Promise<number | undefined> {
    try {
      return (await client.send(new HeadObjectCommand({ Bucket, Key: fullKey(key) }))).ContentLength
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw translateError(key, error, place)
    }
  }

  return { Bucket, fullKey, headers, attempt, bytesOf, upload, writeOrCompare, size }
}

/**
 * Opens an S3 bucket as an object store. Every put carries a CRC-32 that the server verifies. On a whole get, the SDK verifies the bytes
 * against the stored CRC-32. A ranged read has no checksum: tiles, which are read by range, contain their own. The SDK makes up to
 * `ATTEMPTS` attempts for each request, with jitter.
 * @throws Fault `Refused` if the server is still busy or silent after the last attempt
 */
export function openS3(place: S3Place): Objects {
  const client = clientOf(place)
  const { Bucket, fullKey, headers, attempt, bytesOf, upload, writeOrCompare, size } = requestsTo(client, place)

  const range = joinRanges((key, from, length) =>
    attempt(key, async () => {
      if (length === 0) return new Uint8Array(0)
      try {
        return await bytesOf(key, `bytes=${from}-${from + length - 1}`)
      } catch (error) {
        if (statusOf(error) === 416) return new Uint8Array(0)
        throw error
      }
    }),
  )

  return {
    async put(key, bytes, options = {}) {
      await writeOrCompare(
        key,
        options,
        () =>
          bytes.length > partBytes
            ? upload(key, bytes, options)
            : client.send(
                new PutObjectCommand({
                  Bucket,
                  Key: fullKey(key),
                  Body: bytes,
                  ChecksumAlgorithm: 'CRC32',
                  ...headers(options),
                }),
              ),
        async () => Buffer.from(await bytesOf(key)).equals(bytes),
      )
    },
    async putFile(key, path, options = {}) {
      await writeOrCompare(
        key,
        options,
        () => upload(key, createReadStream(path, { highWaterMark: 1 << 20 }), options),
        () => sameAsFile((from, length) => bytesOf(key, `bytes=${from}-${from + length - 1}`), size(key), path),
      )
    },
    async get(key) {
      try {
        return await attempt(key, () => bytesOf(key))
      } catch (error) {
        // A broken connection or a concurrent writer can cause a wrong checksum, so the object is read again before it counts as corrupt.
        if (isFault(error, 'Corrupt')) return attempt(key, () => bytesOf(key))
        throw error
      }
    },
    range,
    size,
    list: (prefix) => listed(client, place, attempt, prefix),
    async remove(key) {
      await attempt(key, () => client.send(new DeleteObjectCommand({ Bucket, Key: fullKey(key) }))).catch((error) => {
        if (!(error instanceof Fault && error.kind === 'Missing')) throw error
      })
    },
    async close() {
      client.destroy()
    },
  }
}

async function* listed(
  client: S3Client,
  place: S3Place,
  attempt: <T>(key: string, act: () => Promise<T>) => Promise<T>,
  prefix: string,
): AsyncGenerator<StoredObject> {
  const Prefix = place.prefix ? `${place.prefix}/${prefix}` : prefix
  const cut = place.prefix ? place.prefix.length + 1 : 0
  let ContinuationToken: string | undefined
  do {
    const page = await attempt(prefix, () =>
      client.send(new ListObjectsV2Command({ Bucket: place.bucket, Prefix, ContinuationToken })),
    )
    for (const { Key, Size } of page.Contents ?? []) {
      if (!Key!.endsWith('/')) yield { key: Key!.slice(cut), size: Size ?? 0 }
    }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
}

async function sameAsFile(
  read: (from: number, length: number) => Promise<Uint8Array>,
  storedSize: Promise<number | undefined>,
  path: string,
): Promise<boolean> {
  if ((await storedSize) !== (await stat(path)).size) return false
  let at = 0
  for await (const part of createReadStream(path, { highWaterMark: partBytes })) {
    if (!(part as Buffer).equals(await read(at, part.length))) return false
    at += part.length
  }
  return true
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

const TLS_NAMES = { address: 'S3_ENDPOINT', ca: 'S3_CA_FILE' }

function translateError(key: string, error: unknown, place: S3Place): unknown {
  if (error instanceof Fault) return error
  const status = statusOf(error)
  const name = nameOf(error)
  const where = `bucket ${place.bucket}${place.endpoint ? ` at ${place.endpoint}` : ''}`
  if (name === 'NoSuchBucket') return new Error(`object store: ${where} does not exist. Create it.`, { cause: error })
  if (status === 404) return missingObject(key, error)
  if (/checksum/i.test(`${name} ${(error as Error).message}`) && status !== 400) {
    return new Fault('Corrupt', `object ${key}: its bytes do not match its checksum. Write it again.`, { key }, error)
  }
  if (status === undefined || status >= 500 || status === 429 || status === 408 || status === 409) {
    const fault = certificateFault(error, TLS_NAMES)
    if (fault) return new Fault('Refused', `object ${key}: no answer from ${where}: ${fault}`, { key }, error)
    const outcome = status === undefined ? `${name}: ${(error as Error).message}` : `status ${status}`
    return new Fault(
      'Refused',
      `object ${key}: no usable answer from ${where} in ${ATTEMPTS} attempts (${outcome}). Check the store, or try again later.`,
      { key },
      error,
    )
  }
  return error
}
