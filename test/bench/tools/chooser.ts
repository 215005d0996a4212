import type { Tool } from '../../../api/mcp/protocol/tool.ts'
import { states } from '../../../ingest/geo/state.ts'

const words = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]+|\d+/g) ?? []).map((word) => word.replace(/(?<=..)(ing|ed|es|s)$/, ''))

/** The words of the description of each tool. A clause that refers to another tool counts for the other tool. */
function textsOf(tools: readonly Tool[]): Map<string, string[]> {
  const names = tools.map(({ name }) => name)
  const texts = new Map(names.map((name) => [name, []] as [string, string[]]))
  for (const { name, title, description } of tools) {
    texts.get(name)?.push(...words(title), ...words(name.replaceAll('_', ' ')))
    for (const clause of description.split(/[.;:](?:\s|$)/)) {
      const otherTools = names.filter((other) => other !== name && clause.includes(other))
      for (const to of otherTools.length > 0 ? otherTools : [name])
        texts.get(to)?.push(...words(clause.replace(/\b[a-z]+_[a-z_]+\b/g, '')))
    }
  }
  return texts
}

/** The tool whose description fits a question best (Okapi BM25), with arguments by the names of its input. */
export function scripted(tools: readonly Tool[]): (question: string) => { tool: string; arguments: object } {
  const texts = textsOf(tools)
  const mean = [...texts.values()].reduce((sum, list) => sum + list.length, 0) / texts.size
  const score = (list: readonly string[], question: string) =>
    [...new Set(words(question))].reduce((sum, word) => {
      const holders = [...texts.values()].filter((other) => other.includes(word)).length
      const count = list.filter((term) => term === word).length
      const rarity = Math.log(1 + (texts.size - holders + 0.5) / (holders + 0.5))
      return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * list.length) / mean))
    }, 0)
  return (question) => {
    const [best] = [...texts].map(([name, list]) => [name, score(list, question)] as const).sort((a, b) => b[1] - a[1])
    const tool = tools.find(({ name }) => name === best?.[0]) as Tool
    return { tool: tool.name, arguments: argumentsOf(tool, question) }
  }
}

function argumentsOf({ input }: Tool, question: string): object {
  const known = (name: string) => name in input.shape
  const point = /(-?\d+\.\d+), (-?\d+\.\d+)/.exec(question)
  const named = [...question.matchAll(/\b([A-Z][a-z]+(?: [A-Z][a-z]+)*, [A-Z][A-Za-z]+)\b/g)].map(([, name]) => name)
  const place = named.at(-1) ?? /(?:in|called) ([A-Z][a-z]+)(?:\?| with)/.exec(question)?.[1]
  const out: Record<string, unknown> = {}
  if (known('locations')) out['locations'] = named.map((location) => ({ location }))
  else if (known('query')) out['query'] = place
  else if (known('lat') && point) Object.assign(out, { lat: Number(point[1]), lon: Number(point[2]) })
  else if (known('location') && place) out['location'] = place
  if (known('variables')) out['variables'] = ['temperature']
  const state = states.find(({ name }) => new RegExp(`state of ${name}\\b`).test(question))
  if (known('area') && state) out['area'] = state.code
  const event = /\b((?:tornado|severe thunderstorm|blizzard) warning)/i.exec(question)?.[1]
  if (known('event') && event) out['event'] = event.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
  return out
}

/**
 * A model at an address: POST `{question, tools}` (and `{history}` of its calls with their texts), answered by
 * `{tool, arguments}` or `{answer}`. Any model server can be adapted to that.
 */
export async function askModel(
  address: string,
  request: { question: string; tools: unknown; history: readonly object[] },
): Promise<{ tool?: string; arguments?: object; answer?: string }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(120_000),
  })
  if (!response.ok) throw new Error(`the model at ${address} answered ${response.status}`)
  return (await response.json()) as { tool?: string; arguments?: object; answer?: string }
}
