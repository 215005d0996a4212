import { expect, test } from 'vitest'
import { gfs } from '../../ingest/datasets/gfs.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { openBuckets } from '../../ingest/ports/upstream/buckets.ts'
import type { Listed, Upstream } from '../../ingest/ports/upstream.ts'
import { newestRun, planRun } from '../../ingest/steps/grid/plan.ts'

const run = Date.UTC(2026, 7, 20, 12)

/** Returns a bucket that lists these leads of runs, written at `at`. */
function bucket(leads: (run: Instant) => readonly number[], at: Instant, indexed = true): Upstream {
  const list = async (_: string, prefix: string): Promise<Listed[]> => {
    const hour = Number(prefix.slice(15, 17))
    const runTime = run - (12 - hour) * HOUR
    return leads(runTime).flatMap((lead) => {
      const key = nth(nbm.file(runTime, 'conus', lead).url.split('.com/'), 1)
      const file = { key, size: 9, etag: `"${lead}"`, lastModified: at }
      return indexed ? [file, { ...file, key: `${key}.idx` }] : [file]
    })
  }
  const refuse = () => expect.unreachable('only the listing is asked for')
  const counts = { requests: 0, bytes: 0, retries: 0 }
  return { counts, buckets: openBuckets({}), list, get: refuse, head: refuse, close: async () => {} }
}

const plan = (upstream: Upstream, stage: number, now: Instant, partial = false) =>
  planRun(upstream, nbm, run, 'conus', stage, now, { partial })
const all = nbm.leads(run, 'conus')
const upTo = (lead: number) => all.filter((other) => other <= lead)
const now = run + 70 * MINUTE

test('has a stage ready when all its hours are listed with indexes', async () => {
  const begun = bucket(() => upTo(53), now)
  expect(await plan(begun, 0, now)).toMatchObject({ stage: { name: 'h051' }, last: false, absent: [] })
  expect((await plan(begun, 0, now)).files.map(({ leadHours }) => leadHours)).toEqual(upTo(51))
  const error = await plan(begun, 1, now).catch((fault) => fault)
  expect(isFault(error, 'NotYet') && error.message).toMatch(/waiting for \d+ files of stage h264, the first is hour 54/)
  const bare = bucket(() => [], now)
  await expect(plan(bare, 0, now)).rejects.toThrow(/waiting for 41 files/)
})

test('waits for an index that is not listed yet, unless no file has one', async () => {
  const late = bucket(() => upTo(51), now)
  const list = late.list.bind(late)
  const torn = {
    ...late,
    list: async (b: string, p: string) => (await list(b, p)).filter(({ key }) => !key.endsWith('f007.co.grib2.idx')),
  }
  await expect(plan(torn, 0, now)).rejects.toThrow(/waiting for 1 files of stage h051, the first is hour 7/)
  const without = await plan(
    bucket(() => upTo(51), now, false),
    0,
    now,
  )
  expect(without.files.every(({ indexUrl }) => indexUrl === undefined)).toBe(true)
})

test('accepts a quiet run with other hours than expected, and waits for a stopped run until its deadline', async () => {
  const quiet = run + 2.5 * HOUR
  const shifted = all.map((lead) => (lead > 36 ? lead - 1 : lead))
  const other = await plan(
    bucket(() => shifted, now),
    1,
    quiet,
  )
  expect([other.files.at(-1)!.leadHours, other.absent.length > 20]).toEqual([263, true])
  await expect(
    plan(
      bucket(() => shifted, quiet - MINUTE),
      1,
      quiet,
    ),
  ).rejects.toThrow(/waiting/)
  const stopped = bucket(() => upTo(120), now)
  await expect(plan(stopped, 1, quiet)).rejects.toThrow(/waiting/)
  const past = run + nbm.deadlineSeconds * 1000 + MINUTE
  expect((await plan(stopped, 1, past)).absent[0]).toBe(123)
  expect((await plan(stopped, 1, now, true)).absent[0]).toBe(123)
  const expired = await plan(
    bucket(() => [], now),
    0,
    past,
  ).catch((error) => error)
  expect(isFault(expired, 'Gone')).toBe(true)
})

test('chooses the newest ready run, and never a served or older run', async () => {
  const now = run + 30 * MINUTE
  const upstream = bucket((runTime) => (runTime > run - 2 * HOUR ? [1, 2] : nbm.leads(runTime, 'conus')), now)
  expect((await newestRun(upstream, nbm, 'conus', now)).run).toBe(run - 2 * HOUR)
  await expect(newestRun(upstream, nbm, 'conus', now, run - 2 * HOUR)).rejects.toThrow(/waiting for 39 files/)
})

test('finds GFS in the layouts of v16 and v17, and in both if it moves during a run', async () => {
  const expected = gfs.leads(run, 'conus')
  const old = (lead: number) => `gfs.20260820/12/atmos/gfs.t12z.pgrb2.0p25.f${String(lead).padStart(3, '0')}`
  const next = (lead: number) =>
    `gfs.20260820/12/products/atmos/grib2/0p25/gfs.t12z.pres_a.0p25.f${String(lead).padStart(3, '0')}.grib2`
  const later = run + 6 * HOUR
  const listing = (keyOf: (lead: number) => readonly string[]): Upstream => ({
    ...bucket(() => [], later),
    list: async (_, prefix) =>
      expected
        .flatMap(keyOf)
        .flatMap((key) => [key, `${key}.idx`])
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, size: 9, etag: `"${key}"`, lastModified: later })),
  })
  const layouts = {
    v16: (lead: number) => [old(lead)],
    v17: (lead: number) => [next(lead)],
    moved: (lead: number) => [lead <= 120 ? old(lead) : next(lead)],
    both: (lead: number) => [next(lead), old(lead)],
  }
  for (const [name, keyOf] of Object.entries(layouts)) {
    const { files, absent } = await planRun(listing(keyOf), gfs, run, 'conus', 1, later)
    expect(absent, name).toEqual([])
    expect(files, name).toHaveLength(expected.length)
    expect(
      files.every(({ url, indexUrl }) => indexUrl === `${url}.idx`),
      name,
    ).toBe(true)
    expect(new Set(files.map(({ url }) => url)).size, name).toBe(expected.length)
  }
})
