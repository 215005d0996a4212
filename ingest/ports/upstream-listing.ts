import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** One object of a bucket listing. */
export interface Listed {
  readonly key: string
  readonly size: number
  readonly etag?: string
  readonly lastModified?: Instant
}

/** Reads a page of S3's ListObjectsV2. @throws Fault Corrupt where the text is no listing */
export function readListing(xml: string, url: string): { objects: Listed[]; next?: string } {
  if (!/<ListBucketResult[\s>]/.test(xml)) {
    throw new Fault('Corrupt', `${url}: wanted a ListBucketResult, got "${xml.slice(0, 60).replaceAll(/\s+/g, ' ')}"`, {
      url,
    })
  }
  if (!/<\/ListBucketResult>\s*$|<ListBucketResult[^>]*\/>\s*$/.test(xml)) {
    throw new Fault(
      'Corrupt',
      `${url}: wanted a listing to its end, got one that breaks off after ${xml.length} letters`,
      {
        url,
      },
    )
  }
  const objects: Listed[] = []
  for (const [, body] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = field(body!, 'Key')
    if (key === undefined) continue
    const modified = Date.parse(field(body!, 'LastModified') ?? '')
    objects.push({
      key,
      size: Number(field(body!, 'Size') ?? 0),
      etag: field(body!, 'ETag'),
      lastModified: Number.isNaN(modified) ? undefined : modified,
    })
  }
  const more = field(xml, 'IsTruncated') === 'true'
  const next = field(xml, 'NextContinuationToken')
  if (more && !next)
    throw new Fault('Corrupt', `${url}: wanted a NextContinuationToken in a truncated listing, got none`, { url })
  return { objects, next: more ? next : undefined }
}

function field(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(xml)
  return found?.[1] === undefined ? undefined : unescapeXml(found[1])
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x') || name.startsWith('#X')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
    return entities[name] ?? whole
  })
}
