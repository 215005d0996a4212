import {
  at,
  gridWind,
  ground,
  heights,
  instant,
  layer,
  plane,
  type SimulatedMessage,
  simple,
  wind10,
} from './message.ts'

/** Returns the messages of RTMA and URMA, in the order of their files. */
export function analysis(): readonly SimulatedMessage[] {
  return [
    instant(0, { element: 'HGT', level: 'surface', number: [3, 5], surface: ground, packing: simple(1) }, heights),
    instant(
      0,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: simple(-1) },
      plane('surfacePressure'),
    ),
    instant(0, { ...at.tmp, packing: simple(2) }, plane('temperature')),
    instant(0, { ...at.dpt, packing: simple(2) }, plane('dewPoint')),
    instant(0, wind10[0], gridWind('u')),
    instant(0, { ...wind10[1], packing: simple(2) }, gridWind('v')),
    instant(0, { ...at.wdir, packing: simple(0) }, plane('windDirection')),
    instant(0, { ...at.wind, packing: simple(2) }, plane('windSpeed')),
    instant(0, { ...at.gust, packing: simple(2) }, plane('windGust')),
    instant(0, { ...at.vis, packing: simple(0) }, plane('visibility')),
    instant(0, { ...at.ceil, packing: simple(0) }, plane('ceiling')),
    instant(
      0,
      { ...layer('TCDC', 'entire atmosphere (considered as a single layer)', [6, 1], 200), packing: simple(0) },
      plane('cloudCover'),
    ),
    instant(0, at.skin, plane('temperature')),
  ]
}
