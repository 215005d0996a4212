import { z } from 'zod'

/** Payload and broker settings of a topic. */
interface Topic {
  readonly name: string
  /** The meaning of the message key; messages with the same key stay in order. */
  readonly key: string
  readonly partitions: number
  readonly retentionHours: number
  readonly schema: z.ZodType
}

const instant = z.iso.datetime()

/** A run or a further stage of a run is now served, or a stored run has another revision. */
export const runPublished = z
  .object({
    dataset: z.string(),
    domain: z.string().optional().describe('absent for the whole dataset'),
    run: instant,
    stage: z.number().int().optional().describe('number of the stage; a later stage extends the same run'),
    revision: z
      .number()
      .int()
      .optional()
      .describe('number of the republication of the run; absent if it was published once. A rollback decreases it'),
    at: instant.describe('when the pointer moved, by the database’s clock'),
  })
  .meta({ description: 'hexcast.runs.v1' })

/** The ingestion of a model run has begun: its first files are upstream. The event is sent once for each run and domain. */
export const runStarted = z
  .object({
    dataset: z.string(),
    domain: z.string(),
    run: instant,
    at: instant.describe('when the event was stored'),
  })
  .meta({ description: 'hexcast.started.v1' })

/** A model run is overdue and is not served. The event is sent once for each run. */
export const runLate = z
  .object({
    dataset: z.string(),
    domain: z.string(),
    run: instant,
    stage: z.number().int().describe('the lead group that is late, from 0'),
    expected_at: instant.describe('when it is usually served'),
    due_at: instant.describe('time from which it is late'),
    at: instant.describe('when the event was stored'),
  })
  .meta({ description: 'hexcast.late.v1' })

/** A change of an alert. Delivered at least once; repeats have the same `id`, `change` and `at`. */
export const alertChanged = z
  .object({
    id: z.string().describe('the alert’s id, as in /v1/alerts'),
    event: z.string().describe('Tornado Warning, …'),
    change: z.enum(['issued', 'updated', 'cancelled', 'expired']),
    areas: z.array(z.string()).describe('UGC codes: COZ040, COC031'),
    cells: z.array(z.string()).describe('coarse H3 cells that touch the alert, old and new area together'),
    expiration: instant.nullable().describe('final expiration: ends, else expires'),
    replaces: z.array(z.string()).optional().describe('ids of published alerts that this alert replaces'),
    at: instant,
  })
  .meta({ description: 'hexcast.alerts.v1' })

/** A forecaster's text replaces the previous text or has expired. Delivered at least once. */
export const textChanged = z
  .object({
    id: z.string().describe('id in api.weather.gov/products'),
    kind: z.enum(['afd', 'hwo', 'now', 'hls', 'mcd', 'mpd', 'pmd', 'swo']),
    change: z.enum(['issued', 'expired']),
    wfo: z.string().nullable().describe('issuing forecast office: BOX; null for national centers'),
    awips: z.string().describe('AFDBOX, SWOMCD, …'),
    number: z.number().int().optional().describe('number of an MCD or MPD'),
    issued_at: instant,
    expires_at: instant.nullable().describe('UGC end or VALID; null for AFD and PMD'),
    current_until: instant.describe('answers include the text until then'),
    at: instant.describe('when the change was stored, by the database’s clock'),
  })
  .meta({ description: 'hexcast.texts.v1' })

export type RunPublished = z.infer<typeof runPublished>
export type RunStarted = z.infer<typeof runStarted>
export type RunLate = z.infer<typeof runLate>
export type AlertChanged = z.infer<typeof alertChanged>
export type TextChanged = z.infer<typeof textChanged>

/** The list of topics. An incompatible change creates a new topic (v2) next to the old topic. */
export const topics = {
  runs: { name: 'hexcast.runs.v1', key: 'dataset', partitions: 3, retentionHours: 48, schema: runPublished },
  started: { name: 'hexcast.started.v1', key: 'dataset', partitions: 1, retentionHours: 48, schema: runStarted },
  late: { name: 'hexcast.late.v1', key: 'dataset', partitions: 1, retentionHours: 168, schema: runLate },
  alerts: {
    name: 'hexcast.alerts.v1',
    key: 'the alert’s event: one identity through all its updates',
    partitions: 6,
    retentionHours: 168,
    schema: alertChanged,
  },
  texts: {
    name: 'hexcast.texts.v1',
    key: 'the subject: one office’s product, one discussion’s number',
    partitions: 3,
    retentionHours: 168,
    schema: textChanged,
  },
} as const satisfies Record<string, Topic>

/** The topic for messages that a process could not handle, as they were received, with the reason in their headers. */
export const deadLetters = { name: 'hexcast.dead-letters.v1', partitions: 1, retentionHours: 168 } as const

export type TopicName = (typeof topics)[keyof typeof topics]['name']

const byName = new Map<string, Topic>(Object.values(topics).map((topic) => [topic.name, topic]))

export function topicNamed(name: string): Topic | undefined {
  return byName.get(name)
}
