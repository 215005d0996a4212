import { expect, test } from 'vitest'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { nbmQmd } from '../../ingest/datasets/nbm-qmd.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { RunPlan } from '../../ingest/steps/grid/plan.ts'
import { rejectionReasons, stageIsWorthwhile } from '../../ingest/steps/grid/publish.ts'
import type { Receipt } from '../../ingest/steps/grid/receipt.ts'
import type { SlabReport } from '../../ingest/steps/grid/sample-request.ts'
import { implausibility, outliersInTime, validateRun } from '../../ingest/steps/grid/validate.ts'

const run = Date.UTC(2026, 7, 20, 12)
const now = run + 2 * HOUR

const slab = (variable: string, change: Partial<SlabReport> = {}): SlabReport => ({
  variable,
  time: run + HOUR,
  quantum: 0.1,
  min: 1,
  max: 2,
  mean: 1.5,
  missing: 0,
  rejected: 0,
  roughness: 0.9,
  mirrored: 0.2,
  ...change,
})

const plan: RunPlan = {
  dataset: 'hrrr',
  domain: 'conus',
  run,
  stage: { name: 'f18', to: 18 },
  stageNumber: 0,
  last: true,
  files: [1, 2].map((leadHours) => ({ leadHours, url: `https://b.s3.amazonaws.com/f${leadHours}` })),
  absent: [],
}
const everything = hrrr.wants.flatMap(wantedVariables)

function receipt(
  leadHours: number,
  change: Partial<Receipt> = {},
  slabs = everything.map((name) => slab(name)),
): Receipt {
  const base = { dataset: 'hrrr', domain: 'conus', run, leadHours, url: '', slabKey: 'k', fetchedBytes: 1 } as const
  return { ...base, wanted: 20, got: 20, missing: [], absent: [], slabs, ...change }
}

test('accepts a complete run', () => {
  const verdict = validateRun(hrrr, plan, [receipt(1), receipt(2)])
  expect(verdict).toEqual({
    reasons: [],
    isNearlyComplete: true,
    wanted: 40,
    got: 40,
    missing: 0,
    missingOptional: [],
    gaps: [],
    variableGaps: [],
    outliers: [],
  })
})

test('accepts a dataset without required variables', () => {
  const percentiles = nbmQmd.wants.flatMap(wantedVariables)
  const slabs = percentiles.map((name) => slab(name))
  const base = { dataset: 'nbm-qmd', wanted: slabs.length, got: slabs.length }
  const verdict = validateRun(nbmQmd, { ...plan, dataset: 'nbm-qmd' }, [
    receipt(1, base, slabs),
    receipt(2, base, slabs),
  ])
  expect([verdict.isNearlyComplete, verdict.gaps]).toEqual([true, []])
})

test.each([
  ['mirrored rows', { roughness: 17.4 }, /17\.4 times as rough/],
  [
    'mirrored rows of a sparse field',
    { roughness: 1.9, mirrored: 4.9 },
    /match 4\.9 times better with every second row reversed/,
  ],
  ['values outside of the range', { rejected: 0.01 }, /values must be from 180 to 340 K, but 1\.0 % are outside/],
  ['cells without a value', { missing: 0.7 }, /70 % of the cells have no value/],
  ['one value everywhere', { min: 273, max: 273 }, /the same value everywhere/],
])('rejects a run for %s', (_, change, reason) => {
  const slabs = everything.map((name) => slab(name, name === 'temperature' ? change : {}))
  const { reasons } = validateRun(hrrr, plan, [receipt(1), receipt(2, {}, slabs)])
  expect(reasons).toEqual([expect.stringMatching(reason)])
  expect(reasons[0]).toContain('temperature at hour 2')
})

