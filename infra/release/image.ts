/**
 * Builds infra/Dockerfile without a registry of images and without a daemon, starts the image over the simulator with a read-only root
 * file system as its own user, gets an answer, and ends it by SIGTERM.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Buildah, buildBase, buildImage, openBuildah } from './image-build.ts'

const run = promisify(execFile)
const ANSWER_MS = 300_000
const USER = 1000

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
}

/** Returns what is missing on this machine to build an image: Linux, root, and the Debian packages buildah and mmdebstrap are needed. */
export async function missingForImage(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'root'
  for (const tool of ['buildah', 'mmdebstrap', 'unshare', 'npm']) {
    const isInstalled = await run('which', [tool]).then(
      () => true,
      () => false,
    )
    if (!isInstalled) return `the program ${tool}`
  }
  return undefined
}

/** Starts what the image starts, in a mount namespace in which only /data and /tmp can be written. */
function start(mounted: string, dataDir: string, config: ImageConfig) {
  const script = [
    'root=$0 data=$1 user=$2 folder=$3',
    'shift 3',
    'mount --bind "$root" "$root"',
    'mount -o remount,bind,ro "$root"',
    'mount -t proc proc "$root/proc"',
    'mount --rbind /dev "$root/dev"',
    'mount -t tmpfs tmpfs "$root/tmp"',
    'mount --bind "$data" "$root/data"',
    'exec chroot --userspec="$user" "$root" /usr/bin/env -i --chdir="$folder" "$@"',
  ].join(' && ')
  const settings = ['PORT=0', 'HOST=127.0.0.1', 'UPSTREAM=simulated', 'DATASETS=nbm', 'DRAIN_SECONDS=0']
  const place = [mounted, dataDir, config.User, config.WorkingDir]
  const command = [...config.Env, ...settings, ...config.Entrypoint, ...config.Cmd]
  return spawn('unshare', ['--mount', 'sh', '-euc', script, ...place, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Waits for the address and the first key on stdout, and then for a whole answer. */
async function answer(child: ReturnType<typeof start>): Promise<{ seconds: number; temperature: number }> {
  const from = performance.now()
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line)
    if (log.length > 200) log.shift()
  })
  const greeting = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the container ended with status ${status}: ${log.slice(-5).join('\n')}`)
  })
  const [line] = await Promise.race([greeting, ended])
  const { url, first_key: key } = JSON.parse(line) as { url: string; first_key: string }
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  for (;;) {
    const options = { headers: { authorization: `Bearer ${key}` } }
    const response = await Promise.race([fetch(`${url}/v1/weather?lat=39.74&lon=-104.99`, options), ended])
    const text = await response.text()
    const { current } = JSON.parse(text) as { current?: { temperature?: { value?: number } | number | null } }
    const value = typeof current?.temperature === 'object' ? current.temperature?.value : current?.temperature
    if (response.status === 200 && typeof value === 'number')
      return { seconds: (performance.now() - from) / 1000, temperature: value }
    if (performance.now() - from > ANSWER_MS)
      throw new Error(`no answer: ${text.slice(0, 500)} ${log.slice(-5).join('\n')}`)
    await pause(1000)
  }
}

async function startAndStop(
  buildah: Buildah,
  image: string,
  folder: string,
  config: ImageConfig,
  report: (line: string) => void,
): Promise<void> {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  await chown(dataDir, USER, USER)
  const container = await buildah('from', '--pull-never', image)
  const child = start(await buildah('mount', container), dataDir, config)
  try {
    const { seconds, temperature } = await answer(child)
    report(`answers over the simulator after ${seconds.toFixed(0)} s: ${temperature} in Denver`)
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    assert(status.includes(`\nUid:\t${USER}\t${USER}\t`), status)
    const mounts = await readFile(`/proc/${child.pid}/mountinfo`, 'utf8')
    assert.match(mounts, /^\d+ \d+ \S+ \S+ \/ ro/m)
    report(`runs as user ${USER} on a read-only root file system`)
    const from = performance.now()
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    report(`ends by SIGTERM with status 0 after ${((performance.now() - from) / 1000).toFixed(1)} s`)
  } finally {
    child.kill('SIGKILL')
    await buildah('umount', container)
  }
}

/**
 * Builds the image, uses it, and writes it to a file if one is given.
 * @param archive path of an OCI archive to write (`skopeo copy oci-archive:FILE docker://…` publishes it)
 * @param report receives one line for each of the four things that were shown
 * @throws Error with the output of the program that failed
 */
export async function buildAndUseImage(report: (line: string) => void, archive?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-image-'))
  const buildah = await openBuildah(folder)
  try {
    const begun = performance.now()
    const base = await buildBase(buildah, folder)
    const image = await buildImage(buildah, base, folder)
    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', image)) as {
      OCIv1: { config: ImageConfig }
    }
    const sizes = JSON.parse(await buildah('images', '--json')) as { names?: string[]; size: string }[]
    const sizeOf = (name: string) => sizes.find(({ names }) => names?.some((full) => full.startsWith(name)))?.size
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    report(`built in ${seconds} s: ${sizeOf(`${image}:`)}, of which base ${sizeOf(`${base}:`)}`)
    await startAndStop(buildah, image, folder, OCIv1.config, report)
    if (archive !== undefined) await buildah('push', '--quiet', image, `oci-archive:${archive}:hexcast`)
  } finally {
    await buildah('rm', '--all').catch((error) => console.error(error.message))
    await rm(folder, { recursive: true, force: true })
  }
}
