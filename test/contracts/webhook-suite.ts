import { expect, test } from 'vitest'
import { issueKey, revokeByPrefix } from '../../api/keys/issue.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  expireDeliveries,
  insertDeliveries,
  type NewDelivery,
  repairQueue,
  replayDeliveries,
  type WaitingBounds,
} from '../../sql/queries/webhook-queue.ts'
import { deleteWebhook, insertWebhook, updateWebhook } from '../../sql/queries/webhooks.ts'
import { randomFrom } from '../random.ts'

const bounds: WaitingBounds = { webhook: 100_000, account: 200_000 }
const accepted = { status: 200, error: null, retryMs: null, pauseMs: null }
const refused = { status: 400, error: 'status 400', retryMs: null, pauseMs: null }
const failed = { status: 503, error: 'status 503', retryMs: 0, pauseMs: 60_000 }

/** Calls of webhooks in the database, over any adapter: heads, counts, bounds, backoff. */
export function webhookSuite(place: () => { readonly db: Database; readonly other: Database }): void {
  let number = 0
  const key = async (accountId?: string) =>
    (await issueKey(place().db, { name: 't', plan: 'free', channel: 'test', ...(accountId && { accountId }) })).prefix
  const hook = async (prefix: string): Promise<string> => {
    const id = `wh_suite_${number++}`
    const row = {
      id,
      key_prefix: prefix,
      url: 'https://example.org/',
      events: ['alert.*'],
      filter: {},
      description: '',
    }
    await place().db.transaction((tx) => insertWebhook(tx, { ...row, secret: 'whsec_AAAA' }, 1000))
    return id
  }
  const callOf = (webhookId: string, subject: string): NewDelivery => {
    const sourceId = number++
    return { id: `msg_${sourceId}`, webhookId, subject, type: 't', source: 'suite', sourceId, body: subject }
  }
  const put = (calls: readonly NewDelivery[], within = bounds, db = place().db) =>
    db.transaction((tx) => insertDeliveries(tx, calls, within))
  const claim = (db = place().db, perWebhook = 4) => db.transaction((tx) => claimDeliveries(tx, 32, perWebhook, 30_000))
  const end = (delivery: ClaimedDelivery, outcome: Parameters<typeof endAttempt>[2], db = place().db) =>
    db.transaction((tx) => endAttempt(tx, delivery, outcome))
  const replay = (id: string, deliveryId: string | null = null, within = bounds) =>
    place().db.transaction((tx) => replayDeliveries(tx, id, deliveryId, within))
  /** Every webhook with pending calls must have exactly one head, and its counts must be right. */
  const consistent = async () => {
    const { db } = place()
    const subjects = await db.query(
      `select webhook_id, subject, count(*) filter (where head) as heads from webhook_delivery where state = 'pending'
       group by 1, 2 having count(*) filter (where head) <> 1`,
    )
    expect(subjects).toEqual([])
    const counts = await db.query(
      `select id from webhook w
       where waiting <> (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending')`,
    )
    expect(counts).toEqual([])
  }
  const clear = () => place().db.query('delete from webhook')

  test('makes a call the head if it is stored while the previous call ends, in either order', async () => {
    const { db, other } = place()
    const id = await hook(await key())
    for (const first of ['store', 'end'] as const) {
      await put([callOf(id, 's')])
      const [delivery] = await claim()
      const begun = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const next = callOf(id, 's')
      const work = {
        store: (on: Database, wait: () => Promise<void>) =>
          on.transaction(async (tx) => {
            await insertDeliveries(tx, [next], bounds)
            await wait()
          }),
        end: (on: Database, wait: () => Promise<void>) =>
          on.transaction(async (tx) => {
            await endAttempt(tx, delivery!, accepted)
            await wait()
          }),
      }
      const earlier = work[first](db, () => {
        begun.resolve()
        return goOn.promise
      })
      await begun.promise
      const second = work[first === 'store' ? 'end' : 'store'](other, async () => undefined)
      // The second statement waits at the lock now, or will; the result is the same.
      await new Promise((resolve) => setTimeout(resolve, 100))
      goOn.resolve()
      await Promise.all([earlier, second])
      await consistent()
      const [after] = await claim()
      expect(after?.id).toBe(next.id)
      await end(after!, accepted)
    }
    await clear()
  })

  test.each([
    ['pauses: order of each subject', 0],
    ['replays of refused calls: never two of a subject', 0.1],
  ])('senders, fan-out and %s, every call is delivered, no head is lost', async (_, refusals) => {
    const { db, other } = place()
    const random = randomFrom(2026)
    const prefix = await key()
    const ids = [await hook(prefix), await hook(prefix), await hook(prefix)]
    const subjects = ['a', 'b', 'c']
    const busy = new Map<string, string>()
    const done = new Map<string, string[]>()
    const together: string[] = []
    let storing = true
    let refusedCalls = 0
    let replayedCalls = 0
    const stored: NewDelivery[] = []
    const store = async (on: Database) => {
      for (let i = 0; i < 12; i++) {
        const calls = Array.from({ length: 6 }, () => callOf(random.pick(ids), random.pick(subjects)))
        await put(calls, bounds, on)
        stored.push(...calls)
      }
    }
    const send = async (on: Database) => {
      for (let idle = 0; storing || idle < 5; ) {
        const claimed = await claim(on)
        idle = claimed.length === 0 ? idle + 1 : 0
        for (const delivery of claimed) {
          const subject = `${delivery.webhook_id} ${delivery.body}`
          if (busy.has(subject)) together.push(subject)
          busy.set(subject, delivery.id)
        }
        for (const delivery of claimed) {
          busy.delete(`${delivery.webhook_id} ${delivery.body}`)
          // Some attempts are repeated at once, as after a receiver has recovered.
          if (random.next() < 0.25) {
            await end(delivery, { ...refused, retryMs: 0 }, on)
            continue
          }
          if (random.next() < refusals) {
            await end(delivery, refused, on)
            refusedCalls++
            continue
          }
          const name = `${delivery.webhook_id} ${delivery.body}`
          done.set(name, [...(done.get(name) ?? []), delivery.id])
          await end(delivery, accepted, on)
        }
      }
    }
    const pause = async () => {
      for (let i = 0; i < 10; i++) {
        for (const enabled of [false, true]) {
          const change = {
            id: nth(ids, i % 3),
            url: 'https://example.org/',
            events: ['alert.*'],
            filter: {},
            description: '',
          }
          await updateWebhook(other, prefix, { ...change, enabled })
          replayedCalls += (await replay(nth(ids, i % 3))).replayed
        }
      }
    }
    const changes = Promise.all([store(db), store(other), pause()]).then(() => {
      storing = false
    })
    await Promise.all([changes, send(db), send(other)])
    await consistent()
    expect(refusedCalls > 0).toBe(refusals > 0)
    while (refusals > 0) {
      const again = await Promise.all(ids.map((id) => replay(id)))
      if (again.every(({ replayed }) => replayed === 0)) break
      replayedCalls += again.reduce((sum, { replayed }) => sum + replayed, 0)
      await send(db)
    }
    await consistent()
    expect(replayedCalls).toBe(refusedCalls)
    expect(together).toEqual([])
    const states = await db.query('select state, count(*)::int from webhook_delivery group by 1')
    expect(states).toEqual([{ state: 'delivered', count: stored.length }])
    // A replayed call comes after the calls that have passed it.
    for (const [name, order] of refusals > 0 ? [] : done) {
      const rows = await db.query<{ id: string }>(
        `select id from webhook_delivery where webhook_id = $1 and subject = $2 order by seq`,
        name.split(' '),
      )
      expect(order).toEqual(rows.map(({ id }) => id))
    }
    await clear()
  })

  test('lets the next call proceed after a dead call, and sends a replayed call first', async () => {
    const id = await hook(await key())
    const [a, b, c] = [callOf(id, 's'), callOf(id, 's'), callOf(id, 's')]
    await put([a!, b!, c!])
    const [first] = await claim()
    await end(first!, refused)
    const [second] = await claim()
    expect(second!.id).toBe(b!.id)
    // b is being sent: a waits for b, and c waits for a.
    expect((await replay(id, a!.id)).replayed).toBe(1)
    await consistent()
    expect(await claim()).toEqual([])
    await end(second!, { ...refused, retryMs: 0 })
    await consistent()
    const [third] = await claim()
    expect(third!.id).toBe(a!.id)
    await end(third!, accepted)
    const [fourth] = await claim()
    expect(fourth!.id).toBe(b!.id)
    await end(fourth!, refused)
    // Nothing is being sent, so b passes c.
    expect((await replay(id)).replayed).toBe(1)
    await consistent()
    expect((await claim()).map((delivery) => delivery.id)).toEqual([b!.id])
    await clear()
  })

  test('ignores a failure that is reported after the lease ended', async () => {
    const id = await hook(await key())
    await put([callOf(id, 's')])
    const [late] = await claim()
    await place().db.query("update webhook_delivery set leased_until = now() - interval '1 second'")
    const [again] = await claim()
    expect(again!.attempts).toBe(2)
    await end(late!, failed)
    expect(await claim()).toEqual([])
    await end(again!, accepted)
    await consistent()
    await clear()
  })

  test('sends one call at a time to a failing receiver, and all calls once it answers', async () => {
    const { db, other } = place()
    const id = await hook(await key())
    await put(Array.from({ length: 50 }, (_, i) => callOf(id, `s${i}`)))
    const begun = await claim()
    expect(begun).toHaveLength(4)
    for (const delivery of begun) await end(delivery, failed)
    const state = async () =>
      (await db.query<{ failures: number }>('select failures from webhook where id = $1', [id]))[0]
    // Four calls that failed concurrently count as one failure.
    expect(await state()).toEqual({ failures: 1 })
    expect(await claim()).toEqual([])
    const probed: string[] = []
    for (let i = 0; i < 3; i++) {
      await db.query('update webhook set next_at = now() where id = $1', [id])
      const [both, none] = await Promise.all([claim(db), claim(other)])
      const probe = [...both, ...none]
      expect(probe).toHaveLength(1)
      probed.push(nth(probe, 0).id)
      await end(nth(probe, 0), failed)
    }
    expect(new Set(probed).size).toBe(3)
    expect(await state()).toEqual({ failures: 4 })
    await db.query('update webhook set next_at = now() where id = $1', [id])
    const [probe] = await claim()
    await end(probe!, accepted)
    expect(await state()).toEqual({ failures: 0 })
    expect(await claim()).toHaveLength(4)
    await consistent()
    await clear()
  })

  test('ends calls that cannot be tried for a day with a reason, a bounded number at a time', async () => {
    const { db } = place()
    const prefix = await key()
    const revokedKey = await key()
    const [down, paused, revoked, well] = [
      await hook(prefix),
      await hook(prefix),
      await hook(revokedKey),
      await hook(prefix),
    ]
    for (const id of [down, paused, revoked, well]) await put(['s', 's', 't'].map((subject) => callOf(id!, subject)))
    await db.query('update webhook set failures = 3, failing_since = now() where id = $1', [down])
    await db.query('update webhook set disabled_at = now() where id = $1', [paused])
    await revokeByPrefix(db, revokedKey)
    await db.query("update webhook_delivery set created_at = now() - interval '25 hours'")
    await put([callOf(down!, 's')])
    const steps: number[] = []
    for (let n = 1; n > 0; ) {
      n = await db.transaction((tx) => expireDeliveries(tx, 24, 2))
      expect(n).toBeLessThanOrEqual(2)
      steps.push(n)
      await consistent()
    }
    const rows = await db.query<{ webhook_id: string; error: string }>(
      "select distinct webhook_id, regexp_replace(error, '20[0-9]{2}-.*Z', 'TIME') as error from webhook_delivery where state = 'dead'",
    )
    const reasons = new Map(rows.map(({ webhook_id, error }) => [webhook_id, error]))
    const words = ['the receiver has failed since TIME', 'the webhook is paused', 'the key of the webhook is not valid']
    expect([down, paused, revoked].map((id) => reasons.get(id!))).toEqual(
      words.map((word) => `not accepted within 24 hours: ${word}`),
    )
    expect(reasons.has(well!)).toBe(false)
    await clear()
  })

  test('ends calls beyond the bounds of a webhook and an account, and replays them when there is room', async () => {
    const { db } = place()
    const account = `acc_suite_${number++}`
    await db.query("insert into account (id, email, subject) values ($1, 'a@example.org', $1)", [account])
    const [first, two] = [await hook(await key(account)), await hook(await key(account))]
    const stranger = await hook(await key())
    const within = { webhook: 4, account: 6 }
    const some = (id: string, n: number) => Array.from({ length: n }, (_, i) => callOf(id, `s${i}`))
    expect((await put(some(first, 5), within)).map((reason) => reason ?? 'waits')).toEqual([
      ...Array.from({ length: 4 }, () => 'waits'),
      'the webhook has more than 4 pending calls',
    ])
    // Dead calls do not count for the account.
    expect((await put(some(two, 3), within)).map((reason) => reason ?? 'waits')).toEqual([
      ...['waits', 'waits'],
      'the account has more than 6 pending calls of webhooks',
    ])
    expect(await put(some(stranger, 1), within)).toEqual([undefined])
    expect(await replay(two, null, within)).toEqual({
      replayed: 0,
      full: 'the account has more than 6 pending calls of webhooks',
    })
    const claimed = (await claim()).filter((call) => call.webhook_id === first)
    await end(nth(claimed, 0), accepted)
    expect((await replay(two, null, within)).replayed).toBe(1)
    await consistent()
    await deleteWebhook(
      db,
      nth(await db.query<{ key_prefix: string }>('select key_prefix from webhook where id = $1', [first]), 0)
        .key_prefix,
      first,
    )
    // A call that is stored twice counts once, and a deleted webhook receives no call.
    const again = callOf(two, 'again')
    await put([again], within)
    await put([{ ...again, id: `${again.id}_2` }, callOf(first, 'deleted')], within)
    expect(
      await db.query('select id from webhook_delivery where subject = any($1::text[])', [['again', 'deleted']]),
    ).toEqual([{ id: again.id }])
    await consistent()
    await clear()
  })

  test('finds calls that a process of the previous version stores and ends during an upgrade', async () => {
    const { db } = place()
    const id = await hook(await key())
    await put([callOf(id, 's'), callOf(id, 's')])
    await db.query(
      "update webhook_delivery set state = 'delivered', ended_at = now() where seq = (select min(seq) from webhook_delivery)",
    )
    await db.query(
      `insert into webhook_delivery (id, webhook_id, subject, type, source, source_id, body) values ('old', $1, 't', 't', 'old', 1, '')`,
      [id],
    )
    expect(await db.transaction((tx) => repairQueue(tx, ''))).toBe(id)
    expect(await db.transaction((tx) => repairQueue(tx, id))).toBeUndefined()
    await consistent()
    expect(await claim()).toHaveLength(2)
    await clear()
  })

  test('reads only the calls that it takes', { timeout: 240_000 }, async () => {
    const { db } = place()
    const prefix = await key()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await hook(prefix))
    await db.query(
      `insert into webhook_delivery (id, webhook_id, subject, type, source, source_id, body, head)
       select 'many_' || i, ($1::text[])[1 + i % 5], 's' || i / 10, 't', 'many', i, 'x', i % 10 < 5 from generate_series(0, 49999) i`,
      [ids],
    )
    await db.query('update webhook set waiting = 10000 where id = any($1::text[])', [ids])
    // Autovacuum does this on a server; the embedded database does not have it.
    if (db.kind !== 'embedded') await db.query('analyze webhook_delivery')
    await consistent()
    const read = <T>(work: (tx: Parameters<typeof claimDeliveries>[0]) => Promise<T>) =>
      db.transaction(async (tx) => {
        const count = async () =>
          nth(
            await tx.query<{ n: number }>(
              `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
               where relid = 'webhook_delivery'::regclass`,
            ),
            0,
          ).n
        const before = await count()
        const result = await work(tx)
        return { result, rows: (await count()) - before }
      })
    for (let turn = 0; turn < 3; turn++) {
      const look = await read((tx) => claimDeliveries(tx, 32, 4, 30_000))
      expect(look.result).toHaveLength(20)
      expect(look.rows).toBeLessThan(200)
      const idle = await read((tx) => claimDeliveries(tx, 32, 4, 30_000))
      expect(idle.result).toEqual([])
      expect(idle.rows).toBeLessThan(100)
      for (const delivery of look.result) {
        const ended = await read((tx) => endAttempt(tx, delivery, accepted))
        expect(ended.rows).toBeLessThan(20)
      }
      const stored = await read((tx) => insertDeliveries(tx, [callOf(nth(ids, 0), 's1')], bounds))
      expect(stored.rows).toBeLessThan(20)
    }
    await consistent()
    await clear()
  })
}
