import { expect, test } from 'vitest'
import { Notes } from '../../../api/answer/notes.ts'
import { freshnessOf } from '../../../api/present/meta.ts'
import { rtma } from '../../../ingest/datasets/rtma.ts'

const at = (time: string) => Date.parse(`2026-01-02T${time}Z`)
const datasets = new Map([[rtma.id, rtma]])
const entry = (run: string, available: string) => ({
  source: rtma.id,
  product_id: rtma.id,
  referenceTime: at(run),
  availableAt: at(available),
})

/** The analysis, and the tile of passed hours that was built from it. */
const pairs = [
  [entry('00:00:00', '00:36:03'), entry('00:00:00', '00:36:06')],
  [entry('01:00:00', '01:36:03'), entry('00:00:00', '00:36:06')],
] as const

test.each(pairs)(
  'the freshness of a product does not depend on the order in which its tiles were read',
  (best, other) => {
    const freshnessFor = (list: readonly ReturnType<typeof entry>[]) => {
      const notes = new Notes()
      notes.freshness.push(...list)
      notes.settle(datasets)
      return freshnessOf(notes.freshness, at('02:00:00'))
    }
    expect(freshnessFor([other, best])).toEqual(freshnessFor([best, other]))
    expect(freshnessFor([other, best])).toMatchObject([
      { available_at: new Date(best.availableAt).toISOString().replace('.000', '') },
    ])
  },
)
