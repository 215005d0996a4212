import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileKernels } from '../../ingest/tile/make-kernels.ts'

test.each(['ingest/tile', 'ingest/steps', 'api/present', 'api/sections', 'api/blend'])(
  'the compiled kernels of %s are what their source gives',
  async (room) => {
    const folder = new URL(`../../${room}/`, import.meta.url)
    const held = readFileSync(new URL('kernels.generated.ts', folder), 'utf8')
    const made = await compileKernels(new URL('assembly/', folder))
    expect(held === made, `run: node ${room}/make-kernels.ts`).toBe(true)
  },
)
