import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'

/** Octet in section 4, from 1, with the end of the interval, by template. */
const INTERVAL_END: Readonly<Record<number, number>> = { 8: 35, 9: 48, 10: 36, 11: 38, 12: 37 }
/** Octet in section 1 with the reference time. */
const REFERENCE = 13

/** Octet in section 4 with the lead, which the simulator gives in hours. */
const LEAD = 19

/**
 * Returns the messages of a file with another reference time and lead, so that a file serves every run and several leads. The values stay
 * the same at any hour of the day.
 */
export function restamped(file: Buffer, runBy: number, leadBy: number): Buffer {
  const bytes = Buffer.from(file)
  for (const { section, at } of sectionsOf(bytes)) {
    if (section === 1) shift(bytes, at + REFERENCE - 1, runBy)
    else if (section === 4) {
      bytes.writeUInt32BE(Math.max(0, bytes.readUInt32BE(at + LEAD - 1) + leadBy), at + LEAD - 1)
      const end = INTERVAL_END[bytes.readUInt16BE(at + 7)]
      if (end !== undefined) shift(bytes, at + end - 1, runBy + leadBy * HOUR)
    }
  }
  return bytes
}

/** Returns the lines of an index with another reference time and lead. @param date the run, YYYYMMDDHH */
export function restampedIndex(lines: string, date: string, leadBy: number): string {
  const moved = lines
    .replaceAll(/:d=\d{10}:/g, `:d=${date}:`)
    .replaceAll(/:(?:(\d+)-)?(\d+) (hour|day)(?= )/g, (_, from: string | undefined, to: string, unit: string) => {
      const hours = (text: string) => Number(text) * (unit === 'day' ? 24 : 1) + leadBy
      if (from === undefined) return `:${hours(to)} hour`
      const inDays = hours(from) % 24 === 0 && hours(to) % 24 === 0
      const [a, b] = [from, to].map((text) => hours(text) / (inDays ? 24 : 1))
      return `:${a}-${b} ${inDays ? 'day' : 'hour'}`
    })
  // An interval that would begin before the run is not used.
  return moved.replaceAll(/^(\d+:\d+:d=\d+):[^:]+:(.*:)-\d+-/gm, '$1:NONE:$20-')
}

/** Removes the local use sections, with which the simulator pads its files to a size known in advance. */
export function unpadded(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const parts: Buffer[] = []
  let message: { head: Buffer; sections: Buffer[] } | undefined
  const end = () => {
    if (!message) return
    const { head, sections } = message
    const total = head.length + sections.reduce((sum, { length }) => sum + length, 0) + 4
    head.writeBigUInt64BE(BigInt(total), 8)
    parts.push(head, ...sections, Buffer.from('7777'))
  }
  for (const { section, at, length } of sectionsOf(bytes)) {
    if (section === 0) {
      end()
      message = { head: Buffer.from(bytes.subarray(at, at + 16)), sections: [] }
    } else if (section !== 2) message!.sections.push(bytes.subarray(at, at + length))
  }
  end()
  return Buffer.concat(parts)
}

function* sectionsOf(bytes: Buffer): Generator<{ section: number; at: number; length: number }> {
  for (let start = 0; start < bytes.length; ) {
    yield { section: 0, at: start, length: 16 }
    const end = start + Number(bytes.readBigUInt64BE(start + 8))
    for (let at = start + 16; at < end - 4; ) {
      const length = bytes.readUInt32BE(at)
      yield { section: nth(bytes, at + 4), at, length }
      at += length
    }
    start = end
  }
}

function shift(bytes: Buffer, at: number, by: number): void {
  const [month, day, hour, minute, second] = bytes.subarray(at + 2, at + 7) as unknown as number[]
  const time = new Date(Date.UTC(bytes.readUInt16BE(at), month! - 1, day, hour, minute, second) + by)
  bytes.writeUInt16BE(time.getUTCFullYear(), at)
  bytes.set(
    [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()],
    at + 2,
  )
}
