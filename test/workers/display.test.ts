import { expect, test } from 'vitest'
import { display } from '../../bin/display.ts'

test('prints the same error once a minute, with the number of repetitions', () => {
  let now = 0
  const lines: string[] = []
  const show = display(
    () => now,
    (text) => void lines.push(text.trim()),
    false,
  )
  const full = (worker: number) => new Error(`no space left on device (Queue: watchRuns, Worker: ${worker})`)
  for (let k = 0; k < 240; k++, now += 500) show.problem('queue', full(k))
  show.problem('queue', new Error('something else'))
  expect(lines).toEqual([
    '1970-01-01T00:00:00Z  ! queue: no space left on device',
    '1970-01-01T00:01:00Z  ! queue: no space left on device (repeated 119 times since)',
    '1970-01-01T00:02:00Z  ! queue: something else',
  ])
})

test('prints one line for a stage, even if it is planned and sampled several times', () => {
  let now = 0
  const lines: string[] = []
  const show = display(
    () => now,
    (text) => void lines.push(text.trim()),
    false,
  )
  const run = { dataset: 'nbm', domain: 'conus', run: '2026-11-22T22Z' }
  for (let attempt = 0; attempt < 3; attempt++) {
    show.step({ step: 'plan', ...run, detail: 'stage 1: 100 files', total: 100 })
    for (let file = 0; file < 100; file++, now += 10) show.step({ step: 'sample', ...run, detail: 'hour', done: 1 })
  }
  show.step({ step: 'publish', ...run, detail: 'already' })
  for (let remaining = 9; remaining > 0; remaining--)
    show.step({ step: 'plan', ...run, detail: `nbm/conus/2026-11-22T22Z: waiting for ${remaining} files of stage 2` })
  for (let frame = 0; frame < 500; frame++, now += 1000) show.step({ step: 'frame', dataset: 'glm', domain: 'conus' })
  expect(lines).toEqual([
    '1970-01-01T00:00:03Z  nbm conus 2026-11-22T22Z: stage 1 already published, nothing changed, 100 files (3.0 s)',
    '1970-01-01T00:00:03Z  nbm conus 2026-11-22T22Z: waiting for 9 files of stage 2',
    '1970-01-01T00:00:03Z  glm: first frames',
    '1970-01-01T00:05:00Z  frames: 298 new in 5 min',
  ])
})

test('draws a table of the stages in progress below the lines on a terminal', () => {
  let now = 0
  let text = ''
  const show = display(
    () => now,
    (part) => {
      text += part
    },
    true,
  )
  show.step({ step: 'plan', dataset: 'hrrr', domain: 'conus', run: 'R', detail: 'stage 0: 4 files', total: 4 })
  now += 2000
  show.step({ step: 'sample', dataset: 'hrrr', domain: 'conus', run: 'R', done: 2 })
  expect(text).toContain('[##########..........] 2 of 4 files, 2 s left       hrrr conus R stage 0')
})

test('shows when the first complete answers are expected, until they are available', () => {
  let now = 0
  let text = ''
  const show = display(
    () => now,
    (part) => {
      text += part
    },
    true,
  )
  const row = (done: number) => {
    text = ''
    now += 2000
    show.step({ step: 'sample', dataset: 'nbm', domain: 'conus', run: 'R', done })
    return text
  }
  show.step({ step: 'first', detail: 'reading', total: 9 })
  show.step({ step: 'plan', dataset: 'nbm', domain: 'conus', run: 'R', detail: 'stage 0: 40 files', total: 40 })
  expect(row(0)).toContain(' first complete answers: not yet estimated\n')
  expect(row(4)).toContain(' first complete answers in about 36 s\n')
  show.step({ step: 'first', detail: 'answers have the next two days' })
  expect(row(4)).not.toContain('first complete answers')
})

test('cuts rows of the table at the width of the terminal, because a wrapped row would not be erased', () => {
  let now = 0
  const parts: string[] = []
  const show = display(
    () => now,
    (part) => void parts.push(part),
    true,
    () => 60,
  )
  const run = { dataset: 'gfs', domain: 'conus+alaska+hawaii', run: '2026-11-23T12Z' }
  show.step({ step: 'plan', ...run, detail: 'stage 0: 17 files', total: 17 })
  for (let file = 0; file < 5; file++, now += 1000) show.step({ step: 'sample', ...run, done: 1 })
  const rows = parts.filter((part) => part.includes('[' + '#')).map((part) => part.trimEnd())
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row.length).toBeLessThan(60)
  expect(rows.at(-1)).toContain('5 of 17 files')
})

test('prints text from upstream without line breaks and control characters', () => {
  const written: string[] = []
  const show = display(
    () => Date.UTC(2026, 7, 20),
    (text) => written.push(text),
    false,
  )
  const detail = `rejected urn:1\n2026-08-20T00:00:00Z  nws-alerts: 0 changes\u001b[2J\u202e${'x'.repeat(1e6)}`
  show.step({ step: 'feed', dataset: 'nws-alerts', detail })
  show.problem('worker', new Error(detail))
  expect(written).toHaveLength(2)
  for (const line of written) {
    expect(line).toMatch(/^2026-08-20T00:00:00Z {2}[^\n]*\n$/)
    for (const mark of ['\u001b', '\u202e']) expect(line).not.toContain(mark)
    expect(line.length).toBeLessThan(2100)
  }
})
