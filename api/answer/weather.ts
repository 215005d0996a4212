import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset } from '../../ingest/domain/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { Blender } from '../blend/blend.ts'
import type { Encoding, MetaWarning, SourceFreshness, StationReport, Suppliers } from '../contract.ts'
import { type Current, coarseCells } from '../live/served-runs.ts'
import type { ServedStates } from '../live/served-states.ts'
import { attributionOf, freshnessOf, SCHEMA_VERSION, simulatedWarning, warningsOf } from '../present/meta.ts'
import { openPage, type Page } from '../present/page.ts'
import { WriterMemory } from '../present/writer-memory.ts'
import { type Resolved, resolve } from '../query/location.ts'
import type { IncludeToken, WeatherQuery, WeatherRequest } from '../query/query.ts'
import { sections as listed } from '../sections/index.ts'
import type { Section, SectionResult } from '../sections/section.ts'
import { AnswerCache, type Ready } from './cache.ts'
import { Context } from './context.ts'
import type { WeatherValue } from './value.ts'

/** A whole answer, ready to be sent. */
export interface WeatherAnswer extends Ready {
  /** `max-age=…`, less what has passed since it was made, or `no-store`. */
  cacheControl(now: Instant): string
  /** False: `no-store` for clients. */
  readonly storable: boolean
  /** Whether the served runs were confirmed by the database when the answer was built. */
  readonly confirmed: boolean
  /** The answer as an object; parsed at each call. */
  value(): unknown
  /** The same, typed: what the tools read. */
  weather(): WeatherValue
}

/** The pipeline behind REST and tools. */
export interface Weather {
  /** A cached answer by the text of the request alone, one map lookup; undefined where it must be built. */
  ready(url: string, now: Instant): WeatherAnswer | undefined
  /**
   * @param url the cache key under which `ready` finds it again: any text that contains the whole request
   * @throws Fault Missing (no such place, outside coverage), Invalid (ambiguous place)
   */
  answer(request: WeatherRequest, now: Instant, url?: string): Promise<WeatherAnswer>
  /** Keeps a compressed form of an answer as long as the answer is cached. */
  keepForm(answer: WeatherAnswer, encoding: Encoding, form: Buffer): void
  /** Bytes and number of cached answers. */
  readonly cached: { readonly bytes: number; readonly answers: number }
}

export interface WeatherDeps {
  readonly current: Current
  readonly datasets: readonly Dataset[]
  readonly suppliers: Suppliers
  /** Resolution of the model cells. */
  readonly resolution: number
  /** Changes of the sources: an answer during which one changed is made again, so that it is of one moment. */
  readonly states?: Pick<ServedStates, 'changes' | 'changedAt'>
  /** Shared with other users of the process; absent: its own. */
  readonly blender?: Blender
  readonly writerMemory?: WriterMemory
  /** Bytes of answers that are kept; 64 MB where absent. */
  readonly cacheBytes?: number
  /** Instead of the list of `sections/index.ts`. */
  readonly sections?: readonly Section[]
}

/** A degraded answer is `no-store` for clients but shared by the requests of the next seconds: otherwise an outage multiplies the load. */
const DEGRADED_TTL_MS = 5 * SECOND
/** Answers are marked when the database has not confirmed the served runs for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
/** Answers that are made in the place of one during which a source changed. */
const MAX_ATTEMPTS = 3
/** Tokens of `include` that modify other sections and are none themselves. */
const modifiers: ReadonlySet<IncludeToken> = new Set(['uncertainty'])

