/** One alarm: the Prometheus rule, its row in OPS.md and its unit tests derive from it. */
export interface Alarm {
  /** Name of the Prometheus alert. */
  readonly name: string
  /** As operators call it; first column of OPS.md. */
  readonly title: string
  readonly severity: 'critical' | 'warning'
  /** One expression, or one for each value of a label. */
  readonly rules: readonly AlarmRule[]
  /** Minutes for which the expression is true before the alert fires. */
  readonly forMinutes: number
  /** Condition in words, for OPS.md. */
  readonly when: string
  readonly meaning: string
  /** First command to type, Markdown; begins with a command in backticks. */
  readonly firstCommand: string
}

export interface AlarmRule {
  /** PromQL. */
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  /** Series of a case that fires once `forMinutes` have passed, in promtool's notation at an interval of one minute. */
  readonly firing: MetricSeries
  /** Series of a case that never fires. */
  readonly quiet: MetricSeries
}

/** Name with labels → values. */
export type MetricSeries = Readonly<Record<string, string>>

/** Anchor of an alarm's row in OPS.md. */
export const anchorOf = ({ name }: Pick<Alarm, 'name'>) => name.toLowerCase()
