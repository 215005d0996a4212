import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { DAY, MINUTE } from '../../ingest/domain/time.ts'
import { LEAD_HOURS } from '../../ingest/domain/verification/forecast.ts'
import { nowcastSkill } from '../answer/nowcast-skill.ts'
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

/** Cached pages, of about 100 KB each. */
const MAX_PAGES = 64
const PAGE_TTL_MS = 10 * MINUTE

/** Treats an empty field as absent, because the form sends all its fields. */
const filled = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)

const shape = {
  ...skillShape,
  lead: z
    .preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.literal([...LEAD_HOURS]))
    .default(24)
    .meta({ expected: `one of ${LEAD_HOURS.join(', ')}` }),
  source: z
    .enum(PAGE_SOURCES)
    .default('blend')
    .meta({ expected: `one of ${PAGE_SOURCES.join(', ')}` }),
  area: z
    .preprocess(filled, z.string().trim().max(120).optional())
    .meta({ expected: 'a state, an office, a station or west,south,east,north' }),
}

/** `/skill`: the plots of `/v1/skill`, drawn by the server. */
export function skillPageRoute({ database, values: { current } }: SkillDeps): Route {
  // Scores change once a day, and reading all stations takes the database a second.
  const pages = new LRUCache<string, Promise<Answer>>({ max: MAX_PAGES, ttl: PAGE_TTL_MS })
  const pageOf = async (query: Readonly<Record<string, string>>, now: number): Promise<Answer> => {
    const { area, ...values } = parseParameters(shape, query)
    const areas = [values.state, values.office, values.station, values.bbox]
    if (area !== undefined && areas.some((value) => value !== undefined))
      throw new Problem('bad-request', 'Use either area, or one of state, office, station and bbox, but not both.')
    const leads = leadsOf(values.variable, values.source)
    const lead = [values.lead, 24].find((hours) => leads.includes(hours)) ?? leads[0]
    const choice: SkillChoice = {
      ...values,
      ...(area !== undefined && areaOf(area)),
      lead: lead as SkillChoice['lead'],
    }
    const simulated = current.simulated()
    const name = `${Math.floor(now / DAY)} ${simulated} ${skillLink(choice)}`
    const cached = pages.get(name)
    if (cached) return cached
    const page = read(choice, now).then((view) => {
      if (view.skill.whyEmpty !== null) pages.delete(name)
      return skillPage({ ...view, simulated })
    })
    pages.set(name, page)
    page.catch(() => pages.delete(name))
    return page
  }
  const read = async (choice: SkillChoice, now: number): Promise<Omit<SkillView, 'simulated'>> => {
    const { state, office, station, bbox, variable, days, units, source, lead } = choice
    const request = { state, office, station, bbox, days, units, now }
    return {
      choice,
      skill: await skillOf(database, { ...request, variable }),
      reliability: await skillOf(database, { ...request, variable: 'precip_probability', lead }),
      stations: await stationSkill(database, { ...request, variable, source, lead }),
      nowcast: await nowcastSkill(database, { days, now }),
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

/** Parses an area: a state has two letters, an office three, a station four characters; a box has commas. @throws Problem */
function areaOf(text: string): SkillArea {
  const code = text.toUpperCase()
  if (code.includes(',')) return { bbox: code }
  if (/^[A-Z]{2}$/.test(code)) return { state: code }
  if (/^[A-Z]{3}$/.test(code)) return { office: code }
  if (/^[A-Z0-9]{4}$/.test(code)) return { station: code }
  throw new Problem(
    'bad-request',
    'The area must be a state such as CO, a forecast office such as BOU, a station such as KDEN, or west,south,east,north. Change it and try again.',
  )
}
