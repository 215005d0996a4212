import type { z } from 'zod'
import type { MetaWarning } from '../contract.ts'
import type { AlertJson } from '../live/alerts.ts'
import type { UnitLabels } from '../present/units.ts'
import type { weatherSchema } from './weather-schema.ts'

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
type Described = DeepReadonly<z.infer<typeof weatherSchema>>

/**
 * The Weather object as readers in this process see it. It is the published schema, except that alerts and warnings
 * have the types of the code that creates them, and tools may also use SI units. `test/api/answer/values.test.ts`
 * checks it against the schema.
 */
export interface WeatherValue extends Omit<Described, 'alerts' | 'units' | 'meta'> {
  readonly alerts?: readonly AlertJson[]
  readonly units: UnitLabels
  readonly meta: Omit<Described['meta'], 'warnings'> & { readonly warnings?: readonly MetaWarning[] }
}

export type CurrentValue = NonNullable<WeatherValue['current']>
export type HourValue = NonNullable<WeatherValue['hourly']>[number]
export type DayValue = NonNullable<WeatherValue['daily']>[number]
export type PeriodValue = NonNullable<DayValue['day']>
export type AstroValue = NonNullable<DayValue['astro']>
export type OutlookValue = NonNullable<WeatherValue['outlooks']>[number]
export type NowcastValue = NonNullable<WeatherValue['nowcast']>
