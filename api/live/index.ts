import type { Instant } from '../../ingest/domain/time.ts'
import type { FeedAge, Suppliers } from '../contract.ts'
import { openAirQuality } from './air-quality.ts'
import { openAlerts } from './alerts.ts'
import { openClimate } from './climate.ts'
import { openObservations } from './observations.ts'
import { openOutlooks } from './outlooks.ts'
import { openRadar } from './radar-source.ts'
import { openSeason } from './season.ts'
import type { LiveDeps, LiveSource } from './source.ts'
import { openTexts } from './texts.ts'

/** Every live source. Suppliers of sections, readiness, ages and shutdown follow from this list. */
const sources = {
  alerts: openAlerts,
  outlooks: openOutlooks,
  radar: openRadar,
  observations: openObservations,
  airQuality: openAirQuality,
  climate: openClimate,
  season: openSeason,
  texts: openTexts,
} satisfies Record<string, (deps: LiveDeps) => LiveSource | Promise<LiveSource>>

type Sources = { readonly [Name in keyof typeof sources]: Awaited<ReturnType<(typeof sources)[Name]>> }

/** The open sources by name, and their combined suppliers, ages and notes. */
export interface Live extends Sources {
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
    ...(Object.fromEntries(opened) as unknown as Sources),
    suppliers: Object.assign({}, ...all.map(({ suppliers }) => suppliers)),
    ages: (now) => all.flatMap((source) => source.ages?.(now) ?? []),
    notes: (now) => all.flatMap((source) => source.notes?.(now) ?? []),
    async close() {
      for (const source of all) await source.close?.()
    },
  }
}
