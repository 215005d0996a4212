import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { alertServer } from './alert-server.ts'

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
