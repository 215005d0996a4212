import { Fault } from '../../domain/fault.ts'
import { entryOf } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'

/** An object of a bucket listing. */
export interface Listed {
  readonly key: string
  readonly size: number
  readonly etag?: string
  readonly lastModified?: Instant
}

/**
 * Maximum number of objects under a prefix, over all pages. Model runs, hours of a satellite and days of a radar product have far fewer.
 */
export const MAX_LISTED = 50_000

/**
 * Reads a page of S3's ListObjectsV2.
 * @throws Fault Corrupt if the text is not a listing, or if it has more objects than a prefix may have
 */
export function readListing(xml: string, url: string): { objects: Listed[]; next?: string } {
  if (!/<ListBucketResult[\s>]/.test(xml)) {
    throw new Fault(
      'Corrupt',
      `${url}: the body must be a ListBucketResult, but begins with "${xml.slice(0, 60).replaceAll(/\s+/g, ' ')}"`,
      {
        url,
      },
    )
  }
  const end = xml.trimEnd()
  const root = end.lastIndexOf('<')
  const text =
    end.startsWith('</ListBucketResult>', root) || (end.startsWith('<ListBucketResult', root) && end.endsWith('/>'))
  if (!text) {
    throw new Fault(
      'Corrupt',
      `${url}: the listing must end with </ListBucketResult>, but ends after ${xml.length} characters`,
      {
        url,
      },
    )
  }
  const objects: Listed[] = []
  // The loop uses indexOf, because a lazy expression takes quadratic time on unclosed elements.
  for (let at = 0; ; ) {
    const start = xml.indexOf('<Contents>', at)
    const close = start < 0 ? -1 : xml.indexOf('</Contents>', start)
    if (close < 0) break
    at = close
    const body = xml.slice(start, close)
    const key = field(body, 'Key')
    if (key === undefined) continue
    if (objects.length >= MAX_LISTED) throw tooMany(url)
    const modified = Date.parse(field(body, 'LastModified') ?? '')
    objects.push({
      key,
      size: Number(field(body, 'Size') ?? 0),
      etag: field(body, 'ETag'),
      lastModified: Number.isNaN(modified) ? undefined : modified,
    })
  }
  const more = field(xml, 'IsTruncated') === 'true'
  const next = field(xml, 'NextContinuationToken')
  if (more && !next)
    throw new Fault('Corrupt', `${url}: a truncated listing must have a NextContinuationToken, but has none`, { url })
  return { objects, next: more ? next : undefined }
}

export const tooMany = (url: string): Fault =>
  new Fault('Corrupt', `${url}: the listing must have at most ${MAX_LISTED} objects, but has more`, { url })

function field(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = start < 0 ? -1 : xml.indexOf(`</${name}>`, start)
  return end < 0 ? undefined : unescapeXml(xml.slice(start + name.length + 2, end))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]{1,8}|\w{1,8});/gi, (match, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? entryOf(entities, name) : match
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code >= 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : match
  })
}
