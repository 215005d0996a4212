import { HOUR } from '../../ingest/domain/time.ts'
import {
  at,
  c3,
  gridWind,
  ground,
  height,
  heights,
  instant,
  interval,
  layer,
  map,
  plane,
  relativeHumidity,
  type SimulatedMessage,
  sea,
  surfaceFlags,
  wind10,
} from './message.ts'
import { fall } from './planes.ts'

/** Returns the messages of an HRRR file, in the order of the real files. */
export function hrrr(run: number, lead: number): readonly SimulatedMessage[] {
  const end = run + lead * HOUR
  const list: SimulatedMessage[] = [
    instant(lead, { ...at.vis, packing: c3(-1) }, plane('visibility')),
    instant(
      lead,
      { element: 'GUST', level: 'surface', number: [2, 22], surface: ground, packing: c3(2) },
      plane('windGust'),
    ),
    instant(
      lead,
      { element: 'MSLMA', level: 'mean sea level', number: [3, 198], surface: sea, packing: c3(-1) },
      plane('pressure'),
    ),
    instant(
      lead,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: c3(-1) },
      plane('surfacePressure'),
    ),
    instant(lead, { element: 'HGT', level: 'surface', number: [3, 5], surface: ground, packing: c3(1) }, heights),
    instant(lead, { ...at.tmp, packing: c3(2) }, plane('temperature')),
    instant(lead, { ...at.dpt, packing: c3(2) }, plane('dewPoint')),
    instant(lead, { ...at.rh, packing: c3(1) }, (s) =>
      map(s, (w, k) => relativeHumidity(w.temperature[k]!, w.dewPoint[k]!)),
    ),
    instant(
      lead,
      { element: 'MASSDEN', level: '8 m above ground', number: [20, 0], surface: height(8), packing: c3(10) },
      plane('smoke'),
    ),
    instant(lead, wind10[0], gridWind('u')),
    instant(lead, wind10[1], gridWind('v')),
    instant(lead, { element: 'PRATE', level: 'surface', number: [1, 7], surface: ground, packing: c3(6) }, (s) =>
      map(s, (w, k) => w.precipRate[k]! / 3600),
    ),
  ]
  if (lead > 0)
    list.push(interval(lead, 1, 'acc', { ...at.apcp, packing: c3(3) }, (s) => fall(s.grid, 'liquid', end, 1)))
  list.push(
    ...surfaceFlags(lead),
    instant(lead, at.cape, plane('cape')),
    instant(lead, layer('LCDC', 'low cloud layer', [6, 3], 214), plane('cloudLow')),
    instant(lead, layer('MCDC', 'middle cloud layer', [6, 4], 224), plane('cloudMid')),
    instant(lead, layer('HCDC', 'high cloud layer', [6, 5], 234), plane('cloudHigh')),
    instant(lead, layer('TCDC', 'entire atmosphere', [6, 1], 10), plane('cloudCover')),
    instant(
      lead,
      { element: 'HGT', level: 'cloud ceiling', number: [3, 5], surface: { type: 215, value: 0 }, packing: c3(0, 1) },
      (s) => {
        const surface = heights(s)
        return map(s, (w, k) => w.ceiling[k]! + surface[k]!)
      },
    ),
    instant(lead, { ...at.dswrf, packing: c3(1) }, plane('solar')),
    instant(lead, at.skin, plane('temperature')),
  )
  return list
}
