import type { TextSegment } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { withoutOuterEmptyLines } from './product.ts'
import { sectionsOf, sectionTexts, type TextSection } from './section.ts'
import { segmentsOf, type ZoneSegment } from './segment.ts'
import { paragraphsOf, prose, sentencesOf, shortened, withoutHeadings } from './words.ts'

/**
 * Reads a hazardous weather outlook; each segment becomes a record.
 * @throws Fault Corrupt if the text has no `$$`
 */
export function readHwo(body: string, issuedAt: Instant): TextSegment[] {
  const { heading, segments } = segmentsOf(body, issuedAt)
  return segments.filter(({ zones }) => zones.length > 0).map((segment) => readSegment(segment, heading))
}

function readSegment(segment: ZoneSegment, heading: readonly string[]): TextSegment {
  const lines = segment.lines.slice(segment.textFrom)
  const sections = sectionsOf(lines).map(withoutPeriod)
  const dayOne = sections.filter(({ name }) => name.startsWith('day_one'))
  const later = sections.filter(({ name }) => /^days?_two/.test(name))
  const today = dayOne.flatMap((section) => [...section.lines, ''])
  const days = later.flatMap((section) => [...section.lines, ''])
  const text = prose(today)
  const summary = summaryOf(today, days)
  return {
    zones: segment.zones,
    ...(segment.endsAt !== undefined && { endsAt: segment.endsAt }),
    body: headed(heading, segment.lines),
    ...(summary !== undefined && { summary }),
    sections: sectionTexts(sections),
    ...(text !== '' && { day_one: text }),
    has_active_hazards: !isQuiet(today, days) || hasHeadline(lines),
  }
}

/** Returns the heading of a product followed by one of its segments. */
export function headed(heading: readonly string[], lines: readonly string[]): string {
  return [withoutOuterEmptyLines(heading), withoutOuterEmptyLines(lines)]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')
}

const periodWords =
  /^(?:this|today|tonight|now|early|late|rest|remainder|of|the|and|or|through|thru|until|to|into|from|morning|afternoon|evening|overnight|night|day|week|weekend|next|mon|tues?|wed|wednes|thu|thurs?|fri|satur|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/

/** Removes the period after the dots, as in `.DAY ONE...Today and tonight.`. A hazard on that line remains. */
function withoutPeriod(section: TextSection): TextSection {
  const words = section.tail.toLowerCase().match(/[a-z]+/g) ?? []
  const isPeriod = words.length > 0 && section.tail.length <= 100 && words.every((word) => periodWords.test(word))
  return isPeriod && section.lines[0] === section.tail ? { ...section, lines: section.lines.slice(1) } : section
}

const quietPhrase =
  /\bno hazardous weather\b|\bhazardous weather is not expected\b|\bprobability (?:for|of) widespread hazardous weather is low\b/i
/** Words that cancel a quiet phrase in the same sentence, as in "… is expected except for patchy fog". */
const exceptions =
  /\b(?:except|however|but|although|though|other than|outside of|aside from|apart from|unless|besides|storms?|thunder\w*|winds?|windy|gust\w*|snow\w*|icy?|icing|freez\w*|frost|flood\w*|rain\w*|heat|cold|chill|fog|fire|hail|tornado\w*|surf|rip|surge|dust|smoke|lightning|advisor\w+|warnings?|watch(?:es)?)\b/i
const besidePhrase =
  /^(?:(?:for )?(?:more|additional|further)(?: \w+){0,3} information\b|please (?:listen|visit|see|refer)\b|(?:https?:\/\/|www\.|weather\.gov)\S*$)/i

function isQuietSentence(sentence: string): boolean {
  return quietPhrase.test(sentence) && !exceptions.test(sentence.replace(quietPhrase, ''))
}

/** Returns whether a sentence is neutral: an address, or a reference to more information. */
function isBeside(sentence: string): boolean {
  return besidePhrase.test(sentence) || !/[a-z]/i.test(sentence)
}

/** Returns whether every sentence is quiet or neutral, and at least one is quiet. An empty text is not quiet. */
function isQuiet(...parts: readonly (readonly string[])[]): boolean {
  const sentences = parts.flatMap((lines) => paragraphsOf(lines)).flatMap(sentencesOf)
  return (
    sentences.some(isQuietSentence) && sentences.every((sentence) => isQuietSentence(sentence) || isBeside(sentence))
  )
}

/** Returns whether there is a headline between the sections, such as `...WIND ADVISORY IN EFFECT…`. */
function hasHeadline(lines: readonly string[]): boolean {
  return lines.some((line) => /^\.{3}\s?[A-Za-z]/.test(line))
}

/**
 * Returns the first paragraph with content: from day one, otherwise from the following days. If there is none, it returns the quiet
 * sentence.
 */
function summaryOf(today: readonly string[], days: readonly string[]): string | undefined {
  const paragraphs = [today, days].map(withoutHeadings).flatMap(paragraphsOf)
  const telling = paragraphs.find(
    (paragraph) => !sentencesOf(paragraph).every((sentence) => isQuietSentence(sentence) || isBeside(sentence)),
  )
  const chosen = telling ?? paragraphs.flatMap(sentencesOf).find(isQuietSentence)
  return chosen === undefined ? undefined : shortened(chosen)
}
