/** Packs the application itself as an npm tarball, so that `npx hexcast` works without a clone. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stop, transform } from 'esbuild'
import { ASSETS_FILE } from '../../api/pages/assets.ts'
import { buildAssets } from '../../api/pages/build-assets.ts'
import { bundledWorkflows } from '../../bin/build.ts'
import { WORKFLOWS_FILE } from '../../workers/temporal/names.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders with what runs. The simulator is one of them, because `hexcast start --upstream simulated` needs it. */
const folders = ['api', 'bin', 'ingest', 'infra/simulator', 'sql', 'workers']
/** Tests, sources of generated files, other packages, and programs that only a clone needs. */
const leftOut =
  /\/assembly\/|^(?:ingest\/grib2-wasm\/|api\/client\/(?:python|package\.json|tsconfig)|api\/pages\/build-assets\.ts$|bin\/(?:build\.ts|prepare\.ts|bundle-entry\.mjs)$)/
const beside = ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'openapi.json']

/**
 * Packs the application with JavaScript in place of TypeScript, because Node strips no types below node_modules. Files
 * keep their places, so that each finds the data beside it. `grib2-wasm` is in the tarball.
 * @param decoder tarball of grib2-wasm
 * @returns the path of the tarball
 * @throws Error with the output of npm if it fails
 */
export async function packApplication(folder: string, decoder: string): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'hexcast-package-'))
  try {
    const { stdout } = await run('git', ['ls-files', '--', ...folders], { cwd: root, maxBuffer: 16 << 20 })
    const files = stdout.split('\n').filter((file) => file !== '' && !leftOut.test(file))
    for (const file of [...files, ...beside]) await stageFile(file, stage)
    await writeFile(join(stage, 'workers/temporal', WORKFLOWS_FILE), await bundledWorkflows())
    await writeFile(join(stage, 'api/pages', ASSETS_FILE), JSON.stringify(buildAssets()))
    await mkdir(join(stage, 'node_modules/grib2-wasm'), { recursive: true })
    await run('tar', ['-xzf', decoder, '-C', join(stage, 'node_modules/grib2-wasm'), '--strip-components=1'])
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(await manifestOf(), null, 2)}\n`)
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: stage })
    return join(folder, basename(packed.stdout.trim()))
  } finally {
    // Without this call the process of esbuild would stay.
    await stop()
    await rm(stage, { recursive: true, force: true })
  }
}

/** Returns package.json as it is published: without workspaces, scripts, compiler and development dependencies. */
async function manifestOf(): Promise<object> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const decoder = JSON.parse(await readFile(join(root, 'ingest/grib2-wasm/package.json'), 'utf8'))
  const { workspaces: _w, scripts: _s, devDependencies: _d, allowScripts: _a, private: _p, ...published } = manifest
  // The package has built files in place of a compiler.
  const { esbuild: _e, ...dependencies } = manifest.dependencies
  return {
    ...published,
    dependencies: { ...dependencies, 'grib2-wasm': decoder.version },
    bundleDependencies: ['grib2-wasm'],
  }
}

async function stageFile(file: string, stage: string): Promise<void> {
  const isCode = /\.(?:ts|mjs)$/.test(file)
  const target = join(stage, file.replace(/\.ts$/, '.js'))
  await mkdir(dirname(target), { recursive: true })
  if (!isCode) await cp(join(root, file), target)
  else await writeFile(target, await javascriptOf(await readFile(join(root, file), 'utf8'), file.endsWith('.ts')))
}

/** Returns the code without types, and with the names that its files have in the package. */
export async function javascriptOf(source: string, hasTypes: boolean): Promise<string> {
  const options = {
    loader: hasTypes ? 'ts' : 'js',
    format: 'esm',
    target: 'node20',
    legalComments: 'inline',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  } as const
  const { code } = await transform(source, options)
  return code.replaceAll(/(["'])([^"'\n]*)\.ts\1/g, '$1$2.js$1')
}
