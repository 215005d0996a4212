import { type AnyJson, rowsOf } from './answer-members.ts'
import { dateReader, isDayHour } from './local-date.ts'

/** A row of `hourly` with the day and half that its values belong to. */
export interface HourRow {
  readonly row: AnyJson
  readonly time: number
  /** Values at the instant: the date of the row of `daily`, and whether the instant is in its day half. */
  readonly date: string
  readonly byDay: boolean
  /** Amount, probability and type, which are for the interval that ends at the time. */
  readonly amountDate: string
  readonly amountByDay: boolean
}

const hoursByAnswer = new WeakMap<object, readonly HourRow[]>()

/** The rows of an answer, computed once because several rules read them. */
export function hoursOf(answer: AnyJson): readonly HourRow[] {
  let hours = hoursByAnswer.get(answer)
  if (!hours) hoursByAnswer.set(answer, (hours = rowsOf(answer).map(hourReader(answer))))
  return hours
}

function hourReader(answer: AnyJson): (row: AnyJson) => HourRow {
  const { timezone } = answer.location
  const dateOf = dateReader(timezone)
  return (row) => {
    const time = Date.parse(row.time)
    return {
      row,
      time,
      date: dateOf(time),
      byDay: isDayHour(time, timezone),
      amountDate: dateOf(time - 1),
      amountByDay: isDayHour(time - 1, timezone),
    }
  }
}
