/**
 * `npm run clients -- [FOLDER] [--python=python3.10]`: packs the TypeScript client as a tarball of npm and, with an interpreter that has pip,
 * the Python client as a wheel; default dist/clients.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const client = join(root, 'api/client')

/** @returns the tarball. @throws Error where the compiler or npm fails, with what it printed */
export function packTypeScript(folder: string): Promise<string> {
  return staged(async (stage) => {
    await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      client,
      '--outDir',
      `${stage}/dist`,
    ])
    for (const name of ['package.json', 'README.md']) await cp(join(client, name), join(stage, name))
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: stage })
    return one(folder, /^hexcast-client-.*\.tgz$/)
  })
}

/** @returns the wheel. @throws Error where pip fails, with what it printed */
export function packPython(folder: string, python: string): Promise<string> {
  return staged(async (stage) => {
    await cp(join(client, 'python'), stage, { recursive: true })
    await run(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, stage])
    return one(folder, /^hexcast-.*\.whl$/)
  })
}

async function staged(pack: (stage: string) => Promise<string>): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'hexcast-client-'))
  try {
    for (const name of ['LICENSE', 'NOTICE']) await cp(join(root, name), join(stage, name))
    return await pack(stage)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

async function one(folder: string, name: RegExp): Promise<string> {
  const found = (await readdir(folder)).filter((file) => name.test(file))
  if (found.length !== 1) throw new Error(`${folder}: wanted one file like ${name}, got ${found.join(', ') || 'none'}`)
  return join(folder, found[0]!)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { python: { type: 'string' } } })
  const folder = resolve(positionals[0] ?? join(root, 'dist/clients'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  console.log(`${await packTypeScript(folder)}: written`)
  const { python } = values
  console.log(python ? `${await packPython(folder, python)}: written` : 'no wheel: --python names no interpreter')
}
