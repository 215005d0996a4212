import { expect, test } from 'vitest'
import { startMirror } from '../../infra/simulator/mirror.ts'

test('a frozen document keeps its first body and reports its age', async () => {
  let version = 1
  const source = {
    host: 'feed.example',
    find: () => {
      const body = Buffer.from(`version ${version}`)
      return { etag: `"${version}"`, lastModified: 0, type: 'text/plain', body: () => body }
    },
  }
  const mirror = await startMirror({ sources: [source], now: Date.now })
  try {
    const read = async () => {
      const reply = await fetch(`${mirror.url}/feed.example/alerts`)
      return { text: await reply.text(), age: reply.headers.get('age') }
    }
    expect(await read()).toEqual({ text: 'version 1', age: null })
    mirror.misbehaviours.push({ path: 'feed.example', how: 'frozen', seconds: 900 })
    expect((await read()).text).toBe('version 1')
    version = 2
    const frozen = await read()
    expect(frozen.text).toBe('version 1')
    expect(Number(frozen.age)).toBeGreaterThanOrEqual(900)
    mirror.misbehaviours.length = 0
    expect(await read()).toEqual({ text: 'version 2', age: null })
  } finally {
    await mirror.close()
  }
})
