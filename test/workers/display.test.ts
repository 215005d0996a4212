import { expect, test } from 'vitest'
import { display } from '../../workers/display.ts'

test('the same trouble is said once a minute, with how often it came since', () => {
  let now = 0
  const lines: string[] = []
  const show = display(
    () => now,
    (text) => void lines.push(text.trim()),
  )
  const full = (worker: number) => new Error(`no space left on device (Queue: watchRuns, Worker: ${worker})`)
  for (let k = 0; k < 240; k++, now += 500) show.trouble('queue', full(k))
  show.trouble('queue', new Error('something else'))
  expect(lines).toEqual([
    '0.0 s  ! queue: no space left on device',
    '60.0 s  ! queue: no space left on device (and 119 times since)',
    '120.0 s  ! queue: something else',
  ])
})
