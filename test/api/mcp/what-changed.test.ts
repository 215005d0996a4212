import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DayValue } from '../../../api/answer/value.ts'
import { findSpot } from '../../../api/dataset/spot.ts'
import { changesOf, isUnchanged, linesOf } from '../../../api/mcp/tools/what-changed.ts'
import { units } from '../../../api/present/units.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

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

test('says that nothing changed only where forecast and alerts were compared', () => {
  const change = { date: '2026-11-29', member: 'high', before: 40, after: 49, significance: 3 } as const
  expect(isUnchanged([], none)).toBe(true)
  expect([isUnchanged(null, none), isUnchanged([], null), isUnchanged(null, null)]).toEqual([null, null, null])
  expect([isUnchanged([change], null), isUnchanged(null, { ...none, ended: ['Flood Warning'] })]).toEqual([
    false,
    false,
  ])
})

describe('what_changed', () => {
  let sky: SkyServer
  beforeAll(async () => {
    sky = await skyServer({ frames: [] })
  }, 300_000)
  afterAll(async () => sky.close())

  test('says what changed, or that the earlier forecast is not stored', async () => {
    const result = (await sky.client.callTool({
      name: 'what_changed',
      arguments: { location: 'Denver, CO' },
    })) as unknown as Result
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    if (result.isError) {
      expect(text).toMatch(/^Error \(no-data\)/)
      return
    }
    const { changes, unchanged } = result.structuredContent as { changes: object[] | null; unchanged: boolean | null }
    expect(text.includes('Changes of the forecast at Denver, CO')).toBe((changes ?? []).length > 0)
    expect(text.includes('No significant change')).toBe(changes?.length === 0)
    expect(text.includes('not known whether the forecast')).toBe(changes === null)
    if (unchanged !== null) expect(unchanged).toBe(!/^(?:Changes of|Alerts (?:issued|ended))/m.test(text))
  })
})
