import { afterEach, expect, test, vi } from 'vitest'
import { readNotices } from '../../ingest/ports/notices.ts'
import { prompter, schedulesFor } from '../../workers/upstream-notices.ts'

const now = Date.UTC(2026, 7, 20, 13, 5)

afterEach(() => {
  vi.useRealTimers()
})
const event = (bucket: string, key: string) => ({
  Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: bucket }, object: { key, size: 1 } } }],
})

test('new objects are read from S3 events, bare or inside of SNS notifications; anything else is recognized', () => {
  const inner = event('noaa-hrrr-bdp-pds', 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2')
  const wanted = [{ bucket: 'noaa-hrrr-bdp-pds', key: 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2' }]
  expect(readNotices(JSON.stringify(inner))).toEqual(wanted)
  expect(readNotices(JSON.stringify({ Type: 'Notification', Message: JSON.stringify(inner) }))).toEqual(wanted)
  expect(readNotices(JSON.stringify(event('b', 'a+b/c%3D1')))).toEqual([{ bucket: 'b', key: 'a b/c=1' }])
  expect(readNotices(JSON.stringify({ Event: 's3:TestEvent' }))).toEqual([])
  expect(readNotices('not json')).toBeUndefined()
  expect(readNotices('{"hello":1}')).toBeUndefined()
})

test('an object concerns the datasets of its bucket', () => {
  const of = (bucket: string, key: string) => schedulesFor({ bucket, key }, now)
  expect(of('noaa-hrrr-bdp-pds', 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2')).toEqual([
    'watch-runs/hrrr',
    'watch-runs/hrrr-long',
  ])
  expect(of('noaa-nbm-grib2-pds', 'blend.20260820/12/core/blend.t12z.core.f001.co.grib2')).toContain('watch-runs/nbm')
  expect(
    of('noaa-mrms-pds', 'CONUS/PrecipRate_00.00/20260820/MRMS_PrecipRate_00.00_20260820-130400.grib2.gz').some((id) =>
      id.startsWith('sweep-frames/'),
    ),
  ).toBe(true)
  expect(of('somebody-else', 'x')).toEqual([])
})

test('a hundred objects of one run are one look', async () => {
  const started: string[] = []
  const woken: string[] = []
  let at = now
  const prompt = prompter(
    { start: async (_, id) => started.push(id) > 0, wake: async (_, prefix) => void woken.push(prefix) },
    { datasets: [], runsPollSeconds: 60, feedPollSeconds: {} },
    () => at,
  )
  const notice = { bucket: 'noaa-nbm-grib2-pds', key: 'blend.20260820/12/core/blend.t12z.core.f001.co.grib2' }
  for (let index = 0; index < 100; index++) await prompt([notice, notice])
  expect(started.filter((id) => id === 'watch-runs/nbm')).toHaveLength(1)
  at += 5_000
  await prompt([notice])
  expect(started.filter((id) => id === 'watch-runs/nbm')).toHaveLength(2)
  expect(woken.filter((prefix) => prefix === 'grid-run/nbm/')).toHaveLength(2)
})

test('what comes right after a look, or while one is under way, is looked at soon after', async () => {
  vi.useFakeTimers({ now })
  const asked: { id: string; taken: boolean }[] = []
  let busy = false
  const prompt = prompter(
    {
      start: async (_, id) => {
        asked.push({ id, taken: !busy })
        return !busy
      },
      wake: async () => {},
    },
    { datasets: [], runsPollSeconds: 60, feedPollSeconds: {} },
    Date.now,
  )
  const of = (product: string) => ({
    bucket: 'noaa-mrms-pds',
    key: `CONUS/${product}/20260820/MRMS_${product}_20260820-130400.grib2.gz`,
  })
  await prompt([of('PrecipRate_00.00')])
  await vi.advanceTimersByTimeAsync(500)
  await prompt([of('PrecipFlag_00.00')])
  await prompt([of('PrecipFlag_00.00')])
  expect(asked).toHaveLength(1)
  busy = true
  await vi.advanceTimersByTimeAsync(500)
  expect(asked.map(({ taken }) => taken)).toEqual([true, false])
  busy = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.map(({ taken }) => taken)).toEqual([true, false, true])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(3)
})
