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
}

export interface AlarmRule {
  /** Expression in PromQL. */
  readonly expr: string
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

/** Returns the anchor of an alarm's row in OPS.md. */
export const anchorOf = ({ name }: Pick<Alarm, 'name'>) => name.toLowerCase()
