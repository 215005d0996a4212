import { expect, test } from 'vitest'
import { findSpot } from '../../../api/dataset/spot.ts'
import type { ToolContext } from '../../../api/mcp/protocol/context.ts'
import { gatherLayer } from '../../../api/mcp/query/map-layers.ts'
import { placeLines } from '../../../api/mcp/tools/compare-locations.ts'
import { getForecast } from '../../../api/mcp/tools/get-forecast.ts'
import { units } from '../../../api/present/units.ts'
import { HOUR } from '../../../ingest/domain/time.ts'

const now = Date.parse('2026-11-28T18:00:00Z')
/** A context whose answer has the given sections and a fresh alert feed without a warning. */
const context = (sections: object) => {
  const freshness = [{ source: 'nws-alerts', product_id: 'nws-alerts', reference_time: null, age_seconds: 20 }]
  const meta = { generated_at: new Date(now).toISOString(), warnings: [], freshness }
  const value = { attribution: { sources: [], notice: '' }, units: units.imperial.labels, meta, ...sections }
  return {
    now,
    signal: new AbortController().signal,
    reused: () => undefined,
    deps: {
      usedAnswers: new WeakSet(),
      weather: { value: async () => ({ value }) },
      values: { datasets: [] },
    },
  } as unknown as ToolContext
}

test('does not answer that there is no alert if the answer has no list of alerts', async () => {
  const input = { location: 'Denver, CO', units: 'imperial', include: 'alerts', days: 1, detail_level: 'standard' }
  const { text } = await getForecast.run(input, context({}))
  expect(text).not.toMatch(/No active alerts/)
  expect(text).toMatch(/It is not known whether an alert is in effect here: the NWS alert feed could not be read\./)
})

test('sums the amounts of single hours only', () => {
  const valid_times = Array.from({ length: 12 }, (_, i) => new Date(now + i * HOUR).toISOString())
  const spot = findSpot({ location: 'Denver, CO' })
  const names = ['precip_amount', 'snow_amount_6h']
  const data = Object.fromEntries(names.map((name) => [name, valid_times.map(() => 0.5)]))
  const row = { location: { name: 'Denver, CO' }, data, valid_times }
  const hours = { variables: names, hours: 12, familyId: 'nbm' }
  const labels = Object.fromEntries(names.map((name) => [name, 'in']))
  const [line] = placeLines([{ spot, row }], { ...hours, labels })
  expect(line).toMatch(/precip amount 0\.5 to 0\.5 in \(from Sat 11 AM: 3 in; Sat 5 PM: 3 in\)/)
  expect(line).toMatch(/snow amount 6h 0\.5 to 0\.5 in \(from Sat 11 AM: 0\.5 in; Sat 5 PM: 0\.5 in\)/)
})

test('says for which times a layer without history can be drawn', async () => {
  const options = { time: now + 5 * HOUR } as unknown as Parameters<typeof gatherLayer>[3]
  await expect(gatherLayer(context({}), { type: 'alerts' }, 'layers.0', options)).rejects.toThrow(
    'time must be within 3.0 h of now (2026-11-28T18:00:00Z) for alerts, which can only be drawn as they are now, but was 2026-11-28T23:00:00Z.',
  )
})
