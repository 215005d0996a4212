import { feedDatasets, frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import type { Alarm, AlarmRule } from './alarm.ts'

/** Returns the rule for a gauge that stays above a limit. @param labels labels of its series */
function above(metric: string, limit: number, labels: Readonly<Record<string, string>> = {}): AlarmRule {
  const selector = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  const series = selector.length > 0 ? `${metric}{${selector.join(',')}}` : metric
  return {
    expr: `${series} > ${limit}`,
    labels,
    firing: { [series]: `${limit + 1}x90` },
    quiet: { [series]: `${limit}x90` },
  }
}

/** Feeds that are read on a schedule, with the label of their age metric. Alerts have an alarm of their own. */
const timedFeeds: readonly (readonly [dataset: string, feed: string])[] = [
  ['spc-outlooks', 'spc'],
  ['nws-texts', 'text'],
  ['climate-reports', 'climate-reports'],
  ['metar', 'metar'],
  ['airnow', 'airnow'],
]
function limitOf(dataset: string): number {
  const feed = feedDatasets.find(({ id }) => id === dataset)
  if (!feed) throw new Error(`alarms: there is no feed ${dataset}`)
  return feed.staleAfterSeconds
}

/** All alarms, the most urgent first. `npm run generate` writes the rules, their tests and the table of OPS.md. */
export const alarms: readonly Alarm[] = [
  {
    name: 'HexcastAlertsUnconfirmed',
    title: 'alerts are not confirmed',
    severity: 'critical',
    rules: [above('hexcast_alert_feed_age_seconds', 180)],
    forMinutes: 2,
    when: '`hexcast_alert_feed_age_seconds` is above 180 for 2 min',
    meaning:
      'api.weather.gov is unreachable or refuses requests. Answers have the warning `stale_source` or `source_failed`, and never say that there are no alerts',
    firstCommand: "`npx hexcast status`: what was the feed's last failure?",
  },
  {
    name: 'HexcastApiErrors',
    title: 'API answers with errors',
    severity: 'critical',
    rules: [
      {
        expr: 'sum(rate(hexcast_http_requests_total{status=~"5.."}[5m])) / sum(rate(hexcast_http_requests_total[5m])) > 0.01',
        firing: {
          'hexcast_http_requests_total{status="200"}': '0+100x90',
          'hexcast_http_requests_total{status="503"}': '0+5x90',
        },
        quiet: {
          'hexcast_http_requests_total{status="200"}': '0+1000x90',
          'hexcast_http_requests_total{status="503"}': '0+5x90',
        },
      },
    ],
    forMinutes: 5,
    when: 'more than 1 % of `hexcast_http_requests_total` have a status of 500 or more, for 5 min',
    meaning: 'status 503: an engine is unreachable or the process is overloaded; status 500: a bug in Hexcast',
    firstCommand: '`curl localhost:8080/readyz`: which part is `down` or `degraded`?',
  },
  {
    name: 'HexcastWorkStalled',
    title: 'workers make no progress',
    severity: 'critical',
    rules: [
      {
        expr: 'sum(hexcast_queue_depth{state="running"}) > 0 and sum(rate(hexcast_step_seconds_count[5m])) == 0',
        firing: { 'hexcast_queue_depth{state="running"}': '7x90', 'hexcast_step_seconds_count{step="a"}': '12x90' },
        quiet: { 'hexcast_queue_depth{state="running"}': '7x90', 'hexcast_step_seconds_count{step="a"}': '0+3x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_queue_depth{state="running"}` is above 0 while no step of `hexcast_step_seconds` ends, for 5 min',
    meaning: 'the workers have stopped or wait for the database',
    firstCommand: '`npx hexcast status`, then `curl localhost:9464/healthz` of each worker',
  },
  {
    name: 'HexcastRunStale',
    title: 'a run is stale',
    severity: 'warning',
    rules: gridDatasets.map(({ id, staleAfterSeconds }) =>
      above('hexcast_run_age_seconds', staleAfterSeconds, { dataset: id }),
    ),
    forMinutes: 15,
    when: "`hexcast_run_age_seconds` is above the dataset's limit (`/v1/catalog`) for 15 min",
    meaning: 'upstream is late, or the run fails validation. Answers have the warning `stale_source`',
    firstCommand: '`npx hexcast status`: is it in progress, and what was the last failure?',
  },
  {
    name: 'HexcastRunLate',
    title: 'a run is late',
    severity: 'warning',
    rules: gridDatasets.map(({ id }) => above('hexcast_run_late_seconds', 0, { dataset: id })),
    forMinutes: 10,
    when: '`hexcast_run_late_seconds` is above 0 for 10 min: the run is later than the usual time of its lead group',
    meaning: 'upstream is later than in 19 of 20 runs, or processing is slow. The served run may not be stale yet',
    firstCommand: '`npx hexcast status`: is it in progress, and what was the last failure?',
  },
  {
    name: 'HexcastFramesLate',
    title: 'frames are late',
    severity: 'warning',
    rules: frameDatasets.map(({ id }) => above('hexcast_frame_late_seconds', 0, { dataset: id })),
    forMinutes: 5,
    when: '`hexcast_frame_late_seconds` is above 0 for 5 min, by `dataset`',
    meaning:
      'the frames are older than their limit, their source does not answer, no frame was listed since the start, or a read of the source does not end. Answers lack the frames or have the warning `stale_source`',
    firstCommand: '`npx hexcast status`: the line below the dataset names the source and the reason',
  },
  {
    name: 'HexcastFeedStale',
    title: 'a feed is stale',
    severity: 'warning',
    rules: timedFeeds.map(([dataset, feed]) => above('hexcast_feed_age_seconds', limitOf(dataset), { feed })),
    forMinutes: 5,
    when: "`hexcast_feed_age_seconds` is above the dataset's limit for 5 min",
    meaning:
      'the host of the feed is unreachable or refuses requests, or its documents cannot be decoded. Answers have the warning `stale_source`',
    firstCommand: "`npx hexcast status`: what was the feed's last failure?",
  },
  {
    name: 'HexcastStepsFail',
    title: 'steps fail',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (step, fault) (increase(hexcast_feed_failures_total[10m])) > 5',
        firing: { 'hexcast_feed_failures_total{step="sampleFile",fault="Corrupt"}': '0+2x90' },
        quiet: { 'hexcast_feed_failures_total{step="sampleFile",fault="Corrupt"}': '0 0 1 1 1 1x86' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_feed_failures_total` increases by more than 5 in 10 min, by `fault`',
    meaning:
      '`Refused`: upstream or an engine is unreachable or throttles; `Corrupt`: a file violates its format; `bug`: a bug in Hexcast',
    firstCommand: '`grep \'"outcome":"Corrupt"\'` (or another fault) in the worker\'s log: the line names the file',
  },
  {
    name: 'HexcastRowsRejected',
    title: 'rows are rejected',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (feed, reason) (increase(hexcast_feed_rejected_total[30m])) > 100',
        firing: { 'hexcast_feed_rejected_total{feed="metar",reason="row"}': '0+20x90' },
        quiet: { 'hexcast_feed_rejected_total{feed="metar",reason="row"}': '0+1x90' },
      },
    ],
    forMinutes: 10,
    when: '`hexcast_feed_rejected_total` increases by more than 100 in 30 min, by `feed` and `reason`',
    meaning: 'upstream has changed a part of its format. The rejected rows are left out, and the others are served',
    firstCommand: "`grep rejected` in the worker's log: the line has the first rejected row",
  },
  {
    name: 'HexcastFeedRefused',
    title: 'a feed redirects or refuses requests',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (dataset, reason) (increase(hexcast_quarantine_total{reason=~"html|status"}[90m])) > 0',
        firing: { 'hexcast_quarantine_total{dataset="metar",reason="status"}': '0 0 0+1x90' },
        quiet: { 'hexcast_quarantine_total{dataset="metar",reason="row"}': '0+1x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_quarantine_total` with reason `html` or `status` increases within 90 min, by `dataset` and `reason`',
    meaning:
      'a feed or bucket answers with a redirect, a status of 4xx or an HTML page: it has moved, or does not accept our User-Agent (`CONTACT`)',
    firstCommand: '`npx hexcast quarantine list DATASET`, then `show ID`: which address gave which answer?',
  },
  {
    name: 'HexcastSecondSource',
    title: 'a second source is in use',
    severity: 'warning',
    rules: [
      {
        expr: 'max by (dataset, source) (hexcast_second_source) > 0',
        firing: { 'hexcast_second_source{dataset="hrrr",source="storage.googleapis.com"}': '1x90' },
        quiet: { 'hexcast_second_source{dataset="hrrr",source="storage.googleapis.com"}': '1x9 _x80' },
      },
    ],
    forMinutes: 10,
    when: '`hexcast_second_source` is above 0 for 10 min, by `dataset` and `source`',
    meaning:
      'the first source of a feed or bucket does not answer, refuses requests or is late. The served data are complete, but come from the second source',
    firstCommand: '`curl -s localhost:8080/v1/status`: `second_source` of the dataset has the reason',
  },
  {
    name: 'HexcastQuarantineGrows',
    title: 'upstream has changed',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (dataset, reason) (increase(hexcast_quarantine_total{reason!~"row|doubled"}[30m])) > 0',
        firing: { 'hexcast_quarantine_total{dataset="hrrr",reason="grid"}': '0 0 0+1x90' },
        quiet: {
          'hexcast_quarantine_total{dataset="hrrr",reason="grid"}': '7x90',
          'hexcast_quarantine_total{dataset="metar",reason="row"}': '0+1x90',
          'hexcast_quarantine_total{dataset="nbm",reason="doubled"}': '0+1x90',
        },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_quarantine_total` increases within 30 min, by `dataset` and `reason`, except for single rows of feeds (`row`) and for second copies (`doubled`)',
    meaning:
      'a message, scan or document does not match the declaration of its dataset. That variable of that hour, that scan or that document is left out, and all other data are published. Answers have the warning `source_incomplete`, or the warnings of a feed',
    firstCommand: '`npx hexcast quarantine list`: which variables, and for which reason?',
  },
  {
    name: 'HexcastWorkflowsFailed',
    title: 'workflows failed',
    severity: 'warning',
    rules: [
      {
        expr: 'increase(hexcast_queue_depth{state="failed"}[1h]) > 3',
        firing: { 'hexcast_queue_depth{state="failed"}': '0+1x90' },
        quiet: { 'hexcast_queue_depth{state="failed"}': '9x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_queue_depth{state="failed"}` increases by more than 3 in an hour',
    meaning:
      'a workflow failed in every attempt, hung until its timeout, or found no worker until then. The next tick of its schedule starts it again',
    firstCommand:
      "`temporal workflow list --query \"ExecutionStatus in ('Failed', 'TimedOut')\"`; on the queue in the database `psql \"$DATABASE_URL\" -c \"select name, data->>'id', output from work.job where state = 'failed'\"`",
  },
  {
    name: 'HexcastOutboxWaits',
    title: 'events are not published',
    severity: 'warning',
    rules: [above('hexcast_outbox_age_seconds', 10)],
    forMinutes: 1,
    when: '`hexcast_outbox_age_seconds` is above 10 for a minute (`hexcast_outbox_waiting` is the number of events)',
    meaning: 'the broker is unreachable. No event is lost, and API processes notice changes later by polling',
    firstCommand: "`npx hexcast status`: does the broker answer? Then read the broker's log",
  },
  {
    name: 'HexcastEventsDisconnected',
    title: 'events are not received',
    severity: 'warning',
    rules: [
      {
        expr: 'hexcast_events_connected == 0',
        firing: { hexcast_events_connected: '0x90' },
        quiet: { hexcast_events_connected: '1x90' },
      },
    ],
    forMinutes: 2,
    when: '`hexcast_events_connected` is 0 for 2 min',
    meaning: 'this process notices changes later by polling. Its `/readyz` reports `events: down`',
    firstCommand: '`npx hexcast status`: does the broker answer? Restart the process if other processes receive events',
  },
  {
    name: 'HexcastEventsBehind',
    title: 'events are received late',
    severity: 'warning',
    rules: [above('hexcast_events_behind', 1000)],
    forMinutes: 2,
    when: '`hexcast_events_behind` is above 1000 for 2 min',
    meaning: 'this process notices changes late',
    firstCommand: '`curl -s localhost:8080/metrics \\| grep hexcast_events`: does the number increase?',
  },
  {
    name: 'HexcastObjectsCacheFails',
    title: 'the object cache fails',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (what) (increase(hexcast_objects_cache{what=~"unwritten|broken"}[15m])) > 10',
        firing: { 'hexcast_objects_cache{what="unwritten"}': '0+2x90' },
        quiet: { 'hexcast_objects_cache{what="hits"}': '0+50x90', 'hexcast_objects_cache{what="broken"}': '3x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_objects_cache{what="unwritten"}` or `{what="broken"}` increases by more than 10 in 15 min',
    meaning: 'the disk of the cache is full or fails. Answers stay correct, but answers that are not cached get slower',
    firstCommand: '`df -h "$OBJECTS_CACHE"`: is the disk full?',
  },
  {
    name: 'HexcastSlowAnswers',
    title: 'answers are slow',
    severity: 'warning',
    rules: [
      {
        expr: 'histogram_quantile(0.99, sum by (le) (rate(hexcast_http_request_seconds_bucket{route="/v1/weather"}[5m]))) > 0.25',
        firing: {
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="0.25"}': '0+90x90',
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="1"}': '0+100x90',
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="+Inf"}': '0+100x90',
        },
        quiet: {
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="0.25"}': '0+100x90',
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="1"}': '0+100x90',
          'hexcast_http_request_seconds_bucket{route="/v1/weather",le="+Inf"}': '0+100x90',
        },
      },
    ],
    forMinutes: 10,
    when: 'the p99 of `hexcast_http_request_seconds` for `/v1/weather` is above 250 ms for 10 min',
    meaning: 'the object store is slow, or the process shares its cores with the worker',
    firstCommand: '`npx hexcast status`: how long does the object store take? Then check the load of the machine',
  },
]
