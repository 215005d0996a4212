import { ordinary } from '../../api/mcp/calls.ts'

/** Most tokens (four characters each) in the text of a usual answer: 2,000 characters. */
const MAX_TOKENS = 500
/** Most tokens in a concise answer. */
const MAX_CONCISE = 150

const towns = [
  'Denver, CO',
  'Miami, FL',
  'Seattle, WA',
  'Chicago, IL',
  'Dallas, TX',
  'Fargo, ND',
  'Boise, ID',
  'Anchorage, AK',
  'Honolulu, HI',
  'Burlington, VT',
]

export interface AnswerSize {
  readonly name: string
  readonly most: number
  readonly limit: number
}

/** Sizes of an ordinary call of every tool, and of the tools with detail levels at ten places. */
export async function sizesOfUsualAnswers(
  callTool: (name: string, args: object) => Promise<string>,
): Promise<AnswerSize[]> {
  const sizes: AnswerSize[] = []
  const measure = async (label: string, limit: number, calls: readonly [name: string, args: object][]) => {
    let most = 0
    for (const [name, args] of calls) most = Math.max(most, Math.ceil((await callTool(name, args)).length / 4))
    sizes.push({ name: label, most, limit })
  }
  for (const [name, args] of Object.entries(ordinary)) await measure(name, MAX_TOKENS, [[name, args]])
  for (const name of ['get_forecast', 'get_hourly_forecast'])
    for (const level of ['standard', 'concise'] as const)
      await measure(
        `${name}, ${level}, ${towns.length} places`,
        level === 'concise' ? MAX_CONCISE : MAX_TOKENS,
        towns.map((location) => [name, { location, detail_level: level }]),
      )
  return sizes
}
