/**
 * npm run audit:digests: asks the registry for the digests that are missing in package-lock.json, and writes them into it. npm writes none of
 * a package for another platform that the registry did not have when the lock file was made, as a mirror of some platforms has not. There
 * npm compares the package with the digest that the registry names at that moment: what is installed is whole, but not pinned.
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

async function find(name: string): Promise<DigestLookup> {
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
    const found = await find(name)
    if (found === 'missing') {
      counts.missing++
      console.error(`${name}: the registry that npm uses here does not have it`)
    } else if ('failure' in found) {
      counts.failed++
      console.error(`${name}: not read from the registry (${found.failure}); run this again`)
    } else {
      counts.added++
      const { version, ...others } = locked
      lock.packages[path] = { version, integrity: found.digest, ...others } as LockEntry
    }
  }),
)
if (counts.added > 0) writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  `${LOCK}: ${counts.added} digests added, ${counts.missing} not in the registry, ${counts.failed} could not be read`,
)
process.exitCode = counts.missing + counts.failed > 0 ? 1 : 0
