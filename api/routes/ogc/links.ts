/** A link of an OGC document. */
export interface Link {
  readonly href: string
  readonly rel: string
  readonly type: string
  readonly title?: string
  readonly templated?: boolean
}

export const JSON_TYPE = 'application/json'
export const GEOJSON_TYPE = 'application/geo+json'
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'

export const link = (href: string, rel: string, type = JSON_TYPE, title?: string): Link => ({
  href,
  rel,
  type,
  ...(title && { title }),
})

/** Returns the URL of another page: the same query with another offset. */
export function pageHref(base: string, url: string, offset: number): string {
  const next = new URL(url, base)
  next.searchParams.set('offset', String(offset))
  return `${base}${next.pathname}${next.search}`
}
