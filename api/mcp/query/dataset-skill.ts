import { SOURCES } from '../../../ingest/domain/verification/forecast.ts'
import type { VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import { skillOf } from '../../answer/skill.ts'
import type { ToolContext } from '../protocol/context.ts'

/** Variables whose scores are errors in a physical unit. */
const VARIABLES: readonly VerifiedVariable[] = ['temperature', 'dew_point', 'wind_speed', 'wind_gust']
const DAYS = 30

interface Errors {
  readonly bias: number
  readonly mae: number
  /** Number of pairs of a forecast and an observation. */
  readonly n: number
}

/** Errors of a dataset against METARs, SI units, by variable and lead hours. */
export interface DatasetSkill {
  readonly skill: Readonly<Record<string, Readonly<Record<string, Errors>>>> | null
  /** Why there are no errors; undefined if there are some, and for datasets that are not compared. */
  readonly why?: string
}

/** Errors of the last 30 days over the US; leads with fewer than 30 pairs are left out. */
export async function datasetSkill({ deps, now }: ToolContext, dataset: string): Promise<DatasetSkill> {
  const source = SOURCES.find((name) => name === dataset)
  if (!source) return { skill: null }
  const skill: Record<string, Record<string, Errors>> = {}
  let why = ''
  const results = await Promise.all(
    VARIABLES.map(async (variable) => {
      const request = { variable, days: DAYS, source, units: 'si', now } as const
      return { variable, ...(await skillOf(deps.database, request)) }
    }),
  )
  for (const { variable, figures, whyEmpty } of results) {
    if (whyEmpty) why ||= whyEmpty
    for (const { leadHours, pairs, scores } of figures) {
      const { bias, mae } = scores
      if (!bias || !mae) continue
      skill[variable] ??= {}
      skill[variable][leadHours] = { bias: rounded(bias.value), mae: rounded(mae.value), n: pairs }
    }
  }
  return Object.keys(skill).length > 0 ? { skill } : { skill: null, why: why || 'no forecast has been compared yet.' }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
