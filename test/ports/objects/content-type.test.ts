import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../ingest/config.ts'
import { openStore } from '../../../ingest/ports/objects/open.ts'

/** Requests as a bucket receives them; it answers each with 200. */
const requests: { url: string | undefined; type: string | undefined; absent: string | undefined }[] = []
const bucket = createServer((request, response) => {
  const { 'content-type': type, 'if-none-match': absent } = request.headers
  requests.push({ url: request.url?.split('?')[0], type, absent })
  request.resume().on('end', () => response.setHeader('ETag', '"1"').end())
})
beforeAll(() => new Promise<void>((resolve) => void bucket.listen(0, '127.0.0.1', resolve)))
afterAll(() => void bucket.close())

test('puts a file of a site into a bucket with its media type, and other objects without', async () => {
  const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
  const store = await openStore(
    loadConfig({
      ...{ OBJECTS_URL: 's3://site/scores', OBJECTS_CACHE_MB: '0', S3_ENDPOINT: endpoint },
      ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    }),
  )
  await store.put('index.html', Buffer.from('<!doctype html>'), { contentType: 'text/html; charset=utf-8' })
  await store.put('tile', Buffer.from('tile'), { ifAbsent: true })
  await store.close()
  expect(requests).toEqual([
    { url: '/site/scores/index.html', type: 'text/html; charset=utf-8', absent: undefined },
    { url: '/site/scores/tile', type: expect.not.stringContaining('html'), absent: '*' },
  ])
})
