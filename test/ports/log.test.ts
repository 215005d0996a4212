import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { formsOfSecrets, withoutSecrets } from '../../ingest/domain/redact.ts'
import { formatOfLog, openLog } from '../../ingest/ports/log.ts'
import { version } from '../../ingest/ports/version.ts'

const secrets = {
  DATABASE_URL: 'postgres://hexcast:p%40ss-word1@db:5432/hexcast',
  MAIL_URL: 'smtp://mailer:mail-secret@mail.test:25',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'aws/secret"key',
  METRICS_TOKEN: 'metrics-token',
  OPENLINEAGE_API_KEY: 'lineage-key',
}

function logOver(settings: Record<string, string>) {
  const lines: string[] = []
  const log = openLog('hexcast-test', loadConfig(settings), (line) => void lines.push(line))
  return { log, lines }
}

test('writes a JSON line with level, time, service, version, host, trace and message', () => {
  const { log, lines } = logOver({ LOG_FORMAT: 'json' })
  log.warn({ dataset: 'nbm' }, 'late')
  log.info({ trace: 'a'.repeat(32) }, 'step')
  log.info('again')
  const [first, second, third] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    service: 'hexcast-test',
    version,
    host: hostname(),
    trace: expect.stringMatching(/^[0-9a-f]{32}$/),
    dataset: 'nbm',
    msg: 'late',
  })
  expect(second?.['trace']).toBe('a'.repeat(32))
  expect(third?.['trace']).toBe(first?.['trace'])
  expect(lines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
})

test('writes plain text for people, with external text on one line', () => {
  const { log, lines } = logOver({ LOG_FORMAT: 'text' })
  log.info({ url: 'http://localhost:8080' }, 'the API answers')
  log.error({ error: 'two\nlines \u001b[2J' }, 'failed')
  expect(lines[0]).toMatch(/^\S+Z {2}the API answers {2}url=http:\/\/localhost:8080\n$/)
  expect(lines[1]).toMatch(/^\S+Z {2}error {2}failed {2}error=two\ufffdlines \ufffd\[2J\n$/)
  expect(() => JSON.parse(lines[0] ?? '')).toThrow()
})

test('chooses plain text only for a terminal unless LOG_FORMAT says otherwise', () => {
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
  try {
    for (const [isTTY, format] of [
      [true, 'text'],
      [false, 'json'],
    ] as const) {
      Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
      expect(formatOfLog(loadConfig({}))).toBe(format)
      expect(formatOfLog(loadConfig({ LOG_FORMAT: 'json' }))).toBe('json')
      expect(formatOfLog(loadConfig({ LOG_FORMAT: 'text' }))).toBe('text')
    }
  } finally {
    if (before) Object.defineProperty(process.stderr, 'isTTY', before)
    else Reflect.deleteProperty(process.stderr, 'isTTY')
  }
  expect(() => loadConfig({ LOG_FORMAT: 'xml' })).toThrow(/LOG_FORMAT/)
})

test.each(['json', 'text'])('writes no secret of the settings and no credential to a log in %s', (LOG_FORMAT) => {
  const { log, lines } = logOver({ ...secrets, LOG_FORMAT })
  const key = `hx_live_${'Ab3dE6gH'}${'x'.repeat(35)}`
  const words = [
    ...Object.values(secrets).filter((value) => value !== 'id'),
    'p@ss-word1',
    key,
    'Authorization: Bearer abcdefghijklmnop',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'https://user:other-password@mirror.test/path',
  ]
  for (const word of words) {
    log.error({ error: `could not use ${word}`, stack: `Error: ${word}\n    at here` }, `failed with ${word}`)
    log.info({ nested: { [word]: [word] } }, 'nested')
  }
  const text = lines.join('')
  for (const secret of [
    ...['p@ss-word1', 'p%40ss-word1', 'mail-secret', 'aws/secret', 'metrics-token', 'lineage-key'],
    ...[key, 'abcdefghijklmnop', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'other-password'],
  ])
    expect(text.includes(secret), secret).toBe(false)
  expect(text).toContain('hx_live_Ab3dE6gH')
  expect(text).toContain('db:5432/hexcast')
})

test('leaves lines without secrets as they are', () => {
  for (const line of [
    '{"url":"https://noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20260820/12/core/file.grib2","msg":"step"}',
    '{"error":"10:30: must be a@b, but is mail@example.org"}',
    '{"path":"/v1/weather","key":"hx_live_Ab3dE6gH"}',
  ])
    expect(withoutSecrets(line, formsOfSecrets(['short', '', 'step']))).toBe(line)
})
