import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { stormTracks } from '../../../ingest/datasets/storm-tracks.ts'
import { readProbSevere } from '../../../ingest/decode/radar/probsevere.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { kilometresBetween } from '../../../ingest/domain/shape/field-of-view.ts'
import { headingOf, movedPlace } from '../../../ingest/domain/weather/storm.ts'

const folder = '../shared/fixtures/text/storm-tracks/probsevere'
const files = existsSync(folder) ? readdirSync(folder).sort() : []

describe.skipIf(files.length === 0)('ProbSevere files (../shared/fixtures)', () => {
  test.each(files)('%s: every feature is read, with its own numbers', (file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    const raw = JSON.parse(text)
    const { storms, rejected, validTime } = readProbSevere(text, file)
    expect(rejected).toEqual([])
    expect(storms.length).toBe(raw.features.length)
    expect(validTime).toBe(stormTracks.timeOf(`ProbSevere/20211011/${file}`))
    for (const [i, storm] of storms.entries()) {
      const { properties, models } = raw.features[i]
      expect(storm.id).toBe(properties.ID)
      expect(storm.east).toBe(Number(properties.MOTION_EAST))
      expect(storm.north).toBe(-Number(properties.MOTION_SOUTH))
      expect(storm.severe).toBe(Number(models.probsevere.PROB))
    }
  })

  test('predicts storms near their later position by their motion', () => {
    const [first, last] = [nth(files, 0), nth(files, files.length - 1)].map((file) =>
      readProbSevere(readFileSync(`${folder}/${file}`, 'utf8'), file),
    )
    const seconds = (last!.validTime - first!.validTime) / 1000
    const errors: number[] = []
    const stood: number[] = []
    for (const storm of first!.storms) {
      const later = last!.storms.find(({ id }) => id === storm.id)
      if (!later) continue
      const place = movedPlace(storm.lat, storm.lon, storm.east, storm.north, seconds)
      errors.push(kilometresBetween(place.lat, place.lon, later.lat, later.lon))
      stood.push(kilometresBetween(storm.lat, storm.lon, later.lat, later.lon))
    }
    const median = (list: number[]) =>
      nth(
        [...list].sort((a, b) => a - b),
        list.length >> 1,
      )
    expect(errors.length).toBeGreaterThan(20)
    expect(median(errors)).toBeLessThan(median(stood))
    expect(median(errors)).toBeLessThan(5)
  })

  test('rejects a malformed feature and keeps the others, and rejects a document without a list', () => {
    const raw = JSON.parse(readFileSync(`${folder}/${files[0]}`, 'utf8'))
    const count = raw.features.length
    raw.features[3].geometry = null
    raw.features[5].properties.MOTION_EAST = 'none'
    const { storms, rejected } = readProbSevere(JSON.stringify(raw), 'x')
    expect([storms.length, rejected.length]).toEqual([count - 2, 2])
    for (const broken of ['', '<html>', '{}', 'null', '{"features": 3}'])
      expect(() => readProbSevere(broken, 'x')).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
  })
})

test('returns the direction toward which a storm moves', () => {
  expect(headingOf(10, 0)).toBe(90)
  expect(headingOf(0, 10)).toBe(0)
  expect(headingOf(0, -10)).toBe(180)
  expect(headingOf(-10, 0)).toBe(270)
  expect(headingOf(0, 0)).toBeUndefined()
})
