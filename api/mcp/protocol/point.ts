import { cellOf } from '../../../ingest/domain/cell.ts'
import type { PointAt } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { ToolContext } from './context.ts'

/** Returns the place as the suppliers of live data take it. */
export function pointAt(context: ToolContext, { resolved }: Spot): PointAt {
  const { lat, lon, domain } = resolved
  return { lat, lon, domain, now: context.now, cell: cellOf(lat, lon, context.deps.values.resolution) }
}
