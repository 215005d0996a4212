import type { OnsetState } from '../../ingest/domain/weather/onset.ts'
import type { Queries } from '../session.ts'

/** @returns states by webhook and subject */
export async function onsetStates(db: Queries): Promise<Map<string, OnsetState>> {
  const rows = await db.query<{
    webhook_id: string
    subject: string
    anchor: Date
    armed: boolean
    dry_from: Date | null
  }>('select webhook_id, subject, anchor, armed, dry_from from onset_watch')
  return new Map(
    rows.map(({ webhook_id, subject, anchor, armed, dry_from }) => [
      `${webhook_id} ${subject}`,
      { anchor: anchor.getTime(), armed, dryFrom: dry_from?.getTime() ?? null },
    ]),
  )
}

/**
 * Replaces a state, unless another process has stored the state for this or a newer scan.
 * @returns whether it was replaced
 */
export async function putOnsetState(
  tx: Queries,
  webhookId: string,
  subject: string,
  { anchor, armed, dryFrom }: OnsetState,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into onset_watch (webhook_id, subject, anchor, armed, dry_from) values ($1, $2, $3, $4, $5)
     on conflict (webhook_id) do update set subject = $2, anchor = $3, armed = $4, dry_from = $5
       where onset_watch.subject <> $2 or onset_watch.anchor < $3
     returning webhook_id`,
    [webhookId, subject, new Date(anchor), armed, dryFrom === null ? null : new Date(dryFrom)],
  )
  return rows.length > 0
}
