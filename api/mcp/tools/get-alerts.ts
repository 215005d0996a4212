import { z } from 'zod'
import { coordinatesOf } from '../../../ingest/domain/shape/shape.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, requirePoint } from '../../dataset/spot.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { alertWarnings, byGravity, restOf, unplacedWarnings } from '../../live/alerts.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { type ToolResult, tool } from '../protocol/tool.ts'
import { alertFeed } from '../query/alert-feed.ts'
import { countWords } from '../query/alert-selection.ts'
import { NEARBY_KM, nearbyAlerts, timezoneOf } from '../query/alerts-nearby.ts'
import { briefAlert, pick } from '../query/forecast.ts'
import { absence, certainAbsence } from '../words/absence.ts'
import { alertLine, isInForce, statesOf } from '../words/alert-words.ts'
import { quoted, quotedFields } from '../words/quote.ts'
import { counted, joinMeta, localTime, reply } from '../words/reply.ts'
import { entry, widgetOf } from '../words/widget-entries.ts'

/** Returns the alert in the form of REST, with its instruction and areas. */
function detailed(alert: LiveAlert) {
  const { record } = alert
  return {
    ...restOf(alert),
    description: record.description ?? '',
    instruction: record.instruction ?? '',
    areas: alert.areas,
    states: statesOf(alert.areas),
  }
}

export const getAlerts = tool({
  name: 'get_alerts',
  earlier: true,
  title: 'Get weather alerts',
  description:
    'NWS watches, warnings and advisories in effect at one US place, with what they say and what to do: "are there any warnings for my area"; or one alert in full by alert_id. A state, zone, office, the country or one kind: search_alerts; storm risk in the days ahead: get_severe_outlook.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    alert_id: z.string().min(1).max(300).optional().describe('One alert in full; the place is ignored.'),
  }),
  output: z.object({
    location: shape.location.optional(),
    alert_id: z.string().optional(),
    alerts: z.any().optional(),
    in_effect: z
      .boolean()
      .nullable()
      .optional()
      .describe('any alert active here, also one that begins later; null: not known'),
    alert: z.looseObject({}).optional(),
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    if (input.alert_id !== undefined) return oneAlert(input.alert_id, context)
    const spot = findSpot(input)
    requirePoint(spot)
    const feed = alertFeed(context, spot)
    const { index } = context.deps.alerts
    const here = index
      .at(spot.location.lat, spot.location.lon, feed.now)
      .filter(({ head }) => head.status === 'Actual')
      .sort(byGravity)
    if (here.length === 0) feed.requireConfirmed()
    const [gravest] = here
    const around = gravest ? [] : nearbyAlerts(feed.active, spot)
    const unplaced = unplacedWarnings(index, spot.location, feed.now)
    const doubt = unplaced[0]?.detail
    const alerts = here.map((alert) => ({ ...detailed(alert), in_force: isInForce(alert, feed.now) }))
    const asOf = `as of ${localTime(feed.now, spot.timezone)} (${feed.readWords})`
    const lines = gravest
      ? [
          `${here.length} active at ${spot.location.name} ${asOf}:`,
          ...here.slice(0, MAX_LINES).map((alert) => alertLine(alert, feed.now, spot.timezone, here.length < 4)),
          ...(here.length > MAX_LINES ? [`${here.length - MAX_LINES} more in data.`] : []),
          ...quoted(`NWS, ${gravest.head.event}`, gravest.record.instruction ?? gravest.record.headline, 400),
        ]
      : [
          absence('alerts', { where: `at ${spot.location.name}`, asOf }, doubt),
          ...(around.length > 0
            ? [`${doubt ? 'Known to be active' : 'Not here, but'} within about ${NEARBY_KM} km: ${countWords(around)}.`]
            : doubt
              ? []
              : [
                  certainAbsence('alerts_nearby', {
                    km: NEARBY_KM,
                    elsewhere: `${counted(feed.active.length, 'is', 'are')} active elsewhere in the country`,
                  }),
                ]),
        ]
    return reply({
      structured: {
        location: spot.location,
        timezone: spot.timezone,
        alerts: doubt !== undefined && here.length === 0 ? null : fitted(alerts),
        in_effect: here.length > 0 ? true : doubt === undefined ? false : null,
        ...(here.length === 0 && {
          nearby: around.slice(0, 10).map((alert) => pick({ ...restOf(alert) }, briefAlert)),
        }),
        widget: widgetOf([
          entry('AlertList', { alerts: alerts.slice(0, 5).map((alert) => pick(alert, ['event', 'severity', 'ends'])) }),
        ]),
      },
      lines,
      meta: joinMeta([feed.meta], [...alertWarnings(undefined, here, spot.location), ...unplaced]),
      quotes: quotedFields('NWS alerts', ...SOURCE_FIELDS.map((name) => `alerts[].${name}`)),
    })
  },
})

