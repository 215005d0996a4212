import type { DomainId } from '../../../ingest/domain/domain.ts'
import { type LEAD_HOURS, READ_SOURCES, type VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import { VARIABLES, type VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import { domainOfState, states } from '../../../ingest/geo/state.ts'
import type { Skill, SkillArea } from '../../answer/skill.ts'
import type { StationScores } from '../../answer/station-scores.ts'

/** What all pages of a scoreboard have in common. */
export interface Board {
  /** First and last day (UTC). */
  readonly firstDay: string
  readonly lastDay: string
  readonly days: number
  readonly units: 'imperial' | 'metric'
  /** True if the weather is simulated, which each page says. */
  readonly simulated: boolean
  /** The regions that have pages: a state has some if one of its stations was compared. */
  readonly areas: readonly BoardArea[]
}

/** A region with pages of its own. */
export interface BoardArea {
  /** Part of the path: `US`, `conus`, or the postal code of a state. */
  readonly id: string
  readonly name: string
  /** The area as `/v1/skill` has it. */
  readonly query: SkillArea
  /** Postal codes of its states; undefined for a state, which has stations instead. */
  readonly states?: readonly string[]
  /** Domain of its radar. */
  readonly domain: DomainId
}

/** The scores of a region by variable. */
export interface AreaScores {
  readonly area: BoardArea
  readonly skills: ReadonlyMap<VerifiedVariable, Skill>
}

/** Everything that the pages of one region show. */
export interface AreaView extends AreaScores {
  /** The scores of its states; empty for a state. */
  readonly parts: readonly AreaScores[]
  readonly stations: StationScores
}

/** The compared sources in the order of columns. */
export const COLUMNS: readonly VerifiedSource[] = [...READ_SOURCES, 'persistence']
/** Lead of the tables that compare regions and stations, hours; every variable has it. */
export const MAIN_LEAD: (typeof LEAD_HOURS)[number] = 24

const conus = states.flatMap(({ code }) => (code === 'AK' || code === 'HI' ? [] : [code]))

/** The regions: the country, the contiguous states, and each state. Alaska and Hawaii are domains and states at once. */
export const AREAS: readonly BoardArea[] = [
  { id: 'US', name: 'the 50 states and DC', query: {}, states: states.map(({ code }) => code), domain: 'conus' },
  { id: 'conus', name: 'the lower 48 states and DC', query: { domain: 'conus' }, states: conus, domain: 'conus' },
  ...states.map(({ code, name }): BoardArea => {
    const domain = domainOfState(code)
    return { id: code, name, query: { state: code }, domain }
  }),
]

export const indexPath = ({ id }: Pick<BoardArea, 'id'>) => (id === 'US' ? 'index.html' : `areas/${id}/index.html`)
export const variablePath = ({ id }: Pick<BoardArea, 'id'>, variable: VerifiedVariable) =>
  `areas/${id}/${variable}.html`
export const stationPath = (id: string) => `stations/${id}.html`
export const NOWCAST_PATH = 'nowcast.html'
export const areaDataPath = ({ id }: Pick<BoardArea, 'id'>) => `data/areas/${id}.json`
export const areaTablePath = (variable: VerifiedVariable) => `data/areas-${variable}.csv`
export const stationTablePath = (variable: VerifiedVariable) => `data/stations-${variable}.csv`

/** The data files that the overview lists, with their content. */
export const dataFiles: readonly (readonly [path: string, content: string])[] = [
  ...VARIABLES.map((variable) => [areaTablePath(variable), 'regions, with intervals'] as const),
  ...VARIABLES.map((variable) => [stationTablePath(variable), 'stations'] as const),
  ['data/nowcast.csv', 'nowcasts, with intervals'],
  ['data/nowcast-days.csv', 'nowcasts by day, of periods of at most 31 days'],
  ['data/nowcast.json', 'nowcasts, with their reliability'],
]
