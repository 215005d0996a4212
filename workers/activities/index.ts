import type { Activities, ActivityDeps } from '../activities.ts'
import { checks } from './checks.ts'
import { gridRuns } from './grid-runs.ts'
import { retirement } from './retire.ts'
import { sweeps } from './sweeps.ts'

/** Binds each step to its deps. */
export function createActivities(deps: ActivityDeps): Activities {
  return { ...gridRuns(deps), ...sweeps(deps), ...checks(deps), ...retirement(deps) }
}
