import type { LineageNote } from '../../ingest/domain/run/lineage.ts'
import { parseRun } from '../../ingest/domain/time.ts'
import { runOf } from '../../sql/queries/runs.ts'
import type { ActivityDeps, RunInput } from '../activities.ts'

/** Sends data lineage events about the stages of model runs. */
export function runLineage({ database, lineage, clock }: ActivityDeps) {
  return {
    note(
      type: LineageNote['type'],
      { dataset, domains, run, stage }: RunInput & { stage: number },
      details: Partial<Pick<LineageNote, 'inputs' | 'outputs' | 'reason'>>,
    ): void {
      lineage?.note({ type, at: clock(), dataset, stage, domains, run: parseRun(run), inputs: [], ...details })
    },
    /** Returns the keys of a run's manifests, or none if no lineage is sent. */
    async manifestsOf({ dataset, domains, run }: RunInput): Promise<string[]> {
      if (!lineage) return []
      const keys = domains.map((domain) => ({ dataset, domain, run: new Date(parseRun(run)) }))
      // The stage is already published, so a failed read here must not make the activity fail and run again.
      const rows = await Promise.all(keys.map((key) => runOf(database, key).catch(() => undefined)))
      return rows.flatMap((row) => row?.manifest_key ?? [])
    },
  }
}
