import { HOUR } from '../../ingest/domain/time.ts'
import {
  at,
  c3,
  gridWind,
  ground,
  height,
  heights,
  type InstantField,
  instant,
  interval,
  layer,
  type MessageScene,
  map,
  plane,
  relativeHumidity,
  type SimulatedMessage,
  sea,
  surfaceFlags,
  wind10,
} from './message.ts'
import type { PackingDefinition } from './packing.ts'
import { fall, meanSolar } from './planes.ts'

/** RRFS packs every field by template 5.3, and a field of one value without groups. */
const packed = (decimal: number, order: 1 | 2 = 2): PackingDefinition => ({ ...c3(decimal, order), noGroups: true })
const COLUMN = 'entire atmosphere (considered as a single layer)'
const onGround = (element: string, number: readonly [number, number], decimal: number): InstantField => ({
  element,
  level: 'surface',
  number,
  surface: ground,
  packing: packed(decimal),
})
const cloud = (element: string, level: string, number: number, type: number): InstantField => ({
  ...layer(element, level, [6, number], type),
  packing: packed(0),
})
const total = cloud('TCDC', COLUMN, 1, 200)
const ceiling = { level: 'cloud ceiling', surface: { type: 215, value: 0 }, packing: packed(0, 1) } as const
const radiation = onGround('DSWRF', [4, 7], 1)
const mass: InstantField = {
  element: 'MASSDEN',
  level: '8 m above ground',
  number: [20, 0],
  surface: height(8),
  packing: packed(10),
}
/** Diameter of 2.5 µm. */
const organicMatter = {
  aerosol: { type: 62010, diameter: 250 },
  tail: 'aerosol=Particulate organic matter dry:aerosol_size <2.5e-06:',
}

/** Heights of the ceiling above the sea, m; missing where there is none. */
function ceilingAboveSea(scene: MessageScene): Float32Array {
  const surface = heights(scene)
  return map(scene, (w, k) => w.ceiling[k]! + (surface[k] ?? Number.NaN))
}

/** Returns the messages of a `2dfld` file of RRFS that we read, and of those that resemble them. */
export function rrfs(run: number, lead: number): readonly SimulatedMessage[] {
  return [
    instant(lead, onGround('VIS', [19, 0], -1), plane('visibility')),
    instant(lead, onGround('GUST', [2, 22], 2), plane('windGust')),
    instant(
      lead,
      { element: 'MSLET', level: 'mean sea level', number: [3, 192], surface: sea, packing: packed(-1) },
      plane('pressure'),
    ),
    instant(lead, onGround('PRES', [3, 0], -1), plane('surfacePressure')),
    instant(lead, onGround('HGT', [3, 5], 1), heights),
    instant(lead, { ...at.tmp, packing: packed(2) }, plane('temperature')),
    instant(lead, { ...at.dpt, packing: packed(2) }, plane('dewPoint')),
    instant(lead, { ...at.rh, packing: packed(1) }, (s) =>
      map(s, (w, k) => relativeHumidity(w.temperature[k]!, w.dewPoint[k]!)),
    ),
    instant(lead, mass, plane('smoke'), organicMatter),
    instant(lead, { ...wind10[0], packing: packed(2) }, gridWind('u')),
    instant(lead, { ...wind10[1], packing: packed(2) }, gridWind('v')),
    ...(lead > 0 ? sinceRun(run, lead) : []),
    ...surfaceFlags(lead).map((message) => ({ ...message, packing: packed(0) })),
    instant(lead, onGround('CAPE', [7, 6], 0), plane('cape')),
    instant(lead, cloud('LCDC', 'low cloud layer', 3, 214), plane('cloudLow')),
    instant(lead, cloud('MCDC', 'middle cloud layer', 4, 224), plane('cloudMid')),
    instant(lead, cloud('HCDC', 'high cloud layer', 5, 234), plane('cloudHigh')),
    instant(lead, total, plane('cloudCover')),
    ...(lead > 0 ? [interval(lead, 1, 'ave', total, (s) => map(s, (w, k) => w.cloudCover[k]! / 2))] : []),
    instant(lead, { element: 'HGT', number: [3, 5], ...ceiling }, ceilingAboveSea),
    instant(lead, { element: 'CEIL', number: [6, 13], ...ceiling }, ceilingAboveSea),
    instant(lead, radiation, plane('solar')),
  ]
}

/** The real files have the total since the run at every hour; here each of its hours takes time. */
const MAX_TOTAL_HOURS = 24

/** Amounts and means that the analysis does not have. In the first hour TSNOWP is there twice, and APCP once. */
function sinceRun(run: number, lead: number): SimulatedMessage[] {
  const end = run + lead * HOUR
  const liquid = (hours: number): SimulatedMessage =>
    interval(lead, hours, 'acc', { ...at.apcp, packing: packed(3) }, ({ grid }) => fall(grid, 'liquid', end, hours))
  const snowWater = interval(lead, 1, 'acc', onGround('TSNOWP', [1, 241], 3), ({ grid }) => fall(grid, 'snow', end, 1))
  return [
    liquid(1),
    ...(lead > 1 && lead <= MAX_TOTAL_HOURS ? [liquid(lead)] : []),
    snowWater,
    ...(lead === 1 ? [snowWater] : []),
    interval(lead, 1, 'ave', radiation, ({ grid }) => meanSolar(grid, end, 1)),
  ]
}
