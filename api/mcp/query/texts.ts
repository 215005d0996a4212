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

/** A text in the form that tools give. Its kind decides which of the optional members it has. */
export interface TextProductRow {
  readonly id: string
  readonly wfo: string | null
  readonly issued_at: string
  readonly expires_at: string | null
  readonly summary: string | null
  readonly sections: TextSegment['sections']
  readonly body?: string
  readonly key_takeaway?: string | null
  readonly confidence?: string | null
  readonly day_one?: string | null
  readonly has_active_hazards?: boolean
  readonly mcd_number?: number
  readonly mpd_number?: number
  readonly concerning?: string | null
  readonly areas_affected?: string | null
  readonly watch_probability?: number | null
  readonly flash_flood_tier?: string | null
  readonly awips_id?: string
  readonly pmd_desk?: string
  readonly day?: number
}

export interface TextAnswer {
  readonly spot: Spot | undefined
  readonly wfo: string | undefined
  readonly products: readonly TextProductRow[]
  /** Number of further texts in effect: several mesoscale discussions may cover a place. */
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

/** Largest number of mesoscale discussions that are counted at a place or for an office. */
const MAX_DISCUSSIONS = 50

/** Returns the id of an office from its code of three or four letters. @throws ToolError not-found with the nearest offices */
function officeOf(code: string): string {
  const upperCode = code.toUpperCase()
  const letters = upperCode.length === 4 ? wfoOf(upperCode) : upperCode
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
 * Texts of a kind for a place or an office: the current texts, newest first, then with a `limit` above 1 earlier texts of the same office
 * or desk.
 * @throws ToolError bad-request, not-found, no-data if the lists were not read
 */
export async function textsFor(input: TextInput, context: ToolContext): Promise<TextAnswer> {
  const { type, limit } = input
  const isPlaced = input.location !== undefined || input.lat !== undefined || input.lon !== undefined
  const isNationwide = type === 'pmd' || type === 'swo'
  if (!isPlaced && !isNationwide && (input.wfo === undefined || type === 'mpd')) {
    throw new ToolError(
      'bad-request',
      `A place${type === 'mpd' ? '' : ' or wfo'} is required for type ${type}, but the call has none.`,
      `call again with location "Denver, CO"${type === 'mpd' ? '' : ' or wfo "BOU"'}.`,
      { field: 'location' },
    )
  }
  const spot = isPlaced ? findSpot(input) : undefined
  const { lat, lon } = spot?.location ?? { lat: 0, lon: 0 }
  const office = input.wfo === undefined ? undefined : officeOf(input.wfo)
  const wfo = officeKinds.includes(type) ? (office ?? (spot && zonesAt(lat, lon).office)) : office
  const watch = context.deps.live.texts
  const doubts = watch.doubts(type, icaoOf(wfo), context.now)
  const isMesoscale = type === 'mcd' || type === 'mpd'
  const history = await textHistory(context.deps.database, {
    kind: type,
    limit: isMesoscale ? MAX_DISCUSSIONS : limit,
    ...(!isNationwide && wfo !== undefined && { wfo }),
    ...(isMesoscale && spot && { point: { lat, lon } }),
  })
  const rows = type === 'pmd' && spot ? history.filter(({ record }) => isForPlace(record.desk, spot)) : history
  const zones = spot && office === undefined ? zoneNames(lat, lon) : undefined
  const chosen =
    zones && officeKinds.includes(type) && type !== 'afd'
      ? rows.flatMap((row) => atPlace(row, zones))
      : rows.map((row): ChosenText => ({ row }))
  // Earlier issues are given only together with a current text.
  const isCurrent = chosen.some(({ row, segment }) => row.current && !isOver(row, segment, watch.now(context.now)))
  const all = isCurrent ? chosen : []
  const texts = isMesoscale ? all.slice(0, limit) : all
  if (texts.length === 0) requireRead(type, doubts, watch.isKnown(type, context.now))
  const confirmed = watch.confirmedAt()
  return {
    spot,
    wfo,
    products: texts.map(({ row, segment }) => productJson(row, segment, !input.summary_only)),
    more: all.length - texts.length,
    warnings: doubts.map(({ code, detail }) => ({ code, section: 'products', product_id: 'nws-texts', detail })),
    freshness: [
      { source: 'text', product_id: 'nws-texts', ...(confirmed !== undefined && { referenceTime: confirmed }) },
    ],
  }
}

/** @throws ToolError no-data if the lists were not read, so that it is not known whether there are texts */
function requireRead(type: TextKind, doubts: readonly TextDoubt[], isKnown: boolean): void {
  const doubt = doubts.find(({ code }) => code !== 'text_incomplete')
  if (isKnown && !doubt) return
  throw new ToolError(
    'no-data',
    `${doubt?.detail ?? `${type.toUpperCase()}: its list has not been read`}; it is not known whether a text is in effect.`,
    'tell the user that it is not known, and try again in a few minutes.',
  )
}

interface ChosenText {
  readonly row: TextHistoryRow
  /** The segment for the zones of the place; absent for the whole text. */
  readonly segment?: TextSegment
}

function atPlace(row: TextHistoryRow, zones: readonly (string | undefined)[]): ChosenText[] {
  const segment = segmentAt(row.record.segments ?? [], zones)
  return segment ? [{ row, segment }] : []
}

function isOver({ record }: TextHistoryRow, segment: TextSegment | undefined, now: number): boolean {
  return segment !== undefined && currentUntil(record.kind, record.issuedAt, segment.endsAt) <= now
}

function isForPlace(desk: TextHistoryRow['record']['desk'], spot: Spot): boolean {
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
      // A text has no hazards only if it has segments and none of them has hazards.
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
