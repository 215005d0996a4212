import { expect, test } from 'vitest'
import { AlertIndex } from '../../../api/live/alert-index.ts'
import { unplacedWarnings } from '../../../api/live/alerts.ts'
import { unnamedNear, unplacedTouching } from '../../../api/live/unplaced-area.ts'
import { cellOf } from '../../../ingest/domain/cell.ts'
import { COVER_RESOLUTION } from '../../../ingest/domain/shape/cover.ts'
import type { AlertRow } from '../../../sql/queries/alerts.ts'

const NOW = Date.parse('2026-11-26T20:00:00Z')
const estesPark = { lat: 40.3772, lon: -105.5217 }
const pueblo = { lat: 38.2544, lon: -104.6091 }

/** A square around Estes Park as little-endian WKB of one polygon, as PostGIS writes it. */
function square(): Uint8Array {
  const ring = [-106, 40, -105, 40, -105, 41, -106, 41, -106, 40]
  const bytes = Buffer.alloc(1 + 4 + 4 + 4 + ring.length * 8)
  bytes[0] = 1
  bytes.writeUInt32LE(3, 1)
  bytes.writeUInt32LE(1, 5)
  bytes.writeUInt32LE(ring.length / 2, 9)
  ring.forEach((number, i) => {
    bytes.writeDoubleLE(number, 13 + i * 8)
  })
  return bytes
}

const row = (id: string, zones: readonly { code: string; stand_in: boolean }[], office = 'BOU', hours = 6): AlertRow =>
  ({
    id,
    head: { event: 'Red Flag Warning', status: 'Actual' },
    record: { severity: 'Severe', office, onset: NOW, ends: null },
    shown: { areas: zones.map(({ code }) => code), expiration: NOW + hours * 3_600_000 },
    wkb: null,
    clipped: false,
    cells: [],
    zones: zones.map(({ code, stand_in }) => ({ kind: 'forecast', code, stand_in })),
  }) as unknown as AlertRow

test('warns at places of the office about an alert whose zones have no outline, until an outline is known or the alert is over', () => {
  const index = new AlertIndex()
  const detail = (at: { lat: number; lon: number }, now = NOW) =>
    unplacedWarnings(index, at, now).map(({ code, section, detail }) => [code, section, detail])
  expect(detail(estesPark)).toEqual([])
  index.put(row('a', [{ code: 'COZ035', stand_in: false }]))
  const warning = (zones: string) => [
    'source_incomplete',
    'alerts',
    `not known whether Red Flag Warning is in effect here: zones without an outline (${zones} of BOU)`,
  ]
  expect(detail(estesPark)).toEqual([warning('COZ035')])
  expect(detail(pueblo)).toEqual([])
  expect(detail(estesPark, NOW + 6 * 3_600_000)).toEqual([])
  index.put(row('b', [{ code: 'COC069', stand_in: true }]))
  expect(detail(estesPark)).toEqual([warning('COC069, COZ035')])
  index.putShape('forecast', 'COZ035', square(), [cellOf(estesPark.lat, estesPark.lon, COVER_RESOLUTION)])
  expect(detail(estesPark)).toEqual([warning('COC069')])
  index.putShape('forecast', 'COC069', square(), [cellOf(estesPark.lat, estesPark.lon, COVER_RESOLUTION)])
  expect(detail(estesPark)).toEqual([])
  expect(index.at(estesPark.lat, estesPark.lon, NOW).map(({ id }) => id)).toEqual(['a', 'b'])
  // An alert that is in effect here through one of its zones is not also reported as unknown; elsewhere it is.
  index.put(
    row('c', [
      { code: 'COZ035', stand_in: false },
      { code: 'COZ036', stand_in: false },
    ]),
  )
  expect(detail(estesPark)).toEqual([])
  expect(detail({ lat: 39.7392, lon: -104.9903 })).toEqual([warning('COZ035, COZ036')])
  index.remove('c')
  index.remove('a')
  index.remove('b')
  index.clear()
  expect(detail(estesPark)).toEqual([])
})

