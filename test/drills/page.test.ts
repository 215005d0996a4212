import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'
import { radarServer } from './radar-server.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** Needs the Debian package chromium. */
describe.skipIf(!program)('the page at /', () => {
  let edge: EdgeServer
  let browser: Browser
  beforeAll(async () => {
    edge = await edgeServer()
    browser = await chromium.launch({ executablePath: program!, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    await edge.close()
  })

  async function opened(
    options: object = {},
    base = edge.base,
    before: (page: Page) => void = () => {},
  ): Promise<{ page: Page; hosts: Set<string>; faults: string[] }> {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options })).newPage()
    const hosts = new Set<string>()
    const faults: string[] = []
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    before(page)
    await page.goto(`${base}/`)
    return { page, hosts, faults }
  }

  test('a click gives the forecast with its chart, ages, and the request; nothing from elsewhere, no fault', async () => {
    const { page, hosts, faults } = await opened()
    const box = (await page.locator('.map-conus').boundingBox())!
    // Denver lies 21 of 60 degrees from the west edge.
    await page.mouse.click(box.x + box.width * 0.35, box.y + box.height * 0.43)
    await page.waitForSelector('#curl')
    expect(await page.locator('#result h2').textContent()).toMatch(/, CO$/)
    expect(await page.locator('.chart').getAttribute('aria-label')).toMatch(/^Temperature from -?\d+° /)
    expect(await page.locator('.days tbody tr').count()).toBeGreaterThanOrEqual(7)
    expect(await page.locator('.ages').textContent()).toContain('nbm')
    const curl = (await page.locator('#curl').textContent())!
    expect(curl).toContain('$HEXCAST_KEY')
    expect(await page.locator('#simulated').isVisible()).toBe(true)
    const address = new URL(/"(http[^"]+)"/.exec(curl)![1]!)
    const answer = await fetch(address, { headers: { authorization: `Bearer ${await edge.key()}` } })
    expect(answer.status).toBe(200)
    expect([...hosts]).toEqual([new URL(edge.base).host])
    expect(faults).toEqual([])
  })

  test('by keys alone: the map, the form, an ambiguous name, metric units', async () => {
    const { page } = await opened()
    await page.locator('.map-hawaii').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('#result')?.textContent !== 'Choose a point on the map, or name a place.',
    )
    await page.getByLabel('Place').fill('Springfield')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Springfield, IL' }).click()
    await page.waitForFunction(() => document.querySelector('#result h2')?.textContent === 'Springfield, IL')
    await page.getByLabel('°C, km/h').check()
    await page.waitForFunction(() => document.querySelector('.degrees')?.textContent?.includes('°C'))
    await page.getByLabel('Place').fill('49.3, -123.1')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForFunction(() => document.querySelector('#result h2')?.textContent?.startsWith('Outside'))
  })

  test('the radar plays the scans and the nowcast; by keys; told apart; not by itself where less motion is wished', async () => {
    const radar = await radarServer()
    try {
      const still = await opened({ reducedMotion: 'reduce' }, radar.base)
      const slider = still.page.getByRole('slider', { name: 'Time of the radar picture' })
      await slider.waitFor()
      const newest = await slider.inputValue()
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d+:\d\d [AP]M \S+, observed$/)
      expect(Number(await slider.getAttribute('max')) - Number(newest)).toBe(18)
      expect(Number(newest)).toBeGreaterThanOrEqual(3)
      expect(await still.page.locator('.kind').textContent()).toBe('Observed')
      const visible = '.map-conus .radar image[visibility=visible]'
      const timeOf = async () => {
        const href = await still.page.locator(visible).getAttribute('href')
        return Date.parse(new URL(href!, radar.base).searchParams.get('time')!)
      }
      await still.page.locator(visible).waitFor({ state: 'attached' })
      const scan = await timeOf()
      await still.page.waitForTimeout(2000)
      expect(await slider.inputValue()).toBe(newest)
      await slider.focus()
      await still.page.keyboard.press('End')
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/, forecast$/)
      expect(await still.page.locator('.kind').textContent()).toBe('Forecast')
      await expect.poll(async () => (await timeOf()) - scan, { timeout: 15_000 }).toBe(90 * 60_000)
      await still.page.keyboard.press('Home')
      await expect.poll(timeOf, { timeout: 15_000 }).toBeLessThan(scan)
      expect(await still.page.locator('.legend svg').getAttribute('aria-label')).toMatch(/dBZ, colours from 5 to 75$/)
      await still.page.getByRole('button', { name: 'Play' }).click()
      await still.page.waitForFunction(() => document.querySelector('.player.forecast.playing'), undefined, {
        timeout: 60_000,
      })
      await still.page.getByRole('button', { name: 'Pause' }).click()
      const paused = await slider.inputValue()
      await still.page.waitForTimeout(1200)
      expect(await slider.inputValue()).toBe(paused)
      await still.page.getByLabel('Radar', { exact: true }).uncheck()
      expect(await still.page.locator('.radar image').count()).toBe(0)
      expect(await slider.isVisible()).toBe(false)
      expect(still.faults).toEqual([])

      let atOnce = 0
      let most = 0
      const moving = await opened({}, radar.base, (page) => {
        const picture = (url: string) => url.includes('/page/radar/') && url.includes('.png')
        page.on('request', (request) => {
          if (picture(request.url())) most = Math.max(most, ++atOnce)
        })
        const ended = (request: { url(): string }) => {
          if (picture(request.url())) atOnce--
        }
        page.on('requestfinished', ended)
        page.on('requestfailed', ended)
      })
      await moving.page.waitForSelector('.player.playing', { timeout: 60_000 })
      expect(most).toBeGreaterThan(1)
      expect(most).toBeLessThanOrEqual(4)
      expect(moving.faults).toEqual([])
    } finally {
      await radar.close()
    }
  })

  test('light and dark differ, and both have contrast', async () => {
    const grounds: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await opened({ colorScheme })
      const [ground, text] = await page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.body).color,
      ])
      grounds.push(ground!)
      const bright = (colour: string) => {
        const [r, g, b] = colour.match(/\d+/g)!.map((part) => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
      }
      const [high, low] = [bright(ground!), bright(text!)].sort((a, b) => b - a)
      expect((high! + 0.05) / (low! + 0.05)).toBeGreaterThan(7)
    }
    expect(new Set(grounds).size).toBe(2)
  })

  test('the reads behind it serve the page alone', async () => {
    for (const path of ['/page/weather?lat=39&lon=-104', '/page/alerts', '/page/radar/mrms-precip-rate.png']) {
      expect((await fetch(edge.base + path)).status).toBe(401)
    }
  })

  test('documentation works without any outside host', async () => {
    const { page, hosts, faults } = await opened()
    await page.goto(`${edge.base}/docs`)
    await page.waitForSelector('.opblock-summary-path')
    expect(await page.locator('.opblock').count()).toBeGreaterThan(20)
    expect([...hosts]).toEqual([new URL(edge.base).host])
    expect(faults).toEqual([])
  })

  test('sign-in by labels, with script switched off', async () => {
    const { page } = await opened({ javaScriptEnabled: false })
    const started = (await (
      await fetch(`${edge.base}/auth/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'hexcast-device', scope: 'openid email' }),
      })
    ).json()) as { verification_uri: string; user_code: string }
    await page.goto(started.verification_uri)
    await page.getByRole('textbox', { name: 'Code' }).fill(started.user_code)
    await page.getByRole('textbox', { name: 'Email' }).fill('someone@example.org')
    await page.getByRole('button', { name: 'Continue' }).click()
    const [mail] = await edge.database.query<{ body: string }>('select body from mail order by id desc limit 1')
    await page.goto(/http\S+/.exec(mail!.body)![0])
    expect(await page.textContent('main')).toContain(started.user_code)
    expect(await page.getByRole('button', { name: 'Deny' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await page.textContent('h1')).toBe('Approved')
  })
})
