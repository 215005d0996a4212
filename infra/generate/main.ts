/**
 * `npm run generate` writes every derived file: WebAssembly modules, SQL schema, OpenAPI and AsyncAPI documents, types
 * of the clients, the entry of an MCP registry, rules and dashboard of monitoring, and the tables of README.md and
 * OPS.md. With
 * `--check`, as in `npm run check`, it writes nothing and ends with exit status 1 if a file is outdated.
 */
import { writeFileSync } from 'node:fs'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import { dumpSchema } from '../../sql/generate.ts'
import { kernelFiles, textOf } from '../build-kernels.ts'
import { registryEntry } from '../bundle/manifest.ts'
import { asyncApi } from './asyncapi.ts'
import { monitoringFiles } from './monitoring.ts'
import { generated as openApiFiles } from './openapi.ts'
import { documentsWithTables, renderTables } from './readme.ts'

export interface DerivedFile {
  /** Path relative to the project's root. */
  readonly path: string
  readonly text: string
}

async function schemaFiles(): Promise<DerivedFile[]> {
  const { source, close } = await scratchDatabase()
  try {
    const { sql, types } = await dumpSchema(source)
    return [
      { path: 'sql/schema.sql', text: sql },
      { path: 'sql/schema.ts', text: types },
    ]
  } finally {
    await close()
  }
}

/** Returns the packages and manifests with the version of the project. */
function versionedFiles(): DerivedFile[] {
  const { version } = JSON.parse(textOf('package.json')) as { version: string }
  const client = 'api/client'
  const integration = `${client}/home-assistant/custom_components/hexcast/manifest.json`
  return [`${client}/package.json`, `${client}/python/pyproject.toml`, integration].map((path) => ({
    path,
    text: textOf(path).replace(/("?version"? ?[=:] ")[^"]*"/, `$1${version}"`),
  }))
}

/** The generators, each after the generators that it depends on. */
export const generators: Readonly<Record<string, () => DerivedFile[] | Promise<DerivedFile[]>>> = {
  kernels: kernelFiles,
  schema: schemaFiles,
  openapi: openApiFiles,
  asyncapi: () => [{ path: 'docs/asyncapi.json', text: `${JSON.stringify(asyncApi(), null, 1)}\n` }],
  monitoring: monitoringFiles,
  versions: versionedFiles,
  registry: () => [{ path: 'server.json', text: `${JSON.stringify(registryEntry(), null, 2)}\n` }],
  readme: () =>
    Promise.all(documentsWithTables.map(async (path) => ({ path, text: await renderTables(textOf(path)) }))),
}

/** @param names names of generators; none means all @returns the outdated files with their new text */
export async function staleFiles(names: readonly string[] = []): Promise<DerivedFile[]> {
  const stale: DerivedFile[] = []
  for (const [name, generate] of Object.entries(generators)) {
    if (names.length > 0 && !names.includes(name)) continue
    for (const file of await generate()) if (textOf(file.path) !== file.text) stale.push(file)
  }
  return stale
}

if (import.meta.main) {
  const check = process.argv.includes('--check')
  const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const unknown = names.filter((name) => !(name in generators))
  if (unknown.length > 0) {
    console.error(`generate: unknown generator ${unknown.join(', ')}; expected ${Object.keys(generators).join(', ')}`)
    process.exit(2)
  }
  const stale = await staleFiles(names)
  if (!check) for (const { path, text } of stale) writeFileSync(new URL(`../../${path}`, import.meta.url), text)
  for (const { path } of stale) console.log(check ? `${path} is outdated; run npm run generate` : `${path}: written`)
  if (stale.length === 0) console.log('all derived files are up to date')
  if (check && stale.length > 0) process.exitCode = 1
}
