import type { OpenRun } from '../../ingest/tile/read.ts'
import type { Messages } from '../contract.ts'

/** Returns a function that finds the upstream message of a run's variable at a valid time. @throws Fault */
export async function messagesIn(run: OpenRun): Promise<Messages> {
  const sources = await run.provenance()
  return (variable, time) => {
    const index = run.variables.get(variable)?.times.indexOf(time) ?? -1
    return index < 0 ? undefined : sources.get(variable)?.[index]
  }
}
