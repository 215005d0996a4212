import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { readPieces } from '../present/members.ts'
import {
  type BoundPlaceholder,
  bind,
  boundTemplate,
  choice,
  date,
  flag,
  number,
  perUnits,
  template,
} from '../present/template.ts'
import { conciseNumbers, dayNumbers, detailedNumbers, nightNumbers } from './day-numbers.ts'
import type { Row, ShownHalf } from './day-row.ts'
import { dayWordsPlaceholder, wordsCode, wordsPlaceholder } from './words.ts'

type Piece<From> = string | BoundPlaceholder<From>

/** The row before is closed with the next one's beginning. */
const opening: readonly Piece<Row>[] = [
  bind(choice(['[{"date":"', '},{"date":"']), ({ first }) => (first ? 0 : 1)),
  bind(date, ({ window }) => window.day),
  '","relative_day":',
  bind(number('whole'), ({ window }) => window.relative),
  ',"active_period":',
  bind(choice(['null', '"day"', '"night"']), ({ active }) => active),
]
const severe: readonly Piece<Row>[] = [
  bind(dayWordsPlaceholder, ({ words }) => wordsCode(words)),
  ',"severe":',
  bind(flag, ({ whole }) => Number(whole.severe)),
]
const chance = (of: (row: Row) => number) => bind<Row>(number('percent'), of)

const half = (name: 'day' | 'night', numbers: readonly Piece<ShownHalf>[]): Piece<ShownHalf>[] => [
  `,"${name}":{"temperature":`,
  bind(number('temperature'), ({ temperature }) => temperature),
  ...numbers,
  ',"precip_type":',
  bind(choice(precipTypes.map((word) => `"${word}"`)), ({ half }) => half.precipType),
  bind(wordsPlaceholder, ({ words }) => wordsCode(words)),
]

/** Rows of `daily`, in the order of the answer. */
export const dayTemplates = perUnits((memory, units) => ({
  /** Up to `astro`, which follows. */
  detailed: boundTemplate<Row>(
    memory,
    [
      ...opening,
      ...readPieces(detailedNumbers),
      ...severe,
      ',"thunder_possible":',
      bind(flag, ({ whole }) => Number(whole.thunderPossible)),
      bind(choice(['', ',"cloud_ceiling_unlimited":true']), ({ whole }) => Number(whole.ceilingUnlimited)),
      ',"astro":',
    ],
    units,
  ),
  concise: boundTemplate<Row>(
    memory,
    [
      ...opening,
      ...readPieces(conciseNumbers),
      ...severe,
      ',"day":{"precip_probability":',
      chance(({ day }) => day.precipProbability),
      '},"night":{"precip_probability":',
      chance(({ night }) => night.precipProbability),
      '}',
    ],
    units,
  ),
  /** Halves up to their narrative, */
  day: boundTemplate(memory, half('day', readPieces(dayNumbers)), units),
  night: boundTemplate(memory, half('night', readPieces(nightNumbers)), units),
  /** and what follows it. */
  end: boundTemplate<ShownHalf>(
    memory,
    [
      ',"thunder_possible":',
      bind(flag, ({ half }) => Number(half.thunderPossible)),
      ',"severe":',
      bind(flag, ({ half }) => Number(half.severe)),
      bind(choice(['', ',"cloud_ceiling_unlimited":true']), ({ half }) => Number(half.ceilingUnlimited)),
      '}',
    ],
    units,
  ),
  noThreats: template(memory, [',"threats":[]'], units),
}))
