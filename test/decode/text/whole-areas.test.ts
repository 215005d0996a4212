import { describe, expect, it } from 'vitest'
import { readAlertGeoJson } from '../../../ingest/decode/alert/geojson.ts'
import { readOutlook } from '../../../ingest/decode/outlook/spc-geojson.ts'
import { readPoints } from '../../../ingest/decode/outlook/spc-pts.ts'
import { readTexts } from '../../../ingest/decode/text/item.ts'
import { readZone } from '../../../ingest/decode/zone.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { transmission } from './files.ts'

const issuedAt = Date.UTC(2026, 4, 12, 20, 5)

/** Returns what is read from a discussion with this text after LAT...LON. */
function discussion(corners: string, kind: 'SWOMCD' | 'FFGMPD' = 'SWOMCD') {
  const [office, title] = kind === 'SWOMCD' ? ['KWNS', 'Discussion'] : ['KWNH', 'Precipitation Discussion']
  const body = `Mesoscale ${title} 0612\n0305 PM CDT Tue May 12 2026\n\nAreas affected...Kansas\n\nValid 122005Z - 122200Z\n\nSUMMARY...Hail.\n\nLAT...LON   ${corners}\n`
  const text = transmission(`ACUS11 ${office} 122005`, kind, body)
  const { issues, rejected } = readTexts(text, { type: kind === 'SWOMCD' ? 'SWO' : 'FFG' }, { office, issuedAt })
  return issues[0]?.mesoscale?.ring.slice(0, -1).map(([lon, lat]) => `${lat} ${lon}`) ?? rejected[0]?.reason
}

const all = ['37009700', '38509700', '38509500', '37009500']
const ring = ['37 -97', '38.5 -97', '38.5 -95', '37 -95']

describe('LAT...LON', () => {
  it.each([
    ['one line', all.join(' ')],
    ['several lines', `${all[0]} ${all[1]}\n            ${all[2]}\n            ${all[3]}`],
    ['a closing corner', `${all.join(' ')} ${all[0]}`],
    ['an empty line between', `${all[0]} ${all[1]}\n\n            ${all[2]} ${all[3]}`],
    ['nothing on its own line', `\n${all.join(' ')}`],
    ['the next part', `${all.join(' ')}\nMOST PROBABLE PEAK WIND GUST...65-80 MPH`],
    ['a signature', `${all.join(' ')}\n..ROE.. 05/12/2026\n12 34`],
    ['the end of the text', `${all.join(' ')}\n\n$$\n1234`],
    ['prose', `${all.join(' ')}\nDownload in GIS format: 4 files`],
  ])('is read completely with %s', (_, corners) => {
    expect(discussion(corners)).toEqual(ring)
    expect(discussion(corners, 'FFGMPD')).toEqual(ring)
  })

  it.each([
    ['a stray character', '3850"700'],
    ['seven digits', '3850970'],
    ['nine digits', '385097000'],
    ['a blank inside', '3850 9700'],
    ['a letter', '385O9700'],
    ['a comma', '38509700,'],
    ['a slash', '38.5/97.0'],
    ['a latitude beyond the pole', '93509700'],
    ['a word', 'XXXXXXXX'],
  ])('rejects the discussion with %s in a corner', (_, corner) => {
    for (const place of [0, 1, 3]) {
      const corners = all.with(place, corner)
      expect(discussion(corners.join(' '))).toBe('no_polygon')
      expect(discussion(corners.join('\n    '))).toBe('no_polygon')
      expect(discussion(corners.join(' '), 'FFGMPD')).toBe('no_polygon')
    }
  })
})