test('rejects an hour whose mean differs from both neighbours, but not day and night', () => {
  const at = (means: readonly number[]) =>
    means.map((mean, hour) => slab('temperature', { time: run + hour * HOUR, mean, min: mean - 9, max: mean + 9 }))
  const sixHourly = [281, 287, 284, 279, 282, 288, 285, 280, 281]
  expect(outliersInTime(at(sixHourly))).toEqual([])
  expect(outliersInTime(at([281, 281.4, 281.7, 301, 282.2, 282.3])).map(({ report }) => report.mean)).toEqual([301])
  expect(outliersInTime(at([260, 281.4, 281.7, 282, 282.2])).map(({ report }) => report.mean)).toEqual([260])
  const flags = [0.35, 0.86, 0.86, 0.87, 0.86, 0.1].map((mean, hour) =>
    slab('rain_flag', { time: run + hour * HOUR, mean }),
  )
  expect(outliersInTime(flags)).toEqual([])
  const rain = [0.2, 0.3, 0.2, 180, 0.3, 0.4].map((mean, hour) =>
    slab('precip_amount', { time: run + hour * HOUR, mean }),
  )
  expect(outliersInTime(rain).map(({ report }) => report.mean)).toEqual([180])
})

test('leaves out an hour with ten times the precipitation, and reports it', () => {
  const leads = [1, 2, 3, 4, 5, 6]
  const mean = (leadHours: number) => 0.08 + 0.005 * leadHours
  const amounts = (factors: Readonly<Record<number, number>>) =>
    leads.map((lead) => {
      const scaled = mean(lead) * (factors[lead] ?? 1)
      return receipt(
        lead,
        {},
        [
          ...everything.map((name) => slab(name, { time: run + lead * HOUR })),
          slab('precip_amount', { time: run + lead * HOUR, mean: scaled }),
        ].filter(({ variable, mean: value }) => variable !== 'precip_amount' || value === scaled),
      )
    })
  const files = leads.map((leadHours) => ({ leadHours, url: '' }))
  const before = new Map([['precip_amount', leads.map((lead) => ({ time: run + lead * HOUR, mean: mean(lead) }))]])
  const verdict = validateRun(hrrr, { ...plan, files }, amounts({ 3: 10 }), before)
  expect(verdict).toMatchObject({ reasons: [], isNearlyComplete: true, missingOptional: ['precip_amount'] })
  expect(verdict.outliers.map(({ variable, leadHours, reason }) => [variable, leadHours, reason])).toEqual([
    ['precip_amount', 3, 'jump'],
  ])
  expect(verdict.variableGaps).toEqual([
    expect.stringMatching(/^precip_amount is lost at hour 3: the mean over all cells is 0\.950 mm/),
  ])
  expect(validateRun(hrrr, { ...plan, files }, amounts({}), before).outliers).toEqual([])
  // Another model confirms the storm.
  const other = new Map([['precip_amount', [{ time: run + 3 * HOUR, mean: 0.8 }]]])
  expect(validateRun(hrrr, { ...plan, files }, amounts({ 3: 10 }), before, [other]).outliers).toEqual([])
})

test('does not reject a field that varies little', () => {
  expect(implausibility(slab('precip_amount', { roughness: Number.NaN, min: 0, max: 0 }))).toBeUndefined()
})

test('counts absent and unread hours as incomplete, but not hours without a required variable', () => {
  const without = receipt(
    2,
    { absent: ['temperature'] },
    everything.filter((name) => name !== 'temperature').map((name) => slab(name)),
  )
  expect(validateRun(hrrr, plan, [receipt(1), without])).toMatchObject({
    reasons: [],
    isNearlyComplete: true,
    gaps: [],
    variableGaps: ['temperature is not offered at hours 2'],
  })
  expect(validateRun(hrrr, { ...plan, absent: [3, 4] }, [receipt(1)]).gaps).toEqual([
    'upstream does not have hours 3, 4',
    'hours 2 could not be read',
  ])
})

test('names lost optional variables without counting a gap', () => {
  const some = everything.filter((name) => name !== 'smoke').map((name) => slab(name))
  const lost = receipt(2, { missing: [{ variable: 'cape', reason: 'format', detail: 'broken' }], got: 19 })
  expect(validateRun(hrrr, plan, [receipt(1, {}, some), { ...lost, slabs: some }])).toMatchObject({
    isNearlyComplete: true,
    missing: 1,
    missingOptional: ['smoke', 'cape'].sort((a, b) => everything.indexOf(a) - everything.indexOf(b)),
  })
})

