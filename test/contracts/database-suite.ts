import { describe, expect, test } from 'vitest'
import type { Observation } from '../../ingest/domain/weather/observation.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { putObservations, reportsOf } from '../../sql/queries/observations.ts'
import {
  addToOutbox,
  databaseNow,
  markSent,
  outboxLag,
  tryRelayLock,
  unsentMessages,
} from '../../sql/queries/outbox.ts'
import { nextRevision, retireRevisions, rollBack } from '../../sql/queries/revisions.ts'
import {
  claimRun,
  endRun,
  pointerOf,
  publishRun,
  rejectRun,
  retireRun,
  runOf,
  storedRuns,
} from '../../sql/queries/runs.ts'
import type { Queries } from '../../sql/session.ts'

/** The contract of every database. `other` is a second connection to the same data, as from another process. */
export function databaseSuite(open: () => { db: Database; other: Database }): void {
  const name = () => `set-${Math.random().toString(36).slice(2)}`
  const at = (hour: number) => new Date(Date.UTC(2026, 7, 20, hour))
  const publication = (dataset: string, run: Date, stage = 0) => ({
    dataset,
    domain: '',
    run,
    stage,
    publishedTo: 18 + stage,
    manifestKey: `${dataset}/${run.toISOString()}/${stage}`,
    manifest: { stage },
    wanted: 10,
    got: 10,
    missing: 0,
  })

  describe('values', () => {
    test('are the same from every engine', async () => {
      const [row] = await open().db.query(
        `select 5::bigint as big, count(*) as many, 1.5::numeric as exact, date '2026-08-20' as day, $1::timestamptz as instant,
                $2::jsonb as json, $3::bytea as bytes, $4::text[] as words, $5::float8[] as reals, $6::boolean as flag, null::text as nothing,
                array[1, 2]::bigint[] as bigs`,
        [at(12), JSON.stringify([{ a: 1 }]), new Uint8Array([0, 255, 7]), ['a', 'b,"c"'], [1.5, -2], true],
      )
      expect(row).toMatchObject({
        big: 5,
        many: 1,
        exact: 1.5,
        day: '2026-08-20',
        instant: at(12),
        json: [{ a: 1 }],
        words: ['a', 'b,"c"'],
        reals: [1.5, -2],
        flag: true,
        nothing: null,
        bigs: [1, 2],
      })
      expect([...(row!['bytes'] as Uint8Array)]).toEqual([0, 255, 7])
    })

    test('answers points in polygons with PostGIS, GEOS and PROJ', async () => {
      const [row] = await open().db.query(
        `select ST_Covers(ST_GeomFromText('POLYGON((-106 39,-104 39,-104 40,-106 40,-106 39))', 4326), ST_Point(-104.99, 39.74, 4326)) as inside,
                round((ST_Area(ST_Buffer(ST_Point(0, 0, 4326)::geography, 1000)) / 1e6)::numeric, 2) as disc,
                round(ST_X(ST_Transform(ST_Point(-105, 40, 4326), 3857))::numeric) as x`,
      )
      expect(row).toEqual({ inside: true, disc: 3.12, x: -11688547 })
    })

    test('a failed statement has PostgreSQL’s code and leaves the session usable', async () => {
      const { db } = open()
      await expect(db.query('select * from nowhere_at_all')).rejects.toMatchObject({ code: '42P01' })
      await expect(db.query('select 1/$1::int as x', [0])).rejects.toMatchObject({ code: '22012' })
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
    })

    test('runs several statements without parameters at once and returns the last result', async () => {
      expect((await open().db.run('select 1 as a; select 2 as b')).rows).toEqual([{ b: 2 }])
    })
  })

  describe('transactions', () => {
    test('commit or roll back completely', async () => {
      const { db } = open()
      const dataset = name()
      await expect(
        db.transaction(async (tx) => {
          await claimRun(tx, { dataset, domain: '', run: at(1) })
          throw new Error('on purpose')
        }),
      ).rejects.toThrow('on purpose')
      expect(await storedRuns(db, dataset)).toEqual([])
      await db.transaction((tx) => claimRun(tx, { dataset, domain: '', run: at(1) }))
      expect(await storedRuns(db, dataset)).toHaveLength(1)
    })

    test('refuses the outer database inside a transaction and says what to do', async () => {
      const { db } = open()
      await expect(db.transaction(() => db.query('select 1'))).rejects.toThrow('Use `tx`')
    })

    test('refuses a session after its transaction has ended', async () => {
      const { db } = open()
      let ended: { query(text: string): Promise<object[]> } | undefined
      await db.transaction(async (tx) => {
        ended = tx
      })
      await expect(ended!.query('select 1')).rejects.toThrow('ended')
    })

    test('show nothing to others before the commit and everything after it', async () => {
      const { db, other } = open()
      const dataset = name()
      let began!: () => void
      const inside = new Promise<void>((resolve) => (began = resolve))
      const writing = db.transaction(async (tx) => {
        await claimRun(tx, { dataset, domain: '', run: at(2) })
        began()
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      await inside
      // An embedded database has one session, so the other statement waits for the commit. A server has many, so it sees the state before.
      const visibleRuns = await storedRuns(other, dataset)
      expect([0, 1]).toContain(visibleRuns.length)
      await writing
      expect(await storedRuns(other, dataset)).toHaveLength(1)
    })

    test('lose no increment when many run at once', async () => {
      const { db, other } = open()
      const key = name()
      await db.run('create table if not exists test_note (name text primary key, value jsonb not null)')
      await db.query("insert into test_note (name, value) values ($1, '0')", [key])
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? db : other).transaction(async (tx) => {
            const [row] = await tx.query<{ value: number }>('select value from test_note where name = $1 for update', [
              key,
            ])
            await tx.query('update test_note set value = $2::jsonb where name = $1', [
              key,
              JSON.stringify(row!.value + 1),
            ])
          }),
        ),
      )
      expect(await db.query('select value from test_note where name = $1', [key])).toEqual([{ value: 20 }])
    })
  })

  describe('runs', () => {
    test('moves the pointer and stores the message in the outbox together', async () => {
      const { db, other } = open()
      const dataset = name()
      await claimRun(db, { dataset, domain: '', run: at(12) })
      const moved = await publishRun(db, publication(dataset, at(12)), [
        { topic: 't', key: dataset, payload: { run: 12 } },
      ])
      expect(moved).toBe('published')
      expect(await pointerOf(other, dataset, '')).toMatchObject({ run: at(12), stage: 0 })
      expect(await runOf(other, { dataset, domain: '', run: at(12) })).toMatchObject({
        state: 'published',
        got: 10,
        published_to: 18,
      })
      expect((await unsentMessages(other, 1000)).filter(({ key }) => key === dataset)).toMatchObject([
        { payload: { run: 12 } },
      ])
    })

    test('moves pointers only forward, by run and stage, and publishes the same stage once', async () => {
      const { db } = open()
      const dataset = name()
      const events = [{ topic: 't', key: dataset, payload: {} }]
      expect(await publishRun(db, publication(dataset, at(12)), events)).toBe('published')
      expect(await publishRun(db, publication(dataset, at(12)), events)).toBe('already')
      expect(await publishRun(db, publication(dataset, at(6)), events)).toBe('superseded')
      expect(await publishRun(db, publication(dataset, at(12), 1), events)).toBe('published')
      expect(await publishRun(db, publication(dataset, at(12), 0), events)).toBe('already')
      expect(await pointerOf(db, dataset, '')).toMatchObject({ run: at(12), stage: 1 })
      expect(await runOf(db, { dataset, domain: '', run: at(12) })).toMatchObject({ published_to: 19 })
      expect((await unsentMessages(db, 1000)).filter(({ key }) => key === dataset)).toHaveLength(2)
      await expect(db.query('update pointer set run = $2 where dataset = $1', [dataset, at(6)])).rejects.toMatchObject({
        code: 'HX001',
      })
    })

    test('moves a pointer by revision within a stage, and back only by a rollback', async () => {
      const { db } = open()
      const dataset = name()
      const key = { dataset, domain: '', run: at(12) }
      const event = { topic: 't', key: dataset, payload: {} }
      const revised = (revision: number) => ({ ...publication(dataset, at(12)), revision, manifestKey: `r${revision}` })
      await publishRun(db, revised(0), [event])
      expect(await nextRevision(db, key)).toBe(1)
      // A second encoder publishes the same revision: the row keeps naming what the pointer names.
      expect(await publishRun(db, { ...revised(0), manifestKey: 'other encoder' }, [event])).toBe('already')
      expect(await runOf(db, key)).toMatchObject({ manifest_key: 'r0' })
      expect(await publishRun(db, revised(1), [event])).toBe('published')
      expect(await publishRun(db, revised(0), [event])).toBe('already')
      expect(await pointerOf(db, dataset, '')).toMatchObject({ revision: 1, manifest_key: 'r1' })
      await expect(db.query(`update pointer set revision = 0 where dataset = $1`, [dataset])).rejects.toMatchObject({
        code: 'HX001',
      })
      const restored: unknown[] = []
      const messageOf = (to: { revision: number; stage: number }) => {
        restored.push([to.revision, to.stage])
        return event
      }
      expect(await rollBack(db, key, messageOf)).toEqual({ from: 1, to: 0, served: true })
      expect(restored).toEqual([[0, 0]])
      expect(await pointerOf(db, dataset, '')).toMatchObject({ revision: 0, manifest_key: 'r0' })
      expect(await runOf(db, key)).toMatchObject({ revision: 0, manifest_key: 'r0' })
      expect(await nextRevision(db, key)).toBe(2)
      expect(await rollBack(db, key, messageOf)).toBeUndefined()
      // The revision that was rolled back is not what a later rollback returns to.
      expect(await publishRun(db, revised(2), [])).toBe('published')
      expect(await rollBack(db, key, messageOf)).toEqual({ from: 2, to: 0, served: true })
      // A later stage of the run extends the revision that is served.
      expect(await publishRun(db, { ...publication(dataset, at(12), 1) }, [event])).toBe('published')
      expect(await pointerOf(db, dataset, '')).toMatchObject({ stage: 1, revision: 0 })
      expect((await unsentMessages(db, 1000)).filter(({ key: of }) => of === dataset)).toHaveLength(5)
    })

    test('announces another revision of a run that is not served, and rolls it back', async () => {
      const { db } = open()
      const dataset = name()
      const key = { dataset, domain: '', run: at(11) }
      const event = { topic: 't', key: dataset, payload: {} }
      await publishRun(db, publication(dataset, at(11)), [])
      await publishRun(db, publication(dataset, at(12)), [])
      expect(await publishRun(db, { ...publication(dataset, at(11)), revision: 1, manifestKey: 'r1' }, [event])).toBe(
        'superseded',
      )
      expect(await runOf(db, key)).toMatchObject({ revision: 1, manifest_key: 'r1' })
      expect(await rollBack(db, key, () => event)).toEqual({ from: 1, to: 0, served: false })
      expect(await runOf(db, key)).toMatchObject({
        revision: 0,
        manifest_key: publication(dataset, at(11)).manifestKey,
      })
      expect(await pointerOf(db, dataset, '')).toMatchObject({ run: at(12) })
      expect((await unsentMessages(db, 1000)).filter(({ key: of }) => of === dataset)).toHaveLength(2)
    })

    test('retires replaced revisions except the one that a rollback needs', async () => {
      const { db } = open()
      const dataset = name()
      const key = { dataset, domain: '', run: at(12) }
      for (let revision = 0; revision < 4; revision++)
        await publishRun(db, { ...publication(dataset, at(12)), revision, manifestKey: `r${revision}` }, [])
      const now = (await databaseNow(db)).getTime()
      const soon = new Date(now + 60_000)
      expect(await retireRevisions(db, dataset, new Date(now - 60_000), 10)).toEqual([])
      expect(await retireRevisions(db, dataset, soon, 1)).toMatchObject([{ revision: 0 }])
      expect(await retireRevisions(db, dataset, soon, 10)).toMatchObject([{ revision: 1 }])
      expect(await retireRevisions(db, dataset, soon, 10)).toEqual([])
      expect(await rollBack(db, key, () => ({ topic: 't', key: dataset, payload: {} }))).toMatchObject({
        from: 3,
        to: 2,
      })
      expect(await rollBack(db, key, () => ({ topic: 't', key: dataset, payload: {} }))).toBeUndefined()
      await publishRun(db, publication(dataset, at(13)), [])
      expect(await retireRun(db, key)).toBe(true)
      expect(await db.query('select revision from run_revision where dataset = $1', [dataset])).toEqual([])
    })

    test('serves the newest of many concurrent publications', async () => {
      const { db, other } = open()
      const dataset = name()
      const hours = [3, 9, 1, 7, 5, 8, 2, 6, 4]
      await Promise.all(
        hours.map((hour, index) => publishRun(index % 2 ? db : other, publication(dataset, at(hour)), [])),
      )
      expect(await pointerOf(db, dataset, '')).toMatchObject({ run: at(9) })
      expect(await storedRuns(db, dataset)).toHaveLength(9)
    })

    test('lets a failed run be claimed again, keeps a published run published, and does not retire a served run', async () => {
      const { db } = open()
      const key = { dataset: name(), domain: 'conus', run: at(12) }
      await rejectRun(db, key, 'rows mirrored')
      expect(await runOf(db, key)).toMatchObject({ state: 'rejected', reason: 'rows mirrored' })
      expect(await claimRun(db, key)).toMatchObject({ state: 'claimed', reason: null })
      await publishRun(db, { ...publication(key.dataset, at(12)), domain: 'conus' }, [])
      expect(await claimRun(db, key)).toMatchObject({ state: 'published' })
      await endRun(db, key, 'rejected', 'late stage missing')
      expect(await runOf(db, key)).toMatchObject({ state: 'published' })
      expect(await retireRun(db, key)).toBe(false)
      await publishRun(db, { ...publication(key.dataset, at(13)), domain: 'conus' }, [])
      expect(await retireRun(db, key)).toBe(true)
      expect(await runOf(db, key)).toMatchObject({ state: 'retired' })
    })
  })

  describe('outbox', () => {
    test('keeps the order of transactions and loses no unsent message', async () => {
      const { db } = open()
      const topic = name()
      for (let number = 0; number < 5; number++) {
        await db.transaction((tx) => addToOutbox(tx, [{ topic, key: 'k', payload: { number } }]))
      }
      const mine = async (queries: Queries = db) =>
        (await unsentMessages(queries, 10_000)).filter((row) => row.topic === topic)
      expect((await mine()).map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4].map((number) => ({ number })))
      expect((await outboxLag(db)).waiting).toBeGreaterThanOrEqual(5)
      await db.transaction(async (tx) => {
        expect(await tryRelayLock(tx)).toBe(true)
        await markSent(
          tx,
          (await mine(tx)).slice(0, 3).map(({ id }) => id),
        )
      })
      expect(await mine()).toHaveLength(2)
    })

    test('reads many reports in parts, in the requested order, with their number, up to the limit', async () => {
      const { db } = open()
      const stations = Array.from({ length: 70 }, (_, i) => `Z${String(70 - i).padStart(3, '0')}`)
      const reports = stations.flatMap((station) =>
        Array.from(
          { length: 30 },
          (_, hour): Observation => ({
            ...{ station, observedAt: at(hour).getTime(), type: 'METAR', corrected: false, auto: true, raw: station },
            ...{ temperature: hour, dewPoint: null, windDirection: null, windSpeed: null, windGust: null },
            ...{ visibility: null, pressure: null, weather: [], lat: 40, lon: -100, elevation: null },
          }),
        ),
      )
      await db.transaction((tx) => putObservations(tx, reports, 1))
      const expected = stations.flatMap((station) => [...Array(24).keys()].map((i) => `${station} ${23 - i}`))
      for (const limit of [5000, 1000, 3]) {
        const { rows, total } = await reportsOf(db, { stations, from: at(0), to: at(23), limit })
        expect(rows.map(({ station, temperature }) => `${station} ${temperature}`)).toEqual(expected.slice(0, limit))
        expect(total).toBe(expected.length)
      }
    })

    test('returns an advancing clock', async () => {
      const { db } = open()
      const before = await databaseNow(db)
      expect((await databaseNow(db)).getTime()).toBeGreaterThanOrEqual(before.getTime())
    })
  })
}
