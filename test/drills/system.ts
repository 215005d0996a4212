import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { latLngToCell } from 'h3-js'
import { expect } from 'vitest'
import type { Misbehaviour } from '../../infra/simulator/mirror.ts'
import { type Config, loadConfig } from '../../ingest/config.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { openDatabase, sourceOf } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { applyMigration } from '../../sql/migrate.ts'
import { JOB_SCHEMA } from '../../sql/queries/jobs.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { down, up } from '../engines/native.ts'
import { freshPlace } from '../engines/place.ts'
import { Process, until } from './process.ts'

/**
 * Digests of the tile objects by run, from all drills. Digests of a run must be equal in all drills: a run is a function of its time,
 * and each drill disturbs the system differently.
 */
class Digests {
  readonly #file = join(entryOf(process.env, 'DRILL_FOLDER'), 'digests.json')

  /** @returns the digest of the same run in an earlier drill, if there is one */
  before(run: string, digest: string): string | undefined {
    const digests = existsSync(this.#file)
      ? (JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, string>)
      : {}
    const earlier = digests[run]
    writeFileSync(this.#file, JSON.stringify({ ...digests, [run]: earlier ?? digest }))
    return earlier
  }
}

/** Cells of 250 km²: a run takes seconds even on a slow machine, so the timeouts of the engines dominate a drill. */
const COARSE = '5'
/** A run has many objects as in production, and an answer needs a few kilobytes of them. */
export const FINE = '7'

/** The whole system on real, empty engines: our processes, the simulator as upstream, and their stored state. */
export class System {
  readonly env: Record<string, string>
  readonly config: Config
  #db: Database | undefined
  readonly objects: Objects
  readonly #processes: Process[] = []
  readonly #folder: string
  readonly #drop: () => Promise<void>
  #count = 0

  private constructor(env: Record<string, string>, objects: Objects, folder: string, drop: () => Promise<void>) {
    this.env = env
    this.config = loadConfig(env)
    this.objects = objects
    this.#folder = folder
    this.#drop = drop
  }

  static async open(datasets: string, resolution = COARSE): Promise<System> {
    const system = await System.prepare(datasets, resolution)
    await system.openDatabase()
    return system
  }

  /** Opens everything but the database, so that an older release can migrate it first. */
  static async prepare(datasets: string, resolution = COARSE): Promise<System> {
    await clearTemporal()
    const place = await freshPlace()
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-drill-'))
    await upstreamTakes(0)
    const env = {
      ...place.env,
      DATASETS: datasets,
      UPSTREAM: entryOf(process.env, 'DRILL_UPSTREAM'),
      H3_RESOLUTION: resolution,
      OBJECTS_URL: `s3://hexcast/drill-${randomBytes(4).toString('hex')}`,
      RUNS_POLL_SECONDS: '5',
      DATA_DIR: join(folder, 'test'),
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
    }
    const config = loadConfig(env)
    return new System(
      env,
      await openObjects({ objects: { ...config.objects, cache: undefined } as never }),
      folder,
      place.drop,
    )
  }

  /** The database with the schema of this release. */
  get db(): Database {
    if (!this.#db) throw new Error('the database of the drill is not open: call openDatabase first')
    return this.#db
  }

  /** Migrates the database to the schema of this release, and opens it. */
  async openDatabase(): Promise<void> {
    this.#db = await openDatabase(this.config)
    // The queue has its own schema. Jobs of an earlier drill would block their names until the dead process times out.
    await this.#db.query(`drop schema if exists ${JOB_SCHEMA} cascade`)
  }

  /** Applies the texts as the migrations of a later release. */
  async expand(texts: readonly string[]): Promise<void> {
    const { source } = await sourceOf(this.config, {})
    const session = await source.acquire()
    for (const [i, text] of texts.entries())
      await applyMigration(session, { name: `99${i}-drill.sql`, text, digest: 'drill' }, true)
    session.release()
    await source.close()
  }

  /** Starts a verb of `hexcast`, which ends with the drill. @param folder the sources of another release, if not this one is to run it */
  start(verb: string, over: Record<string, string> = {}, folder?: string): Process {
    const own = { DATA_DIR: join(this.#folder, `${verb}-${++this.#count}`) }
    const process = Process.hexcast(verb, { ...this.env, ...own, ...over }, folder)
    this.#processes.push(process)
    return process
  }

  /** Resolves when every domain of the dataset has a run with all stages published, or with its first stage if `stages` is 1. */
  async published(dataset: string, domains: readonly string[], seconds = 240): Promise<string> {
    const served = await until(`${dataset} to be published`, seconds, async () => {
      const rows = await pointers(this.db).catch(() => [])
      const mine = rows.filter((row) => row.dataset === dataset)
      return domains.every((domain) => mine.some((row) => row.domain === domain)) && mine
    })
    return nth(served, 0).run.toISOString()
  }

  /** Checks the invariants after a drill. @returns a line for the report */
  async checkInvariants(dataset: string, workers: readonly Process[]): Promise<string> {
    const events = await this.db.query<{ publication: string; times: number }>(
      `select concat_ws('/', payload->>'dataset', payload->>'domain', payload->>'run', coalesce(payload->>'stage', '0')) as publication, count(*) as times
       from outbox where topic = 'hexcast.runs.v1' and payload->>'dataset' = $1 group by 1`,
      [dataset],
    )
    expect(
      events.filter(({ times }) => times !== 1),
      'publications that were sent more than once',
    ).toEqual([])
    await until('the outbox to be empty', 30, async () => {
      const [row] = await this.db.query<{ unsent: number }>(
        'select count(*) as unsent from outbox where sent_at is null',
      )
      return row!.unsent === 0
    })
    let points = 0
    let tiles = 0
    for (const { dataset: id, domain, run, manifest_key } of await pointers(this.db)) {
      if (id !== dataset) continue
      const open = await openRun(this.objects, manifest_key)
      for (const cell of cellsOf(domain, this.config.h3Resolution)) {
        const point = await open.point(cell)
        if (point) points++
      }
      const digest = createHash('sha256')
      const prefix = manifest_key.slice(0, manifest_key.lastIndexOf('/') + 1)
      for await (const { key } of this.objects.list(prefix)) {
        digest.update(key.slice(prefix.length)).update(
          createHash('sha256')
            .update(await this.objects.get(key))
            .digest(),
        )
        tiles++
      }
      const name = `${id}/${domain}/${run.toISOString()}/${prefix}`
      const bytes = digest.digest('hex')
      expect(bytes, `bytes of ${name}`).toBe(new Digests().before(name, bytes) ?? bytes)
    }
    expect(points).toBeGreaterThan(100)
    const steps = workers
      .flatMap((worker) => worker.steps)
      .filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok')
    return `${events.length} publications, each once; ${points} points of ${tiles} objects read, checksums right; ${steps.length} sampling steps`
  }

  async engine(name: 'postgres' | 'kafka' | 'temporal' | 's3', action: 'up' | 'down' | 'kill'): Promise<void> {
    const folder = entryOf(process.env, 'ENGINES_FOLDER')
    if (action === 'up') await up(folder, [name])
    else await down(folder, [name], { kill: action === 'kill' })
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end('SIGKILL')))
    await clearTemporal()
    await this.objects.close()
    await this.#db?.close()
    await this.#drop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Delays every answer of the upstream for HRRR by the given seconds, so that a run lasts long enough to be disturbed on a fast
 * machine too.
 */
export async function upstreamTakes(seconds: number): Promise<void> {
  await spoilUpstream(seconds > 0 ? [{ path: 'wrfsfc', how: 'slow', seconds }] : [])
}

/** Replaces the faults of the upstream. */
export async function spoilUpstream(rules: readonly Misbehaviour[]): Promise<void> {
  await fetch(`${process.env['DRILL_UPSTREAM']}/_misbehave`, { method: 'POST', body: JSON.stringify(rules) })
}

/** Returns the same cells every time, spread over a domain. */
function cellsOf(domain: string, resolution: number): string[] {
  const boxes: Record<string, [west: number, south: number, east: number, north: number]> = {
    conus: [-122, 31, -76, 47],
    alaska: [-160, 60, -145, 68],
    hawaii: [-156, 19, -155, 20],
  }
  const [west, south, east, north] = entryOf(boxes, domain)
  return Array.from({ length: 150 }, (_, index) => {
    const [x, y] = [(index * 0.618034) % 1, (index * 0.754878) % 1]
    return latLngToCell(south + y * (north - south), west + x * (east - west), resolution)
  })
}

/** Ends the work of an earlier drill, which would otherwise continue in the next drill's database. */
async function clearTemporal(): Promise<void> {
  const { address, namespace } = loadConfig().temporal!
  const connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace })
  for await (const { scheduleId } of client.schedule.list()) await client.schedule.getHandle(scheduleId).delete()
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    await client.workflow
      .getHandle(workflowId)
      .terminate('drill')
      .catch(() => {})
  }
  await connection.close()
}
