import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/**
 * Each embedded database is a copy of 1,400 files. In memory a copy takes half as long as on a disk with a journal, so these tests put their
 * files there if it is large enough.
 */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 8e9
const inMemory = !process.env['TMPDIR'] && existsSync(MEMORY) && freeBytes(MEMORY) > ENOUGH_BYTES

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Folders of tests that open no server: together about a minute on two cores. */
const unit = [
  'test/{cli,datasets,decode,domain,geo,nowcast,ports,tile}/**/*.test.ts',
  'test/api/{blend,picture,present,query,sections}/**/*.test.ts',
  'ingest/grib2-wasm/test/**/*.test.ts',
]
const house = ['test/house/**/*.test.ts']
/** One text of each contract with an outside system; here over the embedded parts, in `engines` over real servers. */
const contracts = ['test/contracts/**/*.test.ts']
/** Over real servers, which `infra/native/up` installs and starts unless DATABASE_URL is set. */
const engines = ['test/engines/**/*.test.ts']
/** Kills, outages and load, with engines of their own. */
const drills = ['test/drills/**/*.test.ts']

/** Pages, processes and databases answer later on a machine with other work. */
const patient = { poll: { timeout: 10_000 } }
const quick = { pool: 'forks', maxWorkers: 2, testTimeout: 60_000, hookTimeout: 120_000, expect: patient } as const
const embedded = { ...quick, ...(inMemory && { env: { TMPDIR: MEMORY } }) }
const alone = { pool: 'forks', maxWorkers: 1, fileParallelism: false, expect: patient } as const

/** Each test file belongs to one project, by its folder. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'house', include: house, ...embedded } },
      { test: { name: 'unit', include: unit, ...embedded } },
      { test: { name: 'contracts', include: contracts, ...embedded } },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...house, ...unit, ...contracts, ...engines, ...drills],
          ...embedded,
        },
      },
      {
        test: {
          name: 'engines',
          include: engines,
          globalSetup: ['test/engines/setup.ts'],
          // Files mostly wait for servers, and each has a schema, a namespace or keys of its own.
          ...quick,
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'drills',
          include: drills,
          globalSetup: ['test/drills/setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          ...alone,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
