import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { type TextList, textListName, textLists } from '../../ingest/domain/text/product.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { expireTexts, sweepTexts } from '../../ingest/steps/feeds/texts.ts'
import { feedStates } from '../../sql/queries/feeds.ts'
import { unsentMessages } from '../../sql/queries/outbox.ts'
import { currentTexts, rejectedItems } from '../../sql/queries/texts.ts'

/** Sweeps of the lists against the simulator, on every engine of the database. */
export function textFeedSuite(open: () => Promise<Database>): void {
  let database: Database
  let mirror: Mirror
  let upstream: Upstream
  /** Stops the simulator's clock: offices issue texts at every minute. */
  let stopped = Date.now()

  beforeAll(async () => {
    database = await open()
    mirror = await startMirror({ sources: [textFeed()], now: () => stopped })
    upstream = openUpstream({ mirror: mirror.url })
  })

  beforeEach(async () => {
    stopped = Date.now()
    mirror.misbehaviours.length = 0
    await issue('clear')
    await database.query('truncate text_item, text_product, feed_state, outbox cascade')
  })

  afterAll(async () => {
    await upstream.close()
    await mirror.close()
  })

  const list = (name: string): TextList => textLists.find((list) => textListName(list) === name)!
  const few = ['text/swo-mcd', 'text/hls', 'text/swo-dy1', 'text/pmd'].map(list)
  const sweep = (lists: readonly TextList[] = few, budgetMs?: number) =>
    sweepTexts({ database, upstream }, lists, budgetMs)
  /** Has the simulator issue a text. */
  const issue = async (query: string) =>
    (await (await fetch(`${mirror.url}/api.weather.gov/_texts?${query}`)).json()) as { issued: { id: string }[] }
  const shown = async () => (await currentTexts(database)).rows.map(({ record }) => record)
  const messages = async () =>
    (await unsentMessages(database, 1000)).map(({ key, payload }) => `${(payload as { change: string }).change} ${key}`)

  describe('a sweep', () => {
    test('reads every list and possibly current texts once, then only the lists, conditionally', async () => {
      const first = await sweep(textLists)
      expect(first).toMatchObject({ failed: [], rejected: {}, unfinished: [] })
      const records = await shown()
      expect(new Set(records.map(({ kind }) => kind))).toEqual(
        new Set(['afd', 'hwo', 'hls', 'mcd', 'pmd', 'swo', ...records.map(({ kind }) => kind)]),
      )
      expect(records.filter(({ kind }) => kind === 'afd').length).toBeGreaterThan(100)
      expect(records.filter(({ kind }) => kind === 'pmd').length).toBe(7)
      expect(records.filter(({ kind }) => kind === 'swo').length).toBe(4)
      const before = mirror.log.length
      const again = await sweep(textLists)
      expect([again.changed, again.requests]).toEqual([[], textLists.length])
      expect(mirror.log.slice(before).every((line) => / 304 /.test(line))).toBe(true)
      // A text may expire between the sweep and this check. It was announced and is no longer shown.
      const announced = new Set(await messages())
      expect(records.map(({ subject }) => `issued ${subject}`).filter((subject) => !announced.has(subject))).toEqual([])
      expect(announced.size).toBeLessThan(records.length + 20)
      expect(first.changed.length).toBeGreaterThanOrEqual(records.length)
    })

    test('replaces the previous issue by a new issue and announces it once', async () => {
      await sweep([list('text/afd')])
      await database.query('delete from outbox')
      await issue('office=BOU')
      const { changed } = await sweep([list('text/afd')])
      expect(changed).toEqual(['afd AFDBOU KBOU'])
      expect(await messages()).toEqual(['issued afd AFDBOU KBOU'])
      expect((await shown()).filter(({ subject }) => subject === 'afd AFDBOU KBOU')).toHaveLength(1)
    })

    test('does not confirm a sweep that runs out of time, and continues it in the next sweep', async () => {
      const { unfinished } = await sweep([list('text/afd')], 1)
      expect(unfinished).toEqual(['text/afd'])
      expect((await feedStates(database, 'text/afd')).feeds[0]?.confirmed_at ?? null).toBeNull()
      expect((await sweep([list('text/afd')])).unfinished).toEqual([])
      expect(nth((await feedStates(database, 'text/afd')).feeds, 0).confirmed_at).not.toBeNull()
    })
  })

  describe('failures', () => {
    const afd = [list('text/afd')]
    test.each(['cut', 'html', 'control', 'office', 'kind', 'json', 'gone'])(
      'keeps the previous text if a text is spoiled (%s), retries it, and forgets it once it is no longer listed',
      async (wrong) => {
        await sweep(afd)
        const before = (await shown()).find(({ subject }) => subject === 'afd AFDBOU KBOU')
        await issue(`office=BOU&wrong=${wrong}`)
        const second = await sweep(afd)
        expect(Object.values(second.rejected)).toEqual([1])
        expect((await shown()).find(({ subject }) => subject === 'afd AFDBOU KBOU')).toEqual(before)
        expect(await rejectedItems(database)).toMatchObject([{ list: 'text/afd', office: 'KBOU' }])
        expect(Object.values((await sweep(afd)).rejected)).toEqual([1])
        await issue('clear')
        expect((await sweep(afd)).rejected).toEqual({})
        expect(await rejectedItems(database)).toEqual([])
      },
    )

    test('reads the previous text at a first start if the newest text is spoiled', async () => {
      await issue('office=BOU&wrong=cut')
      const { changed, rejected } = await sweep(afd)
      expect([changed.includes('afd AFDBOU KBOU'), rejected]).toEqual([true, { cut: 1 }])
    })

    test('marks a failed list, reads the others, keeps the texts and recovers', async () => {
      await sweep()
      const count = (await shown()).length
      mirror.misbehaviours.push({ path: 'types/PMD', how: '503' })
      await issue('lat=40&lon=-105')
      const { failed, changed } = await sweep()
      expect(failed.map((failure) => failure.list)).toEqual(['text/pmd'])
      expect(changed).toHaveLength(1)
      expect((await shown()).length).toBe(count + 1)
      const { feeds } = await feedStates(database, 'text/')
      expect(feeds.filter(({ failure }) => failure !== null).map(({ feed }) => feed)).toEqual(['text/pmd'])
      mirror.misbehaviours.length = 0
      expect((await sweep()).failed).toEqual([])
    })

    test('fails every list of an absent host without waiting for each', async () => {
      mirror.misbehaviours.push({ path: 'api.weather.gov', how: '503' })
      const before = mirror.log.length
      const { failed } = await sweep()
      expect(failed).toHaveLength(few.length)
      expect(mirror.log.length - before).toBe(4)
    })
  })

  test('announces the end of a discussion by the clock of the database', async () => {
    await sweep([list('text/swo-mcd')])
    await issue('lat=40&lon=-105&minutes=60')
    await sweep([list('text/swo-mcd')])
    const [row] = await database.query<{ subject: string }>(
      `update text_product set current_until = clock_timestamp() + interval '200 milliseconds' where subject like 'mcd % 9%' returning subject`,
    )
    await database.query('delete from outbox')
    await expireTexts({ database })
    expect(await messages()).toEqual([])
    await expect
      .poll(async () => {
        await expireTexts({ database })
        return messages()
      })
      .toEqual([`expired ${row!.subject}`])
    expect((await shown()).map(({ subject }) => subject)).not.toContain(row!.subject)
  })
}
