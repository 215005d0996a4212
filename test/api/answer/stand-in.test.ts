import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { ServedRun } from '../../../api/contract.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { CellVariables, PointSeries } from '../../../ingest/tile/read.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
const runs = runsAt(now)
const lost = Date.parse('2026-11-22T01:00:00Z')

/** NBM without one of its hours, and with other amounts in the run before it. */
function withoutHour(current: Current): Current {
  const changed = (
    served: ServedRun | undefined,
    change: (series: PointSeries) => PointSeries,
  ): ServedRun | undefined => {
    if (served?.dataset !== 'nbm') return served
    const point = async (cell: string) => {
      const series = await served.opened!.point(cell)
      return series && change(series)
    }
    const opened = { ...served.opened!, point, variables: served.opened!.variables }
    return { ...served, opened, open: async () => opened }
  }
  const over = (series: PointSeries, each: CellVariables['get']): PointSeries => ({
    ...series,
    variables: { get: each, keys: () => series.variables.keys() },
  })
  const lose = (series: PointSeries) =>
    over(series, (name) => {
      const variable = series.variables.get(name)
      if (!variable) return undefined
      const remaining = [...variable.times.keys()].filter((index) => variable.times[index] !== lost)
      return {
        ...variable,
        times: Float64Array.from(remaining, (index) => nth(variable.times, index)),
        values: Float32Array.from(remaining, (index) => nth(variable.values, index)),
      }
    })
  const wet = (series: PointSeries) =>
    over(series, (name) => {
      const variable = series.variables.get(name)
      const replacement = { precip_amount: 7, precip_probability: 80 }[name]
      return variable && replacement !== undefined
        ? { ...variable, values: variable.values.map(() => replacement) }
        : variable
    })
  return {
    ...current,
    served(dataset, domain) {
      const served = changed(current.served(dataset, domain), lose)
      return served && dataset === 'nbm' ? { ...served, incomplete: ['upstream does not have hours 5'] } : served
    },
    earlier: (dataset, domain) => current.earlier(dataset, domain).map((run) => changed(run, wet)!),
  }
}

test('takes only an hour that a run lacks from the previous run, which provenance names', async () => {
  const before = entryOf(runs, 'nbm') - HOUR
  const current = withoutHour(analyticCurrent(now, runs, [before]))
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
  const query = { lat: '39.74', lon: '-104.99', units: 'metric', include: 'hourly,provenance', hourly_hours: '8' }
  const answer = parsed(await weather.answer(parseWeather(query), now)) as {
    hourly: { time: string; precip_amount: number | null; temperature: number | null }[]
    meta: { warnings: { code: string; product_id?: string; detail: string }[] }
  }
  const amounts = answer.hourly.map(({ time, precip_amount }) => [Date.parse(time), precip_amount] as const)
  expect(amounts.filter(([, amount]) => amount === 7).map(([time]) => time)).toEqual([lost])
  expect(answer.hourly.every(({ temperature }) => temperature !== null)).toBe(true)
  const warning = answer.meta.warnings.find(
    ({ code, product_id }) => code === 'source_incomplete' && product_id === 'nbm',
  )
  expect(warning?.detail).toContain('upstream does not have hours 5')
  expect(warning?.detail).toContain('values of the previous run')
  expect(JSON.stringify(answer)).toContain(new Date(before).toISOString().slice(0, 13))
})
