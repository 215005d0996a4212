import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nth } from '../../ingest/domain/nth.ts'
import { once } from '../../ingest/geo/table.ts'
import { permanentBody } from '../http/encoding.ts'
import { Problem } from '../problem.ts'
import type { Answer, EncodedBody } from '../route.ts'
import type { BuiltAsset, BuiltName } from './build-assets.ts'

const require = createRequire(import.meta.url)
/** Name of the file with the built assets. It is in the folder of the built programs; in the npm package it is beside this module. */
export const ASSETS_FILE = 'page-assets.json'
const builtAssets = fileURLToPath(new URL(`./${ASSETS_FILE}`, import.meta['url']))

/** Files that their publishers have minified; they are served unchanged. */
const packaged = {
  'maplibre-gl.js': 'maplibre-gl/dist/maplibre-gl.js',
  'maplibre-gl.css': 'maplibre-gl/dist/maplibre-gl.css',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
} as const

export type AssetName = BuiltName | keyof typeof packaged

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

/** Returns the assets that were built with the programs. A process that runs the sources builds them itself. */
function readBuilt(): readonly BuiltAsset[] {
  if (existsSync(builtAssets)) return JSON.parse(readFileSync(builtAssets, 'utf8'))
  // It is loaded only here, because the npm package has no compiler.
  const { buildAssets } = require('./build-assets.ts') as typeof import('./build-assets.ts')
  return buildAssets()
}

/** Assets by public file name, and public file names by name. */
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
  for (const { name, file, text } of readBuilt()) {
    const contents = Buffer.from(text)
    add(name, file, digest(contents), () => contents)
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
