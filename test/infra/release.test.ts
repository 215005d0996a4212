import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { javascriptOf, packApplication } from '../../infra/release/application.ts'
import { withoutTimes } from '../../infra/release/artifacts.ts'
import { reproducibleBill } from '../../infra/release/bill.ts'
import { checksums, provenanceOf, sha256Of, subjectOf } from '../../infra/release/statement.ts'

const quiet: ExecFileSyncOptionsWithStringEncoding = { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }
let folder: string
let tarball: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-release-'))
  // A stand-in for the decoder: its own tests pack it.
  mkdirSync(join(folder, 'package'))
  writeFileSync(join(folder, 'package/package.json'), '{ "name": "grib2-wasm", "version": "0.1.0" }')
  execFileSync('tar', ['-czf', join(folder, 'decoder.tgz'), '-C', folder, 'package'])
  tarball = await packApplication(folder, join(folder, 'decoder.tgz'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('packs the application as JavaScript in which every import has its file', () => {
  const place = join(folder, 'opened')
  mkdirSync(place)
  execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
  const files = new Set(readdirSync(place, { recursive: true, encoding: 'utf8' }).map(normalize))
  expect([...files].filter((file) => /\.ts$/.test(file))).toEqual([])
  let imports = 0
  const absent: string[] = []
  for (const file of files) {
    if (!/\.m?js$/.test(file)) continue
    const code = readFileSync(join(place, file), 'utf8')
    const references = code.matchAll(/(?:from |import\(|import |new URL\()"(\.{1,2}\/[^"]+\.(?:m?js|json|html))"/g)
    for (const [, path = ''] of references) {
      imports++
      const target = normalize(join(dirname(file), path))
      if (!files.has(target) && target !== 'bin/build.js') absent.push(`${file}: ${path}`)
    }
  }
  expect(absent).toEqual([])
  expect(imports).toBeGreaterThan(3000)
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'hexcast', bin: { hexcast: 'bin/hexcast.mjs' } })
  expect(Object.keys(manifest)).not.toContain('private')
  expect(Object.keys(manifest)).not.toContain('scripts')
  expect(manifest.bundleDependencies).toEqual(['grib2-wasm'])
})

test('packs the same bytes again', async () => {
  const first = await sha256Of(tarball)
  await packApplication(folder, join(folder, 'decoder.tgz'))
  expect(await sha256Of(tarball)).toBe(first)
}, 120_000)

test('removes types and changes the endings of imports, and nothing else', async () => {
  const source = `import type { A } from './a.ts'\nimport { b } from "../b.ts"\nexport const c = (x: A): string => b(x, 'd.ts')\n`
  const code = await javascriptOf(source, true)
  expect(code).toBe('import { b } from "../b.js";\nconst c = (x) => b(x, "d.js");\nexport {\n  c\n};\n')
})

test('gives the entries of a bundle one time', () => {
  const code = `import sys, zipfile
for name, year in (("one.zip", 2001), ("two.zip", 2020)):
    with zipfile.ZipFile(name, "w") as file:
        file.writestr(zipfile.ZipInfo("a.txt", (year, 5, 6, 7, 8, 10)), "content")`
  execFileSync('python3', ['-c', code], { ...quiet, cwd: folder })
  const [first, two] = ['one.zip', 'two.zip'].map((name) => readFileSync(join(folder, name)))
  expect(first?.equals(two ?? Buffer.of())).toBe(false)
  expect(withoutTimes(first ?? Buffer.of()).equals(withoutTimes(two ?? Buffer.of()))).toBe(true)
  expect(() => withoutTimes(Buffer.from('no archive'))).toThrow('not a ZIP file')
})

test('writes the same bill of materials at any time', () => {
  const written = () =>
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      ...quiet,
      maxBuffer: 64 << 20,
    })
  const [first, second] = [written(), written()]
  expect(first === second).toBe(false)
  const bill = reproducibleBill(first, 1_700_000_000)
  expect(reproducibleBill(second, 1_700_000_000) === bill).toBe(true)
  const { serialNumber, metadata, components } = JSON.parse(bill)
  expect(metadata.timestamp).toBe('2023-11-14T22:13:20.000Z')
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(components.length).toBeGreaterThan(50)
})

test('writes checksums that sha256sum accepts, and a statement with the same digests', async () => {
  const subject = await subjectOf(tarball)
  writeFileSync(join(folder, 'SHA256SUMS'), checksums([subject]))
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { ...quiet, cwd: folder })).toContain(': OK')
  const commit = '0123456789abcdef0123456789abcdef01234567'
  expect(provenanceOf([subject], commit, 'f'.repeat(64), 'v24.0.0')).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: [{ name: 'hexcast-0.1.0.tgz', digest: { sha256: await sha256Of(tarball) } }],
    predicate: { buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: commit } }, {}] } },
  })
})
