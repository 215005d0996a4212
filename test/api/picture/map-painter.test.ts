import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { openMapPainter, RUNNING_PER_CALLER, WAITING_PER_CALLER } from '../../../api/picture/map-painter.ts'
import type { MapTask } from '../../../api/picture/map-task.ts'
import { isFault } from '../../../ingest/domain/fault.ts'

const task = (width = 900, height = 560): MapTask => ({
  lat: 39.7,
  lon: -105,
  zoom: 5,
  width,
  height,
  layers: [
    {
      kind: 'areas',
      areas: [{ rings: [Float64Array.of(-106, 39, -104, 39, -104, 41, -106, 39)], colour: '#d1241c', opacity: 0.25 }],
    },
  ],
  names: [{ name: 'Tornado Warning', colour: '#d1241c' }],
  caption: 'NOAA, Hexcast',
  towns: [{ name: 'Denver', lat: 39.74, lon: -104.98, population: 700_000 }],
})
const never = new AbortController().signal

test('maps are drawn in threads: the event loop stays free, and one caller takes no more than its share', async () => {
  const painter = openMapPainter()
  try {
    await Promise.all(['a', 'b'].map((caller) => painter.paint(task(), caller, never)))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const most = RUNNING_PER_CALLER + WAITING_PER_CALLER
    const own = Array.from({ length: most + 2 }, () => painter.paint(task(1000, 1000), 'greedy', never))
    const order: string[] = []
    const other = painter.paint(task(), 'other', never).then(() => order.push('other'))
    const settled = await Promise.allSettled(own.map(async (one, i) => one.then(() => order.push(`own ${i}`))))
    await other
    delay.disable()
    const refused = settled.filter((one) => one.status === 'rejected')
    expect(refused.length).toBe(2)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(isFault(reason, 'Refused')).toBe(true)
      expect(reason.details).toMatchObject({ perCaller: true, retryAfter: 5 })
    }
    // The map of the other caller is not delayed by the queue of the first.
    expect(order.indexOf('other')).toBeLessThan(3)
    // Drawing takes hundreds of milliseconds; a machine under load may still delay a turn.
    expect(delay.percentile(95) / 1e6).toBeLessThan(60)
  } finally {
    await painter.close()
  }
})

test('a map that is given up while it waits is not drawn; the others are', async () => {
  const painter = openMapPainter(1)
  try {
    const gone = new AbortController()
    const first = painter.paint(task(), 'a', never)
    const second = painter.paint(task(), 'a', gone.signal)
    const third = painter.paint(task(), 'b', never)
    gone.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    const [one, other] = await Promise.all([first, third])
    for (const { png } of [one, other]) expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  } finally {
    await painter.close()
  }
})

test('a task that cannot be drawn fails alone', async () => {
  const painter = openMapPainter(1)
  try {
    await expect(painter.paint({ ...task(), layers: [{ kind: 'field' } as never] }, 'a', never)).rejects.toThrow(
      /^map: /,
    )
    expect((await painter.paint(task(), 'a', never)).figures).toEqual([null])
  } finally {
    await painter.close()
  }
})
