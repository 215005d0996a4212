import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { choice, date, flag, form, number, perUnits, type Reader, read, readForm } from '../present/form.ts'
import { readPieces } from '../present/members.ts'
import { conciseNumbers, dayNumbers, detailedNumbers, nightNumbers } from './day-numbers.ts'
import { type Row, type ShownHalf, thunder } from './day-row.ts'
import { wordsBlank, wordsCode } from './words.ts'

type Piece<From> = string | Reader<From>

/** The row before is closed with the next one's beginning. */
const opening: readonly Piece<Row>[] = [
  read(choice(['[{"date":"', '},{"date":"']), ({ first }) => (first ? 0 : 1)),
  read(date, ({ window }) => window.day),
  '","relative_day":',
  read(number('whole'), ({ window }) => window.relative),
  ',"active_period":',
  read(choice(['null', '"day"', '"night"']), ({ active }) => active),
]
const severe: readonly Piece<Row>[] = [
  read(wordsBlank, ({ words }) => wordsCode(words)),
  ',"severe":',
  read(flag, ({ whole }) => Number(whole.severe)),
]
const chance = (of: (row: Row) => number) => read<Row>(number('percent'), of)

const half = (name: 'day' | 'night', numbers: readonly Piece<ShownHalf>[]): Piece<ShownHalf>[] => [
  `,"${name}":{"temperature":`,
  read(number('temperature'), ({ temperature }) => temperature),
  ...numbers,
  ',"precip_type":',
  read(choice(precipTypes.map((word) => `"${word}"`)), ({ half }) => half.precipType),
  read(wordsBlank, ({ words }) => wordsCode(words)),
]

/** Rows of `daily`, in the order of the answer. */
export const dayForms = perUnits((units) => ({
  /** Up to `astro`, which follows. */
  detailed: readForm<Row>(
    [
      ...opening,
      ...readPieces(detailedNumbers),
      ...severe,
      ',"thunder_possible":',
      read(flag, ({ whole }) => Number(thunder(whole))),
      ',"astro":',
    ],
    units,
  ),
  concise: readForm<Row>(
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
  day: readForm(half('day', readPieces(dayNumbers)), units),
  night: readForm(half('night', readPieces(nightNumbers)), units),
  /** and what follows it. */
  end: readForm<ShownHalf>(
    [
      read(choice(['', '"']), ({ told }) => Number(told)),
      ',"thunder_possible":',
      read(flag, ({ half }) => Number(thunder(half))),
      ',"severe":',
      read(flag, ({ half }) => Number(half.severe)),
      '}',
    ],
    units,
  ),
  noThreats: form([',"threats":[]'], units),
}))
