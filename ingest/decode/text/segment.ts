import { isMarine } from '../../domain/alert/ugc.ts'
import type { Instant } from '../../domain/time.ts'
import { refuse } from './product.ts'
import { sectionTitle } from './section.ts'
import { endNear, timeOfLine } from './time.ts'
import { paragraphsOf } from './words.ts'

/** A part of a text with zones of its own. */
export interface ZoneSegment {
  readonly zones: readonly string[]
  /** UGC end. */
  readonly endsAt?: Instant
  /** The text from the UGC lines to `$$`, both included. */
  readonly lines: readonly string[]
  /** Offset of the text after UGC lines, names of zones and time line. */
  readonly textFrom: number
}

export interface Segmented {
  /** Lines before the first UGC line; none where UGC lines stand before the heading, as in an HLS. */
  readonly heading: readonly string[]
  readonly segments: readonly ZoneSegment[]
}

const ugcStart = /^[A-Z]{2}[CZ](?:\d{3}|ALL)(?:[->]|$)/
const ugcCharacters = /^[A-Z0-9>-]+$/
/** The longest UGC list of a real text has 12 lines. */
const MAX_UGC_LINES = 60
const MAX_ZONES = 4000

interface Ugc {
  readonly zones: readonly string[]
  readonly ddhhmm: string
  /** Index of the first line after it. */
  readonly next: number
}

/** Offices type blanks, commas and lower case: `nyz022, 025 - 044-260830-`. */
function ugcText(line: string): string {
  return line.replaceAll(/\s/g, '').replaceAll(',', '-').toUpperCase()
}

/**
 * Zones and end of the UGC lines that begin at a line: `IAZ004>007-015-\n017-011515-`.
 * @returns undefined if none begin there, or where a part of them cannot be read
 */
export function readUgc(lines: readonly string[], from: number): Ugc | undefined {
  if (!ugcStart.test(ugcText(lines[from] ?? ''))) return undefined
  let text = ''
  for (let i = from; i < lines.length && i < from + MAX_UGC_LINES; i++) {
    const line = ugcText(lines[i]!)
    if (!ugcCharacters.test(line)) return undefined
    text += text === '' || /[->]$/.test(text) || /^[->]/.test(line) ? line : `-${line}`
    const end = /-(\d{6})(?:-|$)/.exec(text)
    if (!end) continue
    const zones = zonesOf(text.slice(0, end.index))
    return zones && { zones, ddhhmm: end[1]!, next: i + 1 }
  }
  return undefined
}

/** Undefined if one of the groups is no zone and no range of zones in ascending order. */
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

/** A line that was meant as one of a UGC list: it begins with a zone, or ends with the time of the end. */
function isMeantAsUgc(line: string): boolean {
  const text = ugcText(line)
  return ugcCharacters.test(text) && /^[A-Z]{3}[\dO][A-Z0-9]*[->]|^[A-Z]{2}\d{3}[->][\d>-]*$|(?:^|-)\d{6}-$/.test(text)
}

/**
 * Splits the body of an HWO, NOW or HLS at its UGC lines. Marine zones are left out.
 * @throws Fault Corrupt if no `$$` stands (the text was cut on its way), or where a part of the forecast has no zones
 */
export function segmentsOf(body: string, issuedAt: Instant): Segmented {
  const lines = body.split('\n')
  if (!lines.some((line) => line.trim() === '$$'))
    refuse('cut', 'text product: the closing $$ is missing, so the text is cut off')
  const starts: { at: number; ugc: Ugc }[] = []
  for (let i = 0; i < lines.length; i++) {
    const ugc = readUgc(lines, i)
    if (ugc) {
      starts.push({ at: i, ugc })
      i = ugc.next - 1
    } else if (isMeantAsUgc(lines[i]!)) refuseZones(lines[i]!)
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
  return { heading: starts.length === 0 ? lines : lines.slice(0, starts[0]!.at), segments }
}

/** After the UGC lines stand the names of the zones and the time line, then an empty line. */
function textStart(lines: readonly string[], from: number): number {
  let i = from
  while (i < lines.length && lines[i]!.trim() !== '') i++
  return i
}

function refuseZones(got: string): never {
  refuse(
    'no_zones',
    `text product: expected zones and an expiration time (NYZ022>025-044-260830-), but found ${JSON.stringify(got.slice(0, 60))}`,
  )
}

/** Refuses a product with forecast text that no zones stand before: no place would have it. */
function checkZones(lines: readonly string[], starts: readonly number[]): void {
  if (starts.length === 0) refuseZones(lines.find((line) => line.trim() !== '') ?? '')
  let from = 0
  for (let at = 0; at <= lines.length; at++) {
    const isClosed = lines[at]?.trim() === '$$'
    if (!isClosed && at < lines.length) continue
    const zonesAt = starts.find((start) => start >= from && start < at)
    // The text before the first zones is the heading, which every part receives.
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

/** Neither a name nor addresses, as they stand behind the last `$$`. */
function isProse(paragraph: string): boolean {
  const words = paragraph.split(/\s+/).filter((word) => /[a-z]/i.test(word))
  return words.length > 4 && !/\b(?:visit|follow|information|listen)\b|https?:|www\./i.test(paragraph)
}
