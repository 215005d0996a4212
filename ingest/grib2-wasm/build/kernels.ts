/** Compiles `assembly/` and writes `src/kernels.generated.ts`. Run: `node build/kernels.ts`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Compiles the source, and returns the text of the generated file. */
export async function compileKernels(): Promise<string> {
  let binary: Uint8Array | undefined
  const words = ['assembly/index.ts', '-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
  const { error, stderr } = await asc.main([...words, '--baseDir', root, '--outFile', 'kernels.wasm'], {
    writeFile: (name, contents) => {
      if (name === 'kernels.wasm' && typeof contents !== 'string') binary = contents
    },
  })
  if (error || !binary) throw new Error(`assembly/ does not compile: ${error?.message}\n${stderr.toString()}`)
  const base64 = Buffer.from(binary).toString('base64')
  return `// Made by build/kernels.ts from assembly/. Do not edit.\nexport const wasm: string =\n  '${base64}'\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/kernels.generated.ts', import.meta.url), await compileKernels())
}
