/** Members of an answer of `/v1/weather` as the rules read them. */

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
export type AnyJson = any

export const FALLING = /rain|shower|snow|sleet|wintry|precipitation|thunder|freezing/i
export const THUNDER = /thunder/i

export interface AmountLimits {
  /** Least amount that is shown as 0.010 inches, below which a type needs a probability; and the last digit that is shown. */
  readonly amount: number
  readonly step: number
  readonly wetRate: number
  /** 0.5 °C in the unit of the answer, plus the rounding of the last digit. */
  readonly freezing: number
}

export function limitsOf({ units }: AnyJson): AmountLimits {
  return units?.precip_amount === 'mm'
    ? { amount: 0.2413, step: 0.006, wetRate: 0.1, freezing: 0.56 }
    : { amount: 0.01, step: 0.0006, wetRate: 0.1 / 25.4, freezing: 33 }
}

export const rowsOf = (answer: AnyJson): AnyJson[] => answer.hourly ?? []
export const daysOf = (answer: AnyJson): AnyJson[] => answer.daily ?? []
export const each = (rows: AnyJson[], check: (row: AnyJson, index: number) => string | undefined): string[] =>
  rows.flatMap((row, i) => check(row, i) ?? [])
export const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Whether the numbers of a row make it wet; undefined within rounding of a limit. */
export function wetByNumber(
  { precip_probability: chance, precip_amount: amount }: AnyJson,
  limits: AmountLimits,
): boolean | undefined {
  if (isNumber(amount) && Math.abs(amount - limits.amount) <= limits.step) return undefined
  return chance >= 15 || amount >= limits.amount
}

export const halvesOf = (day: AnyJson): [string, AnyJson][] =>
  (['day', 'night'] as const).flatMap((name) => (day[name] ? [[name, day[name]] as [string, AnyJson]] : []))

const HALF_HOUR = 1_800_000

/** Whether every step of the nowcast in the next 30 minutes is wet, or there is no nowcast that contradicts. */
export const rainContinues = ({ nowcast, meta }: AnyJson): boolean => {
  const now = Date.parse(meta.generated_at)
  const steps: AnyJson[] = (nowcast?.points ?? []).filter(
    ({ time }: AnyJson) => Date.parse(time) > now && Date.parse(time) <= now + HALF_HOUR,
  )
  return steps.every(({ type }) => type !== 'none')
}

/** Words of degree. They may differ between a day and its half because the chances differ. */
const degrees: ReadonlySet<string> = new Set(['Slight', 'Chance', 'Light', 'Heavy', 'Likely', 'and', ''])

/**
 * Returns the conditions without words of degree, so that `Rain Showers, Slight Chance Thunderstorms` equals `Showers
 * and Thunderstorms`.
 */
export const withoutDegrees = (words = ''): string =>
  words
    .replace('Sunny', 'Clear')
    .replace('Rain Showers', 'Showers')
    .split(/[ ,]/)
    .filter((word) => !degrees.has(word))
    .join(' ')
