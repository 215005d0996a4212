/**
 * `npm run audit:sbom [-- FILE]` writes a bill of materials (CycloneDX) to FILE, by default data/sbom.cdx.json, and
 * checks the licences of the packages that are distributed, the digests of the lock file and the registry's signatures.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { reproducibleBill } from './release/bill.ts'

/** Licences of packages that may be distributed with Apache-2.0 code. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])
/**
 * Packages that were reviewed by hand, because their licence in the lock file is not an SPDX expression or not in the
 * list.
 */
const reviewed: Readonly<Record<string, string>> = {
  '@img/sharp': 'LGPL-3.0 of libvips, dynamically linked',
  unionfs: 'Unlicense, by its LICENSE file',
  'dejavu-fonts-ttf':
    'Bitstream Vera and Arev licences, public domain changes: fonts may be embedded and sold with software',
  h5wasm: 'NIST public domain notice, with HDF5 under a BSD licence',
}

interface LockedPackage {
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  /** A tool of this tree, which is not distributed. */
  readonly dev?: boolean
  readonly optional?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const isAllowed = (expression: string | undefined): boolean =>
  (expression ?? '')
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence.trim())))

const licences = installed.filter(
  ([path, { license, dev }]) =>
    !dev && !isAllowed(license) && !Object.keys(reviewed).some((name) => nameOf(path).startsWith(name)),
)
const undigested = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))

const file = process.argv[2] ?? 'data/sbom.cdx.json'
const bill = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  encoding: 'utf8',
  maxBuffer: 64 << 20,
  stdio: ['ignore', 'pipe', 'ignore'],
})
mkdirSync(dirname(file), { recursive: true })
// The time of the commit, as SOURCE_DATE_EPOCH of reproducible builds has it.
const commitTime = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' })
writeFileSync(file, reproducibleBill(bill, Number(commitTime)))
const { components, specVersion } = JSON.parse(bill) as { components: unknown[]; specVersion: string }
console.log(`${file}: CycloneDX ${specVersion}, ${components.length} components`)

for (const [path, { license }] of licences)
  console.error(
    `licence: ${nameOf(path)} has ${license ?? 'no licence'}, which is not allowed; review it in infra/audit.ts`,
  )
// npm does not check a package without a digest when it installs it.
for (const [path] of undigested)
  console.error(`digest: ${nameOf(path)} has no sha512 in package-lock.json; run npm run audit:digests`)
const required = undigested.filter(([, { optional }]) => !optional)
console.log(
  `${installed.length} packages: ${licences.length} with a licence that is not allowed, ${undigested.length} without a digest`,
)

const signatures = spawnSync('npm', ['audit', 'signatures', '--fetch-retries=0'], { encoding: 'utf8' })
const output = `${signatures.stdout}${signatures.stderr}`
// The keys are on a different host from the packages, and a mirror of the registry does not have it.
const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output)
if (signatures.status === 0) console.log(signatures.stdout.trim())
else
  console.error(
    unreachable ? 'signatures: NOT checked, because the host of their keys cannot be reached' : output.trim(),
  )

process.exitCode = licences.length > 0 || required.length > 0 || (signatures.status !== 0 && !unreachable) ? 1 : 0
