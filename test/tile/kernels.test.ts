import { expect, test } from 'vitest'
import { kernelFiles, textOf } from '../../infra/build-kernels.ts'

test('has compiled WebAssembly modules that match their sources (if not: npm run generate)', async () => {
  const stale = (await kernelFiles()).filter(({ path, text }) => textOf(path) !== text)
  expect(stale.map(({ path }) => path)).toEqual([])
})
