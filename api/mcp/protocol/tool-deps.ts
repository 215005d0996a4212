import type { Past } from '../../answer/past.ts'
import type { TypedAnswer, Weather } from '../../answer/weather.ts'
import type { QueryDeps } from '../../dataset/context.ts'
import type { AlertWatch } from '../../live/alert-watch.ts'
import type { RadarFrames } from '../../live/frames.ts'
import type { OutlookWatch } from '../../live/outlooks.ts'
import type { MapPainter } from '../../picture/map-painter.ts'

/** Dependencies of the tools: the same pipeline and sources as REST. */
export interface ToolDeps extends QueryDeps {
  readonly weather: Weather
  /** Answers as of an earlier instant. */
  readonly past: Past
  /** Answers that an earlier tool call used; they are garbage-collected with the entries of the cache. */
  readonly usedAnswers: WeakSet<TypedAnswer>
  readonly alerts: AlertWatch
  readonly outlooks: OutlookWatch
  readonly radar: RadarFrames
  readonly maps: MapPainter
}
