import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { HOUR } from '../../ingest/domain/time.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { coverAround, storeAmount, storeRun } from '../api/past-store.ts'
import { type SkyServer, skyServer } from '../api/sky-server.ts'
import { alertServer } from './alert-server.ts'
import { readZones } from './read-zones.ts'

const python = process.env['HOME_ASSISTANT_PYTHON']

test.skipIf(!python)(
  'runs the integration in Home Assistant with a running server (skipped: pip install pytest-homeassistant-custom-component httpx-sse, HOME_ASSISTANT_PYTHON=…)',
  { timeout: 400_000 },
  async () => {
    const server = await alertServer()
    const control = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const word = (name: string) => searchParams.get(name) ?? ''
      if (pathname === '/issue') await server.issue(word('id'), word('event'), word('severity'))
      else await server.clear()
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
    const env = {
      ...process.env,
      HEXCAST_URL: server.edge.base,
      HEXCAST_KEY: await server.edge.key(),
      HEXCAST_CONTROL: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    }
    const words = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--color=no', '.']
    const child = spawn(String(python), words, {
      cwd: 'api/client/home-assistant',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += String(part)))
    const [status] = await once(child, 'close')
    control.closeAllConnections()
    control.close()
    await server.close()
    expect(printed.slice(-6000)).toMatch(/\d+ passed/)
    expect(
      [status, /failed|error|skipped/.exec(printed.split('\n').slice(-3).join('\n'))],
      printed.slice(-6000),
    ).toEqual([0, null])
  },
)

test.skipIf(!python)(
  "sets up Home Assistant's own nws and open_meteo with a running server (skipped: pip install pynws open-meteo too)",
  { timeout: 400_000 },
  async () => {
    const sky = await skyServer({ coarse: 10, frames: [] })
    await readZones(sky)
    await storeDay(sky)
    const read = async (path: string) =>
      (await fetch(sky.base + path, { headers: { authorization: `Bearer ${sky.key}` } })).json()
    const place = 'lat=39.74&lon=-104.99&units=metric'
    const { observations } = await read(`/v1/observations?${place}`)
    const { current } = await read(`/v1/weather?${place}&include=current`)
    const expected = {
      station: observations[0].station_id,
      reported: observations[0].temperature,
      temperature: current.temperature,
    }
    const child = spawn(String(python), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--color=no', '.'], {
      cwd: 'test/cases/home-assistant',
      env: { ...process.env, BASE: sky.base, EXPECTED: JSON.stringify(expected) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += String(part)))
    const [status] = await once(child, 'close')
    await sky.close()
    expect([status, printed.slice(-6000)]).toEqual([0, expect.stringContaining('3 passed')])
  },
)

/** Stores the analyses and measured amounts of the last day, since strict readers of Open-Meteo take no null. */
async function storeDay({ database, objects }: SkyServer): Promise<void> {
  const pool = openPool({ threads: 1 })
  const cover = coverAround([[39.74, -104.99]])
  const thisHour = Math.floor(Date.now() / HOUR) * HOUR
  for (let hour = 25; hour >= 0; hour--) {
    const values = { temperature: 280, dew_point: 275, wind_speed: 5, wind_direction: 270, cloud_cover: 60 }
    const stored = Object.entries({ ...values, visibility: 9000 }).map(([name, value]) => [name, { 0: value }])
    const at = thisHour - hour * HOUR
    await storeRun({ database, objects, pool }, cover, 'rtma', at, Object.fromEntries(stored))
    await storeAmount({ database, objects, pool }, 'mrms-qpe-1h', at, 0)
  }
  await pool.close()
}
