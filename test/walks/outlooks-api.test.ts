import { describe, expect, test } from 'vitest'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import { sweepOutlooks } from '../../ingest/steps/feeds/outlooks.ts'
import { ask, DENVER, json, mirror, ports, until, useAlertSystem } from './alert-system.ts'

useAlertSystem()

describe('outlooks, from file to answer', () => {
  const time = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 12)
  const box = [
    [
      [-106, 38],
      [-103, 38],
      [-103, 41],
      [-106, 41],
      [-106, 38],
    ],
  ]
  const outlook = (levels: { label: string; dn: number; ring?: number[][][] }[], issued = -1) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: (levels.length ? levels : [{ label: '', dn: 0 }]).map(({ label, dn, ring }) => ({
        type: 'Feature',
        geometry: levels.length
          ? { type: 'Polygon', coordinates: ring ?? box }
          : { type: 'GeometryCollection', geometries: [] },
        properties: { DN: dn, LABEL: label, VALID: time(-1), EXPIRE: time(12), ISSUE: time(issued) },
      })),
    })
  const spc = (name: string) => `www.spc.noaa.gov/products/outlook/${name}.geojson`

  test('does not say that an area is not significant before the file of significant areas was read', async () => {
    const severe = async () => {
      const answer = await json(`/v1/weather?${DENVER}&include=outlooks`)
      return (answer.outlooks as Record<string, unknown>[] | undefined)?.find(({ type }) => type === 'severe')
    }
    mirror.set(spc('day1otlk_cat.nolyr'), outlook([{ label: 'MRGL', dn: 3 }], -2))
    for (const part of ['hail', 'wind']) mirror.set(spc(`day1otlk_cig${part}.nolyr`), outlook([], -2))
    mirror.set(spc('day1otlk_cigtorn.nolyr'), { status: 500 })
    await sweepOutlooks(ports(), outlookFiles)
    await until(async () => (await severe()) !== undefined, 8000)
    expect(await severe()).not.toHaveProperty('significant')
    mirror.set(spc('day1otlk_cigtorn.nolyr'), outlook([], -2))
    await sweepOutlooks(ports(), outlookFiles)
    await until(async () => (await severe())?.['significant'] === false, 8000)
  }, 40_000)

  test('an answer has the highest level of each day and hazard, marks significant areas, and a new issue replaces the old', async () => {
    mirror.set(
      spc('day1otlk_cat.nolyr'),
      outlook([
        { label: 'TSTM', dn: 2 },
        { label: 'SLGT', dn: 4 },
      ]),
    )
    mirror.set(
      spc('day1otlk_torn.lyr'),
      outlook([
        { label: '0.02', dn: 2 },
        { label: '0.05', dn: 5 },
      ]),
    )
    mirror.set(spc('day1otlk_hail.nolyr'), outlook([{ label: '0.15', dn: 15 }]))
    mirror.set(spc('day1otlk_wind.nolyr'), outlook([]))
    mirror.set(spc('day1otlk_cigtorn.nolyr'), outlook([{ label: 'CIG1', dn: 1 }]))
    mirror.set(spc('day1otlk_cighail.nolyr'), outlook([]))
    const swept = await sweepOutlooks(ports(), outlookFiles)
    expect(swept.failed).toEqual([])
    const at = async (where = DENVER) => (await json(`/v1/weather?${where}&include=outlooks`)).outlooks
    // The files arrive one by one; the significant area is a file of its own.
    await until(async () => (await at())?.[1]?.significant === true, 8000)
    expect(await at()).toMatchObject([
      { type: 'severe', day: 1, risk: 'SLGT', risk_label: 'Slight', significant: true, product_id: 'day1otlk_cat' },
      { type: 'tornado', day: 1, probability: 0.05, risk_label: '5%', significant: true },
      { type: 'hail', day: 1, probability: 0.15, significant: false },
    ])
    // A place without an outlook gets an empty list once every file was read.
    await until(async () => (await at('lat=30.27&lon=-97.74')) !== undefined, 8000)
    expect(await at('lat=30.27&lon=-97.74')).toEqual([])
    expect((await sweepOutlooks(ports(), outlookFiles)).changed).toEqual([])
    mirror.set(spc('day1otlk_cat.nolyr'), outlook([{ label: 'ENH', dn: 5 }], 0))
    expect((await sweepOutlooks(ports(), outlookFiles)).changed).toEqual(['day1otlk_cat'])
    await until(async () => (await at())[0].risk === 'ENH', 3000)
    mirror.set(spc('day1otlk_hail.nolyr'), { status: 500 })
    await sweepOutlooks(ports(), outlookFiles)
    await until(
      async () => (await ask(`/v1/weather?${DENVER}&include=outlooks`)).headers.get('cache-control') === 'no-store',
      8000,
    )
    expect((await at()).length).toBe(3)
  }, 40_000)

  test('the points text stands in for a file that fails', async () => {
    const now = new Date()
    const stamp = (hours: number) => {
      const at = new Date(Date.now() + hours * 3_600_000).toISOString()
      return at.slice(8, 10) + at.slice(11, 13) + at.slice(14, 16)
    }
    const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
    mirror.set(
      'tgftp.nws.noaa.gov/data/raw/wu/wuus02.kwns.pts.dy2.txt',
      `000
WUUS02 KWNS ${stamp(0)}
PTSDY2

DAY 2 CONVECTIVE OUTLOOK AREAL OUTLINE
NWS STORM PREDICTION CENTER NORMAN OK
0100 PM CDT FRI ${months[now.getUTCMonth()]} ${now.getUTCDate()} ${now.getUTCFullYear()}

VALID TIME ${stamp(12)}Z - ${stamp(36)}Z

PROBABILISTIC OUTLOOK POINTS DAY 2

... TORNADO ...

0.05   38000600 41000600 41000300 38000300 38000600
&&

CATEGORICAL OUTLOOK POINTS DAY 2

... CATEGORICAL ...

SLGT   38000600 41000600 41000300 38000300 38000600
&&
`,
    )
    mirror.set(spc('day2otlk_cat.nolyr'), '<html>down</html>')
    const swept = await sweepOutlooks(ports(), outlookFiles)
    expect(swept.changed).toContain('day2otlk_torn')
    const day2 = async () =>
      (await json(`/v1/weather?${DENVER}&include=outlooks`)).outlooks.filter(
        (alert: { day: number }) => alert.day === 2,
      )
    await until(async () => (await day2()).length === 2, 8000)
    expect(await day2()).toMatchObject([
      { type: 'severe', risk_label: 'Slight' },
      { type: 'tornado', probability: 0.05 },
    ])
  }, 30_000)
})
