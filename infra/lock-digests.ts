/**
 * `npm run audit:digests` reads the digests that are missing in package-lock.json from the registry and writes them
 * into the file. npm writes no digest for a package of another platform if the registry (such as a mirror of some
 * platforms) did not have it when the lock file was written. At installation npm then compares the package only with
 * the registry's digest, so it is intact but not pinned.
 */

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import PQueue from 'p-queue'

interface LockEntry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
}

type DigestLookup = { readonly digest: string } | 'missing' | { readonly failure: string }

const LOCK = 'package-lock.json'
const CONCURRENT_LOOKUPS = 4
const run = promisify(execFile)
const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, LockEntry> }
const missing = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity,
)

async function findDigest(name: string): Promise<DigestLookup> {
  const view = run('npm', ['view', name, 'dist.integrity', '--json'])
  const { stdout } = await view.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  const digest = /"(sha512-[A-Za-z0-9+/]{86}==)"/.exec(stdout)?.[1]
  if (digest) return { digest }
  const code = /"code": "([A-Z0-9]+)"/.exec(stdout)?.[1]
  return code === 'E404' ? 'missing' : { failure: code ?? 'no sha512' }
}

const lookups = new PQueue({ concurrency: CONCURRENT_LOOKUPS })
const counts = { added: 0, missing: 0, failed: 0 }
await lookups.addAll(
  missing.map(([path, locked]) => async () => {
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${locked.version}`
    const result = await findDigest(name)
    if (result === 'missing') {
      counts.missing++
      console.error(`${name}: npm's registry does not have this package`)
    } else if ('failure' in result) {
      counts.failed++
      console.error(
        `${name}: the digest could not be read from the registry (${result.failure}); run npm run audit:digests again`,
      )
    } else {
      counts.added++
      const { version, ...members } = locked
      lock.packages[path] = { version, integrity: result.digest, ...members } as LockEntry
    }
  }),
)
if (counts.added > 0) writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  `${LOCK}: ${counts.added} digests added, ${counts.missing} not in the registry, ${counts.failed} could not be read`,
)
process.exitCode = counts.missing + counts.failed > 0 ? 1 : 0
