/** Compiles `assembly/` to `kernels.generated.ts`. Run: `node ingest/steps/make-kernels.ts`. */
import { writeFileSync } from 'node:fs'
import { compileKernels } from '../tile/make-kernels.ts'

const text = await compileKernels(new URL('./assembly/', import.meta.url))
writeFileSync(new URL('./kernels.generated.ts', import.meta.url), text)
