import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { alarms } from '../../infra/monitoring/alarms.ts'
import { expressions } from '../../infra/monitoring/dashboard.ts'
import { fleetTestsYaml } from '../../infra/monitoring/rules.ts'
import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { measureProcess } from '../../ingest/ports/measure-disks.ts'
import type { Engine } from '../../workers/engine.ts'
import { createWorkerMetrics, measureRetirement, measureWork } from '../../workers/metrics.ts'
import { type SkyServer, skyServer } from '../api/sky-server.ts'

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
})
afterAll(async () => sky.close())

/** Metrics of all processes with their types. */
async function exposed(): Promise<Map<string, string>> {
  const worker = new Registry()
  createWorkerMetrics(worker)
  measureProcess(worker, 'worker')
  measureRetirement(worker, sky.database, 0)
  measureWork(worker, { counts: async () => ({}) } as Pick<Engine, 'counts'> as Engine, { failures: 0 })
  const api = await (await fetch(`${sky.base}/metrics`)).text()
  const lines = `${api}\n${await worker.metrics()}`.matchAll(/^# TYPE (\w+) (\w+)$/gm)
  return new Map(Array.from(lines, ([, name = '', type = '']) => [name, type]))
}
const metricsIn = (expr: string) => expr.match(/\b(?:hexcast|process|nodejs)_\w+/g) ?? []
const rules = alarms.flatMap((alarm) => alarm.rules)

test('reads in rules and dashboard only metrics that a process exposes', async () => {
  const types = await exposed()
  // The nowcast is scored once scans have followed it.
  const later = new Set(['hexcast_nowcast_csi'])
  const used = [...rules.map(({ expr }) => expr), ...expressions]
    .flatMap(metricsIn)
    .map((name) => name.replace(/_(?:count|sum|bucket)$/, ''))
  expect(used.length).toBeGreaterThan(30)
  expect([...new Set(used)].filter((name) => !types.has(name) && !later.has(name))).toEqual([])
})

test('measures increases and rates of counters only', async () => {
  const types = await exposed()
  const measured = [...rules.map(({ expr }) => expr), ...expressions].flatMap((expr) =>
    Array.from(expr.matchAll(/\b(?:increase|rate)\((\w+)/g), ([, name = '']) => name),
  )
  expect(measured.length).toBeGreaterThan(15)
  const gauges = measured.filter((name) => types.get(name) === 'gauge')
  expect(gauges).toEqual([])
})

test('has an age rule for each dataset, and rules for missing processes, stores and events', () => {
  const ages = rules.flatMap(({ expr }) => [...expr.matchAll(/hexcast_run_age_seconds\{dataset="([\w-]+)"\}/g)])
  expect(ages.map(([, id]) => id).sort()).toEqual([...gridDatasets, ...frameDatasets].map(({ id }) => id).sort())
  const aged = rules.filter(({ expr }) => expr.includes('hexcast_run_age'))
  expect(aged.length).toBeGreaterThan(0)
  for (const { expr } of aged) expect(expr).toContain('max by (domain)')
  const names = alarms.map(({ name }) => name)
  for (const name of ['SourceSilent', 'WorkersGone', 'ApiGone', 'TargetDown', 'DatabaseDown', 'DatabasePoolWaits'])
    expect(names).toContain(`Hexcast${name}`)
  for (const name of ['EventsDropped', 'RetirementOld', 'StorageFull', 'DiskLow', 'WorkflowsFailed'])
    expect(names).toContain(`Hexcast${name}`)
})

test('links each alarm to a page that explains its meaning, the actions and the effect on users', () => {
  const text = readFileSync('infra/monitoring/rules.yaml', 'utf8')
  const pages = new Map(
    readFileSync('docs/RUNBOOK.md', 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((page) => [page.slice(0, page.indexOf('\n')), page]),
  )
  const urls = [...text.matchAll(/alert: (\w+)[\s\S]*?runbook_url: "docs\/RUNBOOK\.md#(\w+)"/g)]
  expect(urls).toHaveLength(rules.length)
  for (const [, name = '', anchor] of urls) {
    expect(anchor).toBe(name.toLowerCase())
    for (const part of ['What it means', 'Look first', 'Then', 'What users see'])
      expect(pages.get(name), `${name}: ${part}`).toMatch(new RegExp(`- \\*\\*${part}\\*\\*: .{8,}`))
  }
  expect([...pages.keys()]).toEqual(alarms.map(({ name }) => name))
  // A page refers to other pages by the names of their alarms.
  for (const page of pages.values())
    for (const [name] of page.matchAll(/Hexcast[A-Z]\w+/g)) expect(pages.has(name), name).toBe(true)
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

/** Number of alarms in one file of unit tests. */
const ALARMS_AT_ONCE = 2

describe.skipIf(!promtool)('promtool (skipped if the Debian package prometheus is not installed)', () => {
  const run = (...args: string[]) => execFileSync('promtool', args, { cwd: 'infra/monitoring', encoding: 'utf8' })

  /**
   * Runs unit tests of rules, each beside the rules of its alarm and of some others only, because promtool evaluates every
   * rule of a file at every minute of every test.
   */
  const expectSuccess = (text: string) => {
    const { tests } = parse(text) as { tests: readonly { alert_rule_test: readonly { alertname: string }[] }[] }
    const { groups } = parse(readFileSync('infra/monitoring/rules.yaml', 'utf8')) as {
      groups: readonly { name: string; rules: readonly { alert?: string }[] }[]
    }
    const names = [...new Set(tests.map(({ alert_rule_test: [first] }) => first?.alertname ?? ''))]
    const folder = mkdtempSync(join(tmpdir(), 'hexcast-rules-'))
    const files: string[] = []
    for (let from = 0; from < names.length; from += ALARMS_AT_ONCE) {
      const part = names.slice(from, from + ALARMS_AT_ONCE)
      const isOfPart = (name = '') => name === '' || part.includes(name)
      const own = groups.map((group) => ({ ...group, rules: group.rules.filter(({ alert }) => isOfPart(alert)) }))
      writeFileSync(join(folder, `rules-${from}.yaml`), stringify({ groups: own }))
      const cases = tests.filter(({ alert_rule_test: [first] }) => part.includes(first?.alertname ?? ''))
      expect(cases.length).toBeGreaterThan(0)
      const file = join(folder, `rules-${from}.test.yaml`)
      writeFileSync(file, stringify({ rule_files: [`rules-${from}.yaml`], evaluation_interval: '1m', tests: cases }))
      files.push(file)
    }
    expect(run('test', 'rules', ...files).match(/SUCCESS/g)).toHaveLength(files.length)
    rmSync(folder, { recursive: true })
  }

  test('accepts the rules', () => {
    const text = run('check', 'rules', 'rules.yaml')
    expect(text).toContain(`SUCCESS: ${rules.length + 2} rules found`)
  })

  test('fires every rule in one case and keeps it quiet in another', { timeout: 600_000 }, () => {
    expectSuccess(readFileSync('infra/monitoring/rules.test.yaml', 'utf8'))
  })

  test('keeps an alert firing while another process takes over the figures of the database', {
    timeout: 600_000,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'hexcast-rules-'))
    const file = join(folder, 'gap.test.yaml')
    // Prometheus uses a sample for five minutes. The alert fires for three more minutes.
    const firing = (minute: number, count: number) =>
      `      - eval_time: ${minute}m\n        expr: count(ALERTS{alertname="HexcastRunLate",alertstate="firing"}) or vector(0)\n        exp_samples: [{ labels: '{}', value: ${count} }]\n`
    writeFileSync(
      file,
      `rule_files: [${resolve('infra/monitoring/rules.yaml')}]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n      - series: hexcast_run_late_seconds{dataset="nbm",domain="conus"}\n        values: 1x40 _x20\n    promql_expr_test:\n${firing(40, 1)}${firing(46, 1)}${firing(52, 0)}`,
    )
    expect(run('test', 'rules', file)).toMatch(/SUCCESS/)
    rmSync(folder, { recursive: true })
  })

  test('fires once for 50 processes, and neither when counters begin again nor without series', {
    timeout: 600_000,
  }, () => {
    expectSuccess(fleetTestsYaml('rules.yaml'))
  })
})
