import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface StoredAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  readonly until: number
  readonly keys: ReadonlySet<string>
}

/**
 * A shared cache as infra/OPS.md describes it: it asks the API about the key of every request, cuts coordinates to two decimals, stores
 * public answers for their age, and removes them by their surrogate keys.
 */
export async function cachingProxy(origins: readonly string[]) {
  const store = new Map<string, StoredAnswer>()
  let next = 0
  let fetched = 0
  const origin = () => origins[next++ % origins.length]
  const server = createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    const check = await fetch(`${origin()}/v1/authorization`, { headers: { authorization } })
    if (check.status !== 204) {
      response.writeHead(check.status, { 'Content-Type': check.headers.get('content-type') ?? '' })
      return response.end(Buffer.from(await check.arrayBuffer()))
    }
    const path = (request.url ?? '/').replaceAll(/([?&](?:lat|lon)=-?\d+\.\d\d)\d+/g, '$1')
    let answer = store.get(path)
    const hit = answer !== undefined && Date.now() < answer.until
    if (!answer || !hit) {
      const etag = answer?.headers.get('etag')
      const fresh = await fetch(`${origin()}${path}`, {
        headers: { authorization, 'accept-encoding': 'identity', ...(etag && { 'if-none-match': etag }) },
      })
      fetched++
      const body = Buffer.from(await fresh.arrayBuffer())
      const [, age] = /^public, max-age=(\d+)/.exec(fresh.headers.get('cache-control') ?? '') ?? []
      const keys = new Set((fresh.headers.get('surrogate-key') ?? '').split(' '))
      const until = Date.now() + Number(age ?? 0) * 1000
      answer =
        answer && fresh.status === 304
          ? { ...answer, until, keys }
          : { status: fresh.status, headers: fresh.headers, body, until, keys }
      if (age) store.set(path, answer)
    }
    for (const name of ['content-type', 'etag', 'cache-control'])
      if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name) ?? '')
    response.writeHead(answer.status, { 'X-Cache': hit ? 'hit' : 'miss' })
    response.end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get fetched() {
      return fetched
    },
    /** Removes the answers with one of the keys. @returns their number */
    purge(keys: readonly string[]): number {
      let removed = 0
      for (const [path, answer] of store)
        if (keys.some((key) => answer.keys.has(key))) {
          store.delete(path)
          removed++
        }
      return removed
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
