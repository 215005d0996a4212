/**
 * npm run audit:digests: asks the registry for the digests that are missing in package-lock.json, and writes them into it. npm writes none of
 * a package for another platform that it could not see when the lock file was made; such a one would be installed unchecked there.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
}

const LOCK = 'package-lock.json'
const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Locked> }
const missing = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity,
)
let added = 0
for (const [path, locked] of missing) {
  const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${locked.version}`
  const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity', '--json'], { encoding: 'utf8' })
  const digest = /"(sha512-[A-Za-z0-9+/]{86}==)"/.exec(stdout)?.[1]
  if (!digest) {
    console.error(`${name}: the registry that npm uses here does not have it`)
    continue
  }
  const { version, ...others } = locked
  lock.packages[path] = { version, integrity: digest, ...others } as Locked
  added++
}
if (added > 0) writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${LOCK}: ${added} digests added, ${missing.length - added} missing`)
process.exitCode = added < missing.length ? 1 : 0
