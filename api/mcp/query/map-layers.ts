import { isFault } from '../../../ingest/domain/fault.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { riskLabel } from '../../../ingest/domain/weather/outlook.ts'
import { movedPlace } from '../../../ingest/domain/weather/storm.ts'
import { hasStormTracking, stormsNow } from '../../answer/storms.ts'
import { type Palette, palettes } from '../../picture/colours.ts'
import { shownIn } from '../../picture/display-units.ts'
import type { PaintedArea } from '../../picture/map-task.ts'
import { boxOf } from '../../picture/radar.ts'
import type { View } from '../../picture/view.ts'
import { domainsOf, type QueryBox } from '../../query/box.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import { absence } from '../words/absence.ts'
import { age, counted } from '../words/reply.ts'
import { alertLayer } from './map-alerts.ts'
import { fieldLayer } from './map-field.ts'
import { frameAt, TIME_TOLERANCE_MS } from './map-frame.ts'
import { shapesOf } from './map-geojson.ts'
import type { GatheredLayer, LayerOptions } from './map-layer.ts'
import { DEFAULT_PRODUCT, everyDataset, frameProductOf, mapProductOf } from './map-product.ts'
import type { SceneLayer } from './map-scene.ts'
import { siteLayer } from './map-site.ts'

/** A layer without history that is drawn over another layer describes the time of that layer only within this time. */
const OVERLAY_TOLERANCE_MS = 10 * MINUTE
/** Returns the data of a layer. @throws ToolError if the layer is not available, or not for the requested time */
export async function gatherLayer(
  context: ToolContext,
  layer: SceneLayer,
  path: string,
  options: LayerOptions,
): Promise<GatheredLayer> {
  switch (layer.type) {
    case 'weather':
      return weatherLayer(context, layer.product ?? DEFAULT_PRODUCT, options)
    case 'alerts':
      requireNow(context, 'alerts', layer, options)
      return alertLayer(context, layer.filter ?? {}, options)
    case 'storms':
      requireNow(context, 'storm tracks', layer, options)
      return stormLayer(context, options.view)
    case 'outlooks':
      requireNow(context, 'outlooks', layer, options)
      return outlookLayer(context, layer.day ?? 1, layer.product === 'spc-fire', options.view)
    case 'geojson':
      return geojsonLayer(layer.data, path)
  }
}

/** Layers without history show the current state, which is the closest frame of a time within three hours. */
function requireNow(context: ToolContext, layerName: string, { onError }: SceneLayer, { time }: LayerOptions): void {
  const tolerance = onError === 'skip' ? OVERLAY_TOLERANCE_MS : TIME_TOLERANCE_MS
  if (time === undefined || Math.abs(time - context.now) <= tolerance) return
  throw new ToolError(
    'bad-request',
    `time must be within ${age(tolerance / 1000)} of now (${isoSeconds(context.now)}) for ${layerName}, which can only be drawn as they are now, but was ${isoSeconds(time)}.`,
    'leave time out, or ask for only a weather product.',
    { field: 'time', got: time / 1000 },
  )
}

/** Returns a layer with the shapes of the caller. @throws ToolError bad-request above 2,000 corners */
function geojsonLayer(data: Parameters<typeof shapesOf>[0], path: string): GatheredLayer {
  const { areas, lines } = shapesOf(data, path)
  const pointCount = lines.filter(({ positions }) => positions.length === 2).length
  const words = [
    ...(areas.length > 0 ? [counted(areas.length, 'area')] : []),
    ...(lines.length > pointCount ? [counted(lines.length - pointCount, 'line')] : []),
    ...(pointCount > 0 ? [counted(pointCount, 'point')] : []),
  ]
  return {
    type: 'geojson',
    valid_time: null,
    layer: { kind: 'areas', areas, lines },
    words: `${words.join(', ')} of the call`,
  }
}

