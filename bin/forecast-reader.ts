import { stationForecasts } from '../api/answer/station-forecasts.ts'
import { Blender } from '../api/blend/blend.ts'
import { models } from '../api/blend/field-table.ts'
import { configured } from '../api/live/index.ts'
import { openRadar } from '../api/live/radar-source.ts'
import { watchCurrent } from '../api/live/served-runs.ts'
import { WriterMemory } from '../api/present/writer-memory.ts'
import { catalog } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import { takes } from '../ingest/domain/dataset/takes.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import type { OpenPorts } from '../ingest/ports/open.ts'

/**
 * Creates a reader of the served forecasts at stations for the worker's process. Served runs and radar are opened for
 * each read and then closed.
 */
export function forecastReader(
  { database, objects, events }: OpenPorts,
  config: Pick<Config, 'h3Resolution' | 'datasets'>,
): ForecastReader {
  const isEnabled = (id: string) => takes(config, id)
  return async (request) => {
    const clock = () => request.now
    const current = await watchCurrent({ database, objects, clock, withEarlier: models })
    try {
      const radar = openRadar({
        database,
        objects,
        events,
        clock,
        current,
        feedPollSeconds: {},
        takes: isEnabled,
        report: () => () => undefined,
      })
      return await stationForecasts(
        {
          current,
          datasets: catalog,
          takes: isEnabled,
          suppliers: configured(radar.suppliers, isEnabled),
          blender: new Blender(),
          writerMemory: new WriterMemory(),
          resolution: config.h3Resolution,
        },
        request,
      )
    } finally {
      await current.close()
    }
  }
}
