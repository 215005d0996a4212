import { expect, test } from 'vitest'
import { QueryError } from '../../../api/dataset/error.ts'
import { pointsOf } from '../../../api/dataset/where.ts'
import { circleOf, parsePolygon } from '../../../api/routes/ogc/coords.ts'
import { isFault } from '../../../ingest/domain/fault.ts'

const refused = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (isFault(error, 'Invalid') || error instanceof QueryError) return (error as Error).message
    throw error
  }
  return 'accepted'
}
const cells = (text: string) => pointsOf({ outline: parsePolygon(text) })

/** The meridians meet at a pole: a circle there was a box 10^16 degrees wide, which was walked for ever. */
test('a circle around a pole is refused', async () => {
  for (const centre of ['0 90', '0 -90', '0 89.9999', '-100 84'])
    expect(await refused(() => pointsOf({ outline: circleOf(`POINT(${centre})`, 500, 'km') }))).toContain(
      'must be the centre of a circle',
    )
  expect((await pointsOf({ outline: circleOf('POINT(-100 40)', 500, 'km') })).length).toBeGreaterThan(300)
  expect((await pointsOf({ outline: circleOf('POINT(-150 71)', 500, 'km') })).length).toBeGreaterThan(30)
  expect((await pointsOf({ outline: circleOf('POINT(179.9 60)', 500, 'km') })).length).toBeGreaterThan(300)
  expect((await pointsOf({ outline: circleOf('POINT(-100 40)', 0, 'm') })).length).toBe(1)
})

test('an outline costs by its box, whatever area is in it', async () => {
  const everywhere = '-179 -89,0 -89,0 89,-179 89'
  for (const text of [
    `POLYGON((${everywhere},-179 -89))`,
    `POLYGON((${everywhere},-179 -89),(${everywhere},-179 -89))`,
    'POLYGON((-179 -89,0 89,-179 -89,-179 -89))',
    'POLYGON((-179 -89,0 89,0 -89,-179 89,-179 -89))',
    'POLYGON((-130 25,-60 49,-60 49.0001,-130 25))',
  ])
    expect(await refused(() => cells(text))).toMatch(/coords.*(box that is too large|at most 500)/)
  const zigzag = Array.from({ length: 198 }, (_, i) => (i % 2 ? '-178 -89' : '0 89'))
  expect(await refused(() => cells(`POLYGON((${zigzag},0 89))`))).toContain('simpler outline')
})

test('a compact outline has the finest cells that fit, a slanted one coarser ones', async () => {
  expect((await cells('POLYGON((-105 39,-104.5 39,-104.5 39.5,-105 39.5,-105 39))')).length).toBeGreaterThan(300)
  expect((await cells('POLYGON((-109 37,-102 37,-102 41,-109 41,-109 37))')).length).toBeGreaterThan(100)
  expect((await cells('POLYGON((-110 30,-70 45,-70 45.4,-110 30.4,-110 30))')).length).toBeGreaterThan(5)
})
