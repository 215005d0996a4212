import { loadConfig } from '../../ingest/config.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { engineSuite } from '../contracts/engine-suite.ts'

const temporal = loadConfig().temporal!
const queue = `test-${Math.random().toString(36).slice(2)}`

engineSuite({
  name: 'Temporal',
  open: (activities) =>
    openTemporalEngine({
      ...temporal,
      queue,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    }),
  close: async () => {},
})
