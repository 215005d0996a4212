import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { buildSync, stop } from 'esbuild'
import { nth } from '../../ingest/domain/nth.ts'
import { once } from '../../ingest/geo/table.ts'
import { permanentBody } from '../http/encoding.ts'
import { Problem } from '../problem.ts'
import type { Answer, EncodedBody } from '../route.ts'

const require = createRequire(import.meta.url)
const here = (name: string) => join(import.meta.dirname, name)

/** Files that pages load, by the name that pages use. */
const entries = {
  'page.css': here('page.css'),
  'home.css': here('home.css'),
  'guide.css': here('guide.css'),
  'developer.css': here('developer.css'),
  'docs.css': here('docs.css'),
  'skill.css': here('skill/skill.css'),
  'scoreboard.css': here('scoreboard/scoreboard.css'),
  'home.js': here('browser/home.ts'),
  'docs.js': here('browser/docs.ts'),
  'claim.js': here('browser/claim.ts'),
} as const

/** Files that their publishers have minified; they are served unchanged. */
const packaged = {
  'maplibre-gl.js': 'maplibre-gl/dist/maplibre-gl.js',
  'maplibre-gl.css': 'maplibre-gl/dist/maplibre-gl.css',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
} as const

export type AssetName = keyof typeof entries | keyof typeof packaged

interface Asset {
  readonly type: string
  readonly etag: string
  readonly body: () => Buffer
  readonly encoded: EncodedBody
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 10)

/** Assets by public file name, and public file names by name. They are built once for each process, in 0.1 s. */
const built = once(() => {
  const files = new Map<string, Asset>()
  const names = new Map<string, string>()
  const add = (name: string, file: string, hash: string, body: () => Buffer) => {
    files.set(file, {
      type: types[extname(file)] ?? 'application/octet-stream',
      etag: `"${hash}"`,
      body,
      encoded: permanentBody(),
    })
    names.set(name, file)
  }
  const { outputFiles, metafile } = buildSync({
    entryPoints: Object.values(entries),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    absWorkingDir: import.meta.dirname,
    outdir: here('assets'),
    outbase: import.meta.dirname,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    logLevel: 'silent',
  })
  // Otherwise the process and thread of esbuild would stay, with 20 MB.
  void stop()
  const sources = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [basename(path), entryPoint]),
  )
  for (const { path, contents } of outputFiles) {
    const file = basename(path)
    const source = sources.get(file)
    const name = source && basename(source).replace(/\.ts$/, '.js')
    add(name ?? file, file, digest(contents), () => Buffer.from(contents))
  }
  for (const [name, path] of Object.entries(packaged)) {
    const read = once(() => readFileSync(require.resolve(path)))
    // The hash comes from the version of the package, so that the files, which are megabytes, need not be read.
    const owner = path.slice(0, path.indexOf('/'))
    const manifest = join(dirname(require.resolve(`${owner}/package.json`)), 'package.json')
    const hash = digest(Buffer.from(`${path} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`))
    add(name, name.replace(/(\.\w+)$/, `-${hash}$1`), hash, read)
  }
  return { files, names }
})

/** The address of an asset; its name changes with its content. */
export function assetPath(name: AssetName): string {
  return `/assets/${built().names.get(name) ?? name}`
}

/** The bytes of an asset, for a site that is written to files. */
export function assetBytes(name: AssetName): Buffer {
  return nth(
    [...built().files].filter(([file]) => file === built().names.get(name)),
    0,
  )[1].body()
}

/** @throws Problem not-found */
export function asset(file: string): Answer {
  const stored = built().files.get(file)
  if (!stored)
    throw new Problem('not-found', `There is no file "${file.slice(0, 80)}". Reload the page to get its current files.`)
  const { type, etag, body, encoded } = stored
  return { body: body(), type, etag, encoded, headers: { 'Cache-Control': 'max-age=31536000, immutable' } }
}
