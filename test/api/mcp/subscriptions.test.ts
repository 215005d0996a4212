import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '../../../api/keys/issue.ts'
import { alertFeed } from '../../../infra/simulator/feeds/alerts.ts'
import { startMirror } from '../../../infra/simulator/mirror.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../../ingest/steps/feeds/alerts.ts'
import { markFailed } from '../../../sql/queries/feeds.ts'
import { revokeKey } from '../../../sql/queries/keys.ts'
import { edgeServer } from '../http/test-server.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Subscriptions to the alerts at a place, in both revisions of the protocol. */
const program = fileURLToPath(new URL('../../../bin/hexcast.mjs', import.meta.url))
let sky: SkyServer
/** A place with an alert in effect. */
let uri: string
let failing = false
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
  const { features } = (await (
    await fetch(`${sky.base}/v1/alerts?format=geojson`, { headers: { authorization: `Bearer ${sky.key}` } })
  ).json()) as { features: { geometry: { type: string; coordinates: number[][][][] } | null }[] }
  const places = features.flatMap(({ geometry }) => {
    const ring = geometry?.type === 'MultiPolygon' ? geometry.coordinates[0]?.[0] : undefined
    if (!ring) return []
    const mean = (k: number) => ring.slice(1).reduce((sum, corner) => sum + (corner[k] ?? 0), 0) / (ring.length - 1)
    return [{ lat: Number(mean(1).toFixed(3)), lon: Number(mean(0).toFixed(3)) }]
  })
  for (const { lat, lon } of places) {
    const result = (await sky.client.callTool({ name: 'get_alerts', arguments: { lat, lon } })) as {
      structuredContent?: { alerts?: object[] }
    }
    if ((result.structuredContent?.alerts ?? []).length === 0) continue
    uri = `hexcast://alerts/${encodeURIComponent(`${lat},${lon}`)}`
    break
  }
  // If the simulator has no alert at this hour, the feed fails instead: clients are also notified when alerts are no longer known.
  failing = uri === undefined
  uri ??= 'hexcast://alerts/Denver%2C%20CO'
})
afterAll(async () => sky.close())

const http = (key = sky.key) =>
  new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })
const stdio = (settings: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...settings },
    stderr: 'ignore',
  })
const client = (revision: '2025-11-25' | '2026-07-28') =>
  new Client(
    { name: 'subscriptions', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )

/** Reads the feed of the simulator as of six hours later, when the alerts have ended. */
async function changeAlerts(): Promise<void> {
  if (failing) return markFailed(sky.database, 'alerts', 'refused by a test')
  const at = Date.now() + 6 * 3_600_000
  const mirror = await startMirror({ sources: [alertFeed()], now: () => at })
  const upstream = openUpstream({ mirror: mirror.url })
  await sweepAlerts({ database: sky.database, upstream }, at)
  await upstream.close()
  await mirror.close()
}

test('notifies every subscribed session of the place whose alerts have changed, and of no other place', async () => {
  const quiet = 'hexcast://alerts/Hilo%2C%20HI'
  const connections = [
    { name: 'HTTP, 2026-07-28', revision: '2026-07-28' as const, transport: http() },
    { name: 'stdio, 2026-07-28', revision: '2026-07-28' as const, transport: stdio({ DATA_DIR: sky.dataDir }) },
    { name: 'stdio, 2025-11-25', revision: '2025-11-25' as const, transport: stdio({ DATA_DIR: sky.dataDir }) },
    {
      name: 'stdio forwarded, 2026-07-28',
      revision: '2026-07-28' as const,
      transport: stdio({ HEXCAST_URL: sky.base, HEXCAST_KEY: sky.key }),
    },
  ]
  const sessions = await Promise.all(
    connections.map(async ({ name, revision, transport }) => {
      const own = client(revision)
      const changed: string[] = []
      own.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri))
      await own.connect(transport)
      expect(own.getServerCapabilities()?.resources, name).toEqual({ subscribe: true })
      if (revision === '2025-11-25') {
        for (const subscribed of [uri, quiet]) await own.subscribeResource({ uri: subscribed })
      } else {
        const subscription = await own.listen({ resourceSubscriptions: [uri, quiet] })
        expect(subscription.honoredFilter.resourceSubscriptions, name).toEqual([uri, quiet])
      }
      return { name, own, changed }
    }),
  )
  const read = async (own: Client, resource = uri) => {
    const { contents } = await own.readResource({ uri: resource })
    return JSON.parse((contents[0] as { text: string }).text) as { alerts: { id: string }[] }
  }
  const idsOf = async (place: string) => {
    const [session] = sessions
    const { alerts } = session ? await read(session.own, place) : { alerts: [] }
    return JSON.stringify(alerts.map(({ id }) => id).sort())
  }
  const before = await idsOf(quiet)
  const ended = await idsOf(uri)
  for (const { own } of sessions) expect((await read(own)).alerts.length > 0).toBe(!failing)
  await changeAlerts()
  // The other place causes a notification only if its own alerts have changed, as they do at some hours.
  const changes = async () => failing || (await idsOf(quiet)) !== before
  for (const { name, own, changed } of sessions) {
    await expect.poll(() => changed, { timeout: 30_000, message: name }).toContain(uri)
    await expect
      .poll(async () => (await changes()) === changed.includes(quiet), { timeout: 30_000, message: name })
      .toBe(true)
    if (failing) await expect(read(own)).rejects.toThrow(/not an all-clear/)
    else for (const { id } of (await read(own)).alerts) expect(ended, name).not.toContain(id)
  }
  for (const { own } of sessions) await own.close()
})

