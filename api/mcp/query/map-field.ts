import { type Fault, isFault } from '../../../ingest/domain/fault.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { pause } from '../../../ingest/domain/pacer.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import { factsOf, type VariableFacts } from '../../dataset/variable-facts.ts'
import type { Palette } from '../../picture/colours.ts'
import type { UnitSystem } from '../../present/units.ts'
import { domainsOf } from '../../query/box.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError, toolErrorOf } from '../protocol/error.ts'
import { capitalized, counted } from '../words/reply.ts'
import { TIME_TOLERANCE_MS } from './map-frame.ts'
import type { GatheredLayer, LayerOptions } from './map-layer.ts'

type Colour = readonly [number, number, number]
const colours = (...list: string[]): Colour[] =>
  list.map((hex) => [byteAt(hex, 0), byteAt(hex, 2), byteAt(hex, 4)] as const)
const byteAt = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
const BLACK: Colour = [0, 0, 0]
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

/** Returns a palette whose steps are interpolated evenly between the colours of a list. */
function ramp(title: string, unit: string, values: readonly number[], list: readonly Colour[]): Palette {
  return {
    title,
    unit,
    steps: values.map((from, i) => {
      const at = (i / Math.max(1, values.length - 1)) * (list.length - 1)
      const [r1, g1, b1] = list[Math.floor(at)] ?? BLACK
      const [r2, g2, b2] = list[Math.ceil(at)] ?? BLACK
      const mix = (low: number, high: number) => Math.round(low + (high - low) * (at % 1))
      return { from, colour: [mix(r1, r2), mix(g1, g2), mix(b1, b2)] as const }
    }),
  }
}
const count = (from: number, step: number, steps: number) =>
  Array.from({ length: steps }, (_, i) => Number((from + i * step).toPrecision(6)))

/** Usual steps and colours of the palette of a unit, by its label. */
const usualSteps: Readonly<Record<string, { readonly steps: readonly number[]; readonly list: readonly Colour[] }>> = {
  F: { steps: count(-60, 5, 37), list: warmth },
  C: { steps: count(-50, 2.5, 41), list: warmth },
  K: { steps: count(220, 2.5, 41), list: warmth },
  mph: { steps: count(0, 5, 16), list: warmth },
  kph: { steps: count(0, 10, 13), list: warmth },
  'm/s': { steps: count(0, 2.5, 15), list: warmth },
  in: { steps: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4], list: wetness },
  mm: { steps: [0.2, 1, 2.5, 5, 10, 15, 25, 40, 50, 75, 100], list: wetness },
  '%': { steps: count(10, 10, 9), list: wetness },
}
const degreeMarks: Readonly<Record<string, string>> = { F: '°F', C: '°C' }

/** Returns the name of a variable in a legend: an amount has its window. */
function titleOf({ kind, description, window_hours: hours }: VariableFacts, variable: string): string {
  // Descriptions are in native units, so a description with a unit is replaced by the name of the variable.
  const hasUnit = /\d (mm|m|km|K|Pa)\b/.test(description.replace(/at \d+ m$/, ''))
  const title = description.length > 40 || hasUnit ? capitalized(variable.replaceAll('_', ' ')) : description
  const isAmount = kind === 'accumulation' || /_amount/.test(variable)
  if (!isAmount || hours === null || /hour/.test(title)) return title
  return `${title} in ${counted(hours, 'hour')}`
}

/** Returns the palette of a model field. If no color steps are usual for the field, they are fitted to the shown values. */
function fieldPalette(variable: string, values: Float64Array, system: UnitSystem): Palette {
  const facts = factsOf(variable, [])
  const title = titleOf(facts, variable)
  const unit = facts.units[system]
  const usual = variable.endsWith('_stddev') ? undefined : usualSteps[unit]
  if (usual) return ramp(title, degreeMarks[unit] ?? unit, usual.steps, usual.list)
  const known = values.filter((value) => !Number.isNaN(value))
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const rough = Math.max((most - least) / 10, 1e-3)
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * ten >= rough) ?? 10) * ten
  const from = Math.floor(least / step) * step
  return ramp(title, unit, count(from, step, Math.max(2, Math.floor((most - from) / step) + 1)), warmth)
}

