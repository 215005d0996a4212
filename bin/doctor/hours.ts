import { type AnyJson, nowFromRadar, rowsOf } from './answer-members.ts'
import { dateReader, isDayHour } from './local-date.ts'

/** A row of `hourly` with the day and half that its values belong to. */
export interface HourRow {
  readonly row: AnyJson
  readonly time: number
  /** Of the instant: date of the row of `daily`, and whether it is in its day half. */
  readonly date: string
  readonly byDay: boolean
  /** Of the interval that ends at the time: its amount. */
  readonly amountDate: string
  readonly amountByDay: boolean
  /** Of that interval, or of now in the first row: its probability and type. */
  readonly endDate: string
  /** Still to come; the first row is where its probability speaks of the next 30 minutes. */
  readonly toCome: boolean
}

const known = new WeakMap<object, readonly HourRow[]>()

/** Computed once an answer: several rules read them. */
export function hoursOf(answer: AnyJson): readonly HourRow[] {
  let hours = known.get(answer)
  if (!hours) known.set(answer, (hours = rowsOf(answer).map(hourReader(answer))))
  return hours
}

function hourReader(answer: AnyJson): (row: AnyJson, index: number) => HourRow {
  const { timezone } = answer.location
  const dateOf = dateReader(timezone)
  const now = Date.parse(answer.meta.generated_at)
  const radar = nowFromRadar(answer)
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
      toCome: time > now || (index === 0 && radar),
    }
  }
}
