import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Route } from '../route.ts'
import type { ApiRequest } from './deps.ts'
import { encode, encodingOf, isCompressible, MIN_BYTES, weakened } from './encoding.ts'
import { send } from './exchange.ts'

/** Whether an If-None-Match header contains the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matches(header: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag))
}

/** Sends an answer: 304 if the client already has it, compressed if it is text and the client accepts a coding. */
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
  if (exchange.isShared) share(headers, exchange, answer)
  if (isUnchanged(request, answer)) {
    const validators: Record<string, string> = {}
    for (const name of ['ETag', 'Cache-Control', 'Vary', 'Surrogate-Key', 'Access-Control-Allow-Origin'])
      if (headers[name]) validators[name] = headers[name]
    return send(response, exchange, 304, validators)
  }
  const status = answer.status ?? 200
  if (body === undefined) return send(response, exchange, status, headers)
  const bytes = encoding ? (answer.encoded?.forms[encoding] ?? (await encodedBody(answer, body, encoding))) : body
  headers['Content-Type'] = type
  headers['Content-Length'] = String(bytes.length)
  if (encoding) headers['Content-Encoding'] = encoding
  send(response, exchange, status, headers, bytes)
}

/**
 * Lets a shared cache store an answer that has an age and that events can remove: a list of alerts, for example, would be served after a
 * new alert. Such an answer has no headers about the limits of one caller.
 */
function share(headers: Record<string, string>, exchange: ApiRequest['exchange'], { surrogateKeys }: Answer): void {
  const { 'Cache-Control': control = '' } = headers
  if (!surrogateKeys || !control.startsWith('max-age=')) return
  headers['Cache-Control'] = `public, ${control}`
  headers['Surrogate-Key'] = surrogateKeys().join(' ')
  delete exchange.limit
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

function isUnchanged(request: IncomingMessage, { etag }: Answer): boolean {
  const header = request.headers['if-none-match']
  return header !== undefined && etag !== undefined && matches(header, etag)
}

const joined = (name: string, names: string | undefined) => (names ? `${names}, ${name}` : name)
