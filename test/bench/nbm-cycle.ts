import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Message, readMessages } from 'grib2-wasm'
import { gribMessage } from '../../infra/simulator/grib.ts'
import { grids } from '../../infra/simulator/grids.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { ScalarItem } from '../../ingest/steps/grid/sample-request.ts'
import { seeded } from '../tile/made-slabs.ts'

/** The elements of a synthetic cycle, based on real messages: as many of each kind as an NBM file has. */
export interface Element {
  readonly variable: string
  readonly kind: Kind
  readonly offset?: number
}

type Kind = 'smooth' | 'clouds' | 'land' | 'rare'

const list = (kind: Kind, offset: number | undefined, names: string): Element[] =>
  names
    .trim()
    .split(/\s+/)
    .map((variable) => ({ kind, variable, offset }))

/** 50 elements. Degrees are moved into the ranges of speeds and depths by an offset; their steps stay. */
export const elements: readonly Element[] = [
  ...list('smooth', 0, 'temperature dew_point temperature_max_12h temperature_min_12h'),
  ...list(
    'smooth',
    -260,
    `wind_speed wind_gust wind_speed_p10 wind_speed_p50 wind_speed_p90 wind_gust_p10 wind_gust_p50 wind_gust_p90
     temperature_stddev dew_point_stddev wind_speed_stddev wind_gust_stddev precip_amount precip_amount_6h
     precip_amount_p10 precip_amount_p50`,
  ),
  ...list(
    'clouds',
    0,
    `cloud_cover cloud_cover_low cloud_cover_mid cloud_cover_high humidity precip_probability precip_probability_6h
     precip_probability_12h precip_type_rain_prob thunderstorm_probability thunderstorm_probability_3h
     visibility_prob_below_5mi`,
  ),
  ...list('land', -260, 'snow_ratio precip_rate ice_amount ice_amount_6h'),
  ...list(
    'rare',
    0,
    `snow_prob_gt_1in snow_prob_gt_2in snow_prob_gt_4in precip_type_snow_prob precip_type_freezing_rain_prob
     precip_type_ice_pellets_prob visibility_prob_below_1mi visibility_prob_below_2mi visibility_prob_below_3mi
     ceiling_prob_below_500ft ceiling_prob_below_1000ft ceiling_prob_below_2000ft tornado_prob hail_prob`,
  ),
]

const folder = fileURLToPath(new URL('../../../shared/fixtures/binary/nbm/', import.meta.url))
/** Number of editions of each field, one for each hour; then they are used backwards. */
const editions = 8

export const fixturesAreThere = existsSync(folder)

const sources: Record<Kind, readonly [file: string, messages: readonly number[], decimal: number, binary: number]> = {
  smooth: ['nbm-multilevel-tcdc.grib2', [1], 1, 0],
  clouds: ['nbm-multilevel-tcdc.grib2', [2], 0, 0],
  land: ['nbm-multilevel-tcdc.grib2', [0], 1, 2],
  rare: ['nbm-asnow-prob-thresholds.grib2', [0, 1, 2], 0, 0],
}

/**
 * Real NBM fields, shifted by three points an hour and, where they are smooth, changed by a step in places, so that
 * neither space nor time compresses better than for real weather; packed again as NBM packs them.
 */
export function makeMessages(): Record<Kind, Uint8Array[]> {
  const messagesByKind = {} as Record<Kind, Uint8Array[]>
  const random = seeded(3)
  for (const [kind, [file, numbers, decimal, binary]] of Object.entries(sources) as [Kind, (typeof sources)[Kind]][]) {
    const messages = [...readMessages(readFileSync(folder + file))]
    messagesByKind[kind] = numbers.flatMap((number) => {
      const field = nth(messages, number).values()
      return Array.from({ length: editions }, (_, edition) =>
        repack(nth(messages, number), field, edition, decimal, binary, random),
      )
    })
  }
  return messagesByKind
}

function repack(
  { grid, packing }: Message,
  field: Float32Array,
  edition: number,
  decimal: number,
  binary: number,
  random: () => number,
): Uint8Array {
  const { nx, ny } = grid
  const values = new Float32Array(field.length)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const from = Math.min(ny - 1, j + edition) * nx + Math.min(nx - 1, i + 3 * edition)
      const stir = packing.quantum < 1 && random() < 0.3 ? (random() < 0.5 ? -1 : 1) * packing.quantum : 0
      values[j * nx + i] = nth(field, from) + stir
    }
  }
  const origin = { centre: 7, subcentre: 14, run: Date.UTC(2026, 5, 16, 12) }
  const product = { discipline: 0, category: 0, number: 0, surface: { type: 103, value: 2 }, leadHours: 1 }
  return gribMessage(origin, grids.nbmConus, product, { template: 3, decimal, binary, order: 2 }, values)
}

/** The message of an element at a lead: editions forth and back, so that consecutive hours are similar. */
export function itemAt(
  messagesByKind: Record<Kind, Uint8Array[]>,
  element: number,
  lead: number,
  run: number,
): ScalarItem {
  const { variable, kind, offset } = nth(elements, element)
  const phase = (lead + element) % (2 * editions - 2)
  const edition = phase < editions ? phase : 2 * editions - 2 - phase
  const several = messagesByKind[kind].length / editions
  const bytes = nth(messagesByKind[kind], (element % several) * editions + edition)
  return { kind: 'scalar', variable, offset, time: run + lead * 3_600_000, message: { bytes: bytes.slice() } }
}
