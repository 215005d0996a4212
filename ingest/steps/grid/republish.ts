import PQueue from 'p-queue'
import { type RunRow, runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Instant, runName } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import { type Manifest, openText } from '../../tile/manifest.ts'
import { publishStage, type RunOf, type RunPorts } from './grid-run.ts'
import { planRun } from './plan.ts'
import type { Outcome } from './publish.ts'
import { sampleFile } from './sample.ts'
import type { TakeOptions } from './take-run.ts'

/** Result of republishing a run in a domain. */
export interface Republished {
  readonly domain: DomainId
  readonly outcome: Outcome
  /** The revision that the run had, and the revision that it has now. */
  readonly before: number
  readonly revision: number
  /** Number of tiles, and how many of them have the same bytes as before; absent if no revision was published. */
  readonly tiles?: number
  readonly same?: number
}

/** Number of files that are sampled concurrently, as in the loop of a run. */
const CONCURRENCY = 3

/**
 * Publishes a stored run as its next revision, from the files that upstream has. Slabs that this version of the code has
 * stored are not sampled again. The newest published stage is built, which contains the earlier stages. A repeated call
 * after an interruption continues.
 * @throws Fault Missing if the run is not stored as published; Gone, NotYet, Refused from upstream
 */
export async function republish(
  ports: RunPorts,
  dataset: GridDataset,
  target: RunOf,
  now: Instant,
  options: Pick<TakeOptions, 'signal' | 'progress'> = {},
): Promise<Republished[]> {
  const { run } = target
  const rows = new Map<DomainId, RunRow>()
  for (const domain of target.domains) {
    const row = await runOf(ports.database, { dataset: dataset.id, domain, run: new Date(run) })
    if (row?.state === 'published') rows.set(domain, row)
  }
  const domains = [...rows.keys()]
  if (domains.length === 0)
    throw new Fault(
      'Missing',
      `${dataset.id}/${target.domains.join('+')}/${runName(run)}: the run is not stored, so it has no revision. Process it with "hexcast backfill ${dataset.id} ${runName(run)}".`,
    )
  const stages = dataset.stages(run, nth(domains, 0))
  const publishedTo = Math.max(...[...rows.values()].map((row) => row.published_to ?? 0))
  const stage = Math.max(
    0,
    stages.findLastIndex((_, index) => (stages[index - 1]?.to ?? Number.NEGATIVE_INFINITY) < publishedTo),
  )
  const { files } = await planRun(ports.upstream, dataset, run, nth(domains, 0), stage, now, {
    partial: true,
    signal: options.signal,
  })
  let sampled = 0
  const sample = async (file: (typeof files)[number]) => {
    options.signal?.throwIfAborted()
    await sampleFile(ports, dataset, run, file, domains, { signal: options.signal }).catch((error: unknown) => {
      // The lost file is recorded, and publishStage reads the record.
      if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) throw error
    })
    options.progress?.({ dataset: dataset.id, domains, run, what: 'sample', done: ++sampled, total: files.length })
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(files.map((file) => () => sample(file)))
  const { outcomes, again } = await publishStage(ports, dataset, { domains, run }, stage, now, {
    signal: options.signal,
    partial: true,
    again: true,
  })
  if (again) throw new Fault('NotYet', `${dataset.id}/${runName(run)}: ${again}. Run the command again.`)
  return Promise.all(
    domains.map(async (domain, index): Promise<Republished> => {
      const [was, outcome] = [rows.get(domain), nth(outcomes, index)]
      const row = await runOf(ports.database, { dataset: dataset.id, domain, run: new Date(run) })
      const [before, revision] = [was?.revision ?? 0, row?.revision ?? 0]
      if (!was?.manifest_key || !row?.manifest_key || revision === before) return { domain, outcome, before, revision }
      const counts = await countSame(ports.objects, was.manifest_key, row.manifest_key)
      return { domain, outcome, before, revision, ...counts }
    }),
  )
}

/**
 * Counts the tiles of a manifest that have the bytes of a tile of another manifest. A tile's directory contains the
 * checksum of each block, so size and checksum of the directory suffice.
 */
async function countSame(
  objects: Pick<Objects, 'get'>,
  beforeKey: string,
  key: string,
): Promise<{ tiles: number; same: number }> {
  const read = async (name: string) => openText<Manifest>('HXM1', name, await objects.get(name)).tiles
  const [before, tiles] = [
    await read(beforeKey).catch((error: unknown) => {
      if (isFault(error, 'Missing') || isFault(error, 'Corrupt')) return []
      throw error
    }),
    await read(key),
  ]
  const contentOf = ({ first, directory, size, check }: Manifest['tiles'][number]) =>
    [first, directory, size, check].join()
  const contents = new Set(before.map(contentOf))
  return { tiles: tiles.length, same: tiles.filter((tile) => contents.has(contentOf(tile))).length }
}
