/** Compiles the WebAssembly modules of the project from their AssemblyScript sources, for `npm run generate`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { compileKernels as compileGribKernels } from '../ingest/grib2-wasm/build/kernels.ts'

export interface KernelModule {
  /** Folder of `source`, relative to the project's root. */
  readonly folder: string
  /** AssemblyScript entry point, relative to the folder. */
  readonly source: string
  /** The generated TypeScript file, relative to the folder. */
  readonly output: string
}

/** The modules, except that of the package grib2-wasm, which builds its own. */
export const kernelModules: readonly KernelModule[] = [
  { folder: 'ingest/tile', source: 'assembly/index.ts', output: 'kernels.generated.ts' },
  { folder: 'ingest/tile', source: 'assembly/frame.ts', output: 'frame-kernels.generated.ts' },
  { folder: 'ingest/steps/grid', source: 'assembly/index.ts', output: 'kernels.generated.ts' },
  { folder: 'api/present', source: 'assembly/index.ts', output: 'kernels.generated.ts' },
]

const root = new URL('../', import.meta.url)

/** @returns the text of the generated file: the module as base64. @throws Error with the compiler's messages */
export async function compileModule({ folder, source }: KernelModule): Promise<string> {
  let binary: Uint8Array | undefined
  const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
  const baseDir = fileURLToPath(new URL(`${folder}/`, root))
  const { error, stderr } = await asc.main([source, ...options, '--baseDir', baseDir, '--outFile', 'module.wasm'], {
    writeFile: (name, contents) => {
      if (name === 'module.wasm' && typeof contents !== 'string') binary = contents
    },
  })
  if (error || !binary) throw new Error(`${folder}/${source} does not compile: ${error?.message}\n${stderr.toString()}`)
  const base64 = Buffer.from(binary).toString('base64')
  return `// Made by infra/build-kernels.ts from ${source}. Do not edit.\nexport const wasm =\n  '${base64}'\n`
}

/** Compiles all modules and returns the content of each generated file. */
export async function kernelFiles(): Promise<{ path: string; text: string }[]> {
  const files: { path: string; text: string }[] = []
  for (const module of kernelModules)
    files.push({ path: `${module.folder}/${module.output}`, text: await compileModule(module) })
  files.push({ path: 'ingest/grib2-wasm/src/kernels.generated.ts', text: await compileGribKernels() })
  return files
}

/** Returns the text of a file, or '' if it does not exist. */
export function textOf(path: string): string {
  try {
    return readFileSync(new URL(path, root), 'utf8')
  } catch {
    return ''
  }
}
