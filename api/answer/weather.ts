import { createHash } from 'node:crypto'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { Blender } from '../blend/blend.ts'
import type { Encoding, Suppliers } from '../contract.ts'
import { type AnswerParts, keysOf } from '../live/invalidation.ts'
import { type Current, coarseCells } from '../live/served-runs.ts'
import type { ServedStates } from '../live/served-states.ts'
import type { LiveDeps } from '../live/source.ts'
import { openBytePage, openObjectPage, type Page } from '../present/page.ts'
import { WriterMemory } from '../present/writer-memory.ts'
import { type Resolved, resolve } from '../query/location.ts'
import type { IncludeToken, WeatherQuery, WeatherRequest } from '../query/query.ts'
import { sections as allSections } from '../sections/index.ts'
import type { Section } from '../sections/section.ts'
import { type Assembled, assemble, build, gisOf, isConfirmed } from './assemble.ts'
import { type Body, BodyArena, placedBytes } from './body-arena.ts'
import { AnswerCache } from './cache.ts'
import { Context } from './context.ts'
import { heapBytes } from './heap-size.ts'
import { ofOneMoment } from './one-moment.ts'
import type { WeatherValue } from './value.ts'

/** Members of every answer, in both forms. */
export interface Answered {
  /** Hash of the answer without the times at which it was made: equal in all processes while the answer says the same. */
  readonly etag: string
  /** Expiry: the answer may be served until this instant. */
  readonly until: Instant
  /** `max-age=…` with the remaining seconds, or `no-store`. */
  cacheControl(now: Instant): string
  /** What the answer was built from. */
  readonly parts: AnswerParts
  /** Whether clients may store the answer; otherwise it is `no-store`. */
  readonly storable: boolean
  /** Whether the served runs were confirmed by the database when the answer was built. */
  readonly confirmed: boolean
  /** Key in the cache: the request in a normalized form. */
  readonly name: string
  /**
   * Set when the answer is first sent, because later responses come from the cache. It is a member instead of a
   * WeakSet, whose entries the garbage collector visits again and again.
   */
  sent: boolean
}

type Untagged = Omit<Answered, 'etag'>

/** A whole answer as bytes, ready to be sent. */
export interface WeatherAnswer extends Answered {
  readonly body: Buffer
  /**
   * Adds and removes readers of the body. The buffer is reused once the answer has left the cache and no response is
   * reading it. `answer` returns the body with one reader, which must release it after the last byte was sent; the
   * memory of a body that is never released is not reused.
   */
  readonly reading: Pick<Body, 'retain' | 'release'>
  /** Compressed forms of the body. Only `keepForm` sets them, because their bytes are counted. */
  readonly forms: Partial<Record<Encoding, Buffer>>
}

/** The answer as an object, which equals the parsed `body`. Readers share it and must not change it. */
export interface TypedAnswer extends Answered {
  readonly value: WeatherValue
}

/** The pipeline behind REST and tools. */
export interface Weather {
  /**
   * Returns a cached answer by the text of the request, with a single map lookup; undefined if it must be built. The
   * caller must retain the answer at once.
   */
  ready(url: string, now: Instant): WeatherAnswer | undefined
  /**
   * Returns an answer, from the cache if possible.
   * @param url cache key for `ready`: any text that contains the whole request
   * @throws Fault Missing (no such place, outside coverage), Invalid (ambiguous place)
   */
  answer(request: WeatherRequest, now: Instant, url?: string): Promise<WeatherAnswer>
  /** The answer as an object, for readers in this process. @throws Fault as `answer` */
  value(request: WeatherRequest, now: Instant): Promise<TypedAnswer>
  /** Stores a compressed form of an answer for as long as the answer is cached. */
  keepForm(answer: WeatherAnswer, encoding: Encoding, form: Buffer): void
  /** Bytes and number of cached answers. */
  readonly cached: { readonly bytes: number; readonly answers: number }
}

