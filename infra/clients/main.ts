/**
 * `npm run clients -- [FOLDER] [--python=python3.10]` packs the TypeScript client as an npm tarball and, with an
 * interpreter that has pip, the Python client as a wheel. FOLDER is dist/clients by default.
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

/** @returns the path of the tarball @throws Error with the output of the compiler or npm if one of them fails */
export function packTypeScript(folder: string): Promise<string> {
  return withStage(async (stage) => {
    await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      client,
      '--outDir',
      `${stage}/dist`,
    ])
    for (const name of ['package.json', 'README.md']) await cp(join(client, name), join(stage, name))
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: stage })
    return onlyFile(folder, /^hexcast-client-.*\.tgz$/)
  })
}

/** @returns the path of the wheel @throws Error with the output of pip if it fails */
export function packPython(folder: string, python: string): Promise<string> {
  return withStage(async (stage) => {
    await cp(join(client, 'python'), stage, { recursive: true })
    await run(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, stage])
    return onlyFile(folder, /^hexcast-.*\.whl$/)
  })
}

/** Runs `pack` with a temporary folder that has LICENSE and NOTICE. */
async function withStage(pack: (stage: string) => Promise<string>): Promise<string> {
  const stage = await mkdtemp(join(tmpdir(), 'hexcast-client-'))
  try {
    for (const name of ['LICENSE', 'NOTICE']) await cp(join(root, name), join(stage, name))
    return await pack(stage)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

async function onlyFile(folder: string, pattern: RegExp): Promise<string> {
  const [file, ...others] = (await readdir(folder)).filter((name) => pattern.test(name))
  if (file === undefined || others.length > 0)
    throw new Error(`${folder} must have one file like ${pattern}, but has ${[file, ...others].join(', ') || 'none'}`)
  return join(folder, file)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { python: { type: 'string' } } })
  const folder = resolve(positionals[0] ?? join(root, 'dist/clients'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  console.log(`${await packTypeScript(folder)}: written`)
  const { python } = values
  console.log(
    python
      ? `${await packPython(folder, python)}: written`
      : 'no wheel was built; give --python=INTERPRETER to build one',
  )
}
