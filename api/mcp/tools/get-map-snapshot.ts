import { z } from 'zod'
import { isFault } from '../../../ingest/domain/fault.ts'
import { MINUTE } from '../../../ingest/domain/time.ts'
import { timezoneAt } from '../../../ingest/geo/coverage.ts'
import { places } from '../../../ingest/geo/populated.ts'
import { QueryError } from '../../dataset/error.ts'
import { findSpot, type PlaceInput } from '../../dataset/spot.ts'
import { labelOf } from '../../picture/display-units.ts'
import type { LayerFigures, MapPicture, MapTask, Town } from '../../picture/map-task.ts'
import { type View, viewOf } from '../../picture/view.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { faultDetails, ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import type { GatheredLayer } from '../query/map-layer.ts'
import { gatherLayer } from '../query/map-layers.ts'
import { DEFAULT_PRODUCT } from '../query/map-product.ts'
import { readScene, type SceneLayer } from '../query/map-scene.ts'
import { absence } from '../words/absence.ts'
import { dateTime, plainMeta, reply } from '../words/reply.ts'

const MAX_PIXELS = 4_000_000
/** Largest size of a picture, bytes: below 500,000 in base64. */
const MAX_PNG_BYTES = 370_000
/** A frame that is farther from the requested time is named in the text. */
const CLOSE_MS = 5 * MINUTE
/** Largest number of candidates for place names; names that do not fit are not drawn. */
const MAX_TOWNS = 400

export const getMapSnapshot = tool({
  name: 'get_map_snapshot',
  title: 'Get a weather map',
  description:
    'A weather map as an image: radar, a model field (nbm:temperature), alerts, outlooks (spc) or storm tracks: "show me the radar over Kansas City". Numbers: get_radar, get_forecast. zoom 5 regional, 8 metro, 10 city; or a scene of several layers.',
  openWorld: false,
  progress: true,
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    product: z.string().min(1).max(80).optional().describe('map_product of list_datasets, such as nbm:wind_gust.'),
    zoom: z.number().min(2).max(14).default(7).describe('Zoom.'),
    time: z.number().int().min(0).max(4102444800).optional().describe('Unix seconds, closest within 3 hours.'),
    opacity: z.number().min(0).max(1).optional().describe('Opacity of the weather layer.'),
    width: z.number().int().min(300).max(2000).default(900).describe('Pixels.'),
    height: z.number().int().min(200).max(2000).default(560).describe('Pixels.'),
    scene: z
      .looseObject({})
      .optional()
      .describe(
        '{view:{center:{lat,lon},zoom}, layers:[{type:"weather",product},{type:"alerts",filter},{type:"storms"},{type:"outlooks",day},{type:"geojson",data}]} in place of location.',
      ),
  }),
  async run(input, context) {
    if (input.width * input.height > MAX_PIXELS)
      throw new ToolError(
        'bad-request',
        `width × height must be at most ${MAX_PIXELS} pixels, but was ${input.width * input.height}.`,
        'ask for a smaller picture.',
        { field: 'width', allowed: MAX_PIXELS, got: input.width * input.height },
      )
    const { center, zoom, layers: sceneLayers, spot } = pictureOf(input)
    const { lat, lon } = center
    const view = viewOf(lat, lon, zoom, input.width, input.height)
    const { gathered, failed } = await gather(context, sceneLayers, view, input)
    const requested = input.time === undefined ? undefined : input.time * 1000

    const simulated = context.deps.values.current.simulated()
    const timezone = spot?.timezone ?? timezoneAt(lat, lon) ?? 'UTC'
    const stamp = gathered.find(({ type }) => type === 'weather')?.valid_time ?? gathered[0]?.valid_time
    const towns = townsIn(view)
    const task: MapTask = {
      lat,
      lon,
      zoom,
      width: input.width,
      height: input.height,
      layers: gathered.map(({ layer }) => layer),
      palette: gathered.find(({ palette }) => palette)?.palette,
      names: gathered.flatMap(({ names }) => names ?? []),
      caption: [
        ...(simulated ? ['SIMULATED, not weather'] : []),
        ...(stamp ? [dateTime(stamp, timezone)] : []),
        'NOAA, Hexcast',
      ].join(' · '),
      towns,
      ...(spot && { mark: { lat, lon } }),
      maxBytes: MAX_PNG_BYTES,
    }
    const picture = await paint(context, task)
    await context.progress(sceneLayers.length + 1, sceneLayers.length + 1, 'map drawn')
    const name = spot?.location.name ?? `${lat}, ${lon}`
    const layers = gathered.map(({ type, product, valid_time }) => ({ type, ...(product && { product }), valid_time }))
    return reply({
      structured: {
        layers,
        bbox: view.bbox.map((degrees) => Math.round(degrees * 1e4) / 1e4),
        width: input.width,
        height: input.height,
      },
      lines: [
        `Map around ${name}, zoom ${zoom}, ${Math.round(widthKm(view))} km wide:`,
        ...(requested !== undefined && stamp && Math.abs(Date.parse(stamp) - requested) > CLOSE_MS
          ? [`Requested ${dateTime(requested, timezone)}; the closest frame is of ${dateTime(stamp, timezone)}.`]
          : []),
        ...gathered.map((layer, i) => sentence(layer, picture.figures[i] ?? null, view, towns, timezone)),
      ],
      meta: plainMeta(
        context,
        gathered.flatMap(({ type, product }) => product ?? (type === 'alerts' ? ['NOAA/NWS'] : [])),
        {
          warnings: [
            ...failed.map((detail) => ({ code: 'source_failed' as const, section: 'map', detail })),
            ...gathered.flatMap(({ warnings }) => warnings ?? []),
          ],
          spots: [spot],
        },
      ),
      blocks: [{ type: 'image', data: Buffer.from(picture.png).toString('base64'), mimeType: 'image/png' }],
    })
  },
})

