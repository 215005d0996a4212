import { Fault, isFault } from '../../ingest/domain/fault.ts'
import type { TextKind } from '../../ingest/domain/text/product.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, TextAtPoint, TextsAtPoint } from '../contract.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** Short, because new texts may arrive at any time. */
const MAX_AGE_SECONDS = 60

/**
 * Forecaster texts for the point: the texts of its office, discussions whose polygon contains it, national
 * discussions.
 */
export const guidance: Section = {
  name: 'guidance',
  async build(context: SectionContext): Promise<SectionResult> {
    const texts = await context.source('texts')
    if (!texts) return notStored('guidance')
    const result = resultOf(texts, 'guidance')
    const { afd, hwo, now, hls, mcds, mpds, pmds } = texts
    // Unknown does not mean none: there are no counts unless both lists were read.
    if (!mcds || !mpds) return result
    const risk = await dayOneRisk(context)
    return {
      ...result,
      value: {
        ...(afd && { afd: afdJson(afd) }),
        ...(hwo && { hwo: hwoJson(hwo) }),
        ...(now && { now: shortJson(now) }),
        ...(hls && { hls: shortJson(hls) }),
        active_mcds: mcds.length,
        mcds: mcds.map(mcdJson),
        active_mpds: mpds.length,
        mpds: mpds.map(mpdJson),
        pmds: pmds.map(pmdJson),
        ...(risk !== undefined && { swo_day1_risk: risk }),
      },
    }
  },
}

const DEPRECATED: MetaWarning = {
  code: 'deprecated',
  section: 'discussions',
  detail: 'This section is deprecated. Use include=guidance, which has the same discussions and more.',
}

/** The deprecated form of the section: mesoscale discussions and the area forecast discussion only. */
export const discussions: Section = {
  name: 'discussions',
  async build(context: SectionContext): Promise<SectionResult> {
    const texts = await context.source('texts')
    const read = texts ? resultOf(texts, 'discussions', ['afd', 'mcd']) : notStored('discussions')
    const result = { ...read, warnings: [...(read.warnings ?? []), DEPRECATED] }
    const { afd, mcds } = texts ?? {}
    if (!mcds) return result
    return { ...result, value: { mesoscale: mcds.map(mcdJson), ...(afd && { area_forecast: afdJson(afd) }) } }
  },
}

function notStored(section: string): SectionResult {
  const detail = 'This installation reads no forecaster texts.'
  return { warnings: [{ code: 'not_held', section, detail }], maxAgeSeconds: MAX_AGE_SECONDS }
}

function resultOf(texts: TextsAtPoint, section: string, kinds?: readonly TextKind[]): SectionResult {
  const doubts = texts.doubts.filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  const warnings = doubts.map(({ code, detail }): MetaWarning => ({ code, section, product_id: 'nws-texts', detail }))
  return {
    warnings,
    freshness: texts.freshness,
    sources: ['nws-texts'],
    maxAgeSeconds: MAX_AGE_SECONDS,
    degraded: warnings.length > 0,
    expiresAt: texts.nextEnd,
  }
}

/** Risk label of the Day 1 categorical outlook. The section of outlooks reports its own failure. */
async function dayOneRisk(context: SectionContext): Promise<string | undefined> {
  try {
    const outlooks = await context.outlooks()
    return outlooks?.outlooks.find(({ day, product_id }) => day === 1 && /otlk_cat$/.test(product_id))?.riskLabel
  } catch (error) {
    if (!isFault(error)) throw error
    return undefined
  }
}

/** Omits members without a value. */
function withoutUndefined<T extends object>(members: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

function afdJson({ issue, wfo }: TextAtPoint): object {
  const { synopsis, key_takeaway, confidence } = issue.afd ?? {}
  return withoutUndefined({
    synopsis,
    key_takeaway,
    confidence,
    wfo: wfo ?? undefined,
    body: issue.body,
    issued_at: isoSeconds(issue.issuedAt),
  })
}

function hwoJson({ issue, segment }: TextAtPoint): object {
  if (!segment) throw new Fault('Missing', 'The hazardous weather outlook has no segment.')
  const { day_one, summary, body, has_active_hazards = true } = segment
  return withoutUndefined({ day_one, summary, body, has_active_hazards, issued_at: isoSeconds(issue.issuedAt) })
}

function shortJson({ issue, segment, wfo }: TextAtPoint): object {
  const { summary, body } = segment ?? issue
  return withoutUndefined({ summary, wfo: wfo ?? undefined, body, issued_at: isoSeconds(issue.issuedAt) })
}

function times({ issue }: TextAtPoint): object {
  return { issued_at: isoSeconds(issue.issuedAt), expires_at: isoSeconds(issue.expiresAt ?? issue.currentUntil) }
}

function mcdJson(text: TextAtPoint): object {
  const { summary, body, mesoscale } = text.issue
  const { number, concerning, areas_affected, watch_probability } = mesoscale ?? {}
  return withoutUndefined({
    mcd_number: number,
    ...times(text),
    concerning,
    areas_affected,
    watch_probability,
    summary,
    body,
  })
}

function mpdJson(text: TextAtPoint): object {
  const { summary, body, mesoscale } = text.issue
  const { number, concerning, areas_affected, flash_flood_tier } = mesoscale ?? {}
  return withoutUndefined({
    mpd_number: number,
    ...times(text),
    concerning,
    areas_affected,
    flash_flood_tier,
    summary,
    body,
  })
}

function pmdJson({ issue }: TextAtPoint): object {
  const { awips, desk, summary, body, issuedAt } = issue
  return withoutUndefined({ awips_id: awips, pmd_desk: desk, issued_at: isoSeconds(issuedAt), summary, body })
}
