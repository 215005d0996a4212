import { defineConfig } from 'vitest/config'

/** Failure drills: `npm run test:drills` starts engines of its own. */
export default defineConfig({
  test: {
    include: ['test/drills/**/*.test.ts'],
    globalSetup: ['test/drills/setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    reporters: ['default'],
  },
})
