import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCap } from '../../../ingest/decode/alert/cap.ts'
import { readAlertGeoJson } from '../../../ingest/decode/alert/geojson.ts'
import { readOutlook } from '../../../ingest/decode/outlook/spc-geojson.ts'
import { readPoints } from '../../../ingest/decode/outlook/spc-pts.ts'
import { readZone } from '../../../ingest/decode/zone.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'

/** Only the fault Corrupt is permitted. */
const survives = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
  }
}

const good = {
  id: 'urn:oid:9',
  event: 'Flood Warning',
  sent: '2026-05-01T12:00:00Z',
  effective: '2026-05-01T12:00:00Z',
  expires: '2026-05-01T18:00:00Z',
  status: 'Actual',
  messageType: 'Alert',
  geocode: { UGC: ['COC031'] },
}

test('reads the other alerts, whatever a member contains, and throws only Corrupt', () => {
  const members = [
    ...Object.keys(good),
    'affectedZones',
    'references',
    'parameters',
    'headline',
    'onset',
    'ends',
    'urgency',
    'geometry',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...members), fc.jsonValue(), fc.jsonValue(), (member, value, stray) => {
      const odd = {
        type: 'Feature',
        geometry: member === 'geometry' ? value : null,
        properties: { ...good, id: 'odd', [member]: value },
      }
      const feed = {
        type: 'FeatureCollection',
        features: [odd, stray, { type: 'Feature', geometry: null, properties: good }],
      }
      const { messages } = readAlertGeoJson(JSON.stringify(feed))
      expect(messages.map(({ head }) => head.id)).toContain('urn:oid:9')
    }),
    { numRuns: 2000, seed: 11 },
  )
})

test('keeps an alert with a malformed drawing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Polygon', 'MultiPolygon', 'GeometryCollection', 'Circle'),
      fc.jsonValue(),
      (type, value) => {
        const geometry = { type, coordinates: value, geometries: value }
        const { messages } = readAlertGeoJson(JSON.stringify({ features: [{ geometry, properties: good }] }))
        expect(messages.length).toBe(1)
      },
    ),
    { numRuns: 1000, seed: 12 },
  )
})

test('throws only Corrupt for any text', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => JSON.stringify({ features: [value] })),
  )
  fc.assert(
    fc.property(text, (body) => {
      survives(() => readAlertGeoJson(body))
      survives(() => readCap(body))
      survives(() => readOutlook(body, 'day1otlk_cat'))
      survives(() => readPoints(body))
      survives(() => readZone(body, 'forecast', 'COZ040'))
    }),
    { numRuns: 1500, seed: 13 },
  )
})

test('closes an outline from points with irregular lines', () => {
  const group = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 }))
    .map(([a, b]) => String(a).padStart(4, '0') + String(b).padStart(4, '0'))
  const line = fc.array(fc.oneof(group, fc.constant('99999999')), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const body = `WUUS01 KWNS 141448\nPTSDY1\n0848 AM CDT SAT MAR 15 2025\nVALID TIME 141630Z - 151200Z\n... CATEGORICAL ...\n${lines.map((groups) => `SLGT   ${groups.join(' ')}`).join('\n')}\n&&\n`
      for (const issue of readPoints(body))
        for (const level of issue.levels)
          for (const polygon of level.area) expect(nth(polygon, 0).length).toBeGreaterThan(3)
    }),
    { numRuns: 1500, seed: 14 },
  )
})
