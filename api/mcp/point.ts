import { cellOf } from '../../ingest/domain/cell.ts'
import type { PointAt } from '../sections/section.ts'
import type { ToolContext } from './context.ts'
import type { Spot } from './forecast.ts'

/** A place as the suppliers of REST want it. */
export function pointAt(context: ToolContext, { resolved }: Spot): PointAt {
  const { lat, lon, domain } = resolved
  return { lat, lon, domain, now: context.now, cell: cellOf(lat, lon, context.parts.values.resolution) }
}
