import { type Alarm, type AlarmRule, anchorOf } from './alarm.ts'
import { alarms } from './alarms.ts'

const HEAD = '# Written by `npm run generate` from infra/monitoring/alarms.ts. Do not edit.\n'
/** Quotes a string for YAML: JSON strings are YAML strings. */
const text = (value: string) => JSON.stringify(value)
const labelsOf = (alarm: Alarm, rule: AlarmRule) => ({ severity: alarm.severity, ...rule.labels })
const mapping = (values: Readonly<Record<string, string>>, indent: string) =>
  Object.entries(values)
    .map(([name, value]) => `${indent}${name}: ${text(value)}\n`)
    .join('')
const withoutMarks = (markdown: string) => markdown.replaceAll('`', '').replaceAll('\\|', '|')

const annotations = (alarm: Alarm) => ({
  summary: withoutMarks(alarm.title),
  description: withoutMarks(`${alarm.meaning}. First: ${alarm.firstCommand}`),
  runbook_url: `infra/OPS.md#${anchorOf(alarm)}`,
})

const alertRule = (alarm: Alarm, rule: AlarmRule) =>
  `      - alert: ${alarm.name}
        expr: ${text(rule.expr)}
        for: ${alarm.forMinutes}m
        labels:
${mapping(labelsOf(alarm, rule), '          ')}        annotations:
${mapping(annotations(alarm), '          ')}`

/** Returns the Prometheus rules: the alarms, and recorded series that the dashboard reads often. */
export function rulesYaml(): string {
  return `${HEAD}groups:
  - name: hexcast-recorded
    interval: 30s
    rules:
      - record: hexcast:http_requests:rate5m
        expr: ${text('sum by (route, status) (rate(hexcast_http_requests_total[5m]))')}
      - record: hexcast:http_request_seconds:p99_5m
        expr: ${text('histogram_quantile(0.99, sum by (le, route) (rate(hexcast_http_request_seconds_bucket[5m])))')}
  - name: hexcast-alarms
    rules:
${alarms.flatMap((alarm) => alarm.rules.map((rule) => alertRule(alarm, rule))).join('')}`
}

function testCase(alarm: Alarm, rule: AlarmRule, fires: boolean): string {
  const series = Object.entries(fires ? rule.firing : rule.quiet)
  const [first, ...others] = series
  const identity = first && others.length === 0 ? labelsIn(first[0]) : {}
  const minutes = alarm.forMinutes + 31
  return `  - name: ${text(`${alarm.name} ${fires ? 'fires' : 'stays quiet'}: ${rule.expr}`)}
    interval: 1m
    input_series:
${series.map(([name, values]) => `      - series: ${text(name)}\n        values: ${text(values)}\n`).join('')}    alert_rule_test:
      - eval_time: ${minutes}m
        alertname: ${alarm.name}
        exp_alerts:${
          fires
            ? `
          - exp_labels:
${mapping({ ...identity, ...labelsOf(alarm, rule) }, '              ')}            exp_annotations:
${mapping(annotations(alarm), '              ')}`
            : ' []\n'
        }`
}

/** Returns the labels of a series. The expression of every test with a single series keeps them. */
function labelsIn(series: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(series.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value] as const),
  )
}

/**
 * Returns unit tests for `promtool test rules`: for every rule a test in which it fires and one in which it does not.
 */
export function ruleTestsYaml(): string {
  return `${HEAD}rule_files:
  - rules.yaml
evaluation_interval: 1m
tests:
${alarms
  .flatMap((alarm) => alarm.rules.flatMap((rule) => [testCase(alarm, rule, true), testCase(alarm, rule, false)]))
  .join('')}`
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Returns the table of alarms in OPS.md. */
export function alarmsTable(): string {
  return [
    row(['alarm', 'when', 'meaning', 'first command']),
    '|---|---|---|---|',
    ...alarms.map((alarm) =>
      row([
        `<a id="${anchorOf(alarm)}"></a>${alarm.title} (\`${alarm.name}\`)`,
        alarm.when,
        alarm.meaning,
        alarm.firstCommand,
      ]),
    ),
  ].join('\n')
}
