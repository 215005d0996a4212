/**
 * `npm run bundle [FILE]` writes an .mcpb bundle for desktop hosts, by default dist/hexcast.mcpb. The bundle gives
 * access to the tools of a Hexcast server and needs only Node 20.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packExtension, validateManifest } from '@anthropic-ai/mcpb'
import sharp from 'sharp'
import { ICON_SVG } from '../../api/mcp/server/icon.ts'
import { bundleManifest } from './manifest.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @throws Error if the manifest is not valid or the bundle cannot be written */
export async function buildBundle(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-bundle-'))
  try {
    await mkdir(join(folder, 'server'))
    const manifest = join(folder, 'manifest.json')
    await writeFile(manifest, JSON.stringify(bundleManifest(), null, 2))
    await writeFile(join(folder, 'icon.png'), await sharp(Buffer.from(ICON_SVG)).resize(512, 512).png().toBuffer())
    const forward = await readFile(join(root, 'api/mcp/protocol/forward.ts'), 'utf8')
    await writeFile(join(folder, 'server/forward.mjs'), stripTypeScriptTypes(forward))
    await cp(join(root, 'bin/bundle-entry.mjs'), join(folder, 'server/entry.mjs'))
    for (const name of ['LICENSE', 'NOTICE']) await cp(join(root, name), join(folder, name))
    if (!validateManifest(manifest)) throw new Error('bundle: the manifest is not valid; see the lines above')
    await mkdir(dirname(file), { recursive: true })
    if (!(await packExtension({ extensionPath: folder, outputPath: file, silent: true })))
      throw new Error(`bundle: ${file} could not be written`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const file = resolve(process.argv[2] ?? join(root, 'dist/hexcast.mcpb'))
  await buildBundle(file)
  console.log(`${file}: written`)
}
