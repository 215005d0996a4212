import type { Limits } from '../domain/dataset/want.ts'
import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import type { Instant } from '../domain/time.ts'

/** A line of wgrib2's inventory: the position and the description of a message. */
export interface IdxRecord {
  /** Number of the message, `12`; or `12.2` for the second field of message 12. */
  readonly number: string
  readonly offset: number
  /** Number of bytes to the next message; undefined for the last message if the size of the file is unknown. */
  readonly length: number | undefined
  readonly run: Instant
  /** The description from `ELEMENT:LEVEL:WINDOW:` on, unchanged: `APCP:surface:0-1 day acc fcst:prob >0.254:prob fcst 255/255`. */
  readonly text: string
}

/** Matches a line with any description, whose offset still ends the previous message. */
const boundary = /^\d+(?:\.\d+)?:(\d+):/
const line = /^(\d+(?:\.\d+)?):(\d+):(?:D|d)=(\d{10})(\d{2})?(\d{2})?:([^:]*:[^:]*:[^:]*:.*)$/

/**
 * Reads an `.idx` sidecar file. Fields that share a message (`12.1`, `12.2`) have the same range. A line whose description cannot be read
 * loses only its own field; its offset still ends the previous message.
 * @param size size of the GRIB2 file in bytes, if known. It ends the last message, and reveals an index that is older than its file.
 * @param faults receives a fault for each line whose description cannot be read
 * @throws Fault Corrupt that names the line, if an offset cannot be read or most descriptions cannot be read
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
      // An index that is still being written may end in the middle of a line.
      if (offset === undefined || lines.slice(at + 1).every((later) => later.trim() === '')) throw fault
      faults.push(fault)
      rows.push({ number: '', offset: Number(offset), run: Number.NaN })
      continue
    }
    const [, number, offset, hour, minute, second, text] = parts
    const iso = `${hour!.slice(0, 4)}-${hour!.slice(4, 6)}-${hour!.slice(6, 8)}T${hour!.slice(8)}:${minute ?? '00'}:${second ?? '00'}Z`
    rows.push({ number: number!, offset: Number(offset), run: Date.parse(iso), text: text! })
  }
  if (faults.length > rows.length / 2) throw nth(faults, 0)
  // An index is still valid if its lines are in another order than the messages.
  rows.sort((row, other) => row.offset - other.offset)
  const last = rows.at(-1)
  if (last && size !== undefined && last.offset >= size) {
    throw new Fault(
      'Corrupt',
      `${name}: the last message must begin before byte ${size}, where the file ends, but begins at byte ${last.offset}. The index belongs to another version of the file; read both again.`,
      { stale: true },
    )
  }
  const records: IdxRecord[] = []
  let end = size
  for (let at = rows.length - 1, next = rows.length; at >= 0; at--) {
    const row = nth(rows, at)
    if (next < rows.length && nth(rows, next).offset > row.offset) end = nth(rows, next).offset
    next = at
    if (row.text === undefined) continue
    records.push({ ...row, text: row.text, length: end === undefined ? undefined : end - row.offset })
  }
  return records.reverse()
}

/** Returns the time window of an idx description in hours after the run: `0-1 day acc fcst` is 0 to 24. An unknown form gives undefined. */
export function idxWindow(text: string): { from: number; to: number } | undefined {
  const window = text.split(':')[2] ?? ''
  if (window === 'anl') return { from: 0, to: 0 }
  const parts = /^(?:(\d+)-)?(\d+) (min|hour|day|hr)\b/.exec(window)
  if (!parts) return undefined
  const unit = parts[3] === 'day' ? 24 : parts[3] === 'min' ? 1 / 60 : 1
  const to = Number(parts[2]) * unit
  return { from: parts[1] === undefined ? to : Number(parts[1]) * unit, to }
}

/** Returns the limits of a probability, which the text rounds: `prob >=3 <4`, `prob <914.5`. A text without limits gives undefined. */
export function idxLimits(text: string): Limits | undefined {
  const parts = /:prob (?:>=([\d.]+) <([\d.]+)|([<>])=?([\d.]+))(?::|$)/.exec(text)
  if (!parts) return undefined
  if (parts[1] !== undefined) return { between: [Number(parts[1]), Number(parts[2])] }
  return parts[3] === '<' ? { below: Number(parts[4]) } : { above: Number(parts[4]) }
}
