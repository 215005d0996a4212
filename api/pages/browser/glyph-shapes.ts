/** A shape of a picture: an SVG element with its attributes. */
export type GlyphShape = readonly [name: 'path' | 'circle', attributes: Readonly<Record<string, string | number>>]

const cloud = (y: number) =>
  shape('path', { class: 'cloud', d: `M7 ${y + 9}a4.5 4.5 0 0 1 .6-8.9 6 6 0 0 1 11.4 1.2 4 4 0 0 1-.6 7.7z` })
const sun = (x: number, y: number, r: number) => [
  shape('circle', { class: 'sun', cx: x, cy: y, r }),
  ...[0, 45, 90, 135, 180, 225, 270, 315].map((turn) =>
    shape('path', { class: 'ray', d: `M0 ${-r - 1.5}V${-r - 3.5}`, transform: `translate(${x} ${y}) rotate(${turn})` }),
  ),
]
const moon = (x: number, y: number) => [
  shape('path', { class: 'moon', d: `M${x + 1} ${y - 5}a5.5 5.5 0 1 0 4.5 8a6 6 0 0 1-4.5-8z` }),
]
const drops = (...xs: number[]) => xs.map((x) => shape('path', { class: 'drop', d: `M${x} 17.5l-1.2 4` }))
const flakes = (...xs: number[]) =>
  xs.map((x, i) => shape('circle', { class: 'flake', cx: x, cy: 19 + (i % 2) * 2.5, r: 1.1 }))
const pellets = (...xs: number[]) => xs.map((x) => shape('circle', { class: 'pellet', cx: x, cy: 20, r: 1.2 }))
const bolt = () => [shape('path', { class: 'bolt', d: 'M13 14l-3 5h3l-1.5 4 4.5-6h-3l1.5-3z' })]
const fog = (...ys: number[]) => ys.map((y) => shape('path', { class: 'fog', d: `M4 ${y}h16` }))
const wind = () => [shape('path', { class: 'fog', d: 'M3 10h11a2.5 2.5 0 1 0-2.5-2.5M3 14h15a2.5 2.5 0 1 1-2.5 2.5' })]

const shape = (...parts: GlyphShape): GlyphShape => parts

type Light = (x: number, y: number, r: number) => GlyphShape[]

/** Pictures by family of icons; the longest name that matches a slug is used. */
const pictures: Readonly<Record<string, (light: Light) => GlyphShape[]>> = {
  clear: (light) => light(12, 12, 5),
  'partly-cloudy': (light) => [...light(8, 8, 3.5), cloud(9)],
  'mostly-cloudy': (light) => [...light(8, 7, 2.5), cloud(8)],
  cloudy: () => [cloud(7)],
  drizzle: () => [cloud(5), ...drops(10, 15)],
  showers: (light) => [...light(8, 6, 2.5), cloud(5), ...drops(9, 13, 17)],
  rain: () => [cloud(5), ...drops(8, 12, 16)],
  'thunder-showers': (light) => [...light(8, 6, 2.5), cloud(4), ...bolt()],
  'thunder-rain': () => [cloud(4), ...bolt(), ...drops(8, 17)],
  thunderstorms: () => [cloud(4), ...bolt()],
  'snow-showers': (light) => [...light(8, 6, 2.5), cloud(5), ...flakes(9, 13, 17)],
  snow: () => [cloud(5), ...flakes(8, 12, 16)],
  'rain-snow-showers': (light) => [...light(8, 6, 2.5), cloud(5), ...drops(9, 16), ...flakes(13)],
  'rain-snow': () => [cloud(5), ...drops(8, 16), ...flakes(12)],
  'freezing-rain': () => [cloud(5), ...drops(8, 16), ...pellets(12)],
  sleet: () => [cloud(5), ...drops(9, 15), ...pellets(12)],
  fog: () => fog(10, 14, 18),
  haze: (light) => [...light(12, 7, 3), ...fog(14, 18)],
  smoke: () => fog(8, 12, 16),
  wind,
}
const families = Object.keys(pictures).sort((a, b) => b.length - a.length)

/** The picture of an icon slug, in a box of 24 by 24. */
export function glyphShapes(icon: string): readonly GlyphShape[] {
  const light: Light = (x, y, r) => (icon.endsWith('-night') ? moon(x, y) : sun(x, y, r))
  const slug = icon.replace(/-(day|night)$/, '')
  const family = families.find((name) => slug.startsWith(name)) ?? families.find((name) => slug.includes(name))
  return family ? (pictures[family]?.(light) ?? []) : []
}
