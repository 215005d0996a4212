import type { FormatName } from '../contract.ts'
import { Problem } from '../problem.ts'
import { bareType } from '../query/format.ts'
import { displayed, mismatchText } from '../query/query.ts'

/** A media range of an Accept header. */
interface MediaRange {
  /** Media type in lower case; the subtype, or both parts, may be `*`. */
  readonly type: string
  /** From 0 to 1; 0 excludes the type. */
  readonly weight: number
}

/** Elements of a list, between commas. Commas inside a quoted string do not separate. */
const elements = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
/** Parts of an element, between semicolons. Semicolons inside a quoted string do not separate. */
const parts = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g
const range = /^(?:\*\/\*|[\w!#$%&'+.^`|~-]+\/(?:\*|[\w!#$%&'+.^`|~-]+))$/
const weight = /^q\s*=\s*"?(0?\.\d+|[01](?:\.\d*)?)"?$/i

/**
 * Returns the ranges of an Accept header (RFC 9110, 12.5.1). Parameters other than `q` are ignored, because no format
 * has variants. An unreadable range is skipped; an unreadable weight counts as 1. Java's HttpURLConnection sends a lone
 * `*` for any type.
 */
function rangesOf(header: string): MediaRange[] {
  return (header.match(elements) ?? []).flatMap((text) => {
    const [name = '', ...parameters] = (text.match(parts) ?? []).map((part) => part.trim())
    const type = name === '*' ? '*/*' : name.toLowerCase()
    if (!range.test(type)) return []
    const quality = parameters.map((text) => weight.exec(text)?.[1]).find((text) => text !== undefined)
    return [{ type, weight: Math.min(1, Number(quality ?? 1)) }]
  })
}

/** Ranks a media type by the most specific range that covers it; among equally specific ranges the largest weight counts. */
function rankOf(
  type: string,
  ranges: readonly MediaRange[],
): { weight: number; precision: number; at: number } | undefined {
  const steps = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const [n, step] of steps.entries()) {
    const covering = ranges.filter((range) => range.type === step)
    if (covering.length === 0) continue
    const weight = Math.max(...covering.map((range) => range.weight))
    return { weight, precision: -n, at: ranges.findIndex((range) => range.type === step) }
  }
  return undefined
}

/** Whether an Accept header allows one of the media types. */
export function accepts(header: string | null | undefined, types: readonly string[]): boolean {
  return preferred(header ?? undefined, types) !== undefined
}

/** Whether an Accept header names a media type literally, without a wildcard. */
export function names(header: string | null | undefined, type: string): boolean {
  return rangesOf(header ?? '').some((range) => range.type === type && range.weight > 0)
}

/** The media type that an Accept header prefers; undefined if it excludes all of them. */
function preferred(header: string | undefined, types: readonly string[]): string | undefined {
  // Nearly every client sends one of these two values, which need no parser.
  if (header === undefined || header === '*/*') return types[0]
  if (header === 'application/json') return types.includes(header) ? header : undefined
  const ranges = rangesOf(header)
  if (ranges.length === 0) return types[0]
  const [best] = types
    .flatMap((type) => ({ type, ...(rankOf(type, ranges) ?? { weight: 0, precision: 0, at: 0 }) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.precision - a.precision || a.at - b.at)
  return best?.type
}

/** Names of formats as clients of the OGC interfaces write them. */
export const longNames: Readonly<Partial<Record<FormatName, string>>> = {
  covjson: 'CoverageJSON',
  geojson: 'GeoJSON',
  csv: 'CSV',
}

/** A client that accepts one of these media types also gets JSON. */
const alsoJson = ['application/geo+json', 'application/problem+json']

/**
 * Returns the format that an Accept header prefers, otherwise the first; undefined if the header excludes all of them.
 */
export function preferredForm(formats: readonly FormatName[], accept: string | undefined): FormatName | undefined {
  if (accept === undefined || accept === '*/*') return formats[0]
  const types = formats.map(bareType)
  // Every JSON format is JSON: a client that accepts `application/json` gets the first format.
  const also = formats.includes('json') ? alsoJson : [...alsoJson, 'application/json']
  const type = preferred(accept, [...types, ...also.filter((type) => !types.includes(type))])
  return type === undefined ? undefined : (formats[types.indexOf(type)] ?? formats[0])
}

/**
 * Chooses the format of the answer: `format` of the query, otherwise the format that Accept prefers, otherwise the
 * first format of the route.
 * @throws Problem with status 406 that lists the formats of the route
 */
export function formatOf(
  formats: readonly FormatName[],
  requested: string | undefined,
  accept: string | undefined,
): FormatName {
  if (requested !== undefined) {
    const format = formats.find((name) => name === requested || longNames[name] === requested)
    if (format) return format
    throw notAcceptable('format', `one of ${formats.join(', ')}`, displayed(requested))
  }
  const format = preferredForm(formats, accept)
  if (format) return format
  throw notAcceptable('Accept', `one of ${formats.map(bareType).join(', ')}`, displayed(accept))
}

export function notAcceptable(name: string, expected: string, received: string): Problem {
  return new Problem('bad-request', mismatchText(name, expected, received), { status: 406 })
}
