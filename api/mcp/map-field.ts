import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { nearest } from '../../ingest/domain/nearest.ts'
import { domainsOf } from '../box.ts'
import { colourOf, type Palette } from '../radar-colours.ts'
import type { ToolContext } from './context.ts'
import { factsOf, familyOf } from './dataset.ts'
import { openReader } from './dataset-read.ts'
import { ToolError } from './error.ts'
import type { View } from './map-draw.ts'
import type { Drawn } from './map-layers.ts'

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
type Colour = readonly [number, number, number]
const colours = (...list: string[]): Colour[] =>
  list.map((one) => [0, 2, 4].map((at) => Number.parseInt(one.slice(at, at + 2), 16)) as unknown as Colour)
const warmth = colours(
  '8e3fa8',
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
  '7a0f2b',
)
const wetness = colours('dfeaf5', 'abd0e6', '6aaed6', '3787c0', '105ba4', '08306b')

/** Values beside colours that run evenly through a list. */
function ramp(title: string, unit: string, values: readonly number[], through: readonly Colour[]): Palette {
  return {
    title,
    unit,
    steps: values.map((from, i) => {
      const at = (i / Math.max(1, values.length - 1)) * (through.length - 1)
      const [low, high] = [through[Math.floor(at)] as Colour, through[Math.ceil(at)] as Colour]
      const mixed = low.map((part, k) => Math.round(part + (high[k] - part) * (at % 1)))
      return { from, colour: mixed as [number, number, number] }
    }),
  }
}
const count = (from: number, step: number, steps: number) =>
  Array.from({ length: steps }, (_, i) => Number((from + i * step).toPrecision(6)))

/** How a field of a model is coloured, in imperial units; scales that nobody knows by heart are fitted to what is shown. */
function fieldPalette(variable: string, values: Float64Array): Palette {
  const { units, description } = factsOf(variable, [])
  const unit = units.imperial
  // Descriptions speak in native units.
  const named = `${variable[0]?.toUpperCase()}${variable.slice(1).replaceAll('_', ' ')}`
  const title =
    description.length > 40 || /\d (mm|m|km|K|Pa)\b/.test(description.replace(/at \d+ m$/, '')) ? named : description
  if (unit === 'F' && !variable.endsWith('_stddev')) return ramp(title, '°F', count(-60, 5, 37), warmth)
  if (unit === 'mph' && !variable.endsWith('_stddev')) return ramp(title, unit, count(0, 5, 16), warmth)
  if (unit === 'in') return ramp(title, unit, [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4], wetness)
  if (unit === '%') return ramp(title, unit, count(10, 10, 9), wetness)
  const held = values.filter((value) => !Number.isNaN(value))
  const least = held.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = held.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const rough = Math.max((most - least) / 10, 1e-3)
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * ten >= rough) ?? 10) * ten
  const from = Math.floor(least / step) * step
  return ramp(title, unit, count(from, step, Math.max(2, Math.floor((most - from) / step) + 1)), warmth)
}

const meridian = (lon: number) => (lon < -180 ? lon + 360 : lon > 180 ? lon - 360 : lon)

/** Samples on a grid of the picture, smoothed between them. */
export async function drawField(
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
  const step = Math.max(18, Math.round(Math.sqrt((view.width * view.height) / 900)))
  const columns = Math.ceil(view.width / step) + 1
  const rows = Math.ceil(view.height / step) + 1
  const [west, , east, north] = view.bbox
  const merc = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180))
  const values = new Float64Array(columns * rows).fill(Number.NaN)
  let valid: number | undefined
  const reader = await openReader(context, {
    family,
    variables: [variable],
    from: at - 3 * 3_600_000,
    to: at + 6 * 3_600_000,
    units: 'imperial',
  })
  await Promise.all(
    Array.from({ length: rows }, async (_, j) => {
      const y = merc(north) - ((j * step) / view.height) * (merc(north) - merc(view.bbox[1]))
      const lat = (Math.atan(Math.sinh(y)) * 180) / Math.PI
      for (let i = 0; i < columns; i++) {
        context.signal.throwIfAborted()
        const lon = meridian(west + ((i * step) / view.width) * (east - west))
        const domain = domainsOf([lon, lat, lon, lat])[0]
        if (!domain) continue
        const table = await reader.point(lat, lon, domain).catch(() => undefined)
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
  const palette = fieldPalette(variable, values)
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
      const colour = colourOf(palette, sum / weight + 1e-6)
      const rgb = colour > 0 ? palette.steps[colour - 1]?.colour : undefined
      if (!rgb) continue
      const k = 4 * (y * view.width + x)
      data[k] = rgb[0]
      data[k + 1] = rgb[1]
      data[k + 2] = rgb[2]
      data[k + 3] = Math.round(255 * opacity)
    }
  }
  const layer = createCanvas(view.width, view.height)
  layer.getContext('2d').putImageData(image, 0, 0)
  canvas.drawImage(layer, 0, 0)
  return { type: 'weather', product: `${id}:${variable}`, valid_time: iso(valid), palette }
}
