import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { topics } from '../../ingest/domain/event.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { EventLog, Events } from '../../ingest/ports/events.ts'
import { databaseSuite } from '../contracts/database-suite.ts'
import { eventsSuite } from '../contracts/events-suite.ts'
import { down } from './native.ts'
import { type Certificates, makeCertificates, startKafka, startPostgres, unsignedToken } from './secure-servers.ts'

let folder: string
let certificates: Certificates
let postgres: Awaited<ReturnType<typeof startPostgres>>
let kafka: Awaited<ReturnType<typeof startKafka>>
let db: Database | undefined
let other: Database | undefined
let events: Events | undefined
type Settings = Record<string, string>

const secretFile = async (name: string, secret: string) => {
  const path = join(folder, name)
  await writeFile(path, `${secret}\n`, { mode: 0o600 })
  return path
}

const databaseSettings = async (over: { host?: string; ca?: string; client?: boolean; mode?: string } = {}) => {
  const url = new URL(postgres.url)
  url.hostname = over.host ?? url.hostname
  url.searchParams.set('sslmode', over.mode ?? 'verify-full')
  url.searchParams.set('sslrootcert', over.ca ?? certificates.ca.certificate)
  if (over.client ?? true) {
    url.searchParams.set('sslcert', certificates.client.certificate)
    url.searchParams.set('sslkey', certificates.client.key)
  }
  return { DATABASE_URL: url.href, DATABASE_PASSWORD_FILE: await secretFile('postgres-secret', postgres.password) }
}

const saslSettings = async (mechanism: string): Promise<Settings> => ({
  KAFKA_BROKERS: kafka.sasl,
  KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
  KAFKA_CA_FILE: certificates.ca.certificate,
  KAFKA_SASL_MECHANISM: mechanism,
  ...(mechanism === 'OAUTHBEARER'
    ? { KAFKA_SASL_TOKEN_FILE: await secretFile('kafka-token', unsignedToken()) }
    : { KAFKA_SASL_USERNAME: 'hexcast', KAFKA_SASL_PASSWORD_FILE: await secretFile('kafka-secret', kafka.password) }),
})

const mutualSettings = (): Settings => ({
  KAFKA_BROKERS: kafka.mutual,
  KAFKA_SECURITY_PROTOCOL: 'SSL',
  KAFKA_CA_FILE: certificates.ca.certificate,
  KAFKA_CERT_FILE: certificates.client.certificate,
  KAFKA_KEY_FILE: certificates.client.key,
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-secure-'))
  certificates = await makeCertificates(join(folder, 'certificates'))
  ;[postgres, kafka] = await Promise.all([
    startPostgres(join(folder, 'one'), certificates),
    startKafka(join(folder, 'two'), certificates),
  ])
  const config = loadConfig(await databaseSettings())
  db = await openDatabase(config)
  other = await openDatabase(config)
  events = await openEvents(loadConfig(await saslSettings('SCRAM-SHA-512')))
})

afterAll(async () => {
  await Promise.all([db?.close(), other?.close(), events?.close()])
  await Promise.all(['one', 'two'].map((name) => down(join(folder, name))))
  await rm(folder, { recursive: true, force: true })
})

const unless = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the server of this test did not start')
  return value
}

describe('PostgreSQL over TLS with a client certificate', () =>
  databaseSuite(() => ({ db: unless(db), other: unless(other) })))

describe('Kafka over SASL_SSL', () =>
  eventsSuite(
    () => unless(events),
    async () => openEvents(loadConfig(await saslSettings('SCRAM-SHA-512'))),
  ))

const payload = { dataset: 'secure', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }

/** Publishes one event, and closes. */
async function publishOver(settings: Settings): Promise<void> {
  const opened = await openEvents(loadConfig(settings))
  await opened.publish(topics.runs.name, 'secure', payload).finally(() => opened.close())
}

test('uses TLS for each connection to PostgreSQL', async () => {
  const rows = await unless(db).query<{ ssl: boolean; client_dn: string | null }>(
    'select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()',
  )
  expect(rows).toEqual([{ ssl: true, client_dn: '/CN=hexcast' }])
})

test.each(['PLAIN', 'SCRAM-SHA-256', 'OAUTHBEARER'])('publishes over SASL_SSL with %s', async (mechanism) => {
  await publishOver(await saslSettings(mechanism))
})

test('receives over mTLS what is published over SASL_SSL', async () => {
  const mutual = await openEvents(loadConfig(mutualSettings()))
  const received: string[] = []
  await mutual.subscribe(topics.runs.name, ({ key }) => void received.push(key))
  await unless(events).publish(topics.runs.name, 'mutual', payload)
  await expect.poll(() => received, { timeout: 20_000 }).toContain('mutual')
  await mutual.close()
})

