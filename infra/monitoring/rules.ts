import { type Alarm, type AlarmRule, anchorOf } from './alarm.ts'
import { alarms } from './alarms.ts'

const HEAD = '# Written by `npm run generate` from infra/monitoring/alarms. Do not edit.\n'
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
  runbook_url: `docs/RUNBOOK.md#${anchorOf(alarm)}`,
})

/**
 * Time for which an alert continues to fire without its series: another process takes over the figures of the database
 * after 90 s, at its next scrape.
 */
const KEEP_FIRING = '3m'

const alertRule = (alarm: Alarm, rule: AlarmRule) =>
  `      - alert: ${alarm.name}
        expr: ${text(rule.expr)}
        for: ${alarm.forMinutes}m
        keep_firing_for: ${KEEP_FIRING}
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

/** A case of a unit test: series, and the labels of the alerts that fire at its end beside those of the rule. */
interface RuleCase {
  readonly title: string
  readonly series: readonly (readonly [series: string, values: string])[]
  readonly alerts: readonly Readonly<Record<string, string>>[]
}

function testCase(alarm: Alarm, rule: AlarmRule, { title, series, alerts }: RuleCase): string {
  const input = series.map(([name, values]) => `      - series: ${text(name)}\n        values: ${text(values)}\n`)
  const expected = alerts.map(
    (labels) => `
          - exp_labels:
${mapping({ ...labels, ...labelsOf(alarm, rule) }, '              ')}            exp_annotations:
${mapping(annotations(alarm), '              ')}`,
  )
  return `  - name: ${text(title)}
    interval: 1m
    input_series:${input.length > 0 ? '\n' : ' []\n'}${input.join('')}    alert_rule_test:
      - eval_time: ${alarm.forMinutes + 31}m
        alertname: ${alarm.name}
        exp_alerts:${expected.length > 0 ? expected.join('').trimEnd() : ' []'}
`
}

/** Returns the labels of the alert that fires in the test of a rule: by default the labels of its only series. */
function alertLabelsOf({ alertLabels, firing }: AlarmRule): Readonly<Record<string, string>> {
  if (alertLabels) return alertLabels
  const [first, ...others] = Object.keys(firing)
  return first !== undefined && others.length === 0 ? labelsIn(first) : {}
}

/** Returns the labels in the name of a series. */
function labelsIn(series: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(series.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value] as const),
  )
}

const INSTANCES = 50
const instanceSeries = (name: string, instance: number) =>
  name.includes('{') ? name.replace('{', `{instance="i${instance}",`) : `${name}{instance="i${instance}"}`

/** Returns the series of a process, exported by fifty processes. */
function inFleet(series: AlarmRule['firing']): RuleCase['series'] {
  return Object.entries(series).flatMap(([name, values]) =>
    Array.from({ length: INSTANCES }, (_, instance) => [instanceSeries(name, instance), values] as const),
  )
}

/** Returns counters that fifty processes start again from 0. */
function restarted(series: AlarmRule['firing']): RuleCase['series'] {
  return inFleet(series).map(([name]) => [name, '900x10 0x80'] as const)
}

function fleetCases(alarm: Alarm, rule: AlarmRule): RuleCase[] {
  const title = (text: string) => `${alarm.name} ${text}: ${rule.expr}`
  // Fifty times a value below a limit may exceed the limit; fifty times nothing is nothing.
  const limit = Number(/> ([\d.]+)$/.exec(rule.expr)?.[1] ?? 0)
  const isSum = /\bsum\b/.test(rule.expr) && limit > 0
  const isAbsence = rule.expr.includes('absent(')
  return [
    { title: title('fires once for 50 processes'), series: inFleet(rule.firing), alerts: [alertLabelsOf(rule)] },
    ...(isSum ? [] : [{ title: title('stays quiet for 50 processes'), series: inFleet(rule.quiet), alerts: [] }]),
    ...(/\bincrease\(/.test(rule.expr)
      ? [{ title: title('stays quiet when 50 counters begin again'), series: restarted(rule.firing), alerts: [] }]
      : []),
    ...(isAbsence ? [] : [{ title: title('stays quiet without series'), series: [], alerts: [] }]),
  ]
}

/**
 * Returns further unit tests for `promtool test rules`: fifty processes, counters that begin again, and absent series.
 * They are too long for the repository, so a test writes them.
 * @param rules path of the rules
 */
export function fleetTestsYaml(rules: string): string {
  // The rules of an alarm differ in their limits only, so the first stands for the others.
  const cases = alarms.flatMap((alarm) =>
    alarm.rules.slice(0, 1).flatMap((rule) => fleetCases(alarm, rule).map((entry) => testCase(alarm, rule, entry))),
  )
  return `rule_files:\n  - ${rules}\nevaluation_interval: 1m\ntests:\n${cases.join('')}`
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
  .flatMap((alarm) =>
    alarm.rules.flatMap((rule) => [
      testCase(alarm, rule, {
        title: `${alarm.name} fires: ${rule.expr}`,
        series: Object.entries(rule.firing),
        alerts: [alertLabelsOf(rule)],
      }),
      testCase(alarm, rule, {
        title: `${alarm.name} stays quiet: ${rule.expr}`,
        series: Object.entries(rule.quiet),
        alerts: [],
      }),
    ]),
  )
  .join('')}`
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Returns the table of alarms in OPS.md. */
export function alarmsTable(): string {
  return [
    row(['alarm', 'severity', 'when', 'first command']),
    '|---|---|---|---|',
    ...alarms.map((alarm) =>
      row([
        `[${alarm.title}](../docs/RUNBOOK.md#${anchorOf(alarm)}) (\`${alarm.name}\`)`,
        alarm.severity,
        alarm.when,
        alarm.firstCommand,
      ]),
    ),
  ].join('\n')
}

const sentence = (words: string) => {
  const text = words.replaceAll('\\|', '|')
  return /^[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}
const ended = (words: string) => (/[.?:]$/.test(words) ? words : `${words}.`)

/** Returns the pages of docs/RUNBOOK.md, one for each alarm. */
export function runbook(): string {
  const pages = alarms.map(
    (alarm) => `## ${alarm.name}

${ended(sentence(`${alarm.title} (${alarm.severity}): ${alarm.when}`))}

- **What it means**: ${ended(alarm.meaning)}
- **Look first**: ${ended(alarm.firstCommand.replaceAll('\\|', '|'))}
${alarm.steps.map((step) => `- **Then**: ${ended(step)}`).join('\n')}
- **What users see**: ${ended(alarm.users)}
`,
  )
  return `<!-- Written by \`npm run generate\` from infra/monitoring/alarms. Do not edit. -->
# Runbook

One page for each alarm of \`infra/monitoring/rules.yaml\`, the critical ones first. All commands are run where the settings of the
installation are set. \`npm run drill:incidents\` injects six incidents over the simulator and shows which alarm fires after how long.

${pages.join('\n')}`
}
