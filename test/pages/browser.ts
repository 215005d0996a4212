import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The Debian package chromium, or another that is installed; undefined where there is none. */
export const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** WebGL is drawn by the processor: machines of tests have no other. */
export const webGlFlags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

export function launch(webGl = true): Promise<Browser> {
  return chromium.launch({
    executablePath: program!,
    args: webGl ? webGlFlags : ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'],
  })
}

export interface Visit {
  readonly page: Page
  /** Of every request. */
  readonly hosts: Set<string>
  readonly paths: string[]
  /** Errors of scripts and of the console. */
  readonly faults: string[]
}

export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options })
  const page = await context.newPage()
  const found: Visit = { page, hosts: new Set(), paths: [], faults: [] }
  page.on('request', (request) => {
    const { host, pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http')) found.hosts.add(host)
    found.paths.push(pathname)
  })
  page.on('pageerror', (error) => found.faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && found.faults.push(message.text()))
  await page.goto(address)
  return found
}
