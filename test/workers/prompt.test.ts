import { afterEach, expect, test, vi } from 'vitest'
import { readNotices } from '../../ingest/ports/notices.ts'
import { createNoticeHandler, schedulesFor } from '../../workers/upstream-notices.ts'

const now = Date.UTC(2026, 7, 20, 13, 5)

afterEach(() => {
  vi.useRealTimers()
})
const event = (bucket: string, key: string) => ({
  Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: bucket }, object: { key, size: 1 } } }],
})

test('reads new objects from S3 events, with or without an SNS notification around them, and ignores other messages', () => {
  const inner = event('noaa-hrrr-bdp-pds', 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2')
  const notices = [{ bucket: 'noaa-hrrr-bdp-pds', key: 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2' }]
  expect(readNotices(JSON.stringify(inner))).toEqual(notices)
  expect(readNotices(JSON.stringify({ Type: 'Notification', Message: JSON.stringify(inner) }))).toEqual(notices)
  expect(readNotices(JSON.stringify(event('b', 'a+b/c%3D1')))).toEqual([{ bucket: 'b', key: 'a b/c=1' }])
  expect(readNotices(JSON.stringify({ Event: 's3:TestEvent' }))).toEqual([])
  expect(readNotices('not json')).toBeUndefined()
  expect(readNotices('{"hello":1}')).toBeUndefined()
})

test('finds the schedules of the datasets in the bucket of an object', () => {
  const scheduleIds = (bucket: string, key: string) => schedulesFor({ bucket, key }, now)
  expect(scheduleIds('noaa-hrrr-bdp-pds', 'hrrr.20260820/conus/hrrr.t12z.wrfsfcf00.grib2')).toEqual([
    'watch-runs/hrrr',
    'watch-runs/hrrr-long',
  ])
  expect(scheduleIds('noaa-nbm-grib2-pds', 'blend.20260820/12/core/blend.t12z.core.f001.co.grib2')).toContain(
    'watch-runs/nbm',
  )
  expect(
    scheduleIds('noaa-mrms-pds', 'CONUS/PrecipRate_00.00/20260820/MRMS_PrecipRate_00.00_20260820-130400.grib2.gz').some(
      (id) => id.startsWith('sweep-frames/'),
    ),
  ).toBe(true)
  expect(scheduleIds('somebody-else', 'x')).toEqual([])
})

test('starts one tick for a hundred objects of a run', async () => {
  const started: string[] = []
  const woken: string[] = []
  let at = now
  const handle = createNoticeHandler(
    { start: async (_, id) => started.push(id) > 0, wake: async (_, prefix) => void woken.push(prefix) },
    { datasets: [], runsPollSeconds: 60, feedPollSeconds: {} },
    () => at,
  )
  const notice = { bucket: 'noaa-nbm-grib2-pds', key: 'blend.20260820/12/core/blend.t12z.core.f001.co.grib2' }
  for (let index = 0; index < 100; index++) await handle([notice, notice])
  expect(started.filter((id) => id === 'watch-runs/nbm')).toHaveLength(1)
  at += 5_000
  await handle([notice])
  expect(started.filter((id) => id === 'watch-runs/nbm')).toHaveLength(2)
  expect(woken.filter((prefix) => prefix === 'grid-run/nbm/')).toHaveLength(2)
})

test('starts another tick for an object that arrives right after a tick or while one runs', async () => {
  vi.useFakeTimers({ now })
  const starts: { id: string; isAccepted: boolean }[] = []
  let isBusy = false
  const handle = createNoticeHandler(
    {
      start: async (_, id) => {
        starts.push({ id, isAccepted: !isBusy })
        return !isBusy
      },
      wake: async () => {},
    },
    { datasets: [], runsPollSeconds: 60, feedPollSeconds: {} },
    Date.now,
  )
  const noticeOf = (product: string) => ({
    bucket: 'noaa-mrms-pds',
    key: `CONUS/${product}/20260820/MRMS_${product}_20260820-130400.grib2.gz`,
  })
  await handle([noticeOf('PrecipRate_00.00')])
  await vi.advanceTimersByTimeAsync(500)
  await handle([noticeOf('PrecipFlag_00.00')])
  await handle([noticeOf('PrecipFlag_00.00')])
  expect(starts).toHaveLength(1)
  isBusy = true
  await vi.advanceTimersByTimeAsync(500)
  expect(starts.map(({ isAccepted }) => isAccepted)).toEqual([true, false])
  isBusy = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts.map(({ isAccepted }) => isAccepted)).toEqual([true, false, true])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(starts).toHaveLength(3)
})
