import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { skyServer } from '../../api/sky-server.ts'
import type { State } from './question.ts'
import { type ListedDataset, unreadOf } from './readiness.ts'
import { MINUTE } from './truth.ts'

/** A tool server that is measured. */
export interface MeasuredServer {
  readonly tools: readonly { readonly name: string }[]
  /** The time that the questions count from, ms. */
  readonly now: number
  /** The text of an answer, without the lines that mark simulated data. */
  call(name: string, args: object): Promise<string>
  /** Brings the sources into a state; undefined for a server whose sources cannot be changed from here. */
  enter?(state: State): Promise<void>
  close(): Promise<void>
}

async function textOf(client: Client, name: string, args: object): Promise<string> {
  // A protocol error, such as for an unknown tool, is given in words, as a host does.
  const result = await client
    .callTool({ name, arguments: args as Record<string, unknown> })
    .catch((error: Error) => ({ content: [{ type: 'text', text: `Protocol error: ${error.message}` }] }))
  const blocks = result.content as { type: string; text?: string }[]
  return blocks
    .flatMap(({ type, text }) => (type === 'text' ? (text ?? '').split('\n') : []))
    .filter((line) => !line.startsWith('SIMULATED'))
    .join('\n')
}

const READ_AGAIN_MS = 20_000

/** Waits until a Hexcast server has read every source and every lead hour. Other servers are taken as ready. */
async function untilRead(client: Client, minutes: number): Promise<void> {
  if (client.getServerVersion()?.name !== 'hexcast') return
  const end = Date.now() + minutes * MINUTE
  for (let last = ''; ; ) {
    const { structuredContent } = await client.callTool({ name: 'list_datasets', arguments: {} })
    const { datasets, meta } = structuredContent as {
      datasets: ListedDataset[]
      meta: { warnings: { code: string }[] }
    }
    if (!meta.warnings.some(({ code }) => code === 'simulated_data'))
      throw new Error('The server reads real weather, whose truth is not known. Start it with --upstream simulated.')
    const missing = unreadOf(datasets, Date.now()).join(', ')
    if (missing === '') return
    if (Date.now() >= end)
      throw new Error(
        `The server has not read all sources (${missing}), so its answers would be scored as wrong. Wait until list_datasets has them, or give more minutes with --wait.`,
      )
    if (missing !== last) console.log(`waiting for the server to read: ${missing}`)
    last = missing
    await sleep(READ_AGAIN_MS)
  }
}

/** Waits where the hour would change between the first and the last question. */
async function steadyHour(): Promise<void> {
  const remaining = 60 * MINUTE - (Date.now() % (60 * MINUTE))
  if (remaining < ASKED_WITHIN_MS) await sleep(remaining + MINUTE)
}

/** A server at an address, which reads a simulator. */
export async function serverAt(address: string, key: string | undefined, wait: number): Promise<MeasuredServer> {
  const client = new Client({ name: 'eval', version: '1' })
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {}
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
  const { tools } = await client.listTools()
  await untilRead(client, wait)
  await steadyHour()
  return { tools, now: Date.now(), call: (name, args) => textOf(client, name, args), close: () => client.close() }
}

/** Time in which all questions are asked. */
const ASKED_WITHIN_MS = 6 * MINUTE
const CONFIRM_MS = 15_000
const frames = [
  ...['mrms-reflectivity', 'mrms-precip-rate', 'mrms-qpe-1h', 'mrms-qpe-24h', 'mrms-lightning-prob'],
  ...['mrms-lightning-density', 'storm-tracks', 'storm-cells', 'glm'],
]

/** Hexcast in this process over one read of the simulated sources. */
export async function ownServer(): Promise<MeasuredServer> {
  await steadyHour()
  // Parts of the server keep the function, so it is replaced before they start.
  const realNow = Date.now
  let offset = 0
  Date.now = () => realNow() + offset
  const now = Date.now()
  const sky = await skyServer({ frames, withTexts: true })
  const { tools } = await sky.client.listTools()
  const call = (name: string, args: object) => textOf(sky.client, name, args)
  const confirm = () =>
    sky.database
      .query(`update feed_state set confirmed_at = clock_timestamp() where feed = 'alerts'`)
      .catch(() => undefined)
  // A feed that has not changed is confirmed every few seconds in an installation.
  let confirming: NodeJS.Timeout | undefined = setInterval(confirm, CONFIRM_MS)
  await confirm()
  const untilContains = async (tool: string, args: object, words: RegExp) => {
    for (let i = 0; i < 60 && !words.test(await call(tool, args)); i++) await sleep(500)
  }
  return {
    tools,
    now,
    call,
    async enter(state) {
      if (state === 'ordinary') return
      clearInterval(confirming)
      confirming = undefined
      if (state === 'old data') {
        await sky.database.query(
          `update feed_state set failure = null, failures = 0, confirmed_at = clock_timestamp() - interval '40 minutes' where feed = 'alerts'`,
        )
        offset = 45 * MINUTE
        return untilContains('get_alerts', { location: 'Boston, MA' }, /min old/)
      }
      const feeds = state === 'alerts away' ? `feed = 'alerts'` : `starts_with(feed, 'spc/')`
      await sky.database.query(
        `update feed_state set failure = 'the source is away', failed_at = clock_timestamp(), failures = 1 where ${feeds}`,
      )
      const [tool, location] =
        state === 'alerts away' ? ['get_alerts', 'Boston, MA'] : ['get_severe_outlook', 'Reno, NV']
      await untilContains(tool, { location }, /not known/)
    },
    async close() {
      clearInterval(confirming)
      Date.now = realNow
      await sky.close()
    },
  }
}
