import { expect, test } from 'vitest'
import { kernelFiles, textOf } from '../../infra/build-kernels.ts'

test('every compiled WebAssembly module is what its source gives (else: npm run generate)', async () => {
  const stale = (await kernelFiles()).filter(({ path, text }) => textOf(path) !== text)
  expect(stale.map(({ path }) => path)).toEqual([])
})
