import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { radarSites } from '../../ingest/datasets/radar-sites.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { openDatabase } from '../../ingest/ports/database-open.ts'
import type { FramePorts } from '../../ingest/steps/frames/frame.ts'
import { sweepRadarSites } from '../../ingest/steps/frames/radar-sites.ts'

test('a sweep of single radars ends after a few requests that are not answered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-silent-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  let requests = 0
  const list = async (bucket: string) => {
    requests++
    throw new Fault('Refused', `${bucket}: wanted an answer, got silence for 30000 ms`)
  }
  try {
    const ports = { database, upstream: { list } } as unknown as FramePorts
    const sweep = await sweepRadarSites(ports, radarSites, Date.parse('2026-08-20T21:40:00Z'))
    const all = Object.values(radarSites.sites).flat().length * radarSites.products.length
    expect(all).toBeGreaterThan(500)
    expect(requests).toBeLessThan(20)
    expect(sweep.troubled.length).toBe(requests)
    expect(sweep.troubled[0]).toContain('silence')
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
