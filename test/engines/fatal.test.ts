import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { denyingProxy } from './denying-proxy.ts'
import { freshPlace } from './place.ts'

test('resolves the failure of an engine whose workers may not poll any more', async () => {
  const { address, namespace } = loadConfig().temporal!
  const proxy = await denyingProxy(address)
  const queue = `fatal-${Math.random().toString(36).slice(2)}`
  let sweeps = 0
  const activities = { sweepFrames: async () => void sweeps++, retire: async () => undefined } as unknown as Activities
  const engine = await openTemporalEngine({
    address: proxy.address,
    namespace,
    queue,
    activities,
    clock: Date.now,
    report: () => undefined,
  })
  try {
    await engine.work()
    await engine.start('sweepFrames', `sweep-frames/${queue}`, { dataset: 'mrms' })
    await expect.poll(() => sweeps, { timeout: 30_000 }).toBe(1)
    proxy.deny()
    // The long polls of the workers end within a minute, and the next polls are refused.
    expect(await engine.failure).toBeInstanceOf(Error)
  } finally {
    await engine.stop()
    proxy.close()
  }
})

test('ends a worker process with status 1 and a fatal line once it may not poll any more', async () => {
  const { address } = loadConfig().temporal!
  const place = await freshPlace()
  const proxy = await denyingProxy(address)
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-fatal-'))
  const namespace = `fatal-${Math.random().toString(36).slice(2)}`
  const connection = await Connection.connect({ address })
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  await expect
    .poll(
      () =>
        connection.workflowService.describeNamespace({ namespace }).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/main.ts'), 'worker'], {
    env: {
      ...place.env,
      ...{ TEMPORAL_ADDRESS: proxy.address, TEMPORAL_NAMESPACE: namespace, DATA_DIR: folder },
      ...{ KAFKA_BROKERS: '', OBJECTS_URL: '', S3_ENDPOINT: '', UPSTREAM: 'simulated', DATASETS: 'nws-alerts' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  try {
    const lines: { level: string; msg: string }[] = []
    createInterface({ input: child.stderr! }).on('line', (line) => lines.push(JSON.parse(line)))
    const steps = () => lines.filter(({ msg }) => msg === 'step').length
    await expect.poll(steps, { timeout: 90_000 }).toBeGreaterThan(0)
    proxy.deny()
    expect(await exited).toEqual([1, null])
    expect(lines.filter(({ level }) => level === 'fatal').map(({ msg }) => msg)).toEqual([
      'the worker ends because its engine can run no more workflows',
    ])
  } finally {
    child.kill('SIGKILL')
    await exited
    proxy.close()
    await connection.close()
    await place.drop()
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)
