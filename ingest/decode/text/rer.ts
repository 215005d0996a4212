import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { DAY, type Instant, MINUTE } from '../../domain/time.ts'
import type { RecordEvent, RecordReport } from '../../domain/weather/climate.ts'
import { isoDate, monthNumber } from './climate-lines.ts'
import type { TextProduct } from './product.ts'
import { issueTimes, zoneOffset } from './time.ts'

const MAX_RECORDS = 60
const MAX_SENTENCE = 600

/**
 * A record that one sentence states and the following sentences explain: `… OF 87 DEGREES WAS SET … THIS BREAKS THE OLD RECORD OF 86 SET IN
 * 1953.`
 */
interface RecordStatement {
  readonly sentences: string[]
}

/**
 * Reads a record event report (RER), and returns one item per record. It is prose without a fixed form; members that the text does not
 * state are null.
 * @param near `issuanceTime` of the item, or the time of the file
 * @throws Fault Corrupt if no record can be read
 */
export function readRecords(product: TextProduct, near: Instant): RecordReport[] {
  if (!/^RER[A-Z0-9]{1,3}$/.test(product.awips)) throw corrupt('an AWIPS line RER…', product.awips)
  const issued = issueTimes(product, near)
  if (!issued) throw corrupt('a WMO time within 16 days of the item', product.ddhhmm)
  const { headlines, sentences } = readProse(product.body)
  const today = localDay(product.body, issued.issuedAt)
  const headline = headlines.join(' ').toUpperCase()
  const records = statementsOf(sentences).map((statement): RecordReport => {
    const text = statement.sentences.join(' ')
    const upper = text.toUpperCase()
    const split = upper.search(previousStarts)
    const subject = split < 0 ? upper : upper.slice(0, split)
    const previous = split < 0 ? '' : upper.slice(split)
    const years = previousYearsOf(subject, previous, today)
    return {
      station: product.awips.slice(3),
      event: eventOf(upper, headlines.length === 1 ? headline : ''),
      value: statedValue(subject) ?? statedValue(upper),
      previous: previousValue(previous),
      previousYear: years.length === 0 ? null : Math.max(...years),
      previousYears: years,
      tied: /\b(?:TIE[SD]?|TYING|EQUAL(?:S|ED|LED|ING)?)\b/.test(upper.replace(tiedBefore, ' '))
        ? true
        : split < 0
          ? null
          : false,
      issuedAt: issued.issuedAt,
      office: product.office,
      date: dateOf(subject, previous, headline, today),
      text,
    }
  })
  if (records.length === 0) throw corrupt('a sentence with a value and "record"', JSON.stringify(headline.slice(0, 80)))
  return records.slice(0, MAX_RECORDS)
}

/** Separates headlines (`...RECORD HIGH SET AT X...`) and sentences, up to `$$`. */
function readProse(body: string): { headlines: string[]; sentences: string[] } {
  const headlines: string[] = []
  const sentences: string[] = []
  for (const paragraph of nth(body.split(/^[ \t]*(?:\$\$|&&)/m), 0).split(/\n[ \t]*\n/)) {
    let text = paragraph.replace(/\s+/g, ' ').trim()
    while (text.startsWith('...')) {
      const end = text.indexOf('... ', 3)
      const isLast = end < 0 && text.endsWith('...') && text.length > 6
      if (end < 0 && !isLast) break
      headlines.push(text.slice(3, isLast ? -3 : end))
      text = isLast ? '' : text.slice(end + 4).trim()
    }
    // Forecasters write dots instead of commas.
    for (const sentence of text.replace(/\s?\.{2,}\s?/g, ', ').split(/(?<=[A-Za-z0-9)][.!?]) (?=\S)/)) {
      if (sentence === '') continue
      const before = sentences.at(-1)
      if (before && /\b(?:ST|MT|FT)\.$/i.test(before)) sentences[sentences.length - 1] = `${before} ${sentence}`
      else sentences.push(sentence)
    }
  }
  return { headlines, sentences: sentences.filter((sentence) => sentence.length <= MAX_SENTENCE) }
}

const ties = '(?:TIED|EQUALL?ED|MATCHED)'
const earlier = '(?:LAST|ALSO|FIRST|PREVIOUSLY|MOST RECENTLY)'
const continuation = new RegExp(
  `^(?:THIS|THAT|IT|WHICH|BREAKING|TYING|(?:${earlier} )*(?:SET|${ties})(?! AT)|(?:THE )?(?:OLD|PREVIOUS|PRIOR|FORMER|LAST)(?: DAILY)? RECORD(?! EVENT))\\b`,
  'i',
)
/** A sentence such as `THE RECORD OF 94 WAS LAST TIED IN 1983.` describes the preceding record, unless it names another day and place. */
const recordBefore = /^(?:THE )?RECORD\b/i
const setIn = new RegExp(`\\b(?:SET|${ties})(?: BACK)? (?:(?:IN|ON)\\b|\\d{4})`, 'i')
const ofToday = /\b(?:TODAY|YESTERDAY|THIS (?:MORNING|AFTERNOON|EVENING)|AT)\b/i
function isOfRecordBefore(sentence: string): boolean {
  return recordBefore.test(sentence) && setIn.test(sentence) && !ofToday.test(sentence)
}

