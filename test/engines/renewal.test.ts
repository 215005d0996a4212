import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { loadConfig } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { renewalSuite } from '../contracts/renewal-suite.ts'
import { freshPlace } from './place.ts'

const temporal = loadConfig().temporal!
const place = await freshPlace()
/** Workflows of runs are started once for each name, so a repeated test needs names of its own. */
const namespace = `renewal-${Math.random().toString(36).slice(2)}`

async function makeNamespace(): Promise<void> {
  const connection = await Connection.connect({ address: temporal.address })
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never }
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  // A new namespace is known to all parts of the server after some seconds.
  for (let waited = 0; waited < 60; waited++) {
    const isKnown = await connection.workflowService.listOpenWorkflowExecutions({ namespace }).then(
      () => true,
      () => false,
    )
    if (isKnown) break
    await pause(1000)
  }
  await connection.close()
}

renewalSuite({
  name: 'Temporal, PostgreSQL and S3',
  hours: 2,
  openDatabase: () => openDatabase(place.config),
  openObjects: () => openObjects(place.config),
  async openEngine(_database, activities, clock) {
    await makeNamespace()
    return openTemporalEngine({
      ...temporal,
      namespace,
      queue: namespace,
      activities,
      clock,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    })
  },
  close: () => place.drop(),
})
