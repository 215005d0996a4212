import { type ScoreboardRequest, type SiteFile, scoreboardSite } from '../api/pages/scoreboard/site.ts'
import { loadConfig } from '../ingest/config.ts'
import { Fault } from '../ingest/domain/fault.ts'
import { DAY, parseDate } from '../ingest/domain/time.ts'
import { VERIFICATION_DAYS } from '../ingest/domain/verification/statistics.ts'
import { openDatabase } from '../ingest/ports/database/open.ts'
import type { Database } from '../ingest/ports/database.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { lastVerifiedDay } from '../sql/queries/verification.ts'
import { openPlace, placeNamed } from './export/place.ts'
import type { CommandLine } from './verb.ts'

/** Files that are written at the same time. */
const WRITERS = 8

/** `hexcast scoreboard`: writes the static site of the scores. @returns exit status */
export async function runScoreboard(line: CommandLine): Promise<number> {
  const place = placeNamed('out', line.option('out'))
  const choice = choiceOf(line)
  const database = await openDatabase(loadConfig(), { name: 'hexcast scoreboard' })
  try {
    const end = choice.end ?? (await endOf(database))
    const store = await openPlace(place)
    try {
      const { files, bytes } = await writeSite(store, scoreboardSite(database, { ...choice, end }))
      console.log(`${files} files, ${(bytes / 1e6).toFixed(1)} MB in ${place}; start with index.html`)
    } finally {
      await store.close()
    }
  } finally {
    await database.close()
  }
  return 0
}

/** Writes the files of a site, some at a time. @returns their number and size in bytes */
export async function writeSite(
  store: Pick<Objects, 'put'>,
  site: AsyncIterable<SiteFile>,
): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 }
  const writing = new Set<Promise<void>>()
  let failure: unknown
  try {
    for await (const { path, contentType, body } of site) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      total.files++
      total.bytes += bytes.length
      const done = store
        .put(path, bytes, { contentType })
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => writing.delete(done))
      writing.add(done)
      if (writing.size >= WRITERS) await Promise.race(writing)
      if (failure !== undefined) break
    }
  } finally {
    await Promise.all(writing)
  }
  if (failure !== undefined) throw failure
  return total
}

function choiceOf(line: CommandLine): Omit<ScoreboardRequest, 'end'> & { readonly end?: number } {
  const days = Number(line.option('days') ?? 30)
  if (!Number.isInteger(days) || days < 1 || days > VERIFICATION_DAYS)
    throw new Fault(
      'Invalid',
      `--days must be a whole number from 1 to ${VERIFICATION_DAYS}, but is "${line.option('days')}"`,
    )
  const units = line.option('units') ?? 'imperial'
  if (units !== 'metric' && units !== 'imperial')
    throw new Fault('Invalid', `--units must be imperial or metric, but is "${units}"`)
  const until = line.option('until')
  if (until === undefined) return { days, units }
  const day = parseDate(until)
  if (Number.isNaN(day)) throw new Fault('Invalid', `--until "${until}" is not a day such as 2026-11-28`)
  if (day + DAY > Date.now()) throw new Fault('Invalid', `--until ${until} is not over yet (UTC); use an earlier day`)
  return { days, units, end: day + DAY }
}

/** Returns the end of the last compared day; without one, the start of today. */
async function endOf(database: Database): Promise<number> {
  const last = await lastVerifiedDay(database)
  return last === undefined ? Math.floor(Date.now() / DAY) * DAY : parseDate(last) + DAY
}
