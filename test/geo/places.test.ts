import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { coverage, timezoneAt } from '../../ingest/geo/coverage.ts'
import { findPlaces, parseCoordinates, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { polygonsOf } from '../../ingest/geo/polygon.ts'
import { populated } from '../../ingest/geo/populated.ts'
import { nearestRadar, nearestStation, nearStations, radars, stations } from '../../ingest/geo/site.ts'
import { states } from '../../ingest/geo/state.ts'
import { zoneRings, zonesAt } from '../../ingest/geo/zone.ts'

const oracles = '../shared/fixtures/text/geo/oracles'

describe('coverage', () => {
  const inside: Record<string, [number, number]> = {
    'Santa Monica pier': [34.0083, -118.4987],
    'Dry Tortugas': [24.628, -82.873],
    'Point Roberts': [48.985, -123.06],
    'Northwest Angle': [49.35, -95.1],
    'Detroit waterfront': [42.326, -83.042],
    'Niagara Falls, New York': [43.09, -79.06],
    'San Ysidro': [32.551, -117.03],
    'El Paso': [31.76, -106.48],
    Brownsville: [25.9, -97.49],
    'Lake Michigan': [43.5, -87.0],
    'Lake Erie, southern half': [42.0, -81.0],
    'off New Jersey': [40.0, -73.9],
    'Little Diomede': [65.757, -168.93],
    'Attu, east of the antimeridian': [52.9, 172.9],
    Adak: [51.88, -176.65],
    'Kure Atoll': [28.4, -178.3],
    'Ka Lae': [18.92, -155.68],
    'between Oahu and Molokai': [21.2, -157.4],
    Utqiagvik: [71.29, -156.79],
    'Block Island': [41.17, -71.58],
    'Farallon Islands': [37.7, -123.0],
    'Isle Royale': [48.0, -88.9],
    'Washington, DC': [38.8977, -77.0365],
  }
  const outside: Record<string, [number, number]> = {
    Vancouver: [49.25, -123.1],
    'Windsor, Ontario': [42.3, -83.03],
    'Niagara Falls, Ontario': [43.06, -79.11],
    Tijuana: [32.53, -117.03],
    'Ciudad Juarez': [31.73, -106.48],
    Matamoros: [25.87, -97.5],
    'Big Diomede': [65.78, -169.06],
    'Lake Erie, northern half': [42.4, -81.0],
    'Gulf of Mexico': [25, -90],
    'San Juan': [18.4, -66.1],
    'Charlotte Amalie': [18.34, -64.93],
    Guam: [13.44, 144.78],
    Saipan: [15.19, 145.75],
    'Pago Pago': [-14.28, -170.7],
    Midway: [28.2, -177.37],
    Johnston: [16.73, -169.53],
    Wake: [19.28, 166.65],
    Nassau: [25.05, -77.35],
    Havana: [23.11, -82.37],
    London: [51.5, -0.1],
    'South Pole': [-90, 0],
    'North Pole': [90, 0],
    Whitehorse: [60.72, -135.05],
    'Saint-Pierre': [46.78, -56.17],
    'Campobello Island': [44.88, -66.93],
  }
  test.each(Object.entries(inside))('in: %s', (_, [lat, lon]) => {
    expect(coverage(lat, lon)).toBe(true)
    const place = placeAt(lat, lon)!
    expect(place.name).toMatch(/./)
    expect(place.timezone).toBe(timezoneAt(lat, lon))
  })
  test.each(Object.entries(outside))('out: %s', (_, [lat, lon]) => {
    expect(coverage(lat, lon)).toBe(false)
    expect(placeAt(lat, lon)).toBeUndefined()
  })
  test('covers every place of 500 people with its state', () => {
    const wrong = populated().filter((place) => placeAt(place.lat, place.lon)?.state !== place.state)
    // The two tables disagree about some places at a border.
    expect(wrong.length).toBeLessThan(populated().length * 0.003)
    expect(populated().filter((place) => !coverage(place.lat, place.lon))).toEqual([])
  })
  test('accepts both longitudes of the antimeridian', () => {
    expect(timezoneAt(52.9, 172.9)).toBe('America/Adak')
    expect(timezoneAt(52.9, 172.9 - 360)).toBe('America/Adak')
    for (const lon of [180, -180])
      expect(placeAt(52, lon)).toMatchObject({ region: 'AK', county: 'Aleutians West', timezone: 'America/Adak' })
    for (const lon of [180, -180]) expect(placeAt(51, lon)).toBeUndefined()
  })
})

describe.skipIf(!existsSync(oracles))('outside oracles', () => {
  const read = <T>(name: string) => JSON.parse(readFileSync(`${oracles}/${name}`, 'utf8')) as T[]
  test('gives county, office, fire zone, time zone and radar as api.weather.gov does', () => {
    for (const point of read<Record<string, never>>('api-points.json')) {
      const { lat, lon } = point as unknown as { lat: number; lon: number }
      if (String(point['relativeState']) === 'GU') continue
      const zones = zonesAt(lat, lon)
      expect({ ...zones, timezone: timezoneAt(lat, lon) }).toMatchObject({
        office: point['cwa'],
        county: point['county'],
        fire: point['fireWeatherZone'],
        timezone: point['timeZone'],
      })
      // A forecast zone without a packaged outline is unknown.
      expect(zones.forecast ?? point['forecastZone']).toBe(point['forecastZone'])
    }
  })
  test('names the capital, the largest and a rural place of every state', () => {
    const places = read<Record<string, never>>('places-50-states-dc.json')
    const wrong: string[] = []
    for (const place of places) {
      const { lat, lon, state } = place as unknown as { lat: number; lon: number; state: string }
      const at = placeAt(lat, lon)!
      const zones = zonesAt(lat, lon)
      const same =
        at.state === state &&
        at.name === place['place'] &&
        at.timezone === place['timezone_geonames'] &&
        zones.county === place['county_ugc_polygon'] &&
        zones.office === place['wfo_polygon'] &&
        zones.fire === place['fire_zone_polygon'] &&
        nearestStation(lat, lon).id === place['nearest_metar']?.[0] &&
        nearestRadar(lat, lon).id === String(place['nearest_nexrad']?.[0]).slice(1)
      if (!same) wrong.push(`${place['place']}, ${state}`)
    }
    // Fairview, Montana, lies on the line to North Dakota, within the generalisation of the county outlines.
    expect(wrong.filter((name) => name !== 'Fairview, MT')).toEqual([])
    expect(places.length).toBeGreaterThan(150)
  })
})

test('has a station in every state but DC, and sorts radars and stations by distance', () => {
  const with_ = new Set(stations().map(({ state }) => state))
  expect(states.map(({ code }) => code).filter((code) => !with_.has(code))).toEqual(['DC'])
  expect(radars().length).toBe(156)
  const near = nearStations(39.74, -104.99, 5)
  expect(near.map(({ distance_km }) => distance_km)).toEqual(
    near.map(({ distance_km }) => distance_km).sort((a, b) => a - b),
  )
  expect(nearestRadar(39.74, -104.99)).toMatchObject({ id: 'FTG', icao: 'KFTG' })
})

test('turns shapes of zones into polygons with the right orientation', () => {
  const rings = zoneRings('COC031')!
  const polygons = polygonsOf(rings)
  expect(polygons.flat().length).toBe(rings.length)
  const square = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
  ] as [number, number][]
  const hole = [
    [1, 1],
    [3, 1],
    [3, 3],
    [1, 3],
    [1, 1],
  ] as [number, number][]
  expect(polygonsOf([hole, square.toReversed()])).toEqual([[square, hole.toReversed()]])
  // An islet whose first corner lies on the mainland, as in simplified outlines, is not a lake.
  const islet = [
    [3.9, 1],
    [5, 1],
    [5, 2],
    [3.9, 1],
  ] as [number, number][]
  expect(polygonsOf([square, islet])).toEqual([[square], [islet]])
})

