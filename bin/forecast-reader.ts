import { stationForecasts } from '../api/answer/station-forecasts.ts'
import { Blender } from '../api/blend/blend.ts'
import { models } from '../api/blend/field-table.ts'
import { configured } from '../api/live/index.ts'
import { openRadar } from '../api/live/radar-source.ts'
import { watchCurrent } from '../api/live/served-runs.ts'
import { WriterMemory } from '../api/present/writer-memory.ts'
import { catalog } from '../ingest/catalog.ts'
import { type Config, takes } from '../ingest/config.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import type { OpenPorts } from '../ingest/ports/open.ts'

/** Reads the served answers of stations in the worker's process: served runs and radar are opened for one request, then closed. */
export function forecastReader(
  { database, objects, events }: OpenPorts,
  config: Pick<Config, 'h3Resolution' | 'datasets'>,
): ForecastReader {
  const taken = (id: string) => takes(config, id)
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
        takes: taken,
        report: () => () => undefined,
      })
      return await stationForecasts(
        {
          current,
          datasets: catalog,
          takes: taken,
          suppliers: configured(radar.suppliers, taken),
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
