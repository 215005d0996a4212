import { expect, test } from 'vitest'
import type { Objects } from '../../ingest/ports/objects.ts'
import { objectsSuite } from '../contracts/objects-suite.ts'
import { randomFrom } from '../random.ts'
import { Faults } from './faults.ts'
import { Life } from './life.ts'
import { objectsOf, Store } from './objects.ts'

const quiet = new Faults(randomFrom(1))
quiet.isQuiet = true
const store = new Store()
const objects: Objects = objectsOf(store, new Life('worker', 1), quiet)

objectsSuite(() => objects)

test('a dead process receives no answer, and the store keeps what it wrote', async () => {
  const life = new Life('worker', 2)
  const own = objectsOf(store, life, quiet)
  await own.put('of/the/dead', Buffer.from('written'))
  life.kill()
  const late = await Promise.race([own.get('of/the/dead'), new Promise((resolve) => setTimeout(resolve, 100))])
  expect(late).toBeUndefined()
  expect(Buffer.from(await objects.get('of/the/dead')).toString()).toBe('written')
})
