import { closeSync, fsyncSync, openSync } from 'node:fs'
import { type Extension, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The part of Emscripten's file system that this file uses; the package has no types for it. */
interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: { nfd?: number; node: object }) => number }
  realPath(node: object): string
}
type PreRun = (module: { FS: { filesystems: { NODEFS: NodeFileSystem } } }) => void

/**
 * A folder whose files are synced to disk when PostgreSQL calls fsync. Emscripten's NODEFS has no fsync: the call succeeds without
 * effect, and PGlite starts PostgreSQL with -F (fsync=off) as well.
 */
class DurableFolder extends NodeFS {
  readonly #onSync: (path: string) => void

  constructor(folder: string, onSync: (path: string) => void) {
    super(folder)
    this.#onSync = onSync
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, options)
    const preRun = (emscriptenOpts.preRun ?? []) as unknown as PreRun[]
    const addSync: PreRun = ({ FS }) => {
      const files = FS.filesystems.NODEFS
      files.stream_ops.fsync = (stream) => {
        const path = files.realPath(stream.node)
        // Emscripten has no descriptor of a folder. Opening the folder here syncs the names of its new files.
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
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, addSync] as never } }
  }
}

/**
 * fdatasync, the default on Linux, is a stub in the WebAssembly build, so fsync is used. PostgreSQL touches all of its shared buffers when
 * it opens. With the default of 128 MB, three quarters of them would only duplicate the page cache of the system.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'synchronous_commit=on',
  '-c',
  'shared_buffers=8MB',
]

/** Opens a folder with durable commits: an acknowledged statement survives a power failure. */
export function openDurable(
  folder: string,
  options: { readonly extensions?: Record<string, Extension>; readonly parsers?: PGliteOptions['parsers'] } = {},
  /** Called with each synced file; only tests set it. */
  onSync: (path: string) => void = () => {},
): Promise<PGlite> {
  return PGlite.create({ ...options, fs: new DurableFolder(folder, onSync), startParams })
}
