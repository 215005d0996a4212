import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const DIGEST = (character: string) => `sha256:${character.repeat(64)}`

/**
 * A copy of the files that infra/up reads, and a Docker client whose registry is a folder, so that no engine is needed
 * to resolve digests.
 */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-up-'))
  for (const name of ['up', 'images', 'compose.yaml']) await cp(`infra/${name}`, join(folder, name))
  await writeFile(
    join(folder, 'docker'),
    `#!/bin/sh
cd "${folder}"
echo "$*" >> calls
case "$1 $2" in
  "pull --quiet") [ ! -f unreachable ] || { echo "no route to the registry" >&2; exit 1; } ;;
  "image inspect") for last; do :; done; echo "mirror.example/\${last%:*}@${DIGEST('f')}"; echo "\${last%:*}@$(cat digest)" ;;
  compose*) ;;
esac
`,
  )
  await chmod(join(folder, 'docker'), 0o755)
  await registryGives('a')
})
afterEach(() => rm(folder, { recursive: true }))

const registryGives = (character: string) => writeFile(join(folder, 'digest'), DIGEST(character))
const up = () => run(join(folder, 'up'), ['-d'], { env: { PATH: `${folder}:${process.env['PATH']}` } })
const lock = () => readFile(join(folder, 'images.lock'), 'utf8')
const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')

test('resolves a digest for every image at the first start, and later runs the same images whatever the tags then name', async () => {
  await up()
  const first = await lock()
  expect(first.match(/^POSTGRES_IMAGE=postgis\/postgis:17-3\.5@sha256:a{64}$/m)).not.toBeNull()
  expect(first).not.toContain('f'.repeat(64))
  expect((await calls()).at(-1)).toBe('compose --env-file .env --env-file images.lock -f compose.yaml up -d')
  const secrets = await readFile(join(folder, '.env'), 'utf8')
  expect((await stat(join(folder, '.env'))).mode & 0o077).toBe(0)

  await registryGives('b')
  const before = (await calls()).length
  await up()
  expect(await lock()).toBe(first)
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe(secrets)
  // No image was pulled.
  expect((await calls()).length).toBe(before + 1)
})

test('resolves a changed tag again, and keeps the digests of the other images', async () => {
  await up()
  const images = await readFile(join(folder, 'images'), 'utf8')
  await writeFile(join(folder, 'images'), images.replace('busybox:1.37', 'busybox:1.38'))
  await registryGives('b')
  await up()
  const lines = (await lock()).trim().split('\n')
  expect(lines.filter((line) => line.includes('b'.repeat(64)))).toEqual([`BUSYBOX_IMAGE=busybox:1.38@${DIGEST('b')}`])
  expect(lines.length).toBe(6)
})

test.each([
  ['the registry is unreachable', 'unreachable', ''],
  ['the registry gives no digest', 'digest', 'latest'],
])('starts nothing and stores no digest when %s', async (_, file, content) => {
  await writeFile(join(folder, file), content)
  await expect(up()).rejects.toThrow()
  expect((await calls()).some((line) => line.startsWith('compose'))).toBe(false)
  expect(await lock()).toBe('')
})

test('names no image by a tag in the compose file and the Dockerfile', async () => {
  const compose = await readFile('infra/compose.yaml', 'utf8')
  const named = new Set((await readFile('infra/images', 'utf8')).match(/^\w+(?==)/gm))
  const used = [...compose.matchAll(/^ +image: (.+)$/gm)].map(([, image]) => image!)
  expect(used.length).toBe(6)
  for (const image of used.filter((image) => image !== 'hexcast:local'))
    expect(named).toContain(/^\$\{(\w+_IMAGE):\?/.exec(image)?.[1])
  const bases = [...(await readFile('infra/Dockerfile', 'utf8')).matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  expect(bases.length).toBe(2)
  for (const base of bases) expect(base).toMatch(/^\$\{NODE_IMAGE\}$/)
})