export function createWeather(deps: WeatherDeps): Weather {
  const { current, suppliers, blender = new Blender(), writerMemory = new WriterMemory() } = deps
  const datasets = new Map(deps.datasets.map((dataset) => [dataset.id, dataset]))
  const sections = deps.sections ?? listed
  const cache = new AnswerCache<WeatherAnswer>(deps.cacheBytes ?? 64 * 1_048_576)
  const making = new Map<string, Promise<WeatherAnswer>>()
  const tagPrefix = Math.floor(Math.random() * 36 ** 6).toString(36)
  let tagCount = 0

  const make = async (
    resolved: Resolved,
    query: WeatherQuery,
    asked: Instant,
    name: string,
  ): Promise<WeatherAnswer> => {
    for (let attempt = 1; ; attempt++) {
      const changes = deps.states?.changes
      const now = Math.max(asked, deps.states?.changedAt ?? 0)
      const answer = await makeOnce(resolved, query, now, name)
      if (deps.states?.changes === changes || attempt === MAX_ATTEMPTS) return answer
    }
  }

  const makeOnce = async (
    resolved: Resolved,
    query: WeatherQuery,
    now: Instant,
    name: string,
  ): Promise<WeatherAnswer> => {
    const cell = cellOf(resolved.lat, resolved.lon, deps.resolution)
    const stamp = stampOf(current, resolved.domain, coarseCells(resolved.lat, resolved.lon))
    const made = stamp()
    const context = new Context({ current, datasets, suppliers, blender, writerMemory }, resolved, cell, query, now)
    const results = await Promise.all(
      sections.filter(({ name }) => query.include.has(name as IncludeToken)).map((section) => build(section, context)),
    )
    const observed = await context.source('observations').catch(() => undefined)
    const gis = gisOf(resolved.gis, observed?.nearest)
    const answer = assemble(
      context,
      gis,
      results,
      resolved.warnings,
      current,
      datasets,
      sections,
      `"${tagPrefix}-${(tagCount++).toString(36)}"`,
    )
    context.release()
    cache.put(name, answer, stamp, made)
    return answer
  }

  const isConfirmed = (now: Instant) => now - current.confirmedAt() <= UNCONFIRMED_AFTER_MS
  /** Cached answers carry the warning about an unconfirmed database or not: one whose flag is out of date is not served. */
  const cached = (name: string, now: Instant) => {
    const answer = cache.get(name, now)
    return answer?.confirmed === isConfirmed(now) ? answer : undefined
  }

  return {
    ready: cached,
    keepForm: (answer, encoding, form) => cache.keepForm(answer, encoding, form),
    async answer(request, now, url) {
      const resolved = resolve(request.selector)
      const name = nameOf(request, resolved)
      const known = cached(name, now)
      if (known) {
        if (url) cache.alias(url, name)
        return known
      }
      let pending = making.get(name)
      if (!pending) {
        pending = make(resolved, request.query, now, name).finally(() => making.delete(name))
        making.set(name, pending)
      }
      const answer = await pending
      if (url) cache.alias(url, name)
      return answer
    },
    get cached() {
      return { bytes: cache.bytes, answers: cache.count }
    },
  }
}

/** Normalized cache key: the same request has the same key whatever the order of its parameters. */
function nameOf({ selector, query }: WeatherRequest, { lat, lon }: Resolved): string {
  const where = selector.kind === 'point' ? '' : selector.kind === 'zip' ? selector.zip : selector.text
  return `${lat},${lon}|${where}|${query.units}|${query.view}|${query.alertDetail}|${[...query.include].sort().join()}|${query.days}|${query.hourlyHours}|${query.hourlyStep}|${query.hourlyStepFrom}`
}

interface Built {
  readonly section: Section
  readonly result: SectionResult
}

/** A fault leaves out its section alone; any other error is a bug and fails the request. */
async function build(section: Section, context: Context): Promise<Built> {
  try {
    return { section, result: await section.build(context) }
  } catch (error) {
    if (!isFault(error)) throw error
    const missing = error.kind === 'Missing' || error.kind === 'Gone'
    const warning: MetaWarning = {
      code: missing ? 'source_missing' : 'source_failed',
      section: section.name,
      detail: missing ? error.message : 'its source could not be read just now',
    }
    return { section, result: { warnings: [warning], maxAgeSeconds: 60, degraded: !missing } }
  }
}

