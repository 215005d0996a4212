import type { LeadScore, NowcastBin, NowcastDay, ProbabilityBin } from '../../ingest/domain/verification/nowcast.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

/**
 * Stores the scores of the nowcasts that were verified with the frame at `valid`, and adds them to the sums of its day
 * (UTC). A repeated call for the same frame changes nothing.
 */
export async function addScores(
  db: Transactions,
  domain: string,
  valid: Date,
  scores: readonly LeadScore[],
): Promise<void> {
  const rows = scores.flatMap(({ lead, pixels, tallies, model }) =>
    tallies.map((tally, t) => ({
      lead,
      pixels,
      ...tally,
      model: model && { pixels: model.pixels, ...model.tallies[t] },
    })),
  )
  const binTables = [
    ['nowcast_probability_day', binRows(scores, ({ bins }) => bins)],
    ['nowcast_raw_day', binRows(scores, ({ rawBins }) => rawBins)],
  ] as const
  await db.transaction(async (tx) => {
    const added = await tx.query(
      `insert into nowcast_score (domain, valid, lead, threshold, hits, misses, false_alarms)
       select $1, $2, * from unnest($3::int[], $4::float8[], $5::int[], $6::int[], $7::int[])
       on conflict do nothing returning lead`,
      [
        ...[domain, valid, rows.map(({ lead }) => lead), rows.map(({ threshold }) => threshold)],
        ...(['hits', 'misses', 'falseAlarms'] as const).map((name) => rows.map(({ nowcast }) => nowcast[name])),
      ],
    )
    if (added.length === 0) return
    await tx.query(
      `insert into nowcast_day as d
         (domain, day, lead, threshold, frames, pixels, hits, misses, false_alarms, still_hits, still_misses, still_false_alarms,
          model_frames, model_pixels, model_hits, model_misses, model_false_alarms)
       select $1, ($2::timestamptz at time zone 'UTC')::date, lead, threshold, 1, pixels, a, b, c, d, e, f, g, h, i, j, k
       from unnest($3::int[], $4::float8[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[],
                   $12::int[], $13::int[], $14::int[], $15::int[], $16::int[])
         as row (lead, threshold, pixels, a, b, c, d, e, f, g, h, i, j, k)
       on conflict (domain, day, lead, threshold) do update set
         frames = d.frames + 1, pixels = d.pixels + excluded.pixels,
         hits = d.hits + excluded.hits, misses = d.misses + excluded.misses,
         false_alarms = d.false_alarms + excluded.false_alarms,
         still_hits = d.still_hits + excluded.still_hits, still_misses = d.still_misses + excluded.still_misses,
         still_false_alarms = d.still_false_alarms + excluded.still_false_alarms,
         model_frames = d.model_frames + excluded.model_frames, model_pixels = d.model_pixels + excluded.model_pixels,
         model_hits = d.model_hits + excluded.model_hits, model_misses = d.model_misses + excluded.model_misses,
         model_false_alarms = d.model_false_alarms + excluded.model_false_alarms`,
      [
        ...[domain, valid, rows.map(({ lead }) => lead), rows.map(({ threshold }) => threshold)],
        rows.map(({ pixels }) => pixels),
        ...(['hits', 'misses', 'falseAlarms'] as const).map((name) => rows.map(({ nowcast }) => nowcast[name])),
        ...(['hits', 'misses', 'falseAlarms'] as const).map((name) => rows.map(({ persistence }) => persistence[name])),
        rows.map(({ model }) => (model ? 1 : 0)),
        ...(['pixels', 'hits', 'misses', 'falseAlarms'] as const).map((name) =>
          rows.map(({ model }) => model?.[name] ?? 0),
        ),
      ],
    )
    for (const [table, bins] of binTables)
      await tx.query(
        `insert into ${table} as d (domain, day, lead, bin, points, probability, wet)
         select $1, ($2::timestamptz at time zone 'UTC')::date, *
         from unnest($3::int[], $4::int[], $5::int[], $6::float8[], $7::int[])
         on conflict (domain, day, lead, bin) do update set
           points = d.points + excluded.points, probability = d.probability + excluded.probability, wet = d.wet + excluded.wet`,
        [
          ...[domain, valid, bins.map(({ lead }) => lead), bins.map(({ bin }) => bin)],
          ...(['points', 'probability', 'wet'] as const).map((name) => bins.map((sums) => sums[name])),
        ],
      )
  })
}

/** The bins that have points, with lead and number. */
function binRows(scores: readonly LeadScore[], binsOf: (score: LeadScore) => readonly ProbabilityBin[]) {
  return scores.flatMap((score) =>
    [...binsOf(score).entries()]
      .filter(([, { points }]) => points > 0)
      .map(([bin, sums]) => ({ lead: score.lead, bin, ...sums })),
  )
}

/** Returns whether the forecasts for a frame are already verified. */
export async function isScored(db: Queries, domain: string, valid: Date): Promise<boolean> {
  const rows = await db.query('select 1 from nowcast_score where domain = $1 and valid = $2 limit 1', [domain, valid])
  return rows.length > 0
}

export interface RunningScore {
  readonly domain: string
  readonly lead: number
  readonly threshold: number
  readonly csi: number | null
  /** Number of verified frames. */
  readonly frames: number
}

/** Returns the critical success index (CSI) by domain, lead and threshold over the last hours. */
export async function runningScores(db: Queries, hours: number): Promise<RunningScore[]> {
  return db.query<RunningScore & Record<string, unknown>>(
    `select domain, lead, threshold,
            sum(hits)::float8 / nullif(sum(hits + misses + false_alarms), 0) as csi, count(*)::int as frames
     from nowcast_score where valid > now() - make_interval(hours => $1::int)
     group by domain, lead, threshold order by domain, threshold, lead`,
    [hours],
  )
}

/** Returns the sums of a period (UTC days, inclusive) by domain, lead, threshold and day. */
export function nowcastDays(db: Queries, from: string, to: string): Promise<NowcastDay[]> {
  return db.query<NowcastDay & object>(
    `select domain, day, lead, threshold, frames, pixels, hits, misses, false_alarms,
            still_hits, still_misses, still_false_alarms,
            model_frames, model_pixels, model_hits, model_misses, model_false_alarms
     from nowcast_day where day between $1 and $2 order by domain, lead, threshold, day`,
    [from, to],
  )
}

/** Returns the sums of the served probabilities over a period (UTC days, inclusive) by domain, lead and bin. */
export function nowcastBins(db: Queries, from: string, to: string): Promise<NowcastBin[]> {
  return db.query<NowcastBin>(
    `select domain, lead, bin, sum(points)::float8 as points, sum(probability) as probability, sum(wet)::float8 as wet
     from nowcast_probability_day where day between $1 and $2 group by domain, lead, bin order by domain, lead, bin`,
    [from, to],
  )
}

/** Deletes scores of frames that are older than `keepHours`, and sums of days before `firstDay`. @returns their number */
export async function removeOldScores(
  db: Pick<Transactions, 'run'>,
  keepHours: number,
  firstDay: string,
): Promise<number> {
  const frames = await deleteInBatches(
    db,
    `delete from nowcast_score where ctid = any(array(
       select ctid from nowcast_score where valid < now() - make_interval(hours => $1::int) limit $2))`,
    [keepHours],
  )
  let removed = frames
  // At most some hundred rows of each day.
  for (const table of ['nowcast_day', 'nowcast_probability_day', 'nowcast_raw_day', 'nowcast_calibration'])
    removed += (await db.run(`delete from ${table} where day < $1`, [firstDay])).affected
  return removed
}
