import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeMetar } from '../../../ingest/decode/station/metar.ts'
import {
  ceilingFt,
  flightCategory,
  METERS_PER_MILE,
  type MetarReport,
} from '../../../ingest/domain/weather/observation.ts'
import { mutated } from './metar-mutations.ts'

const near = Date.UTC(2026, 1, 7, 7)

function decode(raw: string, at = near): MetarReport {
  const decoded = decodeMetar(raw, at)
  if ('rejected' in decoded) throw new Error(`${decoded.rejected.reason}: ${raw}`)
  return decoded.report
}

const reason = (raw: string) => {
  const decoded = decodeMetar(raw, near)
  return 'rejected' in decoded ? decoded.rejected.reason : undefined
}

const body = (groups: string) => decode(`KDEN 070653Z ${groups}`)
const miles = ({ visibility }: MetarReport) => visibility && Math.round((visibility / METERS_PER_MILE) * 100) / 100
const knots = (speed: number | null) => speed && Math.round((speed * 3600) / 1852)

describe('header', () => {
  test('reads type, correction and AUTO', () => {
    expect(decode('METAR KDEN 070653Z AUTO 00000KT 10SM CLR 05/M02 A3012')).toMatchObject({
      station: 'KDEN',
      type: 'METAR',
      auto: true,
      corrected: false,
      observedAt: Date.UTC(2026, 1, 7, 6, 53),
    })
    expect(decode('SPECI COR K0VG 070653Z 00000KT 10SM CLR 05/M02 A3012')).toMatchObject({
      station: 'K0VG',
      type: 'SPECI',
      corrected: true,
    })
    expect(decode('KDEN 070653Z COR 00000KT 10SM').corrected).toBe(true)
    expect(decode('CYYZ 070653Z CCA 36005KT 15SM')).toMatchObject({ corrected: true, windDirection: 360 })
  })

  test('removes blanks and the closing sign from the report', () => {
    expect(decode('  KDEN  070653Z 00000KT\n     10SM CLR =').raw).toBe('KDEN 070653Z 00000KT 10SM CLR')
  })

  test.each([
    ['312355Z', Date.UTC(2026, 1, 1, 0, 20), Date.UTC(2026, 0, 31, 23, 55)],
    ['010005Z', Date.UTC(2026, 0, 31, 23, 50), Date.UTC(2026, 1, 1, 0, 5)],
    ['291200Z', Date.UTC(2026, 1, 13, 12), Date.UTC(2026, 0, 29, 12)],
    ['291200Z', Date.UTC(2028, 1, 29, 13), Date.UTC(2028, 1, 29, 12)],
    ['312359Z', Date.UTC(2027, 0, 1, 0, 1), Date.UTC(2026, 11, 31, 23, 59)],
    ['070655Z', Date.UTC(2026, 1, 7, 4, 33, 6), Date.UTC(2026, 1, 7, 6, 55)],
  ])('%s is the moment nearest to its row', (time, at, expected) => {
    expect(new Date(decode(`KJXI ${time} 00000KT`, at).observedAt)).toEqual(new Date(expected))
  })

  test.each([
    ['', 'no_station'],
    ['1QQQ 081354Z AUTO 17027G37KT', 'no_station'],
    ['QQQQ O81354Z AUTO 17027G37KT', 'no_time'],
    ['KDEN 072460Z 00000KT', 'no_time'],
    ['KDEN 320000Z 00000KT', 'no_time'],
    ['KDEN 070653 00000KT', 'no_time'],
    ['KDEN 070653Z NIL', 'nil'],
    ['NCMH 070700Z AUTO NIL=', 'nil'],
    ['QQQQ 081354Z=', 'empty'],
    ['FAUT 070700Z AUTO /////KT //// // ////// ///// Q////', 'empty'],
    [`KDEN 070653Z 00000KT ${'X'.repeat(1000)}`, 'too_long'],
  ])('%s: %s', (raw, expected) => expect(reason(raw)).toBe(expected))
})

