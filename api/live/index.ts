import { datasetOf } from '../../ingest/catalog.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { FeedAge, Suppliers } from '../contract.ts'
import { openAirQuality } from './air-quality.ts'
import { openAlerts } from './alerts.ts'
import { openClimate } from './climate.ts'
import { openClimateAges } from './climate-ages.ts'
import { openHistory } from './history.ts'
import { DENSITY, FLASHES, PROBABILITY } from './lightning.ts'
import { openObservations } from './observations.ts'
import { openOutlooks } from './outlooks.ts'
import { DAY_TOTAL, RATE, REFLECTIVITIES } from './radar.ts'
import { RADAR_SITES } from './radar-sites.ts'
import { openRadar } from './radar-source.ts'
import { openSeason } from './season.ts'
import type { LiveDeps, LiveSource } from './source.ts'
import { openTexts } from './texts.ts'
import { openZones } from './zones.ts'

/** Every live source. Suppliers of sections, readiness, ages and shutdown follow from this list. */
const sources = {
  alerts: openAlerts,
  outlooks: openOutlooks,
  radar: openRadar,
  observations: openObservations,
  airQuality: openAirQuality,
  climate: openClimate,
  climateAges: openClimateAges,
  season: openSeason,
  history: openHistory,
  texts: openTexts,
  zones: openZones,
} satisfies Record<string, (deps: LiveDeps) => LiveSource | Promise<LiveSource>>

type LiveSources = { readonly [Name in keyof typeof sources]: Awaited<ReturnType<(typeof sources)[Name]>> }

/** The open sources by name, with their combined suppliers, ages and notes. */
export interface Live extends LiveSources {
  readonly suppliers: Suppliers
  ages(now: Instant): readonly FeedAge[]
  notes(now: Instant): readonly string[]
  close(): Promise<void>
}

export async function openLive(deps: LiveDeps): Promise<Live> {
  const opened: [string, LiveSource][] = []
  for (const [name, open] of Object.entries(sources)) opened.push([name, await open(deps)])
  const all = opened.map(([, source]) => source)
  return {
    ...(Object.fromEntries(opened) as unknown as LiveSources),
    suppliers: configured(Object.assign({}, ...all.map(({ suppliers }) => suppliers)), deps.takes),
    ages: (now) => all.flatMap((source) => source.ages?.(now) ?? []),
    notes: (now) => all.flatMap((source) => source.notes?.(now) ?? []),
    async close() {
      for (const source of all) await source.close?.()
    },
  }
}

/**
 * The datasets of each supplier. A supplier is omitted if none of its datasets is configured. Alerts and outlooks are
 * read regardless of DATASETS.
 */
const datasetsOf: Partial<Record<keyof Suppliers, readonly string[]>> = {
  radar: [RATE, ...REFLECTIVITIES, DAY_TOTAL],
  radarSite: [RADAR_SITES],
  lightning: [FLASHES, DENSITY, PROBABILITY],
  nowcast: [RATE, ...REFLECTIVITIES],
  scans: [RATE],
  observations: [datasetOf('station_reports').id],
  airQuality: [datasetOf('air_quality').id],
  climate: [datasetOf('normals').id],
  texts: [datasetOf('texts').id],
}

/** The suppliers whose datasets are configured here: answers do not report a dataset as missing if it is not configured. */
export function configured(suppliers: Suppliers, takes: LiveDeps['takes']): Suppliers {
  if (!takes) return suppliers
  const isConfigured = ([name]: [string, unknown]) => datasetsOf[name as keyof Suppliers]?.some(takes) !== false
  return Object.fromEntries(Object.entries(suppliers).filter(isConfigured))
}
