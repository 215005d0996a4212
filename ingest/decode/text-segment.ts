import type { Instant } from '../domain/time.ts'
import { isMarine } from '../domain/ugc.ts'
import { refuse } from './text-product.ts'
import { endNear } from './text-time.ts'

/** A part of a text with zones of its own. */
export interface Segment {
  readonly zones: readonly string[]
  /** UGC end. */
  readonly endsAt?: Instant
  /** From its UGC lines to `$$`, both included. */
  readonly lines: readonly string[]
  /** Where its text begins, after UGC lines, names of zones and time line. */
  readonly textFrom: number
}

export interface Segmented {
  /** Lines before the first UGC line; none where UGC lines stand before the heading, as in an HLS. */
  readonly heading: readonly string[]
  readonly segments: readonly Segment[]
}

const ugcStart = /^[A-Z]{2}[CZ](?:\d{3}|ALL)(?:[->]|$)/
const ugcCharacters = /^[A-Z0-9>-]+$/
/** The longest UGC list of a real text has 12 lines. */
const MAX_UGC_LINES = 60
const MAX_ZONES = 4000

/**
 * Zones and end of the UGC lines that begin at a line: `IAZ004>007-015-\n017-011515-`. Marine zones are left out.
 * @returns undefined where none begin there
 */
export function readUgc(
  lines: readonly string[],
  from: number,
): { zones: string[]; ddhhmm: string; next: number } | undefined {
  if (!ugcStart.test(lines[from]?.trimEnd() ?? '')) return undefined
  const zones: string[] = []
  let area = ''
  for (let i = from; i < lines.length && i < from + MAX_UGC_LINES; i++) {
    const line = lines[i]!.trim()
    if (!ugcCharacters.test(line)) return undefined
    const groups = line.split('-')
    for (const [j, group] of groups.entries()) {
      if (group === '') continue
      if (/^\d{6}$/.test(group)) return { zones, ddhhmm: group, next: i + 1 }
      const parts = /^(?:([A-Z]{2}[CZ]))?(\d{3}|ALL)(?:>(\d{3}))?$/.exec(group)
      if (!parts || (j === 0 && i === from && !parts[1])) return undefined
      area = parts[1] ?? area
      const first = parts[2] === 'ALL' ? 0 : Number(parts[2])
      const last = Number(parts[3] ?? first)
      for (let n = first; n <= last && zones.length < MAX_ZONES; n++) zones.push(area + String(n).padStart(3, '0'))
    }
  }
  return undefined
}

/**
 * Splits the body of an HWO, NOW or HLS at its UGC lines.
 * @throws Fault Corrupt where no `$$` stands: the text was cut on its way
 */
export function segmentsOf(body: string, issuedAt: Instant): Segmented {
  const lines = body.split('\n')
  if (!lines.some((line) => line.trim() === '$$')) refuse('cut', 'text product: wanted a closing $$, got none')
  const starts: { at: number; ugc: NonNullable<ReturnType<typeof readUgc>> }[] = []
  for (let i = 0; i < lines.length; i++) {
    const ugc = readUgc(lines, i)
    if (!ugc) continue
    starts.push({ at: i, ugc })
    i = ugc.next - 1
  }
  const segments = starts.map(({ at, ugc }, i): Segment => {
    const limit = starts[i + 1]?.at ?? lines.length
    const close = lines.findIndex((line, j) => j >= ugc.next && j < limit && line.trim() === '$$')
    const part = lines.slice(at, close < 0 ? limit : close + 1)
    const endsAt = endNear(ugc.ddhhmm, issuedAt)
    return {
      zones: ugc.zones.filter((zone) => !isMarine(zone)),
      ...(endsAt !== undefined && { endsAt }),
      lines: part,
      textFrom: textStart(part, ugc.next - at),
    }
  })
  return { heading: starts.length === 0 ? lines : lines.slice(0, starts[0]!.at), segments }
}

/** After the UGC lines stand the names of the zones and the time line, then an empty line. */
function textStart(lines: readonly string[], from: number): number {
  let i = from
  while (i < lines.length && lines[i]!.trim() !== '') i++
  return i
}