describe('points of an outlook', () => {
  const points = (section: string) =>
    readPoints(
      `WUUS01 KWNS 121630\nPTSDY1\n\nDAY 1 CONVECTIVE OUTLOOK AREAL OUTLINE\nNWS STORM PREDICTION CENTER NORMAN OK\n1130 AM CDT TUE MAY 12 2026\n\nVALID TIME 121630Z - 131200Z\n\n... CATEGORICAL ...\n\n${section}\n\n&&\n`,
    )
  const good = ['TSTM   33009900 36009900', '       36009500 33009500', '       33009900']

  it('are read completely over several lines', () => {
    for (const lines of [good, ['TSTM', good.join('\n').replace('TSTM', '    ')]])
      expect(nth(nth(nth(nth(points(lines.join('\n')), 0).levels, 0).area, 0), 0).length).toBe(5)
  })

  it.each([
    ['a stray character', good.with(0, 'TSTM   33009900 3600"900')],
    ['a stray character in the first point', good.with(0, 'TSTM   330"9900 36009900')],
    ['seven digits', good.with(1, '       3600950 33009500')],
    ['ten digits', good.with(1, '       3600950000 33009500')],
    ['a letter in a line that goes on', good.with(1, '       36OO9500 33009500')],
    ['a label that nobody knows', good.with(0, 'WILD   33009900 36009900')],
    ['no label', good.with(0, '33009900 36009900')],
  ])('reject the product with %s', (_, lines) => {
    expect(() => points(lines.join('\n'))).toThrow(/^SPC points: (expected|no section|the (level|WMO heading))/)
  })
})

describe('a collection of areas', () => {
  const square = (lon: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [lon, 38],
        [lon + 1, 38],
        [lon + 1, 39],
        [lon, 39],
        [lon, 38],
      ],
    ],
  })
  const broken = {
    type: 'Polygon',
    coordinates: [
      [
        [-98, 38],
        [-97, 'x'],
        [-97, 39],
      ],
    ],
  }
  const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries })

  it('is read as a zone with all of its parts, or rejected', () => {
    const zone = (geometry: unknown) =>
      readZone(JSON.stringify({ properties: { id: 'KSZ001' }, geometry }), 'forecast', 'KSZ001')
    expect(zone(collection(square(-99), square(-97))).area.length).toBe(2)
    expect(() => zone(collection(square(-99), broken))).toThrow(/KSZ001 must have a polygon/)
  })

  it('is read as a level of an outlook with all of its parts, or rejected', () => {
    const properties = { LABEL: 'SLGT', DN: 4, ISSUE: '202605121630', VALID: '202605121630', EXPIRE: '202605131200' }
    const outlook = (geometry: unknown) =>
      nth(readOutlook(JSON.stringify({ features: [{ properties, geometry }] }), 'day1otlk_cat').levels, 0).area.length
    expect(outlook(collection(square(-99), square(-97), collection()))).toBe(2)
    expect(() => outlook(collection(square(-99), broken))).toThrow(/the geometry of a level must be an area/)
  })
})

describe('an alert', () => {
  const alert = (UGC: string[], VTEC: string[]) =>
    readAlertGeoJson(
      JSON.stringify({
        features: [
          {
            properties: {
              ...{
                id: 'urn:oid:7',
                event: 'Flood Warning',
                status: 'Actual',
                messageType: 'Alert',
                severity: 'Severe',
              },
              ...{ sent: '2026-05-12T15:00:00-05:00', expires: '2026-05-12T18:00:00-05:00' },
              ...{ geocode: { UGC }, parameters: { VTEC } },
            },
          },
        ],
      }),
    )
  const event = '/O.NEW.KICT.FL.W.0031.260512T2000Z-260513T2300Z/'

  it('is kept with the readable codes, and counted because of the others', () => {
    expect(nth(alert(['KSC173', ' ksc015'], [event]).messages, 0).head.areas).toEqual(['KSC015', 'KSC173'])
    for (const [ugc, vtec, value] of [
      [['KSC173', 'KS015'], [event], 'KS015'],
      [['KSC173'], [event, event.replace('0031', '31')], '.31.'],
    ] as const) {
      const { messages, rejected } = alert([...ugc], [...vtec])
      expect(messages.length).toBe(1)
      expect(rejected).toMatchObject([{ reason: 'shape', isAccepted: true }])
      expect(nth(rejected, 0).detail).toContain(value)
    }
    expect(alert(['KSC173'], [event, '/00000.0.ER.260512T2000Z.000000T0000Z.000000T0000Z.NO/']).rejected).toEqual([])
  })
})
