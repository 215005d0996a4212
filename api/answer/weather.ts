import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { Blender } from '../blend/blend.ts'
import type { Encoding, Suppliers } from '../contract.ts'
import { type Current, coarseCells } from '../live/served-runs.ts'
import type { ServedStates } from '../live/served-states.ts'
import type { LiveDeps } from '../live/source.ts'
import { openBytePage, openObjectPage, type Page } from '../present/page.ts'
import { WriterMemory } from '../present/writer-memory.ts'
import { type Resolved, resolve } from '../query/location.ts'
import type { IncludeToken, WeatherQuery, WeatherRequest } from '../query/query.ts'
import { sections as listed } from '../sections/index.ts'
import type { Section } from '../sections/section.ts'
import { assemble, build, gisOf, isConfirmed } from './assemble.ts'
import { type Body, BodyArena, placedBytes } from './body-arena.ts'
import { AnswerCache } from './cache.ts'
import { Context } from './context.ts'
import { heapBytes } from './heap-size.ts'
import { ofOneMoment } from './one-moment.ts'
import type { WeatherValue } from './value.ts'

/** What every answer has, in whichever form. */
export interface Answered {
  readonly etag: string
  /** Expiry: it may be served until then. */
  readonly until: Instant
  /** `max-age=…`, less what has passed since it was made, or `no-store`. */
  cacheControl(now: Instant): string
  /** False: `no-store` for clients. */
  readonly storable: boolean
  /** Whether the served runs were confirmed by the database when the answer was built. */
  readonly confirmed: boolean
  /** Key in the cache: the request in a normalized form. */
  readonly name: string
  /** Set by the first that sends it: later ones got it from the cache. A member, since the collector visits each entry of a WeakSet again and again. */
  sent: boolean
}

/** A whole answer, ready to be sent. */
export interface WeatherAnswer extends Answered {
  readonly body: Buffer
  /**
   * Counts those that read the body. Its memory is used again when it is neither cached nor retained: from `answer` it comes retained once, and whoever
   * asked releases it after the last byte was sent. One that is never released keeps its memory.
   */
  readonly reading: Pick<Body, 'retain' | 'release'>
  /** Compressed forms of the body, set by `keepForm` alone: their bytes count. */
  readonly forms: Partial<Record<Encoding, Buffer>>
}

/** The answer as an object: what `body` is parsed to. It is shared by its readers and never changed. */
export interface TypedAnswer extends Answered {
  readonly value: WeatherValue
}

/** The pipeline behind REST and tools. */
export interface Weather {
  /** A cached answer by the text of the request alone, one map lookup; undefined where it must be built. Not retained: who sends it retains it at once. */
  ready(url: string, now: Instant): WeatherAnswer | undefined
  /**
   * @param url the cache key under which `ready` finds it again: any text that contains the whole request
   * @throws Fault Missing (no such place, outside coverage), Invalid (ambiguous place)
   */
  answer(request: WeatherRequest, now: Instant, url?: string): Promise<WeatherAnswer>
  /** The same for readers in this process. @throws Fault as `answer` */
  value(request: WeatherRequest, now: Instant): Promise<TypedAnswer>
  /** Keeps a compressed form of an answer as long as the answer is cached. */
  keepForm(answer: WeatherAnswer, encoding: Encoding, form: Buffer): void
  /** Bytes and number of cached answers. */
  readonly cached: { readonly bytes: number; readonly answers: number }
}

export interface WeatherDeps {
  readonly current: Current
  readonly datasets: readonly Dataset[]
  /** Whether this installation takes a dataset; absent: all. */
  readonly takes?: LiveDeps['takes']
  readonly suppliers: Suppliers
  /** Resolution of the model cells. */
  readonly resolution: number
  /** Changes of the sources: an answer during which one changed is made again, so that it is of one moment. */
  readonly states?: Pick<ServedStates, 'changes' | 'changedAt'>
  /** Shared with other users of the process; absent: its own. */
  readonly blender?: Blender
  readonly writerMemory?: WriterMemory
  /** Bytes of answers that are kept, and a quarter of it for those as objects; 40 MB where absent. */
  readonly cacheBytes?: number
  /** Instead of the list of `sections/index.ts`. */
  readonly sections?: readonly Section[]
}

/** Answers of one form: those that are cached, and those that are being made. */
interface Form<Output, A extends Answered> {
  open(memory: WriterMemory): Page<Output>
  /** @param output valid until the next answer is written */
  finish(output: Output, about: Answered): A
  retain?(answer: A): void
  readonly cache: AnswerCache<A>
  readonly making: Map<string, Promise<A>>
}

