import { nearest } from '../../../ingest/domain/nearest.ts'
import {
  currentUntil,
  desksOfDomain,
  officeKinds,
  type TextKind,
  type TextSegment,
  wfoOf,
} from '../../../ingest/domain/text/product.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import { officeList, zonesAt } from '../../../ingest/geo/zone.ts'
import { type TextHistoryRow, textHistory } from '../../../sql/queries/texts.ts'
import type { MetaWarning, SourceFreshness, TextDoubt } from '../../contract.ts'
import { findSpot, type PlaceInput, type Spot } from '../../dataset/spot.ts'
import { icaoOf, segmentAt, zoneNames } from '../../live/texts.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'

/** One text as tools give it. */
export type TextProductRow = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly issued_at: string
  readonly summary: string | null
}

export interface TextAnswer {
  readonly spot: Spot | undefined
  readonly wfo: string | undefined
  readonly products: readonly TextProductRow[]
  /** Further ones that are in effect as well: discussions of storms, several of which may cover a place. */
  readonly more: number
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
}

export interface TextInput extends PlaceInput {
  readonly type: TextKind
  readonly wfo?: string | undefined
  readonly limit: number
  readonly summary_only: boolean
}

/** Offices of the territories, which have no zones in the coverage. */
const territories = ['GUM', 'SJU', 'PPG']

/** The most that are counted at a place or for an office. */
const MAX_DISCUSSIONS = 50

/** @throws ToolError not-found with the nearest offices */
function officeOf(code: string): string {
  const asked = code.toUpperCase()
  const letters = asked.length === 4 ? wfoOf(asked) : asked
  const known = [...new Set([...officeList().map(({ id }) => id), ...territories])].sort()
  if (known.includes(letters)) return letters
  const suggestions = nearest(letters, known)
  throw new ToolError(
    'not-found',
    `No forecast office is called "${code}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
    'call again with the three letters of an office, or with a place instead of wfo.',
    { field: 'wfo', got: code, suggestions },
  )
}

/**
 * Texts of a kind for a place or an office: the current ones, newest first, then with a `limit` above 1 earlier ones of the same office
 * or desk.
 * @throws ToolError bad-request, not-found, no-data where the lists were not read
 */
export async function textsFor(input: TextInput, context: ToolContext): Promise<TextAnswer> {
  const { type, limit } = input
  const placed = input.location !== undefined || input.lat !== undefined || input.lon !== undefined
  const nationwide = type === 'pmd' || type === 'swo'
  if (!placed && !nationwide && (input.wfo === undefined || type === 'mpd')) {
    throw new ToolError(
      'bad-request',
      `Wanted a place${type === 'mpd' ? '' : ' or wfo'} for type ${type}; got neither.`,
      `call again with location "Denver, CO"${type === 'mpd' ? '' : ' or wfo "BOU"'}.`,
      { field: 'location' },
    )
  }
  const spot = placed ? findSpot(input) : undefined
  const { lat, lon } = spot?.location ?? { lat: 0, lon: 0 }
  const asked = input.wfo === undefined ? undefined : officeOf(input.wfo)
  const wfo = officeKinds.includes(type) ? (asked ?? (spot && zonesAt(lat, lon).office)) : asked
  const watch = context.deps.live.texts
  const doubts = watch.doubts(type, icaoOf(wfo), context.now)
  const mesoscale = type === 'mcd' || type === 'mpd'
  const found = await textHistory(context.deps.database, {
    kind: type,
    limit: mesoscale ? MAX_DISCUSSIONS : limit,
    ...(!nationwide && wfo !== undefined && { wfo }),
    ...(mesoscale && spot && { point: { lat, lon } }),
  })
  const rows = type === 'pmd' && spot ? found.filter(({ record }) => isOfPlace(record.desk, spot)) : found
  const own = spot && asked === undefined ? zoneNames(lat, lon) : undefined
  const chosen =
    own && officeKinds.includes(type) && type !== 'afd' ? rows.flatMap((row) => atPlace(row, own)) : rows.map(whole)
  // Earlier issues alone are not current.
  const current = chosen.some(({ row, segment }) => row.current && !isOver(row, segment, watch.now(context.now)))
  const all = current ? chosen : []
  const given = mesoscale ? all.slice(0, limit) : all
  if (given.length === 0) requireRead(type, doubts, watch.isKnown(type, context.now))
  const confirmed = watch.confirmedAt()
  return {
    spot,
    wfo,
    products: given.map(({ row, segment }) => productJson(row, segment, !input.summary_only)),
    more: all.length - given.length,
    warnings: doubts.map(({ code, detail }) => ({ code, section: 'products', product_id: 'nws-texts', detail })),
    freshness: [
      { source: 'text', product_id: 'nws-texts', ...(confirmed !== undefined && { referenceTime: confirmed }) },
    ],
  }
}

/** Refuses "none" unless the lists were read. */
function requireRead(type: TextKind, doubts: readonly TextDoubt[], known: boolean): void {
  const doubt = doubts.find(({ code }) => code !== 'text_incomplete')
  if (known && !doubt) return
  throw new ToolError(
    'no-data',
    `${doubt?.detail ?? `${type.toUpperCase()}: its list is not read`}; whether a text is in effect is not known.`,
    'say that it is not known, and try again in a few minutes.',
  )
}

interface Chosen {
  readonly row: TextHistoryRow
  readonly segment?: TextSegment
}

const whole = (row: TextHistoryRow): Chosen => ({ row })

function atPlace(row: TextHistoryRow, zones: readonly (string | undefined)[]): Chosen[] {
  const segment = segmentAt(row.record.segments ?? [], zones)
  return segment ? [{ row, segment }] : []
}

function isOver({ record }: TextHistoryRow, segment: TextSegment | undefined, now: number): boolean {
  return segment !== undefined && currentUntil(record.kind, record.issuedAt, segment.endsAt) <= now
}

function isOfPlace(desk: TextHistoryRow['record']['desk'], spot: Spot): boolean {
  return desk !== undefined && desksOfDomain[spot.resolved.domain].includes(desk)
}

function productJson(
  { id, wfo, record }: TextHistoryRow,
  segment: TextSegment | undefined,
  body: boolean,
): TextProductRow {
  const { kind, afd, mesoscale, segments = [], desk, day, awips } = record
  const ends = kind === 'afd' || kind === 'pmd' ? undefined : (segment?.endsAt ?? record.expiresAt)
  const parts = segment ? [segment] : segments
  return {
    id,
    wfo,
    issued_at: isoSeconds(record.issuedAt),
    expires_at: ends === undefined ? null : isoSeconds(ends),
    summary: (segment ?? record).summary ?? null,
    sections: (segment ?? record).sections,
    ...(body && { body: (segment ?? record).body }),
    ...(afd && { key_takeaway: afd.key_takeaway ?? null, confidence: afd.confidence ?? null }),
    ...(kind === 'hwo' && {
      day_one: parts[0]?.day_one ?? null,
      // Of a whole text every segment must be quiet, and there must be one.
      has_active_hazards: parts.length === 0 || parts.some((part) => part.has_active_hazards !== false),
    }),
    ...(mesoscale && {
      [`${kind}_number`]: mesoscale.number,
      concerning: mesoscale.concerning ?? null,
      areas_affected: mesoscale.areas_affected ?? null,
      ...(kind === 'mcd'
        ? { watch_probability: mesoscale.watch_probability ?? null }
        : { flash_flood_tier: mesoscale.flash_flood_tier ?? null }),
    }),
    ...(kind === 'pmd' && { awips_id: awips, pmd_desk: desk }),
    ...(kind === 'swo' && { day }),
  }
}
