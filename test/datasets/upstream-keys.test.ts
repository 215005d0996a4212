import { expect, test } from 'vitest'
import { frameFacts } from '../../infra/simulator/facts.ts'
import { frameDatasets } from '../../ingest/catalog.ts'
import { stamp } from '../../ingest/domain/time.ts'

test.each(frameFacts)(
  '$dataset of $domain is listed by the prefix of $key and read as $time',
  ({ dataset: id, domain, key, time }) => {
    const dataset = frameDatasets.find((candidate) => candidate.id === id)!
    const instant = Date.parse(time)
    expect(dataset.timeOf(key)).toBe(instant)
    const prefixes = dataset.listings(instant + 60_000, domain).map(({ prefix }) => prefix)
    expect(prefixes.some((prefix) => key.startsWith(prefix))).toBe(true)
  },
)

test('keeps the stamp of an hourly accumulation that is far from the hour', () => {
  const dataset = frameDatasets.find((candidate) => candidate.id === 'mrms-qpe-1h')!
  const { day } = stamp(Date.parse('2026-02-19T00:00:00Z'))
  const key = `CONUS/MultiSensor_QPE_01H_Pass2_00.00/${day}/MRMS_MultiSensor_QPE_01H_Pass2_00.00_${day}-013000.grib2.gz`
  expect(dataset.timeOf(key)).toBe(Date.parse('2026-02-19T01:30:00Z'))
})
