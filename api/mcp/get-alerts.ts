import { z } from 'zod'
import { eventNames } from '../../ingest/domain/event-name.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { coordinatesOf } from '../../ingest/domain/shape.ts'
import { areaCodes } from '../../ingest/domain/ugc.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { officeById, zonesById } from '../../ingest/geo/zone.ts'
import { AlertIndex, type LiveAlert } from '../alert-index.ts'
import { alertWarnings, byGravity, restOf } from '../alerts-at.ts'
import { parseBox, requireDomain } from '../box.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'
import { briefAlert, CONFIRMED_SECONDS, findSpot, pick, type Spot } from './forecast.ts'
import * as shape from './input.ts'
import { joinMeta, localTime, plainMeta, reply } from './reply.ts'
import type { ToolMeta } from './tool.ts'
import { tool } from './tool.ts'
import { entry, widgetOf } from './widget-entries.ts'

/** @throws ToolError no-data where the feed was not read, or too long ago to say "none" */
function trusted(context: ToolContext, spot?: Spot): { now: number; meta: ToolMeta } {
  const { alerts } = context.parts
  const { feed, doubt } = alerts.trust(context.now)
  const confirmed = feed?.confirmed_at?.getTime()
  if (confirmed === undefined || context.now - confirmed > CONFIRMED_SECONDS * 1000) {
    const since =
      confirmed === undefined
        ? 'it was never read'
        : `its last good read is ${Math.round((context.now - confirmed) / 60_000)} minutes old`
    throw new ToolError(
      'no-data',
      `The NWS alert feed cannot be trusted now: ${since}. This is not an all-clear.`,
      'tell the user that alerts are not known, point to weather.gov, and try again in a minute.',
      { retry_after_s: 60 },
    )
  }
  const warnings = doubt ? [{ ...doubt, section: 'alerts', product_id: 'nws-alerts' }] : []
  const freshness = [{ source: 'nws-alerts', product_id: 'nws-alerts', referenceTime: confirmed }]
  return {
    now: alerts.now(context.now),
    meta: plainMeta(context, ['NOAA/NWS'], { warnings, freshness, spots: [spot] }),
  }
}

/** The alert as REST has it, with what to do and where. */
function detailed(alert: LiveAlert): Record<string, unknown> {
  const { record } = alert
  return {
    ...restOf(alert),
    description: record.description ?? '',
    instruction: record.instruction ?? '',
    areas: alert.areas,
  }
}

export const getAlerts = tool({
  name: 'get_alerts',
  title: 'Get weather alerts',
  description:
    'NWS watches, warnings and advisories in effect at one US place, with what they say and what to do: "are there any warnings for my area". Or one alert in full, with its outline, by alert_id. For a state, zone, office or the country, or one kind of alert, use search_alerts; for storm risk in the days ahead get_severe_outlook. An empty list means that none is active now, after a successful read of the feed; it promises nothing about later. 50 US states and DC.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    alert_id: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Id of an alert: gives that one in full, the place is then ignored.'),
  }),
  output: z.object({
    location: shape.location.optional(),
    alert_id: z.string().optional(),
    alerts: z.any().optional(),
    alert: z.looseObject({}).optional(),
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = input.alert_id === undefined ? findSpot(input) : undefined
    const trust = trusted(context, spot)
    const { meta } = trust
    if (!spot) {
      const id = String(input.alert_id)
      const alert = context.parts.alerts.index.get(id, trust.now)
      if (!alert)
        throw new ToolError(
          'not-found',
          `No active alert has the id "${id.slice(0, 120)}": it is unknown, has ended, or was replaced by an update.`,
          'call get_alerts or search_alerts for what is active now.',
          { field: 'alert_id', got: id },
        )
      const { geometry, thinned } = geometryOf(alert)
      const whole = { ...fitted([detailed(alert)])[0], geometry, vtec: alert.head.vtec }
      const { record, head } = alert
      const lines = [
        `${head.event} (${record.severity}, ${record.urgency}, ${record.certainty}): ${record.headline}`,
        record.areaDesc ?? '',
        (record.description ?? '').slice(0, 700),
        (record.instruction ?? '').slice(0, 400),
      ].filter(Boolean)
      const simpler = {
        code: 'fields_missing' as const,
        section: 'alert',
        detail: 'the outline is simplified: /v1/alerts?id=… has every corner',
        fields: ['geometry'],
      }
      return reply({
        structured: { alert_id: alert.id, alert: whole },
        lines,
        meta: joinMeta([meta], [...alertWarnings(undefined, [alert]), ...(thinned ? [simpler] : [])]),
      })
    }
    const here = context.parts.alerts.index
      .at(spot.location.lat, spot.location.lon, trust.now)
      .filter(({ head }) => head.status === 'Actual')
      .sort(byGravity)
    const alerts = here.map(detailed)
    const lines =
      here.length === 0
        ? [`No active alerts at ${spot.location.name}.`]
        : [
            `${here.length} active alerts at ${spot.location.name}:`,
            ...here.map(
              (alert) =>
                `${alert.head.event} (${alert.record.severity}) until ${localTime(alert.expiration, spot.timezone)}: ${alert.record.headline}`,
            ),
            ...(here[0].record.instruction ? [here[0].record.instruction.slice(0, 400)] : []),
          ]
    return reply({
      structured: {
        location: spot.location,
        alerts: fitted(alerts),
        widget: widgetOf([
          entry('AlertList', { alerts: alerts.slice(0, 5).map((one) => pick(one, ['event', 'severity', 'ends'])) }),
        ]),
      },
      lines,
      meta: joinMeta([meta], alertWarnings(undefined, here, spot.location)),
    })
  },
})

