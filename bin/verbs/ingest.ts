import type { Verb } from '../verb.ts'
import { plan, publish, sample, tryOut, weave } from './flow.ts'
import { grib } from './grib.ts'
import { point } from './point.ts'

/** The verbs that inspect and process model runs. */
export const verbs: readonly Verb[] = [plan, sample, weave, publish, point, tryOut, grib]
