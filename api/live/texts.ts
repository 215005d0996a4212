import { datasetOf } from '../../ingest/catalog.ts'
import { covers } from '../../ingest/domain/shape/ring.ts'
import {
  currentUntil,
  desksOfDomain,
  segmentOf,
  type TextKind,
  type TextSegment,
} from '../../ingest/domain/text/product.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { type PointZones, zoneList, zonesAt, zonesById } from '../../ingest/geo/zone.ts'
import type { TextRow } from '../../sql/queries/texts.ts'
import type { PointAt, TextAtPoint, TextDoubt, TextsAtPoint } from '../contract.ts'
import type { LiveDeps, LiveSource } from './source.ts'
import { type TextWatch, watchTexts } from './text-watch.ts'

const TEXTS = datasetOf('texts').id
const SECTION_KINDS = ['afd', 'hwo', 'now', 'hls', 'mcd', 'mpd', 'pmd'] as const

export interface TextSource extends TextWatch {
  at(point: PointAt): Promise<TextsAtPoint>
}

/** Opens the forecaster texts. A new MCD or MPD invalidates cached answers of the cells that it touches; for other texts cached answers expire after 60 s. */
export async function openTexts(deps: LiveDeps): Promise<TextSource & LiveSource> {
  const { database, events, clock, current, states } = deps
  const watch = await watchTexts({ database, events, clock, states, report: deps.report('texts could not be read') })
  watch.onChange((cells) => current.invalidate('texts', cells))
  const at = textsAt(watch)
  return {
    ...watch,
    at,
    suppliers: { texts: at },
    ages: () => {
      const confirmed = watch.confirmedAt()
      return confirmed === undefined ? [] : [{ dataset: TEXTS, domain: 'us', at: confirmed }]
    },
  }
}

/** The supplier of texts at a point. */
export function textsAt(watch: TextWatch): (at: PointAt) => Promise<TextsAtPoint> {
  return async (at) => {
    const { lat, lon, now } = at
    const wfo = zonesAt(lat, lon).office
    const names = zoneNames(lat, lon)
    const inOffice = (kind: TextKind) => watch.current(kind, now).filter((row) => row.wfo === wfo)
    // An office may have several products of a kind, each for different zones.
    const segmented = (kind: 'hwo' | 'now' | 'hls') => {
      for (const row of inOffice(kind)) {
        const text = atSegment(row, names, watch.now(now))
        if (text) return text
      }
      return undefined
    }
    const around = (kind: 'mcd' | 'mpd') =>
      watch.isKnown(kind, now)
        ? watch
            .current(kind, now)
            .filter(({ record }) => record.mesoscale && covers([[record.mesoscale.ring]], lon, lat))
            .map(textOf)
        : undefined
    const [afd] = inOffice('afd')
    const desks = desksOfDomain[at.domain]
    const texts = {
      ...(afd && { afd: textOf(afd) }),
      hwo: segmented('hwo'),
      now: segmented('now'),
      hls: segmented('hls'),
      mcds: around('mcd'),
      mpds: around('mpd'),
      pmds: watch
        .current('pmd', now)
        .filter(({ record }) => record.desk && desks.includes(record.desk))
        .map(textOf),
    }
    const office = afd?.record.office ?? icaoOf(wfo)
    const doubts = SECTION_KINDS.flatMap((kind) => watch.doubts(kind, office, now))
    const { mcds, mpds, pmds, ...single } = texts
    const all = [...Object.values(single), ...(mcds ?? []), ...(mpds ?? []), ...pmds]
    const ends = all.flatMap((text) => (text ? endOf(text) : []))
    const confirmed = watch.confirmedAt()
    return {
      ...texts,
      ...(ends.length > 0 && { nextEnd: Math.min(...ends) - (watch.now(now) - now) }),
      doubts: [...doubts, ...withoutDiscussion(afd, doubts, wfo)],
      freshness: [
        {
          source: 'text',
          product_id: TEXTS,
          ...(confirmed !== undefined && { referenceTime: confirmed }),
        },
      ],
    }
  }
}

