import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { entryOf } from '../domain/nth.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { conus } from './domains.ts'

/** An outlook file of the SPC, and the text product with the same content. */
export interface OutlookFile {
  /** Name of the file without its extension, such as `day1otlk_torn`. */
  readonly product: string
  /** Addresses of both forms (separate areas, nested areas), which agree at every point; the first available form is read. */
  readonly urls: readonly string[]
  /** Addresses of the points product with the same content, in order of preference; absent if there is none. */
  readonly points?: (now: Instant) => readonly string[]
}

const spc = 'https://www.spc.noaa.gov/products'
const raw = 'https://tgftp.nws.noaa.gov/data/raw'

const file = (folder: string, product: string, points?: OutlookFile['points']): OutlookFile => ({
  product,
  urls: ['nolyr', 'lyr'].map((form) => `${spc}/${folder}/${product}.${form}.geojson`),
  points,
})

/** UTC times of issuance under which the points product of a day is archived, newest first. */
const cycles: Readonly<Record<number, readonly string[]>> = {
  1: ['2000', '1630', '1300', '1200', '0100'],
  2: ['1730', '0600'],
  3: ['1930', '0730'],
}

const textOf = (day: 1 | 2 | 3) => (now: Instant) => [
  `${raw}/wu/wuus0${day}.kwns.pts.dy${day}.txt`,
  ...[now, now - 24 * HOUR]
    .flatMap((at) => {
      const { day: date } = stamp(at)
      return entryOf(cycles, day).map((cycle) => ({ date, cycle }))
    })
    .filter(({ date, cycle }) => `${date}${cycle}` <= `${stamp(now).day}${stamp(now).hour}59`)
    .slice(0, 2)
    .map(({ date, cycle }) => `${spc}/outlook/archive/${date.slice(0, 4)}/KWNSPTSDY${day}_${date}${cycle}.txt`),
]

const days12 = ([1, 2] as const).flatMap((day) =>
  ['cat', 'torn', 'hail', 'wind', 'cigtorn', 'cighail', 'cigwind'].map((part) =>
    file('outlook', `day${day}otlk_${part}`, textOf(day)),
  ),
)
const day3 = ['cat', 'prob', 'cigprob'].map((part) => file('outlook', `day3otlk_${part}`, textOf(3)))
const days48 = [4, 5, 6, 7, 8].map((day) =>
  file('exper/day4-8', `day${day}prob`, () => [`${raw}/wu/wuus48.kwns.pts.d48.txt`]),
)
const fire12 = [1, 2].flatMap((day) =>
  ['windrh', 'dryt'].map((part) =>
    file('fire_wx', `day${day}fw_${part}`, () => [`${raw}/fn/fnus3${day}.kwns.pfw.fd${day}.txt`]),
  ),
)
const fire38 = [3, 4, 5, 6, 7, 8].flatMap((day) =>
  ['windrhcat', 'windrhprob', 'drytcat', 'drytprob'].map((part) =>
    // The text product has only critical areas, without their kind.
    file(
      'exper/fire_wx',
      `day${day}fw_${part}`,
      part === 'windrhcat' ? () => [`${raw}/fn/fnus38.kwns.pfw.f38.txt`] : undefined,
    ),
  ),
)

export const outlookFiles: readonly OutlookFile[] = [...days12, ...day3, ...days48, ...fire12, ...fire38]

export const spcOutlooks = {
  id: 'spc-outlooks',
  role: 'outlooks',
  stateKey: 'spc',
  title: 'SPC convective and fire weather outlooks',
  description:
    'Categories, probabilities of tornadoes, hail and wind, and conditional intensity groups of days 1 to 3, severe storms of days 4 to 8, fire weather of days 1 to 8.',
  kind: 'event',
  provider: 'NOAA/NWS/SPC',
  attribution: 'NWS Storm Prediction Center outlooks',
  domains: [conus],
  cadenceSeconds: 5 * 3600,
  pollSeconds: 120,
  latencySeconds: 600,
  staleAfterSeconds: 30 * 3600,
  deadlineSeconds: 0,
} as const satisfies FeedDataset
