import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const BEFORE_MINUTES = 60
const AFTER_MINUTES = 20
/** Series of a scrape that no alarm uses, or whose number would slow the evaluation. */
const LEFT_OUT = /_bucket$|^hexcast_step_seconds|^hexcast_http/

/** Returns the values of a scrape by their series. */
export function seriesOf(metrics: string): Map<string, number> {
  const values = new Map<string, number>()
  for (const line of metrics.split('\n')) {
    const [, series = '', name = '', value = ''] = /^((hexcast_\w+)(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (series && !LEFT_OUT.test(name) && Number.isFinite(Number(value))) values.set(series, Number(value))
  }
  return values
}

/**
 * Evaluates the alarm rules with promtool over a system whose metrics change from one scrape to another and then stay.
 * @returns the minutes from the change to each alarm that fires, by its name, without the alarms that fire before
 */
export function firingAlarms(before: string, after: string): Map<string, number> {
  const [old, current] = [seriesOf(before), seriesOf(after)]
  const series = [...new Set([...old.keys(), ...current.keys()])].map((name) => {
    const part = (value: number | undefined, count: number) =>
      value === undefined ? `_x${count}` : `${value}x${count}`
    const values = `${part(old.get(name), BEFORE_MINUTES)} ${part(current.get(name), AFTER_MINUTES)}`
    return `      - series: ${JSON.stringify(name)}\n        values: ${JSON.stringify(values)}\n`
  })
  const tests = Array.from({ length: AFTER_MINUTES + 1 }, (_, minute) => {
    const at = BEFORE_MINUTES + minute
    return `      - expr: 'count by (alertname) (ALERTS{alertstate="firing"})'\n        eval_time: ${at}m\n        exp_samples: []\n`
  })
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-firing-'))
  try {
    const file = join(folder, 'incident.test.yaml')
    const rules = resolve('infra/monitoring/rules.yaml')
    writeFileSync(
      file,
      `rule_files:\n  - ${rules}\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n${series.join('')}    promql_expr_test:\n${tests.join('')}`,
    )
    return firstMinutes(promtool(file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function promtool(file: string): string {
  try {
    return execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    if (stdout === '' && stderr === '') throw error
    return `${stdout}\n${stderr}`
  }
}

/** Reads the samples that promtool did not expect: the firing alarms of each minute. */
function firstMinutes(report: string): Map<string, number> {
  const first = new Map<string, number>()
  let minute = 0
  for (const line of report.split('\n')) {
    const time = /time: (?:(\d+)h)?(?:(\d+)m)?(?:0s)?,/.exec(line)
    if (time) minute = Number(time[1] ?? 0) * 60 + Number(time[2] ?? 0) - BEFORE_MINUTES
    for (const [, name = ''] of line.matchAll(/alertname="(\w+)"/g)) if (!first.has(name)) first.set(name, minute)
  }
  for (const [name, at] of first) if (at <= 0) first.delete(name)
  return first
}
