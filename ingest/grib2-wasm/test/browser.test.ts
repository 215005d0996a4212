import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { craftSimple } from './craft.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** Needs a browser of the system (Debian: chromium); skipped without one. */
test.skipIf(!browserPath)('the compiled package runs in a browser, without threads and without Node', async () => {
  const work = mkdtempSync(join(tmpdir(), 'grib2-wasm-browser-'))
  const octets = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8, { scan: 0x10 })
  const server = createServer(({ url = '/' }, response) => {
    const path = join(work, normalize(url))
    if (url === '/') response.setHeader('content-type', 'text/html').end('<!doctype html><title>grib2-wasm</title>')
    else if (url === '/message') response.end(octets)
    else if (existsSync(path)) response.setHeader('content-type', 'text/javascript').end(readFileSync(path))
    else response.writeHead(404).end()
  })
  const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] })
  try {
    for (const folder of ['src', 'tsconfig.build.json', 'package.json'])
      symlinkSync(join(root, folder), join(work, folder))
    const tsc = join(root, '../../node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(work, 'dist')])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const read = (await page.evaluate(`(async () => {
      const { readMessages } = await import('/dist/index.js')
      const octets = new Uint8Array(await (await fetch('/message')).arrayBuffer())
      return [...readMessages(octets)].map((one) => [one.product.name, ...one.values()])
    })()`)) as unknown
    expect(read).toEqual([['TMP', 1, 2, 3, 6, 5, 4]])
  } finally {
    await browser.close()
    server.close()
    rmSync(work, { recursive: true, force: true })
  }
})
