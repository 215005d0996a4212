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

/** Rules that some answers break today; a rule leaves the list when its kind of fault is fixed. */
export const broken: ReadonlySet<string> = new Set([
  'an hour with a tenth of an inch is more than a slight chance',
  'an hour of 15 % has an amount in millimetres',
  'the current type is that of the first hour',
  'a place has its elevation, whatever is included',
  'an hour of 15 % has an amount',
  'an hour of heavy precipitation has an amount',
  'an hour that is wet throughout and moderate has no view of ten miles',
  'the depth of snow is more than its liquid',
  'an hour with a tenth of an inch of snow has a probability of snow',
  'the chance word of a day is of its own chance',
  'a day with an inch of snow names snow',
  'the words of a day are of weather with half of the greatest weight',
  'the percentiles of snow are of the window of the row',
  'a day that feels worse than a day with a threat of cold has one too',
  'the narrative of a half says when',
  'a half with two types is told in order of time',
  'the hours that a narrative names are those of what it names',
  'gusts of 40 mph are told',
  'half an inch of rain or more is told',
  'both systems of units have the same sentences',
  'the degree of thunder in the words of an hour is of its own probability',
  'an hour of 15 % or a measurable amount names precipitation',
  'the chance word of an hour is of its own chance',
  'thunder of 15 % is named in a wet hour',
  'a wet half names precipitation',
  'the degree of thunder in the words of a half is of its own probability',
  'thunder of 15 % is named in a wet half',
  'a half with an inch of snow names snow',
  'thunder of a half is at least that of each of its hours',
  'a half has conditions and an icon where it has a temperature',
  'the type of a half has at least half of the greatest weight of its hours',
  'a wet day names precipitation',
  'the words of a day end in "at Night" where the night alone is wet',
  'the degree of thunder in the words of a day is of a half of it',
  'the snow of a day lies within its percentiles, or its sources disagree',
  'the nowcast says null where nothing begins',
  'thunder is at most as likely as precipitation in an hour',
  'an hour with an inch of snow names snow',
  'thunder is at most as likely as precipitation in a half',
  'dew_point of a half is the mean of its hours',
  'humidity of a half is the mean of its hours',
  'the icon of a day is computed for noon',
  'thunder is at most as likely as precipitation on a day',
  'what has fallen stands beside a running day whose rest is dry',
  'rates and depths in sentences have at most two decimals and no trailing zero',
])
