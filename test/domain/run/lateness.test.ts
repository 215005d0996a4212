import { describe, expect, test } from 'vitest'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { hrrr } from '../../../ingest/datasets/hrrr.ts'
import { nbm } from '../../../ingest/datasets/nbm.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { type Delays, dueOf, dueRuns, expectationOf, NOTHING_SERVED } from '../../../ingest/domain/run/lateness.ts'
import { DAY, HOUR, MINUTE } from '../../../ingest/domain/time.ts'

const now = Date.parse('2026-08-20T12:00:00Z')
const minutes = (count: number) => count * 60

describe('the expectation of a lead group', () => {
  const delaysOf = (days: number, p50: number, p95: number): Delays => ({
    count: days * 24,
    since: now - days * DAY,
    p50: minutes(p50),
    p95: minutes(p95),
  })
  test.each([
    ['nothing is known: as declared', 45, undefined, 45, 60, false],
    ['six days are too few', 45, delaysOf(6, 30, 32), 45, 60, false],
    ['from seven days on it is learned', 45, delaysOf(7, 30, 32), 30, 47, true],
    ['a small spread leaves 15 minutes', 45, delaysOf(90, 60, 60), 60, 75, true],
    ['a spread of 15 minutes', 45, delaysOf(90, 60, 75), 60, 90, true],
    ['a large spread counts twice', 45, delaysOf(90, 60, 100), 60, 140, true],
  ] as const)('%s', (_name, declared, delays, expected, late, learned) => {
    expect(expectationOf(minutes(declared), delays, now)).toEqual({
      expectedSeconds: minutes(expected),
      lateSeconds: minutes(late),
      learned,
    })
  })
})

describe('the due runs', () => {
  const hours = (list: readonly number[]) => list.map((hour) => now + hour * HOUR)
  const ask = (at: number, served: { hour: number; stage: number } | undefined, stages = 2) =>
    dueRuns({
      runs: hours([-3, -2, -1, 0, 1]),
      stagesOf: () => stages,
      expectation: (stage) => ({
        expectedSeconds: minutes(60 + 30 * stage),
        lateSeconds: minutes(75 + 30 * stage),
        learned: true,
      }),
      served: served ? { run: now + served.hour * HOUR, stage: served.stage } : NOTHING_SERVED,
      deadlineSeconds: 3 * 3600,
      now: now + at * MINUTE,
    }).map(({ run, stage, lateAt }) => [(run - now) / HOUR, stage, lateAt <= now + at * MINUTE ? 'late' : 'due'])

  test.each([
    ['the run of an hour ago is expected', 5, { hour: -2, stage: 1 }, [-1, 0, 'due']],
    ['a minute before it is late', 14, { hour: -2, stage: 1 }, [-1, 0, 'due']],
    ['at its time it is late', 15, { hour: -2, stage: 1 }, [-1, 0, 'late']],
    ['a stage is served, the next one is not late yet', 44, { hour: -1, stage: 0 }, [-1, 1, 'due']],
    ['the next stage is late', 45, { hour: -1, stage: 0 }, [-1, 1, 'late']],
    ['all of it is served: the next run', 59, { hour: -1, stage: 1 }, [0, 0, 'due']],
  ] as const)('%s', (_name, at, served, first) => {
    expect(ask(at, served)[0]).toEqual(first)
  })

  test('counts a newer run in place of a run that never came', () => {
    expect(ask(14, { hour: -1, stage: 1 }).map(([hour]) => hour)).toEqual([0, 1])
  })

  test('does not expect a run after its deadline', () => {
    expect(ask(5, undefined).map(([hour]) => hour)).toEqual([-2, -1, 0, 1])
  })

  test("uses the hours of each domain's own runs", () => {
    const expectation = () => ({ expectedSeconds: minutes(86), lateSeconds: minutes(101), learned: false })
    const next = (domain: 'conus' | 'alaska') =>
      new Date(nth(dueOf(hrrr, domain, { run: now - 3 * HOUR, stage: 0 }, expectation, now), 0).run).getUTCHours()
    expect([next('conus'), next('alaska')]).toEqual([10, 12])
  })

  test('expects a next run of every dataset at any hour, and each lead group before its deadline', () => {
    for (const dataset of gridDatasets) {
      const expectation = () => expectationOf(dataset.latencySeconds, undefined, now)
      expect(expectation().lateSeconds, dataset.id).toBeLessThan(dataset.deadlineSeconds)
      for (let at = now; at < now + DAY; at += HOUR / 2)
        for (const { id } of dataset.domains) {
          const [served] = dataset.runs(at).filter((run) => dataset.leads(run, id).length > 0)
          const due = dueOf(dataset, id, { run: served!, stage: 99 }, expectation, at)
          expect(nth(due, 0).run, `${dataset.id} ${id}`).toBeGreaterThan(served!)
          expect(nth(due, 0).run - served!, `${dataset.id} ${id}`).toBeLessThanOrEqual(6 * HOUR)
        }
    }
    expect(nbm.stages(now, 'conus').length).toBeGreaterThan(1)
  })
})
