import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { blendWeather, type WeatherInputs } from '../../../api/blend/weather-now.ts'
import type { AlertAtPoint, LightningAtPoint, NowcastAtPoint, RadarAtPoint } from '../../../api/contract.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { PointSeries } from '../../../ingest/tile/read.ts'

/** The warning `nowcast_blended` names what was blended, and no other source. */

const NOW = Date.parse('2026-11-21T12:20:00Z')
const START = Date.parse('2026-11-21T12:00:00Z')
const times = Float64Array.from({ length: 12 }, (_, h) => START + h * HOUR)
const sky = skyAt(40, -100)
const age = (product: string) => [{ source: product, product_id: product }]

const values = { temperature: 285, dew_point: 283, precip_probability: 40, precip_amount: 1 }
const nbm: PointSeries = {
  dataset: 'nbm',
  domain: 'conus',
  run: START - HOUR,
  variables: new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      { times, values: new Float32Array(12).fill(value), quantum: 0 },
    ]),
  ),
}
const radar: RadarAtPoint = {
  ...{ coverage: 'value', validTime: NOW, scanTime: NOW, precipRate: 4, precipType: 'rain' },
  ...{ warnings: [], degraded: false, freshness: age('radar') },
}
const lightning = { flashes: 0, warnings: [], degraded: false, freshness: age('lightning') } as LightningAtPoint
const nowcast = {
  ...{ anchor: NOW, product: 'x', warnings: [], freshness: age('nowcast') },
  points: Array.from({ length: 19 }, (_, i) => ({ time: NOW + i * 300_000, type: 'rain', rate: 4, dbz: 30 })),
} as unknown as NowcastAtPoint
const storm = { event: 'Tornado Warning', onset: NOW - HOUR, ends: NOW + HOUR, expiration: NOW + HOUR } as AlertAtPoint

function blendedWith(sources: Partial<Pick<WeatherInputs, 'radar' | 'lightning' | 'nowcast' | 'alerts' | 'scans'>>) {
  const inputs: WeatherInputs = {
    ...{ now: NOW, sky, runs: [], analysis: undefined, alerts: [], scans: [], unread: [] },
    ...{ radar: undefined, lightning: undefined, nowcast: undefined },
    models: { start: START, count: 12, now: START, sources: new Map([['nbm', [nbm]]]), sky, uncertainty: false },
    ...sources,
  }
  const { blended, warnings } = blendWeather(new Blender(), inputs)
  const [warning] = warnings.hourly
  return { detail: warning?.detail, fields: warning?.fields, ages: blended.map((age) => age.product_id) }
}

test('names nothing if radar, lightning and warnings have nothing for the place', () => {
  expect(blendedWith({})).toEqual({ detail: undefined, fields: undefined, ages: [] })
})

test('names a warning of a storm that only raises the chance of thunder', () => {
  expect(blendedWith({ alerts: [storm] })).toEqual({
    detail: 'In these hours the models are blended with the warning of a storm: weight 1 now, 0 after 120 minutes.',
    fields: ['thunderstorm_probability'],
    ages: [],
  })
})

test('says how amounts go on where there is no nowcast', () => {
  const { detail, fields, ages } = blendedWith({ radar })
  expect(detail).toMatch(
    /blended with radar: .* Amounts are measured; for the next 30 minutes .* assumed to continue\.$/,
  )
  expect(fields).not.toContain('thunderstorm_probability')
  expect(ages).toEqual(['radar'])
})

test('names radar where it is dry now, and scans have measured rain', () => {
  const dry = { ...radar, coverage: 'dry' as const, precipRate: 0, precipType: 'none' as const }
  const scans = Array.from({ length: 11 }, (_, i) => ({ time: START + 2 * i * 60_000, rate: i < 6 ? 12 : 0 }))
  for (const others of [{}, { lightning }]) {
    const { detail, fields, ages } = blendedWith({ radar: dry, scans, ...others })
    expect(detail).toMatch(/blended with radar.* Amounts are measured, then taken from the models\.$/)
    expect(fields).toContain('precip_amount')
    expect(ages).toContain('radar')
  }
})

test('names neither lightning that no source sees here, nor a nowcast that does not cover the place', () => {
  const unseen = { warnings: [], degraded: false, freshness: age('lightning') } as LightningAtPoint
  const { detail, ages } = blendedWith({ alerts: [storm], lightning: unseen })
  expect(detail).toMatch(/blended with the warning of a storm:/)
  expect(ages).toEqual([])
  const points = nowcast.points.map((point) => ({ ...point, type: 'no_coverage' as const }))
  expect(blendedWith({ radar, nowcast: { ...nowcast, points } }).ages).toEqual(['radar'])
})

test('names all that was blended', () => {
  const { detail, fields, ages } = blendedWith({ radar, lightning, nowcast, alerts: [storm] })
  expect(detail).toMatch(/with radar, lightning, and the warning of a storm: .* from the steps of the nowcast\.$/)
  expect(fields).toEqual(expect.arrayContaining(['precip_amount', 'thunderstorm_probability']))
  expect(ages).toEqual(['radar', 'nowcast', 'lightning'])
})
