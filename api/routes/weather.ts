import type { Weather, WeatherAnswer } from '../answer/weather.ts'
import { parseWeather, selectorShape, weatherShape } from '../query/query.ts'
import type { Answer, Route } from '../route.ts'
import { weatherSchema } from './weather-schema.ts'

export function weatherRoute(weather: Weather): Route {
  // Answers that were sent before came from the cache, whatever the spelling of the request: they are not counted.
  const sent = new WeakSet<WeatherAnswer>()
  const answered = (given: WeatherAnswer, now: number, counted: boolean): Answer => ({
    body: given.body,
    etag: given.etag,
    headers: { 'Cache-Control': given.cacheControl(now) },
    counted,
  })
  return {
    method: 'get',
    path: '/v1/weather',
    ready: ({ url, now }) => {
      const cached = weather.ready(url, now)
      return cached && answered(cached, now, false)
    },
    handle: async ({ query, now, url }) => {
      const given = await weather.answer(parseWeather(query), now, url)
      const counted = !sent.has(given)
      sent.add(given)
      return answered(given, now, counted)
    },
    contract: {
      tag: 'weather',
      tagged: true,
      summary: 'Everything about the weather of one point',
      description:
        'Sections of one object, by `include`. A cached answer does not count. An answer on a degraded source is `no-store` and says why in `meta.warnings`.',
      query: { ...selectorShape, ...weatherShape },
      answer: weatherSchema,
    },
  }
}
