import { z } from 'zod'
import type { FormatName } from '../contract.ts'

/** Content types of answers by format, with their parameters. */
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

/** Returns the media type of a format without parameters, as in Accept. */
export const bareType = (format: FormatName) => mediaTypes[format].replace(/;.*/, '')

/** Formats of the weather at a point, the default first. */
export const weatherForms = ['json', 'csv', 'ics'] as const

/** Schema of the parameter `format`, for its description. The pipeline chooses the format from it and from Accept. */
export const formatShape = (formats: readonly [FormatName, ...FormatName[]]) =>
  z
    .enum(formats)
    .default(formats[0])
    .meta({
      description: `Format of the answer, instead of Accept. ${formats.map((name) => `${name}: ${bareType(name)}`).join(', ')}`,
      expected: `one of ${formats.join(', ')}`,
    })
