/**
 * Checks every page in both themes and both sizes: `npm run look -- [FOLDER]`. It writes pictures to FOLDER or to a temporary folder. With
 * `--audit` it installs axe and Lighthouse in that folder, outside the repository, and prints their findings. The exit status is 1 if there
 * are findings.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { launch, program, visit, webGlFlags } from './browser.ts'
import { pageServer } from './page-server.ts'

const AXE = 'axe-core@4.14.1'
const LIGHTHOUSE = 'lighthouse@12.8.2'
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 1000 } } as const
const paths = [
  ...['/', '/denver-co', '/39.05,-94.6?units=metric', '/utqiagvik-ak', '/honolulu-hi', '/nowhere-at-all-co'],
  ...['/docs', '/docs/quickstart', '/docs/fields', '/docs/icons', '/docs/alerts', '/docs/time', '/docs/caching'],
  ...[
    '/docs/self-hosting',
    '/docs/formats',
    '/docs/webhooks',
    '/docs/keys',
    '/docs/plans',
    '/docs/agents',
    '/docs/mcp',
    '/docs/x402',
    '/docs/api',
  ],
  ...['/status', '/developer', '/no/such/page'],
  ...[
    '/skill',
    '/skill?variable=precip_probability&units=metric',
    '/skill?variable=flight_category&state=CO',
    '/skill?area=nowhere',
  ],
  ...['/errors', '/errors/not-found', '/acknowledgements'],
]

const audit = process.argv.includes('--audit')
const folderArgument = process.argv.slice(2).find((word) => !word.startsWith('--'))
const only = process.argv
  .slice(2)
  .filter((word) => word.startsWith('--only='))
  .map((word) => word.slice(7))
if (!program) {
  console.error('look: chromium is not installed (Debian: apt-get install chromium)')
  process.exit(2)
}
const folder = folderArgument ?? (await mkdtemp(join(tmpdir(), 'hexcast-look-')))
await mkdir(folder, { recursive: true })
if (audit) {
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, AXE, LIGHTHOUSE], { stdio: 'inherit' })
}
const axe = audit ? await readFile(join(folder, 'node_modules/axe-core/axe.min.js'), 'utf8') : undefined

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

interface LighthouseResult {
  readonly categories: Readonly<Record<string, { readonly score: number }>>
  readonly audits: Readonly<Record<string, { readonly numericValue: number }>>
}

/** Checks the sign-in page, signs in and creates a key. */
async function signIn(page: Page): Promise<void> {
  report('/developer signed out', await findings(page))
  await page.getByLabel('The first key').fill(server.firstKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Name of a new key').fill('weather station')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.locator('.keys summary').first().click()
}

/** Scrolls over the page, so that parts which are laid out near the screen appear, and returns to the top. */
async function passOver(page: Page): Promise<void> {
  const height = page.viewportSize()?.height ?? 1000
  const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight)
  for (let at = 0; at < (await pageHeight()); at += height) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), at)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  }
  await page.evaluate(() => {
    scrollTo({ top: 0, behavior: 'instant' })
    // Otherwise the parts outside the screen would be empty again in the picture of the whole page.
    for (const element of document.querySelectorAll<HTMLElement>('*'))
      if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible'
  })
}

/** Findings about the current state of a page. */
async function findings(page: Page): Promise<string[]> {
  const layout: string[] = []
  // innerWidth cannot be used, since on a phone the viewport grows with overflowing content.
  const width = page.viewportSize()?.width ?? Number.NaN
  const excess = (await page.evaluate(() => document.documentElement.scrollWidth)) - width
  if (excess > 1) layout.push(`wider than the screen by ${excess} pixels`)
  if (axe === undefined) return layout
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResult>('axe.run()')
  return [
    ...layout,
    ...violations.map(
      ({ id, help, nodes }) =>
        `axe ${id}: ${help} (${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join('; ')})`,
    ),
  ]
}