function assemble(
  context: Context,
  gis: object,
  results: readonly Built[],
  placeWarnings: readonly MetaWarning[],
  current: Current,
  datasets: ReadonlyMap<string, Dataset>,
  sections: readonly Section[],
  etag: string,
): WeatherAnswer {
  const { now, query, units } = context
  context.settle()
  const warnings: MetaWarning[] = [...placeWarnings, ...context.warnings]
  const freshness: SourceFreshness[] = [...context.freshness]
  const named: string[] = []
  let degraded = context.degraded
  let seconds = 3600
  let until = context.until
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
    warnings.push({ code: 'not_held', section: token, detail: `this installation has no data for "${token}"` })
  }
  const confirmed = now - current.confirmedAt() <= UNCONFIRMED_AFTER_MS
  if (!confirmed) {
    degraded = true
    warnings.push({
      code: 'degraded',
      section: 'meta',
      detail: 'the database cannot be reached: the last known data are shown',
    })
  }
  const simulated = current.simulated()
  if (simulated) warnings.push(simulatedWarning)

  const { place } = context
  const page = openPage(context.writerMemory)
  page.text(
    `{"location":${JSON.stringify({ lat: context.lat, lon: context.lon, ...place, elevation: units.show('altitude', context.ground), utc_offset_seconds: Math.round(context.zone.offset(now) / SECOND) })}`,
  )
  for (const { section, result } of results) writeSection(page, section.name, result)
  page.text(`,"gis":${JSON.stringify(gis)},"units":${units.labelsText}`)
  page.text(`,"attribution":${JSON.stringify(attributionOf(context.used, named, datasets, simulated))}`)
  const meta = {
    freshness: freshnessOf(freshness, now),
    warnings: warningsOf(warnings, freshness),
    ...samplingOf(query),
  }
  page.text(`,"meta":{"schema_version":"${SCHEMA_VERSION}","generated_at":"${new Date(now).toISOString()}"`)
  page.text(`,${JSON.stringify(meta).slice(1)}}`)

  const end = Math.min(until, now + (degraded ? DEGRADED_TTL_MS : seconds * SECOND))
  return createAnswer(page.bytes(), etag, end, degraded, confirmed)
}

/** The nearest station is that of `metar`; where none reports, the nearest of the packaged table. */
function gisOf(gis: object, nearest: StationReport | undefined): object {
  if (!nearest) return gis
  const { id, name, state, lat, lon, elevation } = nearest.station
  const distance_km = Math.round((nearest.km ?? 0) * 10) / 10
  const station = { id, name, ...(state ? { state } : {}), lat, lon, elevation_m: elevation, distance_km }
  return { ...gis, nearest_station: station }
}

function writeSection(page: Page, name: string, result: SectionResult): void {
  const { json = result.value === undefined ? undefined : JSON.stringify(result.value) } = result
  if (!result.write && json === undefined) return
  page.text(`,"${name}":`)
  if (result.write) result.write(page)
  else if (json !== undefined) page.text(json)
}

/** A function of its own: the closures of a cached answer must not keep the objects of its construction alive. */
function createAnswer(body: Buffer, etag: string, end: Instant, degraded: boolean, confirmed: boolean): WeatherAnswer {
  return {
    body,
    etag,
    forms: {},
    until: end,
    storable: !degraded,
    confirmed,
    cacheControl: (at) => (degraded ? 'no-store' : `max-age=${Math.max(0, Math.floor((end - at) / SECOND))}`),
    value: () => JSON.parse(body.toString()),
    weather: () => JSON.parse(body.toString()) as WeatherValue,
  }
}

/** Stamp of the data behind an answer; changes with them. A function of its own, so that its closure keeps no intermediate objects alive. */
function stampOf(current: Current, domain: DomainId, coarse: readonly string[]): () => number {
  return () => current.generation(domain) * 1e9 + current.epoch(coarse) * 1e4 + current.globalGeneration
}

/** Only where rows were dropped. */
function samplingOf({ include, hourlyHours, hourlyStep, hourlyStepFrom }: WeatherQuery): object {
  const drops = include.has('hourly') && hourlyStep > 1 && hourlyStepFrom + 1 < hourlyHours
  return drops ? { hourly_sampling: { step_hours: hourlyStep, from_hour: hourlyStepFrom } } : {}
}
