import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findPlaces, type Reading, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import { byHand } from '../../ingest/geo/hand-features.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { distanceKm } from '../../ingest/geo/sphere.ts'

const matchOf = (reading: Reading) =>
  reading.kind === 'found' ? `${reading.match.name}, ${reading.match.state}` : reading.kind

test.each([
  ['ORD', "Chicago O'Hare International Airport, IL"],
  ['KDEN', 'Denver International Airport, CO'],
  ['JFK airport', 'John F Kennedy International Airport, NY'],
  ["O'Hare", "Chicago O'Hare International Airport, IL"],
  ['LaGuardia', 'LaGuardia Airport, NY'],
  ['Cook County, IL', 'Cook County, IL'],
  ['Orange County, CA', 'Orange County, CA'],
  ['Yosemite National Park', 'Yosemite National Park, CA'],
  ['Denali', 'Denali (Mount McKinley), AK'],
  ['Mt Hood', 'Mount Hood, OR'],
  ['Navajo Nation', 'Navajo Nation, AZ'],
  ['White Sands Missile Range', 'White Sands Missile Range, NM'],
  ['Lambeau Field', 'Lambeau Field, WI'],
  ['Philly', 'Philadelphia, PA'],
  ['NYC', 'New York City, NY'],
  ['SoHo', 'SoHo, NY'],
  ['Soho, New York', 'SoHo, NY'],
  ['Tribeca', 'Tribeca, NY'],
  ['Vegas', 'Las Vegas, NV'],
  // This is a former name of Kodiak.
  ['St. Paul, AK', 'Saint Paul Island, AK'],
  ['Kodiak, AK', 'Kodiak, AK'],
  ['Utqiagvik', 'Utqiaġvik, AK'],
  ['Barrow, AK', 'Utqiaġvik, AK'],
  ['Denver', 'Denver, CO'],
  ['Denv', 'unknown'],
  ['Adak', 'Adak, AK'],
  ['Lake Tahoe', 'Lake Tahoe, CA'],
  ['Lake Tahoe, NV', 'Lake Tahoe, NV'],
  ['Stateline, NV', 'Stateline, NV'],
  ['Lake Michigan', 'ambiguous'],
  ['Lake Michigan, WI', 'Lake Michigan, WI'],
  ['Lake Okeechobee', 'Lake Okeechobee, FL'],
  ['Salt Lake', 'Salt Lake City, UT'],
])('%s is %s', (text, name) => {
  expect(matchOf(resolvePlace(text))).toBe(name)
})

test('has every manually set point inside coverage and in its state', () => {
  for (const line of byHand.trim().split('\n')) {
    const [name, , state, lat, lon] = line.split('\t')
    expect(placeAt(Number(lat), Number(lon))?.state, name).toBe(state)
  }
})

test.each([
  [39.74, -104.99, '80203'],
  [40.7484, -73.9857, '10016'],
  [41.8786, -87.6359, '60606'],
])('the ZIP code of %f, %f belongs to an area, not to a tower: %s', (lat, lon, zip) => {
  expect(placeAt(lat, lon)?.zip).toBe(zip)
})

test('treats prefixes as suggestions', () => {
  expect(findPlaces('Denv', 5).map(({ name }) => name)).toContain('Denver')
  expect(findPlaces('Lambeau', 5).map(({ name }) => name)).toContain('Lambeau Field')
})

describe('the name of a point', () => {
  test.each([
    [39.74, -104.99, 'Denver'],
    [40, -110.5, '12 mi SW of Duchesne'],
    [51.88, -176.65, 'Aleutians West Census Area'],
    [44.6, -110.5, 'Park County'],
    [71.29, -156.79, 'Utqiaġvik'],
    [20.8, -156.95, '3 mi SW of Lanai City'],
    [64.5, -150, 'Yukon-Koyukuk Census Area'],
    [43, -87.2, 'Lake Michigan'],
    [47.8, -87.5, 'Lake Superior'],
    [41.9, -87.5, 'Chicago'],
    [36.9, -75.75, '13 mi E of Virginia Beach'],
  ])('%f, %f is %s', (lat, lon, name) => {
    expect(placeAt(lat, lon)?.name).toBe(name)
  })
  test('gives no ZIP code in the middle of a lake', () => {
    expect(placeAt(43, -87.2)).not.toHaveProperty('zip')
    expect(placeAt(41.9, -87.5)?.zip).toMatch(/^606/)
  })
})

const folder = new URL('../../../shared/fixtures/text/geo/places/', import.meta.url)
const rowsOf = (file: string) =>
  readFileSync(new URL(`${file}.tsv`, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [string, string, string, string, string, string, string])

describe.skipIf(!existsSync(folder))('names of the tables (needs ../shared/fixtures)', () => {
  test.each([
    ['aliases', 10, 210],
    ['national-parks', 40, 500],
    ['counties', 60, 3100],
    ['stadiums', 20, 160],
    ['landmarks', 60, 200],
  ])('%s with their state are found within %i km', (file, km, least) => {
    let near = 0
    const far: string[] = []
    for (const [name, , , state, lat, lon] of rowsOf(file)) {
      const reading = resolvePlace(`${name}, ${state}`)
      const away =
        reading.kind === 'found' ? distanceKm(reading.match.lat, reading.match.lon, Number(lat), Number(lon)) : Infinity
      if (away <= km) near++
      else far.push(`${name}, ${state}: ${matchOf(reading)}`)
    }
    expect(near, far.slice(0, 20).join('; ')).toBeGreaterThanOrEqual(least)
  })
})
