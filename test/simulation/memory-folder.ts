import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs'

/** The part of Emscripten's file system that this file uses; the package has no types for it. */
interface MemoryFileSystem {
  mkdirTree(path: string, mode: number): void
  writeFile(path: string, bytes: Uint8Array, options: { readonly mode: number }): void
}

/** Folder in which PGlite expects its database. */
const DATABASE = '/pglite/data'

/** A copy in memory of the folder of a database. */
export class MemoryFolder extends EmscriptenBuiltinFilesystem {
  readonly #source: string

  constructor(source: string) {
    super()
    this.#source = source
  }

  override async init(pg: PGlite, options: Parameters<EmscriptenBuiltinFilesystem['init']>[1]) {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = emscriptenOpts.preRun as unknown as ((module: { FS: MemoryFileSystem }) => void)[] | undefined
    const copy = ({ FS }: { FS: MemoryFileSystem }) => copyFolder(FS, this.#source, DATABASE)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(preRun ?? []), copy] as never } }
  }
}

function copyFolder(files: MemoryFileSystem, from: string, to: string): void {
  files.mkdirTree(to, 0o700)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), `${to}/${entry.name}`]
    if (entry.isDirectory()) copyFolder(files, source, target)
    else files.writeFile(target, readFileSync(source), { mode: 0o600 })
  }
}
