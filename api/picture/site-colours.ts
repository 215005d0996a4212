import { hydrometeors, type RadarProduct } from '../../ingest/domain/weather/radar-scan.ts'
import { type ColourStep, echo, hex, type Palette } from './colours.ts'

/** Colours of radial velocity, m/s: green towards the radar, red away from it, darker for slower motion. */
const speeds: readonly ColourStep[] = [
  hex(-80, '00ffff'),
  hex(-32, '00ff00'),
  hex(-25, '00d000'),
  hex(-18, '00a800'),
  hex(-11, '008000'),
  hex(-5, '005800'),
  hex(-1, '707070'),
  hex(1, '580000'),
  hex(5, '800000'),
  hex(11, 'a80000'),
  hex(18, 'd00000'),
  hex(25, 'ff0000'),
  hex(32, 'ffa0a0'),
]

const classes = '9c9c9c 767676 ffafaf 00ffff 0090ff 00fb90 00bb00 d0d060 d2848e ff0000 a01414 ffff00 e700ff'.split(' ')

/** The palette of a product of single radars. */
export function sitePalette({ name, title, unit }: RadarProduct): Palette {
  if (name === 'reflectivity') return { ...echo, title }
  if (name === 'hydrometeor_class') return { title, unit, steps: classes.map((colour, k) => hex(k + 1, colour)) }
  return { title, unit, steps: speeds }
}

/** The word for a class in a legend. */
export const classWord = (from: number): string | undefined => hydrometeors[from]
