import { describe, expect, it } from 'vitest'
import type { AlertHead, Vtec } from '../../../ingest/domain/alert/alert.ts'
import { type Decision, decide, type FeedReading, type StoredAlert } from '../../../ingest/domain/alert/lifecycle.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'

const T = Date.UTC(2026, 4, 1, 18)

function head(id: string, over: Partial<AlertHead> & { act?: string; etn?: number; phen?: string } = {}): AlertHead {
  const { act, etn, phen, ...rest } = over
  const sent = rest.sent ?? T
  const expiration = rest.expiration ?? T + 6 * HOUR
  const vtec: Vtec[] = act
    ? [
        {
          productClass: 'O',
          action: act as Vtec['action'],
          office: 'KBOU',
          phenomenon: phen ?? 'WS',
          significance: 'W',
          etn: etn ?? 7,
          begin: act === 'NEW' ? sent : undefined,
          end: expiration,
        },
      ]
    : []
  return {
    id,
    fingerprint: `print of ${id}`,
    status: 'Actual',
    kind: 'Alert',
    event: 'Winter Storm Warning',
    sent,
    expiration,
    past: false,
    vtec,
    areas: ['COZ001', 'COZ002', 'COZ003'],
    polygon: false,
    references: [],
    retires: [],
    ...rest,
  }
}

/** Plays feeds one after another and records what is published. */
function play() {
  let stored: Iterable<StoredAlert> = []
  let last: Decision | undefined
  const published: string[] = []
  return {
    published,
    feed(at: number, ...heads: AlertHead[]) {
      return this.step({ kind: 'read', heads }, at)
    },
    step(feed: FeedReading, at: number) {
      last = decide(stored, feed, at)
      stored = [...last.alerts.values()]
      published.push(...last.changes.map((change) => `${change.change} ${change.head.id}`))
      return last
    },
    shown(): Record<string, string> {
      const shown: Record<string, string> = {}
      for (const alert of stored)
        if (alert.shown) shown[alert.head.id] = alert.shown.areas.map((area) => area.slice(3)).join(' ')
      return shown
    },
  }
}

