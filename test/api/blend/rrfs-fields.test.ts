import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import type { Column } from '../../../api/blend/fields.ts'
import { TRACE_WIDTH } from '../../../api/blend/trace.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { RAIN, SNOW } from '../../../ingest/domain/weather/precip-type.ts'
import type { PointSeries, Series } from '../../../ingest/tile/read.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
/** First and last hour of each dataset, all of runs at the start of the axis. GFS has every third hour. */
const reach = {
  nbm: [1, 110],
  hrrr: [0, 18],
  rrfs: [0, 18],
  'rrfs-long': [19, 84],
  'hrrr-long': [19, 48],
  gfs: [0, 117],
}
type Dataset = keyof typeof reach

const layers = ['cloud_cover_low', 'cloud_cover_mid', 'cloud_cover_high'] as const
const all = ['temperature', 'visibility', 'cloud_cover', 'cape'] as const
const fine = ['pressure', ...layers, 'precip_amount', 'snow_flag', 'rain_flag'] as const
/** What each dataset has. GFS, HRRR and RRFS have flags of types: GFS forecasts rain, the others snow. */
const fields: Readonly<Record<Dataset, readonly string[]>> = {
  nbm: [...all, 'cloud_ceiling'],
  hrrr: [...all, ...fine, 'smoke'],
  'hrrr-long': [...all, ...fine, 'smoke'],
  rrfs: [...all, ...fine, 'smoke', 'cloud_ceiling'],
  'rrfs-long': [...all, ...fine, 'smoke', 'cloud_ceiling'],
  gfs: [...all, 'pressure', ...layers, 'precip_amount_3h', 'snow_flag', 'rain_flag'],
}
const values: Readonly<Record<string, number>> = {
  temperature: 274.5,
  precip_amount: 1,
  precip_amount_3h: 3,
}

function runOf(dataset: Dataset): PointSeries {
  const [first = 0, last = 0] = reach[dataset]
  const step = dataset === 'gfs' ? 3 : 1
  const hours = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step)
  const flags = { snow_flag: Number(dataset !== 'gfs'), rain_flag: Number(dataset === 'gfs') }
  const own: Readonly<Record<string, number>> = { ...values, ...flags }
  const times = Float64Array.from(hours, (hour) => START + hour * HOUR)
  const variables = new Map<string, Series>(
    fields[dataset].map((name) => [
      name,
      { times, values: new Float32Array(times.length).fill(own[name] ?? 50), quantum: 0 },
    ]),
  )
  return { dataset, domain: 'conus', run: START, variables }
}

function blended(...datasets: Dataset[]) {
  const sources = new Map(datasets.map((dataset) => [dataset, [runOf(dataset)]]))
  const about = { start: START, count: 118, now: START, sky: skyAt(40, -100), uncertainty: false, traced: true }
  return new Blender().blend({ ...about, sources })
}

/** The dataset of the value of each hour; `none` if there is no value. */
function datasetsOf({ traces }: ReturnType<typeof blended>, field: Column): string[] {
  const trace = traces?.get(field)
  if (!trace) throw new Error(`${field} must be traced`)
  return Array.from(
    { length: 118 },
    (_, h) => trace.fills[trace.hours[h * TRACE_WIDTH] ?? -1]?.series.dataset ?? 'none',
  )
}

test('takes hours 19 to 84 of the fields that NBM does not have from RRFS, before later hours of HRRR and before GFS', () => {
  const blend = blended('nbm', 'hrrr', 'rrfs', 'rrfs-long', 'hrrr-long', 'gfs')
  for (const field of ['pressure', ...layers, 'smoke'] as const) {
    const own = datasetsOf(blend, field)
    expect(new Set(own.slice(1, 19)), field).toEqual(new Set(['hrrr']))
    expect(new Set(own.slice(19, 85)), field).toEqual(new Set(['rrfs-long']))
    expect(new Set(own.slice(88, 117)), field).toEqual(new Set([field === 'smoke' ? 'none' : 'gfs']))
  }
  // NBM leads for what it calibrates.
  for (const field of ['temperature', 'visibility', 'cape', 'cloud_ceiling'] as const)
    expect(new Set(datasetsOf(blend, field).slice(1, 85)), field).toEqual(new Set(['nbm']))
})

test('takes hours 19 to 84 of visibility, ceiling, CAPE and precipitation type from RRFS before GFS if NBM is absent', () => {
  const blend = blended('hrrr', 'rrfs', 'rrfs-long', 'gfs')
  for (const field of ['visibility', 'cape', 'cloud_ceiling'] as const)
    expect(new Set(datasetsOf(blend, field).slice(19, 85)), field).toEqual(new Set(['rrfs-long']))
  expect(new Set(datasetsOf(blend, 'cloud_ceiling').slice(1, 19))).toEqual(new Set(['rrfs']))
  expect(new Set(blend.precipType.slice(2, 85))).toEqual(new Set([SNOW]))
  expect(new Set(blend.precipType.slice(90, 117))).toEqual(new Set([RAIN]))
})

test('does not fill an hour without a ceiling in NBM from RRFS, and knows no ceiling where nobody has one', () => {
  const unlimited = (blend: ReturnType<typeof blended>, h: number) => [
    blend.columns.cloud_ceiling[h],
    blend.ceilingUnlimited[h],
  ]
  const nbm = runOf('nbm')
  nbm.variables.get('cloud_ceiling')?.values.fill(Number.NaN)
  const sources = new Map([
    ['nbm', [nbm]],
    ['rrfs-long', [runOf('rrfs-long')]],
  ])
  const about = { start: START, count: 118, now: START, sky: skyAt(40, -100), uncertainty: false }
  expect(unlimited(new Blender().blend({ ...about, sources }), 50)).toEqual([Number.NaN, 1])
  const rrfs = runOf('rrfs-long')
  rrfs.variables.get('cloud_ceiling')?.values.fill(Number.NaN, 10)
  const alone = new Blender().blend({ ...about, sources: new Map([['rrfs-long', [rrfs]]]) })
  expect([20, 50, 90].map((h) => unlimited(alone, h))).toEqual([
    [50, 0],
    [Number.NaN, 1],
    [Number.NaN, 0],
  ])
})
