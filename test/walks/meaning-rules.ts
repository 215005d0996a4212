/**
 * Rules of meaning, written only from the specification and the contracts. They read an answer as it is shown: no row
 * may contradict itself or the neighbouring row.
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
