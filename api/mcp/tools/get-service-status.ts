import { z } from 'zod'
import { cellOf } from '../../../ingest/domain/cell.ts'
import type { Dataset } from '../../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import { leading, terrain } from '../../blend/field-table.ts'
import type { OutlooksAtPoint } from '../../contract.ts'
import { families } from '../../dataset/dataset.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { CONFIRMED_SECONDS } from '../query/alert-feed.ts'
import { age, plainMeta, reply } from '../words/reply.ts'

export interface ServiceStatusRow {
  readonly dataset_id: string
  readonly reference_time: string | null
  readonly age_seconds: number | null
  readonly stale: boolean
  readonly stale_after_seconds: number
  readonly warning: string | null
}

/** Returns the status of every product, then of every dataset family of the tools, which has the status of its worst product. */
export async function statusOf(context: ToolContext): Promise<ServiceStatusRow[]> {
  const products = await Promise.all(context.deps.values.datasets.map((dataset) => productStatus(context, dataset)))
  const named = new Set(products.map(({ dataset_id }) => dataset_id))
  const rank = ({ age_seconds, stale, warning }: ServiceStatusRow) =>
    warning === NOT_CONFIGURED ? -1 : age_seconds === null ? 2 : stale ? 1 : 0
  const worse = (a: ServiceStatusRow, b: ServiceStatusRow) =>
    rank(b) - rank(a) || (b.age_seconds ?? 0) - (a.age_seconds ?? 0)
  const familyRows = families(context).flatMap((family): ServiceStatusRow[] => {
    if (named.has(family.id)) return []
    const ids = new Set(family.members.map(({ id }) => id))
    const [worst] = products.filter(({ dataset_id }) => ids.has(dataset_id)).sort(worse)
    if (!worst) return []
    const warning = worst.warning && ids.size > 1 ? `${worst.dataset_id}: ${worst.warning}` : worst.warning
    return [{ ...worst, dataset_id: family.id, warning }]
  })
  return [...products, ...familyRows]
}

/**
 * Returns the status of one product. The age counts from the oldest run or frame of its domains; for alerts from the last successful read, for
 * outlooks from the newest issue.
 */
async function productStatus(context: ToolContext, dataset: Dataset): Promise<ServiceStatusRow> {
  const { deps, now } = context
  if (dataset.id === 'nws-alerts') {
    const { feed, doubt } = deps.alerts.trust(now)
    return statusRow(now, dataset.id, CONFIRMED_SECONDS, feed?.confirmed_at?.getTime(), doubt?.detail ?? null)
  }
  if (dataset.id === 'spc-outlooks') {
    const { warnings, freshness } = await outlooksAnywhere(context)
    const doubt = warnings.map(({ detail }) => detail).join('; ') || null
    return statusRow(now, dataset.id, dataset.staleAfterSeconds, freshness[0]?.referenceTime, doubt)
  }
  if (deps.values.takes?.(dataset.id) === false) {
    const none = statusRow(now, dataset.id, dataset.staleAfterSeconds, undefined, null)
    return { ...none, stale: false, warning: NOT_CONFIGURED }
  }
  const read = deps.live.ages(now).find((age) => age.dataset === dataset.id)
  if (read) return statusRow(now, dataset.id, dataset.staleAfterSeconds, read.at, null)
  const served = [...deps.values.current.all()].filter((run) => run.dataset === dataset.id)
  const missing = dataset.domains.filter(({ id }) => !served.some(({ domain }) => domain === id)).map(({ id }) => id)
  const doubt = missing.length > 0 ? `nothing is stored for ${missing.join(', ')}` : null
  const oldest = served.length > 0 ? Math.min(...served.map(({ run }) => run)) : undefined
  return statusRow(now, dataset.id, dataset.staleAfterSeconds, oldest, doubt)
}

