/** Writes the picture of the README, `docs/page.webp`: a place with rain ahead, on simulated weather. `npm run look:picture` */
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { launch, program, visit } from './browser.ts'
import { pageServer } from './page-server.ts'

const MAX_BYTES = 150 * 1024
const places = [
  'oklahoma-city-ok',
  'denver-co',
  'chicago-il',
  'atlanta-ga',
  'boise-id',
  'albany-ny',
  'houston-tx',
  'minneapolis-mn',
  'seattle-wa',
]

if (!program) {
  console.error('look:picture: chromium is not installed (Debian: apt-get install chromium)')
  process.exit(2)
}
const server = await pageServer({ coarse: 5 })
const browser = await launch()
try {
  let chosen = places[0]!
  for (const place of places) {
    const { page } = await visit(browser, `${server.base}/${place}`)
    await page.waitForSelector('.headline')
    const wet = (await page.locator('.minutes .fall').count()) > 0
    await page.context().close()
    if (!wet) continue
    chosen = place
    break
  }
  const { page } = await visit(browser, `${server.base}/${chosen}`, {
    viewport: { width: 1280, height: 1010 },
    colorScheme: 'light',
  })
  await page.waitForSelector('.maplibregl-canvas')
  await page.locator('.layers label', { hasText: 'Lightning' }).click()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(3000)
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toBuffer()
  if (picture.length > MAX_BYTES)
    throw new Error(`the picture has ${picture.length} bytes, at most ${MAX_BYTES} are wanted`)
  await writeFile(new URL('../../docs/page.webp', import.meta.url), picture)
  console.log(`docs/page.webp: ${chosen}, ${picture.length} bytes`)
} finally {
  await browser.close()
  await server.close()
}
