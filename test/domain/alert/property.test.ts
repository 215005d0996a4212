import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlertHead, Vtec } from '../../../ingest/domain/alert/alert.ts'
import { decide, type FeedReading, type StoredAlert } from '../../../ingest/domain/alert/lifecycle.ts'
import { DAY, HOUR, MINUTE } from '../../../ingest/domain/time.ts'

/**
 * A world of events whose truth is recorded with the messages about it: products of several segments, extensions,
 * new areas, partial and whole cancellations, with or without a message, of kind Cancel or Alert. Feeds of that world are then played late,
 * doubled, shuffled, with gaps and faults.
 */
const START = Date.UTC(2026, 11, 31, 22)
const ZONES = ['COZ001', 'COZ002', 'COZ003', 'COZ004', 'COZ005']

interface Listed {
  readonly head: AlertHead
  /** Upstream lists the message in [from, until). */
  readonly from: number
  until: number
}
interface Fact {
  readonly id: string
  readonly area: string
  readonly from: number
  until: number
}
interface World {
  readonly messages: Listed[]
  readonly facts: Fact[]
}

const follow = fc.record({
  after: fc.integer({ min: 1, max: 90 }),
  /** For each zone: stays, is cancelled, is extended in a second segment, is added. */
  fates: fc.array(fc.constantFrom('stay', 'stay', 'extend', 'cancel', 'add'), { minLength: 5, maxLength: 5 }),
  longer: fc.integer({ min: 0, max: 120 }),
  cancel: fc.constantFrom('sent as Cancel', 'sent as Alert', 'silent'),
  correction: fc.boolean(),
})
const event = fc.record({
  begin: fc.integer({ min: 0, max: 240 }),
  lasts: fc.integer({ min: 10, max: 400 }),
  zones: fc.subarray(ZONES, { minLength: 1 }),
  vtec: fc.boolean(),
  follows: fc.array(follow, { maxLength: 4 }),
})

type EventPlan = typeof event extends fc.Arbitrary<infer T> ? T : never

function build(plans: readonly EventPlan[]): World {
  const world: World = { messages: [], facts: [] }
  plans.forEach((plan, n) => {
    let at = START + plan.begin * MINUTE
    let ends = at + plan.lasts * MINUTE
    let live = new Map<string, { message: Listed; fact: Fact }>()
    let serial = 0
    const send = (act: string, areas: string[], kind: AlertHead['kind'], references: string[], listed: boolean) => {
      const id = `e${n}.m${serial++}`
      const vtec: Vtec[] = plan.vtec
        ? [
            {
              productClass: 'O',
              action: act as Vtec['action'],
              office: 'KBOU',
              phenomenon: 'WS',
              significance: 'W',
              etn: n + 1,
              begin: act === 'NEW' ? at : undefined,
              end: ends,
            },
          ]
        : []
      const head: AlertHead = {
        id,
        fingerprint: id,
        status: 'Actual',
        kind,
        event: `Event ${n}`,
        sent: at,
        expiration: ends,
        past: kind !== 'Cancel' && act === 'CAN' && !plan.vtec,
        vtec,
        areas: [...areas].sort(),
        polygon: !plan.vtec,
        references,
        retires: [],
      }
      const message: Listed = { head, from: at, until: act === 'CAN' ? (listed ? at + 15 * MINUTE : at) : ends }
      world.messages.push(message)
      return message
    }
    const stand = (message: Listed) => {
      for (const area of message.head.areas) {
        const fact = { id: message.head.id, area, from: at, until: ends }
        world.facts.push(fact)
        live.set(area, { message, fact })
      }
    }
    stand(send('NEW', plan.zones, 'Alert', [], true))
    for (const step of plan.follows) {
      if (at + step.after * MINUTE >= ends) break
      at += step.after * MINUTE
      const before = live
      live = new Map()
      const ids = (areas: string[]) => [
        ...new Set(areas.map((area) => before.get(area)?.message.head.id).filter((id) => id !== undefined)),
      ]
      const areasWith = (fate: string) =>
        [...before.keys()].filter((area) => (step.fates[ZONES.indexOf(area)] ?? 'stay') === fate)
      for (const { message, fact } of before.values()) {
        message.until = Math.min(message.until, at)
        fact.until = Math.min(fact.until, at)
      }
      const cancelled = areasWith('cancel')
      const added = ZONES.filter((area, i) => step.fates[i] === 'add' && !before.has(area))
      const stays = [...areasWith('stay'), ...areasWith('add')]
      const extended = areasWith('extend')
      // Without VTEC only the references identify the message, and it is cancelled as a whole.
      if (cancelled.length > 0 && (step.cancel !== 'silent' || (stays.length + extended.length === 0 && plan.vtec))) {
        send(
          'CAN',
          cancelled,
          step.cancel === 'sent as Cancel' ? 'Cancel' : 'Alert',
          ids(cancelled),
          step.cancel !== 'silent',
        )
      }
      if (stays.length > 0) stand(send(step.correction ? 'COR' : 'CON', stays, 'Update', ids(stays), true))
      ends += step.longer * MINUTE
      if (extended.length > 0) stand(send('EXT', extended, 'Update', ids(extended), true))
      if (added.length > 0 && live.size > 0) stand(send('EXA', added, 'Alert', [], true))
      if (live.size === 0) break
    }
  })
  return world
}

