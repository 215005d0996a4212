import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { DAY, MINUTE } from '../../ingest/domain/time.ts'
import { LEAD_HOURS } from '../../ingest/domain/verification/forecast.ts'
import { type SkillArea, skillOf, stationSkill } from '../answer/skill.ts'
import {
  leadsOf,
  PAGE_SOURCES,
  type SkillChoice,
  type SkillView,
  skillLink,
  skillPage,
  skillRefusal,
} from '../pages/skill/skill.ts'
import { Problem, problemOf } from '../problem.ts'
import { parseParameters } from '../query/query.ts'
import type { Answer, Route } from '../route.ts'
import { type SkillDeps, skillShape } from './skill.ts'

/** Pages of about 100 KB that are remembered. */
const MAX_PAGES = 64
const PAGE_TTL_MS = 10 * MINUTE

/** The form leaves fields empty that were not filled in. */
const filled = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)

const shape = {
  ...skillShape,
  lead: z
    .preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.literal([...LEAD_HOURS]))
    .default(24)
    .meta({ wanted: `one of ${LEAD_HOURS.join(', ')}` }),
  source: z
    .enum(PAGE_SOURCES)
    .default('blend')
    .meta({ wanted: `one of ${PAGE_SOURCES.join(', ')}` }),
  area: z
    .preprocess(filled, z.string().trim().max(120).optional())
    .meta({ wanted: 'a state, an office, a station or west,south,east,north' }),
}

/** `/skill`: the plots of `/v1/skill`, made by the server. */
export function skillPageRoute({ database, values }: SkillDeps): Route {
  // Scores change once a day; the stations of the country take a second of the database.
  const pages = new LRUCache<string, Promise<Answer>>({ max: MAX_PAGES, ttl: PAGE_TTL_MS })
  const pageOf = async (query: Readonly<Record<string, string>>, now: number): Promise<Answer> => {
    const { area, ...given } = parseParameters(shape, query)
    const named = area === undefined ? {} : areaOf(area)
    if (area !== undefined && [given.state, given.office, given.station, given.bbox].some((one) => one !== undefined))
      throw new Problem('bad-request', 'Wanted area or one of state, office, station, bbox; got both.')
    const leads = leadsOf(given.variable, given.source)
    const lead = leads.includes(given.lead) ? given.lead : leads.includes(24) ? 24 : leads[0]!
    const choice: SkillChoice = { ...given, ...named, lead: lead as SkillChoice['lead'] }
    const simulated = values.current.simulated()
    const name = `${Math.floor(now / DAY)} ${simulated} ${skillLink(choice)}`
    const known = pages.get(name)
    if (known) return known
    const made = read(choice, now).then((view) => {
      if (view.skill.whyEmpty !== null) pages.delete(name)
      return skillPage({ ...view, simulated })
    })
    pages.set(name, made)
    made.catch(() => pages.delete(name))
    return made
  }
  const read = async (choice: SkillChoice, now: number): Promise<Omit<SkillView, 'simulated'>> => {
    const { state, office, station, bbox, variable, days, units, source, lead } = choice
    const asked = { state, office, station, bbox, days, units, now }
    return {
      choice,
      skill: await skillOf(database, { ...asked, variable }),
      reliability: await skillOf(database, { ...asked, variable: 'precip_probability', lead }),
      stations: await stationSkill(database, { ...asked, variable, source, lead }),
    }
  }
  return {
    method: 'get',
    path: '/skill',
    open: true,
    metered: true,
    handle: async ({ query, now }) => {
      try {
        return await pageOf(query, now)
      } catch (error) {
        const problem = problemOf(error)
        if (problem.status >= 500) throw error
        return skillRefusal(problem.status, problem.message)
      }
    },
  }
}

/** What was typed: a state has two letters, an office three, a station four; a box has commas. */
function areaOf(text: string): SkillArea {
  const code = text.toUpperCase()
  if (code.includes(',')) return { bbox: code }
  if (/^[A-Z]{2}$/.test(code)) return { state: code }
  if (/^[A-Z]{3}$/.test(code)) return { office: code }
  if (/^[A-Z0-9]{4}$/.test(code)) return { station: code }
  throw new Problem(
    'bad-request',
    'Wanted a state such as CO, a forecast office such as BOU, a station such as KDEN, or west,south,east,north.',
  )
}
