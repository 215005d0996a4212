import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

const files = sourceFiles().filter(
  (file) => /^(ingest|workers|api|sql|infra|bin)/.test(file) && !file.includes('/test/'),
)
const text = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

/** Files that are tables or generated. */
const table = (file: string) =>
  /(variable|tables?|schema|generated|catalog|\.generated\.|names|data)[\w-]*\.(ts|mjs)$/.test(file) ||
  file.startsWith('api/client/')

test('only tables have more than 400 lines', () => {
  expect(files.filter((file) => !table(file) && text.get(file)!.split('\n').length > 401)).toEqual([])
})

test('no folder has a name that says nothing about its contents', () => {
  expect(files.filter((file) => /(^|\/)(utils|helpers|common|lib|services|types)\//.test(file))).toEqual([])
})

test('environment variables are read in one place', () => {
  // A release builds the environment of the processes that it starts.
  const readers = ['ingest/config.ts', 'bin/', 'infra/release/']
  expect(
    files.filter(
      (file) => /process\.env\b/.test(text.get(file)!) && !readers.some((reader) => file.startsWith(reader)),
    ),
  ).toEqual([])
})

test('no file names a machine or a registry', () => {
  expect(files.filter((file) => /(^|[^\w.-])\/(work|farm|root|home\/\w+)\//m.test(text.get(file)!))).toEqual([])
  expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": *"http/)
})

test('the lock file lists the packages of every platform, without which npm ci refuses it', () => {
  interface Locked {
    readonly optionalDependencies?: Readonly<Record<string, string>>
  }
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  const names = new Set(Object.keys(packages).map((at) => at.slice(at.lastIndexOf('node_modules/') + 13)))
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  expect(optional.filter((name) => !names.has(name))).toEqual([])
})

test('the lock file pins every package of every platform by its digest', () => {
  interface Locked {
    readonly integrity?: string
    readonly link?: boolean
  }
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  const unpinned = Object.entries(packages).filter(
    ([at, { link, integrity }]) => at.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
  )
  expect(unpinned.map(([at]) => at)).toEqual([])
})