function listed(world: World, at: number): AlertHead[] {
  return world.messages.filter((message) => message.from <= at && at < message.until).map((message) => message.head)
}

function truth(world: World, at: number): string[] {
  return world.facts
    .filter((message) => message.from <= at && at < message.until)
    .map((area) => `${area.id} ${area.area}`)
    .sort()
}

const look = fc.record({
  minutes: fc.integer({ min: 0, max: 60 }),
  how: fc.constantFrom('plain', 'plain', 'shuffled', 'doubled', 'gaps', 'failed', 'unchanged', 'late', 'empty'),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
})

describe('lifecycle of alerts, over random feeds', () => {
  it('is correct after two complete feeds, and publishes each change once', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.array(look, { maxLength: 12 }),
        (plans, looks) => {
          const world = build(plans)
          let stored: Iterable<StoredAlert> = []
          const message = new Set<string>()
          let at = START
          const step = (feed: FeedReading) => {
            const decision = decide(stored, feed, at)
            stored = [...decision.alerts.values()]
            const before = new Set(message)
            for (const { change, head, replaces } of decision.changes) {
              const isRepeated = change === 'issued' && message.has(head.id)
              expect(isRepeated, `issue of ${head.id}, already published`).toBe(false)
              if (change === 'cancelled' || change === 'expired')
                expect(message.delete(head.id), `${change} of ${head.id}, never published`).toBe(true)
              else message.add(head.id)
              for (const id of replaces) {
                // Several segments may replace one message.
                expect(before.has(id), `${id} replaced, never published`).toBe(true)
                message.delete(id)
              }
            }
            const shown = [...stored].filter((alert) => alert.shown)
            expect(new Set(shown.map((alert) => alert.head.id))).toEqual(message)
            for (const alert of shown) expect(alert.head.expiration).toBeGreaterThan(at)
          }
          let previous: AlertHead[] = []
          for (const { minutes, how, seed } of looks) {
            at += minutes * MINUTE
            const heads = listed(world, at)
            const random = randomOf(seed)
            if (how === 'failed') step({ kind: 'none' })
            else if (how === 'unchanged') step({ kind: 'unchanged' })
            else if (how === 'late') step({ kind: 'read', heads: previous, late: true })
            else if (how === 'empty') step({ kind: 'read', heads: [] })
            else if (how === 'gaps') step({ kind: 'read', heads: heads.filter(() => random() < 0.7) })
            else if (how === 'doubled') step({ kind: 'read', heads: [...heads, ...heads.toReversed()] })
            else step({ kind: 'read', heads: how === 'shuffled' ? heads.toSorted(() => random() - 0.5) : heads })
            if (how === 'plain') previous = heads
          }
          at += MINUTE
          step({ kind: 'read', heads: listed(world, at) })
          step({ kind: 'read', heads: listed(world, at) })
          const shown = [...stored].flatMap((alert) =>
            (alert.shown?.areas ?? []).map((area) => `${alert.head.id} ${area}`),
          )
          expect(shown.sort()).toEqual(truth(world, at))
        },
      ),
      { numRuns: 3000, seed: 20260501 },
    )
  })

  it('never ends an alert in force after a single absence', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 600 }),
        fc.integer(),
        (plans, minutes, seed) => {
          const world = build(plans)
          const at = START + minutes * MINUTE
          const heads = listed(world, at)
          const first = decide([], { kind: 'read', heads }, at)
          const random = randomOf(seed)
          // All segments of a product that replaces another are present, or none: half a product would be a different product.
          const second = decide(first.alerts.values(), { kind: 'read', heads: heads.filter(() => random() < 0.5) }, at)
          const standing = [...second.alerts.values()].flatMap((alert) =>
            (alert.shown?.areas ?? []).map((area) => `${alert.head.id} ${area}`),
          )
          expect(standing.sort()).toEqual(truth(world, at))
          const order = decide([], { kind: 'read', heads: heads.toSorted(() => random() - 0.5) }, at)
          expect(new Set(order.alerts.keys())).toEqual(new Set(first.alerts.keys()))
          expect(at + DAY).toBeGreaterThan(at + HOUR)
        },
      ),
      { numRuns: 1000, seed: 7 },
    )
  })
})

function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
