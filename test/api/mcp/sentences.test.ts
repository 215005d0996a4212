import { describe, expect, test } from 'vitest'
import type { HourValue, NowcastValue } from '../../../api/answer/value.ts'
import { resolveSpot } from '../../../api/dataset/spot.ts'
import { failureWords, isMet } from '../../../api/mcp/tools/find-best-window.ts'
import { recordLines } from '../../../api/mcp/tools/get-climate-records.ts'
import { rangeWords } from '../../../api/mcp/tools/get-forecast-distribution.ts'
import { probabilityWords } from '../../../api/mcp/tools/get-lightning-activity.ts'
import { beforeStored } from '../../../api/mcp/tools/get-past-weather.ts'
import { sentence } from '../../../api/mcp/tools/get-precipitation-nowcast.ts'
import { echoWords } from '../../../api/mcp/tools/get-radar.ts'
import { nextHourWords, whyWorst } from '../../../api/mcp/tools/get-route-weather.ts'
import { stormWords } from '../../../api/mcp/tools/get-storm-tracks.ts'
import { distributionWords } from '../../../api/mcp/words/distribution-words.ts'
import { windWords } from '../../../api/mcp/words/forecast-words.ts'
import { counted, reply, spanWords } from '../../../api/mcp/words/reply.ts'
import { hourlyDayLines, seriesPeriods } from '../../../api/mcp/words/series-words.ts'
import { HOUR, isoMilliseconds, MINUTE } from '../../../ingest/domain/time.ts'
import { intensityOf, type StepType, summarise } from '../../../ingest/nowcast/summary.ts'

const ANCHOR = Date.parse('2026-08-20T12:00:00Z')

