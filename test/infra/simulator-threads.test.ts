import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { startSimulator, startSimulatorThread } from '../../infra/simulator/main.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { sourcesInThread } from '../../infra/simulator/source-thread.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { stamp } from '../../ingest/domain/time.ts'

test('builds the same model files in a separate thread as in this thread, whole and in part', async () => {
  const [threaded, here] = await Promise.all([startSimulatorThread({ coarse: 60 }), startSimulator({ coarse: 60 })])
  try {
    const { day, hour } = stamp(Date.now() - 4 * 3_600_000)
    const file = `noaa-hrrr-bdp-pds.s3.amazonaws.com/hrrr.${day}/conus/hrrr.t${hour}z.wrfsfcf03.grib2`
    const read = async (url: string, path: string, range?: string) => {
      const reply = await fetch(`${url}/${path}`, { headers: range ? { range } : {} })
      return { status: reply.status, etag: reply.headers.get('etag'), body: Buffer.from(await reply.arrayBuffer()) }
    }
    for (const path of [`${file}.idx`, file, `${file}.idx`, `${file}.nothing`]) {
      expect(await read(threaded.url, path)).toEqual(await read(here.url, path))
    }
    const [part, full] = [await read(threaded.url, file, 'bytes=100-299'), await read(here.url, file)]
    expect(part).toMatchObject({ status: 206, body: full.body.subarray(100, 300) })
  } finally {
    await threaded.close()
    await here.close()
  }
}, 60_000)

test('ends an idle thread, and starts another for the next file', async () => {
  const threads: Worker[] = []
  const count = (thread: Worker) => void threads.push(thread)
  process.on('worker', count)
  try {
    const module = new URL('../../infra/simulator/models-thread.ts', import.meta.url)
    const threadSources = sourcesInThread(modelSources(60), module, { coarse: 60 }, 50)
    const here = modelSources(60)
    const now = Date.now()
    const { day, hour } = stamp(now - 4 * 3_600_000)
    const bodyOf = async (sources: typeof here, lead: string) => {
      const path = `/hrrr.${day}/conus/hrrr.t${hour}z.wrfsfcf${lead}.grib2`
      const source = sources.find(({ host }) => host === 'noaa-hrrr-bdp-pds.s3.amazonaws.com')
      return (await source!.find(path, new URLSearchParams(), now))!.body()
    }
    expect(threads).toHaveLength(0)
    expect(Buffer.from(await bodyOf(threadSources, '01'))).toEqual(Buffer.from(await bodyOf(here, '01')))
    const ended = new Promise((resolve) => nth(threads, 0).once('exit', resolve))
    await ended
    const [again, other] = await Promise.all([bodyOf(threadSources, '01'), bodyOf(threadSources, '02')])
    expect(Buffer.from(again)).toEqual(Buffer.from(await bodyOf(here, '01')))
    expect(Buffer.from(other)).toEqual(Buffer.from(await bodyOf(here, '02')))
    expect(threads).toHaveLength(2)
  } finally {
    process.off('worker', count)
  }
}, 60_000)
