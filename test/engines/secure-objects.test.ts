import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { type Certificates, makeCertificates } from './secure-servers.ts'

let folder: string
let certificates: Certificates
let server: Server
let port: number

/** Starts a server that requires TLS before the S3 server of the suite. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-secure-objects-'))
  certificates = await makeCertificates(folder)
  const target = new URL(String(process.env['S3_ENDPOINT']))
  const [cert, key] = await Promise.all([readFile(certificates.server.certificate), readFile(certificates.server.key)])
  server = createServer({ cert, key }, (incoming, answer) => {
    // The signature includes the host of the client's request, so headers are passed through unchanged.
    const { method, url: path, headers } = incoming
    const through = request({ host: target.hostname, port: target.port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    through.on('error', () => answer.destroy())
    incoming.pipe(through)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (over: Record<string, string> = {}) =>
  openObjects(
    loadConfig({
      ...process.env,
      OBJECTS_CACHE_MB: '0',
      S3_ENDPOINT: `https://localhost:${port}`,
      S3_CA_FILE: certificates.ca.certificate,
      ...over,
    }),
  )

test('stores and reads objects over TLS with a private CA', async () => {
  const objects = await open()
  const key = `secure/${Date.now()}-${process.pid}`
  await objects.put(key, Buffer.from('over TLS'))
  expect(Buffer.from(await objects.get(key)).toString()).toBe('over TLS')
  await objects.close()
})

test('says why the certificate of S3 is refused, and which setting to change', async () => {
  const failure = async (over: Record<string, string>) => {
    const objects = await open(over)
    return objects
      .get('secure/absent')
      .then(String, (error: Error) => error.message)
      .finally(() => objects.close())
  }
  const messages = [
    await failure({ S3_CA_FILE: certificates.otherCa.certificate }).catch((error: Error) => error.message),
    await failure({ S3_ENDPOINT: `https://127.0.0.1:${port}` }).catch((error: Error) => error.message),
  ]
  expect(messages).toEqual([
    expect.stringMatching(/does not trust .*Let S3_CA_FILE name/),
    expect.stringMatching(/another name .*Use a name of the certificate in S3_ENDPOINT/),
  ])
})
