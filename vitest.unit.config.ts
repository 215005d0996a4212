import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** A test that mentions one of these opens a database, a server, a thread or recorded files: it is not a unit test. */
const needsMore =
  /skyServer|edgeServer|test-server|openDatabase|PGlite|scratch|openPool|make-tiles|fixtures|spawn|analytic|startMirror|contracts\//

/** Pure code alone, within a minute on two cores: `npm run test:unit`. */
export default defineConfig({
  test: {
    include: globSync('test/{api,cli,datasets,decode,domain,geo,infra,nowcast,steps,tile,workers}/**/*.test.ts').filter(
      (file) => !needsMore.test(readFileSync(file, 'utf8')),
    ),
    testTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