/** Returns a radar product of the catalog, or a field of a model (`nbm:wind_gust`; temperature if the product names no variable). */
async function weatherLayer(context: ToolContext, product: string, options: LayerOptions): Promise<GatheredLayer> {
  const [id = '', variable = 'temperature'] = product.split(':')
  const palette = palettes[id]
  if (palette) return radarLayer(context, id, palette, options)
  if (id === 'nexrad_l3' || id === 'nexrad-l3') return siteLayer(context, product, options)
  const families = everyDataset(context).flatMap(({ family, products }) => [family, ...products])
  const family = families.find((candidate) => candidate.id === id)
  if (family?.storage === 'frames') {
    const frameProduct = frameProductOf(context, family, product.includes(':') ? variable : 'reflectivity_dbz') ?? ''
    const framePalette = palettes[frameProduct]
    if (framePalette) return radarLayer(context, frameProduct, framePalette, options)
  }
  if (!family || !(family.storage === 'runs' || family.storage === 'blend')) {
    const known = families.filter(mapProductOf).map((candidate) => candidate.id)
    const suggestions = nearest(id, known)
    throw new ToolError(
      'not-found',
      `No product is called "${product}". ${suggestions.length > 0 ? `Nearest: ${suggestions.join(', ')}` : 'Products are mrms-reflectivity, mrms-precip-rate, nbm:temperature, alerts, spc'}.`,
      'list_datasets gives the product of each dataset in map_product.',
      { field: 'product', got: product, suggestions },
    )
  }
  return fieldLayer(context, id, variable, options)
}

async function radarLayer(
  context: ToolContext,
  product: string,
  palette: Palette,
  { view, time, opacity, units }: LayerOptions,
): Promise<GatheredLayer> {
  if (time !== undefined && time > context.now + TIME_TOLERANCE_MS)
    throw new ToolError(
      'bad-request',
      `time: ${product} shows past and current radar, but ${isoSeconds(time)} is in the future.`,
      'use get_precipitation_nowcast for the next 90 minutes, or draw a forecast such as nbm:precip_probability.',
      { field: 'time', got: time / 1000 },
    )
  const box = view.bbox
  const size = { width: view.width, height: view.height }
  const results = await Promise.all(domainsOf(box).map((domain) => frameAt(context, product, domain, time)))
  const frames = results.filter((frame) => frame !== undefined)
  if (frames.length === 0)
    throw new ToolError(
      'no-data',
      `No frame of ${product} is available for this place${time === undefined ? '' : ` within 3 hours of ${isoSeconds(time)}`}.${newestWords(context, product, box)}`,
      time === undefined
        ? 'get_service_status says since when; another product may be drawn.'
        : 'leave time out for the newest frame, or ask for a time that is still stored.',
      { field: time === undefined ? 'product' : 'time', got: time === undefined ? product : time / 1000 },
    )
  const parts = await Promise.all(
    frames.map(async (frame) => ({ part: await frame.pick([boxOf(frame.head.grid, box, size, 0)]), steps: 0 })),
  )
  return {
    type: 'weather',
    product,
    valid_time: isoSeconds(Math.min(...frames.map(({ head }) => head.validTime))),
    layer: { kind: 'frames', parts, palette: shownIn(palette, units), opacity, marksUnseen: true },
    palette: shownIn(palette, units),
  }
}

function newestWords({ deps: { radar } }: ToolContext, product: string, box: QueryBox): string {
  const times = domainsOf(box).flatMap((domain) => radar.newestTime(product, domain) ?? [])
  return times.length > 0 ? ` The newest frame is of ${isoSeconds(Math.max(...times))}.` : ''
}

