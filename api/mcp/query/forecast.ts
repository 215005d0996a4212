import type { WeatherValue } from '../../answer/value.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { IncludeToken, WeatherQuery } from '../../query/query.ts'
import type { ToolContext } from '../protocol/context.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { age, metaOf } from '../words/reply.ts'
import { CONFIRMED_SECONDS } from './alert-feed.ts'

export interface ToolForecast {
  readonly spot: Spot
  /** The answer of the pipeline: the Weather object of REST. */
  readonly weather: WeatherValue
  readonly meta: ToolMeta
}

/** Codes of warnings with which an empty list of alerts does not mean that there are no alerts. */
const doubts: ReadonlySet<string> = new Set([
  'feed_unconfirmed',
  'degraded',
  'stale_source',
  'source_failed',
  'source_incomplete',
  'source_missing',
])

/**
 * Returns why a tool must not answer "no alerts": the feed was not read, was read too long ago, or has an alert whose area is not known. Undefined
 * if an empty list means that there are none.
 */
export function alertsDoubt({ freshness, warnings }: ToolMeta): string | undefined {
  const doubt = warnings.find(({ code, section }) => section === 'alerts' && doubts.has(code))
  if (doubt) return doubt.detail ?? 'the NWS alert feed could not be read'
  const seconds = freshness.find(({ product_id }) => product_id === 'nws-alerts')?.age_seconds
  if (typeof seconds !== 'number') return 'the NWS alert feed was not read'
  return seconds > CONFIRMED_SECONDS ? `the last good read of the NWS alert feed is ${age(seconds)} old` : undefined
}

/** Returns whether a tool may answer "no alerts". */
export const alertsKnown = (meta: ToolMeta): boolean => alertsDoubt(meta) === undefined

export interface ForecastOptions {
  readonly units?: UnitSystem
  readonly include: readonly IncludeToken[]
  readonly days?: number
  readonly hours?: number
  readonly step?: number
  readonly stepFrom?: number
  readonly concise?: boolean
}

/** Returns the answer of the pipeline of REST for a place. @throws Fault */
export async function forecastAt(context: ToolContext, spot: Spot, options: ForecastOptions): Promise<ToolForecast> {
  const query: WeatherQuery = {
    units: options.units ?? 'imperial',
    include: new Set(options.include),
    view: options.concise ? 'concise' : 'detailed',
    alertDetail: 'concise',
    days: options.days ?? 10,
    hourlyHours: options.hours ?? 48,
    hourlyStep: options.step ?? 1,
    hourlyStepFrom: options.stepFrom ?? 0,
    pastHours: 0,
  }
  const { weather: pipeline, usedAnswers } = context.deps
  const answer = await pipeline.value({ selector: spot.selector, query }, context.now)
  context.reused(usedAnswers.has(answer))
  usedAnswers.add(answer)
  context.signal.throwIfAborted()
  const { value } = answer
  return { spot, weather: value, meta: metaOf(value) }
}

/** Members of an alert in a list. */
export const briefAlert = [
  'id',
  'event',
  'severity',
  'urgency',
  'certainty',
  'headline',
  'onset',
  'ends',
  'expiration',
  'sender',
] as const

/** Returns the named members of a row that are present. */
export function pick<T extends object, K extends keyof T>(row: T, names: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]),
  ) as Partial<Pick<T, K>>
}
