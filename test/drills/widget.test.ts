import { existsSync, readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const html = readFileSync(new URL('../../api/mcp/server/widget.html', import.meta.url), 'utf8')

/** A result of get_forecast whose place name would be markup. */
const result = {
  content: [{ type: 'text', text: 'words' }],
  structuredContent: {
    location: { lat: 39.74, lon: -104.98, name: 'Denver, CO <b>' },
    forecast: { timezone: 'America/Denver', units: { temperature: 'F', wind_speed: 'mph' }, alerts_total: 7 },
    widget: {
      spec: 'hexcast/ui-spec',
      entries: [
        {
          component: 'CurrentCard',
          props: {
            temperature: 71.6,
            feels_like: null,
            conditions: 'Clear',
            icon: 'clear-day',
            wind_speed: 8.4,
            wind_gust: 14.6,
          },
        },
        { component: 'Unknown', props: {} },
        {
          component: 'DailyStrip',
          props: { days: [{ date: '2026-06-01', high: null, low: 50.2, icon: 'rain', wind_speed_max: 12.2 }] },
        },
        {
          component: 'HourlyChart',
          props: {
            hours: [
              { time: '2026-06-01T12:00:00Z', temperature: 60, precip_probability: 10, wind_speed: 4 },
              { time: '2026-06-01T13:00:00Z', temperature: 62, precip_probability: null, wind_speed: 9 },
            ],
          },
        },
        {
          component: 'AlertList',
          props: { alerts: [{ event: 'Heat Advisory', severity: 'Moderate', ends: '2026-06-02T02:00:00Z' }] },
        },
      ],
    },
    meta: { warnings: [{ code: 'simulated_data', section: null, detail: '' }], attribution: { notice: 'NOTICE' } },
  },
}

/** The tests need the Debian package chromium and are skipped without it. */
describe.skipIf(!program)('the widget in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program!, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  const opened = async (colorScheme: 'light' | 'dark') => {
    const page = await (await browser.newContext({ colorScheme, viewport: { width: 640, height: 900 } })).newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('request', (request) => /^(about|data):/.test(request.url()) || faults.push(request.url()))
    return { page, faults }
  }

  /** A host as the extension describes it: a frame without origin that only exchanges messages. */
  async function hosted(page: Page, theme: 'light' | 'dark', result: unknown) {
    await page.setContent(
      '<body style="margin:0"><iframe sandbox="allow-scripts" style="width:100%;height:880px;border:0">',
    )
    await page.evaluate(
      ({ html: text, theme: themeName }) => {
        const frame = document.querySelector('iframe')!
        const messages: { method?: string; id?: number; params?: object }[] = []
        Object.assign(window, { messages })
        addEventListener('message', ({ data }) => {
          messages.push(data)
          if (data.method !== 'ui/initialize') return
          const hostContext = { theme: themeName, styles: { variables: { '--color-border-primary': '#00ff00' } } }
          const reply = { protocolVersion: '2026-01-26', hostCapabilities: {}, hostContext }
          frame.contentWindow!.postMessage({ jsonrpc: '2.0', id: data.id, result: reply }, '*')
        })
        frame.srcdoc = text
      },
      { html, theme },
    )
    const messages = () => page.evaluate(() => (window as unknown as { messages: { method?: string }[] }).messages)
    await page.waitForFunction(() =>
      (window as unknown as { messages: { method?: string }[] }).messages.some(
        ({ method }) => method === 'ui/notifications/initialized',
      ),
    )
    await page.evaluate(
      (params) =>
        document
          .querySelector('iframe')!
          .contentWindow!.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }, '*'),
      result as object,
    )
    const frame = nth(page.frames(), 1)
    await frame.waitForSelector('#root > *')
    return { frame, messages }
  }

  test.each(['light', 'dark'] as const)('in a host, %s, draws the received result and calls nothing', async (theme) => {
    // The theme of the host applies, not that of the browser.
    const { page, faults } = await opened(theme === 'light' ? 'dark' : 'light')
    const { frame, messages } = await hosted(page, theme, result)
    const text = (await frame.locator('#root').textContent())!
    for (const words of [
      'SIMULATED',
      'Denver, CO <b>',
      '72°F',
      'high –',
      'low 50°',
      '6 AM: 60°F',
      'Wind 8, gusts 15 mph',
      'wind 12 mph',
      'Wind 4 to 9 mph.',
      '7 active alerts, the most severe:',
      'Heat Advisory',
      'Severity: Moderate, until Mon, 8:00 PM MDT',
      'NOTICE',
    ])
      expect(text).toContain(words)
    expect(text).not.toMatch(/undefined|null|NaN/)
    expect(text).not.toContain('Feels like')
    expect(text.indexOf('Heat Advisory')).toBeLessThan(text.indexOf('72°F'))
    expect(await frame.locator('svg.glyph').count()).toBe(2)
    for (const glyph of await frame.locator('svg.glyph').all())
      expect(await glyph.locator('*').count()).toBeGreaterThan(2)
    expect(await frame.locator('.chart text').allTextContents()).toEqual(
      expect.arrayContaining(['62°F', '60°F', '100%', '0%', '6 AM', '7 AM']),
    )
    const chart = (await frame.locator('svg.chart').boundingBox())!
    expect(chart.width).toBeGreaterThan(500)
    const [ground, border] = await frame.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector('section')!).borderTopColor,
    ])
    expect(ground).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 24, 30)')
    expect(border).toBe('rgb(0, 255, 0)')
    await page.waitForTimeout(100)
    const methods = (await messages()).map(({ method }) => method)
    expect(new Set(methods)).toEqual(
      new Set(['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed']),
    )
    const sizes = (await messages()) as { params?: { height?: number } }[]
    expect(sizes.at(-1)?.params?.height).toBeGreaterThan(400)
    expect(faults).toEqual([])
  })

  test('alerts that could not be read are reported', async () => {
    const { page, faults } = await opened('light')
    const { alerts_total: _, ...forecast } = result.structuredContent.forecast
    const warnings = [{ code: 'source_failed', section: 'alerts', detail: '' }]
    const structuredContent = { ...result.structuredContent, forecast, widget: undefined, meta: { warnings } }
    const { frame } = await hosted(page, 'light', { ...result, structuredContent })
    expect(await frame.locator('#root').textContent()).toContain('Alerts are not known now: this is not an all-clear.')
    expect(faults).toEqual([])
  })

  test('the text of an error is shown', async () => {
    const { page, faults } = await opened('light')
    const { frame } = await hosted(page, 'light', {
      isError: true,
      content: [{ type: 'text', text: 'Error (no-data): x' }],
    })
    expect(await frame.locator('#root').textContent()).toBe('Error (no-data): x')
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)('alone, %s, shows a labelled, readable example', async (colorScheme) => {
    const { page, faults } = await opened(colorScheme)
    await page.setContent(html)
    expect(await page.locator('.mark').textContent()).toBe('Example, not weather')
    expect(await page.locator('section').count()).toBe(3)
    const contrasts = await page.evaluate(() => {
      const bright = (colour: string) => {
        const [r, g, b] = colour.match(/\d+/g)!.map((part) => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
      }
      return ['.big', '.hi', '.lo', 'section .soft', 'strong'].map((name) => {
        const node = document.querySelector(name)!
        const ground = getComputedStyle(node.closest('section')!).backgroundColor
        const [high, low] = [bright(ground), bright(getComputedStyle(node).color)].sort((a, b) => b - a)
        return (high! + 0.05) / (low! + 0.05)
      })
    })
    for (const contrast of contrasts) expect(contrast).toBeGreaterThan(4.5)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Days ahead')
    expect(faults).toEqual([])
  })
})
