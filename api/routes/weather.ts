import type { Past } from '../answer/past.ts'
import type { Answered, Weather, WeatherAnswer } from '../answer/weather.ts'
import { weatherSchema } from '../answer/weather-schema.ts'
import { warningsHeader } from '../present/meta.ts'
import { formatShape, weatherForms } from '../query/format.ts'
import { asOfShape, parseParameters, queryOf, selectorOf, selectorShape, weatherShape } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { tableOf, weatherCalendar, weatherCsv } from './weather-forms.ts'

const shape = { ...selectorShape, ...weatherShape, as_of: asOfShape, format: formatShape([...weatherForms]) }

export function weatherRoute(weather: Weather, past: Past): Route {
  // Answers that were sent before came from the cache, whatever the spelling of the request: they are not counted.
  const isNew = (given: Answered): boolean => {
    const first = !given.sent
    given.sent = true
    return first
  }
  const answered = (given: WeatherAnswer, now: number, counted: boolean): Answer => ({
    body: given.body,
    release: () => given.reading.release(),
    etag: given.etag,
    encoded: { forms: given.forms, keep: (encoding, form) => weather.keepForm(given, encoding, form) },
    headers: { 'Cache-Control': given.cacheControl(now) },
    counted,
  })
  const handle = async ({ query, now, url, format }: RouteRequest): Promise<Answer> => {
    const values = parseParameters(shape, query)
    const table = format === 'csv' ? tableOf(query['include']) : 'daily'
    const include = format === 'json' ? values.include : new Set([...values.include, table])
    const asked = { selector: selectorOf(values), query: { ...queryOf(values), include } }
    const then = values.as_of === undefined ? undefined : await past.answersAt(values.as_of)
    // Answers of an earlier instant are kept by nobody: each was asked for once, and its history ends.
    const noStore = { 'Cache-Control': 'no-store' }
    if (format === 'json') {
      if (then) return { body: (await then.weather.answer(asked, then.at)).body, headers: noStore }
      const given = await weather.answer(asked, now, url)
      return answered(given, now, isNew(given))
    }
    const given = await (then ? then.weather.value(asked, then.at) : weather.value(asked, now))
    const { value } = given
    const headers = then ? noStore : { 'Cache-Control': given.cacheControl(now) }
    return {
      ...(format === 'csv' ? weatherCsv(value, table) : weatherCalendar(value)),
      ...(!then && { etag: given.etag.replace(/"$/, `-${format}${table === 'daily' ? 'd' : ''}"`) }),
      headers: { ...headers, ...warningsHeader(value.meta.warnings ?? []) },
      counted: isNew(given),
    }
  }
  return {
    method: 'get',
    path: '/v1/weather',
    formats: weatherForms,
    ready: ({ url, now, format }) => {
      const cached = format === 'json' ? weather.ready(url, now) : undefined
      cached?.reading.retain()
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
