import { ignoreFault, isFault } from '../../ingest/domain/fault.ts'
import { floorTo, HOUR } from '../../ingest/domain/time.ts'
import type { BlendInput } from '../blend/blend.ts'
import { models } from '../blend/field-table.ts'
import { passedHoursOf } from '../blend/passed-hours.ts'
import { tolerant } from '../blend/tolerant.ts'
import type { WeatherInputs } from '../blend/weather-now.ts'
import type { AlertAtPoint, MetaWarning, ScanRate } from '../contract.ts'
import type { SectionContext } from '../sections/section.ts'
import type { Runs } from './runs.ts'
import { skyOfDays } from './sky-days.ts'

/** Reads everything that the weather of one answer is blended from. */
export async function gather(context: SectionContext, runs: Runs): Promise<WeatherInputs> {
  const unread: MetaWarning[] = []
  const reading = modelsOf(context, runs)
  const [input, analysis, radar, lightning, nowcast, alerts, scans] = await Promise.all([
    reading,
    runs.analysis(),
    tolerant('radar', unread, ['precip_rate', 'precip_24h'], () => context.source('radar')),
    tolerant('lightning', unread, ['lightning_density', 'lightning_prob', 'lightning_flashes'], () =>
      context.source('lightning'),
    ),
    // The section `nowcast` reports the reason.
    context.nowcast().catch(ignoreFault),
    alertsOf(context),
    scansOf(context, reading),
  ])
  const { now, sky } = context
  const read = runs.served(input?.sources.keys() ?? [])
  return { now, sky, models: input, runs: read, analysis, radar, lightning, nowcast, alerts, scans, unread }
}

async function modelsOf({ now, sky, query, windows }: SectionContext, runs: Runs): Promise<BlendInput | undefined> {
  const { include, hourlyHours } = query
  const thisHour = floorTo(now, HOUR)
  const first = windows[0]!
  const last = windows[windows.length - 1]!
  const daily = include.has('daily') || include.has('narrations')
  // Two hours more: the current analysis is at most that old, and its missing variables are taken from the forecast at its time.
  const start = Math.min(daily ? first.start : thisHour, thisHour - 2 * HOUR)
  const hours = include.has('hourly') ? hourlyHours : 2
  const end = Math.max(thisHour + hours * HOUR, daily ? last.end : 0)
  const names = include.has('uncertainty') ? [...models, 'nbm-qmd'] : models
  const [sources] = await Promise.all([
    runs.sources(names, daily ? first.start : thisHour, daily || include.has('hourly')),
    skyOfDays(start, end),
  ])
  if (!sources) return undefined
  return {
    start,
    count: Math.round((end - start) / HOUR) + 1,
    now,
    sources,
    sky,
    uncertainty: include.has('uncertainty'),
    traced: include.has('provenance'),
  }
}

async function alertsOf(context: SectionContext): Promise<readonly AlertAtPoint[]> {
  try {
    return (await context.alerts())?.alerts ?? []
  } catch {
    // The section of alerts reports the failure.
    return []
  }
}

/** Without the rates of scans the model has the minutes of the running hour. */
async function scansOf(
  context: SectionContext,
  reading: Promise<BlendInput | undefined>,
): Promise<readonly ScanRate[]> {
  try {
    const [input, scans] = await Promise.all([reading, context.source('scans')])
    const thisHour = floorTo(context.now, HOUR)
    const measured = !Number.isNaN((input && passedHoursOf(input.sources))?.amount(thisHour) ?? Number.NaN)
    return (await scans?.since(measured ? thisHour : thisHour - HOUR)) ?? []
  } catch (error) {
    if (!isFault(error)) throw error
    return []
  }
}
