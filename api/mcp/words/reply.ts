import { DAY, type Instant, isoOrNull } from '../../../ingest/domain/time.ts'
import type { WeatherValue } from '../../answer/value.ts'
import { type MetaWarning, type SourceFreshness, warningCodes } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import { attributionOf, simulatedWarnings, warningsOf } from '../../present/meta.ts'
import type { ToolContext } from '../protocol/context.ts'
import type { ToolBlock, ToolMeta, ToolResult } from '../protocol/tool.ts'
import { oneLine, type QuotedFields } from './quote.ts'

const MAX_TEXT_LENGTH = 2000
/** Bound of a line in a text that must be cut. */
const MAX_LINE = 400

export interface ToolReply {
  /** Without `meta`: it is added last. */
  readonly structured: Readonly<Record<string, unknown>>
  /** Short lines that answer the user. */
  readonly lines: readonly string[]
  readonly meta: ToolMeta
  readonly blocks?: readonly ToolBlock[]
  /** Begins the first line of the text: what the whole answer rests on. */
  readonly opening?: string
  /** Members of `structured` with quoted text of a source. */
  readonly quotes?: QuotedFields
  /** Sections of the pipeline that the text covers; absent: all warnings are repeated. */
  readonly sections?: readonly string[]
  /** Names the oldest source alone. */
  readonly concise?: boolean
}

/** Warnings about how a number was derived: they stay in `meta` and are not repeated in the text. */
const derivations: ReadonlySet<string> = new Set(['amount_split', 'nowcast_blended', 'probability_estimated'])

/** What a warning without words of its own means; its code alone is none for a person. */
function meaningOf({ code, fields }: MetaWarning): string {
  if (code === 'partial_day')
    return `part of today is not stored: ${(fields ?? []).includes('high') ? 'its high and totals are' : 'some of its values are'} left out`
  const meaning = warningCodes[code].replaceAll('`', '')
  return fields && fields.length > 0 ? `${meaning} (${fields.slice(0, 6).join(', ')})` : meaning
}

/** Warnings that concern the text: of the given sections, and not about fields that no source has. */
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
    .map((warning) => `Note (${warning.section}): ${oneLine(warning.detail ?? meaningOf(warning), 300)}`)
}

/** Assembles a result: warnings, the answer, sources with their age, and the attribution notice last. */
export function reply({ structured, lines, meta, blocks, opening, quotes, sections, concise }: ToolReply): ToolResult {
  const notice = meta.attribution.notice
  const simulated = meta.warnings.some(({ code }) => code === 'simulated_data')
  const known = meta.freshness.filter(({ age_seconds }) => age_seconds !== null)
  const oldest = known.toSorted((a, b) => (b.age_seconds as number) - (a.age_seconds as number))
  const ages = (concise ? oldest.slice(0, 1) : known).map(
    ({ source, product_id, age_seconds }) => `${product_id || source} ${age(age_seconds as number)}`,
  )
  const first = [...(simulated ? ['SIMULATED, not real weather.'] : []), ...(opening ? [opening] : [])].join(' ')
  const head = [...(first ? [first] : []), ...notesOf(meta.warnings, sections, structured)]
  const tail = [...(ages.length > 0 ? [`${concise ? 'Oldest source' : 'Data age'}: ${ages.join(', ')}.`] : []), notice]
  return {
    structured: { ...structured, meta: quotes ? { ...meta, quoted: quotes } : meta },
    text: shorten([...head, ...lines], tail),
    blocks,
  }
}

/** The last lines of the body are left out where the whole is too long, and counted; the notice never is. */
function shorten(body: readonly string[], tail: readonly string[]): string {
  const whole = [...body, ...tail].join('\n')
  if (whole.length <= MAX_TEXT_LENGTH) return whole
  const end = tail.map((line) => line.slice(0, 500))
  let room = MAX_TEXT_LENGTH - end.join('\n').length - 40
  const kept: string[] = []
  for (const line of body) {
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line
    if (cut.length + 1 > room) break
    kept.push(cut)
    room -= cut.length + 1
  }
  return [...kept, `${body.length - kept.length} more in data.`, ...end].join('\n')
}