const server = await pageServer({ coarse: 5, skill: true })
const warned = (await server.warned())?.path
if (warned) paths.push(warned)
let wrong = 0
const report = (where: string, list: readonly string[]) => {
  for (const line of list) console.log(`${where}: ${line}`)
  wrong += list.length
}
const browser = await launch()
try {
  for (const path of paths.filter(isWanted)) {
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const touch = size === 'phone' && { hasTouch: true, isMobile: true }
        const { page, faults, hosts } = await visit(browser, `${server.base}${path}`, {
          viewport,
          colorScheme,
          ...touch,
        })
        await page.waitForLoadState('networkidle')
        if (await page.locator('#board #map').count()) {
          await page.locator('#map').scrollIntoViewIfNeeded()
          await page.mouse.move(60, 400)
          await page.mouse.move(80, 420)
          await page.waitForSelector('.live.ready[data-radar]', { timeout: 60_000 }).catch(() => undefined)
        }
        const name = `${path.replace(/[^\w.-]+/g, '_').replace(/^_/, '') || 'home'}-${size}-${colorScheme}`
        // The browser reports the status of an error page in the console.
        const real = faults.filter((text) => !(/^\/no|=nowhere$/.test(path) && /40[04]/.test(text)))
        if (path === '/developer') await signIn(page)
        report(name, [
          ...real,
          ...[...hosts].filter((host) => host !== new URL(server.base).host),
          ...(await findings(page)),
        ])
        await passOver(page)
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
        await page.context().close()
      }
    }
  }
  if (audit) await runLighthouse()
} finally {
  await browser.close()
  await server.close()
}
console.log(`${wrong} findings; pictures in ${folder}`)
process.exitCode = wrong > 0 ? 1 : 0

/** Returns true if a page is to be checked. `--only=warned` stands for the place with a warning. */
function isWanted(path: string): boolean {
  return only.length === 0 || only.includes(path) || (path === warned && only.includes('warned'))
}

const scoreOf = (result: LighthouseResult | undefined, name: string) => result?.categories[name]?.score ?? Number.NaN

async function runLighthouse(): Promise<void> {
  for (const path of ['/', '/denver-co', '/docs', '/developer', '/skill'].filter(isWanted)) {
    for (const preset of ['mobile', 'desktop']) {
      const out = join(folder, `lighthouse-${path.slice(1).replaceAll('/', '_') || 'home'}-${preset}.json`)
      const flags = [
        `--chrome-flags=--headless=new ${webGlFlags.join(' ')}`,
        '--output=json',
        `--output-path=${out}`,
        '--quiet',
        '--only-categories=performance,accessibility,best-practices',
      ]
      const results: LighthouseResult[] = []
      // Other work of the machine disturbs a run, so after a low score the median of three runs is used.
      do {
        await measure([`${server.base}${path}`, ...flags, ...(preset === 'desktop' ? ['--preset=desktop'] : [])])
        results.push(JSON.parse(await readFile(out, 'utf8')) as LighthouseResult)
      } while (results.length < 3 && results.some((result) => scoreOf(result, 'performance') < 0.9))
      results.sort((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'))
      const median = results[Math.floor(results.length / 2)]
      const score = (name: string) => Math.round(100 * scoreOf(median, name))
      const bytes = median?.audits['total-byte-weight']?.numericValue ?? Number.NaN
      console.log(
        `lighthouse ${path} ${preset}: performance ${score('performance')}, accessibility ${score('accessibility')}, best practices ${score('best-practices')}, ${Math.round(bytes / 1024)} KB`,
      )
      if (score('performance') < 90) report(path, [`performance ${score('performance')} on ${preset}`])
      if (score('accessibility') < 100) report(path, [`accessibility ${score('accessibility')} on ${preset}`])
    }
  }
}

/** Runs Lighthouse, up to three times, since it sometimes misses the start of a page and asks to be run again. */
async function measure(words: readonly string[]): Promise<void> {
  const lighthouse = join(folder, 'node_modules/.bin/lighthouse')
  for (let retries = 2; ; retries--) {
    try {
      // execFileSync would block this process, which serves the pages.
      await promisify(execFile)(lighthouse, words, { env: { ...process.env, CHROME_PATH: program } })
      return
    } catch (error) {
      if (retries === 0) throw error
      console.log(`lighthouse ${words[0]}: ${(error as { stderr?: string }).stderr?.trim() ?? error}`)
    }
  }
}
