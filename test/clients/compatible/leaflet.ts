import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launch } from '../../pages/browser.ts'

/** Frames and tiles that a map in a browser has read. */
export interface MapCounts {
  readonly frames: number
  readonly tiles: number
  readonly failed: number
  /** Tiles with an echo. */
  readonly painted: number
}

/** Plays the radar of `/rainviewer` with the installed Leaflet in Chromium. @param folder with `node_modules` and the page */
export async function playRadar(base: string, folder: string, page: string): Promise<MapCounts> {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!existsSync(path)) return void response.writeHead(404).end()
    const type = { html: 'text/html', js: 'text/javascript', css: 'text/css' }[path.split('.').at(-1) ?? '']
    response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' })
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launch(false)
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${page}`)
    const play = (at: string) => (globalThis as unknown as { play(at: string): Promise<MapCounts> }).play(at)
    return await tab.evaluate(play, `${base}/rainviewer`)
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
