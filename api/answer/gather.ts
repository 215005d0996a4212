import { isFault } from '../../ingest/domain/fault.ts'
import { floorTo, HOUR } from '../../ingest/domain/time.ts'
import type { BlendInput } from '../blend/blend.ts'
import { models, uncertaintyDatasets } from '../blend/field-table.ts'
import { passedHoursOf } from '../blend/passed-hours.ts'
import { tolerant } from '../blend/tolerant.ts'
import type { WeatherInputs } from '../blend/weather-now.ts'
import type { AlertAtPoint, MetaWarning, ScanRate } from '../contract.ts'
import type { SectionContext } from '../sections/section.ts'
import type { Notes } from './notes.ts'
import type { Runs } from './runs.ts'
import { skyOfDays } from './sky-days.ts'

const NOWCAST_UNREAD: MetaWarning = {
  code: 'source_failed',
  section: 'meta',
  detail: 'The nowcast could not be read at this time: it is not in the next two hours.',
}
const SCANS_UNREAD: MetaWarning = {
  code: 'source_failed',
  section: 'meta',
  detail: 'Scans of the last hours could not be read at this time: amounts of these hours may be those of the models.',
}

/** Reads everything from which the weather of one answer is blended. */
export async function gather(context: SectionContext, runs: Runs, notes: Notes): Promise<WeatherInputs> {
  const unread: MetaWarning[] = []
  const reading = modelsOf(context, runs)
  const [input, analysis, radar, lightning, nowcast, alerts, scans] = await Promise.all([
    reading,
    runs.analysis(),
    tolerant('radar', unread, ['precip_rate', 'precip_24h'], () => context.source('radar')),
    tolerant('lightning', unread, ['lightning_density', 'lightning_prob', 'lightning_flashes'], () =>
      context.source('lightning'),
    ),
    unlessUnread(notes, NOWCAST_UNREAD, () => context.nowcast()),
    alertsOf(context),
    unlessUnread(notes, SCANS_UNREAD, () => scansOf(context, reading)),
  ])
  const { now, sky } = context
  const read = runs.served(input?.sources.keys() ?? [])
  return {
    now,
    sky,
    models: input,
    runs: read,
    analysis,
    radar,
    lightning,
    nowcast,
    alerts,
    scans: scans ?? [],
    unread,
  }
}

async function modelsOf({ now, sky, query, windows }: SectionContext, runs: Runs): Promise<BlendInput | undefined> {
  const { include, hourlyHours } = query
  const thisHour = floorTo(now, HOUR)
  const [first] = windows
  const last = windows.at(-1)
  if (!first || !last) throw new Error('A request needs at least one day.')
  const needsDays = include.has('daily') || include.has('narrations')
  // The axis begins two hours earlier, because the current analysis may be that old and its missing variables are taken
  // from the forecast at its time.
  const start = Math.min(needsDays ? first.start : thisHour, thisHour - 2 * HOUR)
  const hours = include.has('hourly') ? hourlyHours : 2
  // The first row is the hour after the current full hour.
  const end = Math.max(thisHour + (hours + 1) * HOUR, needsDays ? last.end : 0)
  const names = include.has('uncertainty') ? [...models, ...uncertaintyDatasets] : models
  const [sources] = await Promise.all([
    runs.sources(names, needsDays ? first.start : thisHour, needsDays || include.has('hourly')),
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
    // If this read fails, the section of alerts reports the failure.
    return []
  }
}

/**
 * Returns the result of a read, or undefined if nothing is stored. A read that fails also returns undefined; then the
 * warning is added, and the answer is not cached.
 */
async function unlessUnread<T>(
  notes: Notes,
  warning: MetaWarning,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!isFault(error)) throw error
    if (error.kind !== 'Missing' && error.kind !== 'Gone') notes.addFailure(warning)
    return undefined
  }
}

/**
 * Returns rates of radar scans, for the amount of the running hour and of the previous hour if that has not been
 * measured yet.
 */
async function scansOf(
  context: SectionContext,
  reading: Promise<BlendInput | undefined>,
): Promise<readonly ScanRate[] | undefined> {
  const [input, scans] = await Promise.all([reading, context.source('scans')])
  const thisHour = floorTo(context.now, HOUR)
  const isMeasured = !Number.isNaN((input && passedHoursOf(input.sources))?.amount(thisHour) ?? Number.NaN)
  return await scans?.since(isMeasured ? thisHour : thisHour - HOUR)
}
