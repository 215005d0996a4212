import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import asc from 'assemblyscript/asc'
import binaryen from 'binaryen'

/** Functions with vector instructions, which JavaScript lacks. Each is replaced by plain code. */
export type Replacements = Readonly<Record<string, string>>

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the text of an exported or internal AssemblyScript function, from its declaration to the line `}`. */
function replaced(source: string, replacements: Replacements): string {
  let text = source
  for (const [declaration, code] of Object.entries(replacements)) {
    const from = text.indexOf(declaration)
    if (from < 0) continue
    const to = text.indexOf('\n}\n', from) + 3
    text = `${text.slice(0, from)}${code}\n${text.slice(to)}`
  }
  return text
}

/**
 * The same algorithm as a kernel, as JavaScript over one ArrayBuffer: its AssemblyScript source is compiled without vector instructions
 * and translated by binaryen (wasm2js). The result is faster than handwritten code, so a kernel that beats it pays for itself.
 * @param folder of `assembly/`, from the project's root
 * @param entry replaces `assembly/index.ts`: the exports of the module beside the compared kernel
 */
export async function plainKernels<T>(
  folder: string,
  replacements: Replacements,
  { entry, host = {} }: { readonly entry?: string; readonly host?: object } = {},
): Promise<T> {
  const baseDir = `${root}${folder}/`
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc.main(
    [
      'assembly/index.ts',
      ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--disable', 'bulk-memory'],
      ...['--baseDir', baseDir, '--outFile', 'module.wasm'],
    ],
    {
      readFile: (name) => {
        if (entry && name.endsWith('assembly/index.ts')) return entry
        try {
          return replaced(readFileSync(name.startsWith('/') ? name : baseDir + name, 'utf8'), replacements)
        } catch {
          return null
        }
      },
      writeFile: (name, contents) => {
        if (name === 'module.wasm' && typeof contents !== 'string') binary = contents
      },
    },
  )
  if (error || !binary) throw new Error(`${folder} does not compile: ${error?.message}\n${stderr.toString()}`)
  const module = binaryen.readBinary(binary)
  module.setFeatures(binaryen.Features.All)
  // Only the function is needed, without the imports and exports of the module around it.
  const code = module.emitAsmjs().replace(/^import .*$/gm, '')
  return runInThisContext(`${code.slice(0, code.indexOf('\nvar retasmFunc'))}\nasmFunc`)({ host, env: {} }) as T
}
