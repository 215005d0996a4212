import { expect, test } from 'vitest'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { readTextItem, readTextList, readTexts } from '../../ingest/decode/text/item.ts'
import { textLists } from '../../ingest/domain/text/product.ts'

const now = Date.UTC(2026, 8, 4, 17, 3, 20)
const get = async (feed: ReturnType<typeof textFeed>, path: string, at = now) => {
  const url = new URL(path, 'http://api.weather.gov')
  const document = await feed.find(url.pathname, url.searchParams, at)
  return document && new TextDecoder().decode(await document.body())
}

test('lists only texts that decode, except those that are never read', async () => {
  const feed = textFeed()
  const kinds = new Map<string, number>()
  for (const list of textLists) {
    const path = `/products/types/${list.type}${list.location ? `/locations/${list.location}` : ''}`
    const { items, unreadable } = readTextList((await get(feed, path))!)
    expect(unreadable, path).toBe(0)
    expect(items.length, path).toBeGreaterThan(0)
    for (const item of items.slice(0, 150)) {
      const text = readTextItem((await get(feed, `/products/${item.id}`))!)
      const { issues, rejected, ignored } = readTexts(text, list, item)
      expect(rejected, item.id).toEqual([])
      expect(issues.length + ignored.length, item.id).toBe(1)
      for (const { kind, issuedAt } of issues) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        expect(Math.abs(issuedAt - item.issuedAt), item.id).toBeLessThan(60_000)
      }
    }
  }
  expect([...kinds.keys()].sort()).toEqual(['afd', 'hls', 'hwo', 'mcd', 'mpd', 'now', 'pmd', 'swo'])
})

test('spoils texts so that they are rejected for the requested reason', async () => {
  const feed = textFeed()
  const reason = async (wrong: string) => {
    await get(feed, '/_texts?clear')
    await get(feed, `/_texts?office=BOU&wrong=${wrong}`)
    const [item] = readTextList((await get(feed, '/products/types/AFD'))!).items
    const raw = await get(feed, `/products/${item!.id}`)
    if (raw === undefined) return 'absent'
    try {
      return readTexts(readTextItem(raw), { type: 'AFD' }, item!).rejected[0]?.reason
    } catch (error) {
      return (error as { details: { reason: string } }).details.reason
    }
  }
  expect(await Promise.all([reason('cut')])).toEqual(['cut'])
  expect(await reason('html')).toBe('html')
  expect(await reason('control')).toBe('control_characters')
  expect(await reason('office')).toBe('wrong_office')
  expect(await reason('kind')).toBe('wrong_kind')
  expect(await reason('json')).toBe('not_json')
  expect(await reason('gone')).toBe('absent')
  expect(await reason('')).toBeUndefined()
})

test('serves the discussion of the office around a point', async () => {
  const feed = textFeed()
  await get(feed, '/_texts?lat=40&lon=-105&minutes=30')
  const { items } = readTextList((await get(feed, '/products/types/SWO/locations/MCD'))!)
  const item = items.find(({ id }) => id.includes('-x0'))!
  const [issue] = readTexts(readTextItem((await get(feed, `/products/${item.id}`))!), { type: 'SWO' }, item).issues
  expect(issue!.mesoscale!.ring).toEqual([
    [-106, 39],
    [-106, 41],
    [-104, 41],
    [-104, 39],
    [-106, 39],
  ])
})
