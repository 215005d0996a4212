import type { SKRSContext2D } from '@napi-rs/canvas'
import { isFault } from '../../ingest/domain/fault.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { riskLabel } from '../../ingest/domain/outlook.ts'
import { movedPlace } from '../../ingest/domain/storm.ts'
import { AlertIndex } from '../alert-index.ts'
import { byGravity } from '../alerts-at.ts'
import { domainsOf } from '../box.ts'
import { type Palette, palettes } from '../radar-colours.ts'
import { paintFrames } from '../radar-painter.ts'
import { stormsNow } from '../routes/storm-tracks.ts'
import type { ToolContext } from './context.ts'
import { families } from './dataset.ts'
import { ToolError } from './error.ts'
import { type Area, drawAreas, drawPicture, drawTrack, type View } from './map-draw.ts'
import { drawField } from './map-field.ts'

export interface Drawn {
  readonly type: string
  readonly product?: string
  readonly valid_time: string | null
  readonly palette?: Palette
  readonly names?: readonly { name: string; colour: string }[]
}

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
const alertColours: Readonly<Record<string, string>> = {
  Extreme: '#8a1f6d',
  Severe: '#d1241c',
  Moderate: '#e58a00',
  Minor: '#c7a900',
  Unknown: '#5a6b78',
}
const order = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

/** Weather by product: a radar product of the catalog, or a model's field (`nbm:wind_gust`; temperature where none is named). */
export async function drawWeather(
  context: ToolContext,
  canvas: SKRSContext2D,
  view: View,
  product: string,
  time: number | undefined,
  opacity: number,
): Promise<Drawn> {
  const [id, variable = 'temperature'] = product.split(':') as [string, string?]
  const palette = palettes[id]
  if (palette) return drawRadar(context, canvas, view, id, palette, time, opacity)
  if (id === 'nexrad_l3')
    throw new ToolError(
      'no-data',
      'Single-site radar is not held by this installation.',
      'use product mrms-reflectivity, the national mosaic.',
      { field: 'product', got: product },
    )
  const known = [
    ...Object.keys(palettes),
    ...families(context)
      .filter(({ queryable }) => queryable)
      .map((one) => one.id),
  ]
  if (!known.includes(id)) {
    const suggestions = nearest(id, known)
    throw new ToolError(
      'not-found',
      `No product is called "${product}". Nearest: ${(suggestions.length > 0 ? suggestions : known.slice(0, 3)).join(', ')}.`,
      'list_datasets names the datasets; radar products are those of mrms.',
      { field: 'product', got: product, suggestions },
    )
  }
  return drawField(context, canvas, view, id, variable, time, opacity)
}

async function drawRadar(
  context: ToolContext,
  canvas: SKRSContext2D,
  view: View,
  product: string,
  palette: Palette,
  time: number | undefined,
  opacity: number,
): Promise<Drawn> {
  const { radar } = context.parts
  const box = view.bbox as [number, number, number, number]
  const frames = await Promise.all(
    domainsOf(box).map(async (domain) => {
      if (time === undefined) return radar.newest(product, domain)
      const near = Math.round(time / 120_000) * 120_000
      return (await radar.at(product, domain, near).catch(() => undefined)) ?? radar.newest(product, domain)
    }),
  )
  const held = frames.filter((frame) => frame !== undefined)
  if (held.length === 0)
    throw new ToolError(
      'no-data',
      `No frame of ${product} is held for this place.`,
      'get_service_status says since when; another product may be drawn.',
      { field: 'product', got: product },
    )
  const size = { width: view.width, height: view.height }
  const picture = await paintFrames(
    held.map((frame) => ({ frame })),
    { palette, box, size, opacity },
  )
  await drawPicture(canvas, view, picture)
  return { type: 'weather', product, valid_time: iso(Math.min(...held.map(({ head }) => head.validTime))), palette }
}

export interface AlertFilter {
  readonly ids?: readonly string[]
  readonly events?: readonly string[]
  readonly severities?: readonly string[]
  readonly minSeverity?: string
}

