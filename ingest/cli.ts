import type { Verb } from '../hexcast.ts'
import { plan, publish, sample, tryOut, weave } from './cli/flow.ts'
import { grib } from './cli/grib.ts'
import { point } from './cli/point.ts'

/** The verbs of this room. */
export const verbs: readonly Verb[] = [plan, sample, weave, publish, point, tryOut, grib]