/** Long words of many alerts are shortened so that a result stays small; the id gives them whole. */
function fitted(alerts: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const room = 12_000 / Math.max(1, alerts.length)
  return alerts.map((alert) => ({
    ...alert,
    description: cut(alert['description'], room * 0.6),
    instruction: cut(alert['instruction'], room * 0.25),
    areas: (alert['areas'] as string[]).slice(0, 40),
  }))
}
const cut = (text: unknown, most: number) =>
  typeof text === 'string' && text.length > most ? `${text.slice(0, Math.max(80, most))}…` : text

/** Corners of an outline that an assistant can use; REST has them all. */
const MOST_CORNERS = 500

function geometryOf(alert: LiveAlert): { geometry: object | null; thinned: boolean } {
  const coordinates = AlertIndex.shapesOf(alert).flatMap(coordinatesOf)
  if (coordinates.length === 0) return { geometry: null, thinned: false }
  const rings = coordinates.flat()
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (corners <= MOST_CORNERS) return { geometry: { type: 'MultiPolygon', coordinates }, thinned: false }
  // The largest outlines, at most 40 of them, each with its share of the corners.
  const largest = [...coordinates].sort((x, y) => y[0].length - x[0].length).slice(0, 40)
  const step = Math.ceil(
    largest.reduce((sum, [outline]) => sum + outline.length, 0) / (MOST_CORNERS - 4 * largest.length),
  )
  const thin = largest.map(([outline]) => {
    const few = Math.min(step, Math.max(1, Math.floor((outline.length - 1) / 3)))
    const kept = outline.slice(0, -1).filter((_, i) => i % few === 0)
    return [[...kept, kept[0]]]
  })
  return { geometry: { type: 'MultiPolygon', coordinates: thin }, thinned: true }
}

const severity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])

