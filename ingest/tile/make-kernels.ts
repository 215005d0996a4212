/** Compiles `assembly/` to `kernels.generated.ts`. Run: `node ingest/tile/make-kernels.ts`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

/** The module that a folder's `index.ts` gives now, as text of the generated file. */
export async function compileKernels(folder: URL, options: readonly string[] = []): Promise<string> {
  let binary: Uint8Array | undefined
  const words = ['index.ts', '-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', ...options]
  const { error, stderr } = await asc.main(
    [...words, '--baseDir', fileURLToPath(folder), '--outFile', 'kernels.wasm'],
    {
      writeFile: (name, contents) => {
        if (name === 'kernels.wasm' && typeof contents !== 'string') binary = contents
      },
    },
  )
  if (error || !binary) throw new Error(`${folder.pathname} does not compile: ${error?.message}\n${stderr.toString()}`)
  return `// Made by make-kernels.ts from assembly/. Do not edit.\nexport const wasm =\n  '${Buffer.from(binary).toString('base64')}'\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await compileKernels(new URL('./assembly/', import.meta.url))
  writeFileSync(new URL('./kernels.generated.ts', import.meta.url), text)
}
