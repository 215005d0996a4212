import type { Limits } from '../domain/dataset/want.ts'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** A line of wgrib2's inventory: the position of a message and its description. */
export interface IdxRecord {
  /** `12`, or `12.2` for the second field of message 12. */
  readonly number: string
  readonly offset: number
  /** Bytes to the next message; undefined for the last one where the file's size is unknown. */
  readonly length: number | undefined
  readonly run: Instant
  /** `ELEMENT:LEVEL:WINDOW:` and what follows, as written: `APCP:surface:0-1 day acc fcst:prob >0.254:prob fcst 255/255`. */
  readonly text: string
}

/** A line whose offset is used only to end the previous message. */
const boundary = /^\d+(?:\.\d+)?:(\d+):/
const line = /^(\d+(?:\.\d+)?):(\d+):(?:D|d)=(\d{10})(\d{2})?(\d{2})?:([^:]*:[^:]*:[^:]*:.*)$/

/**
 * Reads an `.idx` sidecar. Fields that share a message (`12.1`, `12.2`) share its range. A line whose description cannot be read costs its own
 * field; without its offset the length of the message before is unknown.
 * @param size bytes of the file it describes, where known: ends the last message, and finds an index that is older than its file
 * @param faults receives a fault for each line whose description cannot be read
 * @throws Fault Corrupt that names the line whose offset cannot be read, or the first of those without a description if these are the most
 */
export function readIdx(text: string, size?: number, name = 'idx', faults: Fault[] = []): IdxRecord[] {
  const rows: { number: string; offset: number; run: Instant; text?: string }[] = []
  const lines = text.split(/\r?\n/)
  for (const [at, row] of lines.entries()) {
    if (row.trim() === '') continue
    const parts = line.exec(row)
    if (!parts) {
      const fault = new Fault(
        'Corrupt',
        `${name} line ${at + 1}: expected number:offset:d=YYYYMMDDHH:ELEMENT:LEVEL:WINDOW:, but found "${row.slice(0, 80)}"`,
      )
      const offset = boundary.exec(row)?.[1]
      // An index that is still being written may end within a line.
      if (offset === undefined || lines.slice(at + 1).every((later) => later.trim() === '')) throw fault
      faults.push(fault)
      rows.push({ number: '', offset: Number(offset), run: Number.NaN })
      continue
    }
    const [, number, offset, hour, minute, second, rest] = parts
    const iso = `${hour!.slice(0, 4)}-${hour!.slice(4, 6)}-${hour!.slice(6, 8)}T${hour!.slice(8)}:${minute ?? '00'}:${second ?? '00'}Z`
    rows.push({ number: number!, offset: Number(offset), run: Date.parse(iso), text: rest! })
  }
  if (faults.length > rows.length / 2) throw faults[0]!
  // Lines in a different order than their messages still describe the file.
  rows.sort((left, other) => left.offset - other.offset)
  const last = rows.at(-1)
  if (last && size !== undefined && last.offset >= size) {
    throw new Fault(
      'Corrupt',
      `${name}: the last message begins at byte ${last.offset} of a file of ${size} bytes: the index is of another edition of the file`,
      { stale: true },
    )
  }
  const records: IdxRecord[] = []
  let end = size
  for (let at = rows.length - 1, next = rows.length; at >= 0; at--) {
    const row = rows[at]!
    if (next < rows.length && rows[next]!.offset > row.offset) end = rows[next]!.offset
    next = at
    if (row.text === undefined) continue
    records.push({ ...row, text: row.text, length: end === undefined ? undefined : end - row.offset })
  }
  return records.reverse()
}

/** Returns the time window of an idx text in hours after the run: `0-1 day acc fcst` is 0 to 24. Undefined for an unknown form. */
export function idxWindow(text: string): { from: number; to: number } | undefined {
  const window = text.split(':')[2] ?? ''
  if (window === 'anl') return { from: 0, to: 0 }
  const parts = /^(?:(\d+)-)?(\d+) (min|hour|day|hr)\b/.exec(window)
  if (!parts) return undefined
  const unit = parts[3] === 'day' ? 24 : parts[3] === 'min' ? 1 / 60 : 1
  const to = Number(parts[2]) * unit
  return { from: parts[1] === undefined ? to : Number(parts[1]) * unit, to }
}

/** Returns the limits of a probability as rounded in the text: `prob >=3 <4`, `prob <914.5`. Undefined if it states none. */
export function idxLimits(text: string): Limits | undefined {
  const parts = /:prob (?:>=([\d.]+) <([\d.]+)|([<>])=?([\d.]+))(?::|$)/.exec(text)
  if (!parts) return undefined
  if (parts[1] !== undefined) return { between: [Number(parts[1]), Number(parts[2])] }
  return parts[3] === '<' ? { below: Number(parts[4]) } : { above: Number(parts[4]) }
}
