import { expect, test } from 'vitest'
import { display } from '../../bin/display.ts'

test('the same error is printed once a minute, with its count since', () => {
  let now = 0
  const lines: string[] = []
  const show = display(
    () => now,
    (text) => void lines.push(text.trim()),
    false,
  )
  const full = (worker: number) => new Error(`no space left on device (Queue: watchRuns, Worker: ${worker})`)
  for (let k = 0; k < 240; k++, now += 500) show.trouble('queue', full(k))
  show.trouble('queue', new Error('something else'))
  expect(lines).toEqual([
    '1970-01-01T00:00:00Z  ! queue: no space left on device',
    '1970-01-01T00:01:00Z  ! queue: no space left on device (and 119 times since)',
    '1970-01-01T00:02:00Z  ! queue: something else',
  ])
})

test('a stage is worth one line, however often it is planned and sampled again', () => {
  let now = 0
  const lines: string[] = []
  const show = display(
    () => now,
    (text) => void lines.push(text.trim()),
    false,
  )
  const about = { dataset: 'nbm', domain: 'conus', run: '2026-11-22T22Z' }
  for (let again = 0; again < 3; again++) {
    show.step({ step: 'plan', ...about, what: 'stage 1: 100 files', total: 100 })
    for (let file = 0; file < 100; file++, now += 10) show.step({ step: 'sample', ...about, what: 'hour', done: 1 })
  }
  show.step({ step: 'publish', ...about, what: 'already' })
  for (let left = 9; left > 0; left--)
    show.step({ step: 'plan', ...about, what: `nbm/conus/2026-11-22T22Z: waiting for ${left} files of stage 2` })
  for (let frame = 0; frame < 500; frame++, now += 1000) show.step({ step: 'frame', dataset: 'glm', domain: 'conus' })
  expect(lines).toEqual([
    '1970-01-01T00:00:03Z  nbm conus 2026-11-22T22Z: stage 1 already published, nothing changed, 100 files (3.0 s)',
    '1970-01-01T00:00:03Z  nbm conus 2026-11-22T22Z: waiting for 9 files of stage 2',
    '1970-01-01T00:00:03Z  glm: first frames',
    '1970-01-01T00:05:00Z  frames: 298 new in 5 min',
  ])
})

test('on a terminal a table of what is worked on stands below the lines', () => {
  let now = 0
  let text = ''
  const show = display(
    () => now,
    (part) => {
      text += part
    },
    true,
  )
  show.step({ step: 'plan', dataset: 'hrrr', domain: 'conus', run: 'R', what: 'stage 0: 4 files', total: 4 })
  now += 2000
  show.step({ step: 'sample', dataset: 'hrrr', domain: 'conus', run: 'R', done: 2 })
  expect(text).toContain('[##########..........] 2 of 4 files, 2 s left       hrrr conus R stage 0')
})

test('a row of the table is no wider than the terminal: one that wraps would not be erased', () => {
  let now = 0
  const parts: string[] = []
  const show = display(
    () => now,
    (part) => void parts.push(part),
    true,
    () => 60,
  )
  const about = { dataset: 'gfs', domain: 'conus+alaska+hawaii', run: '2026-11-23T12Z' }
  show.step({ step: 'plan', ...about, what: 'stage 0: 17 files', total: 17 })
  for (let file = 0; file < 5; file++, now += 1000) show.step({ step: 'sample', ...about, done: 1 })
  const rows = parts.filter((part) => part.includes('[' + '#')).map((part) => part.trimEnd())
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row.length).toBeLessThan(60)
  expect(rows.at(-1)).toContain('5 of 17 files')
})

test('what upstream has written neither begins a line of its own nor moves the cursor', () => {
  const written: string[] = []
  const show = display(
    () => Date.UTC(2026, 7, 20),
    (text) => written.push(text),
    false,
  )
  const what = `rejected urn:1\n2026-08-20T00:00:00Z  nws-alerts: 0 changes\u001b[2J\u202e${'x'.repeat(1e6)}`
  show.step({ step: 'feed', dataset: 'nws-alerts', what })
  show.trouble('worker', new Error(what))
  expect(written).toHaveLength(2)
  for (const line of written) {
    expect(line).toMatch(/^2026-08-20T00:00:00Z {2}[^\n]*\n$/)
    for (const mark of ['\u001b', '\u202e']) expect(line).not.toContain(mark)
    expect(line.length).toBeLessThan(2100)
  }
})