test('names no variable as missing that upstream never had', () => {
  const verdictOf = (wants: typeof hrrr.wants) =>
    validateRun({ ...hrrr, wants }, plan, [receipt(1), receipt(2)]).missingOptional
  const [smoke] = hrrr.wants.filter((want) => 'variable' in want && want.variable === 'smoke')
  if (smoke?.kind !== 'scalar') throw new Error('hrrr has no smoke.')
  const rare = { ...smoke, variable: 'severe_prob' }
  expect(verdictOf([...hrrr.wants, rare])).toEqual(['severe_prob'])
  expect(verdictOf([...hrrr.wants, { ...rare, unseen: true }])).toEqual([])
})

test('rejects an empty run', () => {
  expect(validateRun(hrrr, plan, [receipt(1, {}, [])]).reasons).toEqual([
    'the files have none of the requested variables',
  ])
})

test('publishes a run that lacks one hour or a tenth of its hours', () => {
  const isWhole = (there: number, absent: number) => {
    const leads = Array.from({ length: there }, (_, lead) => lead)
    const files = leads.map((leadHours) => ({ leadHours, url: '' }))
    const absentLeads = Array.from({ length: absent }, (_, k) => there + k)
    return validateRun(
      hrrr,
      { ...plan, files, absent: absentLeads },
      leads.map((lead) => receipt(lead)),
    ).isNearlyComplete
  }
  expect([isWhole(1, 1), isWhole(18, 1), isWhole(18, 2), isWhole(18, 3)]).toEqual([true, true, true, false])
})

test('publishes an incomplete run if readers have none, have a stale run, or it is requested', () => {
  const less = validateRun(hrrr, { ...plan, absent: [3, 4] }, [receipt(1), receipt(2)])
  const fresh = { run: run - HOUR, stage: 0, until: run + 17 * HOUR }
  const stale = { run: run - 12 * HOUR, stage: 0, until: run + 6 * HOUR }
  expect(rejectionReasons(hrrr, plan, less, undefined, now)).toEqual([])
  expect(rejectionReasons(hrrr, plan, less, stale, now)).toEqual([])
  expect(rejectionReasons(hrrr, plan, less, fresh, now, { partial: true })).toEqual([])
  expect(rejectionReasons(hrrr, plan, less, fresh, now)).toEqual([
    expect.stringContaining('incomplete, and 2026-08-20T11Z is served'),
  ])
  const broken = validateRun(hrrr, plan, [receipt(1, {}, [slab('temperature', { roughness: 9 })])])
  expect(rejectionReasons(hrrr, plan, broken, undefined, now, { partial: true })).toHaveLength(1)
})

test('delays a stage that would take hours from readers until the end of the run', () => {
  const first = { run, stage: nth(nbm.stages(run, 'conus'), 0), last: false }
  const ended = { run: run - HOUR, stage: 1, until: run + 263 * HOUR }
  const begun = { run: run - HOUR, stage: 0, until: run + 35 * HOUR }
  expect(stageIsWorthwhile(nbm, first, undefined, now)).toBe(true)
  expect(stageIsWorthwhile(nbm, first, begun, now)).toBe(true)
  expect(stageIsWorthwhile(nbm, first, ended, now)).toBe(false)
  expect(stageIsWorthwhile(nbm, { ...first, last: true }, ended, now)).toBe(true)
  expect(stageIsWorthwhile(nbm, first, { ...ended, run: run - 8 * HOUR }, now)).toBe(true)
})

test('rejects hours with other cells than the rest', () => {
  const verdict = validateRun(hrrr, plan, [receipt(1, { cells: 100 }), receipt(2, { cells: 90 })])
  expect(verdict.reasons).toEqual(['hour 2: must have 100 cells like the other hours, but has 90'])
  expect(validateRun(hrrr, plan, [receipt(1, { cells: 100 }), receipt(2)]).reasons).toEqual([])
})