export interface WeatherDeps {
  readonly current: Current
  readonly datasets: readonly Dataset[]
  /** Whether this installation ingests a dataset; if absent, it ingests all. */
  readonly takes?: LiveDeps['takes']
  readonly suppliers: Suppliers
  /** Resolution of the model cells. */
  readonly resolution: number
  /**
   * Changes of the sources. If a source changes while an answer is built, the answer is built again, so that all its
   * data are from one instant.
   */
  readonly states?: Pick<ServedStates, 'changes' | 'changedAt'>
  /** Shared with other users in the process; if absent, the pipeline creates its own. */
  readonly blender?: Blender
  readonly writerMemory?: WriterMemory
  /** Size of the cache of answers, bytes, 40 MB if absent; the cache of answers as objects has a quarter of it. */
  readonly cacheBytes?: number
  /** Replaces the list of `sections/index.ts`. */
  readonly sections?: readonly Section[]
}

/** Answers in one form: cached answers, and answers that are being built. */
interface Form<Output, A extends Answered> {
  open(memory: WriterMemory): Page<Output>
  /**
   * @param output valid until the next answer is written
   * @param closing the end of the output that has the times of its making
   */
  finish(output: Output, about: Untagged, closing: Assembled['closing']): A
  retain?(answer: A): void
  readonly cache: AnswerCache<A>
  readonly pending: Map<string, Promise<A>>
}

/** Dependencies with which every answer of a pipeline is built. */
interface Pipeline
  extends Required<Pick<WeatherDeps, 'current' | 'suppliers' | 'resolution' | 'blender' | 'writerMemory'>> {
  readonly datasets: ReadonlyMap<string, Dataset>
  readonly takes: WeatherDeps['takes']
  readonly sections: readonly Section[]
}

export function createWeather(deps: WeatherDeps): Weather {
  const { current, suppliers, takes, resolution, blender = new Blender(), writerMemory = new WriterMemory() } = deps
  const { cacheBytes = 40 * 1_048_576, sections = allSections } = deps
  const datasets = new Map(deps.datasets.map((dataset) => [dataset.id, dataset]))
  const pipeline = { current, suppliers, takes, resolution, blender, writerMemory, datasets, sections }
  const bytes = byteForm(cacheBytes)
  const values: Form<object, TypedAnswer> = {
    open: openObjectPage,
    finish: (value, about, { lasting }) => taggedValue(value as WeatherValue, about, lasting),
    cache: new AnswerCache(Math.ceil(cacheBytes / 4), ({ value }) => heapBytes(value)),
    pending: new Map(),
  }

  /** Whether a cached answer has a warning about an unconfirmed database. It is not served if this is out of date. */
  const cached = <A extends Answered>(cache: AnswerCache<A>, name: string, now: Instant): A | undefined => {
    const answer = cache.get(name, now)
    return answer?.confirmed === isConfirmed(current, now) ? answer : undefined
  }

  const answerIn = async <Output, A extends Answered>(
    form: Form<Output, A>,
    request: WeatherRequest,
    now: Instant,
    url?: string,
  ): Promise<A> => {
    const resolved = resolve(request.selector)
    const name = nameOf(request, resolved)
    let answer = cached(form.cache, name, now)
    if (!answer) {
      let pending = form.pending.get(name)
      if (!pending) {
        pending = ofOneMoment(deps.states, now, (at) => buildAnswer(pipeline, form, resolved, request.query, at, name))
        form.pending.set(name, pending)
        const forget = () => form.pending.delete(name)
        pending.then(forget, forget)
      }
      answer = await pending
    }
    form.retain?.(answer)
    if (url) form.cache.alias(url, name)
    return answer
  }

  return {
    ready: (url, now) => cached(bytes.cache, url, now),
    answer: (request, now, url) => answerIn(bytes, request, now, url),
    value: (request, now) => answerIn(values, request, now),
    keepForm: (answer, encoding, form) =>
      bytes.cache.grow(answer, () => {
        answer.forms[encoding] ??= form
      }),
    get cached() {
      return {
        bytes: bytes.cache.bytes + values.cache.bytes,
        answers: bytes.cache.count + values.cache.count,
      }
    },
  }
}

/** The entity tag of a content. A body of 30 KB takes some 30 µs. */
function tagOf(body: Buffer | string, lasting: string): string {
  return `"${createHash('sha1').update(body).update(lasting).digest('base64url')}"`
}

