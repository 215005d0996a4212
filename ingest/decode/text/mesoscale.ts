/** Reads the format that SPC's mesoscale discussions (MCD) and WPC's mesoscale precipitation discussions (MPD) share. */

import { nth } from '../../domain/nth.ts'
import { borderSteps, MAX_BORDER_STEPS } from '../../domain/shape/cover.ts'
import type { Position, Ring } from '../../domain/shape/ring.ts'
import type { MesoscaleDiscussion, TextSections } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { refuse } from './product.ts'
import { endNear, instantNear } from './time.ts'
import { paragraphsOf, prose } from './words.ts'

export interface Mesoscale extends Omit<MesoscaleDiscussion, 'watch_probability' | 'flash_flood_tier'> {
  readonly endsAt: Instant
  readonly summary?: string
  readonly sections: TextSections
}

/** Keywords that begin a part of the text if they begin a line. */
const part =
  /^(?:areas affected|concerning|valid|probability of watch issuance|most probable peak|summary|discussion|attn|lat)(?=\.\.\.|\s)/i

const number = /^mesoscale (?:precipitation )?discussion\s+(?:#\s?|number\s+)?(\d{1,4})\b/i
const valid = /^valid\s+(\d{6})z?\s*-\s*(\d{6})z?/i

/**
 * Reads the parts that both kinds of discussion have.
 * @param issuedAt time of issuance, which supplies month and year of VALID
 * @throws Fault Corrupt if the number, VALID or at least three corners are absent
 */
export function readMesoscale(body: string, issuedAt: Instant): Mesoscale {
  const lines = body.split('\n')
  const numbered = lines.map((line) => number.exec(line.trim().slice(0, 80))).find(Boolean)
  if (!numbered)
    refuse(
      'no_number',
      'mesoscale discussion: the text must have a line MESOSCALE DISCUSSION with a number, but has none',
    )
  const validAt = lines.findIndex((line) => valid.test(line.trim().slice(0, 80)))
  const times = validAt < 0 ? undefined : valid.exec(nth(lines, validAt).trim().slice(0, 80))!
  const validFrom = times && instantNear(nth(times, 1), issuedAt)
  const endsAt = validFrom === undefined ? undefined : endNear(nth(times!, 2), issuedAt)
  if (validFrom === undefined || endsAt === undefined || endsAt <= validFrom || endsAt <= issuedAt) {
    const line = times ? `${times[1]}Z - ${times[2]}Z` : 'none'
    refuse('no_valid_time', `mesoscale discussion ${numbered[1]}: expected VALID ddhhmmZ - ddhhmmZ, but found ${line}`)
  }
  const summary = textOf(lines, 'summary') ?? firstParagraph(lines.slice(validAt + 1))
  const discussion = textOf(lines, 'discussion')
  const concerning = lineOf(lines, 'concerning')?.replace(/\.{3}\s*$/, '')
  const areas = lineOf(lines, 'areas affected')
  return {
    number: Number(numbered[1]),
    validFrom,
    endsAt,
    ...(concerning && { concerning: concerning.trim() }),
    ...(areas && { areas_affected: areas }),
    attention: attentionOf(lines),
    ring: ringOf(lines, nth(numbered, 1)),
    ...(summary !== undefined && { summary }),
    sections: { ...(summary !== undefined && { summary }), ...(discussion !== undefined && { discussion }) },
  }
}

/** Returns the text of a part that ends at the next empty line or at the next part. */
export function lineOf(lines: readonly string[], word: string): string | undefined {
  const at = lines.findIndex((line) => line.trim().toLowerCase().startsWith(`${word}...`))
  if (at < 0) return undefined
  const text = [
    nth(lines, at)
      .trim()
      .slice(word.length + 3),
  ]
  for (let i = at + 1; i < lines.length && nth(lines, i).trim() !== '' && !part.test(nth(lines, i).trim()); i++) {
    text.push(nth(lines, i))
  }
  const joined = prose(text)
  return joined === '' ? undefined : joined
}

/**
 * Returns the text of SUMMARY or DISCUSSION. It may have several paragraphs, and ends at the next part, at a signature or at the closing
 * notes.
 */
function textOf(lines: readonly string[], word: string): string | undefined {
  const at = lines.findIndex((line) => line.trim().toLowerCase().startsWith(`${word}...`))
  if (at < 0) return undefined
  const text = [
    nth(lines, at)
      .trim()
      .slice(word.length + 3),
  ]
  for (let i = at + 1; i < lines.length && !part.test(nth(lines, i).trim()) && !isNote(nth(lines, i)); i++)
    text.push(nth(lines, i))
  const paragraphs = paragraphsOf(text)
  // WPC's signature is only a name, such as `OTTO` or `Churchill/Bann`.
  if (paragraphs.length > 1 && /^[A-Z][\w.'-]*(?:\/[A-Z][\w.'-]*)*$/.test(paragraphs.at(-1)!)) paragraphs.pop()
  return paragraphs.length > 0 ? paragraphs.join('\n\n') : undefined
}

