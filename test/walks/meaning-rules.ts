/**
 * Rules of meaning, written from the specification and the contracts alone. They read an answer as it is shown: no row
 * may contradict itself or the row beside it.
 */

import { dayRules, halfRules } from './meaning-days.ts'
import { currentRules, hourRules } from './meaning-hours.ts'
import { sentenceRules } from './meaning-sentences.ts'
import type { MeaningRule } from './meaning-words.ts'

export const meaningRules: readonly MeaningRule[] = [
  ...currentRules,
  ...hourRules,
  ...halfRules,
  ...dayRules,
  ...sentenceRules,
]

/**
 * Rules that some answers break today; a rule leaves the list when its kind of fault is fixed. No source gives the
 * elevation of places in Alaska and Hawaii. Percentiles of snow are for NBM's windows, which are named. Threats may come
 * from alerts.
 */
export const broken: ReadonlySet<string> = new Set([
  'a place has its elevation, whatever is included',
  'the chance word of a day is of its own chance',
  'the words of a day are of weather with half of the greatest weight',
  'the percentiles of snow are of the window of the row',
  'a day that feels worse than a day with a threat of cold has one too',
  'a half with two types is told in order of time',
  'the hours that a narrative names are those of what it names',
])
