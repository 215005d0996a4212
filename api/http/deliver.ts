import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Route } from '../route.ts'
import type { ApiRequest } from './deps.ts'
import { encode, encodingOf, isCompressible, MIN_BYTES, weakened } from './encoding.ts'
import { send } from './exchange.ts'

/** Whether an If-None-Match names the tag, weakly compared as RFC 9110 wants it. */
export function matches(known: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => bare(tag) === bare(etag))
}

/** Sends an answer: 304 where the client has it already, compressed where it is text and the client takes that. */
export async function deliver(
  request: ApiRequest,
  response: ServerResponse,
  answer: Answer,
  route?: Pick<Route, 'formats'>,
): Promise<void> {
  const { exchange } = request
  exchange.log = answer.log
  const body = bytesOf(answer)
  const type = answer.type ?? 'application/json; charset=utf-8'
  const compressible = body !== undefined && body.length >= MIN_BYTES && isCompressible(type)
  const encoding = compressible ? encodingOf(request.headers['accept-encoding']) : undefined
  const headers: Record<string, string> = { ...answer.headers }
  if (route?.formats) headers['Vary'] = joined('Accept', headers['Vary'])
  if (compressible) headers['Vary'] = joined('Accept-Encoding', headers['Vary'])
  if (answer.etag) headers['ETag'] = encoding ? weakened(answer.etag) : answer.etag
  if (unchanged(request, answer)) {
    const kept: Record<string, string> = {}
    for (const name of ['ETag', 'Cache-Control', 'Vary']) if (headers[name]) kept[name] = headers[name]
    send(response, exchange, 304, kept)
    return
  }
  const status = answer.status ?? 200
  if (body === undefined) return send(response, exchange, status, headers)
  const sent = encoding ? (answer.encoded?.forms[encoding] ?? (await encodedBody(answer, body, encoding))) : body
  headers['Content-Type'] = type
  headers['Content-Length'] = String(sent.length)
  if (encoding) headers['Content-Encoding'] = encoding
  send(response, exchange, status, headers, sent)
}

function bytesOf({ body, type }: Answer): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(type && typeof body === 'string' ? body : JSON.stringify(body))
}

async function encodedBody({ encoded }: Answer, body: Buffer, encoding: NonNullable<ReturnType<typeof encodingOf>>) {
  const form = await encode(body, encoding, encoded?.permanent)
  encoded?.keep(encoding, form)
  return form
}

function unchanged(request: IncomingMessage, answer: Answer): boolean {
  const known = request.headers['if-none-match']
  return known !== undefined && answer.etag !== undefined && matches(known, answer.etag)
}

const joined = (name: string, others: string | undefined) => (others ? `${others}, ${name}` : name)
