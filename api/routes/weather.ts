import type { Past } from '../answer/past.ts'
import { surrogateKeysOf } from '../answer/surrogate-keys.ts'
import type { Answered, Weather, WeatherAnswer } from '../answer/weather.ts'
import { weatherSchema } from '../answer/weather-schema.ts'
import { preferredForm } from '../http/accept.ts'
import { warningsHeader } from '../present/meta.ts'
import { formatShape, weatherForms } from '../query/format.ts'
import { asOfShape, parseParameters, queryOf, selectorOf, selectorShape, weatherShape } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { tableOf, weatherCalendar, weatherCsv } from './weather-forms.ts'

const shape = { ...selectorShape, ...weatherShape, as_of: asOfShape, format: formatShape([...weatherForms]) }

/** The first version of the API deprecated `include=discussions`, with effect from 1 January 2026. */
const DEPRECATED = 'discussions'
const deprecationHeaders = { Deprecation: '@1767225600' }

/** Returns the header of RFC 9745 if a request uses a deprecated part. */
function deprecation(url: string): Readonly<Record<string, string>> {
  if (!url.includes(DEPRECATED)) return {}
  const include = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('include')
  return include?.split(',').some((token) => token.trim() === DEPRECATED) ? deprecationHeaders : {}
}

export function weatherRoute(weather: Weather, past: Past): Route {
  /** Returns whether an answer is sent for the first time. An answer that was sent before came from the cache and does not count. */
  const isNew = (answer: Answered): boolean => {
    const isFirst = !answer.sent
    answer.sent = true
    return isFirst
  }
  const answered = (answer: WeatherAnswer, now: number, counted: boolean, url: string): Answer => ({
    body: answer.body,
    release: () => answer.reading.release(),
    etag: answer.etag,
    surrogateKeys: () => surrogateKeysOf(answer.parts),
    encoded: { forms: answer.forms, keep: (encoding, form) => weather.keepForm(answer, encoding, form) },
    headers: { 'Cache-Control': answer.cacheControl(now), ...deprecation(url) },
    counted,
  })
  const handle = async ({ query, now, url, format }: RouteRequest): Promise<Answer> => {
    const values = parseParameters(shape, query)
    const table = format === 'csv' ? tableOf(query['include']) : 'daily'
    const include = format === 'json' ? values.include : new Set([...values.include, table])
    const request = { selector: selectorOf(values), query: { ...queryOf(values), include } }
    const earlier = values.as_of === undefined ? undefined : await past.answersAt(values.as_of)
    // Answers with `as_of` are not cached: each is requested once, and its history ends.
    const noStore = { 'Cache-Control': 'no-store' }
    if (format === 'json') {
      if (earlier) {
        const headers = { ...noStore, ...deprecation(url) }
        return { body: (await earlier.weather.answer(request, earlier.at)).body, headers }
      }
      const answer = await weather.answer(request, now, url)
      return answered(answer, now, isNew(answer), url)
    }
    const answer = await (earlier ? earlier.weather.value(request, earlier.at) : weather.value(request, now))
    const { value } = answer
    const headers = earlier ? noStore : { 'Cache-Control': answer.cacheControl(now) }
    return {
      ...(format === 'csv' ? weatherCsv(value, table) : weatherCalendar(value)),
      ...(!earlier && { surrogateKeys: () => surrogateKeysOf(answer.parts) }),
      ...(!earlier && { etag: answer.etag.replace(/"$/, `-${format}${table === 'daily' ? 'd' : ''}"`) }),
      headers: { ...headers, ...warningsHeader(value.meta.warnings ?? []) },
      counted: isNew(answer),
    }
  }
  return {
    method: 'get',
    path: '/v1/weather',
    sold: true,
    formats: weatherForms,
    ready: ({ url, accept, now }) => {
      const cached = weather.ready(url, now)
      // Only JSON is cached. If `format` overrides the Accept header, the handler finds the cached answer.
      if (!cached || preferredForm(weatherForms, accept) !== 'json') return undefined
      cached.reading.retain()
      return answered(cached, now, false, url)
    },
    handle,
    contract: {
      tag: 'weather',
      tagged: true,
      summary: 'All weather information for one point',
      description:
        'The sections in `include`, as members of one object. A cached answer does not count as a call. `as_of` returns the answer of an earlier instant, as far back as HISTORY_DAYS; an earlier instant gives a 404 with the range. An answer from a degraded source is `no-store` and says why in `meta.warnings`; CSV and calendars have the codes of warnings in `X-Warnings`.',
      query: shape,
      answer: weatherSchema,
    },
  }
}
