import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { precipRateAt } from '../../../infra/simulator/atmosphere.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { zonesAt } from '../../../ingest/geo/zone.ts'
import { activeAt, centreOf, isInside } from '../../bench/tools/questions/alerts.ts'
import { HOUR, kmBetween, MINUTE, towns } from '../../bench/tools/truth.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Each skill makes its calls in situations whose truth the simulator knows, and the tools must say what its evaluation expects. */

interface Call {
  readonly tool: string
  readonly arguments: Record<string, unknown>
}
interface Case {
  readonly situation: 'alert' | 'quiet' | 'rain' | 'unread'
  readonly call: string
  readonly says: string
  readonly never?: string
}

const folder = 'skills'
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
const textOf = (name: string) => readFileSync(join(folder, name, 'SKILL.md'), 'utf8')
const casesOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, name, 'evaluation.json'), 'utf8')) as readonly Case[]
const callsOf = (text: string): Call[] =>
  [...text.matchAll(/```json\n([^`]*)```/g)].map(([, call]) => JSON.parse(call ?? '') as Call)

/** Replaces the placeholders of a text. */
const filled = (text: string, facts: Readonly<Record<string, string>>): string =>
  Object.entries(facts).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text)

let sky: SkyServer
let unread: EdgeServer
let unreadClient: Client
const facts = new Map<Case['situation'], Readonly<Record<string, string>>>()

beforeAll(async () => {
  sky = await skyServer({ coarse: 10, frames: ['mrms-precip-rate', 'storm-tracks', 'storm-cells'] })
  unread = await edgeServer()
  unreadClient = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${await unread.key()}` } }
  await unreadClient.connect(new StreamableHTTPClientTransport(new URL(`${unread.base}/mcp`), { requestInit }))
  const now = Date.now()
  const times = {
    start: new Date(now + 2 * MINUTE).toISOString(),
    end: new Date(now + 6 * HOUR).toISOString(),
  }
  const alerts = activeAt(now).flatMap(({ event, ring, ends }) => (ring ? [{ event, at: centreOf(ring), ends }] : []))
  const alert = alerts.find(({ at }) => isInside(at)) ?? alerts[0]
  // The server has no outlines of zones here, so near an alert of zones it is not known whether that alert is in effect.
  const doubtful = new Set(activeAt(now).flatMap(({ office, ring }) => (ring ? [] : [office])))
  const quiet = towns.filter(
    (town) =>
      alerts.every(({ at }) => kmBetween(town, at) > 300) && !doubtful.has(zonesAt(town.lat, town.lon).office ?? ''),
  )
  const rain = rainyPlace(now)
  const textAt = ({ lat, lon }: { lat: number; lon: number }) => `${lat},${lon}`
  const near = nth(quiet, 0).name
  // In 7 % of the hours no alert with an outline is in effect.
  if (alert)
    facts.set('alert', { place: textAt(alert.at), destination: textAt(alert.at), event: alert.event, ...times })
  facts.set('quiet', { place: near, destination: nth(quiet, 1).name, ...times })
  if (rain) facts.set('rain', { place: textAt(rain), destination: near, ...times })
  facts.set('unread', { place: near, destination: nth(quiet, 1).name, ...times })
}, 120_000)
afterAll(async () => {
  await sky?.close()
  await unreadClient?.close()
  await unread?.close()
})

/**
 * A place in the lower 48 states where it rains at the newest scan of the simulator, and around it; undefined if there is none now.
 */
function rainyPlace(now: number): { lat: number; lon: number } | undefined {
  const at = Math.floor((now - 70_000) / (2 * MINUTE)) * 2 * MINUTE
  const places = Array.from({ length: 160 * 340 }, (_, n) => ({
    lat: 31.05 + Math.floor(n / 340) / 10,
    lon: -116.95 + (n % 340) / 10,
  }))
  const around = [-0.1, 0, 0.1]
  return places.find(
    (place) =>
      around.every((dx) => around.every((dy) => precipRateAt(place.lat + dy, place.lon + dx, at) > 1)) &&
      isInside(place),
  )
}

