import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves recorded bytes by `HOST/KEY`: with listings like a bucket, without them like a plain file server. */
export interface RecordedMirror {
  readonly url: string
  readonly files: Map<string, Uint8Array>
  /** Requests in order, as `GET path range status`. */
  readonly log: string[]
  close(): Promise<void>
}

export interface Manners {
  /** Answers `?list-type=2`, and gives ETags. */
  readonly listing: boolean
  readonly ranges: boolean
}

export async function recordedMirror(
  files: Map<string, Uint8Array>,
  manners: Manners = { listing: true, ranges: true },
): Promise<RecordedMirror> {
  const log: string[] = []
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mirror')
    const path = decodeURIComponent(url.pathname.slice(1))
    const answer = (status: number, body: Uint8Array, headers: Record<string, string> = {}) => {
      log.push(`${request.method} ${path}${url.search} ${request.headers.range ?? ''} ${status}`)
      response.writeHead(status, { 'content-length': body.length, ...headers })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (manners.listing && url.searchParams.get('list-type') === '2') {
      return answer(200, Buffer.from(listing(files, path, url.searchParams.get('prefix') ?? '')))
    }
    const body = files.get(path)
    if (!body) return answer(404, Buffer.from('<html>not here</html>'))
    const etag = tag(body)
    if (request.headers['if-match'] && request.headers['if-match'] !== etag) return answer(412, Buffer.alloc(0))
    const headers: Record<string, string> = manners.listing ? { etag } : {}
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    if (!manners.ranges || !range) return answer(200, body, headers)
    const from = Number(range[1])
    const to = range[2] ? Math.min(Number(range[2]), body.length - 1) : body.length - 1
    if (from >= body.length) return answer(416, Buffer.alloc(0))
    const part = body.subarray(from, to + 1)
    return answer(206, part, { ...headers, 'content-range': `bytes ${from}-${to}/${body.length}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function tag(body: Uint8Array): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}

function listing(files: Map<string, Uint8Array>, host: string, prefix: string): string {
  const start = `${host.replace(/\/$/, '')}/${prefix}`
  const entries = [...files]
    .filter(([path]) => path.startsWith(start))
    .map(([path, body]) => {
      const key = path.slice(path.indexOf('/') + 1)
      return `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${tag(body).replaceAll('"', '&quot;')}</ETag><Size>${body.length}</Size></Contents>`
    })
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListBucketResult>`
}
