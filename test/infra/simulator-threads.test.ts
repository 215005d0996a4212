import { expect, test } from 'vitest'
import { startSimulator, startSimulatorThread } from '../../infra/simulator/main.ts'
import { stamp } from '../../ingest/domain/time.ts'

test('files of models, made by a thread of their own, are those that are made here, whole and in part', async () => {
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
    const [part, whole] = [await read(threaded.url, file, 'bytes=100-299'), await read(here.url, file)]
    expect(part).toMatchObject({ status: 206, body: whole.body.subarray(100, 300) })
  } finally {
    await threaded.close()
    await here.close()
  }
}, 60_000)
