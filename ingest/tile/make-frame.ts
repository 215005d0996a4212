/** Compiles `assembly/frame.ts` and writes `frame-kernels.generated.ts`. Run: `node ingest/tile/make-frame.ts`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

/** The module that the source gives now, as text of the generated file. */
export async function compileFrameKernels(): Promise<string> {
  let binary: Uint8Array | undefined
  const root = fileURLToPath(new URL('.', import.meta.url))
  const words = ['assembly/frame.ts', '-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
  const { error, stderr } = await asc.main([...words, '--baseDir', root, '--outFile', 'frame.wasm'], {
    writeFile: (name, contents) => {
      if (name === 'frame.wasm' && typeof contents !== 'string') binary = contents
    },
  })
  if (error || !binary) throw new Error(`assembly/frame.ts does not compile: ${error?.message}\n${stderr.toString()}`)
  const base64 = Buffer.from(binary).toString('base64')
  return `// Made by make-frame.ts from assembly/frame.ts. Do not edit.\nexport const wasm =\n  '${base64}'\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('frame-kernels.generated.ts', import.meta.url), await compileFrameKernels())
}
