import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The C program that decodes a message with ecCodes for each line of input. */
export interface EcCodes {
  /** Duration of a call of `codes_get_double_array`, ms. */
  decode(): Promise<number>
  end(): void
}

let program: string | undefined

/** @param message the number of the message in the file @returns undefined without a C compiler or ecCodes (libeccodes-dev) */
export async function openEcCodes(file: string, message: number): Promise<EcCodes | undefined> {
  if (!program) {
    const folder = mkdtempSync(join(tmpdir(), 'hexcast-eccodes-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    const source = fileURLToPath(new URL('./grib-eccodes.c', import.meta.url))
    const path = join(folder, 'decode')
    if (spawnSync('cc', ['-O2', '-o', path, source, '-leccodes']).status !== 0) return undefined
    program = path
  }
  const child = spawn(program, [file, String(message)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`ecCodes ended early on ${file}`)
    return Number(value)
  }
  await next()
  return {
    async decode() {
      child.stdin!.write('\n')
      return (await next()) / 1e6
    },
    end: () => child.stdin!.end(),
  }
}