const background =
  /\bRECORDS?(?: [A-Z]+){0,8} (?:GO|GOES|DATE|DATES|DATING) BACK\b|\bRECORDS? (?:KEEPING|BEGAN|BEGIN)\b|RECORD EVENT REPORT|\b(?:PRELIMINARY|NCEI|NCDC)\b/i

function statementsOf(sentences: readonly string[]): RecordStatement[] {
  const statements: RecordStatement[] = []
  let open: RecordStatement | undefined
  for (const sentence of sentences) {
    const isBackground = background.test(sentence) && !(open && continuation.test(sentence) && setIn.test(sentence))
    if (isBackground) continue
    if (open && (continuation.test(sentence) || isOfRecordBefore(sentence))) {
      open.sentences.push(sentence)
    } else if (statedValue(sentence.toUpperCase()) !== null) {
      open = { sentences: [sentence] }
      statements.push(open)
    } else {
      open = undefined
    }
  }
  return statements.filter(({ sentences: all }) => /RECORD|(?:WARM|COLD|COOL|HIGH|LOW|WETT)EST/i.test(all.join(' ')))
}

const number = String.raw`(?:MINUS )?-?\d{1,3}(?:\.\d{1,2})?`
const withUnit = new RegExp(`(${number})(?: |-)?(BELOW ZERO|DEGREES?|INCH(?:ES)?)`)
const ofRecord = new RegExp(`RECORD (?:[A-Z]+ ){0,8}(?:OF|WAS) (?:ONLY )?(${number})(?=[ ,.;](?!PERCENT|MPH|AM |PM ))`)
const zero = /(?<!BELOW )\bZERO DEGREES/

/** Returns the first value with a unit, or the value after `RECORD … OF`. */
function statedValue(text: string): number | null {
  const named = withUnit.exec(text) ?? ofRecord.exec(text)
  if (!named) return zero.test(text) ? 0 : null
  const value = Math.abs(Number(nth(named, 1).replace('MINUS ', '')))
  return /^(?:MINUS|-)/.test(nth(named, 1)) || named[2] === 'BELOW ZERO' ? -value : value
}

/** Phrases that begin the description of the previous record. */
const previousStarts =
  /\b(?:BREAKS?|BROKE|BREAKING|TIES?|TIED|TYING|EQUALS?|EQUALED|EQUALLED|EQUALING|EXCEEDS?|EXCEEDED|EXCEEDING|SURPASS(?:ES|ED|ING)?|SHATTER(?:S|ED|ING)?|ECLIPSE[SD]?|TOPS|BEATS?|REPLACES|PREVIOUSLY|(?:OLD|PREVIOUS|PRIOR|FORMER)(?: DAILY)? RECORD)\b/

const previousOf = new RegExp(
  String.raw`(?:\b(?:OF|WAS|AT|IS)|RECORD:) (?:ONLY |A |AN )?(${number}|A?\s?TRACE)(?: (BELOW ZERO))?(?![\d.]*\d)`,
)

function previousValue(text: string): number | null {
  const match = previousOf.exec(text) ?? withUnit.exec(text)
  if (!match || nth(match, 1).includes('TRACE')) return null
  const value = Math.abs(Number(nth(match, 1).replace('MINUS ', '')))
  return /^(?:MINUS|-)/.test(nth(match, 1)) || match[2] === 'BELOW ZERO' ? -value : value
}

const year = String.raw`(?:1[789]\d\d|20\d\d)`
const years = String.raw`${year}(?:(?:, AND | AND | & |, ?|\/)${year})*`
/** Years in which the record was set or tied before. */
const setBefore = new RegExp(
  `\\b(?:SET|ESTABLISHED|RECORDED|OCCURRED|${ties})(?: BACK| ${earlier})*(?: IN| ON [A-Z]+\\.? \\d{1,2}[A-Z]{0,2},?)? ${years}`,
  'g',
)
/** Years of earlier ties of the record, as in `TIED IN 1983` or `LAST TIED JULY 4 1983`; ties of today do not count. */
const tiedBefore = new RegExp(
  `\\b${ties}(?: BACK| ${earlier})*(?: IN| ON)?(?: [A-Z]+\\.? \\d{1,2}[A-Z]{0,2},?)? \\(?${years}`,
  'g',
)
/** The year in which observations began, as in `RECORDS BEGAN IN 1871`. */
const recordKeeping = new RegExp(
  String.raw`\b(?:BEGAN|BEGIN|BEGINNING|KEPT|DATING|BACK TO|SINCE RECORDS?)\b[^.]{0,60}?${year}`,
  'g',
)

/**
 * Returns the years of the previous record.
 * @param today day of the issuance, whose year is not that of an earlier record
 */
