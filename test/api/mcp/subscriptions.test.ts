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
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Alerts at a place as a resource that clients subscribe to, by the means of either revision of the protocol. */
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
    const mean = (k: number) => ring.slice(1).reduce((sum, at) => sum + at[k]!, 0) / (ring.length - 1)
    return [{ lat: Number(mean(1).toFixed(3)), lon: Number(mean(0).toFixed(3)) }]
  })
  for (const { lat, lon } of places) {
    const found = (await sky.client.callTool({ name: 'get_alerts', arguments: { lat, lon } })) as {
      structuredContent?: { alerts?: object[] }
    }
    if ((found.structuredContent?.alerts ?? []).length === 0) continue
    uri = `hexcast://alerts/${encodeURIComponent(`${lat},${lon}`)}`
    break
  }
  // At an hour without such a place the feed fails instead: that alerts are not known any more is a change too.
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

/** Six hours later by the simulator: what was in effect has ended. */
async function later(): Promise<void> {
  if (failing) return markFailed(sky.database, 'alerts', 'refused by a test')
  const at = Date.now() + 6 * 3_600_000
  const mirror = await startMirror({ sources: [alertFeed()], now: () => at })
  const upstream = openUpstream({ mirror: mirror.url })
  await sweepAlerts({ database: sky.database, upstream }, at)
  await upstream.close()
  await mirror.close()
}

test('every session that subscribed is notified of the place whose alerts have changed, and of no other', async () => {
  const quiet = 'hexcast://alerts/Hilo%2C%20HI'
  const ways = [
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
    ways.map(async ({ name, revision, transport }) => {
      const own = client(revision)
      const changed: string[] = []
      own.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri))
      await own.connect(transport)
      expect(own.getServerCapabilities()?.resources, name).toEqual({ subscribe: true })
      if (revision === '2025-11-25') {
        for (const one of [uri, quiet]) await own.subscribeResource({ uri: one })
      } else {
        const subscription = await own.listen({ resourceSubscriptions: [uri, quiet] })
        expect(subscription.honoredFilter.resourceSubscriptions, name).toEqual([uri, quiet])
      }
      return { name, own, changed }
    }),
  )
  const read = async (own: Client, of = uri) => {
    const { contents } = await own.readResource({ uri: of })
    return JSON.parse((contents[0] as { text: string }).text) as { alerts: { id: string }[] }
  }
  const idsOf = async (place: string) => {
    const { alerts } = await read(sessions[0]!.own, place)
    return JSON.stringify(alerts.map(({ id }) => id).sort())
  }
  const before = await idsOf(quiet)
  const ended = await idsOf(uri)
  for (const { own } of sessions) expect((await read(own)).alerts.length > 0).toBe(!failing)
  await later()
  // The other place is notified of its own changes alone: at some hours it has one.
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

test('over HTTP revision 2025-11-25 has no sessions and declares no subscriptions', async () => {
  const own = client('2025-11-25')
  await own.connect(http())
  expect(own.getServerCapabilities()?.resources).toEqual({})
  await own.close()
})

test('what cannot be followed is refused by name; sessions and streams are bounded; a revoked key ends its streams', async () => {
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
  await expect(own.listen({ resourceSubscriptions: [uri] })).rejects.toThrow(/3 streams may be open/)
  await streams.pop()!.close()
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
