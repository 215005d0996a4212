import { z } from 'zod'
import { zonesById } from '../../../ingest/geo/zone.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { alertWarnings, restOf } from '../../live/alerts.ts'
import { unnamedNear, unplacedTouching } from '../../live/unplaced-area.ts'
import { parseBox } from '../../query/box.ts'
import { unknownEvent as unknownEventWarning } from '../../query/events.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { alertFeed } from '../query/alert-feed.ts'
import { type AlertFilters, countWords, selectAlerts, unplacedWords } from '../query/alert-selection.ts'
import { timezoneOf } from '../query/alerts-nearby.ts'
import { briefAlert, pick } from '../query/forecast.ts'
import { absence, certainAbsence } from '../words/absence.ts'
import { alertLine } from '../words/alert-words.ts'
import { oneLine, quotedFields } from '../words/quote.ts'
import { counted, joinMeta, localTime, reply } from '../words/reply.ts'

const severity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])

export const searchAlerts = tool({
  name: 'search_alerts',
  title: 'Search alerts',
  description:
    'Active NWS alerts across a state, zone, office, box or the whole country, filtered by event, severity, urgency and certainty, with counts: "any tornado warnings in Oklahoma right now", "how many flood warnings are there". One place or one alert in full: get_alerts. At most one of area, zone, wfo, bbox.',
  input: z.strictObject({
    area: z.string().length(2).optional().describe('State: two letters, such as OK.'),
    zone: z.string().length(6).optional().describe('Forecast, county or fire zone, such as COZ040.'),
    wfo: z.string().min(3).max(4).optional().describe('NWS office, such as BOU.'),
    bbox: z.array(z.number()).length(4).optional().describe('west, south, east, north in degrees.'),
    event: z.string().min(1).max(80).optional().describe('Event name, such as Tornado Warning.'),
    severity: severity.optional().describe('Severity.'),
    urgency: z.enum(['Immediate', 'Expected', 'Future', 'Past', 'Unknown']).optional().describe('Urgency.'),
    certainty: z.enum(['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown']).optional().describe('Certainty.'),
    limit: z.number().int().min(1).max(50).default(20).describe('Alerts a page.'),
    cursor: z.string().min(1).max(500).optional().describe('next_cursor of the page before.'),
  }),
  output: z.object({
    total: z.number().int().nullable().describe('null: not known'),
    alerts: z.array(z.looseObject({ id: z.string(), event: z.string(), severity: z.string() })),
    by_event: z.record(z.string(), z.number()),
    filters: z.looseObject({}),
    active_in_area: z.number().int(),
    active_in_country: z.number().int(),
    next_cursor: z.string().nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const feed = alertFeed(context)
    const { matching, inArea, areaWords, filterWords, unknownEvent, applied } = selectAlerts(feed.active, input)
    if (matching.length === 0) feed.requireConfirmed()
    const doubt = unplacedDoubt(feed.active, input)
    const by_event: Record<string, number> = {}
    for (const { head } of matching) by_event[head.event] = (by_event[head.event] ?? 0) + 1
    const { page, next_cursor } = pageOf(matching, input.cursor, input.limit)
    const alerts = page.map((alert) => ({
      ...pick({ ...restOf(alert) }, briefAlert),
      area_desc: oneLine(alert.record.areaDesc ?? '', 160),
    }))
    const asOf = `as of ${localTime(feed.now, 'UTC')} (${feed.readWords})`
    const lines =
      matching.length === 0
        ? noneLines({ inArea, areaWords, filterWords, unknownEvent, active: feed.active, asOf, doubt })
        : [
            `${matching.length} active in ${areaWords}${filterWords ? ` with ${filterWords}` : ''}, ${asOf}: ${countWords(matching)}.`,
            ...page.slice(0, MAX_LINES).map((alert) => alertLine(alert, feed.now, timezoneOf(alert), false)),
            ...(matching.length > MAX_LINES ? [`${matching.length - MAX_LINES} more in data.`] : []),
            ...(filterWords && inArea.length > matching.length
              ? [
                  `The filter leaves out ${counted(inArea.length - matching.length, 'other alert', 'other alerts')} there.`,
                ]
              : []),
          ]
    return reply({
      structured: {
        total: matching.length === 0 && doubt !== undefined ? null : matching.length,
        alerts,
        by_event,
        filters: applied,
        active_in_area: inArea.length,
        active_in_country: feed.active.length,
        next_cursor,
      },
      lines,
      meta: joinMeta(
        [feed.meta],
        [
          ...(unknownEvent === undefined ? [] : [unknownEventWarning('event', [unknownEvent])]),
          ...alertWarnings(undefined, page),
        ],
      ),
      quotes: quotedFields('NWS alerts', 'alerts[].headline', 'alerts[].area_desc', 'alerts[].sender'),
    })
  },
})

/** Alerts in the text block; the data has the whole page. */
const MAX_LINES = 7

/** Returns lines for an empty result: the filters, the time, and what else is active. */
function noneLines({
  inArea,
  active,
  areaWords,
  filterWords,
  unknownEvent,
  asOf,
  doubt,
}: {
  readonly inArea: readonly LiveAlert[]
  readonly active: readonly LiveAlert[]
  readonly areaWords: string
  readonly filterWords: string
  readonly unknownEvent: string | undefined
  readonly asOf: string
  /** Why an empty list does not mean that there is none. */
  readonly doubt: string | undefined
}): string[] {
  const elsewhere = active.length - inArea.length
  const country =
    elsewhere > 0
      ? [
          `Elsewhere in the country ${counted(elsewhere, 'is', 'are')} active: ${countWords(
            active.filter((alert) => !inArea.includes(alert)),
            4,
          )}.`,
        ]
      : []
  if (!filterWords) return [absence('alerts', { where: `in ${areaWords}`, asOf }, doubt), ...country]
  if (unknownEvent !== undefined)
    return [
      `"${unknownEvent}" is unknown: it is neither in the list of NWS events nor the event of an active alert. This is not an all-clear. Check the name, or search without event.`,
      inArea.length > 0
        ? `Active in ${areaWords} ${asOf}: ${countWords(inArea)}.`
        : absence('alerts_of_any_kind', { where: areaWords, asOf }, doubt),
      ...country,
    ]
  const first = absence('alerts_matching', { filters: filterWords, where: areaWords, asOf }, doubt)
  if (inArea.length > 0)
    return [
      `${first} This is not an all-clear: ${counted(inArea.length, 'other is', 'others are')} active there: ${countWords(inArea)}.`,
      ...country,
    ]
  return [doubt === undefined ? `${first} ${certainAbsence('alerts_other', {})}` : first, ...country]
}

/**
 * Returns why an area may have alerts that the search does not find: the area is compared with outlines, and an alert of its event has none; or
 * by code, and an alert has no zones. Undefined if every alert was compared.
 */
function unplacedDoubt(active: readonly LiveAlert[], { area, zone, bbox, event }: AlertFilters): string | undefined {
  const comparable = active.filter(
    ({ head }) => event === undefined || head.event.toLowerCase() === event.toLowerCase(),
  )
  if (bbox) return unplacedWords(unplacedTouching(comparable, parseBox(bbox.join(','))))
  const code = (zone ?? area)?.toUpperCase()
  if (code === undefined) return undefined
  const office = zone === undefined ? undefined : zonesById(zone.toUpperCase())[0]?.office
  const ofOffice = comparable.filter(({ record }) => office === undefined || record.office === office)
  const unplaced = zone === undefined ? [] : ofOffice.filter(AlertIndex.isUnplaced)
  return unplacedWords([...new Set([...unplaced, ...unnamedNear(comparable, code)])])
}

/** Returns the page after a cursor, which is the id of the last alert of the previous page. @throws ToolError bad-request */
function pageOf(matching: readonly LiveAlert[], cursor: string | undefined, limit: number) {
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
  const start = after === undefined ? 0 : matching.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0)
    throw new ToolError(
      'bad-request',
      'cursor: the last alert of the previous page is no longer in this list.',
      'begin again without cursor.',
      { field: 'cursor' },
    )
  const page = matching.slice(start, start + limit)
  const last = page.at(-1)
  const more = last !== undefined && start + page.length < matching.length
  return { page, next_cursor: more ? Buffer.from(last.id).toString('base64url') : null }
}