export function drawAlerts(
  context: ToolContext,
  canvas: SKRSContext2D,
  view: View,
  filter: AlertFilter,
  opacity: number,
): Drawn {
  const { alerts } = context.parts
  const { feed } = alerts.trust(context.now)
  if (!feed?.confirmed_at)
    throw new ToolError(
      'no-data',
      'The NWS alert feed has not been read yet.',
      'leave the layer out, or try again in a minute.',
    )
  const least = filter.minSeverity === undefined ? order.length : order.indexOf(filter.minSeverity)
  const chosen = alerts.index
    .all(alerts.now(context.now))
    .filter(
      ({ id, head, record }) =>
        head.status === 'Actual' &&
        (!filter.ids || filter.ids.includes(id)) &&
        (!filter.events || filter.events.includes(head.event)) &&
        (!filter.severities || filter.severities.includes(record.severity)) &&
        order.indexOf(record.severity) <= least,
    )
    .filter((alert) => AlertIndex.touches(alert, view.bbox as [number, number, number, number]))
    .sort(byGravity)
  const areas: Area[] = [...chosen].reverse().flatMap((alert) =>
    AlertIndex.shapesOf(alert).flatMap((shape) =>
      shape.polygons.map(({ rings }) => ({
        rings: rings.map(pairs),
        colour: alertColours[alert.record.severity] ?? '#5a6b78',
        opacity: 0.25 * opacity,
      })),
    ),
  )
  drawAreas(canvas, view, areas)
  const names = [
    ...new Map(
      chosen.map(({ head, record }) => [
        head.event,
        { name: head.event, colour: alertColours[record.severity] ?? '#5a6b78' },
      ]),
    ).values(),
  ]
  return { type: 'alerts', valid_time: feed.confirmed_at.toISOString().replace(/\.\d+Z/, 'Z'), names }
}

const pairs = (ring: Float64Array): [number, number][] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]])

export async function drawStorms(context: ToolContext, canvas: SKRSContext2D, view: View): Promise<Drawn> {
  const { list, warnings } = await stormsNow(context.parts.radar, context.now)
  if (!list)
    throw new ToolError(
      'no-data',
      `Storm tracks: ${warnings[0]?.detail ?? 'none are held'}.`,
      'leave the layer out, or try again in a few minutes.',
    )
  for (const of of list.storms) {
    const [west, south, east, north] = view.bbox
    if (of.lon < west || of.lon > east || of.lat < south || of.lat > north) continue
    const there = movedPlace(of.lat, of.lon, of.east, of.north, 1800)
    drawTrack(canvas, view, [of.lon, of.lat], [there.lon, there.lat])
  }
  return {
    type: 'storms',
    valid_time: iso(list.validTime),
    names: [{ name: 'storm, next 30 minutes', colour: '#5b1a8b' }],
  }
}

/** Categories as the Storm Prediction Center colours them; probabilities by their percent. */
const riskColours: Readonly<Record<string, string>> = {
  TSTM: '#8fcf8f',
  MRGL: '#4f9a4f',
  SLGT: '#e8c400',
  ENH: '#f08a24',
  MDT: '#d83a3a',
  HIGH: '#d04fd0',
  ELEV: '#e6b45a',
  CRIT: '#e05a37',
  EXTM: '#b3207d',
}
const shareColour = (percent: number) =>
  percent >= 30
    ? '#d83a3a'
    : percent >= 15
      ? '#e8c400'
      : percent >= 10
        ? '#f08a24'
        : percent >= 5
          ? '#9a6a3a'
          : '#4f9a4f'

/** Areas of the SPC outlook of a day: categories of severe storms, or their probability where a day has no categories. */
export function drawOutlooks(
  context: ToolContext,
  canvas: SKRSContext2D,
  view: View,
  day: number,
  fire: boolean,
): Drawn {
  let issues: ReturnType<typeof context.parts.outlooks.issues>
  try {
    issues = context.parts.outlooks.issues(context.now)
  } catch (error) {
    if (!isFault(error, 'Missing')) throw error
    throw new ToolError(
      'no-data',
      `SPC outlooks: ${error.message}.`,
      'leave the layer out, or try again in a few minutes.',
    )
  }
  const hazards: readonly string[] = fire ? ['fire', 'dry_thunderstorm'] : ['severe']
  const ofDay = issues.filter((issue) => issue.day === day && hazards.includes(issue.hazard))
  const levels = ofDay.flatMap((issue) => issue.levels.map((level) => ({ issue, level })))
  const scale = levels.some(({ level }) => level.scale === 'category') ? 'category' : 'probability'
  const chosen = levels.filter(({ level }) => level.scale === scale).sort((a, b) => a.level.rank - b.level.rank)
  const colour = ({ level }: (typeof chosen)[number]) => riskColours[level.label] ?? shareColour(level.rank)
  drawAreas(
    canvas,
    view,
    chosen.flatMap((one) =>
      one.level.shape.polygons.map(({ rings }) => ({ rings: rings.map(pairs), colour: colour(one), opacity: 0.35 })),
    ),
  )
  const names = new Map(
    [...chosen].reverse().map((one) => {
      const name = `Day ${day} ${riskLabel(one.level, one.issue.hazard, day)}`
      return [name, { name, colour: colour(one) }]
    }),
  )
  const [first] = ofDay
  return { type: 'outlooks', valid_time: first ? iso(first.valid) : null, names: [...names.values()] }
}
