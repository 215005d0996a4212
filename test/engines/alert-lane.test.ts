import { loadConfig } from '../../ingest/config.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { alertLaneSuite } from '../contracts/alert-lane-suite.ts'

const queue = `test-${Math.random().toString(36).slice(2)}`

alertLaneSuite({
  name: 'Temporal',
  open: (activities) =>
    openTemporalEngine({
      ...loadConfig().temporal!,
      queue,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    }),
  close: async () => {},
})