const meridian = (lon: number) => (lon < -180 ? lon + 360 : lon > 180 ? lon - 360 : lon)

/** Faults of a point that has no values. */
const ABSENT: ReadonlySet<string> = new Set(['Missing', 'Gone', 'Invalid'])
/** Points that are read concurrently. */
const BATCH_SIZE = 8

/**
 * Returns a layer with samples of a variable on a grid over the picture. A warning says how many samples could not be read.
 * @throws ToolError not-found; no-data; or the error of the failed read if no point of the map could be read
 */
export async function fieldLayer(
  context: ToolContext,
  id: string,
  variable: string,
  { view, time, opacity, units }: LayerOptions,
): Promise<GatheredLayer> {
  const family = familyOf(context, id)
  if (!family.variables.includes(variable))
    throw new ToolError(
      'not-found',
      `${id} has no variable "${variable}". Nearest: ${nearest(variable, family.variables).join(', ')}.`,
      'name a variable of the dataset, as in nbm:wind_gust.',
      { field: 'product', got: variable },
    )
  const at = time ?? Math.floor(context.now / HOUR) * HOUR
  const step = Math.max(18, Math.round(Math.sqrt((view.width * view.height) / 900)))
  const columns = Math.ceil(view.width / step) + 1
  const rows = Math.ceil(view.height / step) + 1
  const [west, , east, north] = view.bbox
  const merc = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180))
  const values = new Float64Array(columns * rows).fill(Number.NaN)
  let valid: number | undefined
  const faults: Fault[] = []
  const reader = await openReader(context, {
    family,
    variables: [variable],
    from: at - TIME_TOLERANCE_MS,
    to: at + TIME_TOLERANCE_MS,
    units,
  })
  const sample = async (k: number) => {
    const [i, j] = [k % columns, Math.floor(k / columns)]
    const y = merc(north) - ((j * step) / view.height) * (merc(north) - merc(view.bbox[1]))
    const lat = (Math.atan(Math.sinh(y)) * 180) / Math.PI
    const lon = meridian(west + ((i * step) / view.width) * (east - west))
    const [domain] = domainsOf([lon, lat, lon, lat])
    const noteFault = (error: unknown) => {
      if (isFault(error) && !ABSENT.has(error.kind)) faults.push(error)
      return undefined
    }
    const table = domain && (await reader.point(lat, lon, domain).catch(noteFault))
    if (!table || table.times.length === 0) return
    const nearestTime = table.times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a))
    const value = table.values.get(variable)?.get(nearestTime)
    if (typeof value !== 'number') return
    values[k] = value
    valid ??= nearestTime
  }
  for (let k = 0; k < values.length; k += BATCH_SIZE) {
    context.signal.throwIfAborted()
    await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, values.length - k) }, (_, i) => sample(k + i)))
    await pause()
  }
  const [fault] = faults
  if (valid === undefined && fault) throw toolErrorOf(fault) ?? fault
  if (valid === undefined)
    throw new ToolError(
      'no-data',
      `${id} has no ${variable} here within 3 hours of ${isoSeconds(at)}.`,
      'describe_dataset gives its time range.',
      { field: time === undefined ? 'product' : 'time', got: time === undefined ? `${id}:${variable}` : time / 1000 },
    )
  const palette = fieldPalette(variable, values, units)
  const unread = `${faults.length} of ${values.length} points of ${id} could not be read at this time and are blank`
  return {
    type: 'weather',
    product: `${id}:${variable}`,
    valid_time: isoSeconds(valid),
    layer: { kind: 'field', values, columns, step, palette, opacity },
    palette,
    ...(fault && { warnings: [{ code: 'source_failed', section: 'map', product_id: id, detail: unread }] }),
  }
}