/**
 * Every office writes a discussion several times a day, so an office without a discussion in the last day has a gap.
 */
function withoutDiscussion(
  afd: TextRow | undefined,
  doubts: readonly TextDoubt[],
  wfo: string | undefined,
): TextDoubt[] {
  if (afd || doubts.some(({ kind }) => kind === 'afd')) return []
  return [
    {
      kind: 'afd',
      code: 'stale_source',
      detail: `AFD: ${wfo ?? 'the office of the place'} has issued none within 24 hours`,
    },
  ]
}

function textOf(row: TextRow): TextAtPoint {
  return { id: row.id, wfo: row.wfo, issue: row.record }
}

/** UGC codes of the public zone and county of a point; a code is undefined if it is unknown. */
export function zoneNames(lat: number, lon: number): readonly (string | undefined)[] {
  const zones = zonesAt(lat, lon)
  return [zones.forecast ?? namesake(zones), zones.county]
}

/** Returns the segment that covers a point with this public zone and county. */
export function segmentAt(
  segments: readonly TextSegment[],
  zones: readonly (string | undefined)[],
): TextSegment | undefined {
  return segmentOf(segments, zones) ?? onlySegment(segments, zones)
}

/** A text with its segment for a point; undefined if there is none or it is no longer current. */
export function atSegment(
  row: TextRow | undefined,
  zones: readonly (string | undefined)[],
  now: Instant,
): TextAtPoint | undefined {
  const segment = segmentAt(row?.record.segments ?? [], zones)
  if (!row || !segment) return undefined
  const { kind, issuedAt } = row.record
  return currentUntil(kind, issuedAt, segment.endsAt) > now ? { ...textOf(row), segment } : undefined
}

/**
 * Returns the only segment for the state of a point whose public zone is unknown, as for some points until the public
 * zones of the state are loaded; undefined if the text has several segments for the state.
 */
function onlySegment(segments: readonly TextSegment[], [zone, county]: readonly (string | undefined)[]) {
  const state = county?.slice(0, 2)
  const [only, ...further] = segments.filter(({ zones }) => zones.some((code) => code.startsWith(`${state}Z`)))
  return zone === undefined && state !== undefined && further.length === 0 ? only : undefined
}

let publicZones: Map<string, string> | undefined

/**
 * Returns the public zone with the name and office of a point's fire zone, such as `COZ040` for `COZ240`. It is used as
 * the public zone until the public zones are loaded.
 */
function namesake({ fire }: PointZones): string | undefined {
  const fireZone = fire === undefined ? undefined : zonesById(fire).find(({ kind }) => kind === 'fire')
  if (!fireZone) return undefined
  const key = (zone: { office: string; state: string; name: string }) => `${zone.office} ${zone.state} ${zone.name}`
  publicZones ??= new Map(zoneList().flatMap((zone) => (zone.kind === 'forecast' ? [[key(zone), zone.id]] : [])))
  return publicZones.get(key(fireZone))
}

function endOf({ issue, segment }: TextAtPoint): Instant[] {
  return [segment ? currentUntil(issue.kind, issue.issuedAt, segment.endsAt) : issue.currentUntil]
}

/** ICAO code of an office, by its code of three letters. Offices in the contiguous US have the prefix K. */
export function icaoOf(wfo: string | undefined): string | undefined {
  if (wfo === undefined) return undefined
  const irregularCodes: Readonly<Record<string, string>> = {
    AFC: 'PAFC',
    AFG: 'PAFG',
    AJK: 'PAJK',
    HFO: 'PHFO',
    GUM: 'PGUM',
    SJU: 'TJSJ',
    PPG: 'NSTU',
  }
  return irregularCodes[wfo] ?? `K${wfo}`
}
