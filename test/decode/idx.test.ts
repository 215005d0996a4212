import { expect, test } from 'vitest'
import { idxLimits, idxWindow, readIdx } from '../../ingest/decode/idx.ts'
import { isFault } from '../../ingest/domain/fault.ts'

const run = 'd=2026080512'

test('ends a message where the next begins, and the last message at the end of the file', () => {
  const text = `1:0:${run}:TMP:2 m above ground:6 hour fcst:\n2:100:${run}:DPT:2 m above ground:6 hour fcst:\n`
  expect(readIdx(text).map(({ offset, length }) => [offset, length])).toEqual([
    [0, 100],
    [100, undefined],
  ])
  expect(readIdx(text, 250)[1]).toMatchObject({ offset: 100, length: 150, run: Date.UTC(2026, 7, 5, 12) })
})

test('gives the fields of one message the same byte range', () => {
  const text = `1.1:0:${run}:UGRD:10 m above ground:anl:\n1.2:0:${run}:VGRD:10 m above ground:anl:\n2:90:${run}:TMP:surface:anl:\n`
  expect(readIdx(text, 120).map(({ number, offset, length }) => [number, offset, length])).toEqual([
    ['1.1', 0, 90],
    ['1.2', 0, 90],
    ['2', 90, 30],
  ])
})

test('rejects a file that is not an index, and quotes its line', () => {
  const wrong = [['<html><body>Access denied</body></html>', /line 1: expected number:offset/]] as const
  for (const [text, message] of wrong) {
    expect(() => readIdx(text, undefined, 'x.idx')).toThrow(message)
  }
})

test('loses only the field of a line with an unreadable description, and ends the message before at its offset', () => {
  const text = `1:0:${run}:TMP:surface:anl:\n2:100:d=unknown:DPT:surface:anl:\n3:250:${run}:RH:surface:anl:\n`
  expect(readIdx(text, 300).map(({ number, offset, length }) => [number, offset, length])).toEqual([
    ['1', 0, 100],
    ['3', 250, 50],
  ])
  expect(() => readIdx(text.replaceAll(run, 'd=?'), 300)).toThrow(/expected number:offset/)
  expect(() => readIdx(text.slice(0, text.indexOf('known')), 300)).toThrow(/line 2: expected number:offset/)
  expect(() => readIdx(text.replace('2:100', '2'), 300)).toThrow(/line 2: expected number:offset/)
})

test('rejects an index that extends beyond the end of its file as that of another version', () => {
  try {
    readIdx(`1:0:${run}:A:b:anl:\n2:500:${run}:C:d:anl:\n`, 400)
    expect.unreachable()
  } catch (error) {
    expect(isFault(error, 'Corrupt') && error.details['stale']).toBe(true)
  }
})

test.each([
  ['APCP:surface:0-1 day acc fcst:', 0, 24],
  ['APCP:surface:18-24 hour acc fcst:', 18, 24],
  ['ASNOW:surface:0-6 hour acc@(fcst,dt=6 hour),missing=0:10% level', 0, 6],
  ['TMP:2 m above ground:6 hour fcst:', 6, 6],
  ['TMP:2 m above ground:1 day fcst:', 24, 24],
  ['TMP:2 m above ground:anl:', 0, 0],
  ['DSWRF:surface:15-30 min ave fcst:', 0.25, 0.5],
])('reads the window of %s', (text, from, to) => {
  expect(idxWindow(text)).toEqual({ from, to })
})

test('returns undefined for an unknown window', () => {
  expect(idxWindow('THUNC:entire atmosphere:strange:')).toBeUndefined()
})

test.each([
  ['CEIL:cloud ceiling:6 hour fcst:prob <914.5:prob fcst 5/7:probability forecast', { below: 914.5 }],
  ['APCP:surface:5-6 hour acc fcst:prob >0.254:prob fcst 255/255', { above: 0.254 }],
  ['PTYPE:surface:6 hour fcst:prob >=3 <4:prob fcst 1/1', { between: [3, 4] }],
  ['TSTM:surface:5-6 hour acc fcst:probability forecast', undefined],
])('reads the limits of %s', (text, limits) => {
  expect(idxLimits(text)).toEqual(limits)
})
