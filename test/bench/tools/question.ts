import { inZone } from './truth.ts'

/** What a true answer says. */
export type Expected =
  | { readonly is: 'number'; readonly from: number; readonly to: number; readonly unit: Unit }
  /** A local clock time, as minutes of the day. */
  | { readonly is: 'clock'; readonly minutes: number; readonly tolerance: number }
  /** Every expression of `all` and none of `none`. */
  | {
      readonly is: 'words'
      readonly all: readonly RegExp[]
      readonly none?: readonly RegExp[]
      readonly example: string
    }
  /** Something is absent, and that is known. */
  | { readonly is: 'absent' }
  /** It is not known whether something is there. */
  | { readonly is: 'unknown' }
  /** No answer can be given for the place. */
  | { readonly is: 'refusal' }

export type Unit = keyof typeof units
/** How a unit may be written after a number. */
const units = {
  '°F': '(?:° ?F?|degrees(?: F\\w*)?|F)(?![\\w-])',
  '°C': '(?:° ?C?|degrees(?: C\\w*)?|C)(?![\\w-])',
  K: '(?:K|kelvins?)\\b',
  mph: '(?:mph|miles (?:per|an) hour)\\b',
  degrees: '(?:degrees|°)',
  in: '(?:in|inch(?:es)?|")(?![\\w-])',
  mi: '(?:mi|miles?)\\b',
  inHg: '(?:inHg|in(?:ches)?(?: of mercury)?)\\b',
  km: '(?:km|kilomet(?:er|re)s?)\\b',
  '%': '(?:%|percent)',
  AQI: '',
  '°F-days': '(?:°F-days|degree days)',
  '': '',
} as const

export type State = 'ordinary' | 'alerts away' | 'outlooks away' | 'old data'

export interface Question {
  /** The family of the question. A file of calls for another server has a call for each subject. */
  readonly subject: string
  readonly text: string
  /** The form of the answer that a model is asked for. */
  readonly form: string
  /** The call of Hexcast that answers the question. */
  readonly call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** Values for the placeholders of a call of another server, such as `lat`. */
  readonly facts: Readonly<Record<string, string | number>>
  /** What happened to the sources before the question is asked. */
  readonly state: State
  readonly expected: Expected
  /** The part of a text of Hexcast that answers, such as the line of an hour; undefined where the text lacks it. */
  part(text: string): string | undefined
  /** Whether something dangerous is there or may be there, so that a sentence of absence would be a false all-clear. */
  readonly danger: boolean
}

/** A question about ordinary sources, answered by the whole text. */
export const question = (
  members: Pick<Question, 'subject' | 'text' | 'call' | 'expected'> & Partial<Question>,
): Question => ({
  facts: {},
  state: 'ordinary',
  part: (text) => text,
  danger: members.expected.is === 'unknown',
  form: formOf(members.expected),
  ...members,
})

function formOf(expected: Expected): string {
  switch (expected.is) {
    case 'number':
      return expected.unit === '' || expected.unit === 'AQI'
        ? 'the number'
        : `the number with its unit (${expected.unit})`
    case 'clock':
      return 'the local time, such as 5:31 PM'
    case 'words':
      return 'a short sentence'
    default:
      return 'yes, no, or that it is not known'
  }
}

const NOT_KNOWN =
  /\b(?:not|isn't|cannot be|can't be) (?:known|covered|available|determined)|\bunknown\b|\bno[- ](?:data|coverage)\b|no score can be given|stores no history/i
const DENIES = /\bno\b|\bnone\b|\b0\b|\bnot any\b|\bwithout\b|\bnothing\b|\bdry\b|\bzero\b/i
const REFUSES =
  /outside|not cover|only (?:covers )?the (?:50 )?(?:US|United)|is (?:an?|the) (?:state|territory|country|county|region|bay)\b|in (?:Mexico|Canada|Brazil)/i

/** Whether an answer is true: the part of a text that answers, or the answer of a model in prose. */
export function judge(expected: Expected, answer: string | undefined): boolean {
  if (answer === undefined) return false
  const plain = answer.replaceAll('\u202f', ' ')
  switch (expected.is) {
    case 'number': {
      const number = numberIn(plain, expected.unit)
      return number !== undefined && number >= expected.from && number <= expected.to
    }
    case 'clock': {
      const apart = Math.abs(minutesIn(plain) - expected.minutes)
      return Math.min(apart, 1440 - apart) <= expected.tolerance
    }
    case 'words':
      return expected.all.every((words) => words.test(plain)) && !expected.none?.some((words) => words.test(plain))
    case 'absent':
      return DENIES.test(plain) && !NOT_KNOWN.test(plain)
    case 'unknown':
      return NOT_KNOWN.test(plain) || /not an all-clear/i.test(plain)
    case 'refusal':
      return REFUSES.test(plain) && !/\d ?°/.test(plain)
  }
}

/** The first number of a text with a unit. */
function numberIn(text: string, unit: Unit): number | undefined {
  const pattern =
    unit === 'AQI' ? /AQI (?:of |is )?(\d+)/ : new RegExp(`(?<![\\w.])(-?\\d[\\d,]*(?:\\.\\d+)?) ?${units[unit]}`)
  const [, number] = pattern.exec(text) ?? (unit === 'AQI' ? /(\d+)/.exec(text) : null) ?? []
  return number === undefined ? undefined : Number(number.replaceAll(',', ''))
}

