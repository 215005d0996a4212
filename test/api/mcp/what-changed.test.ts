import { describe, expect, test } from 'vitest'
import type { DayValue } from '../../../api/answer/value.ts'
import { findSpot } from '../../../api/dataset/spot.ts'
import type { ToolContext } from '../../../api/mcp/protocol/context.ts'
import { changesOf, isUnchanged, linesOf, whatChanged } from '../../../api/mcp/tools/what-changed.ts'
import { units } from '../../../api/present/units.ts'
import { Fault } from '../../../ingest/domain/fault.ts'

const row = (date: string, relative_day: number, high: number | null, chance: number, wind: number) =>
  ({
    date,
    relative_day,
    high,
    low: 30,
    precip_probability: chance,
    precip_total: 0,
    wind_speed_max: wind,
  }) as DayValue
const before = { daily: [row('2026-11-28', 0, 50, 10, 10), row('2026-11-29', 1, 40, 10, 12)] }
const after = { daily: [row('2026-11-28', 0, 52, 95, 10), row('2026-11-29', 1, 49, 60, 14)] }
const spot = findSpot({ location: 'Denver, CO' })
const none = { issued: [], ended: [] }
const words = (compared: ReturnType<typeof changesOf>, days: number) =>
  linesOf({
    spot,
    since: Date.parse('2026-11-28T12:00:00Z'),
    compared,
    days,
    alerts: none,
    doubt: undefined,
    labels: units.imperial.labels,
  }).map((line) => line.replaceAll('\u202f', ' '))

test('lists significant changes of the same days, the largest first, without the chance of the running day', () => {
  const compared = changesOf(before, after, 'imperial', 3)
  expect(compared?.changes.map(({ date, member, before, after }) => [date, member, before, after])).toEqual([
    ['2026-11-29', 'high', 40, 49],
    ['2026-11-29', 'precip_probability', 10, 60],
    ['2026-11-29', 'wind', 'light', 'moderate'],
  ])
  expect(words(compared, 3)).toContain('2 of 3 days could be compared.')
  expect(changesOf(before, before, 'imperial', 2)).toEqual({ changes: [], days: 2 })
  expect(words(changesOf(before, before, 'imperial', 2), 2)).toEqual([
    'No significant change of the forecast at Denver, CO since Sat, Nov 28, 5:00 AM MST.',
  ])
})

test.each([
  ['no earlier days', {}, after],
  ['no later days', before, {}],
  ['no common day', { daily: [row('2026-11-20', 0, 50, 10, 10)] }, after],
])('does not know whether the forecast changed with %s', (_, earlier, later) => {
  const compared = changesOf(earlier, later, 'imperial', 3)
  expect(compared).toBeUndefined()
  expect(words(compared, 3)).toEqual([
    'It is not known whether the forecast at Denver, CO changed since Sat, Nov 28, 5:00 AM MST: no day has values in both forecasts.',
  ])
})

test('says that nothing changed only if forecast and alerts were compared', () => {
  const change = { date: '2026-11-29', member: 'high', before: 40, after: 49, significance: 3 } as const
  expect(isUnchanged([], none)).toBe(true)
  expect([isUnchanged(null, none), isUnchanged([], null), isUnchanged(null, null)]).toEqual([null, null, null])
  expect([isUnchanged([change], null), isUnchanged(null, { ...none, ended: ['Flood Warning'] })]).toEqual([
    false,
    false,
  ])
})

describe('what_changed', () => {
  const now = Date.parse('2026-11-28T18:00:00Z')
  const freshness = [{ source: 'nws-alerts', product_id: 'nws-alerts', age_seconds: 20 }]
  const flood = { id: 'x', event: 'Flood Warning', severity: 'Severe' }
  const weatherOf = (sections: object) => ({
    value: async () => ({
      value: {
        attribution: { sources: [], notice: '' },
        units: units.imperial.labels,
        meta: { generated_at: '', warnings: [], freshness },
        ...sections,
      },
    }),
  })
  const call = (earlier: object, later: object) => {
    const deps = { usedAnswers: new WeakSet(), values: { datasets: [] } }
    const answersAt = async (at: number) => ({ ...deps, weather: weatherOf(earlier), alerts: async () => ({}), at })
    const context = {
      now,
      signal: new AbortController().signal,
      reused: () => undefined,
      deps: { ...deps, weather: weatherOf(later), past: { answersAt } },
    }
    const input = { location: 'Denver, CO', units: 'imperial', days: 2 }
    return whatChanged.run(input, context as unknown as ToolContext)
  }

  test('refuses a time before the history by the name of its own argument', async () => {
    const answersAt = async () => {
      throw new Fault(
        'Missing',
        'as_of: 2026-11-28T12:00:00.000Z is not available: this installation stores no history.',
      )
    }
    const context = { now, deps: { past: { answersAt } } } as unknown as ToolContext
    const refused = whatChanged.run({ location: 'Denver, CO', units: 'imperial', days: 2 }, context)
    await expect(refused).rejects.toMatchObject({
      code: 'no-data',
      message: expect.stringMatching(/^since: 2026-11-28T12:00:00.000Z is not available: /),
      next: expect.stringContaining('get_forecast'),
    })
  })

  test('gives changes of the forecast and of the alerts in text and structure', async () => {
    const { structured, text } = await call({ ...before, alerts: [] }, { ...after, alerts: [flood] })
    expect(structured).toMatchObject({ unchanged: false, alerts: { issued: ['Flood Warning'], ended: [] } })
    expect(structured?.['changes']).toHaveLength(3)
    expect(text).toMatch(/^Alerts issued since .*: Flood Warning\.$/m)
    expect(text).toMatch(/^Sun, Nov 29, high: 49 °F, was 40 °F$/m)
  })

  test('says that nothing changed only if both answers have the forecast and the alerts', async () => {
    const same = { ...before, alerts: [] }
    const unchanged = await call(same, same)
    expect(unchanged.structured).toMatchObject({ unchanged: true, changes: [], alerts: { issued: [], ended: [] } })
    expect(unchanged.text).toMatch(/^No significant change of the forecast at Denver, CO since /m)
    const bare = await call({ alerts: [] }, same)
    expect(bare.structured).toMatchObject({ unchanged: null, changes: null })
    expect(bare.text).not.toMatch(/No significant change/)
    const unknown = await call(before, same)
    expect(unknown.structured).toMatchObject({ unchanged: null, changes: [], alerts: null })
    expect(unknown.text).toMatch(/It is not known whether an alert is in effect .* alerts of that time are not stored/)
  })
})
