import Negotiator from 'negotiator'
import type { FormatName } from '../contract.ts'
import { Problem } from '../problem.ts'
import { bareType } from '../query/format.ts'
import { displayed } from '../query/query.ts'

/** Whether an Accept header allows one of the media types (RFC 9110, 12.5.1). */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  return preferred(header, types) !== undefined
}

/** The first of the media types that an Accept header likes best. */
function preferred(header: string | undefined, types: readonly string[]): string | undefined {
  // Nearly every client sends one of these: they need no parser.
  if (header === undefined || header.trim() === '' || header === '*/*') return types[0]
  if (header === 'application/json') return types.includes(header) ? header : undefined
  return new Negotiator({ headers: { accept: withoutParameters(header) } }).mediaType([...types])
}

/** The parts between separators, those inside of quoted strings not counted. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    if (quoted && text[at] === '\\') at++
    else if (text[at] === '"') quoted = !quoted
    else if (!quoted && text[at] === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/**
 * The media ranges with their weights alone: no type of ours has parameters, so `application/json; charset=utf-8` means application/json.
 * A range with a weight that cannot be read is left out, and of two weights for one type the greater counts.
 */
function withoutParameters(header: string): string {
  const weights = new Map<string, number>()
  for (const range of split(header, ',')) {
    const [name = '', ...parameters] = split(range, ';')
    const type = name.trim().toLowerCase()
    const weight = parameters.map((one) => one.trim()).find((one) => /^q\s*=/i.test(one))
    const q = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1))
    if (type && q >= 0 && q <= 1) weights.set(type, Math.max(q, weights.get(type) ?? 0))
  }
  return [...weights].map(([type, q]) => `${type};q=${q}`).join(',')
}

/** Names of forms as clients of the OGC interfaces write them. */
export const longNames: Readonly<Partial<Record<FormatName, string>>> = {
  covjson: 'CoverageJSON',
  geojson: 'GeoJSON',
  csv: 'CSV',
}

/** JSON is also what a client gets that names one of these. */
const alsoJson = ['application/geo+json', 'application/problem+json']

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
  // As most clients ask.
  if (accept === undefined || accept.trim() === '' || accept === '*/*') return formats[0]!
  const types = formats.map(bareType)
  // Every JSON form is JSON: a client that asks for no more than that gets the first.
  const also = formats.includes('json') ? alsoJson : [...alsoJson, 'application/json']
  const type = preferred(accept, [...types, ...also.filter((one) => !types.includes(one))])
  if (type === undefined) throw notAcceptable(`Accept: wanted ${types.join(', ')}; got ${displayed(accept)}`)
  return formats[types.indexOf(type)] ?? formats[0]!
}

export function notAcceptable(detail: string): Problem {
  return new Problem('bad-request', `${detail}.`, { status: 406 })
}
