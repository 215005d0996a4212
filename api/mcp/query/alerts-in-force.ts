import { ignoreFault } from '../../../ingest/domain/fault.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { ToolContext } from '../protocol/context.ts'
import { pointAt } from '../protocol/point.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { joinMeta, plainMeta, spanWords } from '../words/reply.ts'

const ALERTS = 'nws-alerts'

export interface InForce {
  readonly lines: readonly string[]
  readonly sources: readonly string[]
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
}

/**
 * What is in force at the place, so that a question about its weather does not miss a warning; no line without alerts.
 * @param until alerts that begin by then are named too, with their begin
 */
export async function alertsInForce(context: ToolContext, spot: Spot, until = context.now): Promise<InForce> {
  const { now } = context
  const at = pointAt(context, spot)
  const found = await context.deps.values.suppliers.alerts?.(at).catch(ignoreFault)
  if (!found) {
    const detail = 'alerts could not be read: whether a warning is in force here is not known'
    const warning = { code: 'source_failed', section: 'alerts', product_id: ALERTS, detail } as const
    return {
      lines: [`${detail[0]!.toUpperCase()}${detail.slice(1)}.`],
      sources: [],
      warnings: [warning],
      freshness: [],
    }
  }
  const issued = found.alerts.filter(({ onset, expiration }) => onset <= until && expiration > now)
  const active = [...issued.filter(({ onset }) => onset <= now), ...issued.filter(({ onset }) => onset > now)]
  const named = active
    .slice(0, 3)
    .map(({ event, onset, ends }) => `${event} ${spanWords({ onset, ends }, now, spot.timezone)}`)
  const more = active.length > 3 ? `, and ${active.length - 3} more` : ''
  const all = active[0] && active[0].onset > now ? 'Issued for here' : 'In force here'
  const lines = active.length > 0 ? [`${all}: ${named.join('; ')}${more}. get_alerts has what to do.`] : []
  if (found.degraded)
    lines.push(`Alerts may be out of date${active.length > 0 ? ': there may be others' : ': none is known here'}.`)
  return { lines, sources: [ALERTS], warnings: found.warnings, freshness: found.freshness }
}

/** `meta` of an answer that has the lines too; without one, and without a warning, it does not rest on the alerts. */
export function metaWith(
  context: ToolContext,
  own: ToolMeta,
  { lines, sources, warnings, freshness }: InForce,
): ToolMeta {
  // The hours of a forecast are marked by alerts: it has their warnings already.
  const more = warnings.filter(({ detail }) => !own.warnings.some((one) => one.detail === detail))
  if (lines.length + more.length === 0) return own
  return joinMeta([own, plainMeta(context, sources, { warnings: more, freshness })])
}
