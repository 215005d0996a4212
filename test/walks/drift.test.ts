import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, randomFrom } from '../random.ts'
import { type FeedWalk, openFeedWalk } from './drift/feed-walk.ts'
import { type FrameWalk, openFrameWalk } from './drift/frame-walk.ts'
import { type GribWalk, openGribWalk } from './drift/grib-walk.ts'
import { openStores, type Stores } from './drift/stores.ts'
import { defect, type Outcome, summary } from './drift/tally.ts'

// Injects different faults into the files and documents of upstream. No faulty value is published. A fault in one
// message, row or feature affects only that message, row or feature, and the status reports it within a minute.
// DRIFT_FAULTS=1000 npx vitest run test/walks/drift.test.ts injects a thousand faults; DRIFT_ONLY='water' injects only
// faults of messages whose names contain this text.

const count = Number(process.env['DRIFT_FAULTS'] ?? 40)
const seed = Number(process.env['DRIFT_SEED'] ?? 20261121)

let stores: Stores
let grib: GribWalk
let feeds: FeedWalk
let frames: FrameWalk

beforeAll(async () => {
  stores = await openStores()
  grib = await openGribWalk(stores)
  feeds = await openFeedWalk(stores)
  frames = await openFrameWalk(stores)
}, 60_000)

afterAll(async () => {
  await grib?.close()
  await feeds?.close()
  await frames?.close()
  await stores?.close()
})

async function walk(share: number, salt: number, fault: (random: Random) => Promise<Outcome>): Promise<void> {
  const outcomes = new Map<string, Outcome>()
  const random = randomFrom(seed + salt)
  const expectedFaults = Math.max(1, Math.round(count * share))
  for (let tries = 0; outcomes.size < expectedFaults && tries < expectedFaults * 6; tries++) {
    const outcome = await fault(random)
    outcomes.set(outcome.name, outcome)
  }
  const list = [...outcomes.values()]
  console.log(summary(list))
  const defects = list.flatMap((outcome) => {
    const why = defect(outcome)
    return why ? [`${outcome.name}: ${why}`] : []
  })
  expect(defects).toEqual([])
  expect(list.length).toBeGreaterThanOrEqual(process.env['DRIFT_ONLY'] ? 1 : expectedFaults)
}

test('messages of model runs', () => walk(0.6, 1, (random) => grib.fault(random)), 3_600_000)

test('documents of feeds', () => walk(0.25, 2, (random) => feeds.fault(random)), 3_600_000)

test('radar scans, storms and lightning', () => walk(0.15, 3, (random) => frames.fault(random)), 3_600_000)
