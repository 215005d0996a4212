import { expect, test } from 'vitest'
import { frameDatasets } from '../../ingest/catalog.ts'
import { stamp } from '../../ingest/domain/time.ts'

/** Keys as readers of NOAA's buckets recorded them, with the instant that each stands for. */
const recordedKeys = [
  // Listed by readers of noaa-mrms-pds in September and October 2026.
  ['storm-tracks', 'conus', 'ProbSevere/20261004/MRMS_PROBSEVERE_20261004_235839.json', '2026-10-04T23:58:39Z'],
  [
    'mrms-precip-rate',
    'conus',
    'CONUS/PrecipRate_00.00/20260219/MRMS_PrecipRate_00.00_20260219-042400.grib2.gz',
    '2026-02-19T04:24:00Z',
  ],
  // An hourly accumulation of Alaska of 2022 that is stamped two minutes before its hour.
  [
    'mrms-qpe-1h-pass1',
    'alaska',
    'ALASKA/MultiSensor_QPE_01H_Pass1_00.00/20220904/MRMS_MultiSensor_QPE_01H_Pass1_00.00_20220904-015800.grib2.gz',
    '2022-09-04T02:00:00Z',
  ],
] as const

test.each(recordedKeys)('%s of %s is listed by the prefix of %s and read as %s', (id, domain, key, time) => {
  const dataset = frameDatasets.find((one) => one.id === id)!
  const instant = Date.parse(time)
  expect(dataset.timeOf(key)).toBe(instant)
  const prefixes = dataset.listings(instant + 60_000, domain).map(({ prefix }) => prefix)
  expect(prefixes.some((prefix) => key.startsWith(prefix))).toBe(true)
})

test('keeps the stamp of an hourly accumulation that is far from the hour', () => {
  const dataset = frameDatasets.find((one) => one.id === 'mrms-qpe-1h')!
  const { day } = stamp(Date.parse('2026-02-19T00:00:00Z'))
  const key = `CONUS/MultiSensor_QPE_01H_Pass2_00.00/${day}/MRMS_MultiSensor_QPE_01H_Pass2_00.00_${day}-013000.grib2.gz`
  expect(dataset.timeOf(key)).toBe(Date.parse('2026-02-19T01:30:00Z'))
})
