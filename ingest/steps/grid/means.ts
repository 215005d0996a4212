import { pointers, storedRuns } from '../../../sql/queries/runs.ts'
import { isFault } from '../../domain/fault.ts'
import { type Mean, type Means, meansToKeep } from '../../domain/run/run-change.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { manifestName } from '../../tile/key.ts'
import { openText, sealText } from '../../tile/manifest.ts'
import type { RunPlan } from './plan.ts'
import type { Receipt } from './receipt.ts'
import type { RunVerdict } from './validate.ts'

interface MeansPorts {
  readonly database: Database
  readonly objects: Pick<Objects, 'get'>
}

/**
 * Name of the object beside the manifest of a run with the means over all cells, with which the next run is compared.
 */
const meansKey = (manifestKey: string): string => `${manifestKey.slice(0, -manifestName.length)}means`

type StoredMeans = Readonly<Record<string, readonly (readonly [time: number, mean: number, carried?: 1])[]>>

/** Returns the means of the newest published run before a run; empty if there is none. */
export async function meansBefore({ database, objects }: MeansPorts, plan: RunPlan): Promise<Means> {
  const rows = await storedRuns(database, plan.dataset)
  const before = rows.find(
    ({ domain, run, state }) => state === 'published' && domain === plan.domain && run.getTime() < plan.run,
  )
  return before?.manifest_key ? readMeans(objects, before.manifest_key) : new Map()
}

/** Returns the means of the served runs of the other datasets in the domain. */
export async function meansOfOthers({ database, objects }: MeansPorts, plan: RunPlan): Promise<readonly Means[]> {
  const served = await pointers(database)
  // Frames have no means.
  const others = served.filter(
    ({ dataset, domain, manifest_key }) =>
      dataset !== plan.dataset && domain === plan.domain && manifest_key.endsWith(manifestName),
  )
  const means = await Promise.all(others.map(({ manifest_key }) => readMeans(objects, manifest_key)))
  return means.filter(({ size }) => size > 0)
}

/** Returns the stored means; empty if there are none, as for frames. */
async function readMeans(objects: Pick<Objects, 'get'>, manifestKey: string): Promise<Means> {
  const key = meansKey(manifestKey)
  try {
    const stored = openText<StoredMeans>('HXA1', key, await objects.get(key))
    const entries = Object.entries(stored).map(
      ([name, list]) =>
        [name, list.map(([time, mean, carried]): Mean => ({ time, mean, carried: carried === 1 }))] as const,
    )
    return new Map(entries)
  } catch (error) {
    if (isFault(error, 'Missing') || isFault(error, 'Corrupt')) return new Map()
    throw error
  }
}

/**
 * Returns the variables that the files lack although the previous run had them for the same valid time; for an
 * analysis, although the previous analysis had them.
 */
export function absentSince(
  before: Means,
  receipts: readonly Receipt[],
  run: Instant,
): { readonly variable: string; readonly leadHours: number; readonly url: string }[] {
  return receipts.flatMap(({ absent, leadHours, url }) => {
    const time = run + leadHours * HOUR
    const known = (variable: string) =>
      before.get(variable)?.some((entry) => !entry.carried && (entry.time === time || leadHours === 0))
    return absent.filter(known).map((variable) => ({ variable, leadHours, url }))
  })
}

/** Stores the means of a published run. If they are stored already, with other runs before it in mind, these stay. */
export async function keepMeans(
  objects: Pick<Objects, 'put'>,
  manifestKey: string,
  receipts: readonly Receipt[],
  { outliers }: Pick<RunVerdict, 'outliers'>,
  before: Means,
): Promise<void> {
  const without = new Set(outliers.map(({ variable, time }) => `${variable} ${time}`))
  const own = new Map<string, Mean[]>()
  for (const { variable, time, mean } of receipts.flatMap(({ slabs }) => slabs)) {
    if (!Number.isFinite(mean) || without.has(`${variable} ${time}`)) continue
    own.set(variable, [...(own.get(variable) ?? []), { time, mean: Number(mean.toPrecision(6)) }])
  }
  const lost = outliers.filter(({ reason }) => reason === 'jump').map(({ variable }) => variable)
  const stored: StoredMeans = Object.fromEntries(
    Array.from(meansToKeep(own, before, new Set(lost)), ([name, list]) => [
      name,
      list.map(({ time, mean, carried }) => (carried ? ([time, mean, 1] as const) : ([time, mean] as const))),
    ]),
  )
  await objects.put(meansKey(manifestKey), sealText('HXA1', stored), { ifAbsent: true }).catch((error: unknown) => {
    if (!isFault(error, 'Corrupt')) throw error
  })
}
