import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alarms } from '../../infra/monitoring/alarms.ts'
import { expressions } from '../../infra/monitoring/dashboard.ts'
import type { Engine } from '../../workers/engine.ts'
import { createWorkerMetrics, measureRetirement, measureWork } from '../../workers/metrics.ts'
import { type SkyServer, skyServer } from '../api/sky-server.ts'

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
})
afterAll(async () => sky.close())

test('reads in rules and dashboard only metrics that a process exposes', async () => {
  const worker = new Registry()
  createWorkerMetrics(worker)
  measureRetirement(worker, sky.database, 0)
  measureWork(worker, { counts: async () => ({}) } as Pick<Engine, 'counts'> as Engine, { failures: 0 })
  const api = await (await fetch(`${sky.base}/metrics`)).text()
  const given = new Set(
    Array.from(`${api}\n${await worker.metrics()}`.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name!),
  )
  // The nowcast is scored once scans have followed it.
  const later = new Set(['hexcast_nowcast_csi'])
  const used = [...alarms.flatMap(({ rules }) => rules.map(({ expr }) => expr)), ...expressions]
    .flatMap((expr) => expr.match(/\b(?:hexcast|process|nodejs)_\w+/g) ?? [])
    .map((name) => name.replace(/_(?:count|sum|bucket)$/, ''))
  expect(used.length).toBeGreaterThan(30)
  expect([...new Set(used)].filter((name) => !given.has(name) && !later.has(name))).toEqual([])
})

test('counts the age of a feed since its last confirmed read', async () => {
  const text = await (await fetch(`${sky.base}/metrics`)).text()
  for (const feed of ['alerts', 'spc', 'metar', 'airnow']) {
    const age = Number(new RegExp(`^hexcast_feed_age_seconds\\{feed="${feed}"\\} (\\S+)$`, 'm').exec(text)?.[1])
    expect(age, feed).toBeGreaterThan(0)
    expect(age, feed).toBeLessThan(600)
  }
})

test('has a dashboard panel with a data source for every expression', () => {
  const board = JSON.parse(readFileSync('infra/monitoring/dashboard.json', 'utf8')) as {
    uid: string
    panels: { type: string; title: string; datasource?: { uid: string }; targets?: { expr: string }[] }[]
  }
  expect(board.uid).toBe('hexcast')
  const panels = board.panels.filter(({ type }) => type !== 'row')
  expect(panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? []).sort()).toEqual(
    [...expressions].sort(),
  )
  for (const { title, datasource } of panels) expect(datasource?.uid, title).toBe('$' + '{datasource}')
})

const promtool = (() => {
  try {
    return (
      execFileSync('promtool', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) !== undefined
    )
  } catch {
    return false
  }
})()

describe.skipIf(!promtool)('promtool (skipped where the Debian package prometheus is not installed)', () => {
  const run = (...args: string[]) => execFileSync('promtool', args, { cwd: 'infra/monitoring', encoding: 'utf8' })

  test('accepts the rules', () => {
    const rules = alarms.reduce((sum, alarm) => sum + alarm.rules.length, 2)
    expect(run('check', 'rules', 'rules.yaml')).toContain(`SUCCESS: ${rules} rules found`)
  })

  test('fires every rule in one case and keeps it quiet in another', () => {
    expect(run('test', 'rules', 'rules.test.yaml')).toMatch(/SUCCESS/)
  })
})
