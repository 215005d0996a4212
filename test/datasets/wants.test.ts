import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sourceOrder } from '../../api/blend/fields.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { gfs } from '../../ingest/datasets/gfs.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import { readIdx } from '../../ingest/decode/idx.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { PAST_HOURS, PAST_VARIABLES } from '../../ingest/domain/dataset/past-hours.ts'
import { SEASON_SOURCES } from '../../ingest/domain/dataset/season.ts'
import { variables } from '../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { chooseRecords } from '../../ingest/steps/grid/plan-file.ts'

const folder = join(import.meta.dirname, '../../../shared/fixtures/binary/idx')

/** Lines of an index by variable. */
function offered(dataset: GridDataset, file: string, lead: number) {
  const records = readIdx(readFileSync(join(folder, file), 'utf8'))
  const { wants, absent } = chooseRecords(records, dataset, 'conus', nth(records, 0).run, lead)
  const lines: Record<string, string> = {}
  for (const { want, messages } of wants) {
    const text = Object.values(messages)
      .map(({ number }) => number)
      .join('+')
    for (const variable of wantedVariables(want)) lines[variable] = text
  }
  return { lines, absent: [...absent].sort() }
}

test('has every variable of a dataset in the table', () => {
  for (const dataset of gridDatasets) {
    for (const name of dataset.wants.flatMap(wantedVariables)) {
      expect(variables.has(name), `${dataset.id}: ${name}`).toBe(true)
    }
  }
})

test('requests every source of a field in its dataset', () => {
  const sources = new Set(
    gridDatasets.flatMap(({ id, wants }) => wants.flatMap(wantedVariables).map((name) => `${id}/${name}`)),
  )
  for (const name of PAST_VARIABLES) {
    for (const id of SEASON_SOURCES) expect(sources, `${PAST_HOURS} is made of ${id}`).toContain(`${id}/${name}`)
    sources.add(`${PAST_HOURS}/${name}`)
  }
  const promised = sourceOrder.flatMap(({ from, analyses = [] }) => [...from, ...analyses])
  expect(promised.filter(({ dataset, variable }) => !sources.has(`${dataset}/${variable}`))).toEqual([
    // The percentiles come from the suite that has them.
    { dataset: 'nbm', variable: 'wind_speed_p50' },
  ])
})

test('names files as listed and finds them in a listing', () => {
  const run = Date.UTC(2026, 7, 5, 12)
  let otherCount = 0
  for (const dataset of gridDatasets) {
    for (const { id } of dataset.domains) {
      for (const lead of dataset.leads(run, id)) {
        const { url, indexUrl } = dataset.file(run, id, lead)
        const { bucket, prefix } = dataset.listing(run, id)
        const key = url.slice(bucket.length + 1)
        expect(url.startsWith(`${bucket}/`)).toBe(true)
        expect(key.startsWith(prefix)).toBe(true)
        expect(indexUrl).toBe(`${url}.idx`)
        expect(dataset.leadOf(key, run, id)).toBe(lead)
        const others = dataset.domains.filter((other) => other.id !== id && !dataset.shared)
        for (const other of others) expect(dataset.leadOf(key, run, other.id)).toBeUndefined()
        otherCount += others.length
      }
      const end = dataset.stages(run, id).at(-1)!.to
      expect(dataset.leads(run, id).at(-1) ?? end).toBeLessThanOrEqual(end)
    }
  }
  expect(otherCount).toBeGreaterThan(0)
})

test('ends NBM leads at third and sixth hours of the clock', () => {
  const at = (hour: number) => nbm.leads(Date.UTC(2026, 7, 5, hour), 'conus')
  expect(at(0).slice(34, 40)).toEqual([35, 36, 39, 42, 45, 48])
  expect(at(1).slice(34, 40)).toEqual([35, 36, 38, 41, 44, 47])
  expect(at(0).slice(-3)).toEqual([252, 258, 264])
  expect(at(7).slice(-2)).toEqual([257, 263])
  // These were listed on 2026-03-01: 99 files of 16Z, and the change of intervals of 03Z.
  const hourly = Array.from({ length: 36 }, (_, k) => k + 1)
  const by = (from: number, to: number, step: number) =>
    Array.from({ length: (to - from) / step + 1 }, (_, k) => from + k * step)
  expect(at(16)).toEqual([...hourly, ...by(38, 188, 3), ...by(194, 260, 6)])
  expect(at(16)).toHaveLength(99)
  expect(at(3).slice(-15)).toEqual([183, 186, 189, 195, 201, 207, 213, 219, 225, 231, 237, 243, 249, 255, 261])
  expect(hrrr.leads(Date.UTC(2026, 7, 5, 13), 'alaska')).toEqual([])
  expect(hrrr.leads(Date.UTC(2026, 7, 5, 15), 'alaska').at(-1)).toBe(18)
})