test('declares no subscriptions over HTTP in revision 2025-11-25, which has no sessions there', async () => {
  const own = client('2025-11-25')
  await own.connect(http())
  expect(own.getServerCapabilities()?.resources).toEqual({})
  await own.close()
})

test('rejects resources without subscriptions, limits sessions and streams, and ends the streams of a revoked key', async () => {
  const { key, prefix } = await issueKey(sky.database, { name: 'streams', plan: 'free', channel: 'test' })
  const own = client('2026-07-28')
  await own.connect(http(key))
  for (const [uris, words] of [
    [['hexcast://guide'], /Only hexcast:\/\/alerts/],
    [['hexcast://alerts/Guam'], /outside the coverage/],
    [['hexcast://alerts/Springfield'], /may be Springfield, MO/],
    [['hexcast://alerts/%E0%A4%A'], /percent-encoded/],
    [Array.from({ length: 21 }, (_, i) => `hexcast://alerts/40,-${100 + i / 10}`), /at most 20/],
  ] as const)
    await expect(own.listen({ resourceSubscriptions: [...uris] })).rejects.toThrow(words)
  const streams = []
  for (let i = 0; i < 3; i++) streams.push(await own.listen({ resourceSubscriptions: [uri] }))
  await expect(own.listen({ resourceSubscriptions: [uri] })).rejects.toThrow(/3 open streams/)
  await streams.pop()?.close()
  await expect
    .poll(async () => {
      const again = await own.listen({ resourceSubscriptions: [uri] }).catch(() => undefined)
      if (again) streams.push(again)
      return again !== undefined
    })
    .toBe(true)
  const ended = Promise.all(streams.map(({ closed }) => closed))
  await revokeKey(sky.database, prefix)
  expect((await ended).every((reason) => reason === 'remote')).toBe(true)
  await own.close()
})

test('tells a client on stdio that its subscription has ended when the server behind it ends', async () => {
  const other = await edgeServer()
  try {
    const transport = stdio({ HEXCAST_URL: other.base, HEXCAST_KEY: await other.key() })
    const own = client('2026-07-28')
    await own.connect(transport)
    const subscription = await own.listen({ resourceSubscriptions: ['hexcast://alerts/Denver%2C%20CO'] })
    await other.close()
    expect(await subscription.closed).toBe('graceful')
    await expect(own.listen({ resourceSubscriptions: ['hexcast://alerts/Denver%2C%20CO'] })).rejects.toThrow(
      /gave no answer/,
    )
    await own.close()
  } finally {
    await other.close().catch(() => undefined)
  }
})
