import { gzipSync } from 'node:zlib'
import { alertMap } from '../../infra/simulator/feeds/alert-map.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { cacheText, metarSources } from '../../infra/simulator/feeds/metar.ts'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { reduceStorms } from '../../infra/simulator/storms.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import { every } from '../../ingest/datasets/runs.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { stations } from '../../ingest/geo/site.ts'

/** Last lead of HRRR in a simulation, hours. */
const LAST_LEAD = 5
/** Interval at which the feed of alerts changes even if no alert does: two of three reads find it unchanged. */
const FEED_CHANGES_MS = 6 * MINUTE
/** One station of this many reports. */
const STATIONS = 60

/** The datasets of a simulation, besides the feeds that are always read. */
export const DATASETS = 'rtma,hrrr,metar,nws-alerts'

/** Share of the country's storms: a day has some 300 messages about alerts. */
const STORMS = 1 / 4

/** Reduces HRRR to its first hours, so that a day has 150 files instead of 500, and reads no long past at a start. */
export function reduceCatalog(): void {
  reduceStorms(STORMS)
  const { leads, leadOf } = hrrr
  Object.assign(hrrr, {
    leads: (run, domain) => leads(run, domain).filter((lead) => lead <= LAST_LEAD),
    leadOf(key, run, domain) {
      const lead = leadOf(key, run, domain)
      return lead !== undefined && lead <= LAST_LEAD ? lead : undefined
    },
    stages: () => [{ name: `f0${LAST_LEAD}`, to: LAST_LEAD }],
    runs: every(HOUR, 3 * HOUR),
  } satisfies Partial<GridDataset>)
  Object.assign(rtma, { runs: every(HOUR, 2 * HOUR) } satisfies Partial<GridDataset>)
}

/** The hosts of a simulation. Every grid has a few hundred points. */
export function simulatedHosts(): readonly SimulatedHost[] {
  const reporting = stations().filter((_, i) => i % STATIONS === 0)
  const models = modelSources(60).filter(({ host }) => /rtma|hrrr/.test(host))
  const metars = metarSources.map((source): SimulatedHost => {
    if (source.host !== 'aviationweather.gov') return { ...source, find: () => undefined }
    return {
      ...source,
      async find(path, query, now) {
        const object = await source.find(path, query, now)
        if (!object || !path.includes('metars')) return object
        return { ...object, body: () => gzipSync(cacheText(object.lastModified, reporting), { level: 1 }) }
      },
    }
  })
  return [...models, withStoredZones(alertFeed(FEED_CHANGES_MS)), alertMap(), outlookSource, ...metars]
}

/** Keeps the documents of zones, which never change and take long to outline. */
function withStoredZones(source: SimulatedHost): SimulatedHost {
  const stored = new Map<string, ReturnType<SimulatedHost['find']>>()
  return {
    ...source,
    find(path, query, now) {
      if (!path.startsWith('/zones')) return source.find(path, query, now)
      const name = `${path}?${query}`
      if (!stored.has(name)) stored.set(name, source.find(path, query, now))
      return stored.get(name)
    },
  }
}
