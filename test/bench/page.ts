/**
 * `node test/bench/page.ts [VISITS]` measures the waiting times of a visitor in Chromium without cache, over the simulator's weather: from the
 * request of the page to its first text and to its first picture of radar, and from a choice (a suggestion by Enter, a link of an
 * example, a click on the live map) to the first forecast (what is now, the next 90 minutes) and to the whole one. Medians and longest, ms. WebGL is drawn by the processor here, which a visitor's
 * machine does on its graphics card. The first visit of all is shown apart: the server compiles its code in it.
 */

import type { Page } from 'playwright-core'
import { nth } from '../../ingest/domain/nth.ts'
import { launch, program, visit } from '../pages/browser.ts'
import { pageServer } from '../pages/page-server.ts'

const VISITS = Number(process.argv[2] ?? 20)
const PLACES = ['Tulsa', 'Boise', 'Fargo', 'Miami', 'Tucson', 'Seattle', 'Juneau', 'Houston', 'Bangor', 'Reno'] as const
/** Sets `window.begun` at a choice, `window.first` when the first forecast of another place is drawn, `window.ended` when it is whole. */
const watchChoice = `(() => {
  const now = document.querySelector('#now')
  const before = now.querySelector('h1')?.textContent
  window.ended = undefined
  const begin = () => { window.begun = performance.now() }
  addEventListener('keydown', (event) => event.key === 'Enter' && begin(), { capture: true, once: true })
  addEventListener('click', begin, { capture: true, once: true })
  const look = () => {
    const drawn = window.begun && now.querySelector('.degrees') && now.querySelector('h1')?.textContent !== before
    if (drawn) window.first ??= performance.now()
    if (drawn && !now.hasAttribute('aria-busy')) window.ended = performance.now()
    else requestAnimationFrame(look)
  }
  window.begun = window.first = undefined
  look()
})()`

if (!program) {
  console.error('bench: chromium is not installed (Debian: apt-get install chromium)')
  process.exit(2)
}
const figures = new Map<string, number[]>()
const add = (name: string, ms: number) => figures.set(name, [...(figures.get(name) ?? []), ms])
const server = await pageServer({ coarse: 5 })
const browser = await launch()
try {
  for (let i = 0; i < VISITS; i++) {
    const { page } = await visit(browser, `${server.base}/`)
    const first = i === 0 ? ', first visit of all' : ''
    add(`first text${first}`, await firstText(page))
    add(`first picture${first}`, await firstPicture(page))
    const field = page.getByRole('combobox', { name: 'Place' })
    await field.pressSequentially(nth(PLACES, i % PLACES.length), { delay: 60 })
    await page.locator('#suggestions li').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await choice('suggestion', page, () => page.keyboard.press('Enter'))
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${server.base}/`)
    await choice('link', page, () => page.getByRole('link', { name: 'Chicago' }).click())
    await page.locator('#map').scrollIntoViewIfNeeded()
    await page.mouse.move(640, 500)
    await page.waitForSelector('.live.ready[data-radar]', { timeout: 60_000 })
    await page.waitForLoadState('networkidle')
    const map = (await page.locator('#map').boundingBox())!
    const at = { x: map.x + map.width * (0.2 + (0.2 * i) / VISITS), y: map.y + map.height * 0.5 }
    await choice('map', page, () => page.mouse.click(at.x, at.y))
    await page.context().close()
  }
} finally {
  await browser.close()
  await server.close()
}
for (const [name, list] of figures) {
  const sorted = list.sort((a, b) => a - b)
  const median = nth(sorted, sorted.length >> 1)
  console.log(
    `${name.padEnd(36)} median ${median.toFixed(0)}, longest ${sorted.at(-1)!.toFixed(0)} ms, ${list.length} times`,
  )
}

/** @returns ms from the request of the page */
async function firstText(page: Page): Promise<number> {
  const read = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  for (;;) {
    const ms = await read()
    if (ms !== undefined) return ms
    await page.waitForTimeout(20)
  }
}

/** @returns ms from the request of the page until the still picture of the map has loaded and can be drawn */
async function firstPicture(page: Page): Promise<number> {
  await page.locator('.still').evaluate((image: HTMLImageElement) => image.decode())
  return page.locator('.still').evaluate((image: HTMLImageElement) => {
    const [loaded] = performance.getEntriesByName(image.currentSrc) as PerformanceResourceTiming[]
    return loaded!.responseEnd
  })
}

/** Adds the times from a choice to the first forecast and to the whole one, in the page. */
async function choice(what: string, page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(watchChoice)
  await act()
  for (const until = Date.now() + 20_000; ; ) {
    const times = await page.evaluate<[number, number] | null>(
      'window.ended ? [window.first - window.begun, window.ended - window.begun] : null',
    )
    if (times) {
      add(`${what} to first forecast`, times[0])
      add(`${what} to whole forecast`, times[1])
      return
    }
    if (Date.now() > until) throw new Error(`${page.url()}: expected another forecast within 20 s`)
    await page.waitForTimeout(20)
  }
}
