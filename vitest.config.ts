import { defineConfig } from 'vitest/config'

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
const alone = { pool: 'forks', maxWorkers: 1, fileParallelism: false, expect: patient } as const

/** Each test file belongs to one project, by its folder. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'house', include: house, ...quick } },
      { test: { name: 'unit', include: unit, ...quick } },
      { test: { name: 'contracts', include: contracts, ...quick } },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...house, ...unit, ...contracts, ...engines, ...drills],
          ...quick,
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
