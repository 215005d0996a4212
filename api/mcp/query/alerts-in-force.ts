import { ignoreFault } from '../../../ingest/domain/fault.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { ToolContext } from '../protocol/context.ts'
import { pointAt } from '../protocol/point.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { absence } from '../words/absence.ts'
import { joinMeta, plainMeta, spanWords } from '../words/reply.ts'

const ALERTS = 'nws-alerts'

/** Alerts in effect at a place, for a tool whose subject is not alerts. */
export interface InForce {
  readonly lines: readonly string[]
  readonly sources: readonly string[]
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
}

/**
 * Returns lines about the alerts at a place, so that an answer about its weather does not miss a warning. Without alerts there is no line.
 * @param until alerts that begin by this time are listed too, with their begin
 */
export async function alertsInForce(context: ToolContext, spot: Spot, until = context.now): Promise<InForce> {
  const { now } = context
  const at = pointAt(context, spot)
  const alertsAtPlace = await context.deps.values.suppliers.alerts?.(at).catch(ignoreFault)
  if (!alertsAtPlace) {
    const detail = 'alerts could not be read: it is not known whether one is in effect here'
    const warning = { code: 'source_failed', section: 'alerts', product_id: ALERTS, detail } as const
    return {
      lines: [absence('alerts', { where: 'here', asOf: '' }, 'the NWS alert feed could not be read')],
      sources: [],
      warnings: [warning],
      freshness: [],
    }
  }
  const { alerts, degraded, warnings, freshness } = alertsAtPlace
  const issued = alerts.filter(({ onset, expiration }) => onset <= until && expiration > now)
  const active = [...issued.filter(({ onset }) => onset <= now), ...issued.filter(({ onset }) => onset > now)]
  const list = active
    .slice(0, 3)
    .map(({ event, onset, ends }) => `${event} ${spanWords({ onset, ends }, now, spot.timezone)}`)
  const more = active.length > 3 ? `, and ${active.length - 3} more` : ''
  const [first] = active
  const heading = first && first.onset > now ? 'Issued for here' : 'In effect here'
  const lines = active.length > 0 ? [`${heading}: ${list.join('; ')}${more}. get_alerts says what to do.`] : []
  if (degraded && active.length > 0) lines.push('The list of alerts may be out of date: there may be more.')
  else if (degraded)
    lines.push(absence('alerts', { where: 'here', asOf: '' }, warnings[0]?.detail ?? 'the feed is out of date'))
  return { lines, sources: [ALERTS], warnings, freshness }
}

/** Returns `meta` with the sources of the alerts; unchanged if the alerts add neither a line nor a warning. */
export function metaWith(
  context: ToolContext,
  meta: ToolMeta,
  { lines, sources, warnings, freshness }: InForce,
): ToolMeta {
  // A forecast marks its hours by alerts, so it already has their warnings.
  const added = warnings.filter(({ detail }) => !meta.warnings.some((warning) => warning.detail === detail))
  if (lines.length + added.length === 0) return meta
  return joinMeta([meta, plainMeta(context, sources, { warnings: added, freshness })])
}
