import { expect, test } from 'vitest'
import { written } from '../../api/present/page.ts'
import { units } from '../../api/present/units.ts'
import { AS_MEMBER, AS_TEXT, compass, type Told, tell } from '../../api/sections/narrative.ts'
import { knownWords } from '../../ingest/domain/conditions.ts'

const none = Number.NaN
const calm = {
  windSpeed: none,
  windGust: none,
  windDirection: none,
  precipProbability: none,
  precipTotal: none,
  snowTotal: none,
}
const sunny = knownWords.find(({ conditions }) => conditions === 'Sunny')
const told = (half: Partial<Told['half']>, over: Partial<Told> = {}): Told => ({
  name: 'day',
  words: sunny,
  temperature: 288.15,
  half: { ...calm, ...half },
  ...over,
})
const said = (of: Told, system: keyof typeof units = 'metric') =>
  written((page) => void tell(page, of, units[system], AS_TEXT))

test.each([
  [told({}), 'Sunny, with a high near 15.'],
  [told({}, { name: 'night' }), 'Sunny, with a low near 15.'],
  [told({}, { words: undefined }), 'High near 15.'],
  [told({}, { words: undefined, name: 'night', temperature: 263.15 }), 'Low near -10.'],
  [told({}, { temperature: none }), 'Sunny.'],
  [told({ windSpeed: 0.5, windDirection: 20 }), 'Sunny, with a high near 15. Light wind.'],
  [
    told({ windSpeed: 5, windGust: 6, windDirection: 225, precipProbability: 40 }),
    'Sunny, with a high near 15. Southwest wind around 18 kph. Chance of precipitation 40%.',
  ],
  [
    told({ windSpeed: 5, windGust: 9, windDirection: 350, snowTotal: 104.26, precipTotal: 12 }),
    'Sunny, with a high near 15. North wind around 18 kph, with gusts to 32 kph. New snow of about 104.3 mm.',
  ],
  [told({ precipTotal: 12.345 }), 'Sunny, with a high near 15. Precipitation of about 12.35 mm.'],
])('%#: %s', (of, text) => {
  expect(said(of)).toBe(text)
})

test('in the asked units', () => {
  const of = told({ windSpeed: 5, windGust: none, windDirection: 90, precipTotal: 25.4 })
  expect(said(of, 'imperial')).toBe('Sunny, with a high near 59. East wind around 11 mph. Precipitation of about 1 in.')
})

test('as a member of JSON it stands within its quotes, but for the last; where there is nothing to say, there is no member', () => {
  let any = false
  expect(written((page) => void (any = tell(page, told({}), units.metric, AS_MEMBER)))).toBe(
    ',"narrative":"Sunny, with a high near 15.',
  )
  expect(any).toBe(true)
  const nothing = told({}, { words: undefined, temperature: none })
  expect(written((page) => void (any = tell(page, nothing, units.metric, AS_MEMBER)))).toBe('')
  expect(any).toBe(false)
})

test('winds from all sides', () => {
  expect([0, 44, 225, 338, 359].map(compass)).toEqual(['north', 'northeast', 'southwest', 'north', 'north'])
})