interface PictureInput extends PlaceInput {
  readonly product?: string
  readonly zoom: number
  readonly scene?: object
}

/** Centre, zoom and layers of the picture: those of the scene, or those of a place and a product. @throws ToolError bad-request */
function pictureOf(input: PictureInput) {
  if (input.scene) {
    const { view, layers } = readScene(input.scene)
    return { ...view, layers, spot: undefined }
  }
  const spot = findSpot(input)
  return { center: spot.location, zoom: input.zoom, layers: layersOf(input.product), spot }
}

/** Layers for a call without a scene: the areas of the product, or the weather product under the alerts in effect. */
function layersOf(product: string = DEFAULT_PRODUCT): SceneLayer[] {
  if (product === 'alerts' || product === 'nws-alerts') return [{ type: 'alerts' }]
  if (product === 'storm-tracks')
    return [{ type: 'weather', product: DEFAULT_PRODUCT, onError: 'skip' }, { type: 'storms' }]
  if (product === 'spc' || product === 'spc-outlooks' || product === 'spc-fire') return [{ type: 'outlooks', product }]
  return [
    { type: 'weather', product },
    { type: 'alerts', onError: 'skip' },
  ]
}

async function gather(
  context: ToolContext,
  layers: readonly SceneLayer[],
  view: View,
  { time, opacity, units }: { readonly time?: number; readonly opacity?: number; readonly units: UnitSystem },
): Promise<{ gathered: GatheredLayer[]; failed: string[] }> {
  const gathered: GatheredLayer[] = []
  const failed: string[] = []
  for (const [i, layer] of layers.entries()) {
    context.signal.throwIfAborted()
    const seconds = layer.time ?? time
    const options = {
      view,
      time: seconds === undefined ? undefined : seconds * 1000,
      opacity: layer.opacity ?? opacity ?? 0.75,
      units,
    }
    try {
      gathered.push(await gatherLayer(context, layer, `scene.layers[${i}]`, options))
    } catch (error) {
      if (layer.onError !== 'skip' || !(error instanceof QueryError)) throw error
      failed.push(`the layer ${layer.type} is not drawn: ${error.message}`)
    }
    await context.progress(i + 1, layers.length + 1, 'layers read')
  }
  return { gathered, failed }
}