describe('wind', () => {
  test.each([
    ['27015G25KT', 270, 15, 25],
    ['36010KT', 360, 10, null],
    ['VRB03KT', null, 3, null],
    ['VRB08G18KT', null, 8, 18],
    ['00000KT', null, 0, null],
    ['/////KT', null, null, null],
    ['///05KT', null, 5, null],
    ['180105G130KT', 180, 105, 130],
    ['30011G021KT', 300, 11, 21],
    ['22015G10KT', 220, 15, null],
    ['37010KT', null, 10, null],
    ['05005MPS', 50, 10, null],
    ['09018KMH', 90, 10, null],
    ['E36006KT', null, null, null],
  ])('%s', (group, direction, speed, gust) => {
    const report = body(`${group} 10SM`)
    expect([report.windDirection, knots(report.windSpeed), knots(report.windGust)]).toEqual([direction, speed, gust])
  })

  test('uses only the first wind group, and no group of variation', () => {
    expect(body('18005KT 150V210 10SM A2992 24020KT')).toMatchObject({ windDirection: 180 })
  })
})

describe('visibility', () => {
  test.each([
    ['10SM', 10],
    ['P6SM', 6],
    ['M1/4SM', 0.25],
    ['1/2SM', 0.5],
    ['1 1/2SM', 1.5],
    ['2 1/4 SM', 2.25],
    ['10 SM', 10],
    ['0SM', 0],
    ['1/16SM', 0.06],
    ['15/16SM', 0.94],
    ['11/2SM', 1.5],
    ['1/0SM', null],
    ['999SM', null],
    ['////', null],
    ['////SM', null],
    ['9999', 6.21],
    ['CAVOK', 6.21],
    ['9999NDV', 6.21],
    ['0800NE', 0.5],
    ['M0400', 0.25],
    ['P6000', 3.73],
    ['4000 1500SW', 2.49],
    ['6KM', 3.73],
    ['0000', 0],
  ])('%s', (group, expected) => expect(miles(body(`00000KT ${group} OVC010 05/05`))).toBe(expected))

  test('ignores groups of remarks and trends, and runway ranges', () => {
    expect(body('00000KT R17L/2400FT OVC002 05/05 A2992 RMK VIS 1/2SM').visibility).toBeNull()
    expect(body('00000KT NSC 05/05 Q1012 TEMPO 4000').visibility).toBeNull()
  })
})

describe('sky', () => {
  test('returns layers in the order of the report, with bases and convective clouds', () => {
    const report = body('00000KT 10SM FEW015CB SCT020TCU BKN030 OVC120')
    expect(report.layers).toEqual([
      { cover: 'FEW', base_ft: 1500, convective: 'CB' },
      { cover: 'SCT', base_ft: 2000, convective: 'TCU' },
      { cover: 'BKN', base_ft: 3000 },
      { cover: 'OVC', base_ft: 12000 },
    ])
    expect(ceilingFt(report.layers)).toBe(3000)
  })

  test.each(['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK'])('%s is CLR alone', (group) =>
    expect(body(`00000KT ${group} 05/05`).layers).toEqual([{ cover: 'CLR' }]),
  )

  test.each([
    ['VV///', [{ cover: 'VV' }], undefined],
    ['VV002', [{ cover: 'VV', base_ft: 200 }], 200],
    ['OVC000', [{ cover: 'OVC', base_ft: 0 }], 0],
    ['BKN///', [{ cover: 'BKN' }], undefined],
    ['BKN010///', [{ cover: 'BKN', base_ft: 1000 }], 1000],
    ['//////', [{ cover: '///' }], undefined],
    ['//////CB', [{ cover: '///', convective: 'CB' }], undefined],
    ['///015', [{ cover: '///', base_ft: 1500 }], undefined],
  ])('%s', (group, layers, ceiling) => {
    const report = body(`00000KT 9999 ${group} 05/05`)
    expect(report.layers).toEqual(layers)
    expect(ceilingFt(report.layers)).toBe(ceiling)
  })

  test('are absent without a sky group', () => expect(body('00000KT 10SM 05/05')).not.toHaveProperty('layers'))
})

