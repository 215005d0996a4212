import type { Activities, ActivityDeps } from '../activities.ts'
import { checkActivities } from './checks.ts'
import { gridRunActivities } from './grid-runs.ts'
import { retireActivity } from './retire.ts'
import { sweepActivities } from './sweeps.ts'

/** Creates all activities of a worker. */
export function createActivities(deps: ActivityDeps): Activities {
  return { ...gridRunActivities(deps), ...sweepActivities(deps), ...checkActivities(deps), ...retireActivity(deps) }
}
