import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'
import * as shape from './input.ts'
import { age, plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

interface Status {
  readonly dataset_id: string
  readonly reference_time: string | null
  readonly age_seconds: number | null
  readonly stale: boolean
  readonly stale_after_seconds: number
  readonly warning: string | null
}

/** How every source stands: the oldest of its domains speaks for it. */
export function statusOf({ parts, now }: ToolContext): Status[] {
  const { current, datasets } = parts.values
  const served = [...current.all()]
  const rows = datasets.map((dataset): Status => {
    const runs = served.filter((one) => one.dataset === dataset.id).map(({ run }) => run)
    const oldest = runs.length > 0 ? Math.min(...runs) : undefined
    const seconds = oldest === undefined ? null : Math.max(0, Math.round((now - oldest) / 1000))
    const stale = seconds === null || seconds > dataset.staleAfterSeconds
    const missing = dataset.domains
      .filter(({ id }) => !served.some((one) => one.dataset === dataset.id && one.domain === id))
      .map(({ id }) => id)
    const warning =
      seconds === null
        ? 'nothing is held'
        : stale
          ? `older than ${age(dataset.staleAfterSeconds)}`
          : missing.length > 0 && missing.length < dataset.domains.length
            ? `nothing is held for ${missing.join(', ')}`
            : null
    return {
      dataset_id: dataset.id,
      reference_time: oldest === undefined ? null : iso(oldest),
      age_seconds: seconds,
      stale,
      stale_after_seconds: dataset.staleAfterSeconds,
      warning,
    }
  })
  const { feed, doubt } = parts.alerts.trust(now)
  const confirmed = feed?.confirmed_at?.getTime()
  const seconds = confirmed === undefined ? null : Math.max(0, Math.round((now - confirmed) / 1000))
  rows.push({
    dataset_id: 'nws-alerts',
    reference_time: confirmed === undefined ? null : iso(confirmed),
    age_seconds: seconds,
    stale: seconds === null || seconds > 300,
    stale_after_seconds: 300,
    warning: doubt?.detail ?? (seconds === null ? 'the feed was never read' : null),
  })
  return rows
}

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
/** Without one of these an answer about weather is not what it should be. */
const pillars = ['nbm', 'hrrr', 'nws-alerts']

export const getServiceStatus = tool({
  name: 'get_service_status',
  title: 'Get data status',
  description:
    'How fresh every source of data is right now, which are late, failed or missing, and whether the data is simulated. Use it when an answer carried a warning, when a section was missing, or when the user asks how current or how trustworthy the data is. It gives no weather: for that call get_forecast. What a dataset holds is told by describe_dataset. Status ok: all main sources are fresh; degraded: some source is old or missing; outage: no forecast can be given.',
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
    const all = statusOf(context)
    const families = new Map(context.parts.values.datasets.map(({ id, family }) => [id, family ?? id]))
    const asked = input.dataset_id?.toLowerCase()
    const datasets =
      asked === undefined
        ? all
        : all.filter(({ dataset_id }) => dataset_id === asked || families.get(dataset_id) === asked)
    if (datasets.length === 0) {
      const suggestions = nearest(asked as string, [
        ...new Set([...all.map(({ dataset_id }) => dataset_id), ...families.values()]),
      ])
      throw new ToolError(
        'not-found',
        `No dataset is called "${input.dataset_id}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
        'list_datasets names them all.',
        { field: 'dataset_id', got: input.dataset_id, suggestions },
      )
    }
    const bad = all.filter(({ stale }) => stale)
    const status = pillars.slice(0, 2).every((id) => all.find((one) => one.dataset_id === id)?.age_seconds === null)
      ? 'outage'
      : bad.length > 0
        ? 'degraded'
        : 'ok'
    const simulated = context.parts.values.current.simulated()
    const lines = [
      `Status: ${status}.${simulated ? ' The data is simulated: nothing is real weather.' : ''}`,
      ...datasets
        .slice(0, 25)
        .map(
          (one) =>
            `${one.dataset_id}: ${one.age_seconds === null ? 'nothing held' : `${age(one.age_seconds)} old`}${one.warning && one.age_seconds !== null ? `, ${one.warning}` : ''}`,
        ),
    ]
    return reply({ structured: { status, simulated, datasets }, lines, meta: plainMeta(context, ['Hexcast']) })
  },
})
