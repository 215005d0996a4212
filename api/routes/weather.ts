import type { Past } from '../answer/past.ts'
import type { Weather, WeatherAnswer } from '../answer/weather.ts'
import { warningsHeader } from '../present/meta.ts'
import { formatShape } from '../query/format.ts'
import { asOfShape, parseParameters, queryOf, selectorOf, selectorShape, weatherShape } from '../query/query.ts'
import type { Answer, Ask, Route } from '../route.ts'
import { tableOf, weatherCalendar, weatherCsv } from './weather-forms.ts'
import { weatherSchema } from './weather-schema.ts'

const formats = ['json', 'csv', 'ics'] as const
const shape = { ...selectorShape, ...weatherShape, as_of: asOfShape, format: formatShape([...formats]) }

export function weatherRoute(weather: Weather, past: Past): Route {
  // Answers that were sent before came from the cache, whatever the spelling of the request: they are not counted.
  const sent = new WeakSet<WeatherAnswer>()
  const answered = (given: WeatherAnswer, now: number, counted: boolean): Answer => ({
    body: given.body,
    etag: given.etag,
    encoded: { forms: given.forms, keep: (encoding, form) => weather.keepForm(given, encoding, form) },
    headers: { 'Cache-Control': given.cacheControl(now) },
    counted,
  })
  const handle = async ({ query, now, url, format }: Ask): Promise<Answer> => {
    const values = parseParameters(shape, query)
    const table = format === 'csv' ? tableOf(query['include']) : 'daily'
    const include = format === 'json' ? values.include : new Set([...values.include, table])
    const asked = { selector: selectorOf(values), query: { ...queryOf(values), include } }
    const then = values.as_of === undefined ? undefined : await past.answersAt(values.as_of)
    const given = then
      ? await then.weather.answer(asked, then.at)
      : await weather.answer(asked, now, format === 'json' ? url : undefined)
    const counted = !sent.has(given)
    sent.add(given)
    // Kept by nobody: it was asked for once, and its history ends.
    const answer: Answer = then
      ? { body: given.body, headers: { 'Cache-Control': 'no-store' } }
      : answered(given, now, counted)
    if (format === 'json') return answer
    const value = given.value() as Parameters<typeof weatherCsv>[0]
    return {
      ...(format === 'csv' ? weatherCsv(value, table) : weatherCalendar(value)),
      ...(!then && { etag: given.etag.replace(/"$/, `-${format}${table === 'daily' ? 'd' : ''}"`) }),
      headers: { ...answer.headers, ...warningsHeader(value.meta.warnings ?? []) },
      counted,
    }
  }
  return {
    method: 'get',
    path: '/v1/weather',
    formats,
    ready: ({ url, now, format }) => {
      const cached = format === 'json' ? weather.ready(url, now) : undefined
      return cached && answered(cached, now, false)
    },
    handle,
    contract: {
      tag: 'weather',
      tagged: true,
      summary: 'Everything about the weather of one point',
      description:
        'Sections of one object, by `include`. A cached answer does not count. `as_of` gives the answer of an earlier instant again, as long as HISTORY_DAYS; outside of that a 404 with the range. An answer on a degraded source is `no-store` and says why in `meta.warnings`; CSV and calendars carry the codes of warnings in `X-Warnings`.',
      query: shape,
      answer: weatherSchema,
    },
  }
}
