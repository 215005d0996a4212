import { DAY, type Instant, isoOrNull } from '../../../ingest/domain/time.ts'
import type { WeatherValue } from '../../answer/value.ts'
import { type MetaWarning, type SourceFreshness, warningCodes } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import { attributionOf, simulatedWarnings, warningsOf } from '../../present/meta.ts'
import type { ToolContext } from '../protocol/context.ts'
import type { ToolBlock, ToolMeta, ToolResult } from '../protocol/tool.ts'
import { oneLine, type QuotedFields } from './quote.ts'

const MAX_TEXT_LENGTH = 2000
/** Longest line of a text that must be shortened, characters. */
const MAX_LINE = 400

export interface ToolReply {
  /** The data without `meta`, which is added last. */
  readonly structured: Readonly<Record<string, unknown>>
  /** Short lines that answer the user, or a function that fits them into a number of characters. */
  readonly lines: readonly string[] | ((room: number) => readonly string[])
  readonly meta: ToolMeta
  readonly blocks?: readonly ToolBlock[]
  /** First sentence of the text: how complete the data is. */
  readonly opening?: string
  /** Members of `structured` that quote a source. */
  readonly quotes?: QuotedFields
  /** Sections of the pipeline whose warnings the text repeats; absent for all sections. */
  readonly sections?: readonly string[]
  /** Whether the text names only the oldest source. */
  readonly concise?: boolean
}

/** Warnings about how a number was derived. They are in `meta` and are not repeated in the text. */
const derivations: ReadonlySet<string> = new Set(['amount_split', 'nowcast_blended', 'probability_estimated'])

/** Returns a description for a warning without `detail`, since its code alone does not explain it to a person. */
function meaningOf({ code, fields }: MetaWarning): string {
  if (code === 'partial_day')
    return `part of today is not stored: ${(fields ?? []).includes('high') ? 'its high and totals are' : 'some of its values are'} left out`
  const meaning = warningCodes[code].replaceAll('`', '')
  return fields && fields.length > 0 ? `${meaning} (${fields.slice(0, 6).join(', ')})` : meaning
}

const MAX_NOTE = 300
/** Longest note about a run without all of its values, which lists each of them; `meta` has the whole list. */
const MAX_INCOMPLETE_NOTE = 140

/** Notes for the warnings of the sections, without those about fields that no source has or that are not in the result. */
function notesOf(
  warnings: readonly MetaWarning[],
  sections: readonly string[] | undefined,
  structured: object,
): string[] {
  const json = sections ? JSON.stringify(structured) : ''
  return warnings
    .filter(({ code, section, fields }) => {
      if (code === 'simulated_data' || derivations.has(code)) return false
      if (sections && fields && (code === 'not_held' || !fields.some((name) => json.includes(`"${name}":`))))
        return false
      return !sections || section === 'meta' || section === 'location' || sections.includes(section)
    })
    .map((warning) => {
      const most = warning.code === 'source_incomplete' ? MAX_INCOMPLETE_NOTE : MAX_NOTE
      return `Note (${warning.section}): ${oneLine(warning.detail ?? meaningOf(warning), most)}`
    })
}

/** Assembles a result whose text has the warnings, the answer, the sources with their ages, and the attribution notice last. */
export function reply({ structured, lines, meta, blocks, opening, quotes, sections, concise }: ToolReply): ToolResult {
  const notice = meta.attribution.notice
  const simulated = meta.warnings.some(({ code }) => code === 'simulated_data')
  const sources = meta.freshness.flatMap(({ source, product_id, age_seconds }) =>
    age_seconds === null ? [] : [{ name: product_id || source, seconds: age_seconds }],
  )
  const oldest = sources.toSorted((a, b) => b.seconds - a.seconds)
  const ages = (concise ? oldest.slice(0, 1) : sources).map(({ name, seconds }) => `${name} ${age(seconds)}`)
  const first = [...(simulated ? ['SIMULATED, not real weather.'] : []), ...(opening ? [opening] : [])].join(' ')
  const tail = [...(ages.length > 0 ? [`${concise ? 'Oldest source' : 'Data age'}: ${ages.join(', ')}.`] : []), notice]
  const headFor = (content: string) => {
    // A line that gives the reason of a doubt needs no note with the same reason.
    const warnings = meta.warnings.filter(({ detail }) => !detail || !content.includes(detail.replace(/\.$/, '')))
    return [...(first ? [first] : []), ...notesOf(warnings, sections, structured)]
  }
  const body = typeof lines === 'function' ? lines(MAX_TEXT_LENGTH - lengthOf([...headFor(''), ...tail])) : lines
  const head = headFor(body.join('\n'))
  return {
    structured: { ...structured, meta: quotes ? { ...meta, quoted: quotes } : meta },
    text: shorten([...head, ...body], tail),
    blocks,
  }
}

/** Characters of lines, each with its line break. */
export function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

/** Leaves out the last lines of a body that is too long and says how many; the last lines of the text, with the notice, always stay. */
function shorten(body: readonly string[], tail: readonly string[]): string {
  const text = [...body, ...tail].join('\n')
  if (text.length <= MAX_TEXT_LENGTH) return text
  const end = tail.map((line) => line.slice(0, 500))
  let room = MAX_TEXT_LENGTH - end.join('\n').length - 40
  const lines: string[] = []
  for (const line of body) {
    const shortened = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line
    if (shortened.length + 1 > room) break
    lines.push(shortened)
    room -= shortened.length + 1
  }
  return [...lines, `${body.length - lines.length} more in data.`, ...end].join('\n')
}

