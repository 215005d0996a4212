import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServedRun } from '../../../api/contract.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Whether the read of the point with this number fails. */
let failsAt: (point: number) => boolean = () => false
let points = 0

/** Runs whose store is busy at some points. */
function sometimesBusy(current: Current): Current {
  const busy = (run: ServedRun | undefined): ServedRun | undefined => {
    const opened = run?.opened
    if (!run || !opened) return run
    const point = async (cell: string) => {
      if (failsAt(points++)) throw new Fault('Refused', 'the store is busy. Try again.')
      return opened.point(cell)
    }
    const changed = { ...opened, variables: opened.variables, point }
    return { ...run, opened: changed, open: async () => changed }
  }
  return { ...current, served: (dataset, domain) => busy(current.served(dataset, domain)) }
}

let sky: SkyServer
beforeAll(async () => {
  const now = Date.now()
  sky = await skyServer({ coarse: 10, frames: [], models: sometimesBusy(analyticCurrent(now, runsAt(now), [])) })
}, 120_000)
afterAll(() => sky.close())

const field = { lat: 39.74, lon: -104.99, product: 'nbm:temperature', zoom: 8, width: 300, height: 300 }

const draw = async (input: Record<string, unknown> = field) => {
  const drawn = await sky.client.callTool({ name: 'get_map_snapshot', arguments: input })
  const content = drawn.content as readonly { type: string; text?: string }[]
  return { isError: drawn.isError === true, text: content.find(({ type }) => type === 'text')?.text ?? '' }
}

test('a map of a field that cannot be read is an error that may pass, not a field without values', async () => {
  failsAt = () => true
  const { isError, text } = await draw()
  expect(isError).toBe(true)
  expect(text).not.toMatch(/has no temperature/)
  expect(text).toMatch(/busy|could not be read|unavailable/i)
})

test('a map says how many of its points could not be read', async () => {
  points = 0
  failsAt = (point) => point % 10 === 0
  const { isError, text } = await draw()
  expect(isError).toBe(false)
  expect(text).toMatch(/\d+ of \d+ points of nbm could not be read at this time/)
})

test('a layer that cannot be read may be left out of a scene', async () => {
  failsAt = () => true
  const scene = {
    scene: '1',
    view: { center: { lat: 39.74, lon: -104.99 }, zoom: 8 },
    layers: [{ type: 'weather', product: 'nbm:temperature', onError: 'skip' }, { type: 'alerts' }],
  }
  const { isError, text } = await draw({ width: 300, height: 300, scene })
  expect(isError).toBe(false)
  expect(text).toMatch(/the layer weather is not drawn/)
})
