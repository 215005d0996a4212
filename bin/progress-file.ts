import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { RUN_ROWS } from './run-progress.ts'

/** File with the stages that `hexcast start` has in progress, for `hexcast status` in another process. */
const NAME = 'progress.json'
const WRITE_INTERVAL_MS = 1000
/** Age after which the file is ignored, because the writer has ended without removing it or has made no progress. */
const FRESH_MS = 120_000

const row = z.object({
  name: z.string().max(200),
  text: z.string().max(200),
  done: z.number(),
  total: z.number(),
  secondsLeft: z.number().optional(),
})
const shape = z.object({ at: z.number(), rows: z.array(row).max(RUN_ROWS) })
export type ProgressRow = z.infer<typeof row>

/** Keeps the progress file of a data folder up to date. Errors, such as a full disk, are ignored. */
export class ProgressFile {
  readonly #path: string
  readonly #clock: () => number
  #writing: Promise<void> | undefined
  #next: readonly ProgressRow[] | undefined
  #writtenAt = 0

  constructor(dataDir: string, clock: () => number = Date.now) {
    this.#path = join(dataDir, NAME)
    this.#clock = clock
  }

  /** Writes the rows at most once a second. An empty list is written at once. */
  write(rows: readonly ProgressRow[]): void {
    const now = this.#clock()
    if (rows.length > 0 && now - this.#writtenAt < WRITE_INTERVAL_MS) return
    this.#writtenAt = now
    if (this.#writing) this.#next = rows
    else this.#writing = this.#put(rows)
  }

  async #put(rows: readonly ProgressRow[]): Promise<void> {
    for (let latest: readonly ProgressRow[] | undefined = rows; latest; latest = this.#next) {
      this.#next = undefined
      const text = JSON.stringify({ at: this.#clock(), rows: latest.slice(0, RUN_ROWS) })
      await writeFile(`${this.#path}.new`, text)
        .then(() => rename(`${this.#path}.new`, this.#path))
        .catch(() => undefined)
    }
    this.#writing = undefined
  }

  async close(): Promise<void> {
    await this.#writing
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

/** @returns the stages in progress; empty if there are none or no process of this data folder reports them */
export async function readProgress(dataDir: string, now: number): Promise<readonly ProgressRow[]> {
  try {
    const { at, rows } = shape.parse(JSON.parse(await readFile(join(dataDir, NAME), 'utf8')))
    return now - at < FRESH_MS ? rows : []
  } catch {
    return []
  }
}
