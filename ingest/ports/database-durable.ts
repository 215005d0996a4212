import { closeSync, fsyncSync, openSync } from 'node:fs'
import { type Extension, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What of Emscripten's file system is used here; the package does not describe it. */
interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: { nfd?: number; node: object }) => number }
  realPath(node: object): string
}
type PreRun = (module: { FS: { filesystems: { NODEFS: NodeFileSystem } } }) => void

/**
 * A folder whose files reach the disk when PostgreSQL asks for it. Emscripten's NODEFS has no fsync: the call succeeds and does
 * nothing, and PGlite starts PostgreSQL with -F (fsync=off) besides.
 */
class DurableFolder extends NodeFS {
  readonly #onSync: (path: string) => void

  constructor(folder: string, onSync: (path: string) => void) {
    super(folder)
    this.#onSync = onSync
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, options)
    const given = (emscriptenOpts.preRun ?? []) as unknown as PreRun[]
    const addSync: PreRun = ({ FS }) => {
      const files = FS.filesystems.NODEFS
      files.stream_ops.fsync = (stream) => {
        const path = files.realPath(stream.node)
        // A folder has no descriptor of its own: names of new files are in it.
        const fd = stream.nfd ?? openSync(path, 'r')
        try {
          fsyncSync(fd)
        } finally {
          if (stream.nfd === undefined) closeSync(fd)
        }
        this.#onSync(path)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...given, addSync] as never } }
  }
}

/** fdatasync, the default on Linux, is a stub in the WebAssembly build; fsync is passed on. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'synchronous_commit=on',
]

/** Opens a folder with durable commits: what a statement has acknowledged survives a power cut. */
export function openDurable(
  folder: string,
  options: { readonly extensions?: Record<string, Extension>; readonly parsers?: PGliteOptions['parsers'] } = {},
  /** For tests: told of each file that has reached the disk. */
  onSync: (path: string) => void = () => {},
): Promise<PGlite> {
  return PGlite.create({ ...options, fs: new DurableFolder(folder, onSync), startParams })
}
