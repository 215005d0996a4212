import { execFile } from 'node:child_process'
import { access, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const BUILD_MS = 1_200_000
const DEBIAN = 'bookworm'
/** What Node needs beside Debian's essential packages. */
const PACKAGES = 'ca-certificates,libstdc++6'

/** Runs buildah with its storage in a folder of the test. @returns what it printed */
export type Buildah = (...words: string[]) => Promise<string>

export async function openBuildah(folder: string): Promise<Buildah> {
  const overlays = (await readFile('/proc/filesystems', 'utf8')).includes('overlay')
  const env = { ...process.env, STORAGE_DRIVER: overlays ? 'overlay' : 'vfs', BUILDAH_ISOLATION: 'chroot' }
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  return async (...words) => {
    const { stdout } = await run('buildah', [...store, ...words], {
      cwd: root,
      env,
      timeout: BUILD_MS,
      maxBuffer: 1 << 26,
    })
    return stdout.trim()
  }
}

/**
 * Builds an image with what node:24-bookworm-slim has, without a registry of images: Debian's packages, the program of the npm package
 * `node`, this machine's npm, and the user node.
 * @returns its name
 */
export async function buildBase(buildah: Buildah, folder: string): Promise<string> {
  const archive = join(folder, 'base.tar')
  const excluded = ['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const options = ['--quiet', '--variant=essential', `--include=${PACKAGES}`, ...excluded]
  await run('mmdebstrap', [...options, DEBIAN, archive], { timeout: BUILD_MS, maxBuffer: 1 << 26 })
  // npm-cli.js in the folder bin of the package. npm itself derives its folder from the program of Node, which here is in a package.
  const npmProgram = process.env['npm_execpath'] ?? (await realpath((await run('which', ['npm'])).stdout.trim()))
  const npm = dirname(dirname(npmProgram))
  await access(join(npm, 'bin/npm-cli.js'))
  const container = await buildah('from', 'scratch')
  await buildah('add', '--quiet', container, archive, '/')
  await buildah('copy', '--quiet', '--chmod', '755', container, 'node_modules/node/bin/node', '/usr/local/bin/node')
  await buildah('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm')
  const commands = [
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'echo node:x:1000:1000::/home/node:/bin/sh >> /etc/passwd',
    'echo node:x:1000: >> /etc/group',
    'mkdir /home/node',
    'chown 1000:1000 /home/node',
  ]
  await buildah('run', container, '--', 'sh', '-c', commands.join(' && '))
  const image = 'localhost/hexcast-test-node'
  await buildah('commit', '--quiet', container, image)
  await buildah('rm', container)
  return image
}

/** Builds infra/Dockerfile over a base. npm in the build has this machine's registry, certificates and cache. @returns its name */
export async function buildImage(buildah: Buildah, base: string, folder: string): Promise<string> {
  const setting = async (name: string) => (await run('npm', ['config', 'get', name])).stdout.trim()
  const [registry, cache] = await Promise.all([setting('registry'), setting('cache')])
  const npmrc = join(folder, 'npmrc')
  const certificates = '/etc/ssl/certs'
  await writeFile(npmrc, `registry=${registry}\ncafile=/certificates/ca-certificates.crt\ncache=/npm-cache\n`)
  await mkdir(cache, { recursive: true })
  const image = 'localhost/hexcast-test'
  const volumes = [`${npmrc}:/usr/local/etc/npmrc:ro`, `${certificates}:/certificates:ro`, `${cache}:/npm-cache`]
  await buildah(
    'build-using-dockerfile',
    ...['--network', 'host', '--format', 'docker', '--pull-never'],
    ...[
      '--build-arg',
      `NODE_IMAGE=${base}`,
      '--ignorefile',
      'infra/Dockerfile.dockerignore',
      '--file',
      'infra/Dockerfile',
    ],
    ...volumes.flatMap((volume) => ['--volume', volume]),
    ...['--tag', image, '.'],
  )
  return image
}
