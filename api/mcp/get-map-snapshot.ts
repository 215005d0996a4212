import { z } from 'zod'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'
import { findSpot, type Row } from './forecast.ts'
import * as shape from './input.ts'
import type { View } from './map-draw.ts'
import type { AlertFilter, Drawn } from './map-layers.ts'
import { plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

/** What draws, read when the first map is asked for: the canvas is a library of 30 MB. */
async function painters() {
  const [draw, layers, legend] = await Promise.all([
    import('./map-draw.ts'),
    import('./map-layers.ts'),
    import('./map-legend.ts'),
  ])
  return { ...draw, ...layers, ...legend }
}

type Painters = Awaited<ReturnType<typeof painters>>

const PIXELS = 4_000_000
const members = {
  scene: ['scene', 'view', 'layers'],
  view: ['center', 'zoom'],
  layer: ['type', 'product', 'filter', 'data', 'onError', 'opacity', 'time', 'day'],
  filter: ['ids', 'events', 'severities', 'minSeverity'],
} as const

const types = ['weather', 'alerts', 'storms', 'outlooks', 'geojson'] as const

interface LayerWish {
  readonly type: (typeof types)[number]
  readonly product?: string
  /** Of an outlook, today is 1. */
  readonly day?: number
  readonly filter?: AlertFilter
  readonly data?: unknown
  readonly skip: boolean
}

export const getMapSnapshot = tool({
  name: 'get_map_snapshot',
  title: 'Get a weather map',
  description:
    'A weather map as an image, for people who want to see it: radar, a model field (nbm:temperature), alerts, severe outlooks (spc) or storm tracks over state and county lines with place names and a legend: "show me the radar over Kansas City". For numbers use get_radar or get_forecast. product is a catalog id, mrms-reflectivity by default; zoom 5 regional, 8 metro, 10 city; or a scene of several layers. 50 US states and DC.',
  openWorld: false,
  progress: true,
  input: z.strictObject({
    ...shape.place,
    product: z.string().min(1).max(80).optional().describe('Catalog product, or dataset:variable.'),
    zoom: z.number().int().min(2).max(14).default(7).describe('Zoom.'),
    time: z.number().int().min(0).max(4102444800).optional().describe('Unix seconds; latest where absent.'),
    opacity: z.number().min(0).max(1).optional().describe('Of the weather layer.'),
    width: z.number().int().min(300).max(2000).default(900).describe('Pixels.'),
    height: z.number().int().min(200).max(2000).default(560).describe('Pixels.'),
    scene: z
      .looseObject({})
      .optional()
      .describe(
        '{scene:"1", view:{center:{lat,lon},zoom}, layers:[{type:"weather",product},{type:"alerts",filter},{type:"storms"},{type:"outlooks",day},{type:"geojson",data}]}, in place of product, location and zoom.',
      ),
  }),
  async run(input, context) {
    if (input.width * input.height > PIXELS)
      throw new ToolError(
        'bad-request',
        `width × height is ${input.width * input.height} pixels, ${PIXELS} at most.`,
        'ask for a smaller picture.',
        { field: 'width', allowed: PIXELS, got: input.width * input.height },
      )
    const wish = input.scene ? sceneOf(input.scene) : { view: undefined, layers: plainLayers(input.product) }
    const spot = wish.view ? undefined : findSpot(input)
    const centre = wish.view ?? { lat: spot!.location.lat, lon: spot!.location.lon, zoom: input.zoom }
    const paint = await painters()
    const view = paint.viewOf(centre.lat, centre.lon, centre.zoom, input.width, input.height)
    const { canvas, context: paper } = paint.newMap(view)
    const drawn: Drawn[] = []
    const failed: string[] = []
    for (const [i, layer] of wish.layers.entries()) {
      context.signal.throwIfAborted()
      try {
        drawn.push(await drawLayer(paint, context, paper, view, layer, input))
      } catch (error) {
        if (!layer.skip || !(error instanceof ToolError)) throw error
        failed.push(`${layer.type}: ${error.message}`)
      }
      await context.progress(i + 1, wish.layers.length, 'layers drawn')
    }
    const simulated = context.parts.values.current.simulated()
    const stamp = drawn.find(({ type }) => type === 'weather')?.valid_time ?? drawn[0]?.valid_time ?? ''
    const legend = paint.legendOf(
      paper,
      view,
      drawn.find(({ palette }) => palette)?.palette,
      drawn.flatMap(({ names }) => names ?? []),
      `${simulated ? 'SIMULATED, not weather. ' : ''}${stamp.replace(/T(.*):\d\dZ$/, ' $1 UTC · ')}NOAA, Hexcast`,
    )
    if (spot) paint.drawMark(paper, view, spot.location.lat, spot.location.lon)
    paint.drawBorders(paper, view, legend.boxes)
    legend.draw()
    const png = await canvas.encode('png')
    const warnings = failed.map((detail) => ({ code: 'source_failed' as const, section: 'map', detail }))
    const layers = drawn.map(({ type, product, valid_time }) => ({ type, ...(product && { product }), valid_time }))
    const name = spot?.location.name ?? `${centre.lat}, ${centre.lon}`
    return reply({
      structured: {
        layers,
        bbox: view.bbox.map((one) => Math.round(one * 1e4) / 1e4),
        width: input.width,
        height: input.height,
      },
      lines: [
        `Weather map around ${name}, zoom ${centre.zoom}:`,
        ...layers.map((one) => `${one.type}${one.product ? ` ${one.product}` : ''}, valid ${one.valid_time ?? 'now'}`),
      ],
      meta: plainMeta(context, ['mrms-reflectivity', 'NOAA/NWS'], { warnings, spots: [spot] }),
      blocks: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }],
    })
  },
})

