import type { Answers } from '../../api/answer/open.ts'
import { parseWeather } from '../../api/query/query.ts'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { violationsOf } from '../../bin/doctor/rules.ts'
import { topics } from '../../ingest/domain/event.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { openProcess } from '../../ingest/ports/events/process.ts'
import { randomFrom } from '../random.ts'
import { Faults } from './faults.ts'
import { ALERT_LAG_MS, allowedAlerts, dueAlerts, pointIn, STALE_COPY_MS } from './truth.ts'
import { owner } from './virtual-time.ts'
import type { World } from './world.ts'

/** A broken promise. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly promise: string

  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`)
    this.promise = promise
  }
}

interface EarlierAnswer {
  readonly query: Readonly<Record<string, string>>
  readonly at: number
  readonly body: string
}

const INCLUDE = 'current,hourly,daily,alerts,metar,provenance,narrations'
/** Longest virtual time for an answer. */
const ANSWER_MS = 30 * SECOND
const MAX_REPEATABLE = 60
/** Times that an answer as of an instant is asked for before it counts as changed. */
const ATTEMPTS = 3

/** Checks the promises of a world after each step. */
export class Checks {
  readonly #world: World
  readonly #pointers = new Map<string, { readonly run: number; readonly stage: number }>()
  readonly #published = new Set<string>()
  readonly #seen = new Map<number, number>()
  readonly #lastOfKey = new Map<string, number>()
  readonly #repeatable: EarlierAnswer[] = []
  #disorder: string | undefined
  #doubtedSince: number | undefined
  #doubtedUntil = Number.NEGATIVE_INFINITY
  #sizes: Readonly<Record<string, number>> | undefined
  /** Wall-clock time until which a jump of the clock excuses what is late. */
  excusedUntil = 0
  readonly counts = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  #count(name: string, n = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + n)
  }

  /** Begins to observe the events. */
  async open(): Promise<void> {
    const world = this.#world
    const quiet = new Faults(randomFrom(0))
    quiet.isQuiet = true
    await owner.run(world.observer, async () => {
      const events = await openProcess(world.postgres.of(world.observer, quiet, 'server'))
      for (const { name } of Object.values(topics))
        await events.subscribe(name, ({ id = 0, key, topic }) => {
          const last = this.#lastOfKey.get(`${topic} ${key}`) ?? 0
          if (id < last && !this.#seen.has(id))
            this.#disorder ??= `event ${id} of ${topic} ${key} came after event ${last}`
          this.#lastOfKey.set(`${topic} ${key}`, Math.max(id, last))
          this.#seen.set(id, Date.now())
        })
    })
  }

  async #rows<T extends object>(text: string, parameters: readonly (string | number | Date)[] = []): Promise<T[]> {
    // A process may hold the session while it waits for something else.
    const end = await this.#world.time.until(this.#world.postgres.turn.acquire(), 5 * MINUTE)
    if (!end) throw new Broken('a transaction ends', 'the session of the database was not free within 5 minutes')
    try {
      return (await this.#world.postgres.run(text, parameters)).rows as T[]
    } finally {
      end()
    }
  }

  /** Checks what holds at every moment. @throws Broken */
  async check(): Promise<void> {
    await this.#checkPointers()
    await this.#checkEvents()
    const { api } = this.#world
    if (!api?.answers || api.life.isDead) return void this.#count('skipped: the API is down')
    this.#checkAlertIndex(api.answers)
    for (const place of this.#places()) await this.#checkAnswer(api.answers, place)
    await this.#checkPast(api.answers)
  }

  async #checkPointers(): Promise<void> {
    const rows = await this.#rows<{ dataset: string; domain: string; run: Date; stage: number }>(
      'select dataset, domain, run, stage from pointer',
    )
    for (const { dataset, domain, run, stage } of rows) {
      const name = `${dataset}/${domain}`
      const before = this.#pointers.get(name)
      const at = run.getTime()
      if (before && (at < before.run || (at === before.run && stage < before.stage)))
        throw new Broken(
          'pointers only move forward',
          `${name} moved from ${isoSeconds(before.run)} stage ${before.stage} to ${isoSeconds(at)} stage ${stage}`,
        )
      this.#pointers.set(name, { run: at, stage })
      this.#count('pointer')
    }
    const runs = await this.#rows<{ dataset: string; domain: string; run: Date }>(
      "select dataset, domain, run from run where published_at is not null and published_at > now() - interval '2 hours'",
    )
    for (const { dataset, domain, run } of runs) this.#published.add(`${dataset}/${domain}/${run.getTime()}`)
  }

  async #checkEvents(): Promise<void> {
    if (this.#disorder) throw new Broken('events of a key arrive in order', this.#disorder)
    const rows = await this.#rows<{ id: number; topic: string; key: string; sent_at: Date | null; created_at: Date }>(
      "select id, topic, key, sent_at, created_at from outbox where created_at > now() - interval '3 hours'",
    )
    const now = this.#world.time.now()
    for (const { id, topic, key, sent_at: sent, created_at: created } of rows) {
      this.#count('event')
      if (sent && now - sent.getTime() > 20 * SECOND && !this.#seen.has(id))
        throw new Broken(
          'every event arrives at least once',
          `event ${id} of ${topic} ${key} was sent ${isoSeconds(sent.getTime())} and never arrived`,
        )
      if (!sent && now - created.getTime() > 20 * MINUTE && now > this.excusedUntil)
        throw new Broken(
          'every event is sent',
          `event ${id} of ${topic} ${key} waits since ${isoSeconds(created.getTime())}`,
        )
    }
    for (const [id, at] of this.#seen) if (now - at > 6 * HOUR) this.#seen.delete(id)
  }

  /** Time after which a change of the alerts must be visible. */
  #lagMs(): number {
    const { network, time } = this.#world
    const isStale = time.now() - network.staleAlertsAt < STALE_COPY_MS + ALERT_LAG_MS
    return ALERT_LAG_MS + (isStale ? STALE_COPY_MS : 0)
  }

  /**
   * Time for which answers have carried a warning about the alerts, ms. The second source does not prove that an alert is cancelled, so that
   * an alert may be shown until it expires.
   */
  #doubtedMs(isInDoubt: boolean, now: number): number {
    if (isInDoubt) {
      // The doubt may have begun since the last check.
      this.#doubtedSince ??= now - HOUR / 2
      this.#doubtedUntil = now
    } else if (now - this.#doubtedUntil > ALERT_LAG_MS) this.#doubtedSince = undefined
    return this.#doubtedSince === undefined ? 0 : now - this.#doubtedSince
  }

  /** Every alert of upstream is shown, and no other, or the readers are told that they may lack some. */
  #checkAlertIndex({ live }: Answers): void {
    const now = this.#world.time.now()
    if (now < this.excusedUntil) return
    const { feed, doubt } = live.alerts.trust(now)
    if (!feed?.confirmed_at) return void this.#count('skipped: alerts not read yet')
    const shown = new Set(
      live.alerts.index
        .all(live.alerts.now(now))
        .filter(({ head }) => head.status === 'Actual')
        .map(({ id }) => id),
    )
    const lagMs = this.#lagMs()
    const doubtedMs = this.#doubtedMs(doubt !== undefined, now)
    if (doubt && doubt.code !== 'source_fallback') return void this.#count(`alerts in doubt: ${doubt.code}`)
    for (const { id, event, sent } of dueAlerts(now, lagMs)) {
      this.#count('alert shown')
      if (!shown.has(id))
        throw new Broken(
          'an alert that upstream lists is shown',
          `${event} ${id}, sent ${isoSeconds(sent)}, is not shown, and no warning says why`,
        )
    }
    const allowed = allowedAlerts(now, lagMs + doubtedMs)
    for (const id of shown) {
      this.#count('alert allowed')
      if (!allowed.has(id))
        throw new Broken('an alert ends when upstream ends it', `${id} is still shown, and no warning says why`)
    }
  }

  #places(): Readonly<Record<string, string>>[] {
    const { random, time } = this.#world
    const now = time.now()
    const warned = dueAlerts(now, ALERT_LAG_MS).flatMap((alert) => pointIn(alert) ?? [])
    const places = [
      { lat: random.between(31, 46), lon: random.between(-118, -78) },
      random.next() < 0.5
        ? { lat: random.between(60, 67), lon: random.between(-160, -145) }
        : { lat: 19.6, lon: -155.5 },
      ...(warned.length > 0 ? [random.pick(warned)] : []),
    ]
    return places.map(({ lat, lon }) => ({
      lat: lat.toFixed(3),
      lon: lon.toFixed(3),
      include: INCLUDE,
      units: random.pick(['imperial', 'metric']),
      view: random.pick(['detailed', 'concise']),
    }))
  }

  /** Returns a body, or why there is none. */
  async #ask(query: EarlierAnswer['query'], past?: number): Promise<string | undefined> {
    const { time, api } = this.#world
    if (!api?.answers || api.life.isDead) return undefined
    const { answers, life } = api
    const work = owner.run(life, async () => {
      const then =
        past === undefined ? { weather: answers.weather, at: time.now() } : await answers.past.answersAt(past)
      const answer = await then.weather.answer(parseWeather(query), then.at)
      const body = answer.body.toString()
      answer.reading.release()
      return body
    })
    try {
      return await time.until(Promise.race([work, life.died.then(() => undefined)]), ANSWER_MS)
    } catch (error) {
      if (!isFault(error)) throw error
      this.#count(`no answer: ${error.kind}`)
      return undefined
    }
  }

  async #checkAnswer(answers: Answers, query: EarlierAnswer['query']): Promise<void> {
    const body = await this.#ask(query)
    if (body === undefined) return
    const answer = parsedAnswer(body, query)
    this.#count('answer')
    for (const { rule, detail } of violationsOf(answer))
      throw new Broken(
        `the doctor's rule "${rule}"`,
        `${detail} at ${query['lat']},${query['lon']} in ${query['view']} ${query['units']}`,
      )
    this.#checkFreshness(answer, query)
    this.#checkAlertsAt(answer, query, answers)
    const at = Date.parse(answer.meta?.generated_at)
    // If a read failed, the same question may have a fuller answer later, so such an answer is not compared.
    if (this.#world.random.next() < 0.3 && Number.isFinite(at) && !warningsOf(body).includes('"source_failed"')) {
      this.#repeatable.push({ query, at, body })
      if (this.#repeatable.length > MAX_REPEATABLE)
        this.#repeatable.splice(this.#world.random.integer(0, MAX_REPEATABLE - 1), 1)
    }
  }

  /** The runs of an answer are runs that were served. */
  #checkFreshness(answer: AnyJson, query: EarlierAnswer['query']): void {
    for (const { product_id: id, reference_time: time } of answer.meta?.freshness ?? []) {
      if (id !== 'rtma' && id !== 'hrrr') continue
      this.#count('provenance')
      const run = Date.parse(time)
      if (!['conus', 'alaska', 'hawaii'].some((domain) => this.#published.has(`${id}/${domain}/${run}`)))
        throw new Broken(
          'answers name runs that were served',
          `${id} ${time} at ${query['lat']},${query['lon']} was never published`,
        )
    }
  }

  /** An answer has each warning of its point, or a warning that it may lack some. */
  #checkAlertsAt(answer: AnyJson, query: EarlierAnswer['query'], { live }: Answers): void {
    const now = this.#world.time.now()
    if (now < this.excusedUntil) return
    const isDoubted = (answer.meta?.warnings ?? []).some(
      ({ section, code }: AnyJson) => section === 'alerts' && code !== 'area_approximated',
    )
    const lagMs = this.#lagMs()
    const at = `${query['lat']},${query['lon']}`
    const due = dueAlerts(now, lagMs).filter((alert) => {
      const point = pointIn(alert)
      return point && `${point.lat.toFixed(3)},${point.lon.toFixed(3)}` === at
    })
    for (const alert of due) {
      this.#count('warning at its point')
      const has = (answer.alerts ?? []).some(({ id, event }: AnyJson) => id === alert.id || event === alert.event)
      if (!has && !isDoubted)
        throw new Broken(
          'a warning is in the answer of its point',
          `${alert.event} ${alert.id} is not in the answer of ${at} at ${isoSeconds(now)}, and no warning says why (${live.alerts.index.size} alerts)`,
        )
    }
    if (answer.alerts === undefined && !isDoubted && !(answer.meta?.warnings ?? []).length)
      throw new Broken('what is not known is not "none"', `${at} has neither alerts nor a warning`)
  }

  /** An answer that is asked again as of its instant is the same. */
  async #checkPast(_answers: Answers): Promise<void> {
    const { random, time } = this.#world
    if (this.#repeatable.length === 0 || random.next() < 0.5) return
    const { query, at, body } = random.pick(this.#repeatable)
    if (time.now() - at > 20 * HOUR || time.now() - at < 2 * MINUTE) return
    // A section is left out, with a warning, if one of its reads fails, which is another matter than a section that stays away.
    let again = await this.#ask(query, at)
    for (let tries = 1; again !== undefined && again !== body && tries < ATTEMPTS; tries++) {
      if (warningsOf(again) === warningsOf(body)) break
      this.#count('answer as of an earlier instant: asked once more')
      again = await this.#ask(query, at)
    }
    if (again === undefined) return
    this.#count('answer as of an earlier instant')
    if (again !== body)
      throw new Broken(
        'an answer as of an instant stays the same',
        `${JSON.stringify(query)} as of ${isoSeconds(at)}: ${differenceOf(body, again)}`,
      )
  }

  /** Nothing grows without bound: a later day has no more rows, jobs and objects than some times the second day. */
  async checkSizes(day: number): Promise<Readonly<Record<string, number>>> {
    const tables = await this.#rows<{ name: string; rows: number }>(
      `select n.nspname || '.' || c.relname as name,
              (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname), false, true, '')))[1]::text::int as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('public', 'work') and c.relname not in ('spatial_ref_sys')`,
    )
    const sizes: Record<string, number> = {
      objects: this.#world.store.objects.size,
      'object bytes': this.#world.store.bytes,
    }
    for (const { name, rows } of tables) sizes[name] = rows
    if (day === 3) this.#sizes = sizes
    for (const [name, size] of Object.entries(this.#sizes ?? {})) {
      this.#count('size')
      const now = sizes[name] ?? 0
      if (day > 3 && now > 2000 && now > 3 * size)
        throw new Broken('nothing grows without bound', `${name} had ${size} after 3 days and has ${now} after ${day}`)
    }
    return sizes
  }
}

function parsedAnswer(body: string, query: EarlierAnswer['query']): AnyJson {
  try {
    return JSON.parse(body) as AnyJson
  } catch (error) {
    throw new Broken(
      'an answer is JSON',
      `${(error as Error).message} in the answer to ${JSON.stringify(query)}: ${body}`,
    )
  }
}

function differenceOf(a: string, b: string): string {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return `"${a.slice(Math.max(0, i - 100), i + 100)}" and then "${b.slice(Math.max(0, i - 100), i + 100)}"`
}

function warningsOf(body: string): string {
  return JSON.stringify((JSON.parse(body) as AnyJson).meta?.warnings ?? [])
}
