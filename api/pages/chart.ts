import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Panels of the map: Web Mercator, ten units a degree of longitude, north up; Alaska is continuous across the antimeridian. */
export const panels = {
  conus: { title: 'Contiguous states', west: -126, south: 23.5, east: -66, north: 50 },
  alaska: { title: 'Alaska', west: -190, south: 50.5, east: -129, north: 71.8 },
  hawaii: { title: 'Hawaii', west: -161, south: 18.3, east: -154, north: 22.8 },
} as const

export type Panel = keyof typeof panels

export const xOf = (lon: number) => (lon > 0 ? lon - 360 : lon) * 10
export const yOf = (lat: number) =>
  (-1800 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, lat)) * Math.PI) / 360))

export function viewBoxOf(panel: Panel): string {
  const { west, south, east, north } = panels[panel]
  return [west * 10, yOf(north), (east - west) * 10, yOf(south) - yOf(north)].map((value) => value.toFixed(1)).join(' ')
}

type Line = readonly (readonly number[])[]

/** An SVG path of lines, simplified to steps of at least `step` units. */
export function pathOf(lines: readonly Line[], step: number, closed: boolean): string {
  let text = ''
  for (const line of lines) {
    let lastX = Number.NaN
    let lastY = Number.NaN
    let count = 0
    let part = ''
    line.forEach(([lon, lat], i) => {
      const x = xOf(lon!)
      const y = yOf(lat!)
      if (i > 0 && i < line.length - 1 && Math.hypot(x - lastX, y - lastY) < step) return
      part += `${count++ ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
      lastX = x
      lastY = y
    })
    if (count > (closed ? 2 : 1)) text += part + (closed ? 'Z' : '')
  }
  return text
}

const require = createRequire(import.meta.url)
let made: { land: string; borders: string } | undefined

/** Outline of the land and the lines between states. */
export function statesMap(): { land: string; borders: string } {
  if (made) return made
  const atlas = JSON.parse(readFileSync(require.resolve('us-atlas/states-10m.json'), 'utf8')) as Topology<{
    states: GeometryCollection
    nation: GeometryCollection
  }>
  const states = atlas.objects.states
  const inUnion = { ...states, geometries: states.geometries.filter(({ id }) => Number(id) <= 56) }
  const shapes = feature(atlas, inUnion).features
  const rings = shapes.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? geometry.coordinates
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates.flat()
        : [],
  )
  const borders = mesh(atlas, inUnion as never, (a, b) => a !== b)
  made = { land: pathOf(rings, 0.9, true), borders: pathOf(borders.coordinates, 0.9, false) }
  return made
}
