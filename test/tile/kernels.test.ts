import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileKernels } from '../../ingest/tile/make-kernels.ts'

test.each(['tile', 'steps'])('the compiled kernels of ingest/%s are what their source gives', async (room) => {
  const folder = new URL(`../../ingest/${room}/`, import.meta.url)
  const held = readFileSync(new URL('kernels.generated.ts', folder), 'utf8')
  const made = await compileKernels(new URL('assembly/', folder))
  expect(held === made, `run: node ingest/${room}/make-kernels.ts`).toBe(true)
})
