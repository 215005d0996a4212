import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Process, until } from '../../drills/process.ts'
import type { AnswerRequests } from './measure.ts'

/** Interval between checks whether the answer is complete; checks take processor time too. */
const ASK_MS = 500
/** Number of keys: a single key would reach the limits of its plan. */
const KEYS = 8
const PLACE = 'lat=39.74&lon=-104.99'

interface Answer {
  readonly current?: { readonly temperature: number | null }
  readonly hourly?: readonly { readonly temperature: number | null }[]
  readonly meta?: { readonly freshness: readonly { readonly product_id: string; readonly reference_time?: string }[] }
}

/** Hexcast over a mirror, in an empty folder, as its user starts it. */
export class Hexcast {
  readonly process: Process
  readonly #settings: Record<string, string | undefined>
  readonly #folder: string
  #base = ''
  #key = ''

  /** @param more further settings of its processes */
  constructor(mirror: string, more: Record<string, string> = {}) {
    this.#folder = mkdtempSync(join(tmpdir(), 'hexcast-whole-'))
    const { PATH, HOME } = process.env
    this.#settings = {
      ...{ PATH, HOME, PORT: '0', LOG_LEVEL: 'info', NODE_ENV: 'production' },
      ...{ DATA_DIR: join(this.#folder, 'data'), UPSTREAM: mirror, DATASETS: 'nbm,hrrr,rtma' },
    }
    this.process = Process.hexcast('start', { ...this.#settings, ...more })
  }

  get pid(): number {
    return this.process.child.pid!
  }

  get port(): string {
    return new URL(this.#base).port
  }

  /** Resolves when the interface listens and has shown its first key. */
  async opened(): Promise<void> {
    this.#base = /http:\/\/localhost:\d+/.exec(await this.process.line(/http:\/\/localhost:\d+/))![0]
    this.#key = /hx_live_[\w-]+/.exec(await this.process.line('hx_live_'))![0]
  }

  /** Resolves when the answer of Denver is complete and from runs at least this new: now, and 48 hours. */
  async isWhole(run: number, datasets: readonly string[]): Promise<void> {
    await until(`a whole answer of ${datasets}`, 600, () => this.#isWhole(run, datasets), ASK_MS)
  }

  /** Creates keys and returns the requests for answers. */
  async requests(): Promise<AnswerRequests> {
    const keys = [this.#key]
    for (let k = 1; k < KEYS; k++) {
      const create = Process.hexcast(`keys create --name bench${k} --plan professional`, this.#settings)
      keys.push(await create.line(/^hx_live_/))
    }
    return {
      path: (where) => `/v1/weather?${where}&include=current,hourly,daily`,
      headers: keys.map((key) => `Authorization: Bearer ${key}\r\n`),
    }
  }

  async end(): Promise<void> {
    await this.process.end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #isWhole(run: number, datasets: readonly string[]): Promise<boolean> {
    const address = `${this.#base}/v1/weather?${PLACE}&include=current,hourly,daily&hourly_hours=48`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${this.#key}` } }).catch(() => undefined)
    if (!reply?.ok || !reply.headers.get('cache-control')?.startsWith('max-age')) return false
    const { current, hourly = [], meta } = (await reply.json()) as Answer
    const newest = datasets.every((id) =>
      meta?.freshness.some(
        ({ product_id, reference_time }) => product_id === id && Date.parse(reference_time ?? '') >= run,
      ),
    )
    const known = hourly.filter(({ temperature }) => temperature !== null).length
    return newest && typeof current?.temperature === 'number' && known === 48
  }
}
