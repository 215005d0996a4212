/** Compiles `assembly/` to `kernels.generated.ts`. Run: `node api/sections/make-kernels.ts`. */
import { writeFileSync } from 'node:fs'
import { compileKernels } from '../../ingest/tile/make-kernels.ts'

writeFileSync(
  new URL('./kernels.generated.ts', import.meta.url),
  await compileKernels(new URL('./assembly/', import.meta.url)),
)
