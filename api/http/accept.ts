import type { FormatName } from '../contract.ts'
import { Problem } from '../problem.ts'
import { bareType } from '../query/format.ts'
import { displayed } from '../query/query.ts'

/** A media range of an Accept header. */
interface MediaRange {
  /** In lower case; the subtype, or both, may be a star. */
  readonly type: string
  /** 0 excludes. */
  readonly weight: number
}

/** What stands between commas, and between semicolons; those inside a quoted string do not separate. */
const elements = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const parts = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g
const range = /^(?:\*\/\*|[\w!#$%&'+.^`|~-]+\/(?:\*|[\w!#$%&'+.^`|~-]+))$/
const weight = /^q\s*=\s*"?(0?\.\d+|[01](?:\.\d*)?)"?$/i

/**
 * The ranges of an Accept header (RFC 9110, 12.5.1). Parameters other than `q` do not exclude: no form here has variants. A range that
 * cannot be read is left out, a weight that cannot be read counts as 1. HttpURLConnection of Java writes a lone star for any type.
 */
function rangesOf(header: string): MediaRange[] {
  return (header.match(elements) ?? []).flatMap((text) => {
    const [name = '', ...parameters] = (text.match(parts) ?? []).map((part) => part.trim())
    const type = name === '*' ? '*/*' : name.toLowerCase()
    if (!range.test(type)) return []
    const given = parameters.map((one) => weight.exec(one)?.[1]).find((one) => one !== undefined)
    return [{ type, weight: Math.min(1, Number(given ?? 1)) }]
  })
}

/** How a media type fares: the most specific range that covers it decides, and of several alike the one that weighs most. */
function rankOf(
  type: string,
  ranges: readonly MediaRange[],
): { weight: number; precision: number; at: number } | undefined {
  const steps = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const [n, step] of steps.entries()) {
    const covering = ranges.filter((one) => one.type === step)
    if (covering.length === 0) continue
    const weight = Math.max(...covering.map((one) => one.weight))
    return { weight, precision: -n, at: ranges.findIndex((one) => one.type === step) }
  }
  return undefined
}

/** Whether an Accept header allows one of the media types. */
export function accepts(header: string | null | undefined, types: readonly string[]): boolean {
  return preferred(header ?? undefined, types) !== undefined
}

/** Whether an Accept header names a media type itself, not by a star. */
export function names(header: string | null | undefined, type: string): boolean {
  return rangesOf(header ?? '').some((one) => one.type === type && one.weight > 0)
}

/** The first of the media types that an Accept header prefers. */
function preferred(header: string | undefined, types: readonly string[]): string | undefined {
  // Nearly every client sends one of these: they need no parser.
  if (header === undefined || header === '*/*') return types[0]
  if (header === 'application/json') return types.includes(header) ? header : undefined
  const ranges = rangesOf(header)
  if (ranges.length === 0) return types[0]
  const [best] = types
    .flatMap((type) => ({ type, ...(rankOf(type, ranges) ?? { weight: 0, precision: 0, at: 0 }) }))
    .filter((one) => one.weight > 0)
    .sort((a, b) => b.weight - a.weight || b.precision - a.precision || a.at - b.at)
  return best?.type
}

/** Names of forms as clients of the OGC interfaces write them. */
export const longNames: Readonly<Partial<Record<FormatName, string>>> = {
  covjson: 'CoverageJSON',
  geojson: 'GeoJSON',
  csv: 'CSV',
}

/** JSON is also what a client gets that names one of these. */
const alsoJson = ['application/geo+json', 'application/problem+json']

/** The form that an Accept header prefers, else the first; undefined where the header excludes all of them. */
export function preferredForm(formats: readonly FormatName[], accept: string | undefined): FormatName | undefined {
  // As most clients ask.
  if (accept === undefined || accept === '*/*') return formats[0]
  const types = formats.map(bareType)
  // Every JSON form is JSON: a client that asks for no more than that gets the first.
  const also = formats.includes('json') ? alsoJson : [...alsoJson, 'application/json']
  const type = preferred(accept, [...types, ...also.filter((one) => !types.includes(one))])
  return type === undefined ? undefined : (formats[types.indexOf(type)] ?? formats[0])
}

/**
 * The form of the answer: `format` of the query, else what Accept likes best, else the first of the route.
 * @throws Problem, status 406, with the forms of the route
 */
export function formatOf(
  formats: readonly FormatName[],
  asked: string | undefined,
  accept: string | undefined,
): FormatName {
  if (asked !== undefined) {
    const format = formats.find((one) => one === asked || longNames[one] === asked)
    if (format) return format
    throw notAcceptable(`format: wanted ${formats.join(', ')}; got ${displayed(asked)}`)
  }
  const format = preferredForm(formats, accept)
  if (format) return format
  throw notAcceptable(`Accept: wanted ${formats.map(bareType).join(', ')}; got ${displayed(accept)}`)
}

export function notAcceptable(detail: string): Problem {
  return new Problem('bad-request', `${detail}.`, { status: 406 })
}
