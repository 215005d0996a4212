import { z } from 'zod'
import { MINUTE } from '../../../ingest/domain/time.ts'
import type { NowcastValue } from '../../answer/value.ts'
import { findSpot } from '../../dataset/spot.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { forecastAt } from '../query/forecast.ts'
import { absence } from '../words/absence.ts'
import { capitalized, localTime, reply } from '../words/reply.ts'

export const getPrecipitationNowcast = tool({
  name: 'get_precipitation_nowcast',
  title: 'Get rain and snow nowcast',
  description:
    'Will it rain or snow in the next hour at a US place, when does it start and stop: radar moved on for up to 90 minutes. "Do I need an umbrella now", "when will this rain end". Later: get_hourly_forecast; what radar shows now: get_radar; fallen: get_precipitation_totals. no_coverage is not dry.',
  input: z.strictObject({
    ...shape.place,
    minutes: z.number().int().min(15).max(90).default(60).describe('Minutes to look ahead.'),
  }),
  output: z.object({
    location: shape.location,
    nowcast: z
      .looseObject({
        interval_seconds: z.number(),
        generated_at: z.string(),
        summary: z.looseObject({}),
        points: z.array(
          z.looseObject({ time: z.string(), type: z.string(), intensity_dbz: z.number(), intensity: z.string() }),
        ),
      })
      .nullable(),
    message: z.string(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { weather, meta } = await forecastAt(context, spot, { include: ['nowcast'], days: 1, hours: 1 })
    if (!weather.nowcast) {
      const why =
        meta.warnings.find(({ section }) => section === 'nowcast')?.detail ?? 'no radar is available for this place'
      const message = absence('nowcast', { place: spot.location.name, minutes: input.minutes, now: false }, why)
      return reply({
        structured: { location: spot.location, nowcast: null, message },
        lines: [message],
        meta,
      })
    }
    const until = context.now + input.minutes * MINUTE
    const nowcast = {
      ...weather.nowcast,
      points: weather.nowcast.points.filter(({ time }) => Date.parse(time) <= until),
    }
    const message = sentence(weather.nowcast, {
      place: spot.location.name,
      timezone: spot.timezone,
      now: context.now,
      minutes: input.minutes,
    })
    return reply({
      structured: { location: spot.location, nowcast, message },
      lines: [message, `Radar of ${localTime(nowcast.generated_at, spot.timezone)}.`],
      meta,
    })
  },
})

interface NowcastRequest {
  readonly place: string
  readonly timezone: string
  readonly now: number
  readonly minutes: number
}

/** Returns the answer in one sentence. Minutes count from now; the steps of the nowcast begin with the scan, up to 15 minutes earlier. */
export function sentence(nowcast: NowcastValue, { place, timezone, now, minutes }: NowcastRequest): string {
  const steps = nowcast.points
  const { starts_at, ends_at, duration_minutes, type, already_occurring } = nowcast.summary ?? {}
  const reach = Math.floor((Date.parse(steps.at(-1)?.time ?? nowcast.generated_at) - now) / MINUTE)
  const covered = Math.max(0, Math.min(minutes, reach))
  if (!starts_at || Date.parse(starts_at) > now + covered * MINUTE) {
    const later = starts_at ? ` The next precipitation begins at ${localTime(starts_at, timezone)}.` : ''
    const running = steps.findLast(({ time }) => Date.parse(time) <= now)
    const coming = steps.filter(({ time }) => Date.parse(time) > now && Date.parse(time) <= now + covered * MINUTE)
    const shownSteps = running ? [running, ...coming] : coming
    if (shownSteps.length > 0 && shownSteps.every((step) => step.type === 'no_coverage'))
      return `${absence('nowcast', { place, minutes: covered, now: true }, 'radar does not see the place')}${later}`
    const gap = shownSteps.some((step) => step.type === 'no_coverage')
      ? 'radar does not see the place in a part of that time; the other steps are dry'
      : undefined
    const single = coming.find((step) => wetTypes.has(step.type))
    const moment =
      single && `${single.intensity} ${kindOf(single.type)} for a moment near ${localTime(single.time, timezone)}`
    if (running && wetTypes.has(running.type)) {
      const first = `${capitalized(`${running.intensity} ${kindOf(running.type)}`)} at ${place} now by radar, about to end`
      const beyond = absence('nowcast_after', { minutes: covered }, gap)
      const after = moment ? `; then ${moment}.` : gap ? `. ${beyond}` : `; ${beyond}.`
      return `${first}${after}${later}${moment && gap ? ` ${beyond}` : ''}`
    }
    if (moment) return `${absence('nowcast_lasting', { place, minutes: covered, moment }, gap)}${later}`
    return `${absence('nowcast', { place, minutes: covered, now: false }, gap)}${later}`
  }
  const episode = episodeOf(nowcast, now)
  const words = `${episode.first} ${kindOf(episode.kind ?? type)}`.trim()
  const when = already_occurring ? 'now' : `from ${localTime(starts_at, timezone)}`
  const changes = changesOf(episode, timezone)
  const end =
    typeof ends_at !== 'string'
      ? ', with no end within 90 minutes'
      : episode.isCutOff
        ? ` until at least ${localTime(ends_at, timezone)}, the end of the radar coverage`
        : ` until ${localTime(ends_at, timezone)}${duration_minutes ? ` (${duration_minutes} minutes)` : ''}`
  const before = stepsBefore(nowcast, now)
  const blind = before.some((step) => step.type === 'no_coverage')
    ? ' Until then radar does not always see the place, so earlier precipitation is not known.'
    : ''
  const [running] = before
  if (running && wetTypes.has(running.type) && Date.parse(running.time) <= now)
    return `${capitalized(`${running.intensity} ${kindOf(running.type)}`)} at ${place} now, about to end; ${words} ${when}${changes}${end}.${blind}`
  return `${capitalized(words)} at ${place} ${when}${changes}${end}.${blind}`
}

const intensities = ['none', 'light', 'moderate', 'heavy', 'violent']

interface Episode {
  /** Intensity at the begin of the episode, or now. */
  readonly first: string
  /** Type of precipitation at the same time; the summary has the type of most steps. */
  readonly kind?: string
  /** The first step of another type that lasts to the end or for at least two steps. */
  readonly turns?: { readonly type: string; readonly time: string }
  /** The first of the strongest steps if the intensity increases. */
  readonly strongest?: { readonly intensity: string; readonly time: string }
  /** The step from which the intensity stays weaker than at the begin. */
  readonly eases?: { readonly intensity: string; readonly time: string }
  /** Whether the episode ends where the radar coverage ends. */
  readonly isCutOff: boolean
}

/** Returns the episode of the summary from now on: its peak may be over, or still to come. */
function episodeOf({ points, summary }: NowcastValue, now: number): Episode {
  const end = typeof summary?.ends_at === 'string' ? Date.parse(summary.ends_at) : Number.POSITIVE_INFINITY
  const begin = Math.max(
    Date.parse(summary?.starts_at ?? ''),
    Date.parse(points.findLast(({ time }) => Date.parse(time) <= now)?.time ?? '') || 0,
  )
  const steps = points.filter(({ time }) => Date.parse(time) >= begin && Date.parse(time) < end)
  const rank = ({ intensity }: { intensity: string }) => Math.max(1, intensities.indexOf(intensity))
  const [first] = steps
  const strongest = steps.reduce((best, step) => (best && rank(best) >= rank(step) ? best : step), first)
  const weaker = first ? steps.slice(steps.findLastIndex((step) => rank(step) >= rank(first)) + 1) : []
  const [eased] = weaker
  const turns = steps.find(
    ({ type }, i) =>
      type !== first?.type && type !== 'unknown' && wetTypes.has(type) && (steps[i + 1]?.type ?? type) === type,
  )
  return {
    first: first ? (intensities[rank(first)] ?? '') : '',
    ...(first && wetTypes.has(first.type) && { kind: first.type }),
    ...(turns && { turns }),
    ...(first && strongest && rank(strongest) > rank(first) && { strongest }),
    ...(eased && { eases: { intensity: intensities[Math.max(...weaker.map(rank))] ?? '', time: eased.time } }),
    isCutOff: points.find(({ time }) => Date.parse(time) >= end)?.type === 'no_coverage',
  }
}

/** Returns `, turning to snow by 5:49 AM, heavy by 6:04 AM`; empty without a change. */
function changesOf({ turns, strongest, eases }: Episode, timezone: string): string {
  const by = (change: string, time: string) => `, ${change} by ${localTime(time, timezone)}`
  if (turns && turns.time === strongest?.time)
    return by(`turning to ${strongest.intensity} ${kindOf(turns.type)}`, turns.time)
  const turning = turns ? by(`turning to ${kindOf(turns.type)}`, turns.time) : ''
  if (strongest) return turning + by(strongest.intensity, strongest.time)
  return turning + (eases ? by(`easing to ${eases.intensity}`, eases.time) : '')
}

/** Returns the steps from the running one to the begin of the episode. */
function stepsBefore({ points, summary }: NowcastValue, now: number): NowcastValue['points'] {
  const begin = Date.parse(summary?.starts_at ?? '')
  const running = Math.max(
    0,
    points.findLastIndex(({ time }) => Date.parse(time) <= now),
  )
  return points.slice(running).filter(({ time }) => Date.parse(time) < begin)
}

const wetTypes: ReadonlySet<string> = new Set(['rain', 'snow', 'freezing_rain', 'wintry_mix', 'unknown'])

function kindOf(type: string | undefined): string {
  return type === undefined || type === 'unknown' || type === 'none' ? 'precipitation' : type.replaceAll('_', ' ')
}