async function stormLayer(context: ToolContext, view: View): Promise<GatheredLayer> {
  const { list, warnings } = await stormsNow(context.deps.radar, context.now)
  if (!list)
    throw new ToolError(
      'no-data',
      `Storm tracks are not available: ${warnings[0]?.detail ?? 'no list is stored'}.`,
      'leave the layer out, or try again in a few minutes.',
    )
  const [west, south, east, north] = view.bbox
  const isTracked = hasStormTracking(view.lat, view.lon)
  const tracks = list.storms
    .filter(({ lat, lon }) => lon >= west && lon <= east && lat >= south && lat <= north)
    .map(({ lat, lon, east: u, north: v }) => {
      const moved = movedPlace(lat, lon, u, v, 1800)
      return [lon, lat, moved.lon, moved.lat] as const
    })
  return {
    type: 'storms',
    valid_time: isoSeconds(list.validTime),
    layer: { kind: 'tracks', tracks },
    names: [{ name: 'storm, next 30 minutes', colour: '#5b1a8b' }],
    words:
      tracks.length > 0
        ? `${counted(tracks.length, 'tracked storm cell')} in the picture`
        : absence(
            'storm_cells_in_picture',
            {},
            isTracked ? warnings[0]?.detail : 'no radar that tracks storms reaches it',
          ),
  }
}

/** The colours of the Storm Prediction Center for its categories. */
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
/** Returns the colour of a probability. */
const probabilityColour = (percent: number) =>
  percent >= 30
    ? '#d83a3a'
    : percent >= 15
      ? '#e8c400'
      : percent >= 10
        ? '#f08a24'
        : percent >= 5
          ? '#9a6a3a'
          : '#4f9a4f'

/** Returns the SPC outlook areas of a day: categories of severe storms, or probabilities for a day without categories. */
function outlookLayer(context: ToolContext, day: number, isFire: boolean, view: View): GatheredLayer {
  let issues: ReturnType<typeof context.deps.outlooks.issues>
  try {
    issues = context.deps.outlooks.issues(context.now)
  } catch (error) {
    if (!isFault(error, 'Missing')) throw error
    throw new ToolError(
      'no-data',
      `SPC outlooks are not available: ${error.message}.`,
      'leave the layer out, or try again in a few minutes.',
    )
  }
  const hazards: readonly string[] = isFire ? ['fire', 'dry_thunderstorm'] : ['severe']
  const dayIssues = issues.filter((issue) => issue.day === day && hazards.includes(issue.hazard))
  const levels = dayIssues.flatMap((issue) => issue.levels.map((level) => ({ issue, level })))
  const scale = levels.some(({ level }) => level.scale === 'category') ? 'category' : 'probability'
  const chosen = levels.filter(({ level }) => level.scale === scale).sort((a, b) => a.level.rank - b.level.rank)
  const colour = ({ level }: (typeof chosen)[number]) => riskColours[level.label] ?? probabilityColour(level.rank)
  const areas = chosen.flatMap((risk) =>
    risk.level.shape.polygons.map(({ rings }): PaintedArea => ({ rings, colour: colour(risk), opacity: 0.35 })),
  )
  const names = new Map(
    chosen.toReversed().map((risk) => {
      const name = `Day ${day} ${riskLabel(risk.level, risk.issue.hazard, day)}`
      return [name, { name, colour: colour(risk) }]
    }),
  )
  const [first] = dayIssues
  if (!first)
    throw new ToolError(
      'no-data',
      `No SPC ${isFire ? 'fire weather' : 'convective'} outlook of day ${day} is available.`,
      'leave the layer out, or ask for another day.',
      { field: 'day', got: day },
    )
  const shown = [...names.keys()]
  const isCovered = domainsOf(view.bbox).includes('conus')
  const doubt = isCovered
    ? context.deps.outlooks.warnings(context.now)[0]?.detail
    : 'SPC outlooks cover the lower 48 states only'
  return {
    type: 'outlooks',
    valid_time: isoSeconds(first.valid),
    layer: { kind: 'areas', areas },
    names: [...names.values()],
    words:
      shown.length > 0
        ? `outlook areas in the country: ${shown.slice(0, 5).join(', ')}${doubt ? `. Whether there are others is not known: ${doubt}` : ''}`
        : absence('outlook_areas', { day }, doubt),
  }
}
