import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { AlertWatch } from '../alerts-watch.ts'
import type { OutlookWatch } from '../outlooks-at.ts'
import type { RadarHeld } from '../radar-held.ts'
import type { ValueParts } from '../values.ts'
import type { Weather } from '../weather.ts'

/** The doors of the tools: the very stairs that REST takes. */
export interface ToolParts {
  readonly weather: Weather
  readonly values: ValueParts
  readonly database: Database
  readonly objects: Objects
  readonly alerts: AlertWatch
  readonly outlooks: OutlookWatch
  readonly radar: RadarHeld
}
