import { z } from 'zod'
import type { FormatName } from '../contract.ts'

/** Media types by name; the parameters that an answer adds stand behind the semicolon. */
export const mediaTypes: Readonly<Record<FormatName, string>> = {
  json: 'application/json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
  covjson: 'application/prs.coverage+json; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  cap: 'application/cap+xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
}

/** The media type alone, as Accept names it. */
export const bareType = (format: FormatName) => mediaTypes[format].split(';')[0]!

/** Forms of the weather at a point, the usual one first. */
export const weatherForms = ['json', 'csv', 'ics'] as const

/** The parameter `format` of a route, described; which one counts is decided with Accept, before the route. */
export const formatShape = (formats: readonly [FormatName, ...FormatName[]]) =>
  z
    .enum(formats)
    .default(formats[0])
    .meta({
      description: `Form of the answer; Accept does the same. ${formats.map((one) => `${one}: ${bareType(one)}`).join(', ')}`,
      wanted: formats.join(', '),
    })
