import { type Alarm, above } from '../alarm.ts'

const requests = (series: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(series).map(([le, values]) => [
      `hexcast_http_request_seconds_bucket{route="/v1/weather",le="${le}"}`,
      values,
    ]),
  )

/** Alarms about API processes and events. */
export const serviceAlarms: readonly Alarm[] = [
  {
    name: 'HexcastApiGone',
    title: 'no API process is running',
    severity: 'critical',
    rules: [
      {
        expr: 'absent(hexcast_process{process="api"})',
        alertLabels: { process: 'api' },
        firing: { 'hexcast_process{process="worker"}': '1x90' },
        quiet: { 'hexcast_process{process="api"}': '1x90' },
      },
    ],
    forMinutes: 2,
    when: 'no scraped process exports `hexcast_process{process="api"}` for 2 min',
    meaning: 'every API process has ended, cannot be reached by Prometheus, or is no longer a target',
    firstCommand: '`curl -s localhost:8080/healthz` on a machine of the API: is the process running?',
    steps: [
      'No process: read the end of its log, then start it. Status 2 is a wrong setting, which the last line names.',
      'A process answers: the targets of Prometheus are wrong, or `METRICS_TOKEN` is (`/targets` has the status).',
    ],
    users: 'Connections are refused, or the load balancer answers 502 or 503.',
  },
  {
    name: 'HexcastTargetDown',
    title: 'a process cannot be scraped',
    severity: 'warning',
    rules: [
      {
        expr: 'count by (job) (up{job=~"hexcast.*"} == 0) > 0',
        alertLabels: { job: 'hexcast-api' },
        firing: { 'up{job="hexcast-api"}': '0x90' },
        quiet: { 'up{job="hexcast-api"}': '1x90', 'up{job="other"}': '0x90' },
      },
    ],
    forMinutes: 5,
    when: '`up` of a job whose name begins with `hexcast` is 0 for 5 min, by `job`',
    meaning: 'a process has ended or does not answer its `/metrics`',
    firstCommand: '`curl -s localhost:9090/api/v1/targets`: which instance is down, and with which error?',
    steps: [
      'A refused connection: the process has ended. Read the end of its log and start it.',
      'A timeout: the process is overloaded or hangs. Restart it; the others continue.',
    ],
    users: 'Nothing while other processes are running.',
  },
  {
    name: 'HexcastApiErrors',
    title: 'API answers with errors',
    severity: 'critical',
    rules: [
      {
        // A process that drains answers its probes with 503.
        expr: 'sum(rate(hexcast_http_requests_total{status=~"5..",route!="/readyz"}[5m])) / sum(rate(hexcast_http_requests_total[5m])) > 0.01',
        firing: {
          'hexcast_http_requests_total{status="200"}': '0+100x90',
          'hexcast_http_requests_total{status="503"}': '0+5x90',
        },
        quiet: {
          'hexcast_http_requests_total{status="200"}': '0+1000x90',
          'hexcast_http_requests_total{status="503"}': '0+5x90',
          'hexcast_http_requests_total{route="/readyz",status="503"}': '0+500x90',
        },
      },
    ],
    forMinutes: 5,
    when: 'more than 1 % of `hexcast_http_requests_total`, probes of `/readyz` aside, have a status of 500 or more, for 5 min',
    meaning: 'status 503: an engine is unreachable or the process is overloaded; status 500: a bug in Hexcast',
    firstCommand: '`curl localhost:8080/readyz`: which part is `down` or `degraded`?',
    steps: [
      'A part is down: see `HexcastDatabaseDown`, or bring the object store or broker back.',
      'All parts are ok and the status is 503: too many requests for the processes. Start more.',
      'The status is 500: `grep \'"msg":"request failed"\'` in the process\'s log has the stack of each error, at level `error`.',
    ],
    users: 'Some requests fail; clients may retry after `Retry-After`.',
  },
  {
    name: 'HexcastSlowAnswers',
    title: 'answers are slow',
    severity: 'warning',
    rules: [
      {
        expr: 'histogram_quantile(0.99, sum by (le) (rate(hexcast_http_request_seconds_bucket{route="/v1/weather"}[5m]))) > 0.25',
        firing: requests({ 0.25: '0+90x90', 1: '0+100x90', '+Inf': '0+100x90' }),
        quiet: requests({ 0.25: '0+100x90', 1: '0+100x90', '+Inf': '0+100x90' }),
      },
    ],
    forMinutes: 10,
    when: 'the p99 of `hexcast_http_request_seconds` for `/v1/weather` is above 250 ms for 10 min',
    meaning: 'the object store is slow, or the process shares its cores with the worker',
    firstCommand: '`npx hexcast status`: how long does the object store take? Then check the load of the machine',
    steps: [
      'The store is slow: check its own monitoring, and that `OBJECTS_CACHE` has a fast disk.',
      'The cores are busy: move the worker to another machine, or start more API processes.',
    ],
    users: 'Answers that are not cached take longer than 0.25 s.',
  },
  {
    name: 'HexcastOutboxWaits',
    title: 'events are not published',
    severity: 'warning',
    rules: [above({ metric: 'hexcast_outbox_age_seconds', limit: 10 })],
    forMinutes: 1,
    when: '`hexcast_outbox_age_seconds` is above 10 for a minute (`hexcast_outbox_waiting` is the number of events)',
    meaning: 'the broker is unreachable, or no worker is running. No event is lost',
    firstCommand: "`npx hexcast status`: does the broker answer? Then read the broker's log",
    steps: [
      'The broker is down: bring it back. Events are published in order.',
      'The broker answers: the relay of the workers fails; `hexcast_relay_failures` counts, and their log has the error.',
    ],
    users: 'API processes notice changes some seconds later, by polling.',
  },
  {
    name: 'HexcastOutboxDead',
    title: 'events can never be published',
    severity: 'warning',
    rules: [above({ metric: 'hexcast_outbox_dead', limit: 0 })],
    forMinutes: 1,
    when: '`hexcast_outbox_dead` is above 0 for a minute',
    meaning:
      'events break the schema of their topic, or are larger than the broker takes. They were moved out of the way, and later events are published; the newest 1,000 are kept',
    firstCommand: '`npx hexcast dead-events list`: which topics, and for which reason?',
    steps: [
      'The reason is a size: raise `message.max.bytes` of the broker or of the topic, then `npx hexcast dead-events requeue all`.',
      'The reason is a field: workers of two versions are running, or it is a bug in Hexcast, to be reported with the output of `npx hexcast dead-events show ID`. Deploy the correction, then `npx hexcast dead-events requeue all`.',
      'Nobody needs the events any more, since answers are read from the tables: `npx hexcast dead-events drop all`.',
    ],
    users:
      'Answers are complete, since they are read from the tables. Readers of the topic, webhooks and event streams do not receive the event.',
  },
  {
    name: 'HexcastEventsDisconnected',
    title: 'events are not received',
    severity: 'warning',
    rules: [
      {
        expr: 'count(hexcast_events_connected == 0) > 0',
        alertLabels: {},
        firing: { hexcast_events_connected: '0x90' },
        quiet: { hexcast_events_connected: '1x90' },
      },
    ],
    forMinutes: 2,
    when: '`hexcast_events_connected` of a process is 0 for 2 min',
    meaning: 'the process notices changes later by polling. Its `/readyz` reports `events: down`',
    firstCommand: '`npx hexcast status`: does the broker answer?',
    steps: ['The broker answers: restart the process whose value is 0 if others receive events.'],
    users: 'Changes appear some seconds later.',
  },
  {
    name: 'HexcastEventsBehind',
    title: 'events are received late',
    severity: 'warning',
    rules: [above({ metric: 'hexcast_events_behind', limit: 1000 })],
    forMinutes: 2,
    when: '`hexcast_events_behind` of a process is above 1000 for 2 min',
    meaning: 'the process notices changes late',
    firstCommand: '`curl -s localhost:8080/metrics \\| grep hexcast_events`: does the number increase?',
    steps: ['It increases: the process is overloaded; restart it, or start more. It falls: wait.'],
    users: 'Changes appear later.',
  },
  {
    name: 'HexcastEventsDropped',
    title: 'events are dropped',
    severity: 'warning',
    rules: [
      {
        expr: 'sum(increase(hexcast_events_dropped[15m])) > 0',
        alertLabels: {},
        firing: { hexcast_events_dropped: '0 0+1x90' },
        quiet: { hexcast_events_dropped: '7x90' },
      },
    ],
    forMinutes: 1,
    when: '`hexcast_events_dropped` increases within 15 min',
    meaning: 'a handler failed six times for an event, which was then skipped. Polling repairs most effects',
    firstCommand: "`grep -i event` in the process's log: which event, and with which error?",
    steps: [
      'The error names an engine: bring it back. Any other error is a bug in Hexcast: report it with the log line.',
    ],
    users: 'A change may appear later; a webhook may be delayed.',
  },
]
