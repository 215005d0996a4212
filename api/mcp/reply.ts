import type { Instant } from '../../ingest/domain/time.ts'
import { attributionOf, simulatedWarning, warningsOf } from '../present/meta.ts'
import type { MetaWarning, SourceFreshness } from '../sections/section.ts'
import type { ToolContext } from './context.ts'
import type { Spot } from './forecast.ts'
import type { Block, ToolMeta, ToolResult } from './tool.ts'

const LONGEST = 2000

export interface Reply {
  /** Without `meta`: it is added last. */
  readonly structured: Readonly<Record<string, unknown>>
  /** Short lines that answer the user. */
  readonly lines: readonly string[]
  readonly meta: ToolMeta
  readonly blocks?: readonly Block[]
}

/** Puts a result together: the text names sources with their age, every warning, and ends in the attribution notice. */
export function reply({ structured, lines, meta, blocks }: Reply): ToolResult {
  const notice = meta.attribution.notice
  const simulated = meta.warnings.some(({ code }) => code === 'simulated_data')
  const said = meta.warnings
    .filter(({ code }) => code !== 'simulated_data')
    .map(({ detail, code, section }) => `Note (${section}): ${detail ?? code}`)
  const ages = meta.freshness
    .filter(({ age_seconds }) => age_seconds !== null)
    .map(({ source, product_id, age_seconds }) => `${product_id || source} ${age(age_seconds as number)}`)
  const tail = [...(ages.length > 0 ? [`Data age: ${ages.join(', ')}.`] : []), ...said]
  const head = simulated ? ['SIMULATED, not real weather.'] : []
  return { structured: { ...structured, meta }, text: shorten([...head, ...lines], tail, notice), blocks }
}

/** What does not fit is left out from the middle; the notice never is. */
function shorten(body: readonly string[], tail: readonly string[], notice: string): string {
  const whole = [...body, ...tail, notice].join('\n')
  if (whole.length <= LONGEST) return whole
  const short = notice.slice(0, 500)
  const kept: string[] = []
  let room = LONGEST - short.length - 40
  for (const line of [...body, ...tail]) {
    const cut = line.slice(0, 300)
    if (cut.length + 1 > room) break
    kept.push(cut)
    room -= cut.length + 1
  }
  return [...kept, '(more in the data)', short].join('\n')
}

export function age(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

/** `meta` of an answer of the pipeline. */
export function metaOf(answer: { attribution: ToolMeta['attribution']; meta: Record<string, unknown> }): ToolMeta {
  const { generated_at, warnings = [], freshness = [] } = answer.meta as Partial<ToolMeta>
  return {
    generated_at: generated_at ?? '',
    attribution: answer.attribution,
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

/** `wind 12 mph` with words before; undefined where there is no value, so that nothing is said of it. */
export function held(before: string, value: unknown, label: string | undefined): string | undefined {
  return typeof value === 'number' ? `${before} ${shown(value, label)}`.trimStart() : undefined
}

/** What is held of a thing, with commas between; empty where nothing is. */
export function phrase(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ')
}

/** What must be said of places that were named by a name which others bear too. */
function placesAssumed(spots: readonly (Spot | undefined)[]): MetaWarning[] {
  const [first, ...more] = spots.flatMap((spot) => spot?.resolved.warnings ?? [])
  return first ? [{ ...first, detail: [first, ...more].map(({ detail }) => detail).join('; ') }] : []
}

/** `meta` of an answer that did not come through the pipeline. */
export function plainMeta(
  { parts, now }: Pick<ToolContext, 'parts' | 'now'>,
  sources: readonly string[],
  said: {
    readonly warnings?: readonly MetaWarning[]
    readonly freshness?: readonly SourceFreshness[]
    /** The places that were asked for by name. */
    readonly spots?: readonly (Spot | undefined)[]
  } = {},
): ToolMeta {
  const { current, datasets } = parts.values
  const simulated = current.simulated()
  const iso = (at: Instant | undefined) => (at === undefined ? null : `${new Date(at).toISOString().slice(0, 19)}Z`)
  return {
    generated_at: iso(now) as string,
    attribution: attributionOf([], sources, new Map(datasets.map((one) => [one.id, one])), simulated),
    warnings: warningsOf([
      ...placesAssumed(said.spots ?? []),
      ...(said.warnings ?? []),
      ...(simulated ? [simulatedWarning] : []),
    ]),
    freshness: (said.freshness ?? []).map(({ source, product_id, referenceTime }) => ({
      source,
      product_id,
      reference_time: iso(referenceTime),
      age_seconds: referenceTime === undefined ? null : Math.max(0, Math.round((now - referenceTime) / 1000)),
    })),
  }
}
