import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Encoding } from '../contract.ts'
import type { EncodedBody } from '../route.ts'

/** Content codings of answers, the preferred one first where a client accepts several alike. */
const encodings: readonly Encoding[] = ['br', 'zstd', 'gzip']

/** Below this many bytes a header and a packet cost more than what is saved. */
export const MIN_BYTES = 1024

const textual: ReadonlySet<string> = new Set([
  ...['application/json', 'application/xml', 'application/javascript', 'image/svg+xml'],
])

/** Whether a body of this media type is text that compresses; a stream of events is not buffered. */
export function isCompressible(type: string): boolean {
  // As most answers are.
  if (type === 'application/json; charset=utf-8') return true
  const bare = type.split(';')[0]!.trim()
  if (bare === 'text/event-stream') return false
  return bare.startsWith('text/') || textual.has(bare) || bare.endsWith('+json') || bare.endsWith('+xml')
}

/** Its types lack the options. */
interface Choice {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

const MAX_REMEMBERED = 64
const remembered = new Map<string, Encoding | undefined>()

/** The coding that an Accept-Encoding header prefers; undefined: none of ours (RFC 9110, 12.5.3). */
export function encodingOf(header: string | undefined): Encoding | undefined {
  if (!header) return undefined
  if (remembered.has(header)) return remembered.get(header)
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as Choice
  const preferred = negotiator.encoding([...encodings, 'identity'], { preferred: encodings })
  const chosen = encodings.find((one) => one === preferred)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  if (header.length <= 200) remembered.set(header, chosen)
  return chosen
}

const deflate = {
  br: (body: Buffer, once: boolean) =>
    promisify(brotliCompress)(body, {
      params: {
        // 4 costs 2 ms for an answer of 100 KB; 9 is for bytes that are compressed once a process.
        [zlib.BROTLI_PARAM_QUALITY]: once ? 9 : 4,
        [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  zstd: (body: Buffer, once: boolean) =>
    promisify(zstdCompress)(body, { params: { [zlib.ZSTD_c_compressionLevel]: once ? 12 : 3 } }),
  gzip: (body: Buffer, once: boolean) => promisify(gzip)(body, { level: once ? 9 : 6 }),
} as const

/** Compresses in a thread of libuv. @param once whether the result is kept as long as the process lives */
export async function encode(body: Buffer, encoding: Encoding, once = false): Promise<Buffer> {
  const form = await deflate[encoding](body, once)
  // zlib gives a view of a chunk of 16 KB: what is cached must not keep the rest of it.
  const exact = Buffer.allocUnsafeSlow(form.length)
  form.copy(exact)
  return exact
}

/** The tag of an encoded form: it names the content, not its bytes. */
export function weakened(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`
}

/** For a body that stays the same as long as the process lives. */
export function permanentBody(): EncodedBody {
  const forms: Partial<Record<Encoding, Buffer>> = {}
  return {
    forms,
    keep: (encoding, form) => {
      forms[encoding] = form
    },
    permanent: true,
  }
}
