import { type AnyJson, nowFromRadar, rowsOf } from './answer-members.ts'
import { dateReader, isDayHour } from './local-date.ts'

/** A row of `hourly` with the day and half that its values belong to. */
export interface HourRow {
  readonly row: AnyJson
  readonly time: number
  /** For the instant: date of the row of `daily`, and whether the instant is in its day half. */
  readonly date: string
  readonly byDay: boolean
  /** For the amount, which is of the interval that ends at the time. */
  readonly amountDate: string
  readonly amountByDay: boolean
  /** For probability and type, which are of that interval, or of now in the first row. */
  readonly endDate: string
  /** Whether the interval still counts as future; the first row does if its probability is for the next 30 minutes. */
  readonly isFuture: boolean
}

const hoursByAnswer = new WeakMap<object, readonly HourRow[]>()

/** The rows of an answer, computed once for each answer since several rules read them. */
export function hoursOf(answer: AnyJson): readonly HourRow[] {
  let hours = hoursByAnswer.get(answer)
  if (!hours) hoursByAnswer.set(answer, (hours = rowsOf(answer).map(hourReader(answer))))
  return hours
}

function hourReader(answer: AnyJson): (row: AnyJson, index: number) => HourRow {
  const { timezone } = answer.location
  const dateOf = dateReader(timezone)
  const now = Date.parse(answer.meta.generated_at)
  const isFromRadar = nowFromRadar(answer)
  return (row, index) => {
    const time = Date.parse(row.time)
    const end = Math.max(time - 1, now)
    return {
      row,
      time,
      date: dateOf(time),
      byDay: isDayHour(time, timezone),
      amountDate: dateOf(time - 1),
      amountByDay: isDayHour(time - 1, timezone),
      endDate: dateOf(end),
      isFuture: time > now || (index === 0 && isFromRadar),
    }
  }
}
