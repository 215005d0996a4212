import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
import { temporalCounts } from '../../workers/temporal/counts.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { denyingProxy } from './denying-proxy.ts'
import { type Certificates, makeCertificates } from './secure-servers.ts'

const apiKey = `key-${Math.random().toString(36).slice(2)}`
let folder: string
let certificates: Certificates
let proxy: Awaited<ReturnType<typeof denyingProxy>>
let port: string

/** Temporal's development server has no TLS: a proxy that requires TLS, a client certificate and an API key is before it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-secure-temporal-'))
  certificates = await makeCertificates(folder)
  const tls = {
    cert: await readFile(certificates.server.certificate),
    key: await readFile(certificates.server.key),
    ca: await readFile(certificates.ca.certificate),
    requestCert: true,
    rejectUnauthorized: true,
  }
  proxy = await denyingProxy(loadConfig().temporal!.address, { tls, apiKey })
  port = new URL(`tcp://${proxy.address}`).port
  await writeFile(join(folder, 'api-key'), `${apiKey}\n`)
})

afterAll(async () => {
  proxy?.close()
  await rm(folder, { recursive: true, force: true })
})

const settings = (over: Record<string, string> = {}) =>
  loadConfig({
    TEMPORAL_ADDRESS: `localhost:${port}`,
    TEMPORAL_API_KEY_FILE: join(folder, 'api-key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.ca.certificate,
    TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.certificate,
    TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.key,
    ...over,
  }).temporal!

test('completes a workflow over mTLS with an API key', async () => {
  const done: string[] = []
  const activities = {
    planStage: async ({ dataset }: { dataset: string }) => {
      done.push(dataset)
      return { state: 'done', why: 'already' }
    },
    sampleFile: async () => {},
  } as unknown as Activities
  const queue = `secure-${Math.random().toString(36).slice(2)}`
  const engine = await openTemporalEngine({ ...settings(), queue, activities, clock: Date.now, report: console.error })
  await engine.work()
  await engine.start('modelRun', `grid-run/secure/${queue}`, { dataset: 'secure', domains: ['conus'], run: '1' })
  await expect.poll(() => done, { timeout: 30_000 }).toEqual(['secure'])
  await expect.poll(() => engine.counts(), { timeout: 30_000 }).toMatchObject({ running: 0, failed: 0 })
  await engine.stop()
})

test('says why a server refuses a connection, and which setting to change', async () => {
  const failure = (over: Record<string, string>) =>
    temporalCounts(settings(over)).then(String, (error: Error) => error.message)
  const [name, authority, client, key, serverName] = await Promise.all([
    failure({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` }),
    failure({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.otherCa.certificate }),
    failure({
      TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.strangeClient.certificate,
      TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.strangeClient.key,
    }),
    failure({ TEMPORAL_API_KEY_FILE: '', TEMPORAL_API_KEY: 'a-wrong-key' }),
    failure({ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_TLS_SERVER_NAME: 'localhost' }),
  ])
  expect(name).toMatch(/another name .*Use a name of the certificate in TEMPORAL_ADDRESS/)
  expect(authority).toMatch(/does not trust .*Let TEMPORAL_TLS_SERVER_CA_CERT_PATH name/)
  expect(client).toMatch(/client certificate.*TEMPORAL_TLS_CLIENT_CERT_PATH/)
  expect(key).toContain('Check TEMPORAL_API_KEY')
  expect(key).not.toContain('a-wrong-key')
  expect(serverName).toBe('[object Object]')
})
