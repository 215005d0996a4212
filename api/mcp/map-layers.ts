import type { SKRSContext2D } from '@napi-rs/canvas'
import { nearest } from '../../ingest/domain/nearest.ts'
import { movedPlace } from '../../ingest/domain/storm.ts'
import { AlertIndex } from '../alert-index.ts'
import { byGravity } from '../alerts-at.ts'
import { domainsOf } from '../box.ts'
import { colourOf, type Palette, palettes } from '../radar-colours.ts'
import { drawFrames, encodePicture } from '../radar-picture.ts'
import { stormsNow } from '../routes/storm-tracks.ts'
import type { ToolContext } from './context.ts'
import { factsOf, families, familyOf } from './dataset.ts'
import { readPoint } from './dataset-read.ts'
import { ToolError } from './error.ts'
import { type Area, drawAreas, drawPicture, drawTrack, type View } from './map-draw.ts'

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

const ramp = (title: string, unit: string, from: number, step: number, colours: readonly string[]): Palette => ({
  title,
  unit,
  steps: colours.map((colour, i) => ({
    from: i === 0 ? from : from + i * step,
    colour: [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number],
  })),
})
const warmth = [
  '5e2d91',
  '4b4fb5',
  '3f7ad0',
  '45a9d6',
  '5fcbb7',
  '8fdc83',
  'd7e667',
  'f6d04d',
  'f29a3f',
  'e05a37',
  'b3202c',
]
const wetness = ['f7fbff', 'd6e6f4', 'abd0e6', '6aaed6', '3787c0', '105ba4', '08306b']
/** How a field of a model is coloured, in imperial units. */
function fieldPalette(variable: string): Palette {
  const { units, description } = factsOf(variable, [])
  if (units.imperial === 'F') return ramp(description, '°F', -20, 12, warmth)
  if (units.imperial === 'mph') return ramp(description, 'mph', 0, 6, warmth)
  if (units.imperial === 'in') return ramp(description, 'in', 0.01, 0.15, wetness)
  if (units.imperial === '%') return ramp(description, '%', 5, 15, wetness)
  return ramp(description, units.imperial, 0, 100, warmth)
}

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
  const pixels = await drawFrames(
    held.map((frame) => ({ frame })),
    palette,
    box,
    size,
  )
  await drawPicture(canvas, view, encodePicture(pixels, size, palette, opacity))
  return { type: 'weather', product, valid_time: iso(Math.min(...held.map(({ head }) => head.validTime))), palette }
}

/** Samples on a grid of the picture, smoothed between them. */
async function drawField(
  context: ToolContext,
  canvas: SKRSContext2D,
  view: View,
  id: string,
  variable: string,
  time: number | undefined,
  opacity: number,
): Promise<Drawn> {
  const family = familyOf(context, id)
  if (!family.variables.includes(variable))
    throw new ToolError(
      'not-found',
      `${id} has no variable "${variable}". Nearest: ${nearest(variable, family.variables).join(', ')}.`,
      'name it as in nbm:wind_gust.',
      { field: 'product', got: variable },
    )
  const at = Math.floor((time ?? context.now) / 3_600_000) * 3_600_000
  const palette = fieldPalette(variable)
  const step = Math.max(18, Math.round(Math.sqrt((view.width * view.height) / 900)))
  const columns = Math.ceil(view.width / step) + 1
  const rows = Math.ceil(view.height / step) + 1
  const [west, , east, north] = view.bbox
  const merc = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180))
  const values = new Float64Array(columns * rows).fill(Number.NaN)
  let valid: number | undefined
  await Promise.all(
    Array.from({ length: rows }, async (_, j) => {
      const y = merc(north) - ((j * step) / view.height) * (merc(north) - merc(view.bbox[1]))
      const lat = (Math.atan(Math.sinh(y)) * 180) / Math.PI
      for (let i = 0; i < columns; i++) {
        const lon = west + ((i * step) / view.width) * (east - west)
        const domain = domainsOf([lon, lat, lon, lat])[0]
        if (!domain) continue
        const table = await readPoint(context, lat, lon, domain, {
          family,
          variables: [variable],
          from: at - 3 * 3_600_000,
          to: at + 6 * 3_600_000,
          units: 'imperial',
        }).catch(() => undefined)
        const times = table?.times ?? []
        if (times.length === 0) continue
        const close = times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a))
        const value = table?.values.get(variable)?.get(close)
        if (typeof value !== 'number') continue
        values[j * columns + i] = value
        valid ??= close
      }
    }),
  )
  if (valid === undefined)
    throw new ToolError(
      'no-data',
      `${id} holds no ${variable} here at that time.`,
      'describe_dataset says its time range.',
      { field: 'product', got: `${id}:${variable}` },
    )
  const image = canvas.createImageData(view.width, view.height)
  const data = image.data
  for (let y = 0; y < view.height; y++) {
    for (let x = 0; x < view.width; x++) {
      const [fx, fy] = [x / step, y / step]
      const [i, j] = [Math.floor(fx), Math.floor(fy)]
      let sum = 0
      let weight = 0
      for (const [di, dj] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const value = values[(j + dj) * columns + i + di]
        if (value === undefined || Number.isNaN(value)) continue
        const w = (di ? fx - i : 1 - fx + i) * (dj ? fy - j : 1 - fy + j)
        sum += w * value
        weight += w
      }
      if (weight < 0.45) continue
      const colour = colourOf(palette, sum / weight)
      const rgb = colour > 0 ? palette.steps[colour - 1]?.colour : undefined
      if (!rgb) continue
      const k = 4 * (y * view.width + x)
      data[k] = rgb[0]
      data[k + 1] = rgb[1]
      data[k + 2] = rgb[2]
      data[k + 3] = Math.round(255 * opacity)
    }
  }
  const { createCanvas } = await import('@napi-rs/canvas')
  const layer = createCanvas(view.width, view.height)
  layer.getContext('2d').putImageData(image, 0, 0)
  canvas.drawImage(layer, 0, 0)
  return { type: 'weather', product: `${id}:${variable}`, valid_time: iso(valid), palette }
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
