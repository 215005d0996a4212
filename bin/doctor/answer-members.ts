/** Members of an answer of `/v1/weather` as the rules read them. */

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
export type Json = any

export const FALLING = /rain|shower|snow|sleet|wintry|precipitation|thunder|freezing/i
export const THUNDER = /thunder/i

export interface Limits {
  /** A measurable amount, below which a type needs a probability; and the last digit shown. */
  readonly amount: number
  readonly step: number
  readonly wetRate: number
  /** 0.5 °C in the asked unit, with the rounding of the last digit. */
  readonly freezing: number
}

export function limitsOf({ units }: Json): Limits {
  return units?.precip_amount === 'mm'
    ? { amount: 0.254, step: 0.006, wetRate: 0.1, freezing: 0.56 }
    : { amount: 0.01, step: 0.0006, wetRate: 0.1 / 25.4, freezing: 33 }
}

/** From here on a probability may be that of a longer interval. */
export function boundsFrom({ meta }: Json): number {
  const marked = meta?.warnings?.find(({ code }: Json) => code === 'probability_upper_bound')
  return marked?.from ? Date.parse(marked.from) : Number.POSITIVE_INFINITY
}

/** The probability of the first row speaks of the next 30 minutes where it rains now or the nowcast covers the point. */
export const nowFromRadar = ({ radar, nowcast, meta }: Json): boolean => {
  if (radar?.precip_rate > 0) return true
  const now = Date.parse(meta.generated_at)
  const step = nowcast?.points.findLast(({ time }: Json) => Date.parse(time) <= now)
  return step !== undefined && step.type !== 'no_coverage'
}

export const rowsOf = (answer: Json): Json[] => answer.hourly ?? []
export const daysOf = (answer: Json): Json[] => answer.daily ?? []
export const each = (rows: Json[], check: (row: Json, index: number) => string | undefined): string[] =>
  rows.flatMap((row, i) => check(row, i) ?? [])
export const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Wet by its numbers; undefined within rounding of a limit. */
export function wetByNumber(
  { precip_probability: chance, precip_amount: amount }: Json,
  limits: Limits,
): boolean | undefined {
  if (isNumber(amount) && Math.abs(amount - limits.amount) <= limits.step) return undefined
  return chance >= 15 || amount >= limits.amount
}

export const halvesOf = (day: Json): [string, Json][] =>
  (['day', 'night'] as const).flatMap((name) => (day[name] ? [[name, day[name]] as [string, Json]] : []))

const HALF_HOUR = 1_800_000

/** Whether the nowcast is wet for the next 30 minutes, or is not there to deny it. */
export const rainGoesOn = ({ nowcast, meta }: Json): boolean => {
  const now = Date.parse(meta.generated_at)
  const steps: Json[] = (nowcast?.points ?? []).filter(
    ({ time }: Json) => Date.parse(time) > now && Date.parse(time) <= now + HALF_HOUR,
  )
  return steps.every(({ type }) => type !== 'none')
}