describe('weather', () => {
  test('returns the tokens of the body as written', () => {
    expect(body('00000KT 3SM +TSRA -RA VCTS FZFG UP BLSN OVC010 05/05 A2992').weather).toEqual([
      '+TSRA',
      '-RA',
      'VCTS',
      'FZFG',
      'UP',
      'BLSN',
    ])
    expect(body('00000KT 10SM VCSH SHRA TSGRRA BCFG +FC OVC010').weather).toEqual([
      'VCSH',
      'SHRA',
      'TSGRRA',
      'BCFG',
      '+FC',
    ])
  })

  test('ignores weather of remarks, of trends, of the recent past, and other words', () => {
    expect(body('00000KT 9999 NSC 05/05 Q1012 RERA TEMPO TSRA').weather).toEqual([])
    expect(body('00000KT 10SM CLR 05/05 A2992 RMK RA SN TS').weather).toEqual([])
    expect(body('00000KT 10SM RERA MI FZ // BLU CLR 05/05').weather).toEqual([])
    expect(body('00000KT 10SM CLR').weather).toEqual([])
  })
})

describe('temperature', () => {
  test.each([
    ['21/16 A3002 RMK AO2 T02130157', 21.3, 15.7],
    ['M07/M09 A2962 RMK T10721089', -7.2, -8.9],
    ['M00/M01', 0, -1],
    ['00/M00 RMK T00001000', 0, 0],
    ['03/ A3014 RMK AO2 T0028', 2.8, null],
    ['17/ A3009 RMK T0173////', 17.3, null],
    ['13/12 A3016 RMK T01400128', 13, 12],
    ['// A3016 RMK T01400128', null, null],
    ['/ / A3016', null, null],
    ['01/01 RMK T00060007', 0.6, null],
    ['05/08', 5, null],
    ['23/M2', 23, -2],
    ['M01/XX', -1, null],
    ['41///', 41, null],
  ])('%s', (groups, temperature, dewPoint) => {
    const report = body(`00000KT 10SM CLR ${groups}`)
    expect([report.temperature, report.dewPoint]).toEqual([temperature, dewPoint])
    expect(Object.is(report.temperature, -0) || Object.is(report.dewPoint, -0)).toBe(false)
  })
})

describe('pressure', () => {
  test.each([
    ['A2992', 29.92],
    ['Q1013', 29.91],
    ['A30', null],
    ['A////', null],
    ['Q////', null],
    ['A9999', null],
    ['A3012 Q1020', 30.12],
    ['SLP102', null],
    ['QNH2992INS', 29.92],
  ])('%s', (group, inches) => {
    const { pressure } = body(`00000KT 10SM CLR 05/05 ${group}`)
    expect(pressure && Math.round(pressure / 33.86389) / 100).toBe(inches)
  })

  test('is never the sea-level pressure', () => expect(body('00000KT 10SM RMK SLP196').pressure).toBeNull())
})

test.each([
  ['10SM CLR', 'VFR'],
  ['10SM OVC004', 'LIFR'],
  ['10SM OVC005', 'IFR'],
  ['10SM BKN010', 'MVFR'],
  ['10SM BKN030', 'MVFR'],
  ['10SM BKN031', 'VFR'],
  ['M1/4SM CLR', 'LIFR'],
  ['1SM CLR', 'IFR'],
  ['3SM CLR', 'MVFR'],
  ['5SM CLR', 'MVFR'],
  ['6SM CLR', 'VFR'],
  ['P6SM SCT001', 'VFR'],
  ['10SM', null],
  ['2SM', 'IFR'],
  ['CLR', null],
  ['OVC002', 'LIFR'],
  ['10SM VV///', null],
  ['1/4SM VV///', 'LIFR'],
  ['5SM OVC020', 'MVFR'],
  ['9999 //////', null],
])('flight category of %s: %s', (groups, expected) => {
  expect(flightCategory(body(`00000KT ${groups} 05/05`))).toBe(expected)
})

test('reads each of 5,000 mutated reports as a record with values in range or as a rejection with a reason', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => mutated(seed)),
    { numRuns: 5000, seed: 17 },
  )
})
