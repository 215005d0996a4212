/**
 * `node test/bench/tools/widget.ts [FOLDER]`: takes pictures of the widget with results of the tools, in headless Chromium, light and dark.
 * The default folder is data/widget. The pictures are for a person to look at; `test/drills/widget.test.ts` has the assertions.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { widgetPage } from '../../../api/mcp/server/widget.ts'
import { skyServer } from '../../api/sky-server.ts'
import { activeAt } from './questions/alerts.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
if (!program) throw new Error('Chromium is required: apt-get install chromium')
const folder = resolve(process.argv[2] ?? 'data/widget')
mkdirSync(folder, { recursive: true })

const sky = await skyServer({ frames: ['mrms-reflectivity'] })
/** The outline of an alert, if there is one. */
const [ring] = activeAt(Date.now()).flatMap((alert) => (alert.ring ? [alert.ring.slice(1)] : []))
const mean = (k: 0 | 1) => (ring ?? []).reduce((sum, corner) => sum + corner[k], 0) / (ring?.length ?? 1)
const warned = ring ? { lat: mean(1), lon: mean(0) } : { location: 'Tulsa, OK' }
const calls: readonly [picture: string, tool: string, args: object][] = [
  ['forecast', 'get_forecast', { location: 'Denver, CO' }],
  ['forecast-alerts', 'get_forecast', warned],
  ['forecast-metric', 'get_forecast', { location: 'Honolulu, HI', units: 'metric' }],
  ['hourly', 'get_hourly_forecast', { location: 'Seattle, WA' }],
  ['alerts', 'get_alerts', warned],
  ['air', 'get_air_quality', { location: 'Fresno, CA' }],
]
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
for (const [picture, name, args] of calls) {
  const result = await sky.client.callTool({ name, arguments: args as Record<string, unknown> })
  for (const theme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 640, height: 720 } })
    await page.setContent('<body style="margin:0"><iframe style="width:640px;height:720px;border:0"></iframe>')
    await page.evaluate(
      async ({ html, params, theme }) => {
        const frame = document.querySelector('iframe')
        if (!frame) throw new Error('the page must have an iframe')
        const ready = new Promise<void>((done) =>
          addEventListener('message', ({ data }) => {
            if (data.method !== 'ui/initialize') return
            const hostContext = { theme }
            frame.contentWindow?.postMessage({ jsonrpc: '2.0', id: data.id, result: { hostContext } }, '*')
            done()
          }),
        )
        frame.srcdoc = html
        await ready
        frame.contentWindow?.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }, '*')
      },
      { html: widgetPage(), params: result as object, theme },
    )
    await page.frames()[1]?.waitForSelector('#root > *')
    const path = join(folder, `${picture}-${theme}.png`)
    await page.screenshot({ path })
    await page.close()
    console.log(path)
  }
}
await browser.close()
await sky.close()
process.exit(0)
