import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openUpstream, type Upstream, type UpstreamSettings } from '../../ingest/ports/upstream.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let server: Server | undefined
let upstream: Upstream | undefined
afterEach(async () => {
  await upstream?.close()
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

/** A server, an upstream that reads from it as a mirror, the requests, and the waiting times. */
async function against(handler: Handler, settings: UpstreamSettings = {}) {
  const requests: IncomingMessage[] = []
  const waits: number[] = []
  server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
  const sleep = async (ms: number) => void waits.push(ms)
  upstream = openUpstream({ mirror, sleep, ...settings })
  return { upstream, requests, waits }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error) => error,
  )

test('reads an address below the mirror with host and query, and names the contact in the User-Agent', async () => {
  const { upstream, requests } = await against((_, response) => response.end('hello'), {
    contact: 'ops@example.org',
  })
  const reply = await upstream.get('https://api.weather.gov/alerts/active?status=actual&area=CO')
  expect(text(reply.bytes)).toBe('hello')
  expect(nth(requests, 0).url).toBe('/base/api.weather.gov/alerts/active?status=actual&area=CO')
  expect(nth(requests, 0).headers['user-agent']).toContain('ops@example.org')
})

test('requests a range with its ETag, and cuts the reply of a server that ignores ranges', async () => {
  const content = Buffer.from('0123456789')
  const { upstream, requests } = await against((request, response) => {
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')
    if (request.url!.endsWith('plain') || !range) return void response.end(content)
    const part = content.subarray(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined)
    response.writeHead(206, {
      'content-range': `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/10`,
      etag: '"a"',
    })
    response.end(part)
  })
  const reply = await upstream.get('https://b.s3.amazonaws.com/k', { range: [2, 4], ifMatch: '"a"' })
  expect([text(reply.bytes), reply.status, reply.size, reply.etag]).toEqual(['234', 206, 10, '"a"'])
  expect(nth(requests, 0).headers).toMatchObject({ range: 'bytes=2-4', 'if-match': '"a"' })
  expect(text((await upstream.get('https://b.s3.amazonaws.com/k', { range: [7] })).bytes)).toBe('789')
  const plain = await upstream.get('https://b.s3.amazonaws.com/plain', { range: [2, 4] })
  expect([text(plain.bytes), plain.status, plain.size]).toEqual(['234', 206, 10])
})

test('gives different faults for absent, changed and truncated objects', async () => {
  const { upstream } = await against((request, response) => {
    response.writeHead(Number(/\d+$/.exec(request.url!)![0])).end()
  })
  const kinds = await Promise.all(
    [404, 403, 410, 412, 416, 400].map(async (status) => {
      const fault = await faultOf(upstream.get(`https://b.s3.amazonaws.com/${status}`, { ifMatch: '"x"' }))
      return [status, fault.kind, fault.details.changed ?? false]
    }),
  )
  expect(kinds).toEqual([
    [404, 'NotYet', false],
    [403, 'NotYet', false],
    [410, 'Gone', false],
    [412, 'NotYet', true],
    [416, 'Corrupt', false],
    [400, 'Refused', false],
  ])
  expect(await upstream.head('https://b.s3.amazonaws.com/404')).toBeUndefined()
})

test('returns 304 for a condition', async () => {
  const { upstream } = await against((request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"v1"' ? 304 : 200, { etag: '"v1"' }).end()
  })
  expect((await upstream.get('https://api.weather.gov/x', { ifNoneMatch: '"v1"' })).status).toBe(304)
  expect((await upstream.get('https://api.weather.gov/x', { ifNoneMatch: '"v0"' })).status).toBe(200)
})

test.each([503, 429, 302, 500])('waits longer after each %i', async (status) => {
  let remaining = 2
  const { upstream, waits } = await against((_, response) => {
    response.writeHead(remaining-- > 0 ? status : 200).end('ok')
  })
  expect(text((await upstream.get('https://b.s3.amazonaws.com/k')).bytes)).toBe('ok')
  expect(waits.length).toBe(2)
  expect(nth(waits, 1)).toBeGreaterThan(nth(waits, 0))
  expect(upstream.counts).toMatchObject({ requests: 3, retries: 2 })
})

test('follows Retry-After, and refuses a wait that is too long', async () => {
  let after = '7'
  let remaining = 1
  const { upstream, waits } = await against((_, response) => {
    if (remaining-- > 0) response.writeHead(503, { 'retry-after': after }).end()
    else response.end('ok')
  })
  await upstream.get('https://b.s3.amazonaws.com/k')
  expect(waits[0]).toBeGreaterThanOrEqual(7000)
  remaining = 9
  after = '3600'
  const fault = await faultOf(upstream.get('https://b.s3.amazonaws.com/k'))
  expect([fault.kind, fault.details.retryAfterSeconds]).toEqual(['Refused', 3600])
})

test('retries after a truncated body and a silent server, then refuses', async () => {
  let remaining = 1
  const { upstream } = await against((request, response) => {
    if (request.url!.endsWith('silent')) return
    response.writeHead(200, { 'content-length': '10' })
    if (remaining-- > 0) response.write('01234', () => response.destroy())
    else response.end('0123456789')
  })
  expect(text((await upstream.get('https://b.s3.amazonaws.com/k')).bytes)).toBe('0123456789')
  remaining = 99
  const broken = await faultOf(upstream.get('https://b.s3.amazonaws.com/k', { attempts: 2 }))
  expect(broken.message).toMatch(/in 2 attempts/)
  const silent = await faultOf(upstream.get('https://b.s3.amazonaws.com/silent', { attempts: 1, idleMs: 50 }))
  expect([silent.kind, /no bytes for 50 ms/.test(silent.message)]).toEqual(['Refused', true])
})

test('ends the request when the caller aborts', async () => {
  const { upstream } = await against(() => {})
  const stop = new AbortController()
  const work = upstream.get('https://b.s3.amazonaws.com/k', { signal: stop.signal })
  setTimeout(() => stop.abort(new Error('gone')), 20)
  await expect(work).rejects.toThrow('gone')
})

test('reads all pages of a listing', async () => {
  const page = (keys: string[], next?: string) =>
    `<?xml version="1.0"?><ListBucketResult xmlns="x"><IsTruncated>${Boolean(next)}</IsTruncated>${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${keys
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>2026-08-20T12:52:00.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>7</Size></Contents>`,
      )
      .join('')}</ListBucketResult>`
  const { upstream, requests } = await against((request, response) => {
    const token = new URL(request.url!, 'http://x').searchParams.get('continuation-token')
    response.end(token ? page(['a/3']) : page(['a/1&amp;b', 'a/2'], 'next/one+'))
  })
  expect(await upstream.list('https://b.s3.amazonaws.com', 'a/')).toEqual(
    ['a/1&b', 'a/2', 'a/3'].map((key) => ({ key, size: 7, etag: '"e"', lastModified: Date.UTC(2026, 7, 20, 12, 52) })),
  )
  expect(requests.map(({ url }) => new URL(url!, 'http://x').searchParams.get('continuation-token'))).toEqual([
    null,
    'next/one+',
  ])
})

test('rejects an error page as a listing', async () => {
  const { upstream } = await against((_, response) => response.end('<html>Access denied</html>'))
  const fault = await faultOf(upstream.list('https://b.s3.amazonaws.com', 'a/'))
  expect(isFault(fault, 'Corrupt') && fault.message).toMatch(
    /the body must be a ListBucketResult, but begins with "<html>Access denied/,
  )
})

test('keeps the limit of concurrent requests to a host', async () => {
  let [now, most] = [0, 0]
  const { upstream } = await against(
    (_, response) => {
      most = Math.max(most, ++now)
      setTimeout(() => {
        now--
        response.end('ok')
      }, 15)
    },
    { limits: { 'slow.example': { atOnce: 2 } } },
  )
  await Promise.all(Array.from({ length: 9 }, (_, k) => upstream.get(`https://slow.example/${k}`)))
  expect(most).toBe(2)
})

