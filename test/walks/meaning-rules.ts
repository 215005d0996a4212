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
 * Rules that some answers break today; a rule leaves the list when its kind of fault is fixed. The first row has the chance
 * of the next 30 minutes beside the amount of the hour that ended. No source gives the elevation of places in Alaska and
 * Hawaii. Percentiles of snow are for NBM's windows, which are named. Threats may come from alerts.
 */
export const broken: ReadonlySet<string> = new Set([
  'an hour with a tenth of an inch is more than a slight chance',
  'an hour of 15 % has an amount in millimetres',
  'a place has its elevation, whatever is included',
  'an hour of 15 % has an amount',
  'an hour of heavy precipitation has an amount',
  'the chance word of a day is of its own chance',
  'the words of a day are of weather with half of the greatest weight',
  'the percentiles of snow are of the window of the row',
  'a day that feels worse than a day with a threat of cold has one too',
  'a half with two types is told in order of time',
  'the hours that a narrative names are those of what it names',
  'gusts of 40 mph are told',
  'half an inch of rain or more is told',
  'both systems of units have the same sentences',
])