const boxes = {
  denver: [-105.5, 39.4, -104.5, 40],
  pueblo: [-104.9, 38, -104.3, 38.5],
  cheyenne: [-105.2, 41.2, -104.3, 41.9],
  colorado: [-109, 37.2, -102.2, 40.8],
  miami: [-81, 25.2, -80, 26.2],
  wholeCountry: [-125, 24, -66, 50],
  aleutians: [172, 51, -170, 54],
} as const

test.each([
  ['the office of a new zone', 'COZ999', 'BOU', ['denver', 'colorado', 'wholeCountry']],
  ['the state if the zone has no office', 'COZ999', undefined, ['denver', 'pueblo', 'colorado', 'wholeCountry']],
  ['the state if the office has no area', 'COZ999', 'WNS', ['denver', 'pueblo', 'colorado', 'wholeCountry']],
  ['the part of a state that an office of another state serves', 'NEZ999', 'CYS', ['wholeCountry']],
  [
    'the office of a packaged zone as well as the sender',
    'COZ086',
    'BOU',
    ['denver', 'pueblo', 'colorado', 'wholeCountry'],
  ],
  ['the outline of the county', 'COC069', 'BOU', ['colorado', 'wholeCountry']],
  ['both sides of 180 degrees', 'AKZ999', 'AFC', ['aleutians']],
  ['anywhere if neither office nor state has an area', 'GUZ999', undefined, Object.keys(boxes)],
])('an alert without an outline may touch boxes of %s', (_, code, office, expected) => {
  const index = new AlertIndex()
  index.put({ ...row('a', [{ code, stand_in: false }]), record: { severity: 'Severe', office } } as unknown as AlertRow)
  const touched = Object.entries(boxes).filter(([, box]) => unplacedTouching(index.all(NOW), box).length > 0)
  expect(touched.map(([name]) => name)).toEqual(expected)
})

test('an alert whose area is known is never among those that may touch a box', () => {
  const index = new AlertIndex()
  index.put(row('a', [{ code: 'COZ035', stand_in: false }]))
  expect(unplacedTouching(index.all(NOW), boxes.wholeCountry)).toHaveLength(1)
  index.putShape('forecast', 'COZ035', square(), [cellOf(estesPark.lat, estesPark.lon, COVER_RESOLUTION)])
  expect(unplacedTouching(index.all(NOW), boxes.wholeCountry)).toEqual([])
})

/** An alert that only the map service knows: without zones, with an outline or without. */
const limitedRow = (id: string, office: string | undefined, wkb: Uint8Array | null): AlertRow =>
  ({
    ...row(id, []),
    head: { event: 'Tornado Warning', status: 'Actual', limited: true },
    record: { severity: 'Extreme', office, onset: NOW, ends: null },
    wkb,
  }) as unknown as AlertRow

test.each([
  ['with an office', 'BOU', ['denver', 'colorado', 'wholeCountry'], ['CO', 'COZ035', 'COZ039'], [1, 0]],
  ['without an office', undefined, Object.keys(boxes), ['CO', 'COZ035', 'COZ039', 'FLZ074'], [1, 1]],
])('an alert without zones and outline %s may be where its office is', (_, office, touchedBoxes, codes, here) => {
  const index = new AlertIndex()
  index.put(limitedRow('a', office, null))
  const touched = Object.entries(boxes).filter(([, box]) => unplacedTouching(index.all(NOW), box).length > 0)
  expect(touched.map(([name]) => name)).toEqual(touchedBoxes)
  const all = ['CO', 'COZ035', 'COZ039', 'FLZ074']
  expect(all.filter((code) => unnamedNear(index.all(NOW), code).length > 0)).toEqual(codes)
  expect([estesPark, pueblo].map((at) => unplacedWarnings(index, at, NOW).length)).toEqual(here)
})

test('an alert without zones but with an outline is named for the states and zones that its outline may touch', () => {
  const index = new AlertIndex()
  index.put(limitedRow('a', 'BOU', square()))
  const codes = ['CO', 'COZ035', 'FLZ074', 'FL', 'XXZ001']
  expect(codes.filter((code) => unnamedNear(index.all(NOW), code).length > 0)).toEqual(['CO', 'COZ035', 'XXZ001'])
  expect(unplacedTouching(index.all(NOW), boxes.wholeCountry)).toEqual([])
})
