import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../../api/http/listen.ts'
import { loadConfig } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openMetricsServer } from '../../workers/metrics-server.ts'

// The error of a failed start names what was expected, what happened, and what to do.

test('explains a port that is in use and an address that the machine does not have', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const inUse = {
    name: 'Fault',
    message: `PORT ${port}: cannot listen on 127.0.0.1, because another process listens there. Stop it, or set another port.`,
  }
  const nothing = () => expect.unreachable()
  await expect(listen(nothing, nothing, '127.0.0.1', port)).rejects.toMatchObject(inUse)
  const metrics = { ...inUse, message: `WORKER_METRICS_${inUse.message}` }
  await expect(openMetricsServer('127.0.0.1', port, async () => '')).rejects.toMatchObject(metrics)
  await expect(listen(nothing, nothing, '192.0.2.1', 0)).rejects.toThrow(/no such address. Set HOST/)
  await new Promise((resolve) => other.close(resolve))
})

test('explains a folder that cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-start-'))
  writeFileSync(join(folder, 'a-file'), '')
  const dataDir = join(folder, 'a-file', 'data')
  const failed = await openDatabase({ dataDir, databasePool: 2 }).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    name: 'Fault',
    message: expect.stringMatching(/^DATA_DIR .*data: must be a writable folder, but ENOTDIR/),
  })
  rmSync(folder, { recursive: true })
})

test('rejects an OBJECTS_URL that is neither an S3 address nor a folder', () => {
  for (const url of ['s3:/bucket/prefix', 's3:bucket', 'gs://bucket', 'https://host/bucket', 's3://B']) {
    expect(() => loadConfig({ OBJECTS_URL: url })).toThrow(/OBJECTS_URL is ".*", but must be s3:\/\/bucket\/prefix/)
  }
  expect(loadConfig({ OBJECTS_URL: './tiles' }).objects).toMatchObject({ kind: 'folder' })
  expect(loadConfig({ OBJECTS_URL: 'C:\\tiles' }).objects).toMatchObject({ kind: 'folder' })
})
