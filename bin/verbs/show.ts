import { variables } from '../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { isoSeconds, runName } from '../../ingest/domain/time.ts'
import type { PlannedFile, RunPlan } from '../../ingest/steps/grid/plan.ts'
import type { FilePlan } from '../../ingest/steps/grid/plan-file.ts'
import type { Receipt } from '../../ingest/steps/grid/receipt.ts'
import type { TakeProgress } from '../../ingest/steps/grid/take-run.ts'
import type { VerbDeps } from './deps.ts'

export function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Formats a number with up to 6 digits, or `-` for NaN. */
export function number(value: number): string {
  if (Number.isNaN(value)) return '-'
  return Math.abs(value) >= 0.001 || value === 0 ? String(Number(value.toPrecision(6))) : value.toExponential(3)
}

export function printPlan(
  plan: RunPlan,
  files: readonly { readonly file: PlannedFile; readonly plan: FilePlan | undefined }[],
): void {
  const { dataset, domain, run, stage, absent } = plan
  const leads = plan.files.map(({ leadHours }) => leadHours)
  const hours = leads.length > 0 ? `hours ${leads[0]} to ${leads.at(-1)}` : 'none'
  console.log(`${dataset}/${domain}/${runName(run)} stage ${stage.name}: ${leads.length} files, ${hours}`)
  if (absent.length > 0) console.log(`  missing upstream: ${absent.join(', ')}`)
  for (const { file, plan: filePlan } of files) {
    console.log(`  hour ${file.leadHours}: ${file.url}`)
    if (!filePlan) {
      console.log('    no index: the whole file is fetched, and its messages are identified by their headers')
      continue
    }
    for (const { want, messages } of filePlan.wants) {
      for (const { offset, length, text } of Object.values(messages)) {
        const end = length === undefined ? 'end' : offset + length - 1
        console.log(`    ${wantedVariables(want).join('+').padEnd(34)} ${offset}-${end}  ${text}`)
      }
    }
    const bytes = filePlan.ranges.reduce((sum, { length }) => sum + (length ?? 0), 0)
    console.log(
      `    ${filePlan.ranges.length} ranges, ${megabytes(bytes)}${file.size ? ` of ${megabytes(file.size)}` : ''}`,
    )
    if (filePlan.absent.length > 0) console.log(`    not in the file: ${filePlan.absent.join(', ')}`)
  }
}

export function printReceipt({
  dataset,
  domain,
  run,
  leadHours,
  slabs,
  wanted,
  got,
  missing,
  fetchedBytes,
  slabKey,
}: Receipt): void {
  console.log(
    `${dataset}/${domain}/${runName(run)} hour ${leadHours}: ${got} of ${wanted} messages, ${megabytes(fetchedBytes)} fetched`,
  )
  for (const slab of slabs) {
    const { unit } = variables.get(slab.variable) ?? { unit: '' }
    const values = `${number(slab.min)} … ${number(slab.max)} ${unit}, mean ${number(slab.mean)}, step ${number(slab.quantum)}`
    const state = `${(slab.missing * 100).toFixed(1)} % missing, rows ${number(slab.roughness)}`
    console.log(`  ${slab.variable.padEnd(34)} ${isoSeconds(slab.time)}  ${values}; ${state}`)
  }
  for (const { variable, detail } of missing) console.log(`  ${variable.padEnd(34)} lost: ${detail}`)
  if (slabs.length > 0) console.log(`  → ${slabKey}`)
}

/**
 * Creates a function that shows progress: on a terminal a single line that is overwritten, elsewhere a line for each
 * tenth.
 */
export function display(deps: VerbDeps): (progress: TakeProgress) => void {
  let lastTenth = ''
  return ({ dataset, domains, run, what, done, total }) => {
    const line = `${dataset}/${domains.join('+')} ${runName(run)}: ${what} ${done} of ${total}`
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}${what === 'published' ? '\n' : ''}`)
    else {
      const tenth = `${dataset}${domains}${what}${Math.floor((10 * done) / Math.max(1, total))}`
      if (tenth !== lastTenth) deps.log(line)
      lastTenth = tenth
    }
  }
}
