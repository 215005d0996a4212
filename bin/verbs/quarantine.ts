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

/** What upstream delivered and is not published. */
export async function quarantine(line: CommandLine): Promise<number> {
  const [what = 'list', word] = line.positionals
  return withDeps(async (deps) => {
    if (what === 'list') return list(deps, word)
    if (what !== 'show' && what !== 'replay' && what !== 'drop')
      throw new Fault('Invalid', `quarantine: wanted list, show, replay or drop, got "${what}"`)
    const row = await entry(deps, word)
    if (what === 'show') return show(deps, row, line.option('out'))
    const ports = { database: await deps.database(), objects: await deps.objects() }
    if (what === 'drop') {
      await drop(ports, row.id)
      console.log(`${row.id}: removed`)
      return 0
    }
    const stored = await replay({ ...ports, slabs: ports.objects }, row, replayedOf(row))
    console.log(
      stored
        ? `${row.id}: a worker takes ${nameOf(row)} again${row.variable === '' ? '' : `, for ${row.variable}`}; a model run if it is still the served one`
        : `${row.id}: ${nameOf(row)} is not stored any longer`,
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
      `quarantine: wanted the number of an entry, got ${word === undefined ? 'none' : `"${word}"`}`,
    )
  const row = await quarantinedEntry(await deps.database(), id)
  if (!row) throw new Fault('Invalid', `quarantine: wanted an entry of the list, got ${id}`)
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
  if (rows.length === 0) console.log('nothing is in quarantine')
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
