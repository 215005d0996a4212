import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { issueKey } from '../../api/keys/issue.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { startApi } from '../../api/main.ts'
import { normalsReader } from '../../bin/normals.ts'
import { airnowSource } from '../../infra/simulator/feeds/airnow.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { climateSources } from '../../infra/simulator/feeds/climate.ts'
import { metarSources } from '../../infra/simulator/feeds/metar.ts'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { sources as textSources } from '../../infra/simulator/feeds/texts.ts'
import { lightningSources } from '../../infra/simulator/lightning.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { stormSource } from '../../infra/simulator/probsevere.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../infra/simulator/radar-sites.ts'
import { loadConfig } from '../../ingest/config.ts'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { sweepOutlooks } from '../../ingest/steps/feeds/outlooks.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { setOrigin, setUpstreamMirror } from '../../sql/queries/origin.ts'
import { analyticCurrent } from './analytic-runs.ts'

/** The API over one read of the simulated radar, storms, alerts and outlooks. Models are analytic by default. */
export interface SkyServer {
  readonly base: string
  readonly key: string
  readonly dataDir: string
  readonly database: Database
  readonly objects: Objects
  /** A standard client of the tools, connected with the key. */
  readonly client: Client
  close(): Promise<void>
}

/** Serves the data of a database together with the models of a test; a change invalidates answers as in production. */
export function withModels(watched: Current, models: Pick<Current, 'served' | 'all'>): Current {
  return Object.create(watched, {
    served: {
      value: (...args: Parameters<Current['served']>) => watched.served(...args) ?? models.served(...args),
    },
    all: { value: () => [...watched.all(), ...models.all()] },
    simulated: { value: () => true },
  }) as Current
}

export async function skyServer(
  options: {
    /** Stride of the points that are read from the radar's grid. */
    readonly coarse?: number
    readonly frames?: readonly string[]
    readonly models?: Pick<Current, 'served' | 'all'>
    readonly settings?: Readonly<Record<string, string>>
    /** Whether normals, climate reports and NWS texts are read too, and flashes can be among `frames`. */
    readonly withTexts?: boolean
  } = {},
): Promise<SkyServer> {
  const { withTexts = false, coarse = 5, frames = ['mrms-reflectivity', 'storm-tracks', 'storm-cells'] } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-sky-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...options.settings })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  const mirror = await startMirror({
    // The cycles of tgftp are skipped, because 24 hours of them take 20 s.
    sources: [
      radarSource(coarse),
      stormSource,
      radarSiteSource,
      alertFeed(),
      outlookSource,
      nth(metarSources, 0),
      airnowSource,
      ...(withTexts ? [...climateSources, ...textSources(), ...lightningSources] : []),
    ],
    now: Date.now,
  })
  const upstream = openUpstream({ mirror: mirror.url })
  const pool = openPool({ threads: 1 })
  // The feed of normals stores another list for simulated data.
  if (withTexts) await setOrigin(database, true)
  const deps = { database, upstream, objects, clock: Date.now }
  // Slow feeds come first, so that radar and flashes are new when the server starts.
  for (const feed of withTexts ? ['climate-reports', 'normals', 'nws-texts'] : []) await sweepFeed(deps, feed)
  await sweepFrames(
    { upstream, objects, database, pool },
    frameSources.filter(({ dataset }) => frames.includes(dataset.id)),
    Date.now(),
  )
  await sweepAlerts({ database, upstream }, Date.now())
  await sweepOutlooks({ database, upstream }, outlookFiles)
  await sweepFeed(deps, 'metar')
  await sweepFeed(deps, 'airnow')
  await pool.close()
  await upstream.close()
  // Files of normals are read when they are requested.
  if (withTexts) await setUpstreamMirror(database, mirror.url)
  else await mirror.close()
  const watched = await watchCurrent({ database, objects, clock: Date.now })
  const current = withModels(watched, options.models ?? analyticCurrent(Date.now()))
  const api = await startApi(
    config,
    { database, objects, events, current },
    withTexts ? normalsReader(config) : undefined,
  )
  const { key } = await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })
  const base = `http://127.0.0.1:${api.port}`
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
  return {
    base,
    key,
    dataDir,
    database,
    objects,
    client,
    async close() {
      await client.close()
      await api.close()
      if (withTexts) await mirror.close()
      await watched.close()
      await events.close()
      await objects.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
