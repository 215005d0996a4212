import { expect, test } from 'vitest'
import {
  currentUntil,
  segmentOf,
  type TextSegment,
  textListName,
  textLists,
  textListUrl,
  wfoOf,
} from '../../../ingest/domain/text/product.ts'
import { HOUR } from '../../../ingest/domain/time.ts'

test('keeps each kind of text current for its own time', () => {
  const until = (kind: Parameters<typeof currentUntil>[0], endsIn?: number) =>
    currentUntil(kind, 0, endsIn === undefined ? undefined : endsIn * HOUR) / HOUR
  expect([until('afd', 3), until('afd')]).toEqual([24, 24])
  expect([until('hwo', 30), until('hwo')]).toEqual([30, 24])
  expect([until('now', 2), until('now')]).toEqual([2, 6])
  expect([until('hls', 8), until('hls', 20), until('hls')]).toEqual([8, 12, 12])
  expect([until('mcd', 2), until('mpd', 9), until('swo', 150)]).toEqual([2, 9, 150])
  expect([until('pmd', 1), until('pmd')]).toEqual([36, 36])
})

test('returns the segment of a zone, else of the county, also for whole states', () => {
  const segment = (...zones: string[]): TextSegment => ({ zones, body: zones.join(), sections: {} })
  const segments = [segment('COZ040'), segment('COC031'), segment('NEZ000')]
  const bodyFor = (...zones: (string | undefined)[]) => segmentOf(segments, zones)?.body
  expect([bodyFor('COZ040', 'COC031'), bodyFor('COZ041', 'COC031'), bodyFor(undefined, 'COC031')]).toEqual([
    'COZ040',
    'COC031',
    'COC031',
  ])
  expect([bodyFor('NEZ012'), bodyFor('WYZ001', 'WYC001'), bodyFor(undefined, undefined)]).toEqual([
    'NEZ000',
    undefined,
    undefined,
  ])
})

test('offices', () => {
  expect(['KBOX', 'PAFC', 'PAFG', 'PAJK', 'PHFO', 'PGUM', 'TJSJ', 'NSTU'].map(wfoOf)).toEqual([
    'BOX',
    'AFC',
    'AFG',
    'AJK',
    'HFO',
    'GUM',
    'SJU',
    'PPG',
  ])
})

test('names the lists', () => {
  expect(textLists.map(textListName)).toContain('text/swo-d48')
  expect(new Set(textLists.map(textListName)).size).toBe(11)
  expect(textListUrl({ type: 'FFG', location: 'MPD', kind: 'mpd' })).toBe(
    'https://api.weather.gov/products/types/FFG/locations/MPD',
  )
  expect(textListUrl({ type: 'AFD', kind: 'afd' })).toBe('https://api.weather.gov/products/types/AFD')
})