const SOURCE_FIELDS = ['headline', 'description', 'instruction', 'area_desc', 'sender', 'highlights']
/** Alerts in the text block. */
const MAX_LINES = 6

/** Returns one alert in full by its id. @throws ToolError not-found, no-data */
function oneAlert(id: string, context: ToolContext): ToolResult {
  const feed = alertFeed(context)
  const alert = context.deps.alerts.index.get(id, feed.now)
  if (!alert) {
    feed.requireConfirmed()
    throw new ToolError(
      'not-found',
      certainAbsence('alert_of_id', { id: id.slice(0, 120) }),
      'call get_alerts or search_alerts for what is active now.',
      { field: 'alert_id', got: id },
    )
  }
  const { geometry, isThinned } = geometryOf(alert)
  const { record, head } = alert
  const [fittedAlert] = fitted([detailed(alert)])
  const lines = [
    `${record.urgency}, ${record.certainty}: ${alertLine(alert, feed.now, timezoneOf(alert))}`,
    ...quoted(`NWS, what it says`, record.description || record.headline, 700),
    ...quoted(`NWS, what to do`, record.instruction ?? '', 400),
  ]
  const simplified: MetaWarning = {
    code: 'fields_missing',
    section: 'alert',
    detail: 'the outline is simplified: /v1/alerts?id=… has every corner',
    fields: ['geometry'],
  }
  return reply({
    structured: { alert_id: alert.id, alert: { ...fittedAlert, geometry, vtec: head.vtec } },
    lines,
    meta: joinMeta([feed.meta], [...alertWarnings(undefined, [alert]), ...(isThinned ? [simplified] : [])]),
    quotes: quotedFields('NWS alerts', ...SOURCE_FIELDS.map((name) => `alert.${name}`)),
  })
}

/** Shortens the long texts of many alerts so that a result stays small; a call with `alert_id` gives them in full. */
function fitted<T extends ReturnType<typeof detailed>>(alerts: readonly T[]) {
  const room = 12_000 / Math.max(1, alerts.length)
  return alerts.map((alert) => ({
    ...alert,
    description: cut(alert.description, room * 0.6),
    instruction: cut(alert.instruction, room * 0.25),
    areas: alert.areas.slice(0, 40),
  }))
}
const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, Math.max(80, most))}…` : text)

/** Largest number of corners of an outline in a result; REST gives every corner. */
const MAX_CORNERS = 500

/** Returns the outline of an alert as GeoJSON, thinned to at most 500 corners; null if the alert has no area. */
function geometryOf(alert: LiveAlert): { geometry: object | null; isThinned: boolean } {
  const coordinates = AlertIndex.shapesOf(alert).flatMap(coordinatesOf)
  if (coordinates.length === 0) return { geometry: null, isThinned: false }
  const corners = coordinates.flat().reduce((sum, ring) => sum + ring.length, 0)
  if (corners <= MAX_CORNERS) return { geometry: { type: 'MultiPolygon', coordinates }, isThinned: false }
  // The result has the 40 largest outlines, each with its share of the corners.
  const largest = coordinates
    .flatMap(([outline]) => (outline ? [outline] : []))
    .sort((a, b) => b.length - a.length)
    .slice(0, 40)
  const step = Math.ceil(largest.reduce((sum, outline) => sum + outline.length, 0) / (MAX_CORNERS - 4 * largest.length))
  const thinned = largest.map((outline) => {
    const every = Math.min(step, Math.max(1, Math.floor((outline.length - 1) / 3)))
    const ring = outline.slice(0, -1).filter((_, i) => i % every === 0)
    return [[...ring, ...ring.slice(0, 1)]]
  })
  return { geometry: { type: 'MultiPolygon', coordinates: thinned }, isThinned: true }
}