describe.skipIf(!existsSync(folder))('recorded indexes (skipped if the fixtures are not beside the project)', () => {
  test('NBM core f006, version 5: each want finds its own line among 208', () => {
    const { lines, absent } = offered(nbm, 'nbm_blend.20260805.t12z.core.f006.co.grib2.idx', 6)
    expect(lines).toEqual({
      cape: '13',
      ceiling_prob_below_1000ft: '16',
      ceiling_prob_below_2000ft: '17',
      ceiling_prob_below_3000ft: '19',
      ceiling_prob_below_500ft: '18',
      ceiling_prob_below_6600ft: '20',
      cloud_ceiling: '15',
      cloud_cover: '97',
      damaging_wind_prob: '185',
      dew_point: '35',
      dew_point_stddev: '36',
      hail_prob: '183',
      ice_amount: '41',
      ice_amount_6h: '42',
      precip_amount: '94',
      precip_amount_6h: '95',
      precip_probability: '74',
      precip_probability_6h: '75',
      precip_type_freezing_rain_prob: '77',
      precip_type_ice_pellets_prob: '79',
      precip_type_rain_prob: '78',
      precip_type_snow_prob: '80',
      snow_amount: '130',
      snow_amount_6h: '154',
      snow_level: '182',
      snow_ratio: '114',
      solar_radiation: '38',
      temperature: '187',
      temperature_stddev: '188',
      thunderstorm_probability: '81',
      thunderstorm_probability_3h: '82',
      thunderstorm_probability_6h: '83',
      tornado_prob: '184',
      visibility: '193',
      visibility_prob_below_1mi: '194',
      visibility_prob_below_2mi: '195',
      visibility_prob_below_3mi: '196',
      visibility_prob_below_5mi: '197',
      wind_direction: '202+207',
      wind_gust: '203',
      wind_gust_stddev: '204',
      wind_speed: '207',
      wind_speed_stddev: '208',
    })
    expect(absent).toEqual(['severe_prob', 'wind_speed_prob_gt_75mph'])
  })

  const hrrrFirst = {
    wind_gust: '9',
    visibility: '5',
    pressure: '41',
    surface_pressure: '62',
    temperature: '71',
    dew_point: '74',
    smoke: '76',
  }
  test('HRRR f00 and f08', () => {
    const analysis = offered(hrrr, 'reformatters_hrrr.t00z.wrfsfcf00.grib2.idx', 0)
    expect(analysis.absent).toEqual([])
    expect(analysis.lines).not.toHaveProperty('precip_amount')
    expect(analysis.lines).toMatchObject({ ...hrrrFirst, wind_speed: '77+78', terrain_height: '63' })
    const later = offered(hrrr, 'reformatters_hrrr.t00z.wrfsfcf08.grib2.idx', 8)
    expect(later.absent).toEqual([])
    expect(later.lines).toEqual({
      ...hrrrFirst,
      wind_speed: '77+78',
      wind_direction: '77+78',
      precip_rate: '83',
      precip_amount: '90',
      snow_flag: '93',
      ice_pellets_flag: '94',
      freezing_rain_flag: '95',
      rain_flag: '96',
      cape: '108',
      cloud_cover_low: '116',
      cloud_cover_mid: '117',
      cloud_cover_high: '118',
      cloud_cover: '119',
      solar_radiation: '126',
    })
  })

  test('finds all fields in older HRRR indexes', () => {
    for (const [file, lead] of [
      ['20221014_hrrr.t01z.wrfsfcf00.grib2.idx', 0],
      ['20221014_hrrr.t09z.wrfsfcf05.grib2.idx', 5],
      ['20231104_hrrr.t01z.wrfsfcf05.grib2.idx', 5],
      ['reformatters_hrrr.t00z.wrfsfcf24.grib2.idx', 24],
    ] as const) {
      expect(offered(hrrr, file, lead).absent, file).toEqual([])
    }
  })

  test('GFS f000 and f021: buckets of 3 hours in the middle of the clock’s six', () => {
    const analysis = offered(gfs, 'reformatters_gfs.t00z.pgrb2.0p25.f000.idx', 0)
    expect(analysis.lines).toMatchObject({ temperature: '580', pressure: '1' })
    expect(analysis.lines).not.toHaveProperty('precip_amount_3h')
    const later = offered(gfs, '20221014_gfs.t06z.pgrb2.0p25.f021.idx', 21)
    expect(later.absent).toEqual([])
    const texts = readIdx(readFileSync(join(folder, '20221014_gfs.t06z.pgrb2.0p25.f021.idx'), 'utf8'))
    const text = (variable: string) => texts.find(({ number }) => number === later.lines[variable])!.text
    expect(text('precip_amount_3h')).toBe('APCP:surface:18-21 hour acc fcst:')
    expect(text('cloud_cover_low')).toBe('LCDC:low cloud layer:21 hour fcst:')
    expect(text('rain_flag')).toBe('CRAIN:surface:21 hour fcst:')
    expect(text('ozone')).toContain('TOZNE:entire atmosphere')
  })

  test('RTMA', () => {
    const { lines, absent } = offered(rtma, 'rtma2p5.20260927.t10z.2dvaranl_ndfd.grb2_wexp.idx', 0)
    expect(absent).toEqual([])
    expect(lines).toMatchObject({
      temperature: '3',
      dew_point: '4',
      wind_direction: '8+9',
      cloud_ceiling: '12',
      cloud_cover: '13',
    })
  })
})
