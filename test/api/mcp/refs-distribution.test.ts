import { expect, test } from 'vitest'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

interface Series {
  readonly dataset_id: string
  readonly valid_times: readonly string[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
  readonly window_hours?: Readonly<Record<string, number>>
}

async function distributions(refs: number | undefined) {
  const now = Date.now()
  const models = analyticCurrent(now, { ...runsAt(now), refs, 'refs-agreement': refs })
  const sky = await skyServer({ models })
  try {
    const ask = async (aspect: string) => {
      const args = { location: 'Minneapolis, MN', aspect, hours: 72 }
      const result = (await sky.client.callTool({
        name: 'get_forecast_distribution',
        arguments: args,
      })) as unknown as Result
      const { series } = result.structuredContent as { series: Series[] }
      const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
      return { series: series.filter(({ dataset_id }) => dataset_id === 'refs'), text }
    }
    return { snow: await ask('snow'), precip: await ask('precip'), aviation: await ask('aviation') }
  } finally {
    await sky.close()
  }
}

test('get_forecast_distribution gives REFS chances with their window and the number of members', async () => {
  const refs = Math.floor((Date.now() - 4 * HOUR) / (6 * HOUR)) * 6 * HOUR
  const { snow, precip, aviation } = await distributions(refs)
  for (const [{ series, text }, name, window] of [
    [snow, 'ensemble_snow_nearby_prob_gt_3in', 24],
    [precip, 'ensemble_precip_prob_gt_025in', 24],
    [aviation, 'ensemble_visibility_prob_below_5mi', undefined],
  ] as const) {
    const [own, ...others] = series
    expect(others).toEqual([])
    expect(own?.window_hours?.[name]).toBe(window)
    const { [name]: chances = [], ensemble_members: members = [] } = own?.data ?? {}
    expect(chances.length).toBe(own?.valid_times.length)
    expect(members.length).toBe(chances.length)
    for (const count of members) expect([14, 13, 12, 6]).toContain(count)
    for (const [k, chance] of chances.entries()) {
      const counted = ((chance ?? 0) * (members[k] ?? 0)) / 100
      expect(Math.abs(counted - Math.round(counted))).toBeLessThan(0.08)
    }
    expect(text).toMatch(/^ensemble members: /m)
    expect(text).not.toMatch(/prob|_|\bgt\b/)
  }
})

test('get_forecast_distribution answers without REFS as before', async () => {
  const { snow, aviation } = await distributions(undefined)
  expect([snow.series, aviation.series]).toEqual([[], []])
  expect(snow.text).not.toMatch(/ensemble|REFS/)
})
