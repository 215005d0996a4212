import type { ColourStep, Palette } from './colours.ts'

/**
 * The color schemes of RainViewer's tiles by the number in their address. The colors are those of the table that RainViewer publishes
 * (https://www.rainviewer.com/api/color-schemes.html, as of 2025), each channel within 1 of 255. Each entry is a reflectivity in dBZ with
 * red, green, blue and opacity in hexadecimal digits; between two entries the colors are interpolated.
 */

const LOWEST_DBZ = -31
const HIGHEST_DBZ = 95

const snowFrom0 = '0:cfffff00 20:bfffffff 35:5f9fffff 65:003fffff 85:0000ffff'
const snowFromMinus10 = '-10:cfffff00 10:bfffffff 25:5f9fffff 55:003fffff 75:0000ffff'
const nexrad =
  '0:04e9e7ff 5:00efe7ff 10:009cf7ff 15:0000f7ff 20:00ff00ff 29:078004ff 30:087305ff 35:ffff00ff 40:ecce00ff 45:fe9300ff 50:ff0000ff ' +
  '55:bd0000ff 60:bd0000ff 65:fe00feff 70:9c52c6ff 75:fefefeff'

const schemes = [
  // The red channel of this scheme is the reflectivity plus 32, with 128 added for snow.
  ['Black and White: dBZ values', '-31:010101ff 95:7f7f7fff', '-31:818181ff 95:ffffffff'],
  [
    'Original',
    '10:dfdfdfff 15:9bea8fff 20:58ff42ff 25:47c278ff 30:4793f9ff 35:0c59ffff 40:6153c1ff 45:ff93a3ff 50:ff3f35ff 55:c20511ff ' +
      '60:ffeb0aff 65:ff9811ff 70:a84c06ff 75:dda8ffff 80:ffffffff',
    '10:8fffffff 25:5fcfffff 30:4fafffff 55:005fffff 80:000fffff',
  ],
  [
    'Universal Blue',
    '-10:63615914 5:92887164 10:cec08796 14:ded097be 15:88ddeeff 20:00a3e0ff 25:0077aaff 30:005588ff 34:004768ff 35:ffee00ff ' +
      '40:ffaa00ff 44:ff8100ff 45:ff4400ff 50:c10000ff 54:5d0000ff 55:ffaaffff 64:ff4effff 65:ffffffff 74:ffffffff 75:00ff00ff',
    snowFromMinus10,
  ],
  [
    'TITAN',
    '-10:353535ff -5:757575ff 0:005a00ff 5:007e00ff 10:087fdbff 15:1c47e8ff 20:6e0dc6ff 25:c80f86ff 30:c06487ff 35:d2883bff ' +
      '40:fac431ff 45:fefb02ff 50:fe9a58ff 55:fe5f05ff 60:fd341cff 65:bebebeff 70:d3d3d3ff',
    snowFromMinus10,
  ],
  [
    'The Weather Channel',
    '5:63eb63ff 10:63eb63ff 15:3dc63dff 20:1f9e34ff 25:116719ff 34:023002ff 35:ffff00ff 40:ff7f00ff 45:e60000ff 50:cd0000ff ' +
      '55:9b0000ff 65:690000ff 69:d000c5ff 70:ffffffff',
    snowFrom0,
  ],
  [
    'Meteored',
    '9:3ffefcff 12:31d2fcff 17:1a7af8ff 22:0416f4ff 23:0000f3ff 24:74f560ff 30:3fbd3aff 33:2aa12bff 38:16731eff 39:feff49ff ' +
      '47:fab838ff 53:f67d2cff 54:ed2222ff 62:a10f23ff 68:67061dff 69:f649d1ff 73:d044c9ff 74:c742c5ff 79:853897ff 84:502a68ff',
    '5:00000000 10:3ffefcff 15:1790f9ff 20:0000f3ff 25:41ff50ff 30:32c23dff 35:4b8339ff 40:ffff50ff 45:fdbb3cff 50:df5e0bff ' +
      '55:fd8788ff 60:e90000ff 65:a80000ff 70:ef5beeff 75:924cbeff 80:502a68ff',
  ],
  ['NEXRAD Level III', nexrad, nexrad],
  [
    'Rainbow',
    '10:009f9fff 15:008c4bff 20:00d319ff 25:21fd22ff 30:fffd1bff 35:ffd400ff 40:ffab00ff 45:ff6e00ff 50:f01002ff 55:d00523ff ' +
      '60:e400b1ff 65:ff33ffff 75:ff99ffff 80:ffaaffff',
    snowFrom0,
  ],
  ['Dark Sky', '0:005eb600 20:005eb699 25:2458afdd 30:8e4b9bff 35:fc5370ff 40:ffb76eff 45:fffd05ff', snowFrom0],
] as const

/** Red, green, blue and opacity, 0 to 255. */
type Rgba = readonly number[]

interface SchemeStop {
  readonly from: number
  readonly rgba: Rgba
}

function stopsOf(text: string): SchemeStop[] {
  return text.split(' ').map((entry) => {
    const [from = '', digits = ''] = entry.split(':')
    return { from: Number(from), rgba: [0, 2, 4, 6].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) }
  })
}

/** Returns a step for each dBZ from the first entry on. */
function stepsOf(text: string): ColourStep[] {
  const stops = stopsOf(text)
  const first = stops[0]?.from ?? LOWEST_DBZ
  return Array.from({ length: HIGHEST_DBZ - first + 1 }, (_, n) => {
    const from = first + n
    const before = stops.findLast((stop) => stop.from <= from)
    const after = stops.find((stop) => stop.from > from)
    const share = before && after ? (from - before.from) / (after.from - before.from) : 0
    const channel = (c: number): number => {
      const start = before?.rgba[c] ?? 0
      return Math.floor(start + ((after?.rgba[c] ?? start) - start) * share + 1e-9)
    }
    return { from, colour: [channel(0), channel(1), channel(2)], alpha: channel(3) }
  })
}

const palettesOfSchemes: readonly Palette[] = schemes.map(([title, rain, snow]) => ({
  title,
  unit: 'dBZ',
  steps: stepsOf(rain),
  snow: stepsOf(snow),
}))

/** The number of RainViewer's raw source, which its documentation names and does not describe: it has the colors of scheme 0 here. */
const RAW_SOURCE = '255'

/** Returns the palette of a color number of an address; undefined for a number that RainViewer does not have. */
export const rainViewerPalette = (number: string): Palette | undefined =>
  number === RAW_SOURCE ? palettesOfSchemes[0] : palettesOfSchemes[/^\d$/.test(number) ? Number(number) : -1]
