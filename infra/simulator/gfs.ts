import { HOUR } from '../../ingest/domain/time.ts'
import {
  at,
  c3,
  gridWind,
  ground,
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
import { fall, meanSolar } from './planes.ts'

/** Returns the messages of a GFS file, in the order of the real files. */
export function gfs(run: number, lead: number): readonly SimulatedMessage[] {
  const end = run + lead * HOUR
  const bucket = lead === 0 ? 0 : lead <= 120 ? ((lead - 1) % 6) + 1 : lead % 6 === 0 ? 6 : 3
  const list: SimulatedMessage[] = [
    instant(
      lead,
      { element: 'PRMSL', level: 'mean sea level', number: [3, 1], surface: sea, packing: c3(0) },
      plane('pressure'),
    ),
    instant(lead, { ...at.vis, packing: c3(0) }, plane('visibility')),
    instant(
      lead,
      { element: 'GUST', level: 'surface', number: [2, 22], surface: ground, packing: c3(1) },
      plane('windGust'),
    ),
    instant(
      lead,
      { element: 'PRES', level: 'surface', number: [3, 0], surface: ground, packing: c3(0) },
      plane('surfacePressure'),
    ),
    instant(lead, { element: 'HGT', level: 'surface', number: [3, 5], surface: ground, packing: c3(0) }, heights),
    instant(lead, at.tmp, plane('temperature')),
    instant(lead, at.dpt, plane('dewPoint')),
    instant(lead, { ...at.rh, packing: c3(1) }, (s) =>
      map(s, (w, k) => relativeHumidity(w.temperature[k]!, w.dewPoint[k]!)),
    ),
    instant(lead, { ...wind10[0], packing: c3(2) }, gridWind('u')),
    instant(lead, wind10[1], gridWind('v')),
    instant(lead, { element: 'PRATE', level: 'surface', number: [1, 7], surface: ground, packing: c3(6) }, (s) =>
      map(s, (w, k) => w.precipRate[k]! / 3600),
    ),
  ]
  if (bucket > 0) {
    list.push(interval(lead, bucket, 'acc', at.apcp, (s) => fall(s.grid, 'liquid', end, bucket)))
    list.push(interval(lead, bucket, 'ave', at.dswrf, (s) => meanSolar(s.grid, end, bucket)))
  }
  list.push(
    ...surfaceFlags(lead),
    instant(lead, at.cape, plane('cape')),
    instant(
      lead,
      {
        element: 'TOZNE',
        level: 'entire atmosphere (considered as a single layer)',
        number: [14, 0],
        surface: { type: 200, value: 0 },
        packing: c3(0),
      },
      plane('ozone'),
    ),
    instant(lead, layer('LCDC', 'low cloud layer', [6, 3], 214), plane('cloudLow')),
    instant(lead, layer('MCDC', 'middle cloud layer', [6, 4], 224), plane('cloudMid')),
    instant(lead, layer('HCDC', 'high cloud layer', [6, 5], 234), plane('cloudHigh')),
    instant(lead, layer('TCDC', 'entire atmosphere', [6, 1], 10), plane('cloudCover')),
    instant(
      lead,
      { element: 'HGT', level: 'cloud ceiling', number: [3, 5], surface: { type: 215, value: 0 }, packing: c3(0, 1) },
      (s) => map(s, (w, k) => (Number.isNaN(w.ceiling[k]!) ? 20000 : w.ceiling[k]!)),
    ),
    instant(lead, at.skin, plane('temperature')),
  )
  return list
}