/** What a product alone means: areas of that kind, or weather under the alerts in effect. */
function plainLayers(product = 'mrms-reflectivity'): LayerWish[] {
  if (product === 'alerts') return [{ type: 'alerts', skip: false }]
  if (product === 'storm-tracks')
    return [
      { type: 'weather', product: 'mrms-reflectivity', skip: true },
      { type: 'storms', skip: false },
    ]
  if (product === 'spc' || product === 'spc-outlooks' || product === 'spc-fire')
    return [{ type: 'outlooks', product, skip: false }]
  return [
    { type: 'weather', product, skip: false },
    { type: 'alerts', skip: true },
  ]
}

async function drawLayer(
  { drawAlerts, drawAreas, drawOutlooks, drawStorms, drawWeather }: Painters,
  context: ToolContext,
  paper: Parameters<Painters['drawBorders']>[0],
  view: View,
  layer: LayerWish,
  input: { time?: number; opacity?: number },
): Promise<Drawn> {
  const opacity = input.opacity ?? 0.75
  const time = input.time === undefined ? undefined : input.time * 1000
  if (layer.type === 'weather')
    return drawWeather(context, paper, view, layer.product ?? 'mrms-reflectivity', time, opacity)
  if (layer.type === 'alerts') return drawAlerts(context, paper, view, layer.filter ?? {}, 1)
  if (layer.type === 'storms') return drawStorms(context, paper, view)
  if (layer.type === 'outlooks') return drawOutlooks(context, paper, view, layer.day ?? 1, layer.product === 'spc-fire')
  drawAreas(
    paper,
    view,
    areasOf(layer.data).map((rings) => ({ rings, colour: '#1f5fa8', opacity: 0.2 })),
  )
  return { type: 'geojson', valid_time: null }
}

