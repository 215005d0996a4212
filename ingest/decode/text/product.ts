import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'

/** One product of a text file: its two decoded heading lines, and the text after them. */
export interface TextProduct {
  /** Data designator of the WMO line, such as `FXUS61`. */
  readonly wmo: string
  /** ICAO code of the WMO line, such as `KBOX`. */
  readonly office: string
  /** Day, hour and minute (UTC) of the WMO line, without month and year. */
  readonly ddhhmm: string
  /** BBB group, such as `AAA`, `CCB`, `RRA` or `COR`; absent in a first issuance. */
  readonly bbb?: string
  /** AWIPS id, such as `AFDBOX`, `SWOMCD` or `CLINYC`. */
  readonly awips: string
  /** Text after the AWIPS line, without `\r`, trailing blanks, and empty lines at both ends. */
  readonly body: string
}

/** Reason for which a text is rejected; it becomes `details.reason` of the fault and a label of metrics. */
export type TextRefusal =
  | 'not_json'
  | 'too_large'
  | 'html'
  | 'control_characters'
  | 'no_heading'
  | 'wrong_kind'
  | 'wrong_office'
  | 'cut'
  | 'no_zones'
  | 'no_number'
  | 'no_valid_time'
  | 'no_polygon'
  | 'no_time'

export function refuse(reason: TextRefusal, message: string): never {
  throw new Fault('Corrupt', message, { reason })
}

const MAX_TEXT_BYTES = 256 * 1024
const MAX_CONTROL_SHARE = 0.01

const wmoLine = /^([A-Z]{4}\d{1,2}) ([A-Z]{4}) (\d{6})(?: ([A-Z]{3}))?$/
const awipsLine = /^[A-Z0-9]{4,6}$/
/** The transmission number, which may precede the WMO line. */
const numberLine = /^\d{3}$/

/**
 * Splits a text into its products. A product begins at every WMO line that is followed by an AWIPS line.
 * @throws Fault Corrupt with `details.reason` if the text is too large, HTML or binary, or has no such pair of lines
 */
export function readTextProducts(text: string): TextProduct[] {
  const lines = plainText(text)
    .split('\n')
    .map((line) => line.trimEnd())
  const starts: { readonly line: number; readonly heading: RegExpExecArray; readonly awips: number }[] = []
  for (let i = 0; i + 1 < lines.length; i++) {
    const heading = wmoLine.exec(nth(lines, i).trimStart())
    if (!heading) continue
    const awips = lines[i + 1] === '' ? i + 2 : i + 1
    if (awips < lines.length && awipsLine.test(nth(lines, awips).trimStart())) starts.push({ line: i, heading, awips })
  }
  if (starts.length === 0) {
    refuse(
      'no_heading',
      `text product: expected a WMO line (FXUS61 KBOX 171150) and an AWIPS line (AFDBOX), but found ${quoted(lines)}`,
    )
  }
  return starts.map(({ heading, awips }, i) => {
    const next = starts[i + 1]
    let end = next ? next.line : lines.length
    if (next && numberLine.test(nth(lines, end - 1).trim())) end--
    return {
      wmo: nth(heading, 1),
      office: nth(heading, 2),
      ddhhmm: nth(heading, 3),
      ...(heading[4] && { bbb: heading[4] }),
      awips: nth(lines, awips).trim(),
      body: withoutOuterEmptyLines(lines.slice(awips + 1, end)).join('\n'),
    }
  })
}

/** Removes `\r`, and the SOH and ETX that frame a transmission. */
function plainText(text: string): string {
  if (text.length > MAX_TEXT_BYTES || Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    refuse('too_large', `text product: must have at most ${MAX_TEXT_BYTES} bytes, but has ${Buffer.byteLength(text)}`)
  }
  const plain = text
    .replaceAll('\r', '')
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: framing of WMO transmissions
    .replace(/^\x01/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: framing of WMO transmissions
    .replace(/\n?\x03\s*$/, '')
  if (/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(plain)) {
    refuse('html', `text product: must be plain text, but is markup: ${JSON.stringify(plain.trimStart().slice(0, 40))}`)
  }
  let controls = 0
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i)
    if (code === 0) refuse('control_characters', `text product: character ${i} is NUL, which text must not contain`)
    if ((code < 32 && code !== 10 && code !== 9) || code === 127) controls++
  }
  if (controls > plain.length * MAX_CONTROL_SHARE) {
    refuse(
      'control_characters',
      `text product: ${controls} of ${plain.length} characters are control characters, so it is not text`,
    )
  }
  return plain
}

export function withoutOuterEmptyLines(lines: readonly string[]): string[] {
  let from = 0
  let to = lines.length
  while (from < to && nth(lines, from).trim() === '') from++
  while (to > from && nth(lines, to - 1).trim() === '') to--
  return lines.slice(from, to)
}

function quoted(lines: readonly string[]): string {
  return JSON.stringify(
    withoutOuterEmptyLines(lines.slice(0, 20))
      .slice(0, 3)
      .map((line) => line.slice(0, 40))
      .join(' | '),
  )
}