function previousYearsOf(subject: string, previous: string, today: number): number[] {
  const issued = new Date(today * DAY).getUTCFullYear()
  const text = [...(subject.match(setBefore) ?? []), previous].join(' ').replace(recordKeeping, ' ')
  const dated = text.replace(new RegExp(`${monthDay.source},? ${issued}`, 'g'), ' ')
  const years = Array.from(dated.matchAll(new RegExp(`\\b${year}\\b`, 'g')), (match) => Number(match[0]))
  return [...new Set(years)].slice(0, 20)
}

function eventOf(text: string, headline: string): RecordEvent {
  const own = eventIn(text)
  const announced = headline === '' ? 'OTHER' : eventIn(headline)
  // A text may be "THE LOW TEMPERATURE WAS ONLY 49", where only the headline states that it is the highest minimum.
  if (own === 'OTHER' || (own === 'LOW' && announced === 'HIGH_MIN') || (own === 'HIGH' && announced === 'LOW_MAX')) {
    return announced
  }
  return own
}

const events: readonly (readonly [RegExp, RecordEvent])[] = [
  [
    /\b(?:HIGH(?:EST)? (?:DAILY )?MIN(?:IMUM)?|WARM(?:EST)? (?:DAILY )?(?:LOW|MIN(?:IMUM)?)|HIGH(?:EST)? LOW)\b/,
    'HIGH_MIN',
  ],
  [
    /\b(?:LOW(?:EST)? (?:DAILY )?MAX(?:IMUM)?|(?:COLD|COOL)(?:EST)? (?:DAILY )?(?:HIGH|MAX(?:IMUM)?)|LOW(?:EST)? HIGH)\b/,
    'LOW_MAX',
  ],
  [/\bSNOW/, 'SNOW'],
  [/\b(?:RAIN|PRECIP)/, 'RAIN'],
  [/\b(?:WIND|GUST|PRESSURE|HUMIDITY|STREAK|CONSECUTIVE|MONTHLY|DRIEST|WETTEST)\b/, 'OTHER'],
  [/\b(?:LOW|LOWEST|MINIMUM|COLDEST)\b/, 'LOW'],
  [/\b(?:HIGH|HIGHEST|MAXIMUM|WARMEST|HOTTEST|TEMPERATURE)\b/, 'HIGH'],
]

function eventIn(text: string): RecordEvent {
  return events.find(([pattern]) => pattern.test(text))?.[1] ?? 'OTHER'
}

/**
 * Returns the day of the local calendar at issuance, as days since 1970-01-01. The zone comes from the local time line; without it, UTC is
 * used.
 */
function localDay(body: string, issuedAt: Instant): number {
  const zone = /^\s*\/?\d{1,4}\s?(?:AM|PM)?\s?([A-Z]{1,4}T|UTC|GMT|Z)\b/im.exec(body.slice(0, 2000))?.[1]
  return Math.floor((issuedAt + (zoneOffset(zone ?? '') ?? 0) * MINUTE) / DAY)
}

const monthDay =
  /\b(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|SEPT|OCT|NOV|DEC|JANUARY|FEBRUARY|MARCH|APRIL|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER)\.? (\d{1,2})(?:ST|ND|RD|TH)?\b/
const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']

/** Returns the day of the record: the date in the text, otherwise TODAY, YESTERDAY or a weekday, otherwise the day of issuance. */
function dateOf(subject: string, previous: string, headline: string, today: number): string {
  const named =
    dayNamed(subject, today) ??
    relativeDay(`${subject} ${previous}`, today) ??
    dayNamed(
      /\bFOR (?:THE DATE OF )?[A-Z]+\.? \d{1,2}(?:ST|ND|RD|TH)?(?! \d{4}|, \d{4}|\d)/.exec(previous)?.[0] ?? '',
      today,
    ) ??
    dayNamed(headline, today) ??
    relativeDay(headline, today) ??
    today
  return new Date(named * DAY).toISOString().slice(0, 10)
}

/** Returns the latest day with this date that is not after the issuance. */
function dayNamed(text: string, today: number): number | undefined {
  const match = monthDay.exec(text)
  if (!match) return undefined
  const year = new Date(today * DAY).getUTCFullYear()
  for (const candidate of [year, year - 1]) {
    const date = isoDate(candidate, monthNumber(nth(match, 1))!, Number(match[2]))
    if (date !== undefined && Date.parse(date) / DAY <= today) return Date.parse(date) / DAY
  }
  return undefined
}

function relativeDay(text: string, today: number): number | undefined {
  if (/\bYESTERDAY\b/.test(text)) return today - 1
  if (/\b(?:TODAY|THIS MORNING|THIS AFTERNOON|THIS EVENING)\b/.test(text)) return today
  const weekday = weekdays.findIndex((name) => new RegExp(String.raw`\b${name}\b`).test(text))
  if (weekday < 0) return undefined
  return today - ((new Date(today * DAY).getUTCDay() - weekday + 7) % 7)
}

function corrupt(expected: string, actual: string): Fault {
  return new Fault('Corrupt', `record event report: expected ${expected}, but found ${actual}`, {
    reason: 'unreadable',
  })
}
