import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { wantedVariables } from '../../domain/dataset/want.ts'
import type { DomainId } from '../../domain/domain.ts'
import { floorTo, HOUR, type Instant, isoSeconds, MINUTE, runName, SECOND } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { fetchFile } from '../grid/fetch-file.ts'
import { fewAreLost } from '../grid/few-lost.ts'
import { look, type SeenFiles } from '../grid/list.ts'
import type { PlannedFile } from '../grid/plan.ts'
import { type FilePlan, planFile } from '../grid/plan-file.ts'
import { existingChildren } from './children.ts'
import { type Finding, failed, findingsOf, passed, warning } from './finding.ts'
import { checkMirrors } from './mirror-check.ts'

/** Number of newest due runs whose keys are listed. */
const RUNS = 3
/** Maximum number of indexes that are read for a dataset and domain, one for each class of lead hours. */
const MAX_INDEXES = 16
/**
 * A run is judged this long after the usual time of its last file. A last file that arrived even later gives a warning.
 */
const LATE_MS = 30 * MINUTE

interface ListedRun {
  readonly run: Instant
  readonly listing: SeenFiles
}

/**
 * Checks one dataset in one domain: the keys and leads of the last runs, an index for each class of leads, one message,
 * and the delay.
 */
export async function checkGrid(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  now: Instant,
): Promise<readonly Finding[]> {
  const name = `${dataset.id}/${domain}`
  const due = dataset
    .runs(now)
    .filter((run) => dataset.leads(run, domain).length > 0 && run + dataset.latencySeconds * SECOND + LATE_MS <= now)
    .slice(0, RUNS)
  const listed: ListedRun[] = []
  const findings: Finding[] = []
  for (const run of due) {
    const subject = `${name} keys of ${runName(run)}`
    findings.push(
      ...(await findingsOf(subject, async () => {
        const listing = await look(upstream, dataset, run, domain, now)
        listed.push({ run, listing })
        return [await leadsFinding(upstream, dataset, domain, run, listing, subject)]
      })),
    )
  }
  const newest = listed.find(({ listing }) => listing.files.length > 0)
  if (!newest && dataset.provisional)
    return [warning(`${name} keys`, `upstream does not offer it, so it is not read: ${findings[0]?.detail}`)]
  if (!newest) return findings
  findings.push(delayFinding(dataset, name, newest))
  findings.push(...(await checkContents(upstream, dataset, domain, newest)))
  findings.push(...(await checkMirrors(upstream, dataset, domain, newest.run, newest.listing.files)))
  return findings
}

async function leadsFinding(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  { files }: SeenFiles,
  subject: string,
): Promise<Finding> {
  const expected = dataset.leads(run, domain)
  if (files.length === 0) {
    const { bucket, prefix } = dataset.listing(run, domain)
    return failed(subject, `no key begins with ${prefix}: ${await existingChildren(upstream, bucket, prefix)}`)
  }
  const have = new Set(files.map(({ leadHours }) => leadHours))
  const missing = expected.filter((lead) => !have.has(lead))
  const other = files.filter(({ leadHours }) => !expected.includes(leadHours)).map(({ leadHours }) => leadHours)
  if (missing.length + other.length === 0) return passed(subject, `${files.length} lead hours, as expected`)
  const parts = [
    missing.length > 0 && `expected and not listed: ${hoursOf(missing)}`,
    other.length > 0 && `listed and not expected: ${hoursOf(other)}`,
  ].filter((part) => part !== false)
  const detail = `${files.length} of ${expected.length} lead hours; ${parts.join('; ')}`
  // Additional lead hours are also ingested, because the listing decides and the expectation is a minimum.
  const isTolerated = dataset.provisional && fewAreLost(missing.length, have.size)
  return missing.length > 0 && !isTolerated ? failed(subject, detail) : warning(subject, detail)
}

