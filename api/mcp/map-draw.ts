import { createRequire } from 'node:module'
import { type Canvas, createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { feature, mesh } from 'topojson-client'
import { populated } from '../../ingest/geo/place.ts'

const require = createRequire(import.meta.url)
export const FONT = 'Hexcast Sans'
GlobalFonts.registerFromPath(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), FONT)

type Line = readonly (readonly [number, number])[]

/** Lines of the base map, read once: borders of states and of counties, and the land itself. */
interface Base {
  readonly states: readonly Line[]
  readonly counties: readonly Line[]
  readonly land: readonly (readonly Line[])[]
}
let base: Base | undefined

function baseMap(): Base {
  if (!base) {
    const states = require('us-atlas/states-10m.json')
    const counties = require('us-atlas/counties-10m.json')
    const nation = feature(states, states.objects.nation) as unknown as {
      features?: { geometry: { coordinates: Line[][] } }[]
      geometry?: { coordinates: Line[][] }
    }
    base = {
      states: mesh(states, states.objects.states).coordinates as unknown as Line[],
      counties: mesh(counties, counties.objects.counties, (a, b) => a !== b).coordinates as unknown as Line[],
      land: (nation.features?.[0]?.geometry ?? nation.geometry)?.coordinates ?? [],
    }
  }
  return base
}

/** A picture in Web-Mercator around a centre. */
export interface View {
  readonly width: number
  readonly height: number
  readonly zoom: number
  readonly lat: number
  readonly lon: number
  /** west, south, east, north */
  readonly bbox: readonly [number, number, number, number]
  x(lon: number): number
  y(lat: number): number
}

const TILE = 256

/** The same meridian, within 180° of another. */
const around = (lon: number, centre: number) => ((((lon - centre + 180) % 360) + 360) % 360) - 180 + centre

export function viewOf(lat: number, lon: number, zoom: number, width: number, height: number): View {
  const world = TILE * 2 ** zoom
  const px = (degrees: number) => ((degrees + 180) / 360) * world
  const py = (degrees: number) => ((1 - Math.asinh(Math.tan((degrees * Math.PI) / 180)) / Math.PI) / 2) * world
  const left = px(lon) - width / 2
  const top = py(lat) - height / 2
  const latAt = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI
  const lonAt = (x: number) => (x / world) * 360 - 180
  return {
    width,
    height,
    zoom,
    lat,
    lon,
    bbox: [lonAt(left), latAt(top + height), lonAt(left + width), latAt(top)],
    // The copy of the meridian that is nearest to the centre: the Aleutians lie on both sides of 180°.
    x: (degrees) => px(around(degrees, lon)) - left,
    y: (degrees) => py(degrees) - top,
  }
}

export function newMap(view: View): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(view.width, view.height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#dbe2e7'
  context.fillRect(0, 0, view.width, view.height)
  context.fillStyle = '#f4f2ec'
  context.beginPath()
  for (const polygon of baseMap().land) for (const ring of polygon) trace(context, view, ring)
  context.fill('evenodd')
  return { canvas, context }
}

function trace(context: SKRSContext2D, view: View, line: Line): void {
  let first = true
  for (const [lon, lat] of line) {
    if (first) context.moveTo(view.x(lon), view.y(lat))
    else context.lineTo(view.x(lon), view.y(lat))
    first = false
  }
}

const inView = (view: View, line: Line) =>
  line.some(
    ([lon, lat]) =>
      lat >= view.bbox[1] - 3 &&
      lat <= view.bbox[3] + 3 &&
      Math.abs(around(lon, view.lon) - view.lon) <= (view.bbox[2] - view.bbox[0]) / 2 + 3,
  )

/** A part of the picture: left, top, right, bottom in pixels. */
export type Box = readonly [number, number, number, number]
const apart = (a: Box, b: Box) => a[0] >= b[2] || a[2] <= b[0] || a[1] >= b[3] || a[3] <= b[1]