async function answerOf(situation: Case['situation'], { tool, arguments: words }: Call): Promise<string> {
  const args = JSON.parse(filled(JSON.stringify(words), facts.get(situation) ?? {}))
  const client = situation === 'unread' ? unreadClient : sky.client
  const { content, isError } = await client.callTool({ name: tool, arguments: args })
  const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n')
  // A tool may refuse while nothing is read. It must never refuse the arguments of a skill.
  expect([tool, isError === true && situation !== 'unread', /bad-request/.test(text)], text).toEqual([
    tool,
    false,
    false,
  ])
  return text
}

test('there are skills', () => {
  expect(names.length).toBeGreaterThanOrEqual(3)
})

describe.each(names)('%s', (name) => {
  const text = textOf(name)
  const calls = callsOf(text)

  test('has a name, a description, few lines, and the rule of what is not known', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
    const members = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)))
    expect(Object.keys(members)).toEqual(['name', 'description'])
    expect(members['name']).toBe(name)
    expect(members['description'].length).toBeLessThan(1024)
    expect(text.split('\n').length).toBeLessThan(100)
    expect(text).toContain('## Not known is never none')
    expect(calls.length).toBeGreaterThanOrEqual(3)
  })

  test('names only tools that exist', async () => {
    const { tools } = await sky.client.listTools()
    const listed = tools.map((tool) => tool.name)
    const named = [...calls.map(({ tool }) => tool), ...casesOf(name).map(({ call }) => call)]
    expect(named.filter((tool) => !listed.includes(tool))).toEqual([])
    expect([...new Set(casesOf(name).map(({ call }) => call))].sort()).toEqual(
      [...new Set(calls.map(({ tool }) => tool))].sort(),
    )
  })

  test.for(casesOf(name))('$situation: $call says $says', async ({ situation, call, says, never }, { skip }) => {
    skip(!facts.has(situation), 'the simulator has no such weather now')
    const answers = await Promise.all(
      calls.filter(({ tool }) => tool === call).map((toolCall) => answerOf(situation, toolCall)),
    )
    for (const answer of answers) {
      expect(answer).toMatch(new RegExp(filled(says, facts.get(situation) ?? {}), 'i'))
      expect(never !== undefined && new RegExp(never, 'i').test(answer), answer).toBe(false)
    }
  })
})

describe('texts for agents', () => {
  test('/llms.txt names every tool, and its links lead somewhere', async () => {
    const reply = await fetch(`${sky.base}/llms.txt`)
    const text = await reply.text()
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toMatch(/^# Hexcast\n\n> /)
    const { tools } = await sky.client.listTools()
    const named = text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    expect([...new Set(named)].sort()).toEqual(tools.map(({ name }) => name).sort())
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.length).toBeGreaterThan(8)
    for (const link of links.filter((address) => !address.endsWith('/mcp'))) {
      const { status } = await fetch(link, { headers: { authorization: `Bearer ${sky.key}` } })
      expect([link, status]).toEqual([link, 200])
    }
  })

  test('/functions.json is small, and its examples of calls are answered', async () => {
    const reply = await fetch(`${sky.base}/functions.json`)
    const text = await reply.text()
    expect([reply.status, text.length < 8000]).toEqual([200, true])
    const { paths, servers } = JSON.parse(text) as {
      servers: { url: string }[]
      paths: Record<string, { get: { operationId: string; description: string; parameters: { name: string }[] } }>
    }
    expect(Object.values(paths).map(({ get }) => get.operationId)).toEqual([
      ...['get_weather', 'get_alerts', 'search_places'],
    ])
    expect(servers).toEqual([{ url: sky.base }])
    for (const { get } of Object.values(paths)) expect(get.parameters.length).toBeGreaterThan(1)
    const ask = async (path: string) => {
      const answer = await fetch(sky.base + path, { headers: { authorization: `Bearer ${sky.key}` } })
      expect([path, answer.status]).toEqual([path, 200])
      return (await answer.json()) as Record<string, unknown>
    }
    for (const section of ['current', 'alerts', 'nowcast', 'hourly'])
      expect(await ask(`/v1/weather?location=Denver,CO&include=${section}`)).toHaveProperty(section)
    expect(await ask('/v1/alerts?area=CO')).toHaveProperty('alerts')
    await ask('/v1/geocode?q=Denver')
  })
})