/** Returns issue times and failures of the outlook feeds, which are the same for every place of the contiguous states. */
async function outlooksAnywhere(context: ToolContext): Promise<Pick<OutlooksAtPoint, 'warnings' | 'freshness'>> {
  const [lat, lon] = [39, -98]
  const cell = cellOf(lat, lon, context.deps.values.resolution)
  try {
    return await context.deps.outlooks.at({ lat, lon, cell, domain: 'conus', now: context.now })
  } catch (error) {
    if (!isFault(error)) throw error
    return { warnings: [], freshness: [] }
  }
}

function statusRow(
  now: number,
  id: string,
  staleAfter: number,
  at: number | undefined,
  doubt: string | null,
): ServiceStatusRow {
  const seconds = at === undefined ? null : Math.max(0, Math.round((now - at) / 1000))
  const stale = seconds === null || seconds > staleAfter
  return {
    dataset_id: id,
    reference_time: at === undefined ? null : isoSeconds(at),
    age_seconds: seconds,
    stale,
    stale_after_seconds: staleAfter,
    warning: seconds === null ? 'nothing is stored' : (doubt ?? (stale ? `older than ${age(staleAfter)}` : null)),
  }
}

/** Without both the leading model and the one below it no forecast can be given. */
const requiredDatasets: readonly string[] = [leading, terrain]
const NOT_CONFIGURED = 'not configured: this installation does not read it'

export const getServiceStatus = tool({
  name: 'get_service_status',
  title: 'Get data status',
  description:
    'How fresh every source is now, which are late or missing, and whether the data is simulated. For when an answer has a warning or misses a section. degraded: something old or missing; outage: no forecast. What a dataset holds: describe_dataset.',
  input: z.strictObject({
    dataset_id: z.string().min(1).max(80).optional().describe('One dataset only, as list_datasets names it.'),
  }),
  output: z.object({
    status: z.enum(['ok', 'degraded', 'outage']),
    simulated: z.boolean(),
    datasets: z.array(
      z.object({
        dataset_id: z.string(),
        reference_time: z.string().nullable(),
        age_seconds: z.number().nullable(),
        stale: z.boolean(),
        stale_after_seconds: z.number(),
        warning: z.string().nullable(),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const all = await statusOf(context)
    const families = new Map(context.deps.values.datasets.map(({ id, family }) => [id, family ?? id]))
    const requestedId = input.dataset_id?.toLowerCase()
    const datasets =
      requestedId === undefined
        ? all
        : all.filter(({ dataset_id }) => dataset_id === requestedId || families.get(dataset_id) === requestedId)
    if (requestedId !== undefined && datasets.length === 0) {
      const suggestions = nearest(requestedId, [
        ...new Set([...all.map(({ dataset_id }) => dataset_id), ...families.values()]),
      ])
      throw new ToolError(
        'not-found',
        `No dataset is called "${input.dataset_id}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
        'list_datasets gives all ids.',
        { field: 'dataset_id', got: input.dataset_id, suggestions },
      )
    }
    const stale = all.filter(({ stale }) => stale)
    const required = all.filter(
      ({ dataset_id, warning }) => requiredDatasets.includes(dataset_id) && warning !== NOT_CONFIGURED,
    )
    const status =
      required.length > 0 && required.every(({ age_seconds }) => age_seconds === null)
        ? 'outage'
        : stale.length > 0
          ? 'degraded'
          : 'ok'
    const simulated = context.deps.values.current.simulated()
    const lines = [
      `Status: ${status}.${simulated ? ' The data is simulated and is not real weather.' : ''}`,
      ...datasets.slice(0, 40).map(rowWords),
    ]
    return reply({ structured: { status, simulated, datasets }, lines, meta: plainMeta(context, ['Hexcast']) })
  },
})

function rowWords({ dataset_id, age_seconds, warning }: ServiceStatusRow): string {
  if (age_seconds === null) return `${dataset_id}: ${warning === NOT_CONFIGURED ? 'not configured' : 'nothing stored'}`
  return `${dataset_id}: ${age(age_seconds)} old${warning ? `, ${warning}` : ''}`
}
