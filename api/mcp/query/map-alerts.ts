import { pause } from '../../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { byGravity, unplacedNear } from '../../live/alerts.ts'
import { unplacedTouching } from '../../live/unplaced-area.ts'
import type { PaintedArea } from '../../picture/map-task.ts'
import { boxOf, type View } from '../../picture/view.ts'
import type { ToolContext } from '../protocol/context.ts'
import { absence } from '../words/absence.ts'
import { counted } from '../words/reply.ts'
import { alertFeed } from './alert-feed.ts'
import { unplacedWords } from './alert-selection.ts'
import type { GatheredLayer, LayerOptions } from './map-layer.ts'
import type { SceneAlertFilter } from './map-scene.ts'

const alertColours: Readonly<Record<string, string>> = {
  Extreme: '#8a1f6d',
  Severe: '#d1241c',
  Moderate: '#e58a00',
  Minor: '#c7a900',
  Unknown: '#5a6b78',
}
const order = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

/** Returns the alerts that touch a picture and pass a filter. @throws ToolError no-data if the feed cannot be trusted */
export async function alertLayer(
  context: ToolContext,
  filter: SceneAlertFilter,
  { view }: LayerOptions,
): Promise<GatheredLayer> {
  const { active, now, meta } = alertFeed(context)
  const least = filter.minSeverity === undefined ? order.length : order.indexOf(filter.minSeverity)
  const box = boxOf(view)
  const chosen: LiveAlert[] = []
  const isChosen = ({ id, head, record }: LiveAlert) =>
    (!filter.ids || filter.ids.includes(id)) &&
    (!filter.events || filter.events.includes(head.event)) &&
    (!filter.severities || filter.severities.some((severity) => severity === record.severity)) &&
    order.indexOf(record.severity) <= least
  for (const alert of active) {
    if (isChosen(alert) && AlertIndex.touches(alert, box)) chosen.push(alert)
    await pause()
  }
  chosen.sort(byGravity)
  const areas = chosen.toReversed().flatMap((alert): PaintedArea[] =>
    AlertIndex.shapesOf(alert).flatMap((shape) =>
      shape.polygons.map(({ rings }) => ({
        rings,
        colour: alertColours[alert.record.severity] ?? '#5a6b78',
        opacity: 0.25,
      })),
    ),
  )
  const names = new Map(
    chosen.map(({ head, record }) => [
      head.event,
      { name: head.event, colour: alertColours[record.severity] ?? '#5a6b78' },
    ]),
  )
  const shownCount = active.filter((alert) => AlertIndex.touches(alert, box)).length
  const filters = Object.entries(filter).map(([name, value]) => `${name} ${[value].flat().slice(0, 5).join(' or ')}`)
  const warnings = meta.warnings.filter(({ section }) => section === 'alerts')
  const feedDoubt = warnings[0]?.detail
  const doubt = feedDoubt ?? unplacedWords(unplacedTouching(active.filter(isChosen), box))
  const words =
    chosen.length > 0
      ? `${counted(chosen.length, 'alert', 'alerts')} in the picture: ${[...names.keys()].slice(0, 5).join(', ')}${names.size > 5 ? ', …' : ''}; ${centreWords(context, chosen, view, now, feedDoubt)}`
      : filters.length > 0
        ? absence('alerts_matching_in_picture', { filters: filters.join(' and '), others: shownCount }, doubt)
        : absence('alerts_in_picture', {}, doubt)
  return {
    type: 'alerts',
    valid_time: isoSeconds(now),
    layer: { kind: 'areas', areas },
    names: [...names.values()],
    words,
    warnings,
  }
}

/** Returns which of the drawn alerts are in effect at the middle of the picture. @param doubt why there may be others */
function centreWords(
  context: ToolContext,
  chosen: readonly LiveAlert[],
  view: View,
  now: number,
  doubt: string | undefined,
): string {
  const ids = new Set(chosen.map(({ id }) => id))
  const here = context.deps.alerts.index.at(view.lat, view.lon, now).filter(({ id }) => ids.has(id))
  const events = [...new Set(here.map(({ head }) => head.event))]
  if (events.length > 0) return `in effect at the centre: ${events.join(', ')}`
  const unplaced = unplacedNear(context.deps.alerts.index, view, now).filter(({ id }) => ids.has(id))
  return absence('alerts_at_centre', {}, doubt ?? unplacedWords(unplaced)).replace(/^It/, 'it')
}
