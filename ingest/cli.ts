import type { Verb } from '../hexcast.ts'
import { grib } from './cli/grib.ts'

/** The verbs of this room. */
export const verbs: readonly Verb[] = [grib]
