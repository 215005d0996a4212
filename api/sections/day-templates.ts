import { precipTypes } from '../../ingest/domain/weather/precip-type.ts'
import {
  type BoundMember,
  bound,
  boundTemplate,
  type ChosenMembers,
  choice,
  date,
  flag,
  number,
  template,
} from '../present/members.ts'
import { perUnits } from '../present/template.ts'
import { conciseNumbers, dayNumbers, detailedNumbers, nightNumbers } from './day-numbers.ts'
import type { DayRow, ShownHalf } from './day-row.ts'
import { ceilingUnlimitedMembers, dayWordsMembers, wordsCode, wordsMembers } from './words.ts'

const chosen = <From>(members: ChosenMembers, read: (from: From) => number): BoundMember<From> => ({
  ...members,
  read: read,
})

const opening: readonly BoundMember<DayRow>[] = [
  bound('date', date, ({ window }) => window.day),
  bound('relative_day', number('whole'), ({ window }) => window.relative),
  bound('active_period', choice([null, 'day', 'night']), ({ active }) => active),
]
const severe: readonly BoundMember<DayRow>[] = [
  chosen(dayWordsMembers, ({ words }) => wordsCode(words)),
  bound('severe', flag, ({ wholeDay }) => Number(wholeDay.severe)),
]
const chance = (name: 'day' | 'night') => ({
  name,
  members: [bound('precip_probability', number('percent'), (row: DayRow) => row[name].precipProbability)],
})

const half = (numbers: readonly BoundMember<ShownHalf>[]): BoundMember<ShownHalf>[] => [
  bound('temperature', number('temperature'), ({ temperature }) => temperature),
  ...numbers,
  bound('precip_type', choice(precipTypes), ({ half }) => half.precipType),
  chosen(wordsMembers, ({ words }) => wordsCode(words)),
]

/** Templates of rows of `daily`, in the order of the answer. */
export const dayTemplates = perUnits((memory, units) => ({
  /** A row up to its member `astro`. */
  detailed: boundTemplate<DayRow>(
    memory,
    [
      ...opening,
      ...detailedNumbers,
      ...severe,
      bound('thunder_possible', flag, ({ wholeDay }) => Number(wholeDay.thunderPossible)),
      chosen(ceilingUnlimitedMembers, ({ wholeDay }) => Number(wholeDay.ceilingUnlimited)),
    ],
    units,
    {},
  ),
  concise: boundTemplate<DayRow>(
    memory,
    [...opening, ...conciseNumbers, ...severe, chance('day'), chance('night')],
    units,
    {},
  ),
  /** Halves up to their narrative. */
  day: boundTemplate(memory, half(dayNumbers), units, { name: 'day' }),
  night: boundTemplate(memory, half(nightNumbers), units, { name: 'night' }),
  /** The members of a half after its narrative. */
  end: boundTemplate<ShownHalf>(
    memory,
    [
      bound('thunder_possible', flag, ({ half }) => Number(half.thunderPossible)),
      bound('severe', flag, ({ half }) => Number(half.severe)),
      chosen(ceilingUnlimitedMembers, ({ half }) => Number(half.ceilingUnlimited)),
    ],
    units,
  ),
  noThreats: template(memory, [{ name: 'threats', is: [] }], units),
}))
