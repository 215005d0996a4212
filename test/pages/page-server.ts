import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstKey, issueKey } from '../../api/keys/issue.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { startApi } from '../../api/main.ts'
import { airnowSource } from '../../infra/simulator/feeds/airnow.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { metarSources } from '../../infra/simulator/feeds/metar.ts'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { lightningSources } from '../../infra/simulator/lightning.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { stormSource } from '../../infra/simulator/probsevere.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../infra/simulator/radar-sites.ts'
import { loadConfig } from '../../ingest/config.ts'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { openPorts } from '../../ingest/ports/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { sweepOutlooks } from '../../ingest/steps/feeds/outlooks.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { mails } from '../../sql/queries/mail.ts'
import { analyticCurrent } from '../api/analytic-runs.ts'
import { putScoredDays } from './scored-days.ts'

export interface Warned {
  /** Path of the page: `/39.74,-104.99`. */
  readonly path: string
  readonly event: string
  readonly severity: string
}

interface AlertFeature {
  readonly geometry: { readonly type: string; readonly coordinates: number[][][][] } | null
  readonly properties: { readonly event: string; readonly severity: string; readonly ends: string }
}

export interface PageServer {
  readonly base: string
  key(): Promise<string>
  /** The operator's first key. */
  readonly firstKey: string
  /** A point of the coverage inside a warning of the simulator that lasts at least five minutes; undefined if there is none now. */
  warned(): Promise<Warned | undefined>
  /** The link in the newest mail. */
  mailedLink(): Promise<string>
  close(): Promise<void>
}

const FRAMES = [
  'mrms-precip-rate',
  'mrms-reflectivity-surface',
  'mrms-precip-flag',
  'storm-tracks',
  'storm-cells',
  'glm',
]

const isLong = (ends: string) => Date.parse(ends) > Date.now() + 300_000

/**
 * Starts a server with the simulator's scans of the last 40 minutes and with storms, lightning, alerts, outlooks, reports and texts, all
 * stored by the steps of the worker. Models are analytic.
 * @param options.coarse spacing of the radar's grid points: 5 or 10 @param options.skill true to store eight days of scores
 */
export async function pageServer({ coarse = 10, port = 0, skill = false } = {}): Promise<PageServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-page-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' })
  const ports = await openPorts(config, 'page')
  let now = Date.now()
  const sources = [
    radarSource(coarse),
    stormSource,
    radarSiteSource,
    alertFeed(),
    outlookSource,
    ...metarSources.slice(0, 1),
    airnowSource,
  ]
  const mirror = await startMirror({ sources: [...sources, ...lightningSources, textFeed()], now: () => now })
  const upstream = openUpstream({ mirror: mirror.url })
  const pool = openPool({ threads: 1 })
  const shownSources = frameSources.filter(({ dataset }) => FRAMES.includes(dataset.id))
  for (const minutes of [40, 30, 20, 10, 0]) {
    now = Date.now() - minutes * 60_000
    // Lightning and storms are read only in the last step, since they change within seconds.
    const list = minutes > 0 ? shownSources.filter(({ dataset }) => dataset.format === 'mrms') : shownSources
    await sweepFrames({ ...ports, upstream, pool }, list, now)
  }
  const deps = { database: ports.database, upstream, objects: ports.objects, clock: Date.now }
  await sweepAlerts(deps, Date.now())
  await sweepOutlooks(deps, outlookFiles)
  for (const feed of ['metar', 'airnow', 'nws-texts']) await sweepFeed(deps, feed)
  if (skill) await putScoredDays(ports.database, Date.now())
  await pool.close()
  await upstream.close()
  await mirror.close()
  const served = await watchCurrent({ database: ports.database, objects: ports.objects, clock: Date.now })
  const models = analyticCurrent(Date.now())
  const current = Object.create(served, {
    served: {
      value: (dataset: string, domain: DomainId) => served.served(dataset, domain) ?? models.served(dataset, domain),
    },
    all: { value: () => [...served.all(), ...models.all()] },
    simulated: { value: () => true },
  }) as Current
  const operatorKey = await firstKey(ports.database)
  if (!operatorKey) throw new Error('the database has no first key')
  const api = await startApi(config, { ...ports, current })
  const base = `http://127.0.0.1:${api.port}`
  const key = async () => (await issueKey(ports.database, { name: 'page', plan: 'professional', channel: 'test' })).key
  return {
    base,
    key,
    async warned() {
      const headers = { authorization: `Bearer ${await key()}` }
      const answer = await fetch(`${base}/v1/alerts?severity=Extreme,Severe&format=geojson`, { headers })
      const { features = [] } = (await answer.json()) as { features?: AlertFeature[] }
      const warnings = features
        .filter(({ geometry, properties }) => geometry?.type === 'MultiPolygon' && isLong(properties.ends))
        .sort((a, b) => Date.parse(b.properties.ends) - Date.parse(a.properties.ends))
      for (const { geometry, properties } of warnings) {
        const ring = geometry?.coordinates[0]?.[0]?.slice(1) ?? []
        const mean = (axis: 0 | 1) => ring.reduce((sum, point) => sum + (point[axis] ?? Number.NaN), 0) / ring.length
        const [lat, lon] = [mean(1).toFixed(3), mean(0).toFixed(3)]
        // The simulator also warns beyond the borders, where the page answers that it is outside the coverage.
        const { status } = await fetch(`${base}/v1/alerts?lat=${lat}&lon=${lon}`, { headers })
        if (status === 200) return { path: `/${lat},${lon}`, event: properties.event, severity: properties.severity }
      }
      return undefined
    },
    firstKey: operatorKey,
    mailedLink: async () => {
      const [mail] = await mails(ports.database, 1)
      const link = /http\S+/.exec(mail?.body ?? '')?.[0]
      if (!link) throw new Error('the newest mail has no link')
      return link
    },
    async close() {
      await api.close()
      await served.close()
      await ports.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
