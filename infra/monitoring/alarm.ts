/** An alarm, from which its Prometheus rules, their unit tests and its row in OPS.md are generated. */
export interface Alarm {
  /** Name of the Prometheus alert. */
  readonly name: string
  /** Name for operators, in the first column of OPS.md. */
  readonly title: string
  readonly severity: 'critical' | 'warning'
  /** A rule, or a rule for each value of a label. */
  readonly rules: readonly AlarmRule[]
  /** Minutes for which the expression is true before the alert fires. */
  readonly forMinutes: number
  /** Condition in words, Markdown. */
  readonly when: string
  /** Causes and effects, Markdown. */
  readonly meaning: string
  /** First command of the operator, Markdown that begins with a command in backticks. */
  readonly firstCommand: string
  /** What to look at after the first command, and what to do about each finding: sentences in Markdown. */
  readonly steps: readonly string[]
  /** What users of the API see while the alarm lasts, Markdown. */
  readonly users: string
}

export interface AlarmRule {
  /** Expression in PromQL. Its value has the same labels however many processes export the series. */
  readonly expr: string
  /** Labels of the alert in the test in which it fires, beside those of the rule; default: the labels of the only series. */
  readonly alertLabels?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  /**
   * Series of a test in which the alert fires after `forMinutes`, in promtool's notation with an interval of one
   * minute.
   */
  readonly firing: MetricSeries
  /** Series of a test in which the alert never fires. */
  readonly quiet: MetricSeries
}

/** Values by name and labels of the series. */
export type MetricSeries = Readonly<Record<string, string>>

/** Returns the anchor of an alarm's page in docs/RUNBOOK.md. */
export const anchorOf = ({ name }: Pick<Alarm, 'name'>) => name.toLowerCase()

/** Names and values of labels as a selector of PromQL without braces. */
const selectorOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')

/** A gauge that one or more processes export, and the limit that its largest value must not exceed. */
export interface GaugeLimit {
  readonly metric: string
  readonly limit: number
  /** Labels that select the series and identify the alert. */
  readonly labels?: Readonly<Record<string, string>>
  /** Further labels by which alerts differ, with their values in the test. */
  readonly by?: Readonly<Record<string, string>>
}

/** Returns the rule for a gauge that stays above a limit in any process. */
export function above({ metric, limit, labels = {}, by = {} }: GaugeLimit): AlarmRule {
  const selected = Object.keys(labels).length > 0 ? `${metric}{${selectorOf(labels)}}` : metric
  const all = { ...labels, ...by }
  const series = Object.keys(all).length > 0 ? `${metric}{${selectorOf(all)}}` : metric
  const grouping = Object.keys(by).length > 0 ? ` by (${Object.keys(by).join(', ')})` : ''
  return {
    expr: `max${grouping}${grouping ? ' ' : ''}(${selected}) > ${limit}`,
    labels,
    alertLabels: by,
    firing: { [series]: `${limit + 1}x90` },
    quiet: { [series]: `${limit}x90` },
  }
}