/** The first clock time of a text as minutes of the day; NaN without one. `5 PM` counts too. */
function minutesIn(text: string): number {
  const [, hour, minute = '0', half] = /\b(\d{1,2})(?::(\d{2}))? ?([AP])\.?M/i.exec(text) ?? []
  if (hour === undefined) return Number.NaN
  return (Number(hour) % 12) * 60 + Number(minute) + (half?.toUpperCase() === 'P' ? 720 : 0)
}

/** Sentences that clear of alerts, of precipitation, of storms or of lightning. */
const CLEARS =
  /\b(?:no|0|zero) (?:active |lasting |tracked |severe )*(?:alerts?|warnings?|storm cells?|flash(?:es)?|echo|rain|precipitation|red flag)\b|\bnone is active\b|\bnothing above\b|all[- ]clear\b(?<!not an all-clear)/i

/** Whether a text clears of a danger that is there, or that may be there. */
export function isFalseAllClear({ danger, expected, part }: Question, text: string, prose: boolean): boolean {
  if (!danger || !CLEARS.test(text)) return false
  // An answer that names the danger may say what else is absent.
  return !judge(expected, prose ? text : part(text))
}

/** A true and a false answer in prose, of which `judge` accepts only the first. */
export function examplesOf({ expected }: Question): readonly [right: string, wrong: string] {
  switch (expected.is) {
    case 'number': {
      const { from, to, unit } = expected
      const say = (value: number) =>
        unit === 'AQI' ? `The AQI is ${Math.round(value)}.` : `It is about ${Number(value.toFixed(2))} ${unit}.`
      return [say((from + to) / 2), say(to + (to - from) + 5)]
    }
    case 'clock': {
      const say = (minutes: number) =>
        `At ${Math.floor(minutes / 60) % 12 || 12}:${String(Math.round(minutes) % 60).padStart(2, '0')} ${minutes % 1440 < 720 ? 'AM' : 'PM'}.`
      return [say(Math.round(expected.minutes)), say((Math.round(expected.minutes) + 300) % 1440)]
    }
    case 'words':
      return [expected.example, 'Perhaps so.']
    case 'absent':
      return ['No, there is none.', 'Yes.']
    case 'unknown':
      return ['It is not known.', 'No alerts are active and no rain falls.']
    case 'refusal':
      return ['The place is outside the coverage.', 'Sunny, 25 °C.']
  }
}

export const around = (value: number, tolerance: number, unit: Unit): Expected => ({
  is: 'number',
  from: value - tolerance,
  to: value + tolerance,
  unit,
})

export const clockOf = (at: number, timezone: string, tolerance: number): Expected => ({
  is: 'clock',
  minutes: minutesIn(inZone(at, timezone, { hour: 'numeric', minute: '2-digit' })),
  tolerance,
})

export const words = (example: string, ...all: readonly RegExp[]): Expected => ({ is: 'words', all, example })

/** The line that begins with a text or matches an expression. */
export const lineWith = (text: string, start: string | RegExp): string | undefined =>
  text
    .replaceAll('\u202f', ' ')
    .split('\n')
    .find((line) => (typeof start === 'string' ? line.startsWith(start) : start.test(line)))

/** The text after the first match of an expression. */
export function after(text: string | undefined, expression: RegExp): string | undefined {
  const plain = text?.replaceAll('\u202f', ' ')
  const match = plain === undefined ? null : expression.exec(plain)
  return match && plain ? plain.slice(match.index + match[0].length) : undefined
}

/** The line of an hourly text for a local day and hour. */
export function lineAt(text: string, at: number, timezone: string): string | undefined {
  const day = inZone(at, timezone, { weekday: 'short', month: 'short', day: 'numeric' })
  const hour = inZone(at, timezone, { hour: 'numeric' })
  let here = false
  for (const line of text.replaceAll('\u202f', ' ').split('\n')) {
    if (/^\w{3}, \w{3} \d+ /.test(line)) here = line.startsWith(`${day} `)
    if (here && (line.startsWith(`${hour}:`) || line.startsWith(`${day} ${hour}:`))) return line
  }
  return undefined
}

/** The temperature of an hour with its unit, in a line such as `Temperatures (°F): Sun 6 PM 60.2, 7 PM 57.1, Mon 12 AM 48.` */
export function temperatureAt(text: string, at: number, timezone: string): string | undefined {
  const [, unit = '', list = ''] =
    /^Temperatures \(([^)]*)\): (.*)\.$/.exec(lineWith(text, 'Temperatures (') ?? '') ?? []
  const weekday = inZone(at, timezone, { weekday: 'short' })
  const hour = inZone(at, timezone, { hour: 'numeric' })
  let day = ''
  for (const item of list.split(', ')) {
    const words = item.split(' ')
    if (words.length > 3) day = words.shift() ?? ''
    if (day === weekday && words.slice(0, 2).join(' ') === hour) return `${words[2]} ${unit}`
  }
  return undefined
}
