import type { WeatherAnswer } from '../../../api/answer/weather.ts'

/** An answer as a client reads it: from its bytes. */
export function parsed(answer: Pick<WeatherAnswer, 'body'>): unknown {
  return JSON.parse(answer.body.toString())
}
