import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { launch, program, visit } from '../pages/browser.ts'
import { type PageServer, pageServer } from '../pages/page-server.ts'

/** These tests need the Debian package chromium. */
describe.skipIf(!program)('the page for people', () => {
  let server: PageServer
  let browser: Browser
  beforeAll(async () => {
    server = await pageServer()
    browser = await launch()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const opened = (path: string, options = {}) => visit(browser, `${server.base}${path}`, options)
  const heading = async (page: Page, text: RegExp | string) => {
    await expect.poll(() => page.locator('#now h1').textContent(), { timeout: 20_000 }).toMatch(text)
    await page.locator('#now:not([aria-busy])').waitFor()
  }
  const live = async (page: Page) => {
    await page.locator('#map').scrollIntoViewIfNeeded()
    await page.mouse.move(640, 500)
    await page.mouse.move(660, 520)
    await page.waitForSelector('.live.ready', { timeout: 60_000 })
  }

  test('the link of a place shows its weather with chart, days, ages and the request, loads nothing from elsewhere and logs no error', async () => {
    const { page, hosts, faults } = await opened('/denver-co')
    expect(await page.locator('#simulated').isVisible()).toBe(true)
    await heading(page, /^Denver, CO$/)
    expect(await page.title()).toBe('Weather in Denver, CO · Hexcast')
    expect(await page.locator('.headline').textContent()).toMatch(/\w{4,}/)
    expect(await page.locator('.local').textContent()).toMatch(/^\w{3} \d+:\d\d [AP]M M[SD]T/)
    expect(await page.locator('.days > details').count()).toBeGreaterThanOrEqual(10)
    await page.locator('.hours summary').click()
    await expect.poll(() => page.locator('.hours table tbody tr').count()).toBe(48)
    await page.locator('.ages > summary').click()
    expect(await page.locator('.ages table').textContent()).toContain('nbm')
    const curl = (await page.locator('#curl').textContent())!
    expect(curl).toContain('$HEXCAST_KEY')
    const address = new URL(nth(/"(http[^"]+)"/.exec(curl)!, 1))
    const answer = await fetch(address, { headers: { authorization: `Bearer ${await server.key()}` } })
    expect(answer.status).toBe(200)
    await live(page)
    await page.waitForLoadState('networkidle')
    expect([...hosts]).toEqual([new URL(server.base).host])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a day opens to its day and night, and charts can be read by keyboard', async () => {
    const { page } = await opened('/chicago-il')
    await heading(page, /^Chicago, IL$/)
    await page.locator('.days > details').nth(2).locator('summary').click()
    expect(await page.locator('.days > details').nth(2).locator('.half').count()).toBe(2)
    const chart = page.getByRole('slider', { name: /^Hour by hour, 48 hours/ })
    await chart.focus()
    const first = await chart.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowRight')
    const second = await chart.getAttribute('aria-valuetext')
    expect(second).toMatch(/^\w{3} \d+ [AP]M: -?\d+°/)
    expect(second).not.toBe(first)
    expect(await page.locator('.hours .readout').textContent()).toBe(second)
    await page.context().close()
  })

  test('search suggests from two letters, handles ambiguous and foreign names, and remembers units and places', async () => {
    const { page } = await opened('/')
    const field = page.getByRole('combobox', { name: 'Place' })
    await field.pressSequentially('Bould')
    await page.locator('#suggestions li').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBe('s0')
    await page.keyboard.press('Enter')
    await heading(page, /^Boulder/)
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/boulder[a-z-]*-[a-z]{2}$/)
    await field.fill('Springfield')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Springfield, IL' }).click()
    await heading(page, /^Springfield, IL$/)
    await page.locator('.units label', { hasText: '°C' }).click()
    await expect.poll(() => page.locator('.degrees').textContent()).toMatch(/°C$/)
    expect(new URL(page.url()).search).toBe('?units=metric')
    await page.getByRole('button', { name: 'Keep this place' }).click()
    expect(await page.locator('#favourites a').allTextContents()).toEqual(['Springfield, IL'])
    await field.fill('49.3, -123.1')
    await page.keyboard.press('Enter')
    await heading(page, /^Outside/)
    await page.goto(`${server.base}/`)
    await heading(page, /^Springfield, IL$/)
    expect(await page.locator('.degrees').textContent()).toMatch(/°C$/)
    await page.context().close()
  })

  test('the weather of a marked suggestion is prefetched once, and an example on the first page loads no other page', async () => {
    const { page, paths } = await opened('/')
    const reads = () => paths.filter((path) => path === '/page/weather').length
    const field = page.getByRole('combobox', { name: 'Place' })
    await field.pressSequentially('Tulsa')
    await page.locator('#suggestions li').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(reads).toBe(1)
    await page.keyboard.press('Enter')
    await heading(page, /^Tulsa, OK$/)
    expect(reads()).toBe(1)
    expect(paths.filter((path) => path === '/tulsa-ok')).toEqual([])
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${server.base}/`)
    paths.length = 0
    await page.getByRole('link', { name: 'Chicago' }).click()
    await heading(page, /^Chicago, IL$/)
    expect(new URL(page.url()).pathname).toBe('/chicago-il')
    expect(paths).not.toContain('/chicago-il')
    await page.context().close()
  })

  test('the link has the layers, the bars of hours can be chosen, and a time without a picture does not look like a clear sky', async () => {
    const { page } = await opened('/denver-co?layers=radar,lightning')
    await heading(page, /^Denver, CO$/)
    const on = () =>
      page.locator('.layers input:checked').evaluateAll((list) => list.map((element) => element.getAttribute('name')))
    expect(await on()).toEqual(['radar', 'lightning'])
    await page.locator('.quantities label', { hasText: 'Wind, gusts' }).click()
    expect(await page.locator('.hours-chart .gust').count()).toBeGreaterThan(20)
    await page.route('**/page/radar/*.png*', (route) => route.fulfill({ status: 204 }))
    await live(page)
    await page.getByRole('slider', { name: 'Time of the radar picture' }).focus()
    await expect
      .poll(() => page.locator('.map-note').textContent())
      .toContain('No radar picture is available just now.')
    await page.keyboard.press('End')
    await expect
      .poll(() => page.locator('.map-note').textContent())
      .toContain('No radar picture of this time is available.')
    // The map must stay beside its card; further down it would be beneath other cards.
    await page.evaluate(() => scrollTo(0, 900))
    // Both positions are read at once, because cards that are still being drawn move the page.
    const gap = await page.evaluate(() => {
      const box = (element: string) => document.querySelector(element)!.getBoundingClientRect()
      return box('#details').top - box('.map-card').bottom
    })
    expect(gap).toBeGreaterThan(0)
    for (const name of ['Lightning', 'Alerts']) await page.locator('.layers label', { hasText: name }).click()
    expect(await on()).toEqual(['radar', 'alerts'])
    expect(new URL(page.url()).search).toBe('')
    await page.locator('.layers label', { hasText: 'Radar' }).click()
    expect(new URL(page.url()).search).toBe('?layers=alerts')
    await page.context().close()
  })

  test('the back button returns to the previous place', async () => {
    const { page } = await opened('/denver-co')
    await heading(page, /^Denver, CO$/)
    const field = page.getByRole('combobox', { name: 'Place' })
    await field.fill('80202')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/80202')
    await page.goBack()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/denver-co')
    await heading(page, /^Denver, CO$/)
    await page.context().close()
  })

  test('shows the place of the browser’s position', async () => {
    const { page } = await opened('/', {
      geolocation: { latitude: 41.88, longitude: -87.63 },
      permissions: ['geolocation'],
    })
    await page.getByRole('button', { name: 'Use my location' }).click()
    await heading(page, /^Chicago, IL$/)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/41.88,-87.63')
    await page.context().close()
  })

  test('on the map a click or Enter chooses a point, layers can be switched, and only frames of the shown region load', async () => {
    const { page, paths, faults } = await opened('/')
    await live(page)
    const pictures = () => paths.filter((path) => path.startsWith('/page/radar/') && path.endsWith('.png')).length
    await expect.poll(pictures, { timeout: 30_000 }).toBeGreaterThan(0)
    await page.waitForTimeout(1500)
    expect(pictures()).toBeLessThanOrEqual(2)
    const map = (await page.locator('#map').boundingBox())!
    await page.mouse.click(map.x + map.width * 0.5, map.y + map.height * 0.5)
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 20_000 }).toMatch(/^\/-?\d+\.?\d*,-\d+/)
    await page.waitForTimeout(1500)
    const clicked = page.url()
    await page.locator('.maplibregl-canvas').focus()
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('ArrowLeft')
      await page.waitForTimeout(500)
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url(), { timeout: 20_000 }).not.toBe(clicked)
    for (const name of ['Severe outlook', 'Storm tracks', 'Lightning', 'Stations'])
      await page.locator('.layers label', { hasText: name }).click()
    for (const path of ['/page/outlooks', '/page/storms', '/page/lightning', '/page/stations'])
      await expect.poll(() => paths.includes(path)).toBe(true)
    // The map uses the units of the page.
    const metric = page.waitForRequest(/\/page\/stations\?.*units=metric/)
    await page.locator('.units label', { hasText: '°C' }).click()
    expect(await (await (await metric).response())?.status()).toBe(200)
    await expect.poll(() => page.locator('.maplibregl-ctrl-scale').textContent()).toMatch(/km|m$/)
    await page.waitForLoadState('networkidle')
    await page.locator('.layers label', { hasText: 'Radar' }).click()
    expect(await page.locator('.player').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the radar plays scans and nowcast on request and can be operated by keyboard', async () => {
    const { page, paths } = await opened('/', { reducedMotion: 'reduce' })
    await live(page)
    const slider = page.getByRole('slider', { name: 'Time of the radar picture' })
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'), { timeout: 30_000 })
      .toMatch(/^\d+:\d\d [AP]M \S+, observed$/)
    const newest = await slider.inputValue()
    expect(Number(await slider.getAttribute('max')) - Number(newest)).toBe(18)
    expect(Number(newest)).toBeGreaterThanOrEqual(3)
    await page.waitForTimeout(2000)
    expect(await slider.inputValue()).toBe(newest)
    await slider.focus()
    await page.keyboard.press('End')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/, forecast$/)
    expect(await page.locator('.kind').textContent()).toBe('Forecast')
    await page.keyboard.press('Home')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/, observed$/)
    expect(await page.locator('.legend svg').getAttribute('aria-label')).toMatch(/dBZ, colours from 5 to 75$/)
    await page.getByRole('button', { name: 'Play' }).click()
    await page.waitForSelector('.player.forecast.playing', { timeout: 60_000 })
    await page.getByRole('button', { name: 'Pause' }).click()
    const paused = await slider.inputValue()
    await page.waitForTimeout(1200)
    expect(await slider.inputValue()).toBe(paused)
    // Each frame has one picture of one region.
    expect(paths.filter((path) => path.startsWith('/page/radar/') && path.endsWith('.png')).length).toBeLessThanOrEqual(
      32,
    )
    await page.context().close()
  })

  test('without WebGL the still picture remains, and a click on it chooses the point', async () => {
    const plain = await launch(false)
    try {
      const { page } = await visit(plain, `${server.base}/`)
      await page.mouse.move(640, 500)
      await expect.poll(() => page.locator('.map-note').textContent(), { timeout: 20_000 }).toMatch(/interactive map/)
      await expect
        .poll(() => page.locator('.still').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(960)
      const box = (await page.locator('.still').boundingBox())!
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      await heading(page, /, (KS|MO|NE)$/)
      await page.context().close()
      // A place in Hawaii gets a picture of Hawaii, also on a phone, where the picture is cropped. The pin is at the place.
      const phone = await visit(plain, `${server.base}/hilo-hi`, { viewport: { width: 390, height: 844 } })
      await heading(phone.page, /^Hilo, HI$/)
      expect(await phone.page.locator('.still').getAttribute('src')).toBe('/page/still/hawaii.webp')
      await phone.page.locator('#map').scrollIntoViewIfNeeded()
      const pin = (await phone.page.locator('.pin').boundingBox())!
      await phone.page.mouse.click(pin.x + pin.width / 2, pin.y + pin.height / 2)
      await expect.poll(() => new URL(phone.page.url()).pathname).toMatch(/^\/19\.\d+,-15[45]\.\d+$/)
      const [lat, lon] = new URL(phone.page.url()).pathname.slice(1).split(',').map(Number)
      expect(Math.hypot(lat! - 19.73, lon! + 155.09)).toBeLessThan(0.1)
    } finally {
      await plain.close()
    }
  })

  test('on a phone the map of the country is as bright as the page, and no radar picture is drawn black', async () => {
    const { page } = await opened('/', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await page.locator('#map').scrollIntoViewIfNeeded()
    await page.waitForSelector('.live.ready[data-radar]', { timeout: 60_000 })
    await page.waitForTimeout(1500)
    const { channels } = await sharp(await page.locator('#map').screenshot()).stats()
    for (const { mean } of channels.slice(0, 3)) expect(mean).toBeGreaterThan(150)
    await page.context().close()
  })

  test('on a phone the now card is on the first screen and nothing is cut', async () => {
    for (const path of ['/denver-co', '/new-york-city-ny?units=metric']) {
      const { page } = await opened(path, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
      await heading(page, /, (CO|NY)$/)
      const box = (await page.locator('.degrees').boundingBox())!
      expect(box.y + box.height).toBeLessThan(844)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      // No content reaches the edge of the card, and text in charts is not scaled down.
      const words = (await page.locator('.now .words').boundingBox())!
      expect(words.x + words.width).toBeLessThan(390 - 16)
      for (const chart of await page.locator('.chart').all())
        expect(await chart.evaluate((svg: SVGSVGElement) => svg.getScreenCTM()?.a)).toBeGreaterThan(0.85)
      await page.context().close()
    }
  })

  test('a warning has a card by severity with text, area and time left, and the statement begins with it', async (context) => {
    const warned = await server.warned()
    if (!warned) return context.skip('the simulator has no warning over land now')
    const { page } = await opened(warned.path)
    const card = page.locator(`.alert.${warned.severity}`, { hasText: warned.event }).first()
    await card.waitFor()
    expect(await card.getAttribute('open')).not.toBeNull()
    expect(await card.locator('.left').textContent()).toMatch(
      /^(?:\d+ (?:min|h|days)(?: \d+ min)? left|begins .*), until (?:\w{3} )?\d+:\d\d [AP]M$/,
    )
    expect(await card.textContent()).toMatch(/Area: \w/)
    expect(await card.locator('.text').count()).toBeGreaterThan(0)
    expect(await page.locator('.headline').textContent()).toMatch(/ until (?:\w{3} )?\d+:\d\d [AP]M/)
    await page.context().close()
  })

  test('a user signs in by mail, creates, uses and revokes a key; the operator signs in with the first key', async () => {
    const { page, faults, hosts } = await opened('/developer')
    await page.getByLabel('Email').fill('person@example.org')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(await server.mailedLink())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Name of a new key').fill('my station')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = (await page.locator('.new-key code.whole').textContent())!
    const call = () => fetch(`${server.base}/v1/radars?id=FTG`, { headers: { authorization: `Bearer ${key}` } })
    expect((await call()).status).toBe(200)
    await expect
      .poll(
        async () => {
          await page.goto(`${server.base}/developer`)
          return page.locator('.usage figcaption').textContent()
        },
        // Usage is written in batches.
        { timeout: 15_000 },
      )
      .toMatch(/^1 calls?;/)
    expect(await page.locator('main').textContent()).not.toContain(key)
    await page.getByText('Rename or revoke my station').click()
    await page.getByLabel('New name').fill('garden')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Rename or revoke garden').click()
    await page.getByRole('button', { name: 'Revoke garden' }).click()
    await expect.poll(async () => (await call()).status).toBe(401)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('The first key').fill(server.firstKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.locator('.account').textContent()).toContain('Signed in as the operator')
    expect(await page.evaluate(() => document.cookie)).toBe('')
    expect([...hosts]).toEqual([new URL(server.base).host])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('shared links have a title and a picture, and an unknown place gives a helpful page', async () => {
    const html = await (await fetch(`${server.base}/denver-co`)).text()
    expect(html).toContain('<title>Weather in Denver, CO · Hexcast</title>')
    const picture = nth(/property="og:image" content="([^"]+)"/.exec(html)!, 1)
    const response = await fetch(picture)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    const unknown = await fetch(`${server.base}/no-town-of-this-name-co`)
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('/denver-co')
    expect((await fetch(`${server.base}/favicon.ico`)).headers.get('content-type')).toContain(
      'application/problem+json',
    )
    expect((await fetch(`${server.base}/denver-co`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${server.base}/nothing`, { method: 'POST' })).status).toBe(404)
  })
})