describe('the sentence of the nowcast', () => {
  const types: Record<string, StepType> = {
    '.': 'none',
    r: 'rain',
    R: 'rain',
    f: 'freezing_rain',
    s: 'snow',
    S: 'snow',
    x: 'no_coverage',
  }
  /** The sentence for steps of five minutes from the scan, each a letter of `text`. */
  const sentenceOf = (text: string, minutesAgo: number, minutes = 60) => {
    const now = ANCHOR + minutesAgo * MINUTE
    const steps = [...text].map((letter, k) => {
      const type = types[letter] ?? 'unknown'
      return { time: ANCHOR + 5 * k * MINUTE, type, rate: { R: 9, S: 3, '.': 0, x: 0 }[letter] ?? 0.8 }
    })
    const { startsAt, endsAt, durationMinutes, ...summary } = summarise(steps, 5, now)
    const nowcast = {
      generated_at: isoMilliseconds(ANCHOR),
      summary: {
        ...(startsAt !== undefined && { starts_at: isoMilliseconds(startsAt) }),
        ends_at: endsAt === undefined ? null : isoMilliseconds(endsAt),
        duration_minutes: durationMinutes ?? null,
        type: summary.type,
        peak_intensity: summary.peakIntensity,
        already_occurring: summary.alreadyOccurring,
      },
      points: steps.map(({ time, type, rate }) => ({
        time: isoMilliseconds(time),
        type,
        intensity: intensityOf(rate, type),
        intensity_dbz: 0,
      })),
    } as unknown as NowcastValue
    return sentence(nowcast, { place: 'Here', timezone: 'UTC', now, minutes })
  }
  const dry = '.'.repeat(18)

  test('names rain of the running step that is about to end', () => {
    expect(sentenceOf(`r${dry}`, 2)).toMatch(
      /^Light rain at Here now by radar, about to end; none in the 60 minutes after/,
    )
  })
  test('names a moment of rain after the running step', () => {
    expect(sentenceOf(`r....r${dry.slice(5)}`, 2)).toMatch(
      /about to end; then light rain for a moment near Thu, 12:25 PM UTC/,
    )
  })
  test('does not say that rain which is over falls now', () => {
    expect(sentenceOf(`rr${dry.slice(1)}`, 12)).toBe('No rain or snow at Here in the next 60 minutes by radar.')
    expect(sentenceOf(`rr.....rrrr${dry.slice(0, 8)}`, 12)).toMatch(/^Light rain at Here from Thu, 12:35 PM UTC until/)
  })
  test('counts minutes from now, not from the scan', () => {
    // Rain begins 70 minutes after the scan, which is 58 minutes from now.
    expect(sentenceOf(`${'.'.repeat(14)}rrrrr`, 12)).toMatch(/^Light rain at Here from Thu, 1:10 PM UTC/)
  })
  test('covers at most the minutes that the steps reach', () => {
    expect(sentenceOf(`.${dry}`, 10, 90)).toBe('No rain or snow at Here in the next 80 minutes by radar.')
  })
  test('names a moment of rain', () => {
    expect(sentenceOf(`....r${'.'.repeat(14)}`, 2)).toMatch(
      /^No lasting rain .* light rain for a moment near Thu, 12:20 PM UTC/,
    )
  })
  test('says when light rain becomes heavy and when heavy rain eases', () => {
    expect(sentenceOf(`rrrRRR${'.'.repeat(13)}`, 2)).toBe(
      'Light rain at Here now, heavy by Thu, 12:15 PM UTC until Thu, 12:30 PM UTC (30 minutes).',
    )
    expect(sentenceOf(`..rrRR${'r'.repeat(13)}`, 2)).toBe(
      'Light rain at Here from Thu, 12:10 PM UTC, heavy by Thu, 12:20 PM UTC, with no end within 90 minutes.',
    )
    expect(sentenceOf(`RRrrrr${'.'.repeat(13)}`, 12)).toMatch(/^Light rain at Here now until/)
    expect(sentenceOf(`RrRrrr${'.'.repeat(13)}`, 2)).toBe(
      'Heavy rain at Here now, easing to light by Thu, 12:15 PM UTC until Thu, 12:30 PM UTC (30 minutes).',
    )
  })
  test('names the type that falls now and the type that it turns to, not the most frequent type', () => {
    expect(sentenceOf(`fff${'s'.repeat(16)}`, 2)).toBe(
      'Light freezing rain at Here now, turning to snow by Thu, 12:15 PM UTC, with no end within 90 minutes.',
    )
    expect(sentenceOf(`rrr${'S'.repeat(16)}`, 2)).toBe(
      'Light rain at Here now, turning to heavy snow by Thu, 12:15 PM UTC, with no end within 90 minutes.',
    )
    expect(sentenceOf(`..ffsffff${'.'.repeat(10)}`, 2)).toBe(
      'Light freezing rain at Here from Thu, 12:10 PM UTC until Thu, 12:45 PM UTC (35 minutes).',
    )
  })
  test('says so if an episode begins or ends with the radar coverage', () => {
    expect(sentenceOf(`xxxxrrr${'.'.repeat(12)}`, 2)).toBe(
      'Light rain at Here from Thu, 12:20 PM UTC until Thu, 12:35 PM UTC (15 minutes). Until then radar does not always see the place, so earlier precipitation is not known.',
    )
    expect(sentenceOf(`rrr${'x'.repeat(16)}`, 2)).toBe(
      'Light rain at Here now until at least Thu, 12:15 PM UTC, the end of the radar coverage.',
    )
  })
  test('names rain that ends now beside rain that comes later', () => {
    expect(sentenceOf(`r.....rrrr${dry.slice(0, 9)}`, 2)).toBe(
      'Light rain at Here now, about to end; light rain from Thu, 12:30 PM UTC until Thu, 12:50 PM UTC (20 minutes).',
    )
  })
  test('does not take missing coverage for dry weather', () => {
    expect(sentenceOf('x'.repeat(19), 2)).toMatch(
      /^It is not known whether rain or snow falls .* radar does not see the place\./,
    )
    // The requested quarter of an hour has no coverage, so later steps do not matter.
    expect(sentenceOf(`xxxx${dry}`, 0, 15)).toMatch(
      /^It is not known whether rain or snow falls .* radar does not see the place\./,
    )
    expect(sentenceOf(`xxxx${dry}`, 0)).toBe(
      'It is not known whether rain or snow falls at Here in the next 60 minutes: radar does not see the place in a part of that time; the other steps are dry. This does not mean that it is dry.',
    )
    expect(sentenceOf(`${dry}xx`, 0, 15)).toBe('No rain or snow at Here in the next 15 minutes by radar.')
  })
})

