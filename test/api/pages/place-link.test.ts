import { expect, test } from 'vitest'
import { homePage } from '../../../api/pages/home.ts'
import { placeOfLink } from '../../../api/pages/place-link.ts'

test('every example of the first page is a link to its place', () => {
  const { body } = homePage({ base: 'http://localhost', simulated: false })
  const [list = ''] = /<p class="examples">.*/.exec(String(body)) ?? []
  const links = [...list.matchAll(/<a href="\/([^"]+)">([^<]+)/g)].map(([, link = '', name]) => ({ link, name }))
  expect(links.length).toBeGreaterThan(5)
  for (const { link, name } of links) expect(placeOfLink(link)?.name, link).toContain(name)
})

test('a link has a name, another name, a ZIP code or coordinates, and no similar spelling', () => {
  expect(placeOfLink('new-york-ny')).toEqual(placeOfLink('new-york-city-ny'))
  expect(placeOfLink('80202')?.region).toBe('CO')
  expect(placeOfLink('39.74,-104.99')?.region).toBe('CO')
  expect(placeOfLink('denvre-co')).toBeUndefined()
  expect(placeOfLink('denver-ny')).toBeUndefined()
})
