import { describe, expect, it } from 'vitest'
import { hourlyPrecipitation } from '../../../ingest/decode/station/metar-precipitation.ts'

const report = (weather: string, remarks: string) =>
  `KLWS 101456Z AUTO 30006KT 8SM${weather && ` ${weather}`} BKN040 06/03 A3004 RMK ${remarks}`

describe('the amount of an hour', () => {
  it('is the amount of the remark, and 0 for a trace', () => {
    expect(hourlyPrecipitation(report('-RA', 'AO2 SLP123 P0013'))).toBeCloseTo(3.302)
    expect(hourlyPrecipitation(report('-SN', 'AO2 RAE20SNB20 P0000'))).toBe(0)
    expect(hourlyPrecipitation(report('RA', 'AO2 P0001='))).toBeCloseTo(0.254)
  })

  it('is 0 without the remark if a discriminator reports no precipitation in the hour', () => {
    for (const [weather, remarks] of [
      ['', 'AO2'],
      ['', 'AO2A SLP201 T00610028'],
      ['BR', 'A02 TSB12E40 PK WND 28030/1420'],
      ['HZ VCSH', 'AO2 PRESFR'],
      ['BLSN', 'AO2 SLPNO'],
      ['FZFG DRSN', 'AO2'],
    ] as const)
      expect(hourlyPrecipitation(report(weather, remarks)), `${weather} ${remarks}`).toBe(0)
  })

  it.each(['-RA', '+SN', 'DZ', 'UP', '-FZRA', 'SHRA', '+TSRAGR', '-RASN BR', 'PL', 'GS', 'IC', 'RERA', 'RESHSN', '//'])(
    'is unknown without the remark where the report has the weather %s',
    (weather) => expect(hourlyPrecipitation(report(weather, 'AO2 SLP090'))).toBeNull(),
  )

  it.each(['RAB05', 'RAE31', 'SNB1438E1450', 'TSB02RAB07E29', 'UPB01E04DZB10', '-FZRAB40', 'PWINO'])(
    'is unknown without the remark where the remarks have %s',
    (remark) => expect(hourlyPrecipitation(report('', `AO2 ${remark} T00610028`))).toBeNull(),
  )

  it.each(['P////', 'P///', 'P/', 'P012', 'P00123', 'P0O12', 'PNO'])(
    'is unknown where the gauge reports %s',
    (group) => {
      expect(hourlyPrecipitation(report('RA', `AO2 ${group}`))).toBeNull()
      expect(hourlyPrecipitation(report('', `AO2 ${group}`))).toBeNull()
    },
  )

  it('is unknown without a discriminator, and without remarks', () => {
    expect(hourlyPrecipitation(report('', 'AO1'))).toBeNull()
    expect(hourlyPrecipitation(report('', 'SLP123'))).toBeNull()
    expect(hourlyPrecipitation('KLWS 101456Z 30006KT 10SM CLR 06/03 A3004')).toBeNull()
  })

  it('is unknown without the remark if an earlier report of the hour has precipitation', () => {
    const now = report('', 'AO2')
    expect(hourlyPrecipitation(now, [report('', 'AO2'), report('-RA', 'AO2')])).toBeNull()
    expect(hourlyPrecipitation(now, [report('BR', 'AO2')])).toBe(0)
    expect(hourlyPrecipitation(report('', 'AO2 P0000'), [report('-RA', 'AO2')])).toBe(0)
  })
})
