import type { VerifiedSource } from '../../ingest/domain/verification/forecast.ts'
import type { VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'

/** Names of verified sources, for people. */
export const sourceNames: Readonly<Record<VerifiedSource, string>> = {
  blend: 'As served',
  nbm: 'NBM alone',
  hrrr: 'HRRR alone',
  rrfs: 'RRFS alone',
  gfs: 'GFS alone',
  persistence: 'Last report',
  rtma: 'RTMA analysis',
}

export const variableNames: Readonly<Record<VerifiedVariable, string>> = {
  temperature: 'Temperature',
  dew_point: 'Dew point',
  wind_speed: 'Wind speed',
  wind_gust: 'Wind gust',
  sky: 'Sky cover by category',
  flight_category: 'Flight category',
  precip_probability: 'Probability of precipitation',
  high: 'Daily high',
  low: 'Daily low',
}

export interface ScoreWords {
  readonly title: string
  /** Meaning of the score in one clause. */
  readonly meaning: string
  /** The best values: the least, the greatest, or those near 0 or 1. */
  readonly best: 'least' | 'greatest' | 'zero' | 'one'
  /** Whether the score is a share of 1, which is shown as percent. */
  readonly share?: true
}

const category = (name: string): Readonly<Record<string, ScoreWords>> => ({
  [`${name.toLowerCase()}_pod`]: {
    title: `${name} or worse: hit rate`,
    meaning: `of the hours with ${name} or worse the share that was forecast`,
    best: 'greatest',
    share: true,
  },
  [`${name.toLowerCase()}_far`]: {
    title: `${name} or worse: false alarm ratio`,
    meaning: `of the hours that were forecast as ${name} or worse the share that was not`,
    best: 'least',
    share: true,
  },
  [`${name.toLowerCase()}_csi`]: {
    title: `${name} or worse: critical success index`,
    meaning: `hits among hits, misses and false alarms of ${name} or worse; 1 is perfect`,
    best: 'greatest',
  },
})

export const scoreWords: Readonly<Record<string, ScoreWords>> = {
  mae: {
    title: 'Mean absolute error',
    meaning: 'how far forecasts were from reports, on average',
    best: 'least',
  },
  bias: {
    title: 'Bias',
    meaning: 'mean of forecast minus report; above 0 forecasts were too high',
    best: 'zero',
  },
  rmse: {
    title: 'Root mean square error',
    meaning: 'as the mean absolute error, with more weight on large errors',
    best: 'least',
  },
  within_3f: {
    title: 'Within 3 °F',
    meaning: 'share of forecasts at most 3 °F from the report',
    best: 'greatest',
    share: true,
  },
  same: {
    title: 'Same category',
    meaning: 'share of hours with the category of the report: clear, few, scattered, broken, overcast',
    best: 'greatest',
    share: true,
  },
  near: {
    title: 'At most one category off',
    meaning: 'share of hours with the category of the report or one beside it',
    best: 'greatest',
    share: true,
  },
  brier: {
    title: 'Brier score',
    meaning: 'mean squared error of the probability of 0.01 in an hour; 0 is perfect',
    best: 'least',
  },
  skill: {
    title: 'Brier skill score',
    meaning:
      "share of the station climatology's Brier score that the forecast removes; 0 is no better than climatology",
    best: 'greatest',
  },
  wet: {
    title: 'Wet hours',
    meaning: 'share of hours with 0.01 in or more',
    best: 'zero',
    share: true,
  },
  csi: {
    title: 'Critical success index',
    meaning: 'hits among hits, misses and false alarms; 1 is perfect',
    best: 'greatest',
  },
  frequency_bias: {
    title: 'Frequency bias',
    meaning: 'forecast events divided by observed ones; above 1 rain was forecast too widely',
    best: 'one',
  },
  ...category('MVFR'),
  ...category('IFR'),
  ...category('LIFR'),
}

const errors = ['mae', 'bias'] as const

/** The scores of a variable that are shown first; stations and states are ranked by the first. */
export const mainScores: Readonly<Record<VerifiedVariable, readonly [string, ...string[]]>> = {
  temperature: errors,
  dew_point: errors,
  wind_speed: errors,
  wind_gust: errors,
  sky: ['same', 'bias'],
  flight_category: ['ifr_csi', 'mvfr_csi', 'lifr_csi'],
  precip_probability: ['brier', 'skill', 'bias'],
  high: [...errors, 'within_3f'],
  low: [...errors, 'within_3f'],
}

const marks: Readonly<Record<string, string>> = { F: ' °F', C: ' °C', K: ' K' }

/** Text of a score, such as `2.1 °F`, `64.0 %`, `0.112`. @param unit of errors; null if they have none */
export function scoreText(name: string, value: number, unit: string | null): string {
  if (scoreWords[name]?.share) return `${(100 * value).toFixed(1)} %`
  if (unit !== null && ['mae', 'bias', 'rmse'].includes(name)) {
    const mark = marks[unit] ?? ` ${unit}`
    return `${value.toFixed(Math.abs(value) < 0.995 ? 2 : 1)}${mark}`
  }
  return value.toFixed(3)
}
