import { writeFileSync } from 'node:fs'
import { feedDatasets, frameDatasets, stateKeyOf } from '../../ingest/catalog.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { plainLine } from '../../ingest/domain/plain-line.ts'
import { quarantineReasons } from '../../ingest/domain/quarantine.ts'
import { isoSeconds, runName } from '../../ingest/domain/time.ts'
import { drop, type Replayed, replay } from '../../ingest/steps/quarantine.ts'
import { type QuarantineRow, quarantined, quarantinedEntry } from '../../sql/queries/quarantine.ts'
import type { CommandLine } from '../verb.ts'
import { type VerbDeps, withDeps } from './deps.ts'
import { megabytes } from './show.ts'

const MAX_LISTED = 200

/**
 * `hexcast quarantine`: lists, shows, replays and removes data from upstream that was not published.
 * @returns exit status
 */
export async function quarantine(line: CommandLine): Promise<number> {
  const [action = 'list', word] = line.positionals
  return withDeps(async (deps) => {
    if (action === 'list') return list(deps, word)
    if (action !== 'show' && action !== 'replay' && action !== 'drop')
      throw new Fault('Invalid', `unknown action "${action}"; expected list, show, replay or drop`)
    const row = await entry(deps, word)
    if (action === 'show') return show(deps, row, line.option('out'))
    const ports = { database: await deps.database(), objects: await deps.objects() }
    if (action === 'drop') {
      await drop(ports, row.id)
      console.log(`${row.id}: removed`)
      return 0
    }
    const stored = await replay({ ...ports, slabs: ports.objects }, row, replayedOf(row))
    console.log(
      stored
        ? `${row.id}: a worker processes ${nameOf(row)}${row.variable === '' ? '' : ` (${row.variable})`} again; a model run is processed only if it is still the served run`
        : `${row.id}: ${nameOf(row)} is no longer stored`,
    )
    return stored ? 0 : 1
  })
}

function replayedOf({ dataset }: QuarantineRow): Replayed {
  const feed = feedDatasets.find(({ id }) => id === dataset)
  if (feed) return { kind: 'feed', stateKey: stateKeyOf(feed) }
  return { kind: frameDatasets.some(({ id }) => id === dataset) ? 'frame' : 'run' }
}

async function entry(deps: VerbDeps, word: string | undefined): Promise<QuarantineRow> {
  const id = Number(word)
  if (!Number.isSafeInteger(id) || id < 1)
    throw new Fault(
      'Invalid',
      `${word === undefined ? 'the entry is missing' : `"${word}" is not an entry`}; expected its number from "npx hexcast quarantine list"`,
    )
  const row = await quarantinedEntry(await deps.database(), id)
  if (!row) throw new Fault('Invalid', `there is no entry ${id}; see "npx hexcast quarantine list"`)
  return row
}

async function list(deps: VerbDeps, dataset: string | undefined): Promise<number> {
  const rows = await quarantined(await deps.database(), MAX_LISTED, dataset)
  for (const row of rows) {
    const subject = row.variable === '' ? 'whole file' : row.variable
    console.log(
      plainLine(
        `${String(row.id).padStart(5)}  ${isoSeconds(row.last_at.getTime())}  ${nameOf(row)}  ${subject}  ${row.reason}  hours ${row.leads.join(', ')}`,
      ),
    )
  }
  if (rows.length === 0) console.log('the quarantine is empty')
  return 0
}

async function show(deps: VerbDeps, row: QuarantineRow, out: string | undefined): Promise<number> {
  const meaning = (quarantineReasons as Readonly<Record<string, string>>)[row.reason]
  console.log(`${nameOf(row)} hours ${row.leads.join(', ')}`)
  console.log(plainLine(`variable  ${row.variable === '' ? 'all: the whole file' : row.variable}`))
  console.log(`reason    ${row.reason}${meaning ? `: ${meaning}` : ''}`)
  console.log(plainLine(`detail    ${row.detail}`))
  console.log(plainLine(`source    ${row.url}`))
  console.log(`since     ${isoSeconds(row.first_at.getTime())}, last ${isoSeconds(row.last_at.getTime())}`)
  console.log(`bytes     ${row.object === null ? 'none' : `${megabytes(row.bytes)} in ${row.object}`}`)
  if (out === undefined || row.object === null) return 0
  writeFileSync(out, await (await deps.objects()).get(row.object))
  console.log(`written   ${out}`)
  return 0
}

function nameOf({ dataset, domain, run }: QuarantineRow): string {
  return [dataset, domain, runName(run.getTime())].filter(Boolean).join('/')
}
