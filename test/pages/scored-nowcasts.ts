import type { DomainId } from '../../ingest/domain/domain.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import {
  type LeadScore,
  type ModelScore,
  NOWCAST_LEADS,
  NOWCAST_THRESHOLDS,
} from '../../ingest/domain/verification/nowcast.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { addScores } from '../../sql/queries/nowcast-scores.ts'

/** The score of one frame whose hits shrink with lead and rate: at 0.1 mm/h the nowcast hits 1000 − 8 × lead pixels of 1000. */
export function leadScore(lead: number): LeadScore {
  const counts = (hits: number) => ({ hits, misses: 1000 - hits, falseAlarms: 900 - Math.round(0.8 * hits) })
  return {
    lead,
    pixels: 40_000,
    tallies: NOWCAST_THRESHOLDS.map((threshold, i) => ({
      threshold,
      nowcast: counts(Math.round((1000 - 8 * lead) / (i + 1))),
      persistence: counts(Math.round((900 - 9 * lead) / (i + 1))),
    })),
    bins: someBins(),
    rawBins: someBins(),
  }
}

const someBins = () =>
  Array.from({ length: 10 }, (_, bin) => ({ points: 100, probability: 10 * bin + 5, wet: 9 * bin }))

/** Stores the scores of frames of a domain, one each ten minutes, the last at `last`. */
export async function putScoredNowcasts(
  database: Database,
  domain: DomainId,
  {
    frames,
    last,
    withModel = false,
  }: { readonly frames: number; readonly last: Instant; readonly withModel?: boolean },
): Promise<void> {
  for (let k = 0; k < frames; k++) {
    const valid = last - 10 * k * MINUTE
    const scores = NOWCAST_LEADS.map(leadScore)
    const scored = withModel && valid % HOUR === 0 ? scores.map((score) => ({ ...score, model: modelScore })) : scores
    await addScores(database, domain, new Date(valid), scored)
  }
}

/** The model hits 40 of 100 points, and misses and false alarms are 60 each. */
const modelScore: ModelScore = {
  pixels: 5000,
  tallies: NOWCAST_THRESHOLDS.map(() => ({ hits: 40, misses: 60, falseAlarms: 60 })),
}