test('spreads the requests of a minute evenly, and gives the place of an aborted request to the next', async () => {
  const starts: number[] = []
  const { upstream } = await against(
    (_, response) => {
      starts.push(performance.now())
      response.end('ok')
    },
    { limits: { 'slow.example': { atOnce: 4, perMinute: 1200 } } },
  )
  const signal = AbortSignal.timeout(10)
  const answers = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((k) => upstream.get(`https://slow.example/${k}`, k === 3 ? { signal } : {})),
  )
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  // The requests are sent 50 ms apart; the network may deliver them closer together.
  for (let i = 1; i < starts.length; i++) expect(nth(starts, i) - nth(starts, i - 1)).toBeGreaterThan(25)
})

test('returns the body of the object, whichever coding a server or proxy chose', async () => {
  const codings = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync }
  const content = '0123456789'
  const { upstream, requests } = await against((request, response) => {
    const coding = nth(request.url!.split('/').at(-1)!.split('.'), 0)
    const code = codings[coding as keyof typeof codings] ?? ((text: string) => Buffer.from(text))
    response.writeHead(request.url!.endsWith('part') ? 206 : 200, { 'content-encoding': coding }).end(code(content))
  })
  const at = 'https://b.s3.amazonaws.com'
  for (const coding of Object.keys(codings)) {
    expect(text((await upstream.get(`${at}/${coding}`)).bytes)).toBe(content)
    const cut = await upstream.get(`${at}/${coding}`, { range: [2, 4] })
    expect([text(cut.bytes), cut.size]).toEqual(['234', 10])
  }
  expect(nth(requests, 0).headers['accept-encoding']).toBe('identity')
  // Apache labels a file as gzip if its name ends in .gz.
  expect((await upstream.get(`${at}/gzip.grib2.gz`)).bytes).toEqual(new Uint8Array(gzipSync(content)))
  for (const odd of ['zip', 'gzip.part']) {
    const fault = await faultOf(upstream.get(`${at}/${odd}`, { range: [0, 4] }))
    expect([fault.kind, fault.message]).toEqual([
      'Corrupt',
      expect.stringContaining('the body must have no content coding'),
    ])
  }
})

