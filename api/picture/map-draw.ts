import { createRequire } from 'node:module'
import { type Canvas, createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import { feature, mesh } from 'topojson-client'
import type { PaintedArea, PaintedLine, Town } from './map-task.ts'
import { around, type Line, type PixelBox, type View } from './view.ts'

const require = createRequire(import.meta.url)
export const FONT = 'Hexcast Sans'
GlobalFonts.registerFromPath(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), FONT)

/** ISO 3166 numeric codes of neighbouring countries: Canada, Mexico, Greenland, Russia, Cuba, the Bahamas, Guatemala, Belize, Honduras, Haiti, Dominican Republic, Jamaica. */
const NEIGHBOURS = new Set(['124', '484', '304', '643', '192', '044', '320', '084', '340', '332', '214', '388'])

/** Lines of the base map: borders of states and counties, and land. They are read once. */
interface BaseLines {
  readonly states: readonly Line[]
  readonly counties: readonly Line[]
  readonly land: readonly (readonly Line[])[]
  /** Land of neighbouring countries. */
  readonly neighbours: readonly (readonly Line[])[]
}
let base: BaseLines | undefined

function baseMap(): BaseLines {
  if (!base) {
    const states = require('us-atlas/states-10m.json')
    const counties = require('us-atlas/counties-10m.json')
    const nation = feature(states, states.objects.nation) as unknown as {
      features?: { geometry: { coordinates: Line[][] } }[]
      geometry?: { coordinates: Line[][] }
    }
    const world = require('world-atlas/countries-50m.json')
    const countries = feature(world, world.objects.countries) as unknown as {
      features: { id?: string; geometry: { type: string; coordinates: unknown } }[]
    }
    base = {
      states: mesh(states, states.objects.states).coordinates as unknown as Line[],
      counties: mesh(counties, counties.objects.counties, (a, b) => a !== b).coordinates as unknown as Line[],
      neighbours: countries.features
        .filter(({ id }) => id !== undefined && NEIGHBOURS.has(id))
        .flatMap(({ geometry: { type, coordinates } }) =>
          type === 'Polygon' ? [coordinates as Line[]] : (coordinates as Line[][]),
        ),
      land: (nation.features?.[0]?.geometry ?? nation.geometry)?.coordinates ?? [],
    }
  }
  return base
}

/** A canvas with the land of a view. */
export function newMap(view: View): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(view.width, view.height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#dbe2e7'
  context.fillRect(0, 0, view.width, view.height)
  context.fillStyle = '#e9e8e4'
  context.strokeStyle = 'rgba(90,98,106,0.5)'
  context.lineWidth = 0.8
  context.beginPath()
  for (const polygon of baseMap().neighbours) {
    if (!polygon.some((ring) => inView(view, ring))) continue
    for (const ring of polygon) trace(context, view, ring)
  }
  context.fill('evenodd')
  context.stroke()
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

/** Like `trace`, for a ring that is stored as lon, lat, lon, lat, … */
function traceFlat(context: SKRSContext2D, view: View, ring: Float64Array): void {
  for (let i = 0; i + 1 < ring.length; i += 2) {
    if (i === 0) context.moveTo(view.x(ring[i]!), view.y(ring[i + 1]!))
    else context.lineTo(view.x(ring[i]!), view.y(ring[i + 1]!))
  }
}

function flatInView(view: View, ring: Float64Array): boolean {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const lon = around(ring[i]!, view.lon)
    const lat = ring[i + 1]!
    west = Math.min(west, lon)
    east = Math.max(east, lon)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  const half = (view.bbox[2] - view.bbox[0]) / 2
  return south <= view.bbox[3] && north >= view.bbox[1] && west <= view.lon + half && east >= view.lon - half
}

const inView = (view: View, line: Line) =>
  line.some(
    ([lon, lat]) =>
      lat >= view.bbox[1] - 3 &&
      lat <= view.bbox[3] + 3 &&
      Math.abs(around(lon, view.lon) - view.lon) <= (view.bbox[2] - view.bbox[0]) / 2 + 3,
  )

const areApart = (a: PixelBox, b: PixelBox) => a[0] >= b[2] || a[2] <= b[0] || a[1] >= b[3] || a[3] <= b[1]

/** Largest number of names of towns in a picture. */
export const maxNames = ({ width, height }: { width: number; height: number }) =>
  6 + Math.round((width * height) / 25_000)

/** Draws borders, and names of towns that do not overlap the legend or each other. */
export function drawBorders(
  context: SKRSContext2D,
  view: View,
  towns: readonly Town[],
  legend: readonly PixelBox[],
): void {
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
  const occupiedBoxes: PixelBox[] = [...legend]
  context.lineJoin = 'round'
  const maxDrawn = maxNames(view)
  context.textBaseline = 'middle'
  let drawn = 0
  for (const place of towns) {
    if (drawn >= maxDrawn) break
    const [x, y] = [view.x(place.lon), view.y(place.lat)]
    if (x < 4 || y < 10 || x > view.width || y > view.height - 10) continue
    context.font = `${place.population > 400_000 ? 13 : 11}px "${FONT}"`
    const textWidth = context.measureText(place.name).width
    const box: PixelBox = [x - 4, y - 9, x + textWidth + 13, y + 9]
    if (box[2] > view.width || !occupiedBoxes.every((occupied) => areApart(occupied, box))) continue
    occupiedBoxes.push(box)
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

/** Draws areas with their outlines. */
export function drawAreas(context: SKRSContext2D, view: View, areas: readonly PaintedArea[]): void {
  for (const { rings, colour, opacity } of areas) {
    if (!rings.some((ring) => flatInView(view, ring))) continue
    context.beginPath()
    for (const ring of rings) {
      traceFlat(context, view, ring)
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

/** Draws lines and points. */
export function drawLines(context: SKRSContext2D, view: View, lines: readonly PaintedLine[]): void {
  for (const { positions, colour } of lines) {
    if (!flatInView(view, positions)) continue
    context.strokeStyle = colour
    context.fillStyle = colour
    context.lineWidth = 2.5
    context.beginPath()
    if (positions.length > 2) {
      traceFlat(context, view, positions)
      context.stroke()
      continue
    }
    context.arc(view.x(positions[0]!), view.y(positions[1]!), 5, 0, 7)
    context.fill()
    context.lineWidth = 1.5
    context.strokeStyle = 'rgba(255,255,255,0.9)'
    context.stroke()
  }
}

/** Draws thin oblique lines over the pixels of a mask. */
export function drawHatching(context: SKRSContext2D, view: View, mask: Uint8Array): void {
  const image = context.getImageData(0, 0, view.width, view.height)
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0 || ((i % view.width) + Math.floor(i / view.width)) % HATCH_PX !== 0) continue
    for (let channel = 0; channel < 3; channel++)
      image.data[4 * i + channel] = Math.round((image.data[4 * i + channel]! + HATCH_GREY) / 2)
  }
  context.putImageData(image, 0, 0)
}
/** Distance between two lines of hatching along a row. */
const HATCH_PX = 7
const HATCH_GREY = 90

/** Draws a storm as a dot with an arrow to its position in half an hour. */
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
  // On a map of the whole country the track of half an hour is shorter than an arrowhead.
  const head = Math.min(8, 0.6 * Math.hypot(x2 - x1, y2 - y1))
  const angle = Math.atan2(y2 - y1, x2 - x1)
  for (const side of [2.6, -2.6]) {
    context.moveTo(x2, y2)
    context.lineTo(x2 + head * Math.cos(angle + side), y2 + head * Math.sin(angle + side))
  }
  context.stroke()
}

/** Draws a ring at the requested place. */
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