test('continues to receive after a token was refused and replaced', async () => {
  const settings = await saslSettings('OAUTHBEARER')
  const warnings: string[] = []
  const log = { warn: (_: unknown, text: string) => void warnings.push(text), error: () => undefined }
  const renewed = await openEvents(loadConfig(settings), undefined, log as unknown as EventLog)
  const received: string[] = []
  await renewed.subscribe(topics.runs.name, ({ key }) => void received.push(key))
  await writeFile(entryOf(settings, 'KAFKA_SASL_TOKEN_FILE'), 'not a token')
  await expect.poll(() => warnings.join(), { timeout: 30_000 }).toContain('crashed and is restarted')
  await unless(events).publish(topics.runs.name, 'meanwhile', payload)
  await secretFile('kafka-token', unsignedToken())
  await expect.poll(() => received, { timeout: 40_000 }).toContain('meanwhile')
  await expect.poll(() => renewed.lag().connected, { timeout: 10_000 }).toBe(true)
  await renewed.close()
})

test('says why PostgreSQL refuses a connection, and which setting to change', async () => {
  const failure = async (settings: Settings) =>
    openDatabase(loadConfig(settings)).then(String, (error: Error) => error.message)
  const { DATABASE_URL } = await databaseSettings()
  expect(await failure({ DATABASE_URL })).toContain('Set DATABASE_PASSWORD_FILE')
  expect(await failure(await databaseSettings({ host: '127.0.0.1' }))).toMatch(
    /certificate of the server is for another name .*127\.0\.0\.1.*Use a name of the certificate in DATABASE_URL/,
  )
  expect(await failure(await databaseSettings({ ca: certificates.otherCa.certificate }))).toMatch(
    /from a CA that this process does not trust .*Let sslrootcert of DATABASE_URL name/,
  )
  expect(await failure(await databaseSettings({ client: false }))).toContain('valid client certificate')
  const wrong = await failure({ DATABASE_URL, DATABASE_PASSWORD: 'a-wrong-password' })
  expect(wrong).toContain('password authentication failed')
  expect(wrong).not.toContain('a-wrong-password')
  expect(await failure({ DATABASE_URL: postgres.url })).toContain('no encryption')
  // verify-ca does not check the name.
  await (await openDatabase(loadConfig(await databaseSettings({ host: '127.0.0.1', mode: 'verify-ca' })))).close()
})

test('says why Kafka refuses a connection, and which setting to change', async () => {
  const scram = await saslSettings('SCRAM-SHA-512')
  const { KAFKA_SASL_PASSWORD_FILE: _, ...noPassword } = scram
  const { KAFKA_CERT_FILE: _cert, KAFKA_KEY_FILE: _key, ...noClient } = mutualSettings()
  const cases: readonly (readonly [string, Settings])[] = [
    ['another name', { ...scram, KAFKA_BROKERS: kafka.wrongName }],
    ['does not trust', { ...scram, KAFKA_CA_FILE: certificates.otherCa.certificate }],
    ['has expired', { ...noClient, KAFKA_BROKERS: kafka.expired }],
    ['listener has KAFKA_SECURITY_PROTOCOL=SASL_SSL', { ...scram, KAFKA_BROKERS: kafka.plain }],
    ['the user and password', { ...noPassword, KAFKA_SASL_PASSWORD: 'a-wrong-password' }],
    ['client certificate', noClient],
    [
      'client certificate',
      {
        ...noClient,
        KAFKA_CERT_FILE: certificates.strangeClient.certificate,
        KAFKA_KEY_FILE: certificates.strangeClient.key,
      },
    ],
  ]
  const messages = await Promise.all(
    cases.map(([, settings]) => publishOver(settings).then(String, (error: Error) => error.message)),
  )
  expect(messages).toEqual(cases.map(([words]) => expect.stringContaining(words)))
  expect(messages.join()).not.toContain('a-wrong-password')
  expect(() => loadConfig(noPassword)).toThrow('KAFKA_SASL_PASSWORD')
})

test('says in `hexcast status` which certificates are wrong', async () => {
  const database = await databaseSettings({ ca: certificates.otherCa.certificate })
  const scram = { ...(await saslSettings('PLAIN')), KAFKA_BROKERS: kafka.wrongName }
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), ...database, ...scram }
  const main = join(import.meta.dirname, '../../bin/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'status'], { env }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toMatch(/DOWN {2}database .*does not trust .*Let sslrootcert of DATABASE_URL name the PEM file/)
  expect(stdout).toMatch(/DOWN {2}events .*another name .*Use a name of the certificate in KAFKA_BROKERS/)
  expect(stdout).not.toContain(postgres.password)
  expect(stdout).not.toContain(kafka.password)
})
