import { isoSeconds, runName } from '../domain/time.ts'
import { variables } from '../domain/variable.ts'
import { wantedVariables } from '../domain/want.ts'
import type { PlannedFile, RunPlan } from '../steps/plan.ts'
import type { FilePlan } from '../steps/plan-file.ts'
import type { Receipt } from '../steps/sample.ts'
import type { Progress } from '../steps/take-run.ts'
import type { Hand } from './hand.ts'

export function megabytes(bytes: number): string {
  return bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

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
  const span = leads.length > 0 ? `hours ${leads[0]} to ${leads.at(-1)}` : 'none'
  console.log(`${dataset}/${domain}/${runName(run)} stage ${stage.name}: ${leads.length} files, ${span}`)
  if (absent.length > 0) console.log(`  not there: ${absent.join(', ')}`)
  for (const { file, plan: chosen } of files) {
    console.log(`  hour ${file.leadHours}: ${file.url}`)
    if (!chosen) {
      console.log('    no index: the file is read whole and its messages are asked what they are')
      continue
    }
    for (const { want, messages } of chosen.wants) {
      for (const { offset, length, text } of Object.values(messages)) {
        const end = length === undefined ? 'end' : offset + length - 1
        console.log(`    ${wantedVariables(want).join('+').padEnd(34)} ${offset}-${end}  ${text}`)
      }
    }
    const bytes = chosen.ranges.reduce((sum, { length }) => sum + (length ?? 0), 0)
    console.log(
      `    ${chosen.ranges.length} ranges, ${megabytes(bytes)}${file.size ? ` of ${megabytes(file.size)}` : ''}`,
    )
    if (chosen.absent.length > 0) console.log(`    not offered: ${chosen.absent.join(', ')}`)
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
    const state = `${(slab.missing * 100).toFixed(1)} % without, rows ${number(slab.roughness)}`
    console.log(`  ${slab.variable.padEnd(34)} ${isoSeconds(slab.time)}  ${values}; ${state}`)
  }
  for (const { variable, reason } of missing) console.log(`  ${variable.padEnd(34)} lost: ${reason}`)
  if (slabs.length > 0) console.log(`  → ${slabKey}`)
}

/** One line on a terminal that says what is being done; elsewhere a line a tenth. */
export function display(hand: Hand): (progress: Progress) => void {
  let tenth = ''
  return ({ dataset, domains, run, what, done, total }) => {
    const line = `${dataset}/${domains.join('+')} ${runName(run)}: ${what} ${done} of ${total}`
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}${what === 'published' ? '\n' : ''}`)
    else {
      const now = `${dataset}${domains}${what}${Math.floor((10 * done) / Math.max(1, total))}`
      if (now !== tenth) hand.say(line)
      tenth = now
    }
  }
}
