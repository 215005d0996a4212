import { DashboardBuilder, DatasourceVariableBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

interface DashboardPanel {
  readonly title: string
  /** Grafana's name of the unit. */
  readonly unit: string
  /** Expressions in PromQL with their legends. */
  readonly queries: readonly (readonly [expr: string, legend: string])[]
}

const rate = '[$__rate_interval]'
const rows: readonly (readonly [title: string, panels: readonly DashboardPanel[]])[] = [
  [
    'Data',
    [
      {
        title: 'Age of served runs',
        unit: 's',
        queries: [['max by (dataset, domain) (hexcast_run_age_seconds)', '{{dataset}} {{domain}}']],
      },
      {
        title: 'Lateness of runs',
        unit: 's',
        queries: [['max by (dataset, domain) (hexcast_run_late_seconds) > 0', '{{dataset}} {{domain}}']],
      },
      {
        title: 'Lateness of frames',
        unit: 's',
        queries: [['max by (dataset, domain) (hexcast_frame_late_seconds) > 0', '{{dataset}} {{domain}}']],
      },
      {
        title: 'From upstream to the first answer (p50, p99)',
        unit: 's',
        queries: [0.5, 0.99].map(
          (quantile) =>
            [
              `histogram_quantile(${quantile}, sum by (le, dataset) (rate(hexcast_availability_seconds_bucket${rate})))`,
              `p${quantile * 100} {{dataset}}`,
            ] as const,
        ),
      },
      {
        title: 'Time since the last confirmed read of feeds',
        unit: 's',
        queries: [['max by (feed) (hexcast_feed_age_seconds)', '{{feed}}']],
      },
      {
        title: 'Second sources in use',
        unit: 'short',
        queries: [['max by (dataset, source) (hexcast_second_source)', '{{dataset}} {{source}}']],
      },
      { title: 'Alerts in force', unit: 'short', queries: [['max(hexcast_alerts_shown)', 'alerts']] },
      {
        title: 'Rejected rows and features',
        unit: 'short',
        queries: [[`max by (feed, reason) (increase(hexcast_feed_rejected_total${rate}))`, '{{feed}}: {{reason}}']],
      },
      {
        title: 'Skill of the nowcast (critical success index)',
        unit: 'percentunit',
        queries: [['hexcast_nowcast_csi', '{{domain}} {{lead}}']],
      },
    ],
  ],
  [
    'Work',
    [
      { title: 'Workflows', unit: 'short', queries: [['max by (state) (hexcast_queue_depth)', '{{state}}']] },
      {
        title: 'Steps per second',
        unit: 'ops',
        queries: [[`sum by (step, outcome) (rate(hexcast_step_seconds_count${rate}))`, '{{step}} {{outcome}}']],
      },
      {
        title: 'Duration of steps, p95',
        unit: 's',
        queries: [
          [
            `histogram_quantile(0.95, sum by (le, step) (rate(hexcast_step_seconds_bucket{outcome="ok"}${rate})))`,
            '{{step}}',
          ],
        ],
      },
      {
        title: "Temporal: delay from a task's schedule to its start, p95",
        unit: 's',
        queries: ['workflow_task', 'activity'].map((kind) => [
          `histogram_quantile(0.95, sum by (le, task_queue) (rate(temporal_${kind}_schedule_to_start_latency_seconds_bucket${rate})))`,
          `${kind.replace('_task', '')} {{task_queue}}`,
        ]),
      },
      {
        title: 'Temporal: requests and failed requests per second',
        unit: 'ops',
        queries: [
          [`sum by (operation) (rate(temporal_request_total${rate}))`, '{{operation}}'],
          [`sum by (operation) (rate(temporal_request_failure_total${rate}))`, '{{operation}} failed'],
        ],
      },
      {
        title: 'Failed steps',
        unit: 'short',
        queries: [[`sum by (step, fault) (increase(hexcast_feed_failures_total${rate}))`, '{{step}}: {{fault}}']],
      },
    ],
  ],
  [
    'Answers',
    [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: [
          [`sum by (status) (rate(hexcast_http_requests_total${rate}))`, '{{status}}'],
          [`sum(rate(hexcast_http_cached_total${rate}))`, 'from the cache'],
        ],
      },
      {
        title: 'Duration of answers that are not cached',
        unit: 's',
        queries: ['0.5', '0.95', '0.99'].map((quantile) => [
          `histogram_quantile(${quantile}, sum by (le) (rate(hexcast_http_request_seconds_bucket{route="/v1/weather"}${rate})))`,
          `p${Number(quantile) * 100}`,
        ]),
      },
      {
        title: 'Resident memory',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes', '{{instance}}']],
      },
      {
        title: 'Event loop delay, p99',
        unit: 's',
        queries: [['nodejs_eventloop_lag_p99_seconds', '{{instance}}']],
      },
    ],
  ],
  [
    'Events and stores',
    [
      {
        title: 'Outbox',
        unit: 'short',
        queries: [
          ['max(hexcast_outbox_waiting)', 'waiting'],
          ['max(hexcast_outbox_age_seconds)', 'age of the oldest, s'],
          ['max(hexcast_relay_failures)', 'consecutive failures'],
          ['max(hexcast_outbox_dead)', 'dead'],
        ],
      },
      {
        title: 'Events',
        unit: 'short',
        queries: [
          ['hexcast_events_behind', 'behind, {{instance}}'],
          [`increase(hexcast_events_reconnects${rate})`, 'reconnects, {{instance}}'],
          [`increase(hexcast_events_dropped${rate})`, 'dropped, {{instance}}'],
        ],
      },
      {
        title: 'Object cache',
        unit: 'short',
        queries: [['sum by (what) (hexcast_objects_cache{what!="bytes"})', '{{what}}']],
      },
    ],
  ],
]

/** Every expression of the dashboard. */
export const expressions = rows.flatMap(([, panels]) =>
  panels.flatMap(({ queries }) => queries.map(([expression]) => expression)),
)

/** Returns a Grafana dashboard of the metrics of API processes and workers. */
export function dashboardJson(): string {
  const board = new DashboardBuilder('Hexcast')
    .uid('hexcast')
    .tags(['hexcast', 'generated'])
    .refresh('1m')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
  for (const [title, panels] of rows) {
    board.withRow(new RowBuilder(title))
    for (const { title: name, unit, queries } of panels) {
      const panel = new PanelBuilder()
        .title(name)
        .unit(unit)
        .datasource({ type: 'prometheus', uid: '$' + '{datasource}' })
      for (const [expression, legend] of queries)
        panel.withTarget(new DataqueryBuilder().expr(expression).legendFormat(legend))
      board.withPanel(panel)
    }
  }
  return `${JSON.stringify(board.build(), null, 2)}\n`
}
