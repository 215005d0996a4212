import { type KnownWords, THUNDER_POSSIBLE_CAPE, THUNDER_POSSIBLE_PROBABILITY } from '../../ingest/domain/conditions.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import { emptyFold, type Fold, fold, join, type Whole } from './day-fold.ts'
import { highOf, lowOf } from './day-periods.ts'
import type { Walks } from './day-walk.ts'
import type { SectionContext } from './section.ts'
import { foldWords } from './words.ts'

/** A half of a row as it is shown. */
export interface ShownHalf {
  readonly name: 'day' | 'night'
  readonly half: Fold
  /** The half's extreme, in which NBM's own has its say. */
  temperature: number
  /** The extreme of its feels-like that belongs to it. */
  feelsLike: number
  words: KnownWords | undefined
  /** Whether it has a narrative. */
  told: boolean
}

/** A row of `daily`: its two halves, and both as one. */
export interface Row {
  first: boolean
  window: DayWindow
  /** 0: not now, 1: its day is, 2: its night. */
  active: number
  readonly day: Fold
  readonly night: Fold
  readonly whole: Whole
  high: number
  low: number
  words: KnownWords | undefined
  readonly shownDay: ShownHalf
  readonly shownNight: ShownHalf
}

const shownHalf = (name: 'day' | 'night'): ShownHalf => ({
  name,
  half: emptyFold(),
  temperature: Number.NaN,
  feelsLike: Number.NaN,
  words: undefined,
  told: false,
})

function emptyRow(): Row {
  const shownDay = shownHalf('day')
  const shownNight = shownHalf('night')
  return {
    first: true,
    window: { day: 0, relative: 0, start: 0, nightfall: 0, end: 0 },
    active: 0,
    day: shownDay.half,
    night: shownNight.half,
    whole: emptyFold(),
    high: Number.NaN,
    low: Number.NaN,
    words: undefined,
    shownDay,
    shownNight,
  }
}

/** One row at a time is worked at: its hundred numbers are not laid anew for each. */
const row = emptyRow()

/** The row of a window; holds until the next is made. */
export function rowOf(context: SectionContext, walks: Walks, severe: Uint8Array, window: DayWindow): Row {
  const { zone, sky } = context
  const { forecast } = walks
  const { day, night, shownDay, shownNight } = row
  fold(walks, window.start, window.nightfall, severe, day)
  fold(walks, window.nightfall, window.end, severe, night)
  join(day, night, row.whole)
  const sunUp = (hour: number) => sky.sun(zone.at(window.day, hour)) > SUN_HORIZON
  const noon = sunUp(12)
  row.first = window === context.windows[0]
  row.window = window
  row.active = activePeriod(context, window)
  row.high = highOf(forecast, window, day)
  row.low = lowOf(forecast, window, night)
  row.words = day.hours ? foldWords(day, noon) : foldWords(night, noon)
  shownDay.temperature = row.high
  shownDay.feelsLike = day.feelsLikeHigh
  shownDay.words = foldWords(day, noon)
  shownNight.temperature = row.low
  shownNight.feelsLike = night.feelsLikeLow
  shownNight.words = foldWords(night, sunUp(22))
  return row
}

/** Day from 06:00 to 17:59 of the row's date, night to 05:59 of the next: only in the row that holds now. */
function activePeriod({ now }: SectionContext, window: DayWindow): number {
  if (now < window.start || now >= window.end) return 0
  return now < window.nightfall ? 1 : 2
}

export const thunder = (f: Pick<Fold, 'thunder' | 'cape'>) =>
  f.thunder >= THUNDER_POSSIBLE_PROBABILITY || f.cape >= THUNDER_POSSIBLE_CAPE