describe('lifecycle of alerts', () => {
  it('shows from issuance to the end of the event, not to the end of the message', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    world.step({ kind: 'none' }, T + 6 * HOUR - 1)
    expect(world.shown()).toEqual({ a: '001 002 003' })
    world.step({ kind: 'none' }, T + 6 * HOUR)
    expect(world.shown()).toEqual({})
    expect(world.published).toEqual(['issued a', 'expired a'])
  })

  it('publishes one change for an update, which replaces the old message', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    const { changes } = world.feed(
      T + HOUR,
      head('b', { act: 'CON', kind: 'Update', sent: T + HOUR, references: ['a'] }),
    )
    expect(changes).toMatchObject([{ change: 'updated', head: { id: 'b' }, replaces: ['a'] }])
    expect(world.shown()).toEqual({ b: '001 002 003' })
  })

  it('follows a chain of messages whose middle was never received', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    world.feed(
      T + 2 * HOUR,
      head('c', { act: 'CON', kind: 'Update', sent: T + 2 * HOUR, references: ['b'] }),
      head('b', { act: 'CON', kind: 'Update', sent: T + HOUR, references: ['a'] }),
    )
    expect(world.published).toEqual(['issued a', 'updated c'])
  })

  it('ends only the areas that a partial cancellation names', () => {
    const world = play()
    const can = head('x', { act: 'CAN', kind: 'Cancel', sent: T + HOUR, areas: ['COZ002'], references: ['a'] })
    world.feed(T, head('a', { act: 'NEW' }))
    const { changes } = world.feed(T + HOUR, head('a', { act: 'NEW' }), can)
    expect(world.shown()).toEqual({ a: '001 003' })
    expect(changes).toMatchObject([{ change: 'updated', areas: ['COZ001', 'COZ002', 'COZ003'] }])
    world.feed(T + 2 * HOUR, head('a', { act: 'NEW' }))
    expect(world.shown()).toEqual({ a: '001 003' })
  })

  it('treats CAN, UPG and EXP as endings even if the message is marked Alert', () => {
    for (const act of ['CAN', 'UPG', 'EXP']) {
      const world = play()
      world.feed(T, head('a', { act: 'NEW' }))
      world.feed(T + HOUR, head('x', { act, sent: T + HOUR }))
      expect(world.shown(), act).toEqual({})
      expect(world.published, act).toEqual(['issued a', 'cancelled a'])
    }
  })

  it('keeps an event in force until the end that its EXP names', () => {
    const world = play()
    const end = T + 6 * HOUR
    world.feed(T, head('a', { act: 'NEW' }))
    for (const minutes of [20, 19, 18])
      world.feed(end - minutes * MINUTE, head('x', { act: 'EXP', sent: end - 20 * MINUTE }))
    expect(world.shown()).toEqual({ a: '001 002 003' })
    world.step({ kind: 'none' }, end)
    expect(world.published).toEqual(['issued a', 'expired a'])
  })

  it('replaces a watch with the warning of the same product', () => {
    const world = play()
    world.feed(T, head('watch', { act: 'NEW', phen: 'WW' }))
    world.feed(
      T + HOUR,
      head('upg', { act: 'UPG', phen: 'WW', sent: T + HOUR }),
      head('warning', { act: 'NEW', sent: T + HOUR }),
    )
    expect(world.shown()).toEqual({ warning: '001 002 003' })
    expect(world.published).toEqual(['issued watch', 'issued warning', 'cancelled watch'])
  })

  it('keeps the segments of one event separate but related', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    world.feed(
      T + HOUR,
      head('b1', { act: 'EXT', sent: T + HOUR, areas: ['COZ001', 'COZ002'], references: ['a'], kind: 'Update' }),
      head('b2', { act: 'CON', sent: T + HOUR, areas: ['COZ003'], references: ['a'], kind: 'Update' }),
      head('b3', { act: 'EXA', sent: T + HOUR, areas: ['COZ004'] }),
    )
    expect(world.shown()).toEqual({ b1: '001 002', b2: '003', b3: '004' })
    expect(world.published).toEqual(['issued a', 'updated b1', 'updated b2', 'issued b3'])
  })

  it('ends an alert only after two absences in a row', () => {
    const world = play()
    const a = head('a', { act: 'NEW' })
    const b = head('b', { act: 'NEW', etn: 8 })
    world.feed(T, a, b)
    world.feed(T + MINUTE, b)
    world.feed(T + 2 * MINUTE, a, b)
    world.feed(T + 3 * MINUTE, b)
    expect(world.shown()).toHaveProperty('a')
    world.step({ kind: 'none' }, T + 4 * MINUTE)
    expect(world.shown()).toHaveProperty('a')
    world.step({ kind: 'unchanged' }, T + 5 * MINUTE)
    expect(world.shown()).not.toHaveProperty('a')
    expect(world.published).toEqual(['issued a', 'issued b', 'cancelled a'])
  })

  it('stores no more absences of an ended alert, whose row would be written with each feed', () => {
    const world = play()
    const b = head('b', { act: 'NEW', etn: 8 })
    world.feed(T, head('a', { act: 'NEW' }), b)
    world.feed(T + MINUTE, b)
    world.feed(T + 2 * MINUTE, b)
    const ended = world.feed(T + 3 * MINUTE, b).alerts.get('a')
    expect(ended?.shown).toBeUndefined()
    expect(world.feed(T + 4 * MINUTE, b).alerts.get('a')).toEqual(ended)
    expect(world.step({ kind: 'unchanged' }, T + 5 * MINUTE).alerts.get('a')).toEqual(ended)
  })

  it('accepts an empty feed if the next feed is empty too', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    expect(world.feed(T + MINUTE).suspicious).toBe(true)
    expect(world.shown()).toHaveProperty('a')
    expect(world.feed(T + 2 * MINUTE).suspicious).toBe(false)
    expect(world.shown()).toEqual({})
  })

  it('ignores a feed that falls back to an older copy', () => {
    const world = play()
    const a = head('a', { act: 'NEW' })
    const b = head('b', { act: 'CON', sent: T + HOUR, references: ['a'], kind: 'Update' })
    world.feed(T, a)
    world.feed(T + HOUR, b)
    world.step({ kind: 'read', heads: [a], late: true }, T + HOUR + MINUTE)
    world.feed(T + HOUR + 2 * MINUTE, b)
    expect(world.shown()).toEqual({ b: '001 002 003' })
    expect(world.published).toEqual(['issued a', 'updated b'])
  })

  it('distinguishes reissues of a product without VTEC from a second day', () => {
    const world = play()
    const air = (id: string, sent: number, expiration: number) =>
      head(id, { event: 'Air Quality Alert', product: 'AQAOKX', sent, expiration })
    world.feed(
      T,
      air('first', T, T + 9 * HOUR),
      air('again', T + 1, T + 9 * HOUR),
      air('tomorrow', T + 1, T + 33 * HOUR),
    )
    expect(Object.keys(world.shown()).sort()).toEqual(['again', 'tomorrow'])
  })

  it('treats a statement for other areas as a separate statement, not as a reissue', () => {
    const world = play()
    const statement = (id: string, sent: number, areas: string[]) =>
      head(id, { event: 'Special Weather Statement', product: 'SPSBOU', sent, areas })
    world.feed(T, statement('fog', T, ['COZ001', 'COZ002']), statement('wind', T + 1, ['COZ002', 'COZ003']))
    expect(Object.keys(world.shown()).sort()).toEqual(['fog', 'wind'])
    world.feed(T + 2, statement('fog', T, ['COZ001', 'COZ002']), statement('fog again', T + 2, ['COZ001', 'COZ002']))
    expect(world.shown()).toMatchObject({ 'fog again': '001 002' })
    expect(world.shown()).not.toHaveProperty('fog')
  })

  it('shows two storms of one county as two polygons, and a repeated storm once', () => {
    const world = play()
    const storm = (id: string, fingerprint = id) =>
      head(id, { event: 'Special Weather Statement', product: 'SPSBOU', polygon: true, fingerprint })
    world.feed(T, storm('one'), storm('two'), storm('twin', 'two'))
    expect(Object.keys(world.shown()).sort()).toEqual(['one', 'twin'])
  })

  it('retires the messages in references, expiredReferences and replacedBy if there is no VTEC', () => {
    const world = play()
    world.feed(T, head('a'), head('b'), head('c'), head('d', { areas: ['COZ009'] }))
    const n = head('n', { sent: T + HOUR, references: ['a'], retires: ['b'], kind: 'Update' })
    world.feed(
      T + HOUR,
      head('a'),
      head('b'),
      head('c', { replacedBy: 'elsewhere', replacedAt: T + HOUR }),
      head('d', { areas: ['COZ009'] }),
      n,
    )
    expect(Object.keys(world.shown()).sort()).toEqual(['d', 'n'])
    world.feed(T + 2 * HOUR, n, head('c', { replacedBy: 'elsewhere', replacedAt: T + HOUR }))
    expect(Object.keys(world.shown()).sort()).toEqual(['d', 'n']) // the first absence of d
  })

  it('separates tests and exercises from actual alerts', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }), head('t', { act: 'CAN', status: 'Test', sent: T + 1, references: ['a'] }))
    expect(world.shown()).toEqual({ a: '001 002 003' })
  })

  it('distinguishes the seventh event of one year from the seventh of the next', () => {
    const newYear = Date.UTC(2027, 0, 1)
    const long = newYear + 9 * 24 * HOUR
    const world = play()
    const old = head('old', { act: 'NEW', sent: newYear - HOUR, expiration: long })
    const fresh = head('fresh', { act: 'NEW', sent: newYear + HOUR, expiration: long })
    const con = head('con', {
      act: 'CON',
      sent: newYear + 2 * HOUR,
      expiration: long,
      references: ['old'],
      kind: 'Update',
    })
    world.feed(newYear + 2 * HOUR, old, fresh)
    expect(Object.keys(world.shown()).sort()).toEqual(['fresh', 'old'])
    world.feed(newYear + 3 * HOUR, con, fresh)
    expect(Object.keys(world.shown()).sort()).toEqual(['con', 'fresh'])
  })

  it('publishes an expiration that occurred during a downtime', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    expect(world.feed(T + 100 * HOUR).changes).toMatchObject([{ change: 'expired', head: { id: 'a' } }])
    expect(world.feed(T + 101 * HOUR).changes).toEqual([])
  })

  it('remembers the end of an event for as long as older messages of the event may arrive', () => {
    const world = play()
    const long = head('long', { act: 'NEW', expiration: T + 96 * HOUR })
    const short = head('short', { act: 'EXT', kind: 'Update', sent: T + HOUR, references: ['long'] })
    world.feed(T + HOUR, long, short)
    for (const hours of [7, 8, 20, 40, 60, 90]) world.feed(T + hours * HOUR, long)
    expect(world.published).toEqual(['issued short', 'expired short'])
    const last = world.feed(T + 97 * HOUR)
    expect(last.alerts.size).toBe(2)
    expect(world.feed(T + 130 * HOUR).alerts.size).toBe(0)
  })

  it('shows both periods of an event that one product contains twice', () => {
    const world = play()
    const window = (id: string, begin: number, end: number) => {
      const message = head(id, { act: 'NEW', expiration: T + end * HOUR })
      return { ...message, vtec: [{ ...nth(message.vtec, 0), begin: T + begin * HOUR }] }
    }
    world.feed(T, window('evening', 1, 4), window('morning', 10, 16), window('same morning', 10, 18))
    expect(world.shown()).toEqual({ evening: '001 002 003', 'same morning': '001 002 003' })
    world.feed(T + HOUR, head('x', { act: 'CAN', kind: 'Cancel', sent: T + HOUR }))
    expect(world.shown()).toEqual({})
  })

  it('ends the whole message without VTEC even if its ending names other areas', () => {
    const world = play()
    world.feed(T, head('a', { areas: ['COC001', 'COC005'] }))
    world.feed(T + HOUR, head('x', { kind: 'Cancel', sent: T + HOUR, areas: ['COZ040'], references: ['a'] }))
    expect(world.shown()).toEqual({})
    world.feed(T + HOUR, head('b', { areas: ['COC001', 'COC005'] }))
    const some = head('y', { kind: 'Cancel', sent: T + 2 * HOUR, areas: ['COC001'], references: ['b'] })
    world.feed(T + 2 * HOUR, head('b', { areas: ['COC001', 'COC005'] }), some)
    expect(world.shown()).toEqual({ b: '005' })
  })

  it('publishes nothing twice when the clock is set back by seconds', () => {
    const world = play()
    world.feed(T, head('a', { act: 'NEW' }))
    world.step({ kind: 'none' }, T + 6 * HOUR)
    world.feed(T + 6 * HOUR - 20_000, head('a', { act: 'NEW' }))
    world.step({ kind: 'none' }, T + 6 * HOUR + 1)
    expect(world.published).toEqual(['issued a', 'expired a'])
  })

  it('recognizes a correction of the old year’s event by its reference, though its action is NEW', () => {
    const newYear = Date.UTC(2027, 0, 1)
    const world = play()
    const expiration = newYear + 9 * HOUR
    const first = head('first', { act: 'NEW', sent: newYear - 5 * MINUTE, expiration })
    world.feed(newYear, first)
    world.feed(
      newYear + 6 * MINUTE,
      first,
      head('right', { act: 'NEW', kind: 'Update', sent: newYear + 5 * MINUTE, expiration, references: ['first'] }),
    )
    expect(world.shown()).toEqual({ right: '001 002 003' })
  })
})
