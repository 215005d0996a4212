import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { certificateFault } from '../../ingest/domain/certificate-fault.ts'
import { awsProvider } from '../../ingest/ports/aws-credentials.ts'
import { openLog } from '../../ingest/ports/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const pem = file('any.pem', 'a certificate')
const broker = { KAFKA_BROKERS: 'kafka:9093' }

describe('secrets from files', () => {
  test('are read without the line end, and are in no line of the log', () => {
    const config = loadConfig({
      DATABASE_URL: 'postgres://hexcast@db:5432/hexcast',
      DATABASE_PASSWORD_FILE: file('database', 'data base/1\n'),
      METRICS_TOKEN_FILE: file('metrics', 'metrics-token\n'),
    })
    expect(config.databaseUrl).toBe('postgres://hexcast:data%20base%2F1@db:5432/hexcast')
    expect(config.metricsToken).toBe('metrics-token')
    const lines: string[] = []
    openLog('hexcast-test', config, (line) => void lines.push(line)).info(
      { error: `data base/1 metrics-token ${config.databaseUrl}` },
      'secret',
    )
    expect(lines.join()).not.toMatch(/data base|data%20base|metrics-token/)
  })

  test('are refused when both forms are set, or the file is absent or empty', () => {
    const [full, empty] = [file('full', 'secret'), file('empty', '\n')]
    const read =
      (path: string, more = {}) =>
      () =>
        loadConfig({ METRICS_TOKEN_FILE: path, ...more })
    expect(read(full, { METRICS_TOKEN: 'x' })).toThrow('set without METRICS_TOKEN')
    expect(read(join(folder, 'absent'))).toThrow(/METRICS_TOKEN_FILE is ".*absent", but must be a file.*ENOENT/)
    expect(read(empty)).toThrow('this file is empty')
  })

  test('of AWS are read again', async () => {
    const files = {
      AWS_ACCESS_KEY_ID_FILE: file('id', 'first'),
      AWS_SECRET_ACCESS_KEY_FILE: file('secret', 'second'),
      AWS_SESSION_TOKEN_FILE: file('token', 'third'),
    }
    const provider = awsProvider(loadConfig({ OBJECTS_URL: 's3://hexcast', ...files }).awsCredentials)
    if (typeof provider !== 'function') throw new Error('the credentials must be read from their files')
    expect(await provider()).toMatchObject({ accessKeyId: 'first', secretAccessKey: 'second', sessionToken: 'third' })
    file('token', 'renewed')
    expect(await provider()).toMatchObject({ sessionToken: 'renewed', expiration: expect.any(Date) })
    expect(() => loadConfig({ AWS_ACCESS_KEY_ID: 'alone' })).toThrow('AWS_SECRET_ACCESS_KEY')
  })
})

describe('settings of connections', () => {
  test('give sslmode the meaning of libpq', () => {
    const url = (query: string) => loadConfig({ DATABASE_URL: `postgres://u:p@db/h${query}` }).databaseUrl
    expect(url('')).toBe('postgres://u:p@db/h')
    expect(url(`?sslmode=verify-full&sslrootcert=${pem}`)).toContain('uselibpqcompat=true')
    expect(url('?sslmode=verify-full&sslrootcert=system')).not.toContain('sslrootcert')
    expect(url('?options=-c%20search_path%3Da&sslmode=require')).toContain('options=-c%20search_path')
    expect(() => url('?sslmode=prefer')).toThrow('disable, require, verify-ca, verify-full')
    expect(() => url('?sslmode=verify-ca')).toThrow('sslrootcert')
    expect(() => url(`?sslrootcert=${pem}`)).toThrow('sslmode=verify-full')
    expect(() => url(`?sslmode=verify-full&sslrootcert=${pem}x`)).toThrow(/sslrootcert of DATABASE_URL.*ENOENT/)
  })

  test('of Kafka belong together', () => {
    const kafka = (settings: Record<string, string>) => loadConfig({ ...broker, ...settings }).kafka
    expect(kafka({})).toEqual({})
    expect(kafka({ KAFKA_SECURITY_PROTOCOL: 'SSL', KAFKA_CA_FILE: pem })).toEqual({ tls: { ca: pem } })
    const user = { KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }
    expect(kafka({ KAFKA_SECURITY_PROTOCOL: 'SASL_SSL', ...user })).toEqual({
      tls: {},
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
    })
    expect(() => kafka(user)).toThrow('KAFKA_SECURITY_PROTOCOL=SASL_SSL')
    expect(() => kafka({ KAFKA_CA_FILE: pem })).toThrow('KAFKA_SECURITY_PROTOCOL=SSL or SASL_SSL')
    expect(() => kafka({ KAFKA_SECURITY_PROTOCOL: 'SSL', KAFKA_CERT_FILE: pem })).toThrow('KAFKA_KEY_FILE')
    expect(() => loadConfig({ KAFKA_SECURITY_PROTOCOL: 'SSL' })).toThrow('KAFKA_BROKERS')
  })

  test('switch TLS on for Temporal', () => {
    const temporal = (settings: Record<string, string>) =>
      loadConfig({ TEMPORAL_ADDRESS: 't:7233', ...settings }).temporal
    expect(temporal({})).toEqual({ address: 't:7233', namespace: 'default' })
    expect(temporal({ TEMPORAL_API_KEY: 'key' })).toMatchObject({ tls: {}, apiKey: 'key' })
    expect(temporal({ TEMPORAL_TLS: 'true' })).toMatchObject({ tls: {} })
    expect(() => temporal({ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'key' })).toThrow('TEMPORAL_TLS')
    expect(() => temporal({ TEMPORAL_TLS_CLIENT_CERT_PATH: pem })).toThrow('TEMPORAL_TLS_CLIENT_KEY_PATH')
    expect(() => loadConfig({ TEMPORAL_API_KEY: 'key' })).toThrow('TEMPORAL_ADDRESS')
  })
})

test('certificate faults name the problem and the setting, also in a cause', () => {
  const names = { address: 'S3_ENDPOINT', ca: 'S3_CA_FILE' }
  const fault = (code: string) =>
    certificateFault(new Error('outer', { cause: Object.assign(new Error(code), { code }) }), names)
  expect(fault('CERT_HAS_EXPIRED')).toContain('has expired')
  expect(fault('CERT_NOT_YET_VALID')).toContain('not valid yet')
  expect(fault('CERT_REVOKED')).toContain('revoked')
  expect(fault('SELF_SIGNED_CERT_IN_CHAIN')).toContain('Let S3_CA_FILE name')
  expect(fault('ERR_SSL_WRONG_VERSION_NUMBER')).toContain('does not use TLS')
  expect(fault('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')).toContain('has no client certificate')
  expect(fault('ECONNREFUSED')).toBeUndefined()
  expect(certificateFault('text', names)).toBeUndefined()
})
