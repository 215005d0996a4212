import PQueue from 'p-queue'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { Problem } from '../../problem.ts'
import { displayed, mismatchText } from '../../query/query.ts'
import type { Answer, RouteRequest } from '../../route.ts'
import type { RunObject } from './runs.ts'

/** Objects of about 15 MB that all requests together read into memory at once. */
const CONCURRENT_OBJECTS = 6
/** Bytes that count as one call. */
const BYTES_PER_CALL = 1_048_576

/** A range of bytes of an object, or the whole object. */
interface ObjectPart {
  readonly from: number
  readonly length: number
  readonly ranged: boolean
}

/** Returns a function that reads an object of a run, or a range of it, and counts calls by size. */
export function assetReader(
  objects: Objects,
): (request: RouteRequest, object: RunObject, type: string) => Promise<Answer> {
  const reads = new PQueue({ concurrency: CONCURRENT_OBJECTS })
  return async (request, { key, size: manifestSize }, type) => {
    const size = manifestSize ?? (await objects.size(key))
    if (size === undefined) throw new Problem('not-found', 'This run has been removed meanwhile. Choose another run.')
    const part = partOf(request.headers.range, size)
    const calls = Math.ceil(part.length / BYTES_PER_CALL)
    if (calls > 1 && !request.count(calls - 1)) throw tooManyBytes(part.length)
    const bytes = await reads.add(() => objects.range(key, part.from, part.length))
    return {
      status: part.ranged ? 206 : 200,
      type,
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      // An object never changes under its key.
      headers: {
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'max-age=86400, immutable',
        ...(part.ranged && { 'Content-Range': `bytes ${part.from}-${part.from + bytes.length - 1}/${size}` }),
      },
    }
  }
}

/** Parses a Range header. Several ranges and other units give the whole object, as RFC 9110 allows. @throws Problem 416 */
function partOf(header: string | undefined, size: number): ObjectPart {
  const fullRange = { from: 0, length: size, ranged: false }
  const [, first = '', last = ''] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return fullRange
  const isSuffix = first === ''
  const from = isSuffix ? Math.max(0, size - Number(last)) : Number(first)
  const to = isSuffix || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (from <= to) return { from, length: to - from + 1, ranged: true }
  throw new Problem('bad-request', mismatchText('Range', `within bytes=0-${size - 1}`, displayed(header)), {
    status: 416,
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

function tooManyBytes(bytes: number): Problem {
  return new Problem(
    'too-many-requests',
    `These ${bytes} bytes count as one call per MiB, which is more than the limit has left. Request a range of bytes, or wait.`,
    { retryAfter: 2 },
  )
}
