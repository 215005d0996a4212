import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Path of an installed Chromium; undefined if there is none. */
export const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** Flags with which the processor draws WebGL, since test machines have no graphics processor. */
export const webGlFlags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

/** Starts a browser. */
export function launch(webGl = true): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: webGl ? webGlFlags : ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'],
  })
}

export interface Visit {
  readonly page: Page
  /** Hosts of all requests. */
  readonly hosts: Set<string>
  readonly paths: string[]
  /** Errors of scripts and errors in the console. */
  readonly faults: string[]
}

/** Opens a page, and records its requests and errors. */
export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options })
  const page = await context.newPage()
  const record: Visit = { page, hosts: new Set(), paths: [], faults: [] }
  page.on('request', (request) => {
    const { host, pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http')) record.hosts.add(host)
    record.paths.push(pathname)
  })
  page.on('pageerror', (error) => record.faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && record.faults.push(message.text()))
  await page.goto(address)
  return record
}