export function createWeather(deps: WeatherDeps): Weather {
  const { current, suppliers, takes, blender = new Blender(), writerMemory = new WriterMemory() } = deps
  const { cacheBytes = 40 * 1_048_576 } = deps
  const datasets = new Map(deps.datasets.map((dataset) => [dataset.id, dataset]))
  const sections = deps.sections ?? listed
  // An eighth more than is cached, for what is being sent and for gaps.
  const arena = new BodyArena(cacheBytes * 1.125)
  const bytes: Form<Buffer, WeatherAnswer> = {
    open: openBytePage,
    finish: (output, about) => {
      const body = arena.place(output)
      return { ...about, body: body.bytes, reading: body, forms: {} }
    },
    retain: ({ reading }) => reading.retain(),
    // Those that waited for the answer retain it by the end of this turn.
    cache: new AnswerCache(cacheBytes, bytesOf, ({ reading }) => void setImmediate(() => reading.release())),
    making: new Map(),
  }
  const values: Form<object, TypedAnswer> = {
    open: openObjectPage,
    finish: (value, about) => ({ ...about, value: value as WeatherValue }),
    cache: new AnswerCache(Math.ceil(cacheBytes / 4), ({ value }) => heapBytes(value)),
    making: new Map(),
  }
  const tagPrefix = Math.floor(Math.random() * 36 ** 6).toString(36)
  let tagCount = 0

  const makeOnce = async <Output, A extends Answered>(
    form: Form<Output, A>,
    resolved: Resolved,
    query: WeatherQuery,
    now: Instant,
    name: string,
  ): Promise<A> => {
    const cell = cellOf(resolved.lat, resolved.lon, deps.resolution)
    const stamp = stampOf(current, resolved.domain, coarseCells(resolved.lat, resolved.lon))
    const made = stamp()
    const context = new Context(
      { current, datasets, takes, suppliers, blender, writerMemory },
      resolved,
      cell,
      query,
      now,
    )
    // Of many answers at once each begins in a turn of its own.
    await pause()
    const results = await Promise.all(
      sections.filter(({ name }) => query.include.has(name as IncludeToken)).map((section) => build(section, context)),
    )
    const observed = await context.source('observations').catch(() => undefined)
    const gis = gisOf(resolved.gis, observed?.nearest)
    const page = form.open(writerMemory)
    const kept = await assemble(page, context, gis, results, resolved.warnings, { current, datasets, sections })
    const answer = form.finish(page.end(), answeredUntil(kept, `"${tagPrefix}-${(tagCount++).toString(36)}"`, name))
    context.release()
    form.cache.put(answer, stamp, made)
    return answer
  }

  /** Cached answers carry the warning about an unconfirmed database or not: one whose flag is out of date is not served. */
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
      let pending = form.making.get(name)
      if (!pending) {
        pending = ofOneMoment(deps.states, now, (at) => makeOnce(form, resolved, request.query, at, name))
        form.making.set(name, pending)
        const forget = () => form.making.delete(name)
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

/** Normalized cache key: the same request has the same key whatever the order of its parameters. */
function nameOf({ selector, query }: WeatherRequest, { lat, lon }: Resolved): string {
  const where = selector.kind === 'point' ? '' : selector.kind === 'zip' ? selector.zip : selector.text
  return `${lat},${lon}|${where}|${query.units}|${query.view}|${query.alertDetail}|${sortedNames(query.include)}|${query.days}|${query.hourlyHours}|${query.hourlyStep}|${query.hourlyStepFrom}|${query.pastHours}`
}

/** Of few sets: parsed queries share them. */
const sorted = new WeakMap<ReadonlySet<string>, string>()

function sortedNames(names: ReadonlySet<string>): string {
  let text = sorted.get(names)
  if (text === undefined) sorted.set(names, (text = [...names].sort().join()))
  return text
}

function bytesOf({ body, forms }: WeatherAnswer): number {
  let sum = placedBytes(body.byteLength)
  for (const encoding in forms) sum += forms[encoding as Encoding]!.byteLength
  return sum
}

/** A function of its own: the closures of a cached answer must not keep the objects of its construction alive. */
function answeredUntil(
  { end, degraded, confirmed }: Awaited<ReturnType<typeof assemble>>,
  etag: string,
  name: string,
): Answered {
  return {
    etag,
    name,
    sent: false,
    until: end,
    storable: !degraded,
    confirmed,
    cacheControl: (at) => (degraded ? 'no-store' : `max-age=${Math.max(0, Math.floor((end - at) / SECOND))}`),
  }
}

/** Stamp of the data behind an answer; changes with them. A function of its own, so that its closure keeps no intermediate objects alive. */
function stampOf(current: Current, domain: DomainId, coarse: readonly string[]): () => number {
  return () => current.generation(domain) * 1e9 + current.epoch(coarse) * 1e4 + current.globalGeneration
}