/** @throws ToolError too-many-requests if too many maps of this caller are being drawn */
async function paint(context: ToolContext, task: MapTask): Promise<MapPicture> {
  try {
    return await context.deps.maps.paint(task, context.caller, context.signal)
  } catch (error) {
    if (!isFault(error, 'Refused')) throw error
    const { perCaller, retryAfter } = faultDetails(error)
    if (!perCaller) throw error
    throw new ToolError(
      'too-many-requests',
      'Too many maps for this key are being drawn at once.',
      'wait until the other maps are drawn, then call again; maps drawn one after the other are never refused.',
      { retry_after_s: retryAfter },
    )
  }
}

function townsIn(view: View): Town[] {
  const towns: Town[] = []
  const table = places()
  for (const [index, townLat] of table.lats.entries()) {
    const [x, y] = [view.x(table.lons[index] ?? Number.NaN), view.y(townLat)]
    if (x < 4 || y < 10 || x > view.width || y > view.height - 10) continue
    const { name, lat, lon, population, section } = table.at(index)
    if (section) continue
    towns.push({ name, lat, lon, population })
    if (towns.length === MAX_TOWNS) break
  }
  return towns
}

const widthKm = ({ bbox: [west, , east], lat }: View) => (east - west) * 111.2 * Math.cos((lat * Math.PI) / 180)
const directions = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

/** Returns a description of the picture in words. */
function sentence(
  { type, product, valid_time, palette, words }: GatheredLayer,
  figures: LayerFigures | null,
  view: View,
  towns: readonly Town[],
  timezone: string,
): string {
  const name = product ?? type
  const when = valid_time ? ` at ${dateTime(valid_time, timezone)}` : ''
  if (words) return `${name}${when}: ${words.replace(/\.$/, '')}.`
  if (!figures || !palette) return `${name}${when}.`
  const instrument = /lightning|strike/i.test(palette.title) ? 'sensor' : 'radar'
  const unseen = unseenWords(figures.unseen ?? 0, instrument)
  const isUnseen = (figures.unseen ?? 0) > WHOLLY_UNSEEN
  if (isUnseen || !figures.highest) {
    const least = `${labelOf(palette, 0)} ${palette.unit}`
    const facts = { least, where: unseen ? ` where a ${instrument} covers it` : '' }
    const doubt = isUnseen ? `no ${instrument} covers this picture, which is hatched` : undefined
    return `${palette.title}${when} (${name}): ${absence('echo_in_picture', facts, doubt)}${isUnseen ? '' : unseen}`
  }
  const { step, x, y } = figures.highest
  const [dx, dy] = [x - view.width / 2, view.height / 2 - y]
  const km = (Math.hypot(dx, dy) / view.width) * widthKm(view)
  const direction = directions[Math.round(((Math.atan2(dx, dy) * 180) / Math.PI + 360) / 45) % 8]
  const where =
    km < 8 ? 'at the centre' : `${Math.round(km)} km ${direction} of the centre${nearTown(x, y, view, towns)}`
  return `${palette.title}${when} (${name}): colours cover ${Math.max(1, Math.round(figures.covered * 100))}% of the picture, highest ${labelOf(palette, step - 1)} ${palette.unit} or more ${where}.${unseen}`
}

/** Share of a picture without coverage from which it counts as not covered. */
const WHOLLY_UNSEEN = 0.995
/** A smaller share without coverage lies at the edge of the picture and is not mentioned. */
const PARTLY_UNSEEN = 0.01

const unseenWords = (share: number, instrument: string) =>
  share > PARTLY_UNSEEN
    ? ` No ${instrument} covers ${Math.round(share * 100)}% of it (hatched): what is there is not known.`
    : ''

function nearTown(x: number, y: number, view: View, towns: readonly Town[]): string {
  const closest = towns
    .map((town) => ({ town, pixels: Math.hypot(view.x(town.lon) - x, view.y(town.lat) - y) }))
    .reduce<{ town: Town; pixels: number } | undefined>(
      (best, town) => (!best || town.pixels < best.pixels ? town : best),
      undefined,
    )
  if (!closest) return ''
  const perPixel = widthKm(view) / view.width
  return closest.pixels * perPixel > 80 ? '' : `, near ${closest.town.name}`
}
