import { Fault } from '../../ingest/domain/fault.ts'
import { runName } from '../../ingest/domain/time.ts'
import { rollBackRun } from '../../ingest/steps/grid/publish.ts'
import type { CommandLine } from '../verb.ts'
import { datasetNamed, domainsNamed, runNamed } from './arguments.ts'
import { withDeps } from './deps.ts'

/** `hexcast rollback`: returns a stored run to the revision before. @returns exit status */
export function rollback({ positionals: [id, domainName, runText] }: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const dataset = datasetNamed(id)
    const [domain] = domainName === undefined ? [] : domainsNamed(dataset, domainName)
    const run = runNamed(runText)
    if (!domain || run === undefined)
      throw new Fault('Invalid', 'expected DATASET DOMAIN RUN, such as nbm conus 2026-08-20T12Z')
    const name = `${dataset.id} ${domain} ${runName(run)}`
    const result = await rollBackRun(await deps.database(), { dataset: dataset.id, domain, run }, Date.now())
    if (!result)
      throw new Fault('Missing', `${name}: no revision before the current one is stored. See "npx hexcast status".`)
    console.log(
      `${name}: revision ${result.to} instead of ${result.from}${result.served ? ', served from now on' : '; a newer run is served'}`,
    )
    return 0
  })
}