describe('spans of alerts', () => {
  const now = Date.parse('2026-11-25T15:00:00Z')
  const at = (hours: number) => now + hours * 3_600_000
  test('have a begin only for a later alert, and a date only for a distant end', () => {
    expect(spanWords({ onset: at(-1), ends: at(3) }, now, 'UTC')).toBe('until Wed, 6:00 PM UTC')
    expect(spanWords({ onset: at(24), ends: at(30) }, now, 'UTC')).toBe('from Thu, 3:00 PM UTC until Thu, 9:00 PM UTC')
    expect(spanWords({ onset: at(-1), ends: at(14 * 24) }, now, 'UTC')).toBe('until Wed, Dec 9, 3:00 PM UTC')
  })
})

test('words counts and winds', () => {
  expect([counted(1, 'flash', 'flashes'), counted(2, 'flash', 'flashes')]).toEqual(['1 flash', '2 flashes'])
  const mph = { wind_speed: 'mph' } as const
  expect(windWords({ wind_speed: 12, wind_direction: 226 }, mph)).toBe('wind SW 12 mph')
  expect(windWords({ wind_speed: 12, wind_direction: null }, mph)).toBe('wind 12 mph')
  expect(windWords({ wind_speed: null, wind_direction: 10 }, mph)).toBeUndefined()
})

test('takes the probability of an hour from the row at its end', () => {
  const rule = { name: 'max_precipitation_probability', field: 'precip_probability', side: 'max' } as const
  const row = (chance: number | null) => ({ precip_probability: chance }) as HourValue
  expect(isMet(row(5), row(90), rule, 30)).toBe(false)
  expect(isMet(row(90), row(5), rule, 30)).toBe(false)
  expect(isMet(row(5), row(10), rule, 30)).toBe(true)
  expect(isMet(row(5), row(null), rule, 30)).toBe(false)
  const warm = { name: 'min_temperature', field: 'temperature', side: 'min' } as const
  expect(isMet({ temperature: 60 } as HourValue, { temperature: 40 } as HourValue, warm, 50)).toBe(true)
})

test('finds that a place is outside the coverage, also by its name alone', () => {
  expect(resolveSpot({ location: 'San Juan, PR' }, 'x').status).toBe('outside_coverage')
  expect(resolveSpot({ location: '18.4,-66.1' }, 'x')).toMatchObject({
    status: 'outside_coverage',
    location: { lat: 18.4 },
  })
  expect(resolveSpot({ location: 'Qqqqville, CO' }, 'x').status).toBe('not_found')
})

test('names the hours that a value covers, the time of the highest value, and the last time with a value', () => {
  const times = [1, 2, 3].map((hour) => ANCHOR + hour * HOUR)
  const at = (time: number) => new Date(time).toISOString().slice(11, 16)
  const span = { times, unit: 'in', at, to: ANCHOR + 3 * HOUR }
  expect(rangeWords('precip_amount', [0, 0.05, 0.01], { ...span, window: 1 })).toBe(
    'precipitation in 1 h: 0 to 0.05 in, highest in the 1 h to 14:00',
  )
  expect(rangeWords('precip_amount_6h', [0, 0.3, 0.3], { ...span, window: 6, to: ANCHOR + 72 * HOUR })).toBe(
    'precipitation in 6 h: 0 to 0.3 in, highest in the 6 h to 14:00; known only to 15:00',
  )
  expect(rangeWords('snow_prob_gt_2in', [0, null, 0], { ...span, unit: '%', window: 24 })).toBe(
    'chance of more than 2 in of snow: 0% in each 24 h to 13:00 through 15:00',
  )
  expect(rangeWords('snow_prob_gt_1in', [null, 7, null], { ...span, unit: '%', window: 24 })).toBe(
    'chance of more than 1 in of snow: 7% in the 24 h to 14:00',
  )
  expect(rangeWords('visibility_prob_below_1mi', [3, 3, 3], { ...span, unit: '%', window: undefined })).toBe(
    'chance of visibility below 1 mi: 3% throughout',
  )
  expect(['ensemble_precip_prob_gt_050in', 'ceiling_prob_below_500ft', 'wind_gust_p90'].map(distributionWords)).toEqual(
    [
      'chance of more than 0.5 in of precipitation, REFS',
      'chance of a ceiling below 500 ft',
      'wind gust, 90th percentile',
    ],
  )
  expect(rangeWords('temperature', [30, 50, 40], { ...span, unit: 'F', window: undefined })).toBe(
    'temperature: 30 to 50 °F, highest at 14:00',
  )
})

