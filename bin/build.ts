import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { DAY } from '../ingest/domain/time.ts'
import { WORKFLOWS_FILE } from '../workers/temporal/names.ts'

const root = dirname(import.meta.dirname)
const programsCache = join(root, 'node_modules', '.cache', 'hexcast')
/** Folders with the TypeScript files of the programs, and the stylesheets of pages. */
const folders = ['bin', 'api', 'ingest', 'workers', 'sql', 'infra/simulator']
/** Entry points of processes and threads. */
const entryPoints = [
  'bin/main.ts',
  'bin/child.ts',
  'ingest/ports/database/database-worker.ts',
  'ingest/steps/pool-worker.ts',
  'api/picture/map-thread.ts',
  'api/picture/radar-thread.ts',
  'api/pages/base-map/tile-thread.ts',
].map((path) => join(root, path))
/**
 * Packages with machine code, WebAssembly, threads or files of their own, which are not bundled but loaded from their
 * folders.
 */
const externalPackages = new Set([
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
const RETENTION_MS = 7 * DAY

/** Returns the folder of the programs if they were built from the current sources, or undefined. */
export async function currentPrograms(cache = programsCache): Promise<string | undefined> {
  const folder = await folderOf(cache)
  return (await exists(folder)) ? folder : undefined
}

/**
 * `npm run build`: bundles the programs that serve into a few JavaScript files, unless they are current. When some
 * 2,000 modules are loaded separately, each process retains their module records and compile caches
 * (docs/decisions/0010-process-settings-and-built-programs.md).
 * @param cache folder beside the packages, because the programs load packages from there
 * @returns the folder of the programs
 * @throws Error if the folder cannot be written
 */
export async function buildPrograms(cache = programsCache): Promise<string> {
  const folder = await folderOf(cache)
  if (await exists(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  try {
    const { build, stop } = await import('esbuild')
    const [{ ASSETS_FILE }, { buildAssets }] = await Promise.all([
      import('../api/pages/assets.ts'),
      import('../api/pages/build-assets.ts'),
    ])
    await build({
      entryPoints,
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
      // Packages in CommonJS call `require`.
      banner: {
        js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)",
      },
      plugins: [addresses, packages],
      // Without this call the process of esbuild, with 500 MB, would stay.
    }).finally(stop)
    await writeFile(join(unfinished, WORKFLOWS_FILE), await bundledWorkflows())
    await writeFile(join(unfinished, ASSETS_FILE), JSON.stringify(buildAssets()))
    await rename(unfinished, folder)
    await removeOld(folder)
    return folder
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
    // Another process may have built the programs meanwhile.
    if (await exists(folder)) return folder
    throw error
  }
}

/** Returns the workflows as a bundle for Temporal's sandbox, so that a worker needs no compiler at its start. */
export async function bundledWorkflows(): Promise<string> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
  const workflowsPath = join(root, 'workers/temporal/workflows.ts')
  return withRelativeSources((await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })).code)
}

const MAP_START = 'sourceMappingURL=data:application/json;charset=utf-8;base64,'

/** Makes the paths of the source map relative, so that the bundle is the same in whichever folder it is built. */
function withRelativeSources(code: string): string {
  const at = code.lastIndexOf(MAP_START)
  if (at < 0) return code
  const start = at + MAP_START.length
  const map = Buffer.from(code.slice(start), 'base64').toString()
  return code.slice(0, start) + Buffer.from(map.replaceAll(`${root}/`, '')).toString('base64')
}

/**
 * Returns the folder of the programs, named by the contents of the source files and the version of Node. Modification
 * times are not used, because an image stores them in whole seconds.
 */
async function folderOf(cache: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.version} ${root}`)
  hash.update(readFileSync(join(root, 'package.json')))
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true })
    for (const name of names.sort()) {
      if (!/\.(?:ts|css)$/.test(name) || name.includes('node_modules')) continue
      hash.update(name).update(readFileSync(join(root, folder, name)))
    }
  }
  return join(cache, `programs-${hash.digest('hex').slice(0, 12)}`)
}

/**
 * Rewrites addresses so that a bundled module finds files beside its source, and entry points of threads and processes
 * beside the bundle.
 */
const addresses: Plugin = {
  name: 'addresses',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const source = readFileSync(path, 'utf8')
      const sourceUrl = JSON.stringify(pathToFileURL(path).href)
      const contents = source
        .replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (match, relative: string) =>
          entryPoints.includes(resolve(dirname(path), relative))
            ? `new URL('./${basename(relative, '.ts')}.mjs', import.meta['url'])`
            : match,
        )
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.main', 'false')
        .replaceAll('import.meta.url', sourceUrl)
      return { contents, loader: 'ts' }
    })
  },
}

const packages: Plugin = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
      return externalPackages.has(name) ? { external: true } : undefined
    })
  },
}

/** Removes programs of other sources, except recent programs, which may still be in use. */
async function removeOld(newest: string): Promise<void> {
  const cache = dirname(newest)
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    if (!name.startsWith('programs-') || path === newest) continue
    const stats = await stat(path).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > RETENTION_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

if (import.meta.main) {
  try {
    await buildPrograms()
  } catch (error) {
    console.error(
      `hexcast: the programs could not be built in ${programsCache}: ${(error as Error).message}. Hexcast starts from its sources instead, with some 50 MB more memory. Make the folder writable, or run "npm run build" once as its owner.`,
    )
    process.exitCode = 1
  }
}
