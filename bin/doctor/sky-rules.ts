import { MINUTE } from '../../ingest/domain/time.ts'
import { type AnyJson, daysOf, each, isNumber, limitsOf, rowsOf } from './answer-members.ts'
import type { Rule } from './rule.ts'

/**
 * Greatest visibility (km) for rates (mm/h of liquid) from a limit on: twice the mean of the relations in
 * docs/CONSISTENCY.md, rounded up.
 */
const rainVisibility: readonly (readonly [rate: number, km: number])[] = [
  [25, 2.8],
  [7.6, 6.8],
  [2.5, 15.6],
]
const snowVisibility: typeof rainVisibility = [
  [2.5, 1.1],
  [1, 2.2],
  [0.3, 5.4],
]
/**
 * Minimum cloud cover (percent) with any and with moderate precipitation, and the rate (mm/h) from which each applies,
 * after rounding.
 */
const LEAST_CLOUDS = 60
const MODERATE_CLOUDS = 90
const MODERATE_RAIN = 2.53
const MODERATE_SNOW = 1.03

const layerNames = ['cloud_cover_low', 'cloud_cover_mid', 'cloud_cover_high']

/**
 * Describes how the row contradicts precipitation that is observed or in a step of the nowcast; undefined if it agrees.
 */
function drySky({ units }: AnyJson, row: AnyJson, rate: number): string | undefined {
  const mm = units?.precip_amount === 'mm' ? rate : rate * 25.4
  const km = units?.visibility === 'km' ? row.visibility : row.visibility * 1.609344
  const isSnow = row.precip_type === 'snow'
  const isModerate = mm >= (isSnow ? MODERATE_SNOW : MODERATE_RAIN)
  const table = isSnow ? snowVisibility : rainVisibility
  const [, farthest] = table.find(([least]) => mm >= least * 1.01) ?? [0, Number.POSITIVE_INFINITY]
  const faults = [
    isNumber(row.cloud_cover) && row.cloud_cover < (isModerate ? MODERATE_CLOUDS : LEAST_CLOUDS)
      ? `cloud ${row.cloud_cover} %`
      : '',
    row.cloud_ceiling_unlimited ? 'ceiling unlimited' : '',
    isNumber(row.visibility) && km > farthest ? `visibility ${row.visibility}` : '',
  ].filter(Boolean)
  return faults.length > 0 ? `${row.time} ${row.precip_type} ${rate}: ${faults.join(', ')}` : undefined
}

/** Rules about the sky. */
export const skyRules: readonly Rule[] = [
  {
    name: 'an unlimited ceiling has no height',
    check: (answer) =>
      each([answer.current, ...rowsOf(answer), ...daysOf(answer)].filter(Boolean), (row) =>
        row.cloud_ceiling_unlimited && isNumber(row.cloud_ceiling ?? row.cloud_ceiling_min)
          ? `${row.time ?? row.date}`
          : undefined,
      ),
  },
  {
    name: 'where the radar or the nowcast has rain or snow the sky is not clear',
    check(answer) {
      const { radar, current, nowcast } = answer
      const rate = radar?.coverage === 'value' ? radar.precip_rate : 0
      const observed = current && rate > 1.5 * limitsOf(answer).wetRate ? [current] : []
      return [
        ...each(observed, (row) => drySky(answer, row, rate)),
        ...each(rowsOf(answer), (row) => {
          const time = Date.parse(row.time)
          const step = nowcast?.points.findLast((point: AnyJson) => Date.parse(point.time) <= time)
          const covers = step && Date.parse(step.time) > time - 5 * MINUTE
          if (!covers || step.type === 'none' || !(step.precip_rate > 0)) return undefined
          return row.precip_type && row.precip_type !== 'none' ? drySky(answer, row, step.precip_rate) : undefined
        }),
      ]
    },
  },
  {
    name: 'the total of clouds is at least the greatest layer and at most their sum',
    check: (answer) =>
      each([answer.current, ...rowsOf(answer)].filter(Boolean), (row) => {
        const layers: number[] = layerNames.map((name) => row[name])
        const { time, cloud_cover: total } = row
        if (!isNumber(total) || !layers.every(isNumber)) return undefined
        const sum = layers.reduce((a, b) => a + b, 0)
        return Math.max(...layers) > total || Math.min(100, sum) < total
          ? `${time} ${total} %, layers ${layers.join(', ')} %`
          : undefined
      }),
  },
]
