/**
 * Measures alerts at full size: `node test/bench/alerts.ts [folder of recorded feeds]`.
 * Merges the recorded national feeds (their times moved to now), adds copies up to 1,600 alerts, and measures a cold ingest, an
 * unchanged poll, the time from a stored change to the answer, and a point query.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AlertWatch, watchAlerts } from '../../api/live/alert-watch.ts'
import { alertsAt } from '../../api/live/alerts.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { startRelay } from '../../ingest/steps/relay-outbox.ts'
import { startMirror } from '../walks/mirror.ts'

const folder = process.argv[2] ?? '../shared/fixtures/text/alerts/active-snapshots'
const ALERT_COUNT = 1600
const now = Date.now()

/** Returns all features, moved in time so that each feed is of this minute. */
async function merged(): Promise<Record<string, unknown>[]> {
  const features: {
    id: string
    properties: Record<string, unknown> & { id: string; parameters: Record<string, string[]> }
  }[] = []
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) {
    console.log(`no recorded feeds in ${folder}: the simulator's feed is taken, and copies of it`)
    const document = await alertFeed().find('/alerts/active', new URLSearchParams(), now)
    features.push(...JSON.parse(new TextDecoder().decode(await document!.body())).features)
  }
  for (const name of names.sort()) {
    const feed = JSON.parse(await readFile(join(folder, name), 'utf8'))
    const shift = now - Date.parse(feed.updated)
    for (const feature of feed.features) {
      const p = feature.properties
      for (const key of ['sent', 'effective', 'onset', 'expires', 'ends'] as const) {
        if (p[key]) p[key] = new Date(Date.parse(p[key]) + shift).toISOString()
      }
      delete p.parameters.eventEndingTime
      features.push(feature)
    }
  }
  const first = features.length
  for (let i = 0; features.length < ALERT_COUNT; i++) {
    const copy = structuredClone(nth(features, i % first))
    copy.properties.id += `.copy${i}`
    const vtec = copy.properties.parameters['VTEC']
    if (vtec)
      copy.properties.parameters['VTEC'] = vtec.map((code) =>
        code.replace(/\.(\d{4})\./, (_, etn) => `.${(Number(etn) + 5000 + 7 * Math.floor(i / first)) % 10000}.`),
      )
    features.push(copy)
  }
  return features
}

const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-bench-'))
const database = await openDatabase({ dataDir, databasePool: 1 })
const events = await openEvents({ kafkaBrokers: [] }, database)
const mirror = await startMirror()
const upstream = openUpstream({ mirror: mirror.url })
const relay = startRelay({ database, events }, console.error)
const feedPath = 'api.weather.gov/alerts/active'
const ports = { database, upstream, notify: relay.nudge }
const quantile = (values: number[], q: number) =>
  nth(
    values.toSorted((a, b) => a - b),
    Math.floor(q * (values.length - 1)),
  )
const ms = (value: number) => `${value.toFixed(value < 10 ? 3 : 0)} ms`
let watch: AlertWatch | undefined
try {
  const features = await merged()
  mirror.set(feedPath, { body: JSON.stringify({ type: 'FeatureCollection', features }), etag: '"1"' })
  let start = performance.now()
  const cold = await sweepAlerts(ports)
  console.log(
    `cold ingest of ${features.length} alerts, ${cold.changes.length} shown: ${ms(performance.now() - start)}`,
  )
  const polls: number[] = []
  for (let i = 0; i < 10; i++) {
    start = performance.now()
    await sweepAlerts(ports)
    polls.push(performance.now() - start)
  }
  console.log(`unchanged poll (304): p50 ${ms(quantile(polls, 0.5))}, worst ${ms(Math.max(...polls))}`)
  mirror.set(feedPath, JSON.stringify({ type: 'FeatureCollection', features, n: 1 }))
  start = performance.now()
  await sweepAlerts(ports)
  console.log(`poll of other bytes with the same content: ${ms(performance.now() - start)}`)

  start = performance.now()
  watch = await watchAlerts({ database, events, clock: Date.now, pollSeconds: 30 })
  console.log(
    `reading all into memory: ${ms(performance.now() - start)}, ${watch.index.size} alerts, ${watch.index.zones.length} zones`,
  )
  const supply = alertsAt(watch)
  const times: number[] = []
  let count = 0
  for (let i = 0; i < 20_000; i++) {
    const lat = 25 + Math.random() * 24
    const lon = -124 + Math.random() * 57
    const at = { lat, lon, cell: cellOf(lat, lon), domain: 'conus' as const, now: Date.now() }
    const began = performance.now()
    const { alerts } = await supply(at)
    times.push(performance.now() - began)
    count += alerts.length
  }
  console.log(
    `point query: p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}; ${(count / times.length).toFixed(2)} alerts a point`,
  )

  const delays: number[] = []
  for (let i = 0; i < 40; i++) {
    const base = structuredClone(features[0]) as { properties: Record<string, unknown>; geometry: unknown }
    base.properties['id'] = `probe-${i}`
    base.properties['parameters'] = {}
    base.properties['ends'] = new Date(Date.now() + 3_600_000).toISOString()
    base.geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [-105, 39],
          [-104, 39],
          [-104, 40],
          [-105, 40],
          [-105, 39],
        ],
      ],
    }
    features.push(base)
    mirror.set(feedPath, JSON.stringify({ type: 'FeatureCollection', features, n: i + 2 }))
    await sweepAlerts(ports)
    const stored = performance.now()
    while (!watch.index.get(`probe-${i}`, Date.now())) await new Promise((resolve) => setTimeout(resolve, 2))
    delays.push(performance.now() - stored)
  }
  console.log(`from stored to answered: p50 ${ms(quantile(delays, 0.5))}, p99 ${ms(quantile(delays, 0.99))}`)
} finally {
  await watch?.close()
  await relay.stop()
  await events.close()
  await upstream.close()
  await mirror.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}
