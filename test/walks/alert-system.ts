import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { firstKey } from '../../api/keys/issue.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { loadConfig } from '../../ingest/config.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { type Relay, startRelay } from '../../ingest/steps/relay-outbox.ts'
import { startMirror } from './mirror.ts'

export const FEED = 'api.weather.gov/alerts/active'
let dataDir: string
export let database: Database
export let events: Events
export let upstream: Upstream
export let relay: Relay
export let api: RunningApi
export let key: string
export let mirror: Awaited<ReturnType<typeof startMirror>>

/** Starts an API over the embedded parts and a feed that a test writes; call it once at the top of a test file. */
export function useAlertSystem(): void {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'hexcast-alerts-api-'))
    const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
    database = await openDatabase(config)
    events = await openEvents(config, database)
    mirror = await startMirror()
    upstream = openUpstream({ mirror: mirror.url })
    relay = startRelay({ database, events }, () => undefined)
    api = await startApi(config, { database, events, objects: await openObjects(config) })
    key = (await firstKey(database)) as unknown as string
  })
  afterAll(async () => {
    await api.close()
    await relay.stop()
    await events.close()
    await upstream.close()
    await mirror.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
}

export const ports = () => ({ database, upstream, notify: relay.nudge })
export const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${api.port}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
// biome-ignore lint/suspicious/noExplicitAny: answers as parsed from JSON
export type Json = any
export const json = async (path: string) => (await ask(path)).json() as Promise<Json>
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
export const until = async (condition: () => Promise<boolean>, ms = 3000) => {
  const start = performance.now()
  while (!(await condition())) {
    if (performance.now() - start > ms) throw new Error(`not within ${ms} ms`)
    await pause(10)
  }
  return performance.now() - start
}

export interface Message {
  id: string
  zones?: string[]
  event?: string
  status?: string
  severity?: string
  seconds?: number
  ring?: number[][][]
  type?: string
  vtec?: string
  kind?: string
}
export const around = (lon: number, lat: number) => [
  [
    [lon - 0.2, lat - 0.2],
    [lon + 0.2, lat - 0.2],
    [lon + 0.2, lat + 0.2],
    [lon - 0.2, lat + 0.2],
    [lon - 0.2, lat - 0.2],
  ],
]
export const feature = ({
  id,
  zones = ['COC031'],
  event = 'Tornado Warning',
  status = 'Actual',
  severity = 'Extreme',
  seconds = 3600,
  ring,
  type = 'county',
  vtec,
  kind = 'Alert',
}: Message) => ({
  type: 'Feature',
  geometry: ring ? { type: 'Polygon', coordinates: ring } : null,
  properties: {
    id,
    event,
    status,
    severity,
    messageType: kind,
    sent: new Date(Date.now() - 1000).toISOString(),
    effective: new Date().toISOString(),
    onset: null,
    expires: new Date(Date.now() + seconds * 1000).toISOString(),
    ends: null,
    urgency: 'Immediate',
    certainty: 'Observed',
    senderName: 'NWS Denver CO',
    headline: `${event} ${id}`,
    description: 'take cover',
    areaDesc: 'Denver, CO',
    geocode: { UGC: zones, SAME: ['008031'] },
    affectedZones: zones.map((code) => `https://api.weather.gov/zones/${type}/${code}`),
    parameters: { maxWindGust: ['70 MPH'], WMOidentifier: ['WFUS55 KBOU 011800'], ...(vtec && { VTEC: [vtec] }) },
  },
})
export const set = (...messages: Message[]) =>
  mirror.set(FEED, JSON.stringify({ type: 'FeatureCollection', features: messages.map(feature) }))
export const DENVER = 'lat=39.74&lon=-104.99'

/** Opens a stream of events and collects its events. */
export const listen = async (query: string, last?: string) => {
  const stop = new AbortController()
  const response = await fetch(`http://127.0.0.1:${api.port}/v1/events?${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(last && { 'last-event-id': last }),
    },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events: { id: string; event: string; data: Json }[] = []
  void (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        if (lines['data'])
          events.push({
            id: entryOf(lines, 'id'),
            event: entryOf(lines, 'event'),
            data: JSON.parse(entryOf(lines, 'data')),
          })
        text = text.slice(end + 2)
      }
    }
  })().catch(() => undefined)
  return { events, stop: () => stop.abort() }
}