/** Returns `40 s`, `25 min` or `3.5 h`. */
export function age(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

/** Returns `meta` for an answer of the pipeline. */
export function metaOf({ attribution, meta: { generated_at, warnings = [], freshness = [] } }: WeatherValue): ToolMeta {
  return {
    generated_at,
    attribution,
    warnings,
    freshness: freshness.map(({ source, product_id, reference_time, age_seconds }) => ({
      source,
      product_id,
      reference_time: reference_time ?? null,
      age_seconds: age_seconds ?? null,
    })),
  }
}

/** Returns `meta` for several answers, with each source and each warning once. */
export function joinMeta(metas: readonly ToolMeta[], extra: readonly MetaWarning[] = []): ToolMeta {
  const unique = <T>(list: readonly T[]) => [...new Map(list.map((item) => [JSON.stringify(item), item])).values()]
  return {
    generated_at: metas[0]?.generated_at ?? '',
    attribution: {
      sources: unique(metas.flatMap(({ attribution }) => attribution.sources)),
      notice: metas[0]?.attribution.notice ?? '',
    },
    warnings: unique([...metas.flatMap(({ warnings }) => warnings), ...extra]),
    freshness: [
      ...new Map(
        metas
          .flatMap(({ freshness }) => freshness)
          .map((source) => [`${source.product_id}@${source.reference_time}`, source]),
      ).values(),
    ],
  }
}

/** Formatters by time zone and kind: creating a formatter takes far longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Returns `Sat 3:40 PM MST` */
export function localTime(instant: Instant | string, timezone: string): string {
  return clockFormat(timezone, 'time', {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** Distance in time from which a weekday alone is ambiguous. */
const FAR_MS = 6 * DAY

/**
 * Returns `until Wed, 6:00 PM AKST`, or `from … until …` before the begin; with the date for a time that is days away.
 * An alert is active from its issue, even if it begins tomorrow.
 */
export function spanWords(
  { onset, ends }: { readonly onset: Instant | string; readonly ends: Instant | string },
  now: Instant,
  timezone: string,
): string {
  const at = (instant: Instant | string) =>
    Math.abs(new Date(instant).getTime() - now) < FAR_MS ? localTime(instant, timezone) : dateTime(instant, timezone)
  const begins = new Date(onset).getTime() > now ? `from ${at(onset)} ` : ''
  return `${begins}until ${at(ends)}`
}

/** Returns `1 flash`, `2 flashes`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** Returns `MST`, the abbreviation of a time zone at an instant. */
export function zoneName(instant: Instant | string, timezone: string): string {
  const parts = clockFormat(timezone, 'zone', { timeZoneName: 'short' }).formatToParts(new Date(instant))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone
}

/** Returns `Sat, Nov 21, 3:40 PM MST` */
export function dateTime(instant: Instant | string, timezone: string): string {
  return clockFormat(timezone, 'date time', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** Returns `Sat, Nov 21` for a local date. */
export function dayName(date: string): string {
  return clockFormat('UTC', 'day', { weekday: 'short', month: 'short', day: 'numeric' }).format(
    new Date(`${date}T12:00:00Z`),
  )
}

/** Returns the formatter of a time zone and a kind of text, which is made once. */
export function clockFormat(timezone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${kind}`
  let formatter = clocks.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options })
    clocks.set(key, formatter)
  }
  return formatter
}

const marks: Readonly<Record<string, string>> = { F: '°F', C: '°C' }

/** Returns a value with its unit, such as `72 °F` or `0.12 in`; `no value` for anything but a number. */
export function shown(value: unknown, label: string | undefined): string {
  return typeof value === 'number'
    ? `${value}${label === '%' ? '%' : ` ${marks[label ?? ''] ?? label ?? ''}`.trimEnd()}`
    : 'no value'
}

/** Returns `wind 12 mph`, the value after the words `before`; undefined without a value. */
export function valueWords(before: string, value: unknown, label: string | undefined): string | undefined {
  return typeof value === 'number' ? `${before} ${shown(value, label)}`.trimStart() : undefined
}

/** Joins the non-empty texts among the parts by commas. */
export function phrase(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ')
}

/** Returns the text with a capital first letter. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the warning about place names that fit several places and were resolved to the most populous place. */
function placesAssumed(spots: readonly (Spot | undefined)[]): MetaWarning[] {
  const [first, ...more] = spots.flatMap((spot) => spot?.resolved.warnings ?? [])
  return first ? [{ ...first, detail: [first, ...more].map(({ detail }) => detail).join('; ') }] : []
}

/** Returns `meta` for an answer that does not come from the pipeline. */
export function plainMeta(
  { deps, now }: Pick<ToolContext, 'deps' | 'now'>,
  sources: readonly string[],
  context: {
    readonly warnings?: readonly MetaWarning[]
    readonly freshness?: readonly SourceFreshness[]
    /** The places of the request. */
    readonly spots?: readonly (Spot | undefined)[]
  } = {},
): ToolMeta {
  const { current, datasets } = deps.values
  const simulated = current.simulated()
  return {
    // To the millisecond, as in the pipeline, so that a call with this instant as `as_of` gives the same ages.
    generated_at: new Date(now).toISOString(),
    attribution: attributionOf([], sources, new Map(datasets.map((dataset) => [dataset.id, dataset])), simulated),
    warnings: warningsOf([
      ...placesAssumed(context.spots ?? []),
      ...(context.warnings ?? []),
      ...simulatedWarnings(simulated),
    ]),
    freshness: (context.freshness ?? []).map(({ source, product_id, referenceTime }) => ({
      source,
      product_id,
      reference_time: isoOrNull(referenceTime),
      age_seconds: referenceTime === undefined ? null : Math.max(0, Math.round((now - referenceTime) / 1000)),
    })),
  }
}