/** Borders and names over whatever was drawn; names keep out of the boxes that are taken. */
export function drawBorders(context: SKRSContext2D, view: View, legend: readonly Box[]): void {
  const stroke = (lines: readonly Line[], colour: string, width: number) => {
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    for (const line of lines) if (inView(view, line)) trace(context, view, line)
    context.stroke()
  }
  const { states, counties } = baseMap()
  if (view.zoom >= 7) stroke(counties, 'rgba(70,80,90,0.35)', 0.7)
  stroke(states, 'rgba(40,48,56,0.85)', 1.4)
  const taken: Box[] = [...legend]
  context.lineJoin = 'round'
  const most = 6 + Math.round((view.width * view.height) / 25_000)
  context.textBaseline = 'middle'
  let drawn = 0
  for (const place of populated()) {
    if (drawn >= most) break
    const [x, y] = [view.x(place.lon), view.y(place.lat)]
    if (place.section || x < 4 || y < 10 || x > view.width || y > view.height - 10) continue
    context.font = `${place.population > 400_000 ? 13 : 11}px "${FONT}"`
    const wide = context.measureText(place.name).width
    const box: Box = [x - 4, y - 9, x + wide + 13, y + 9]
    if (box[2] > view.width || !taken.every((one) => apart(one, box))) continue
    taken.push(box)
    context.fillStyle = '#222'
    context.beginPath()
    context.arc(x, y, 2.2, 0, 7)
    context.fill()
    context.lineWidth = 3
    context.strokeStyle = 'rgba(255,255,255,0.9)'
    context.strokeText(place.name, x + 8, y)
    context.fillText(place.name, x + 8, y)
    drawn++
  }
}

export async function drawPicture(context: SKRSContext2D, view: View, picture: Buffer): Promise<void> {
  context.drawImage(await loadImage(picture), 0, 0, view.width, view.height)
}

export interface Area {
  readonly rings: readonly Line[]
  readonly colour: string
  readonly opacity: number
}

export function drawAreas(context: SKRSContext2D, view: View, areas: readonly Area[]): void {
  for (const { rings, colour, opacity } of areas) {
    if (!rings.some((ring) => inView(view, ring))) continue
    context.beginPath()
    for (const ring of rings) {
      trace(context, view, ring)
      context.closePath()
    }
    context.globalAlpha = opacity
    context.fillStyle = colour
    context.fill('evenodd')
    context.globalAlpha = 1
    context.strokeStyle = colour
    context.lineWidth = 2
    context.stroke()
  }
}

/** A storm: a dot, and an arrow of where it will be in half an hour. */
export function drawTrack(
  context: SKRSContext2D,
  view: View,
  from: readonly [number, number],
  to: readonly [number, number],
): void {
  const [x1, y1, x2, y2] = [view.x(from[0]), view.y(from[1]), view.x(to[0]), view.y(to[1])]
  context.strokeStyle = '#5b1a8b'
  context.fillStyle = '#5b1a8b'
  context.lineWidth = 2
  context.beginPath()
  context.arc(x1, y1, view.zoom < 6 ? 2.5 : 4, 0, 7)
  context.fill()
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  // On a map of the whole country the way of half an hour is shorter than the head of an arrow.
  const head = Math.min(8, 0.6 * Math.hypot(x2 - x1, y2 - y1))
  const angle = Math.atan2(y2 - y1, x2 - x1)
  for (const side of [2.6, -2.6]) {
    context.moveTo(x2, y2)
    context.lineTo(x2 + head * Math.cos(angle + side), y2 + head * Math.sin(angle + side))
  }
  context.stroke()
}

/** A ring at the place that was asked for. */
export function drawMark(context: SKRSContext2D, view: View, lat: number, lon: number): void {
  for (const [colour, width] of [
    ['rgba(255,255,255,0.9)', 4],
    ['#111', 1.8],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    context.arc(view.x(lon), view.y(lat), 5.5, 0, 7)
    context.stroke()
  }
}