describe('names', () => {
  test.each([
    ['Denver, CO', 'Denver', 'CO'],
    ['denver colorado', 'Denver', 'CO'],
    ['DENVER', 'Denver', 'CO'],
    ['  denver ,  co ', 'Denver', 'CO'],
    ['New York', 'New York City', 'NY'],
    ['nyc', 'New York City', 'NY'],
    ['Washington, D.C.', 'Washington', 'DC'],
    ['washington dc', 'Washington', 'DC'],
    ['Saint Louis, Missouri', 'St. Louis', 'MO'],
    ['st. louis mo', 'St. Louis', 'MO'],
    ["coeur d'alene", "Coeur d'Alene", 'ID'],
    ['Canon City', 'Cañon City', 'CO'],
    ['Cañon City CO', 'Cañon City', 'CO'],
    ['Utqiaġvik', 'Utqiaġvik', 'AK'],
    ['winston salem nc', 'Winston-Salem', 'NC'],
    ['Ft Worth', 'Fort Worth', 'TX'],
    ['Mount Vernon, NY', 'Mount Vernon', 'NY'],
    ['springfield il', 'Springfield', 'IL'],
    ['Philly', 'Philadelphia', 'PA'],
    ['Boise City, ID', 'Boise', 'ID'],
    ['Indianapolis, Indiana, USA', 'Indianapolis', 'IN'],
    ['Sault Sainte Marie MI', 'Sault Ste. Marie', 'MI'],
    ['De Kalb, IL', 'DeKalb', 'IL'],
    ['Carmel by the Sea', 'Carmel-by-the-Sea', 'CA'],
    ['West Virginia, Charleston', undefined, undefined],
    ['Charleston, West Virginia', 'Charleston', 'WV'],
  ])('%s', (text, name, state) => {
    const reading = resolvePlace(text)
    if (name === undefined) expect(reading.kind).not.toBe('found')
    else expect(reading).toMatchObject({ kind: 'found', match: { name, state } })
  })

  test('resolves an ambiguous bare name to a far larger place with the assumption, or else gives candidates', () => {
    expect(resolvePlace('Portland')).toMatchObject({ kind: 'found', match: { state: 'OR' }, assumed: { state: 'ME' } })
    const many = resolvePlace('Springfield')
    expect(many.kind).toBe('ambiguous')
    expect(many.kind === 'ambiguous' && many.candidates.map(({ state }) => state)).toEqual([
      'MO',
      'MA',
      'IL',
      'OR',
      'OH',
    ])
    for (const { name, state, lat, lon } of many.kind === 'ambiguous' ? many.candidates : [])
      expect(resolvePlace(`${name}, ${state} (${lat.toFixed(4)}, ${lon.toFixed(4)})`)).toMatchObject({
        kind: 'found',
        match: { kind: 'place', name, state },
      })
    expect(resolvePlace('My field (39.7, -104.9)')).toMatchObject({
      kind: 'found',
      match: { kind: 'coordinates', lat: 39.7, lon: -104.9 },
    })
    expect(resolvePlace('xyzzy')).toEqual({ kind: 'unknown', nearest: [] })
    expect(resolvePlace('Minneapols')).toMatchObject({ kind: 'unknown', nearest: [{ name: 'Minneapolis' }, {}] })
  })

  test('ZIP codes and coordinates', () => {
    expect(resolvePlace('80202')).toMatchObject({ kind: 'found', match: { kind: 'zip', name: 'Denver', state: 'CO' } })
    expect(resolvePlace('80202-1234')).toMatchObject({ kind: 'found', match: { zip: '80202' } })
    expect(resolvePlace('00000').kind).toBe('unknown')
    expect(parseCoordinates('39.74,-104.99')).toEqual({ lat: 39.74, lon: -104.99 })
    expect(parseCoordinates('39.74 N, 104.99 W')).toEqual({ lat: 39.74, lon: -104.99 })
    expect(parseCoordinates('99,0')).toBeUndefined()
  })

  test('finds the 250 largest places first by name and state, also without accents and in lower case', () => {
    const largest = populated()
      .filter(({ section }) => !section)
      .slice(0, 250)
    const wrong = largest.filter(({ name, state, lat }) => {
      const plain = `${name
        .normalize('NFD')
        .replace(/[^\w\s]/g, '')
        .toLowerCase()} ${state.toLowerCase()}`
      const [first] = findPlaces(plain, 1)
      return (
        first?.name !== name ||
        first.state !== state ||
        first.lat !== lat ||
        findPlaces(`${name}, ${state}`, 1)[0]?.lat !== lat
      )
    })
    expect(wrong.map(({ name, state }) => `${name}, ${state}`)).toEqual([])
  })

  test('finds capitals and largest places by the full name of the state', () => {
    const byState = new Map(states.map(({ code, name }) => [code, name]))
    const wrong: string[] = []
    for (const { code } of states) {
      for (const place of populated()
        .filter(({ state, section }) => state === code && !section)
        .slice(0, 5)) {
        const reading = resolvePlace(`${place.name} ${byState.get(code)}`)
        if (reading.kind !== 'found' || reading.match.name !== place.name || reading.match.state !== code)
          wrong.push(`${place.name}, ${code}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

test('answers a second lookup in microseconds without a search', () => {
  const points = Array.from(
    { length: 4000 },
    (_, i) => [25 + ((i * 7919) % 2400) / 100, -124 + ((i * 104729) % 5700) / 100] as const,
  )
  for (const [lat, lon] of points) placeAt(lat, lon)
  const before = process.cpuUsage()
  for (const [lat, lon] of points) placeAt(lat, lon)
  expect(process.cpuUsage(before).user / points.length).toBeLessThan(200)
})

test('gives radars of Alaska ICAO codes with P and the name of their site', () => {
  const alaska = radars().filter(({ state }) => state === 'AK')
  expect(alaska.map(({ icao }) => icao[0])).toEqual(alaska.map(() => 'P'))
  expect(nearestRadar(65, -147.5)).toMatchObject({ icao: 'PAPD', id: 'APD', name: 'Pedro Dome' })
})
