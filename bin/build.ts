import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { DAY, isoSeconds } from '../ingest/domain/time.ts'

const root = dirname(import.meta.dirname)
const programsCache = join(root, 'node_modules', '.cache', 'hexcast')
/** Where the TypeScript files of the programs are. */
const folders = ['bin', 'api', 'ingest', 'workers', 'sql', 'infra/simulator']
/** What a process or a thread begins with. */
const entries = [
  'bin/main.ts',
  'bin/child.ts',
  'ingest/ports/database/database-worker.ts',
  'ingest/steps/pool-worker.ts',
  'api/picture/map-thread.ts',
  'api/picture/radar-thread.ts',
  'api/pages/base-map/tile-thread.ts',
].map((path) => join(root, path))
/** Packages with machine code, WebAssembly, threads or files of their own. They are loaded from their folders. */
const apart = new Set([
  '@electric-sql/pglite',
  '@electric-sql/pglite-postgis',
  '@napi-rs/canvas',
  '@temporalio/activity',
  '@temporalio/client',
  '@temporalio/worker',
  '@temporalio/workflow',
  'esbuild',
  'geo-tz',
  'h5wasm',
  'pg-native',
  'pino',
  'piscina',
  'sharp',
])
const KEEP_MS = 7 * DAY

/**
 * The programs that serve, as a few JavaScript files: of two thousand modules each process would keep the module
 * records, and the compile cache what it read of each, some 35 MB in the interface and 25 in the worker
 * (docs/SCALE.md). Built in a second where a source file changed.
 * @param cache beside the packages, where the programs find them
 * @returns the folder; undefined, and a line of the log, where it cannot be written: the sources are run then
 */
export async function builtPrograms(cache = programsCache): Promise<string | undefined> {
  const folder = join(cache, `programs-${await fingerprint()}`)
  if (await exists(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  try {
    const { build, stop } = await import('esbuild')
    await build({
      entryPoints: entries,
      outdir: unfinished,
      entryNames: '[name]',
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      legalComments: 'none',
      logLevel: 'silent',
      // Packages in CommonJS call it.
      banner: {
        js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)",
      },
      plugins: [addresses, packages],
      // Its process has 500 MB, and would stay.
    }).finally(stop)
    await rename(unfinished, folder)
    await removeOld(folder)
    return folder
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
    // Another process has built them meanwhile.
    if (await exists(folder)) return folder
    console.error(
      `${isoSeconds(Date.now())}  the programs could not be built in ${cache}: ${(error as Error).message}. Their sources run, with some 70 MB more of memory; make the folder writable, or run "node bin/build.ts" once as its owner`,
    )
    return undefined
  }
}

/** Of every source file and the versions of the packages: names, sizes and times. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  const add = async (path: string) => {
    const { size, mtimeMs } = await stat(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  await add(join(root, 'package.json'))
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true })
    for (const name of names.sort())
      if (name.endsWith('.ts') && !name.includes('node_modules')) await add(join(root, folder, name))
  }
  return hash.digest('hex').slice(0, 12)
}

/** A module finds files beside its source; what a thread or a process begins with is beside the built module. */
const addresses: Plugin = {
  name: 'addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const source = readFileSync(path, 'utf8')
      const own = JSON.stringify(pathToFileURL(path).href)
      const contents = source
        .replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, relative: string) =>
          entries.includes(resolve(dirname(path), relative))
            ? `new URL('./${basename(relative, '.ts')}.mjs', import.meta['url'])`
            : whole,
        )
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.main', 'false')
        .replaceAll('import.meta.url', own)
      return { contents, loader: 'ts' }
    })
  },
}

const packages: Plugin = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      return apart.has(name) ? { external: true } : undefined
    })
  },
}

/** Those of other sources. Younger ones may be in use. */
async function removeOld(newest: string): Promise<void> {
  const cache = dirname(newest)
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    if (!name.startsWith('programs-') || path === newest) continue
    const made = await stat(path).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > KEEP_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

if (import.meta.main) {
  const folder = await builtPrograms()
  if (folder) console.log(folder)
  else process.exitCode = 1
}
