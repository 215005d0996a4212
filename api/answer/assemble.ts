import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { type Instant, isoMilliseconds, SECOND } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness, StationReport } from '../contract.ts'
import type { Current } from '../live/served-runs.ts'
import { template } from '../present/members.ts'
import { attributionOf, freshnessOf, SCHEMA_VERSION, simulatedWarning, warningsOf } from '../present/meta.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { IncludeToken, WeatherQuery } from '../query/query.ts'
import type { Section, SectionResult } from '../sections/section.ts'
import type { Context } from './context.ts'

/**
 * Lifetime of a degraded answer. It is `no-store` for clients, but requests of the next seconds share it, because an
 * outage would otherwise multiply the load.
 */
const DEGRADED_TTL_MS = 5 * SECOND
/** Answers are marked if the database has not confirmed the served runs for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
/** Tokens of `include` that modify other sections and are not sections themselves. */
const modifiers: ReadonlySet<IncludeToken> = new Set(['uncertainty'])

export function isConfirmed(current: Current, now: Instant): boolean {
  return now - current.confirmedAt() <= UNCONFIRMED_AFTER_MS
}

/** A requested section with its result. */
export interface BuiltSection {
  readonly section: Section
  readonly result: SectionResult
}

/** Builds a section. A fault omits only this section; any other error is a bug and fails the request. */
export async function build(section: Section, context: Context): Promise<BuiltSection> {
  try {
    return { section, result: await section.build(context) }
  } catch (error) {
    if (!isFault(error)) throw error
    const missing = error.kind === 'Missing' || error.kind === 'Gone'
    const warning: MetaWarning = {
      code: missing ? 'source_missing' : 'source_failed',
      section: section.name,
      detail: missing ? error.message : 'The source of this section could not be read at this time.',
    }
    return { section, result: { warnings: [warning], maxAgeSeconds: 60, degraded: !missing } }
  }
}

/** What `assemble` says about the answer that it wrote. */
export interface Assembled {
  /** Until when the answer may be cached. */
  readonly end: Instant
  readonly degraded: boolean
  readonly confirmed: boolean
  /** Length of the end of the page that has the times at which the answer was made, bytes; and that end without these times. */
  readonly closing: { readonly bytes: number; readonly lasting: string }
}

/** Dependencies of `assemble`. */
export interface AssemblyDeps {
  readonly current: Current
  readonly datasets: ReadonlyMap<string, Dataset>
  /** All sections of the installation. A token of `include` that is not the name of a section adds a warning. */
  readonly sections: readonly Section[]
}

/**
 * Writes the whole answer, with pauses between the sections. @returns until when the answer may be cached, and whether
 * it may be
 */
export async function assemble(
  page: Page,
  context: Context,
  gis: object,
  results: readonly BuiltSection[],
  placeWarnings: readonly MetaWarning[],
  { current, datasets, sections }: AssemblyDeps,
): Promise<Assembled> {
  const { now, query, units, notes } = context
  notes.settle(datasets)
  const warnings: MetaWarning[] = [...placeWarnings, ...notes.warnings]
  const freshness: SourceFreshness[] = [...notes.freshness]
  const named: string[] = []
  let degraded = notes.degraded
  let seconds = 3600
  let until = notes.until
  for (const { result } of results) {
    warnings.push(...(result.warnings ?? []))
    freshness.push(...(result.freshness ?? []))
    named.push(...(result.sources ?? []))
    degraded ||= result.degraded === true
    seconds = Math.min(seconds, result.maxAgeSeconds)
    if (result.expiresAt !== undefined) until = Math.min(until, result.expiresAt)
  }
  for (const token of query.include) {
    if (modifiers.has(token) || sections.some(({ name }) => name === token)) continue
    warnings.push({ code: 'not_held', section: token, detail: `This installation has no data for "${token}".` })
  }
  const confirmed = isConfirmed(current, now)
  if (!confirmed) {
    degraded = true
    warnings.push({
      code: 'degraded',
      section: 'meta',
      detail: 'The database cannot be reached. The answer shows the last known data.',
    })
  }
  const simulated = current.simulated()
  if (simulated) warnings.push(simulatedWarning)

  const offset = Math.round(context.zone.offset(now) / SECOND)
  const elevation = units.show('altitude', await context.ground())
  const { lat, lon, place } = context
  page.value('location', { lat, lon, ...place, elevation, utc_offset_seconds: offset })
  for (const { section, result } of results) {
    // Fourteen days of all sections take 50 ms on a slow machine.
    await pause()
    if (result.write) result.write(page)
    else page.value(section.name, result.value)
  }
  page.value('gis', gis)
  page.put(labelsTemplate(page.memory, units))
  page.value('attribution', attributionOf(notes.used, named, datasets, simulated))
  const sources = freshnessOf(freshness, now)
  const rest = { warnings: warningsOf(warnings, freshness), ...samplingOf(query) }
  const meta = { schema_version: SCHEMA_VERSION, generated_at: isoMilliseconds(now), freshness: sources, ...rest }
  page.value('meta', meta)
  return {
    end: Math.min(until, now + (degraded ? DEGRADED_TTL_MS : seconds * SECOND)),
    ...{ degraded, confirmed },
    closing: {
      bytes: Buffer.byteLength(`,"meta":${JSON.stringify(meta)}}`),
      lasting: JSON.stringify({ ...rest, freshness: sources.map(({ age_seconds: _, ...source }) => source) }),
    },
  }
}

const labelsTemplate = perUnits((memory, units) => template(memory, [{ name: 'units', is: units.labels }], units))

/**
 * Returns the members of `gis` with the nearest station: that of `metar`, or the nearest of the packaged table if none
 * reports.
 */
export function gisOf(gis: object, nearest: StationReport | undefined): object {
  if (!nearest) return gis
  const { id, name, state, lat, lon, elevation } = nearest.station
  const distance_km = Math.round((nearest.km ?? 0) * 10) / 10
  const station = { id, name, ...(state ? { state } : {}), lat, lon, elevation_m: elevation, distance_km }
  return { ...gis, nearest_station: station }
}

/** The member `hourly_sampling`, only if rows were dropped. */
function samplingOf({ include, hourlyHours, hourlyStep, hourlyStepFrom, pastHours }: WeatherQuery): object {
  const hasDroppedRows = include.has('hourly') && hourlyStep > 1 && (hourlyStepFrom + 1 < hourlyHours || pastHours > 0)
  return hasDroppedRows ? { hourly_sampling: { step_hours: hourlyStep, from_hour: hourlyStepFrom } } : {}
}
