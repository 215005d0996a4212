import { isMarine } from '../../domain/alert/ugc.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import { refuse } from './product.ts'
import { sectionTitle } from './section.ts'
import { endNear, timeOfLine } from './time.ts'
import { paragraphsOf } from './words.ts'

/** A part of a text that is for certain zones. */
export interface ZoneSegment {
  readonly zones: readonly string[]
  /** Expiration time in the UGC lines. */
  readonly endsAt?: Instant
  /** The lines from the UGC lines to `$$`, both included. */
  readonly lines: readonly string[]
  /** Index of the first line of text, after the UGC lines, the zone names and the time line. */
  readonly textFrom: number
}

export interface Segmented {
  /** Lines before the first UGC line; empty if the UGC lines precede the heading, as in an HLS. */
  readonly heading: readonly string[]
  readonly segments: readonly ZoneSegment[]
}

const ugcStart = /^[A-Z]{2}[CZ](?:\d{3}|ALL)(?:[->]|$)/
const ugcCharacters = /^[A-Z0-9>-]+$/
/** Maximum number of lines of a UGC list. The longest in real texts has 12. */
const MAX_UGC_LINES = 60
const MAX_ZONES = 4000

interface Ugc {
  readonly zones: readonly string[]
  readonly ddhhmm: string
  /** Index of the first line after the UGC lines. */
  readonly next: number
}

/** Normalizes a UGC line, because offices type blanks, commas and lower case: `nyz022, 025 - 044-260830-`. */
function ugcText(line: string): string {
  return line.replaceAll(/\s/g, '').replaceAll(',', '-').toUpperCase()
}

/**
 * Reads the zones and the expiration time of the UGC lines that begin at a line: `IAZ004>007-015-\n017-011515-`.
 * @returns undefined if no UGC lines begin there, or if a part of them cannot be read
 */
export function readUgc(lines: readonly string[], from: number): Ugc | undefined {
  if (!ugcStart.test(ugcText(lines[from] ?? ''))) return undefined
  let text = ''
  for (let i = from; i < lines.length && i < from + MAX_UGC_LINES; i++) {
    const line = ugcText(nth(lines, i))
    if (!ugcCharacters.test(line)) return undefined
    text += text === '' || /[->]$/.test(text) || /^[->]/.test(line) ? line : `-${line}`
    const end = /-(\d{6})(?:-|$)/.exec(text)
    if (!end) continue
    const zones = zonesOf(text.slice(0, end.index))
    return zones && { zones, ddhhmm: nth(end, 1), next: i + 1 }
  }
  return undefined
}

/** Returns the zones of a UGC list; undefined if a group is neither a zone nor an ascending range of zones. */
function zonesOf(text: string): string[] | undefined {
  const zones: string[] = []
  let area: string | undefined
  for (const group of text.split('-')) {
    if (group === '') continue
    const [, named, number, until, end] = /^([A-Z]{2}[CZ])?(\d{3}|ALL)(?:>([A-Z]{2}[CZ])?(\d{3}))?$/.exec(group) ?? []
    area = named ?? area
    if (number === undefined || area === undefined || (until !== undefined && until !== area)) return undefined
    const first = number === 'ALL' ? 0 : Number(number)
    const last = Number(end ?? first)
    if (last < first || zones.length + last - first >= MAX_ZONES) return undefined
    for (let n = first; n <= last; n++) zones.push(area + String(n).padStart(3, '0'))
  }
  return zones
}

/** Returns whether a line is probably a UGC line with an error: it begins with a zone, or ends with an expiration time. */
function isMeantAsUgc(line: string): boolean {
  const text = ugcText(line)
  return ugcCharacters.test(text) && /^[A-Z]{3}[\dO][A-Z0-9]*[->]|^[A-Z]{2}\d{3}[->][\d>-]*$|(?:^|-)\d{6}-$/.test(text)
}

/**
 * Splits the body of an HWO, NOW or HLS at its UGC lines. Marine zones are omitted.
 * @throws Fault Corrupt if the text has no `$$` (it was truncated in transmission), or if a part of the forecast has no zones
 */
export function segmentsOf(body: string, issuedAt: Instant): Segmented {
  const lines = body.split('\n')
  if (!lines.some((line) => line.trim() === '$$'))
    refuse('cut', 'text product: the text must end with $$, but has none, so it is truncated')
  const starts: { at: number; ugc: Ugc }[] = []
  for (let i = 0; i < lines.length; i++) {
    const ugc = readUgc(lines, i)
    if (ugc) {
      starts.push({ at: i, ugc })
      i = ugc.next - 1
    } else if (isMeantAsUgc(nth(lines, i))) refuseZones(nth(lines, i))
  }
  checkZones(
    lines,
    starts.map(({ at }) => at),
  )
  const segments = starts.map(({ at, ugc }, i): ZoneSegment => {
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
  return { heading: starts.length === 0 ? lines : lines.slice(0, nth(starts, 0).at), segments }
}

/** Returns the index of the text. The zone names, the time line and an empty line follow the UGC lines. */
function textStart(lines: readonly string[], from: number): number {
  let i = from
  while (i < lines.length && nth(lines, i).trim() !== '') i++
  return i
}

function refuseZones(text: string): never {
  refuse(
    'no_zones',
    `text product: expected zones and an expiration time (NYZ022>025-044-260830-), but found ${JSON.stringify(text.slice(0, 60))}`,
  )
}

/** Rejects a product if zones are absent before a part of its forecast, because that part would appear at no place. */
function checkZones(lines: readonly string[], starts: readonly number[]): void {
  if (starts.length === 0) refuseZones(lines.find((line) => line.trim() !== '') ?? '')
  let from = 0
  for (let at = 0; at <= lines.length; at++) {
    const isClosed = lines[at]?.trim() === '$$'
    if (!isClosed && at < lines.length) continue
    const zonesAt = starts.find((start) => start >= from && start < at)
    // Text before the first zones is the heading, which is added to every segment.
    const part = from === 0 && zonesAt !== undefined ? [] : lines.slice(from, zonesAt ?? at)
    const time = part.findIndex((line) => timeOfLine(line) !== undefined)
    const text = from === 0 ? part.slice(time + 1) : part
    const isForecast =
      text.some((line) => sectionTitle(line) !== undefined) ||
      (from > 0 && time >= 0) ||
      ((isClosed || zonesAt !== undefined) && paragraphsOf(text).some(isProse))
    if (isForecast) refuseZones(part.find((line) => line.trim() !== '') ?? '')
    from = at + 1
  }
}

/** Returns whether a paragraph is prose, unlike the names and addresses after the last `$$`. */
function isProse(paragraph: string): boolean {
  const words = paragraph.split(/\s+/).filter((word) => /[a-z]/i.test(word))
  return words.length > 4 && !/\b(?:visit|follow|information|listen)\b|https?:|www\./i.test(paragraph)
}
