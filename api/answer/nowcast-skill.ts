import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { DAY, dateText, type Instant } from '../../ingest/domain/time.ts'
import type { ReliabilityBin } from '../../ingest/domain/verification/figures.ts'
import {
  MIN_FRAMES,
  type NowcastDay,
  type NowcastFigure,
  nowcastFigures,
  nowcastReliability,
} from '../../ingest/domain/verification/nowcast.ts'
import { WET_RATE } from '../../ingest/domain/weather/echo.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { nowcastBins, nowcastDays } from '../../sql/queries/nowcast-scores.ts'

export interface NowcastSkillRequest {
  /** Number of UTC days before today; today is included too. */
  readonly days: number
  readonly domain?: DomainId | undefined
  /** Minutes. */
  readonly lead?: number | undefined
  readonly now: Instant
}

/** Scores of one day (UTC) of one source at one lead and threshold in one domain, without intervals. */
export interface NowcastDayFigure extends Pick<NowcastFigure, 'domain' | 'source' | 'lead' | 'threshold' | 'frames'> {
  readonly day: string
  readonly scores: Readonly<Record<string, number>>
}

/** Most days whose scores are given day by day. */
export const MAX_DAILY = 31

export interface NowcastSkillFigure extends NowcastFigure {
  /** Bins of the probability of 0.1 mm/h or more, with the figure of the nowcast at that rate. */
  readonly reliability?: readonly ReliabilityBin[]
}

export interface NowcastSkill {
  readonly firstDay: string
  readonly lastDay: string
  /** By domain, lead and threshold: the nowcast, then persistence, then the model. */
  readonly figures: readonly NowcastSkillFigure[]
  /** The same by day, for periods of at most 31 days; days with too few frames are absent. */
  readonly daily: readonly NowcastDayFigure[]
  /** Number of combinations of domain, lead, threshold and source with frames, but with too few. */
  readonly leftOut: number
  /** Reason why there is no figure; null if there is one. */
  readonly whyEmpty: string | null
}

/** Scores of the served nowcasts against the radar frames that followed, beside the last frame unmoved and the model. */
export async function nowcastSkill(database: Database, request: NowcastSkillRequest): Promise<NowcastSkill> {
  const today = Math.floor(request.now / DAY)
  const [firstDay, lastDay] = [dateText(today - request.days), dateText(today)]
  const isRequested = ({ domain, lead }: { domain: DomainId; lead: number }) =>
    (request.domain ?? domain) === domain && (request.lead ?? lead) === lead
  const rows = (await nowcastDays(database, firstDay, lastDay)).filter(isRequested)
  const bins = (await nowcastBins(database, firstDay, lastDay)).filter(isRequested)
  const figures: NowcastSkillFigure[] = []
  const daily: NowcastDayFigure[] = []
  let [leftOut, most] = [0, 0]
  const groups = Map.groupBy(rows, ({ domain, lead, threshold }) => `${domain} ${lead} ${threshold}`)
  for (const days of groups.values()) {
    for (const figure of nowcastFigures(days)) {
      most = Math.max(most, figure.frames)
      if (figure.frames < MIN_FRAMES[figure.source]) leftOut++
      else figures.push(withReliability(figure))
    }
    if (request.days <= MAX_DAILY) daily.push(...days.flatMap(figuresOfDay))
    // Intervals over 400 days take some milliseconds for each group.
    await yieldToEvents()
  }
  const whyEmpty = figures.length > 0 ? null : reasonOf(most, firstDay, lastDay)
  return { firstDay, lastDay, figures, daily, leftOut, whyEmpty }

  function withReliability(figure: NowcastFigure): NowcastSkillFigure {
    if (figure.source !== 'nowcast' || figure.threshold !== WET_RATE) return figure
    const own = bins.filter(({ domain, lead }) => domain === figure.domain && lead === figure.lead)
    return { ...figure, reliability: nowcastReliability(own) }
  }
}

function figuresOfDay(day: NowcastDay): NowcastDayFigure[] {
  const figures = nowcastFigures([day]).filter(({ source, frames }) => frames >= MIN_FRAMES[source])
  return figures.map(({ domain, source, lead, threshold, frames, scores }) => ({
    ...{ domain, day: day.day, source, lead, threshold, frames },
    scores: Object.fromEntries(Object.entries(scores).map(([name, { value }]) => [name, value])),
  }))
}

/** @param most largest number of frames of a combination */
function reasonOf(most: number, firstDay: string, lastDay: string): string {
  const rule =
    'The radar frame of each tenth minute is compared with the nowcasts of the 90 minutes before it, and a score needs 30 frames, which take about five hours.'
  return most === 0
    ? `No nowcast has been compared with radar from ${firstDay} to ${lastDay} (UTC). ${rule}`
    : `Too few nowcasts have been compared with radar: at most ${most} frame${most === 1 ? '' : 's'} from ${firstDay} to ${lastDay} (UTC). ${rule}`
}
