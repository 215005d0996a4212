import { describe, expect, test } from 'vitest'
import { isStanding, readMapMessage } from '../../../ingest/decode/alert/map-message.ts'
import { type MapRow, readMapRows } from '../../../ingest/decode/alert/map-rows.ts'
import { nth } from '../../../ingest/domain/nth.ts'

const square = (west: number, south: number) => [
  [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south + 1],
    [west, south],
  ],
]
const ID = 'urn:oid:2.49.0.1.840.0.0123456789abcdef0123456789abcdef01234567.001.1'
const fields = {
  objectid: 7,
  prod_type: 'Tornado Watch',
  msg_type: 'NEW',
  phenom: 'TO',
  sig: 'A',
  event: '0638',
  wfo: 'KOUN',
  issuance: '2026-08-30T17:00:00-05:00',
  onset: '2026-08-30T17:00:00-05:00',
  expiration: '2026-08-30T23:00:00-05:00',
  ends: '2026-08-30T23:00:00-05:00',
  url: `https://api.weather.gov/alerts/${ID}`,
  cap_id: ID,
  idp_filedate: Date.UTC(2026, 7, 30, 22, 1),
  idp_ingestdate: Date.UTC(2026, 7, 30, 22, 1, 20),
}
const feature = (
  changed: object = {},
  geometry: object | null = { type: 'Polygon', coordinates: square(-98, 35) },
) => ({
  type: 'Feature',
  geometry,
  properties: { ...fields, ...changed },
})
const page = (features: readonly unknown[], more: object = {}) =>
  readMapRows(JSON.stringify({ type: 'FeatureCollection', features, ...more }))
const message = (...features: readonly unknown[]) => readMapMessage(page(features).rows as [MapRow, ...MapRow[]])

describe('rows of the map of alerts', () => {
  test('have the fields of the service and its clock', () => {
    const { rows, rejected, updated, hasMore, count } = page([feature()])
    expect(rows).toMatchObject([
      { id: ID, event: 'Tornado Watch', action: 'NEW', office: 'KOUN', number: '0638', issued: fields.issuance },
    ])
    expect([rejected, hasMore, count]).toEqual([[], false, 1])
    expect(updated).toBe(fields.idp_ingestdate)
  })

  test('may be Esri JSON, and an id may be an address', () => {
    const body = JSON.stringify({ features: [{ attributes: { ...fields, cap_id: fields.url } }] })
    expect(readMapRows(body).rows).toMatchObject([{ id: ID, polygons: [] }])
  })

  test('state in either place that there are more', () => {
    expect(page([feature()], { exceededTransferLimit: true }).hasMore).toBe(true)
    expect(page([feature()], { properties: { exceededTransferLimit: true } }).hasMore).toBe(true)
    expect(page([feature()], { properties: {} }).hasMore).toBe(false)
  })

  test('without an id or a name are rejected, and the others are read', () => {
    const { rows, rejected, count } = page([feature({ cap_id: ' ' }), feature({ prod_type: null }), 7, feature()])
    expect([rows.length, rejected.length, count]).toEqual([1, 3, 4])
    expect(rejected.every(({ isAccepted }) => !isAccepted)).toBe(true)
    expect(page([feature({ cap_id: "x') OR (1=1" })]).rows).toEqual([])
  })

  test.each([
    ['{"type":"FeatureCollection","features":[{"type":"Fea', /expected JSON/],
    ['<html>busy</html>', /expected JSON/],
    ['{"error":{"code":500,"message":"Error performing query operation"}}', /answered with the error .*500/],
    ['{"type":"FeatureCollection"}', /expected a collection/],
    ['null', /expected a collection/],
  ])('rejects %s', (text, why) => {
    expect(() => readMapRows(text)).toThrow(
      expect.objectContaining({ kind: 'Corrupt', message: expect.stringMatching(why) }),
    )
  })
})

describe('messages of the map of alerts', () => {
  test('join the outlines of the zones that share an id', () => {
    const second = feature({ objectid: 8 }, { type: 'MultiPolygon', coordinates: [square(-97, 35)] })
    const { message: watch, rejected } = message(feature(), second, feature({ objectid: 9 }))
    expect(rejected).toBeUndefined()
    expect(watch?.geometry).toHaveLength(2)
    expect(watch?.head).toMatchObject({
      id: ID,
      event: 'Tornado Watch',
      limited: true,
      areas: [],
      polygon: true,
      vtec: [{ office: 'KOUN', phenomenon: 'TO', significance: 'A', etn: 638, action: 'NEW' }],
      expiration: Date.UTC(2026, 7, 31, 4),
    })
    expect(watch).toMatchObject({ severity: 'Extreme', office: 'OUN', sender: 'NWS office OUN', zones: [] })
    expect([watch?.description, watch?.parameters]).toEqual([undefined, {}])
  })

  test('of statements have blank fields', () => {
    const blank = { phenom: ' ', sig: ' ', event: ' ', wfo: ' ', ends: ' ', onset: ' ' }
    const { message: statement } = message(feature({ ...blank, prod_type: 'Special Weather Statement' }))
    expect(statement).toMatchObject({ severity: 'Moderate', office: undefined, head: { vtec: [] } })
    expect(statement?.ends).toBe(Date.UTC(2026, 7, 31, 4))
    expect(statement?.onset).toBe(Date.UTC(2026, 7, 30, 22))
  })

  test('may have times in milliseconds', () => {
    const at = Date.UTC(2026, 9, 10, 1)
    const { message: watch } = message(feature({ expiration: at, ends: at, issuance: at - 3_600_000 }))
    expect([watch?.expires, watch?.ends, watch?.head.sent]).toEqual([at, at, at - 3_600_000])
  })

  test('are accepted without an outline', () => {
    const { message: watch, rejected } = message(feature({}, null))
    expect(watch?.head).toMatchObject({ id: ID, polygon: false })
    expect(rejected).toMatchObject({ reason: 'geometry', isAccepted: true })
  })

  test('of unknown events keep their names, and tests are tests', () => {
    const { message: unknown } = message(feature({ prod_type: 'Meteor Warning', phenom: 'ZZ', sig: 'W' }))
    expect(unknown).toMatchObject({ severity: 'Severe', head: { event: 'Meteor Warning', status: 'Actual' } })
    expect(message(feature({ prod_type: 'Test Message' })).message?.head.status).toBe('Test')
  })

  test('without a time of issue take the time of their file, and without any time are rejected', () => {
    expect(message(feature({ issuance: ' ' })).message?.head.sent).toBe(fields.idp_filedate)
    expect(message(feature({ issuance: 'soon', idp_filedate: null }))).toMatchObject({
      rejected: { reason: 'time', isAccepted: false },
    })
  })

  test('that end an event are not stored', () => {
    const standing = ['NEW', 'CON', 'EXT', ' ', 'Alert', 'CAN', 'EXP', 'UPG', 'Cancel'].map((action) =>
      isStanding(nth(page([feature({ msg_type: action })]).rows, 0)),
    )
    expect(standing).toEqual([true, true, true, true, true, false, false, false, false])
  })
})
