import PQueue from 'p-queue'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { Problem } from '../../problem.ts'
import { displayed } from '../../query/query.ts'
import type { Answer, RouteRequest } from '../../route.ts'
import type { RunObject } from './runs.ts'

/** Objects that are read into memory at once, 15 MB each, over all requests. */
const CONCURRENT_OBJECTS = 6
/** Bytes that count as one call. */
const BYTES_PER_CALL = 1_048_576

/** Part of an object: all of it, or a range of bytes. */
interface ObjectPart {
  readonly from: number
  readonly length: number
  readonly ranged: boolean
}

/** The objects of runs, in whole or by `Range`, counted by their size. */
export function assetReader(
  objects: Objects,
): (request: RouteRequest, object: RunObject, type: string) => Promise<Answer> {
  const reads = new PQueue({ concurrency: CONCURRENT_OBJECTS })
  return async (request, { key, size: known }, type) => {
    const size = known ?? (await objects.size(key))
    if (size === undefined) throw new Problem('not-found', 'This run was removed meanwhile.')
    const part = partOf(request.headers.range, size)
    const calls = Math.ceil(part.length / BYTES_PER_CALL)
    if (calls > 1 && !(await request.count(calls - 1))) throw tooManyBytes(part.length)
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

/** One range of bytes; several, and other units, give the whole as RFC 9110 allows. @throws Problem 416 */
function partOf(header: string | undefined, size: number): ObjectPart {
  const whole = { from: 0, length: size, ranged: false }
  const match = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return whole
  const suffix = match[1] === ''
  const from = suffix ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const to = suffix || match[2] === '' ? size - 1 : Math.min(size - 1, Number(match[2]))
  if (from <= to) return { from, length: to - from + 1, ranged: true }
  throw new Problem('bad-request', `Range: wanted bytes of 0 to ${size - 1}; got ${displayed(header)}.`, {
    status: 416,
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

function tooManyBytes(bytes: number): Problem {
  return new Problem(
    'too-many-requests',
    `These ${bytes} bytes count as several calls, one for each MiB: more than the limit has left just now. RouteRequest for a range of bytes, or wait.`,
    { retryAfter: 2 },
  )
}
