import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { findPlaces } from '../../../ingest/geo/gazetteer.ts'
import { families } from '../../dataset/dataset.ts'
import type { McpDeps } from '../protocol/deps.ts'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { name: string; description: string; required: boolean }[]
  text(args: Readonly<Record<string, string>>): string
}

const place = { name: 'location', description: 'US place: city and state, ZIP code, or lat,lon.', required: true }

const all: readonly Prompt[] = [
  {
    name: 'plan_outdoor_activity',
    title: 'Plan an outdoor activity',
    description: 'Find when the weather of the next days suits an activity at a place.',
    arguments: [
      { name: 'activity', description: 'What is to be done, such as painting a deck.', required: true },
      place,
    ],
    text: ({ activity, location }) =>
      `I want to do this outside: ${activity}. Place: ${location}. Decide which weather it needs and for how many hours, call find_best_window with these criteria, and check get_alerts. Tell me the best two windows in local time, why, how sure it is, and how old the data is.`,
  },
  {
    name: 'severe_weather_briefing',
    title: 'Severe weather briefing',
    description: 'What severe weather threatens a place now and in the coming days.',
    arguments: [place],
    text: ({ location }) =>
      `Give a short severe weather briefing for ${location}: call get_alerts, get_severe_outlook, get_storm_tracks and get_precipitation_nowcast. Say first what needs action now, then the next three days. Name every source that failed or is old: a missing source is not an all-clear.`,
  },
  {
    name: 'explore_dataset',
    title: 'Explore a dataset',
    description: 'Learn what a dataset holds and query it for the first time.',
    arguments: [{ name: 'dataset_id', description: 'Id of a dataset, as list_datasets names it.', required: true }],
    text: ({ dataset_id }) =>
      `Call describe_dataset for ${dataset_id}. Tell me in plain words what it holds, for where, how often it is updated and how old it is now. Then suggest three questions that query_dataset could answer with it, and run the first for Denver, CO.`,
  },
]

export const prompts = all.map(({ text: _, ...listed }) => listed)

/** Returns the message of a prompt. @throws ProtocolError invalid params for an unknown prompt or a missing argument */
export function getPrompt(name: string, args: Readonly<Record<string, string>>): object {
  const prompt = all.find((candidate) => candidate.name === name)
  if (!prompt)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown prompt: ${name.slice(0, 80)}. The prompts are ${all.map((known) => known.name).join(', ')}.`,
    )
  const missing = prompt.arguments.filter((argument) => argument.required && !args[argument.name])
  if (missing.length > 0)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Prompt ${name} requires ${missing.map((argument) => argument.name).join(', ')}.`,
    )
  const short = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value).slice(0, 200)]))
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(short) } }],
  }
}

/** Returns up to ten places whose name begins with or resembles the text. */
export const completePlace = (value: string): string[] =>
  value.trim() ? findPlaces(value, 10).map((match) => `${match.name}, ${match.state}`) : []

/** Returns suggested values for an argument of a prompt. */
export async function completePrompt(
  deps: McpDeps,
  name: string,
  argument: { name: string; value: string },
): Promise<string[]> {
  if (!all.some((prompt) => prompt.name === name && prompt.arguments.some((known) => known.name === argument.name)))
    return []
  if (argument.name === 'location') return completePlace(argument.value)
  if (argument.name === 'dataset_id')
    return families(deps)
      .map(({ id }) => id)
      .filter((id) => id.startsWith(argument.value.toLowerCase()))
  return []
}