/** Returns whether a line is a closing note, such as `..COHEN.. 07/26/2013` or `...PLEASE SEE WWW.SPC.NOAA.GOV …`. */
function isNote(line: string): boolean {
  return /^\.\.(?=[A-Za-z]).{1,60}\.\.\s*\d{2}\/\d{2}\/\d{4}|^\.\.\.\s?please see\b/i.test(line.trim().slice(0, 120))
}

/** Returns the first paragraph of text after VALID, without the status of a watch and corrections. */
function firstParagraph(lines: readonly string[]): string | undefined {
  const end = lines.findIndex((line) => isNote(line) || /^(?:attn|lat)\.\.\./i.test(line.trim()))
  return paragraphsOf(lines.slice(0, end < 0 ? undefined : end)).find(
    (paragraph) =>
      !part.test(paragraph) &&
      !/^corrected for\b/i.test(paragraph) &&
      !/^the severe (?:weather )?threat for\b/i.test(paragraph),
  )
}

/** Returns the offices after `ATTN...WFO...`, which may continue over several lines. */
function attentionOf(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^attn\.\.\.wfo/i.test(line.trim()))
  if (at < 0) return []
  const offices = new Set<string>()
  for (let i = at; i < lines.length && nth(lines, i).trim() !== '' && offices.size < 130; i++) {
    if (i > at && part.test(nth(lines, i).trim())) break
    for (const word of nth(lines, i)
      .toUpperCase()
      .replace(/ATTN|WFO/g, '')
      .match(/\b[A-Z]{3}\b/g) ?? [])
      offices.add(word)
  }
  return [...offices]
}

/** Maximum number of corners. Real polygons have up to 60. */
const MAX_CORNERS = 1000

/**
 * Reads LAT...LON: groups of 8 digits over several lines, with or without a closing corner. A single unreadable group rejects the
 * discussion.
 */
function ringOf(lines: readonly string[], name: string): Ring {
  const groups = cornerGroups(lines)
  const wrong = groups.find((group) => !/^\d{8}$/.test(group) || cornerOf(group)[1] > 90)
  const corners = new Set(groups).size
  if (wrong !== undefined || corners < 3 || groups.length > MAX_CORNERS) {
    const actual = wrong === undefined ? corners : JSON.stringify(wrong.slice(0, 20))
    refuse(
      'no_polygon',
      `mesoscale discussion ${name}: LAT...LON must have at least three corners of eight digits, but has ${actual}`,
    )
  }
  const ring = groups.map(cornerOf)
  const closed = groups[0] === groups.at(-1) ? ring : [...ring, nth(ring, 0)]
  // The polygon is covered with cells later, so its size is limited.
  if (borderSteps([[closed]]) > MAX_BORDER_STEPS.drawn)
    refuse(
      'no_polygon',
      `mesoscale discussion ${name}: LAT...LON must have a shorter outline, but has thousands of kilometres`,
    )
  return closed
}

/** Returns the words after LAT...LON, up to the next part, a signature or prose. Empty lines between lines of digits are skipped. */
function cornerGroups(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^lat\.\.\.lon/i.test(line.trim()))
  if (at < 0) return []
  const groups = nth(lines, at).trim().slice(9).split(/\s+/)
  let isAfterGap = false
  for (const raw of lines.slice(at + 1)) {
    const line = raw.trim()
    const isEnd = part.test(line) || isNote(line) || /^(?:\$\$|&&)|^[a-z]{2,}[,.:]* +[a-z]/i.test(line)
    if (isEnd || (isAfterGap && line !== '' && !/^\d{4}(?! [AP]M\b)/i.test(line))) break
    isAfterGap = line === '' && groups.some(Boolean)
    groups.push(...line.split(/\s+/))
  }
  return groups.filter(Boolean)
}

/**
 * Reads a corner such as `44738786`: hundredths of degrees north, then west. Longitudes of 100 and more are written without their first
 * digit.
 */
function cornerOf(group: string): Position {
  const west = Number(group.slice(4))
  return [-(west < 3000 ? west + 10_000 : west) / 100, Number(group.slice(0, 4)) / 100]
}