/** An answer as an object. Its tag is computed when it is first used, because tools do not use it. */
function taggedValue(value: WeatherValue, about: Untagged, lasting: string): TypedAnswer {
  let tag: string | undefined
  return {
    ...about,
    value,
    get etag() {
      tag ??= tagOf(JSON.stringify({ ...value, meta: undefined }), lasting)
      return tag
    },
  }
}

function byteForm(cacheBytes: number): Form<Buffer, WeatherAnswer> {
  // The arena is an eighth larger than the cache, for bodies that are being sent and for gaps.
  const arena = new BodyArena(cacheBytes * 1.125)
  return {
    open: openBytePage,
    finish: (output, about, { bytes, lasting }) => {
      const body = arena.place(output)
      const etag = tagOf(body.bytes.subarray(0, body.bytes.length - bytes), lasting)
      return { ...about, etag, body: body.bytes, reading: body, forms: {} }
    },
    retain: ({ reading }) => reading.retain(),
    // Requests that waited for the answer retain it before the end of this turn.
    cache: new AnswerCache(cacheBytes, bytesOf, ({ reading }) => void setImmediate(() => reading.release())),
    pending: new Map(),
  }
}

async function buildAnswer<Output, A extends Answered>(
  pipeline: Pipeline,
  form: Form<Output, A>,
  resolved: Resolved,
  query: WeatherQuery,
  now: Instant,
  name: string,
): Promise<A> {
  const { current, sections, writerMemory } = pipeline
  const cell = cellOf(resolved.lat, resolved.lon, pipeline.resolution)
  const { mark } = current
  const context = new Context(pipeline, resolved, cell, query, now)
  // Each of many simultaneous answers begins in a separate turn of the event loop.
  await pause()
  const results = await Promise.all(
    sections
      .filter((section) => query.include.has(section.name as IncludeToken))
      .map((section) => build(section, context)),
  )
  const observations = await context.source('observations').catch(() => undefined)
  const gis = gisOf(resolved.gis, observations?.nearest)
  const page = form.open(writerMemory)
  const assembled = await assemble(page, context, gis, results, resolved.warnings, pipeline)
  const coarse = coarseCells(resolved.lat, resolved.lon)
  const parts = { domain: resolved.domain, coarse, sources: [...context.askedSources] }
  const answer = form.finish(page.end(), answeredUntil(assembled, name, parts), assembled.closing)
  context.release()
  form.cache.put(answer, currentCheck(current, mark, keysOf(parts)))
  return answer
}

/** Normalized cache key, which does not depend on the order of the parameters. */
function nameOf({ selector, query }: WeatherRequest, { lat, lon }: Resolved): string {
  const where = selector.kind === 'point' ? '' : selector.kind === 'zip' ? selector.zip : selector.text
  return `${lat},${lon}|${where}|${query.units}|${query.view}|${query.alertDetail}|${sortedNames(query.include)}|${query.days}|${query.hourlyHours}|${query.hourlyStep}|${query.hourlyStepFrom}|${query.pastHours}`
}

/** Sorted names by set. There are few sets, because parsed queries share them. */
const sortedText = new WeakMap<ReadonlySet<string>, string>()

function sortedNames(names: ReadonlySet<string>): string {
  let text = sortedText.get(names)
  if (text === undefined) sortedText.set(names, (text = [...names].sort().join()))
  return text
}

function bytesOf({ body, forms }: WeatherAnswer): number {
  let sum = placedBytes(body.byteLength)
  for (const encoding in forms) sum += forms[encoding as Encoding]?.byteLength ?? 0
  return sum
}

/**
 * This is a separate function so that the closures of a cached answer do not keep the objects of its construction
 * alive.
 */
function answeredUntil({ end, degraded, confirmed }: Assembled, name: string, parts: AnswerParts): Untagged {
  return {
    name,
    parts,
    sent: false,
    until: end,
    storable: !degraded,
    confirmed,
    cacheControl: (at) => (degraded ? 'no-store' : `max-age=${Math.max(0, Math.floor((end - at) / SECOND))}`),
  }
}

/**
 * Whether the parts of an answer are unchanged since a mark. This is a separate function so that its closure keeps no intermediate objects
 * alive.
 */
function currentCheck(current: Current, mark: number, keys: readonly string[]): () => boolean {
  return () => !current.changedSince(mark, keys)
}
