import { defineConfig } from 'vitest/config'

/** The suites over real servers: `npm run test:engines` starts them itself (infra/native/up) unless DATABASE_URL is set. */
export default defineConfig({
  test: {
    include: ['test/engines/**/*.test.ts'],
    globalSetup: ['test/engines/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
  },
})
