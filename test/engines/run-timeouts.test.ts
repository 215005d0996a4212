import { loadConfig } from '../../ingest/config.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { runTimeoutSuite } from '../contracts/run-timeout-suite.ts'

const queue = `test-${Math.random().toString(36).slice(2)}`

runTimeoutSuite({
  name: 'Temporal',
  open: (activities, report) =>
    openTemporalEngine({ ...loadConfig().temporal!, queue, activities, clock: Date.now, report }),
  close: async () => {},
})