function delayFinding({ latencySeconds }: GridDataset, name: string, { run, listing }: ListedRun): Finding {
  const subject = `${name} delay`
  if (listing.newest === undefined) return warning(subject, 'the listing has no times')
  const minutes = (ms: number) => `${Math.round(ms / MINUTE)} min`
  const delay = listing.newest - run
  const detail = `the last key of ${runName(run)} is of ${isoSeconds(listing.newest)}, ${minutes(delay)} after the run; declared: ${minutes(latencySeconds * SECOND)}`
  return delay > latencySeconds * SECOND + LATE_MS ? warning(subject, detail) : passed(subject, detail)
}

/** Reads one index for each class of lead hours through the matcher of ingestion, and checks one message. */
async function checkContents(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  { run, listing }: ListedRun,
): Promise<Finding[]> {
  const name = `${dataset.id}/${domain}`
  const findings: Finding[] = []
  const offered = new Set<string>()
  const optional = new Set<string>()
  for (const file of leadClasses(run, listing.files)) {
    const subject = `${name} index f${String(file.leadHours).padStart(3, '0')}`
    findings.push(
      ...(await findingsOf(subject, async () => {
        const plan = await planFile(upstream, dataset, domain, run, file)
        if (!plan) return [warning(subject, `${file.url} has no index: its messages are located by their lengths`)]
        const required = dataset.wants.filter((want) => !want.optional).flatMap(wantedVariables)
        for (const variable of plan.wants.flatMap(({ want }) => wantedVariables(want))) offered.add(variable)
        for (const variable of plan.absent) if (!required.includes(variable)) optional.add(variable)
        const lost = plan.absent.filter((variable) => required.includes(variable))
        return [
          lost.length > 0
            ? failed(subject, `the index of ${file.url} has no line for ${lost.join(', ')}`)
            : passed(subject, `${plan.wants.length} of ${plan.wants.length + plan.absent.length} fields are listed`),
          ...(await messageFindings(upstream, dataset, domain, run, file, plan, findings)),
        ]
      })),
    )
  }
  const never = [...optional].filter((variable) => !offered.has(variable))
  if (never.length > 0)
    findings.push(warning(`${name} optional fields`, `no index that was read lists ${never.join(', ')}`))
  return findings
}

/** Hours of the day (UTC) at which windows of 12 and 6 hours end. */
const CLOCKS = [24, 12, 6] as const

/**
 * Returns the first file, and the last file of each class: files with the same number of hours since the previous file,
 * by whether they are valid at 00Z or 12Z, at 06Z or 18Z, or at another hour. Only some classes have the maximum of a
 * day, the minimum of a night, and amounts of 6 hours.
 */
export function leadClasses<F extends Pick<PlannedFile, 'leadHours'>>(run: Instant, files: readonly F[]): readonly F[] {
  const classes = new Map<string, F>()
  for (const [at, file] of files.entries()) {
    const before = files[at - 1]?.leadHours ?? file.leadHours
    const hour = floorTo(run, HOUR) / HOUR + file.leadHours
    const clock = CLOCKS.find((length) => hour % length === 0) ?? 1
    classes.set(at === 0 ? 'first' : `${file.leadHours - before} ${clock}`, file)
  }
  return [...classes.values()].slice(0, MAX_INDEXES)
}

/**
 * Compares sections 1, 3 and 4 of a message of the domain with its declaration. Only the first file that was read is
 * checked.
 */
async function messageFindings(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  plan: FilePlan,
  before: readonly Finding[],
): Promise<readonly Finding[]> {
  const subject = `${dataset.id}/${domain} message`
  const want = plan.wants[0]?.want
  if (!want || before.some((finding) => finding.subject === subject)) return []
  const variables = wantedVariables(want).join(', ')
  return findingsOf(subject, async () => {
    const { lost } = await fetchFile(upstream, { ...dataset, wants: [want] }, domain, run, file)
    if (lost[0]) return [failed(subject, `${variables} of ${file.url}: ${lost[0].detail}`)]
    return [passed(subject, `${variables} of hour ${file.leadHours} is as declared`)]
  })
}

const MAX_HOURS = 12
const hoursOf = (leads: readonly number[]) =>
  `${leads.slice(0, MAX_HOURS).join(', ')}${leads.length > MAX_HOURS ? ` and ${leads.length - MAX_HOURS} more` : ''}`
