import { catalog } from '../ingest/catalog.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { Database } from '../ingest/ports/database.ts'
import type { Events } from '../ingest/ports/events.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { alertsAt } from './alerts-at.ts'
import { type AlertWatch, watchAlerts } from './alerts-watch.ts'
import { type Current, watchCurrent } from './current.ts'
import { lightningAt } from './lightning-at.ts'
import { nowcastAt } from './nowcast-at.ts'
import { type OutlookWatch, watchOutlooks } from './outlooks-at.ts'
import { radarAt } from './radar-at.ts'
import { holdRadar, type RadarHeld } from './radar-held.ts'
import type { Suppliers } from './sections/section.ts'
import type { ValueParts } from './values.ts'
import { createWeather, type Weather } from './weather.ts'

/** What is true now, held ready for answers: runs, alerts, outlooks, radar, and the pipeline over them. */
export interface Views {
  readonly current: Current
  readonly alerts: AlertWatch
  readonly outlooks: OutlookWatch
  readonly radar: RadarHeld
  readonly values: ValueParts
  readonly weather: Weather
  close(): Promise<void>
}

export interface ViewParts {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  readonly clock: () => Instant
  readonly resolution: number
  readonly alertsPollSeconds: number
  troubled(what: string): (error: unknown) => void
  /** What is true now, where someone else watches it already. */
  readonly current?: Current
}

export async function openViews(parts: ViewParts): Promise<Views> {
  const { database, objects, events, clock, troubled } = parts
  const current =
    parts.current ??
    (await watchCurrent({
      database,
      objects,
      events,
      clock,
      withEarlier: ['nbm'],
      troubled: troubled('current: pointers could not be read'),
    }))
  const alerts = await watchAlerts({
    database,
    events,
    clock,
    pollSeconds: parts.alertsPollSeconds,
    troubled: troubled('alerts could not be read'),
  })
  alerts.onChange((cells) => (cells ? current.touch(cells) : current.bump()))
  const outlooks = await watchOutlooks({ database, events, clock, troubled: troubled('outlooks could not be read') })
  outlooks.onChange(() => current.bump())
  const radar = holdRadar(current, objects)
  const suppliers: Suppliers = {
    alerts: alertsAt(alerts),
    outlooks: outlooks.at,
    radar: radarAt(radar, current),
    lightning: lightningAt(radar),
    nowcast: nowcastAt(radar, current),
  }
  const values = { current, datasets: catalog, suppliers, resolution: parts.resolution }
  return {
    current,
    alerts,
    outlooks,
    radar,
    values,
    weather: createWeather(values),
    async close() {
      await alerts.close()
      await outlooks.close()
      if (!parts.current) await current.close()
    },
  }
}
