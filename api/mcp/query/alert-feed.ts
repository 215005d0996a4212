import type { Instant } from '../../../ingest/domain/time.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { age, plainMeta } from '../words/reply.ts'

/** A feed whose last confirmation is older cannot prove that there are no alerts. */
export const CONFIRMED_SECONDS = 300

/** The alert feed after a read that is new enough. */
export interface UsableAlerts {
  /** The time of the database clock, which decides whether an alert has expired. */
  readonly now: Instant
  /** Active alerts of status Actual. */
  readonly active: readonly LiveAlert[]
  readonly meta: ToolMeta
  /** `read 20 s ago` */
  readonly readWords: string
  /** @throws ToolError no-data if the last read failed, because an empty selection then does not prove that there are no alerts */
  requireConfirmed(): void
}

/** Returns the active alerts of the country. @throws ToolError no-data if the feed was never read, or was read too long ago */
export function alertFeed(context: ToolContext, spot?: Spot): UsableAlerts {
  const { alerts } = context.deps
  const { feed, doubt } = alerts.trust(context.now)
  const confirmed = feed?.confirmed_at?.getTime()
  const unknownAlerts = (reason: string) =>
    new ToolError(
      'no-data',
      `Alerts are not known: ${reason}. This is not an all-clear.`,
      'tell the user that alerts are not known, point to weather.gov, and try again in a minute.',
      { retry_after_s: 60 },
    )
  if (confirmed === undefined) throw unknownAlerts('the NWS alert feed was never read')
  const seconds = Math.max(0, (context.now - confirmed) / 1000)
  if (seconds > CONFIRMED_SECONDS)
    throw unknownAlerts(`the last good read of the NWS alert feed is ${age(seconds)} old`)
  const now = alerts.now(context.now)
  const warnings = doubt ? [{ ...doubt, section: 'alerts', product_id: 'nws-alerts' }] : []
  const freshness = [{ source: 'nws-alerts', product_id: 'nws-alerts', referenceTime: confirmed }]
  return {
    now,
    active: alerts.index.all(now).filter(({ head }) => head.status === 'Actual'),
    meta: plainMeta(context, ['NOAA/NWS'], { warnings, freshness, spots: [spot] }),
    readWords: `feed read ${age(seconds)} ago`,
    requireConfirmed() {
      if (doubt) throw unknownAlerts(`${doubt.detail}; the alerts known before do not answer this`)
    },
  }
}