export function age(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

/** `meta` of an answer of the pipeline. */
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

/** One meta for several answers: sources joined, the same warning once. */
export function joinMeta(metas: readonly ToolMeta[], extra: readonly MetaWarning[] = []): ToolMeta {
  const unique = <T>(list: readonly T[]) => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]
  return {
    generated_at: metas[0]?.generated_at ?? '',
    attribution: {
      sources: unique(metas.flatMap(({ attribution }) => attribution.sources)),
      notice: metas[0]?.attribution.notice ?? '',
    },
    warnings: unique([...metas.flatMap(({ warnings }) => warnings), ...extra]),
    freshness: [
      ...new Map(
        metas.flatMap(({ freshness }) => freshness).map((one) => [`${one.product_id}@${one.reference_time}`, one]),
      ).values(),
    ],
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** `Sat 3:40 PM MST` */
export function localTime(instant: Instant | string, timezone: string): string {
  return format(timezone, 'time', {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** The weekday alone is ambiguous from so far away on. */
const FAR_MS = 6 * DAY

/**
 * `until Wed, 6:00 PM AKST`, before its begin `from … until …`; with the date where it is days away.
 * An alert is active from its issue on, also where it begins tomorrow.
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

/** `1 flash`, `2 flashes`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** `MST` at an instant. */
export function zoneName(instant: Instant | string, timezone: string): string {
  const deps = format(timezone, 'zone', { timeZoneName: 'short' }).formatToParts(new Date(instant))
  return deps.find(({ type }) => type === 'timeZoneName')?.value ?? timezone
}

/** `Sat, Nov 21, 3:40 PM MST` */
export function dateTime(instant: Instant | string, timezone: string): string {
  return format(timezone, 'date time', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

/** `Sat Nov 21` of a local date. */
export function dayName(date: string): string {
  return format('UTC', 'day', { weekday: 'short', month: 'short', day: 'numeric' }).format(
    new Date(`${date}T12:00:00Z`),
  )
}

function format(timezone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${kind}`
  let found = clocks.get(key)
  if (!found) clocks.set(key, (found = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options })))
  return found
}

const marks: Readonly<Record<string, string>> = { F: '°F', C: '°C' }

/** `72 °F`, `0.12 in`, or `no value`. */
export function shown(value: unknown, label: string | undefined): string {
  return typeof value === 'number'
    ? `${value}${label === '%' ? '%' : ` ${marks[label ?? ''] ?? label ?? ''}`.trimEnd()}`
    : 'no value'
}

/** `wind 12 mph` with words before; undefined where there is no value, so that it is left out. */
export function valueWords(before: string, value: unknown, label: string | undefined): string | undefined {
  return typeof value === 'number' ? `${before} ${shown(value, label)}`.trimStart() : undefined
}

/** The parts that are there, with commas between; empty where none is. */
export function phrase(...deps: readonly unknown[]): string {
  return deps.filter((part) => typeof part === 'string' && part !== '').join(', ')
}

/** Warnings about ambiguous place names that were resolved to the most populous place. */
function placesAssumed(spots: readonly (Spot | undefined)[]): MetaWarning[] {
  const [first, ...more] = spots.flatMap((spot) => spot?.resolved.warnings ?? [])
  return first ? [{ ...first, detail: [first, ...more].map(({ detail }) => detail).join('; ') }] : []
}

/** `meta` of an answer that did not come through the pipeline. */
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
    // To the millisecond, as of the pipeline: `as_of` it finds the same ages.
    generated_at: new Date(now).toISOString(),
    attribution: attributionOf([], sources, new Map(datasets.map((one) => [one.id, one])), simulated),
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
