/** Writes the picture for the README, `docs/page.webp`, of a place near a simulated storm: `npm run look:picture`. */
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { slugOf } from '../../api/pages/place-link.ts'
import { populated } from '../../ingest/geo/populated.ts'
import { launch, program, visit } from './browser.ts'
import { pageServer } from './page-server.ts'

const MAX_BYTES = 150 * 1024
/** Smallest population of the town in the picture. */
const MIN_POPULATION = 60_000

if (!program) {
  console.error('look:picture: chromium is not installed (Debian: apt-get install chromium)')
  process.exit(2)
}
const server = await pageServer({ coarse: 5 })
const browser = await launch()
try {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const storms = (await (await fetch(`${server.base}/page/storms`, { headers })).json()) as {
    features: { properties: { lat: number; lon: number } }[]
  }
  const distanceToStorm = (town: { lat: number; lon: number }) =>
    Math.min(...storms.features.map(({ properties: { lat, lon } }) => Math.hypot(lat - town.lat, lon - town.lon)))
  const towns = populated().filter(({ population, section }) => !section && population > MIN_POPULATION)
  const town = towns.reduce((nearest, candidate) =>
    distanceToStorm(candidate) < distanceToStorm(nearest) ? candidate : nearest,
  )
  const link = slugOf(town.name, town.state)
  const { page } = await visit(browser, `${server.base}/${link}`, {
    viewport: { width: 1280, height: 1010 },
    colorScheme: 'light',
  })
  await page.mouse.move(600, 40)
  await page.waitForSelector('.live.ready[data-radar]', { timeout: 120_000 })
  await page.locator('.layers label', { hasText: 'Lightning' }).click()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(5000)
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toBuffer()
  if (picture.length > MAX_BYTES)
    throw new Error(`the picture has ${picture.length} bytes, but may have at most ${MAX_BYTES}; lower its quality`)
  await writeFile(new URL('../../docs/page.webp', import.meta.url), picture)
  console.log(`docs/page.webp: ${link}, ${picture.length} bytes`)
} finally {
  await browser.close()
  await server.close()
}
