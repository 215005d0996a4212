import { defineConfig } from 'vitest/config'

/** What breaks, and what must hold while and after it does: `npm run test:drills` starts engines of its own. */
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
