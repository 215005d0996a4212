import { lineWith, type Question, question, words } from '../question.ts'

/** Questions about names of places: towns, states, airports, ZIP codes, and places outside the coverage. */
export const placeQuestions = (): Question[] => [
  ...shared(),
  ...codes(),
  ...classes(),
  ...foreign(),
  ...unknownNames(),
  ...offices(),
]

const shared = () =>
  ['Springfield', 'Franklin', 'Clinton', 'Greenville', 'Madison', 'Salem', 'Georgetown', 'Bristol'].map((name) =>
    question({
      subject: 'places of a name',
      text: `Which places are called ${name}?`,
      form: 'at least two of them with their states',
      call: { tool: 'search_locations', arguments: { query: name } },
      facts: { location: name },
      expected: words(
        `${name}, MO and ${name}, IL, among others.`,
        new RegExp(`${name}, [A-Z][\\s\\S]*${name}, [A-Z]`),
      ),
    }),
  )

const named: readonly (readonly [text: string, name: RegExp, example: string])[] = [
  ['73102', /Oklahoma City/, 'Oklahoma City, OK'],
  ['60601', /Chicago/, 'Chicago, IL'],
  ['10001', /New York/, 'New York, NY'],
  ['98101', /Seattle/, 'Seattle, WA'],
  ['80202', /Denver/, 'Denver, CO'],
  ['33101', /Miami/, 'Miami, FL'],
  ['99501', /Anchorage/, 'Anchorage, AK'],
  ['96813', /Honolulu|Urban Honolulu/, 'Honolulu, HI'],
  ['LAX', /Los Angeles .*Airport/, 'Los Angeles International Airport, CA'],
  ['DEN', /Denver .*Airport/, 'Denver International Airport, CO'],
  ['SFO', /San Francisco .*Airport/, 'San Francisco International Airport, CA'],
  ['BOS', /Boston|Logan/, 'Boston Logan International Airport, MA'],
  ['DFW', /Dallas/, 'Dallas/Fort Worth International Airport, TX'],
  ['PHX', /Phoenix/, 'Phoenix Sky Harbor International Airport, AZ'],
  ['JFK', /Kennedy|New York/, 'John F Kennedy International Airport, NY'],
  ['ORD', /O.?Hare/i, "Chicago O'Hare International Airport, IL"],
  ['portland oregon', /Portland, OR/, 'Portland, OR'],
  ['st louis', /(?:St\.?|Saint) Louis, MO/, 'St. Louis, MO'],
  ['NYC', /New York/, 'New York, NY'],
  ['Washington DC', /Washington, DC/, 'Washington, DC'],
]

const codes = () =>
  named.map(([text, name, example]) =>
    question({
      subject: 'name of a place',
      text: `When does the sun set at ${text}? Name the place that you took.`,
      form: 'the full name of the place',
      call: { tool: 'get_sun_moon', arguments: { location: text } },
      facts: { location: text },
      expected: words(`${example}.`, name),
      part: (answer) => lineWith(answer, /^Sun and moon at /),
    }),
  )

const classes = () =>
  [
    'Michigan',
    'New Jersey',
    'Alaska',
    'Texas',
    'Delaware',
    'Vermont',
    'Orange County',
    'Cook County',
    'the Midwest',
    'Europe',
    'United States',
  ].map((name) =>
    question({
      subject: 'forecast of an area',
      text: `What's the weather this week in ${name}?`,
      form: 'the forecast, or why there is none',
      call: { tool: 'get_forecast', arguments: { location: name } },
      facts: { location: name },
      expected:
        name === 'Europe'
          ? { is: 'refusal' }
          : words(
              `${name} is an area: name a city.`,
              /is (?:an?|the) (?:state|country|county|region|area)|Which|county, not a town|outside/i,
            ),
      part: (text) => (/^Error/m.test(text) ? text : undefined),
    }),
  )

const foreign = () =>
  [
    ...[
      'Paris, France',
      'London, UK',
      'Toronto, ON',
      'San Juan, PR',
      'Guam',
      'Tokyo, Japan',
      'Cancun, Mexico',
      'Vancouver, BC',
    ],
    ...[
      'Berlin, Germany',
      'Havana, Cuba',
      'Nassau, Bahamas',
      'Sydney, Australia',
      '51.5,-0.12',
      '19.43,-99.13',
      '00901',
    ],
  ].map((name, i) =>
    question({
      subject: 'place outside the coverage',
      text: i % 2 ? `Are any warnings in effect in ${name}?` : `What's the weather this week in ${name}?`,
      form: 'the answer, or why there is none',
      call: { tool: i % 2 ? 'get_alerts' : 'get_forecast', arguments: { location: name } },
      facts: { location: name },
      danger: true,
      expected: { is: 'refusal' },
      part: (text) => (/^Error \(outside-coverage\)/m.test(text) ? text : undefined),
    }),
  )

const unknownNames = () =>
  [
    ['Chicgo, IL', 'Chicago'],
    ['Minneaplis, MN', 'Minneapolis'],
    ['Albuqerque, NM', 'Albuquerque'],
    ['Pittsburg, PA', 'Pittsburgh'],
    ['Phenix, AZ', 'Phoenix'],
    ['Hartfrod, CT', 'Hartford'],
  ].map(([text = '', name = '']) =>
    question({
      subject: 'misspelled place',
      text: `What's the weather in ${text}?`,
      form: 'the name of the place that is meant',
      call: { tool: 'get_forecast', arguments: { location: text, include: 'current' } },
      facts: { location: text },
      expected: words(`Perhaps ${name} is meant.`, new RegExp(name)),
    }),
  )

const offices = () =>
  (
    [
      ['Norman, OK', 'OUN', 'TLX'],
      ['Denver, CO', 'BOU', 'FTG'],
      ['Tampa, FL', 'TBW', 'TBW'],
      ['Boston, MA', 'BOX', 'BOX'],
      ['Seattle, WA', 'SEW', 'ATX'],
      ['Dallas, TX', 'FWD', 'FWS'],
      ['Omaha, NE', 'OAX', 'OAX'],
      ['Des Moines, IA', 'DMX', 'DMX'],
    ] as const
  ).flatMap(([name, office, radar]) => {
    const base = { call: { tool: 'search_locations', arguments: { query: name, limit: 1 } }, facts: { location: name } }
    return [
      question({
        ...base,
        subject: 'office of a place',
        text: `Which NWS office forecasts for ${name}?`,
        expected: words(`${office}.`, new RegExp(`\\b${office}\\b`)),
      }),
      question({
        ...base,
        subject: 'radar of a place',
        text: `Which weather radar is nearest to ${name}?`,
        expected: words(`${radar}.`, new RegExp(`\\b${radar}\\b`)),
      }),
    ]
  })
