import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Encoding } from '../contract.ts'
import type { EncodedBody } from '../route.ts'

/** Content codings of answers, in order of preference if a client accepts several equally. */
const encodings: readonly Encoding[] = ['br', 'zstd', 'gzip']

/** Smaller bodies are not compressed, because the header costs more than compression saves. */
export const MIN_BYTES = 1024

const textual: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/javascript',
  'image/svg+xml',
  // Numbers of a Zarr array, which compress to a fifth.
  'application/vnd.hexcast.zarr-chunk',
])

/**
 * Whether a body of this media type is text that should be compressed. An event stream must not be compressed, because
 * that would buffer it.
 */
export function isCompressible(type: string): boolean {
  // Most answers have this type.
  if (type === 'application/json; charset=utf-8') return true
  const [bare = ''] = type.split(';').map((part) => part.trim())
  if (bare === 'text/event-stream') return false
  return bare.startsWith('text/') || textual.has(bare) || bare.endsWith('+json') || bare.endsWith('+xml')
}

/** The published types of Negotiator lack these options. */
interface NegotiatorWithOptions {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined
}

const MAX_REMEMBERED = 64
const remembered = new Map<string, Encoding | undefined>()

/** Returns the coding that an Accept-Encoding header prefers, or undefined for `identity` (RFC 9110, 12.5.3). */
export function encodingOf(header: string | undefined): Encoding | undefined {
  if (!header) return undefined
  if (remembered.has(header)) return remembered.get(header)
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as NegotiatorWithOptions
  const preferred = negotiator.encoding([...encodings, 'identity'], { preferred: encodings })
  const chosen = encodings.find((encoding) => encoding === preferred)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  if (header.length <= 200) remembered.set(header, chosen)
  return chosen
}

const deflate = {
  br: (body: Buffer, once: boolean) =>
    promisify(brotliCompress)(body, {
      params: {
        // Quality 4 takes 2 ms for an answer of 100 KB; quality 9 is for bodies that are compressed once per process.
        [zlib.BROTLI_PARAM_QUALITY]: once ? 9 : 4,
        [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  zstd: (body: Buffer, once: boolean) =>
    promisify(zstdCompress)(body, { params: { [zlib.ZSTD_c_compressionLevel]: once ? 12 : 3 } }),
  gzip: (body: Buffer, once: boolean) => promisify(gzip)(body, { level: once ? 9 : 6 }),
} as const

/** Compresses in a libuv thread. @param once whether the result is stored as long as the process lives */
export async function encode(body: Buffer, encoding: Encoding, once = false): Promise<Buffer> {
  const form = await deflate[encoding](body, once)
  // zlib returns a view of a 16 KB chunk; a copy frees the unused part while the body is cached.
  const exact = Buffer.allocUnsafeSlow(form.length)
  form.copy(exact)
  return exact
}

/**
 * Returns the weak form of an ETag, for a compressed body, because it then identifies the content and not the bytes.
 */
export function weakened(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`
}

/** Stores the compressed forms of a body that does not change during the life of the process. */
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
