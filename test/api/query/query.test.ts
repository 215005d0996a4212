import { describe, expect, test } from 'vitest'
import { membersOf, parsePoints } from '../../../api/query/points.ts'
import { defaultInclude, includeTokens, nearestWord, parseWeather } from '../../../api/query/query.ts'

const point = { lat: '39.74', lon: '-104.99' }
const refused = (raw: Record<string, unknown>): string => {
  try {
    parseWeather(raw)
  } catch (error) {
    expect(error).toMatchObject({ name: 'Fault', kind: 'Invalid' })
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(raw)} must be rejected`)
}

test('fills in the default of every parameter', () => {
  const { selector, query } = parseWeather(point)
  expect(selector).toEqual({ kind: 'point', lat: 39.74, lon: -104.99 })
  expect([...query.include].join()).toBe(defaultInclude)
  expect(query).toMatchObject({
    units: 'imperial',
    view: 'detailed',
    days: 10,
    hourlyHours: 48,
    hourlyStep: 1,
    hourlyStepFrom: 0,
    pastHours: 0,
  })
})

describe('bounds', () => {
  test.each([
    ['days', 1, 14],
    ['hourly_hours', 1, 336],
    ['hourly_step', 1, 24],
    ['hourly_step_from', 0, 336],
  ])('accepts %s from %d to %d only', (name, least, most) => {
    expect(() => parseWeather({ ...point, [name]: String(least) })).not.toThrow()
    expect(() => parseWeather({ ...point, [name]: String(most) })).not.toThrow()
    for (const wrong of [least - 1, most + 1, '1.5', '', ' ', 'x', '1e1', '0x3', 'NaN', 'Infinity', '--1']) {
      expect(refused({ ...point, [name]: String(wrong) })).toContain(
        `\`${name}\` must be a whole number from ${least} to ${most}`,
      )
    }
  })
  test.each([
    ['lat', '90.1'],
    ['lat', '-91'],
    ['lon', '180.5'],
    ['lon', 'abc'],
    ['lat', ''],
  ])('rejects %s=%s', (name, value) => {
    expect(refused({ ...point, [name]: value })).toContain(`\`${name}\` must be a number of degrees`)
  })
})

describe('requires exactly one selector', () => {
  test.each([
    [{}],
    [{ lat: '1' }],
    [{ lon: '1' }],
    [{ ...point, zip: '80202' }],
    [{ location: 'Denver', zip: '80202' }],
    [{ ...point, location: 'Denver' }],
  ])('%o', (raw) => {
    expect(refused(raw)).toContain('exactly one of `lat` with `lon`, `location`, or `zip`')
  })
  test('reads a ZIP code or coordinates as location', () => {
    expect(parseWeather({ location: '80202-1234' }).selector).toEqual({ kind: 'zip', zip: '80202-1234' })
    expect(parseWeather({ location: ' 39.74 , -104.99 ' }).selector).toEqual({
      kind: 'point',
      lat: 39.74,
      lon: -104.99,
    })
    expect(parseWeather({ location: 'Denver, CO' }).selector).toEqual({ kind: 'place', text: 'Denver, CO' })
    expect(refused({ location: 'x'.repeat(201) })).toContain('1 to 200 characters')
    expect(refused({ zip: '8020' })).toContain('a US ZIP code')
  })
})

test('rounds coordinates to 4 decimals, without a negative zero', () => {
  expect(parseWeather({ lat: '39.740049', lon: '-104.98996' }).selector).toEqual({
    kind: 'point',
    lat: 39.74,
    lon: -104.99,
  })
  expect(Object.is((parseWeather({ lat: '-0.00001', lon: '1' }).selector as { lat: number }).lat, 0)).toBe(true)
})

test('lists every token for an unknown include, and the nearest name for an unknown parameter', () => {
  const message = refused({ ...point, include: 'current,foo' })
  expect(message).toContain('"foo"')
  for (const token of includeTokens) expect(message).toContain(token)
  expect(refused({ ...point, unit: 'metric' })).toContain('Unknown parameter `unit`: did you mean `units`')
  expect(refused({ ...point, hourly_stpe: '2' })).toContain('`hourly_step`')
  expect(nearestWord('latitude', ['lat', 'lon', 'location'])).toBe('lat')
  expect(nearestWord('temp', ['cape', 'temperature', 'humidity'])).toBe('temperature')
})

test('names all faults of a request at once', () => {
  const message = refused({ ...point, days: '0', view: 'x', units: 'si', foo: '1' })
  for (const word of ['days', 'view', 'units', 'foo']) expect(message).toContain(word)
})

test('accepts numbers in a body', () => {
  expect(parseWeather({ lat: 39.74, lon: -104.99, days: 3 }).query.days).toBe(3)
})

describe('checks lengths before parsing', () => {
  test.each(['days', 'units', 'include', 'lat', 'location', 'zip'])(
    '%s: a text of 60 KB is refused by its length',
    (name) => {
      expect(() => parseWeather({ lat: '39', lon: '-104', [name]: '1'.repeat(60_000) })).toThrow(
        new RegExp(`\`${name}\` must be at most 2000 characters long, but was 60000`),
      )
    },
  )

  test('limits the length of points before they are split', () => {
    expect(() => parsePoints('1'.repeat(60_000), 500)).toThrow(/has 60000 characters/)
    expect(() => parsePoints('1'.repeat(60_000).replaceAll('1111', '1,1;'), 500)).toThrow(/at most 500/)
  })

  test.each(['Denver\u202e', '\u2066Denver', 'Den\u0000ver', 'Denver\ud800'])(
    'characters that change how what follows is displayed are refused and not repeated: %j',
    (location) => {
      const error = caught(() => parseWeather({ location }))
      expect(error.message).toContain('must be text without control characters')
      expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    },
  )

  test('rejects lists for words, and further members of a point, in a body', () => {
    const members = membersOf({}, { units: ['metric'], include: ['current', 'hourly'] }, 'post')
    expect(members).toEqual({ units: ['metric'], include: 'current,hourly' })
    expect(() => parseWeather({ lat: '39', lon: '-104', units: ['metric'] })).toThrow(
      /`units` must be imperial or metric/,
    )
    expect(() => parsePoints([{ lat: 39, lon: -104, extra: 1 }], 5)).toThrow(/points\[0\]/)
    expect(() => parsePoints([JSON.parse('{"lat":39,"lon":-104,"__proto__":{"a":1}}')], 5)).toThrow(/points\[0\]/)
  })
})

function caught(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