test('adds the chance of the next hour at a stop, and gives the reason for the worst stop', () => {
  const row = (chance: number | null) =>
    ({ time: new Date(ANCHOR + HOUR).toISOString(), precip_probability: chance }) as HourValue
  expect(nextHourWords(row(0), row(45), 'UTC')).toBe('45% in the hour to Thu, 1:00 PM UTC')
  // The reason for the worst stop names the higher chance, so the line of the stop has it too.
  expect(nextHourWords(row(82), row(98), 'UTC')).toBe('98% in the hour to Thu, 1:00 PM UTC')
  expect([row(30), row(null), undefined].map((next) => nextHourWords(row(20), next, 'UTC'))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  const alert = (event: string, severity: string) => ({ id: event, event, severity })
  const alerts = [alert('Wind Advisory', 'Moderate'), alert('Tornado Warning', 'Extreme')]
  expect(whyWorst({ alerts }, 90)).toBe('Tornado Warning')
  expect(whyWorst({ alerts: null }, 90)).toBe('rain or snow 90%')
})

test('gives the value of a record with its unit', () => {
  const record = {
    station: 'NYC',
    date: '2026-11-25',
    tied: false,
    value: 42,
    previous: 41,
    previous_year: 1953,
    text: '',
  }
  const first = (event: string) => recordLines({ ...record, event } as Parameters<typeof recordLines>[0])[0]
  expect(first('HIGH')).toBe('NYC Wed, Nov 25, high: 42 °F, before 41 °F (1953)')
  expect(first('SNOW')).toBe('NYC Wed, Nov 25, snow: 42 in, before 41 in (1953)')
})

test('names an echo aloft, and does not take missing coverage for dry weather', () => {
  const words = (coverage: 'value' | 'dry' | 'no_coverage', reflectivity_dbz: number | null) =>
    echoWords(
      { coverage, reflectivity_dbz, precip_rate: null, valid_time: '2026-08-20T12:00:00Z' },
      'in',
      'Here',
      'UTC',
    )
  expect(words('dry', 21)).toBe('21 dBZ over Here at Thu, 12:00 PM UTC, without precipitation at the ground by radar.')
  expect(words('dry', null)).toBe('No precipitation over Here at Thu, 12:00 PM UTC by radar.')
  expect(words('no_coverage', null)).toBe(
    'It is not known whether anything falls at Here now: no radar sees the place. This does not mean that it is dry.',
  )
  expect(words('no_coverage', 21)).toMatch(
    /^It is not known whether anything falls at Here now: 21 dBZ over Here .*, but the radar has no rate\. This/,
  )
})

test('says where a storm is and heads, and whether it still comes closer', () => {
  const storm = {
    distance_km: 96.2,
    bearing: 272,
    heading: 93,
    speed_kph: 63.5,
    closest_km: 2.2,
    closest_at: '2026-08-20T13:30:00Z',
    severe_prob: 23,
    valid_time: '2026-08-20T12:00:00Z',
  }
  expect(stormWords(storm, 'UTC')).toBe(
    '96.2 km W, moving E at 63.5 km/h, closest 2.2 km at Thu, 1:30 PM UTC, severe weather 23%',
  )
  expect(stormWords({ ...storm, closest_at: '2026-08-20T14:00:00Z' }, 'UTC')).toContain(
    '2.2 km away at Thu, 2:00 PM UTC and still coming closer',
  )
  expect(stormWords({ ...storm, closest_at: null }, 'UTC')).toContain('moving E at 63.5 km/h, moving away')
  const still = { ...storm, heading: null, speed_kph: 0, closest_at: null, severe_prob: null }
  expect(stormWords(still, 'UTC')).toBe('96.2 km W, stationary')
  expect(stormWords({ ...still, speed_kph: null }, 'UTC')).toBe('96.2 km W, motion not known yet')
})

test('names every criterion that failed, not only the strictest', () => {
  expect(
    failureWords(
      [
        ['min_temperature', 72],
        ['daylight_only', 60],
      ],
      72,
    ),
  ).toBe('min_temperature failed in 72 of 72 hours, daylight_only in 60')
})

test('says that a default day was used', () => {
  expect(beforeStored('2026-11-25', '2026-11-26', true, 'get_observations').message).toContain(
    '2026-11-25 (yesterday, as no start was given) lies before the first stored day, 2026-11-26.',
  )
  expect(beforeStored('2026-11-20', '2026-11-26', false, 'get_observations').message).toContain(
    '2026-11-20 lies before',
  )
})

test('says that flashes are near beside a low probability', () => {
  const words = 'Probability of lightning at the place in the next 30 minutes:'
  expect(probabilityWords(3, 12)).toBe(`${words} 3% by MRMS, but flashes are near now.`)
  expect([probabilityWords(3, 0), probabilityWords(90, 12)]).toEqual([`${words} 3%.`, `${words} 90%.`])
})

describe('series in words', () => {
  const times = Array.from({ length: 8 }, (_, i) => new Date(ANCHOR + i * HOUR).toISOString())
  test('give the range, or the sum, of each period', () => {
    const values = [1, 3, null, 2, 5, 5, 5, 5]
    const series = { times, values, unit: 'mph', isAmount: false }
    expect(seriesPeriods(series, 'UTC', 4).replaceAll('\u202f', ' ')).toBe('Thu 12 PM: 1 to 3 mph; Thu 4 PM: 5 mph')
    expect(seriesPeriods({ ...series, unit: 'in', isAmount: true }, 'UTC', 4).replaceAll('\u202f', ' ')).toBe(
      'Thu 12 PM: 6 in; Thu 4 PM: 20 in',
    )
  })
  test('list every hour of a local day in order, with a mark for a missing hour', () => {
    const lines = hourlyDayLines(
      'temperature',
      { times: times.filter((_, i) => i !== 2), values: [1, 2, 4, 5, 6, 7, 8], unit: 'F' },
      'UTC',
    )
    expect(lines.map((line) => line.replaceAll('\u202f', ' '))).toEqual([
      'Thu, Aug 20, temperature °F by hour from 12 PM: 1, 2, ?, 4, 5, 6, 7, 8',
    ])
  })
})

test('keeps notes about incomplete runs short, so that the hours have room', () => {
  const detail = `its run is incomplete: ${'precip_amount_6h is lost at hour 205; '.repeat(10)}`
  const place = `"Maui" is an island; ${'name a town for another part; '.repeat(8)}`
  const warnings = [
    { code: 'source_incomplete', section: 'meta', detail },
    { code: 'place_assumed', section: 'location', detail: place },
  ] as const
  const meta = { generated_at: '', attribution: { sources: [], notice: 'notice' }, warnings, freshness: [] }
  const { text } = reply({ structured: {}, lines: ['The answer.'], meta })
  const [incomplete = '', assumed = ''] = text.split('\n').filter((line) => line.startsWith('Note'))
  expect(incomplete).toMatch(/^Note \(meta\): its run is incomplete: .*…$/)
  expect(incomplete.length).toBeLessThanOrEqual(160)
  expect(assumed).toContain(place.trim())
})