export const searchAlerts = tool({
  name: 'search_alerts',
  title: 'Search alerts',
  description:
    'Active NWS alerts across a state, zone, office, box or the whole country, filtered by event, severity, urgency and certainty, most severe first, with counts by event: "any tornado warnings in Oklahoma right now", "how many flood warnings are there". For one place and what to do there use get_alerts, also for one alert in full by its id. At most one of area, zone, wfo, bbox. 20 a page by default, 50 at most. 50 US states and DC.',
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
    total: z.number().int(),
    alerts: z.array(z.looseObject({ id: z.string(), event: z.string(), severity: z.string() })),
    by_event: z.record(z.string(), z.number()),
    next_cursor: z.string().nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const chosen = (['area', 'zone', 'wfo', 'bbox'] as const).filter((name) => input[name] !== undefined)
    if (chosen.length > 1)
      throw new ToolError(
        'bad-request',
        `At most one of area, zone, wfo and bbox may be given; got ${chosen.join(' and ')}.`,
        'leave one of them out.',
        { field: chosen[1] },
      )
    const trust = trusted(context)
    const { meta } = trust
    const live = context.parts.alerts.index.all(trust.now).filter(({ head }) => head.status === 'Actual')
    let all = live
    if (input.area) {
      const area = input.area.toUpperCase()
      all = all.filter(({ areas }) => areas.some((code) => code.startsWith(area)))
      if (all.length === 0 && !areaCodes.includes(area))
        throw unknown(
          'area',
          input.area,
          'state',
          nearest(area, [...stateByCode.keys()]),
          'two letters, such as OK for Oklahoma.',
        )
    }
    if (input.zone) {
      const zone = input.zone.toUpperCase()
      all = all.filter(({ areas }) => areas.includes(zone))
      if (all.length === 0 && zonesById(zone).length === 0)
        throw unknown('zone', input.zone, 'NWS zone', [], 'search_locations gives the forecast zone of a place.')
    }
    if (input.wfo) {
      const wfo = input.wfo.toUpperCase().slice(-3)
      if (!officeById(wfo))
        throw unknown('wfo', input.wfo, 'NWS office', [], 'search_locations gives the office of a place.')
      all = all.filter(({ record }) => record.office === wfo)
    }
    if (input.bbox) {
      const box = parseBox(input.bbox.join(','))
      requireDomain(box)
      all = all.filter((alert) => AlertIndex.touches(alert, box))
    }
    const event = input.event?.trim().toLowerCase()
    if (event && ![...eventNames, ...live.map(({ head }) => head.event)].some((name) => name.toLowerCase() === event)) {
      const near = nearest(input.event as string, eventNames)
      throw unknown(
        'event',
        input.event as string,
        'NWS event',
        near,
        'give the name of the event, or leave event out.',
      )
    }
    const same = (a: string | undefined, b: string) => a === undefined || a.toLowerCase() === b.toLowerCase()
    all = all
      .filter(
        ({ head, record }) =>
          same(event, head.event) &&
          same(input.severity, record.severity) &&
          same(input.urgency, record.urgency) &&
          same(input.certainty, record.certainty),
      )
      .sort(byGravity)
    const by_event: Record<string, number> = {}
    for (const { head } of all) by_event[head.event] = (by_event[head.event] ?? 0) + 1
    const after = input.cursor ? Buffer.from(input.cursor, 'base64url').toString() : undefined
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    if (after !== undefined && start === 0)
      throw new ToolError(
        'bad-request',
        'cursor: the alert it stands at is not in this list any more.',
        'begin again without cursor.',
        { field: 'cursor' },
      )
    const page = all.slice(start, start + input.limit)
    const next_cursor =
      start + page.length < all.length && page.length > 0
        ? Buffer.from(page[page.length - 1].id).toString('base64url')
        : null
    const alerts = page.map((alert) => ({
      ...pick({ ...restOf(alert) }, briefAlert),
      area_desc: cut(alert.record.areaDesc ?? '', 160),
    }))
    const where = chosen.length > 0 ? ` in ${String(input[chosen[0]])}` : ' in the country'
    const lines =
      all.length === 0
        ? [`No active alerts${input.event ? ` of event ${input.event}` : ''}${where}.`]
        : [
            `${all.length} active alerts${where}: ${Object.entries(by_event)
              .sort((a, b) => b[1] - a[1])
              .slice(0, 8)
              .map(([event, count]) => `${count} ${event}`)
              .join(', ')}.`,
            ...page
              .slice(0, 8)
              .map(({ head, record }) => `${head.event}: ${String(record.areaDesc ?? '').slice(0, 120)}`),
          ]
    return reply({
      structured: { total: all.length, alerts, by_event, next_cursor },
      lines,
      meta: joinMeta([meta], alertWarnings(undefined, page)),
    })
  },
})

/** A name that is not known is no reason to say that there is nothing. */
function unknown(field: string, got: string, what: string, near: readonly string[], next: string): ToolError {
  const hint = near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''
  return new ToolError('not-found', `No ${what} is called "${got}".${hint}`, next, { field, got, suggestions: near })
}