test('follows redirects within the mirror, a limited number of times', async () => {
  const { upstream, requests } = await against((request, response) => {
    const path = request.url!
    if (path.endsWith('/new')) {
      const body = `range ${request.headers.range}`
      return void response.writeHead(200, { 'content-length': body.length }).end(body)
    }
    const to = path.endsWith('/away') ? 'http://127.0.0.2:9/new' : path.endsWith('/round') ? 'round' : 'new'
    response.writeHead(Number(/\d+/.exec(path.split('/').at(-1)!)?.[0] ?? 301), { location: to }).end()
  })
  const at = 'https://b.s3.amazonaws.com'
  for (const status of [301, 307, 308]) {
    expect(text((await upstream.get(`${at}/${status}`, { range: [2, 4] })).bytes)).toContain('nge')
  }
  expect((await upstream.head(`${at}/301`))?.size).toBe('range undefined'.length)
  const fault = await faultOf(upstream.get(`${at}/away`))
  expect([isFault(fault, 'Refused'), fault.message]).toEqual([true, expect.stringContaining('but is 301')])
  const before = requests.length
  expect(isFault(await faultOf(upstream.get(`${at}/round`)), 'Refused')).toBe(true)
  expect(requests.length - before).toBe(6)
})

test('accepts a date in Retry-After, by the clock of the server', async () => {
  let remaining = 1
  const { upstream, waits } = await against((_, response) => {
    if (remaining-- <= 0) return void response.end('ok')
    const date = Date.UTC(2031, 0, 1)
    const headers = { date: new Date(date).toUTCString(), 'retry-after': new Date(date + 17_000).toUTCString() }
    response.writeHead(503, headers).end()
  })
  expect(text((await upstream.get('https://b.s3.amazonaws.com/k')).bytes)).toBe('ok')
  expect(waits).toEqual([17_000])
})

test('aborts a body that arrives a byte at a time', async () => {
  const { upstream } = await against((_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const fault = await faultOf(upstream.get('https://b.s3.amazonaws.com/k', { idleMs: 100, attempts: 2 }))
  expect([isFault(fault, 'Refused'), fault.message]).toEqual([
    true,
    expect.stringContaining('must deliver 4096 bytes in'),
  ])
})

test('does not use a weak ETag as a condition for a range', async () => {
  const { upstream, requests } = await against((_, response) => response.end('0123456789'))
  await upstream.get('https://b.s3.amazonaws.com/k', { range: [2, 4], ifMatch: 'W/"a"' })
  expect(nth(requests, 0).headers['if-match']).toBeUndefined()
})

test('rejects a listing that is truncated or repeats itself', async () => {
  let body = ''
  const { upstream, requests } = await against((_, response) => void response.end(body))
  const list = () => upstream.list('https://b.s3.amazonaws.com', 'p')
  const key = '<Contents><Key>a&amp;b/&#233; c</Key><Size>3</Size></Contents>'
  body = `<ListBucketResult><IsTruncated>false</IsTruncated>${key}</ListBucketResult>\n`
  expect(await list()).toEqual([{ key: 'a&b/é c', size: 3 }])
  body = body.slice(0, -25)
  expect(await faultOf(list())).toMatchObject({
    kind: 'Corrupt',
    message: expect.stringContaining('must end with </ListBucketResult>'),
  })
  body = `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>${key}</ListBucketResult>`
  const before = requests.length
  expect(await faultOf(list())).toMatchObject({
    kind: 'Corrupt',
    message: expect.stringContaining('the token of the next page must differ'),
  })
  expect(requests.length - before).toBe(2)
})
