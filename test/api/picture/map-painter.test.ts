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

test('draws maps in threads, keeps the event loop free, and limits the maps of one caller', async () => {
  const painter = openMapPainter()
  try {
    await Promise.all(['a', 'b'].map((caller) => painter.paint(task(), caller, never)))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const limit = RUNNING_PER_CALLER + WAITING_PER_CALLER
    const own = Array.from({ length: limit + 2 }, () => painter.paint(task(1000, 1000), 'greedy', never))
    const order: string[] = []
    const modest = painter.paint(task(), 'modest', never).then(() => order.push('modest'))
    const settled = await Promise.allSettled(own.map(async (map, i) => map.then(() => order.push(`own ${i}`))))
    await modest
    delay.disable()
    const refused = settled.filter((result) => result.status === 'rejected')
    expect(refused.length).toBe(2)
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(isFault(reason, 'Refused')).toBe(true)
      expect(reason.details).toMatchObject({ perCaller: true, retryAfter: 5 })
    }
    // The queue of the first caller does not delay the map of the second.
    expect(order.indexOf('modest')).toBeLessThan(3)
    // Drawing takes hundreds of milliseconds. A machine under load may still delay a turn of the event loop.
    expect(delay.percentile(95) / 1e6).toBeLessThan(60)
  } finally {
    await painter.close()
  }
})

test('does not draw a map that is aborted while it waits', async () => {
  const painter = openMapPainter(1)
  try {
    const aborter = new AbortController()
    const first = painter.paint(task(), 'a', never)
    const second = painter.paint(task(), 'a', aborter.signal)
    const third = painter.paint(task(), 'b', never)
    aborter.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    for (const { png } of await Promise.all([first, third])) expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  } finally {
    await painter.close()
  }
})

test('draws other maps after a map that cannot be drawn', async () => {
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