/** Polygons of a GeoJSON object, at most 2,000 corners. @throws ToolError */
function areasOf(data: unknown): [number, number][][][] {
  const bad = (why: string) =>
    new ToolError(
      'bad-request',
      `scene.layers[].data: ${why}.`,
      'give a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection.',
      { field: 'scene.layers' },
    )
  const found: [number, number][][][] = []
  const take = (one: Row | undefined, depth: number): void => {
    if (!one || typeof one !== 'object' || depth > 3) throw bad('wanted GeoJSON')
    if (one['type'] === 'FeatureCollection')
      for (const feature of (one['features'] as Row[]) ?? []) take(feature, depth + 1)
    else if (one['type'] === 'Feature') take(one['geometry'] as Row, depth + 1)
    else if (one['type'] === 'Polygon') found.push(one['coordinates'] as [number, number][][])
    else if (one['type'] === 'MultiPolygon') found.push(...(one['coordinates'] as [number, number][][][]))
    else throw bad(`type ${String(one['type']).slice(0, 40)} cannot be drawn`)
  }
  take(data as Row, 0)
  let corners = 0
  for (const rings of found)
    for (const ring of Array.isArray(rings) ? rings : [])
      for (const point of Array.isArray(ring) ? ring : []) {
        if (!Array.isArray(point) || typeof point[0] !== 'number' || typeof point[1] !== 'number')
          throw bad('a corner is not [lon, lat]')
        if (++corners > 2000) throw bad('more than 2,000 corners')
      }
  return found
}

/** Reads a scene and names the path of what it does not know. */
function sceneOf(scene: Row): { view: { lat: number; lon: number; zoom: number }; layers: LayerWish[] } {
  const bad = (path: string, wanted: string, got: unknown) =>
    new ToolError(
      'bad-request',
      `${path}: wanted ${wanted}, got ${JSON.stringify(got)?.slice(0, 80) ?? 'nothing'}.`,
      'mend the scene and call again.',
      { field: path, got },
    )
  const only = (one: Row, known: readonly string[], path: string) => {
    const unknown = Object.keys(one).find((name) => !known.includes(name))
    if (unknown) throw bad(`${path}.${unknown}`, `one of ${known.join(', ')}`, unknown)
  }
  only(scene, members.scene, 'scene')
  if (scene['scene'] !== undefined && String(scene['scene']) !== '1') throw bad('scene.scene', '"1"', scene['scene'])
  const view = scene['view'] as Row | undefined
  if (!view || typeof view !== 'object') throw bad('scene.view', '{center: {lat, lon}, zoom}', view)
  only(view, members.view, 'scene.view')
  const { lat, lon } = (view['center'] ?? {}) as { lat?: unknown; lon?: unknown }
  const zoom = view['zoom'] ?? 7
  if (typeof lat !== 'number' || typeof lon !== 'number' || Math.abs(lat) > 84 || Math.abs(lon) > 180)
    throw bad('scene.view.center', 'lat and lon in degrees', view['center'])
  if (typeof zoom !== 'number' || zoom < 2 || zoom > 14) throw bad('scene.view.zoom', 'a number from 2 to 14', zoom)
  const layers = scene['layers']
  if (!Array.isArray(layers) || layers.length === 0 || layers.length > 10)
    throw bad('scene.layers', '1 to 10 layers', layers)
  return {
    view: { lat, lon, zoom },
    layers: layers.map((layer: Row, i): LayerWish => {
      const path = `scene.layers[${i}]`
      only(layer, members.layer, path)
      const type = types.find((one) => one === layer['type'])
      if (!type) throw bad(`${path}.type`, `one of ${types.join(', ')}`, layer['type'])
      const day = layer['day']
      if (day !== undefined && !(Number.isInteger(day) && Number(day) >= 1 && Number(day) <= 8))
        throw bad(`${path}.day`, 'a whole number from 1 to 8', day)
      if (layer['onError'] !== undefined && layer['onError'] !== 'skip')
        throw bad(`${path}.onError`, '"skip"', layer['onError'])
      const filter = layer['filter'] as Row | undefined
      if (filter) only(filter, members.filter, `${path}.filter`)
      return {
        type,
        product: layer['product'] as string | undefined,
        ...(day !== undefined && { day: day as number }),
        filter: filter as AlertFilter | undefined,
        data: layer['data'],
        skip: layer['onError'] === 'skip',
      }
    }),
  }
}
