import { expect, test } from 'vitest'
import { MINUTE } from '../../../ingest/domain/time.ts'
import { judgeOnset, type OnsetState } from '../../../ingest/domain/weather/onset.ts'

const begin = Date.parse('2026-07-04T12:00:00Z')
const WITHIN = 60

/** Scans every ten minutes: minutes from the scan to the first wet step, null for none, 'blind' for no coverage. @returns scans that reported */
function reports(scans: readonly (number | null | 'blind')[], state?: OnsetState): number[] {
  let known = state
  return scans.flatMap((starts, i) => {
    const anchor = begin + i * 10 * MINUTE
    const startsAt = typeof starts === 'number' ? anchor + starts * MINUTE : undefined
    const judged = judgeOnset(known, { anchor, startsAt, blind: starts === 'blind' }, anchor + MINUTE, WITHIN)
    known = judged.state
    return judged.begins ? [i] : []
  })
}

test('reports each episode once, when rain is due within the minutes, and not again while it approaches or falls', () => {
  expect(reports([null, 80, 70, 55, 45, 20, 0, 0, 0])).toEqual([3])
  expect(reports([40, 30, 20])).toEqual([0])
})

test('does not report rain that already falls at the first check, but the next rain', () => {
  expect(reports([0, 0, null, null, null, null, 50])).toEqual([6])
})

test('reports rain that was not forecast when it begins', () => {
  expect(reports([null, 0, 0])).toEqual([1])
})

test('counts rain with short gaps as one episode, and rain after half an hour of dry weather as the next', () => {
  expect(reports([50, null, 45, null, 30])).toEqual([0])
  expect(reports([50, null, null, null, null, 45])).toEqual([0, 5])
})

test('treats a lack of coverage as neither dry nor wet', () => {
  expect(reports([50, 'blind', 'blind', 'blind', 'blind', 45])).toEqual([0])
  expect(reports(['blind', 'blind', 40])).toEqual([])
  expect(reports([null, 'blind', 40])).toEqual([2])
})

test('ignores a scan that was processed before', () => {
  const before: OnsetState = { anchor: begin, armed: true, dryFrom: begin }
  expect(judgeOnset(before, { anchor: begin, startsAt: begin, blind: false }, begin, WITHIN)).toEqual({
    state: before,
    begins: false,
  })
})
