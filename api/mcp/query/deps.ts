import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import type { ValueDeps } from '../../answer/values.ts'
import type { Weather, WeatherAnswer } from '../../answer/weather.ts'
import type { AlertWatch } from '../../live/alert-watch.ts'
import type { RadarFrames } from '../../live/frames.ts'
import type { Live } from '../../live/index.ts'
import type { OutlookWatch } from '../../live/outlooks.ts'
import type { MapPainter } from '../../picture/map-painter.ts'

/** Dependencies of the tools: the same pipeline and sources as REST. */
export interface ToolDeps {
  readonly weather: Weather
  /** Answers that an earlier tool call used; garbage-collected with the entries of the cache. */
  readonly usedAnswers: WeakSet<WeatherAnswer>
  readonly values: ValueDeps
  readonly database: Database
  readonly objects: Objects
  readonly alerts: AlertWatch
  /** Every live source by name. */
  readonly live: Live
  readonly outlooks: OutlookWatch
  readonly radar: RadarFrames
  readonly maps: MapPainter
}
