import { feedDatasets, frameDatasets, gridDatasets } from '../../../ingest/catalog.ts'
import { type Alarm, above } from '../alarm.ts'

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

const inDomain = { domain: 'alaska' }

/** Alarms about late, stale, silent and invalid sources. */
export const dataAlarms: readonly Alarm[] = [
  {
    name: 'HexcastAlertsUnconfirmed',
    title: 'alerts are not confirmed',
    severity: 'critical',
    rules: [above({ metric: 'hexcast_alert_feed_age_seconds', limit: 180 })],
    forMinutes: 2,
    when: '`hexcast_alert_feed_age_seconds` is above 180 for 2 min',
    meaning:
      'api.weather.gov is unreachable, refuses requests or serves an old copy (its `updated` time or its `Age` header does not advance). A new warning may be missing from answers',
    firstCommand: '`npx hexcast status`: what does the line below `alerts` say?',
    steps: [
      'The line below `alerts` says that a cache serves a frozen copy, or that the document is old: the second sources (`ALERTS_SECOND_URL`) are as old, or cannot be read. Compare `Age` and `Date` of `curl -sI https://api.weather.gov/alerts/active` from another network. If they are current there, connect the workers through that network or set `ALERTS_SECOND_URL` to an address that passes no cache. While only the feed is frozen, a second source is read instead and `HexcastSecondSource` fires.',
      'The failure is a status of 403 or 308: check `CONTACT`, then whether the address of this machine is blocked.',
      'There is no failure and the age grows: no worker reads the feed. See `HexcastWorkersGone` and `HexcastWorkStalled`.',
    ],
    users:
      'Answers have the warning `stale_source` or `source_failed` and are not cached. They never say that there are no alerts.',
  },
  {
    name: 'HexcastAlertsUnread',
    title: 'alerts were never read',
    severity: 'critical',
    rules: [
      {
        expr: 'absent(hexcast_alert_feed_age_seconds) and on () (count(hexcast_process{process="api"}) > 0)',
        alertLabels: {},
        firing: { 'hexcast_process{process="api"}': '1x90' },
        quiet: { 'hexcast_process{process="api"}': '1x90', hexcast_alert_feed_age_seconds: '20x90' },
      },
    ],
    forMinutes: 5,
    when: 'API processes are running, and none has `hexcast_alert_feed_age_seconds`, for 5 min',
    meaning: 'no worker has read the alert feed since the first start',
    firstCommand: "`npx hexcast status`: what was the feed's last failure?",
    steps: ['There is a failure: see `HexcastAlertsUnconfirmed`. There is none: see `HexcastWorkersGone`.'],
    users: 'Answers have the warning `source_failed` and no alerts; they do not say that there are none.',
  },
  {
    name: 'HexcastRunStale',
    title: 'a run is stale',
    severity: 'warning',
    rules: gridDatasets.map(({ id, staleAfterSeconds }) =>
      above({ metric: 'hexcast_run_age_seconds', limit: staleAfterSeconds, labels: { dataset: id }, by: inDomain }),
    ),
    forMinutes: 15,
    when: "`hexcast_run_age_seconds` is above the dataset's limit (`/v1/catalog`) for 15 min, by `dataset` and `domain`",
    meaning: 'upstream is late, the run fails validation, or no worker processes it',
    firstCommand: '`npx hexcast status`: is it in progress, and what was the last failure?',
    steps: [
      'Nothing is in progress and there is no failure: upstream has not published the run. `UPSTREAM=live npx hexcast doctor --live` says which keys exist. Wait; the run waits by itself until its deadline.',
      'The last failure is a rejection: `npx hexcast quarantine list DATASET` has the variables and reasons. If every run is rejected, upstream has changed; correct the declaration in `ingest/datasets`.',
      'The bucket refuses or is silent: `second_source` in `/v1/status` shows whether a mirror is read (`MODEL_MIRRORS`).',
    ],
    users:
      'Answers use the last good run, and the next dataset in order beyond its end, with the warning `stale_source`.',
  },
  {
    name: 'HexcastFramesStale',
    title: 'frames are stale',
    severity: 'warning',
    rules: frameDatasets.map(({ id, staleAfterSeconds }) =>
      above({ metric: 'hexcast_run_age_seconds', limit: staleAfterSeconds, labels: { dataset: id }, by: inDomain }),
    ),
    forMinutes: 5,
    when: '`hexcast_run_age_seconds` of a frame product is above its limit for 5 min, by `dataset` and `domain`',
    meaning: 'upstream publishes no frames, the frames are rejected, or no worker fetches them',
    firstCommand: '`npx hexcast status`: the line below the dataset names the source and the reason',
    steps: [
      'The reason names a prefix without keys: see `HexcastSourceSilent`.',
      'Frames are rejected: `npx hexcast quarantine list DATASET`.',
      'All products of a bucket are stale: the bucket does not answer. The next sweep tries again; there is no second source for frames.',
    ],
    users: 'Answers leave the section out, or have the warning `stale_source`; the nowcast ends.',
  },
  {
    name: 'HexcastRunLate',
    title: 'a run is late',
    severity: 'warning',
    rules: gridDatasets.map(({ id }) =>
      above({ metric: 'hexcast_run_late_seconds', limit: 0, labels: { dataset: id }, by: inDomain }),
    ),
    // A run is late 15 min or more after the delay that 19 of 20 runs keep.
    forMinutes: 3,
    when: '`hexcast_run_late_seconds` is above 0 for 3 min: the run is later than the usual time of its lead group',
    meaning: 'upstream is later than in 19 of 20 runs, or processing is slow. The served run may not be stale yet',
    firstCommand: '`npx hexcast status`: is it in progress, and what was the last failure?',
    steps: [
      'The run is not in progress: upstream has not begun it. Check the status page of NCEP (`https://www.nco.ncep.noaa.gov/status/`) and wait.',
      'The run is in progress and does not advance: files are missing upstream (the failure names them), or the workers are overloaded (`hexcast_queue_depth`, `hexcast_step_seconds`).',
    ],
    users: 'Nothing yet: the previous run is served. After its age limit answers have the warning `stale_source`.',
  },
  {
    name: 'HexcastFramesLate',
    title: 'frames are late',
    severity: 'warning',
    rules: frameDatasets.map(({ id }) =>
      above({ metric: 'hexcast_frame_late_seconds', limit: 0, labels: { dataset: id }, by: inDomain }),
    ),
    forMinutes: 5,
    when: '`hexcast_frame_late_seconds` is above 0 for 5 min, by `dataset` and `domain`',
    meaning:
      'the frames are older than their limit, their source does not answer, no frame was listed since the start, or a read of the source does not end',
    firstCommand: '`npx hexcast status`: the line below the dataset names the source and the reason',
    steps: [
      'The reason names a host without an answer: the source is down. Sweeps of other sources are not delayed.',
      'The reason is a search that does not end: restart the worker that runs it.',
    ],
    users: 'Answers lack the frames or have the warning `stale_source`.',
  },
  {
    name: 'HexcastSourceSilent',
    title: 'a source lists nothing',
    severity: 'warning',
    rules: [
      above({
        metric: 'hexcast_source_silent_seconds',
        limit: 0,
        by: { dataset: 'storm-tracks', domain: 'conus', prefix: 'noaa-mrms-pds/ProbSevere/' },
      }),
    ],
    forMinutes: 5,
    when: '`hexcast_source_silent_seconds` is above 0 for 5 min, by `dataset`, `domain` and `prefix`',
    meaning:
      'the bucket answers and lists no key under the prefix since the start, or none that is new enough; for a feed, no read has succeeded since the start. The keys have moved, or upstream has stopped the product',
    firstCommand: '`npx hexcast doctor --live`: the line of the dataset names the child prefixes that exist instead',
    steps: [
      'Other prefixes exist: the keys have moved. Look for the change notice of NOAA, correct `listings` or `listing` of the dataset in `ingest/datasets`, and deploy.',
      'Nothing exists: upstream has stopped. If that is final, leave the dataset out of `DATASETS`.',
      'Many datasets are silent at once: no worker lists. See `HexcastWorkersGone`.',
    ],
    users: 'Sections that come from the dataset are absent with a warning, or come from the next dataset in order.',
  },
  {
    name: 'HexcastFeedStale',
    title: 'a feed is stale',
    severity: 'warning',
    rules: timedFeeds.map(([dataset, feed]) =>
      above({ metric: 'hexcast_feed_age_seconds', limit: limitOf(dataset), labels: { feed } }),
    ),
    forMinutes: 5,
    when: "`hexcast_feed_age_seconds` is above the dataset's limit for 5 min",
    meaning: 'the host of the feed is unreachable or refuses requests, or its documents cannot be decoded',
    firstCommand: "`npx hexcast status`: what was the feed's last failure?",
    steps: [
      'A status of 403, 308 or an HTML page: check `CONTACT` and whether the address has moved.',
      'A document that cannot be decoded: `npx hexcast quarantine list DATASET`, then `show ID`.',
    ],
    users: 'Answers use the last good data, with the warning `stale_source`.',
  },
  {
    name: 'HexcastUpstreamCheckFails',
    title: 'the daily check of upstream fails',
    severity: 'warning',
    rules: [above({ metric: 'hexcast_upstream_check', limit: 1, by: { check: 'nbm/conus index' } })],
    forMinutes: 5,
    when: '`hexcast_upstream_check` is 2 for 5 min, by `check`',
    meaning: 'upstream differs from what ingestion expects: keys, lead hours, index lines, grids, frames or feeds',
    firstCommand: '`npx hexcast status`: the lines below `upstream` have what exists instead',
    steps: [
      '`UPSTREAM=live CONTACT=… npx hexcast doctor --live` repeats the check now.',
      'A check that passes now had a temporary fault of upstream; the metric changes with the next daily check.',
      'A check that fails again: correct the declaration of the dataset in `ingest/datasets`, and deploy.',
    ],
    users: 'Usually nothing. If a required variable is gone, answers have the warning `source_incomplete`.',
  },
  {
    name: 'HexcastUpstreamCheckOld',
    title: 'upstream was not checked',
    severity: 'warning',
    rules: [above({ metric: 'hexcast_upstream_check_age_seconds', limit: 100_800 })],
    forMinutes: 10,
    when: '`hexcast_upstream_check_age_seconds` is above 100800 (28 h) for 10 min',
    meaning: 'the daily check of upstream did not end',
    firstCommand: "`grep checkUpstream` in the workers' logs: did the step fail?",
    steps: ['No worker ran the step: see `HexcastWorkersGone`. Otherwise the log line has the error.'],
    users: 'Nothing.',
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
    meaning: 'the first source of a feed or bucket does not answer, refuses requests or is late',
    firstCommand: '`curl -s localhost:8080/v1/status`: `second_source` of the dataset has the reason',
    steps: [
      'Read the reason. The first source is tried again by itself; there is nothing to do unless it refuses us (`CONTACT`).',
    ],
    users:
      'Nothing: the data are complete, and come from the second source. From the map service of alerts (`mapservices.weather.noaa.gov`), new alerts have no texts and zones, and answers name them.',
  },
  {
    name: 'HexcastRowsRejected',
    title: 'rows are rejected',
    severity: 'warning',
    rules: [
      {
        expr: 'max by (feed, reason) (increase(hexcast_feed_rejected_total[30m])) > 100',
        firing: { 'hexcast_feed_rejected_total{feed="metar",reason="row"}': '0+20x90' },
        quiet: { 'hexcast_feed_rejected_total{feed="metar",reason="row"}': '0+1x90' },
      },
    ],
    forMinutes: 10,
    when: '`hexcast_feed_rejected_total` increases by more than 100 in 30 min, by `feed` and `reason`',
    meaning: 'upstream has changed a part of its format. The rejected rows are left out, and the others are served',
    firstCommand: "`grep rejected` in the worker's log: the line has the first rejected row",
    steps: [
      'Compare the row with the decoder in `ingest/decode`. A new form needs a change of the decoder and a test with the row.',
    ],
    users: 'The rejected rows are missing from answers.',
  },
  {
    name: 'HexcastFeedRefused',
    title: 'a feed redirects or refuses requests',
    severity: 'warning',
    rules: [
      {
        expr: 'max by (dataset, reason) (increase(hexcast_quarantine_total{reason=~"html|status"}[90m])) > 0',
        firing: { 'hexcast_quarantine_total{dataset="metar",reason="status"}': '0 0 0+1x90' },
        quiet: { 'hexcast_quarantine_total{dataset="metar",reason="row"}': '0+1x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_quarantine_total` with reason `html` or `status` increases within 90 min, by `dataset` and `reason`',
    meaning:
      'a feed or bucket answers with a redirect, a status of 4xx or an HTML page: it has moved, or does not accept our User-Agent (`CONTACT`)',
    firstCommand: '`npx hexcast quarantine list DATASET`, then `show ID`: which address gave which answer?',
    steps: [
      'A redirect: the address has moved. Change it in `ingest/datasets`.',
      'A 403: set `CONTACT`, and ask the host for the reason.',
    ],
    users: 'The second source is served, or the last good document with the warning `stale_source`.',
  },
  {
    name: 'HexcastQuarantineGrows',
    title: 'upstream has changed',
    severity: 'warning',
    rules: [
      {
        expr: 'max by (dataset, reason) (increase(hexcast_quarantine_total{reason!~"row|doubled"}[30m])) > 0',
        firing: { 'hexcast_quarantine_total{dataset="hrrr",reason="grid"}': '0 0 0+1x90' },
        quiet: {
          'hexcast_quarantine_total{dataset="hrrr",reason="grid"}': '7x90',
          'hexcast_quarantine_total{dataset="metar",reason="row"}': '0+1x90',
          'hexcast_quarantine_total{dataset="nbm",reason="doubled"}': '0+1x90',
        },
      },
    ],
    forMinutes: 3,
    when: '`hexcast_quarantine_total` increases within 30 min, by `dataset` and `reason`, except for single rows of feeds (`row`) and for second copies (`doubled`)',
    meaning:
      'a message, scan or document does not match the declaration of its dataset. That variable of that hour, that scan or that document is left out, and all other data are published',
    firstCommand: '`npx hexcast quarantine list`: which variables, and for which reason?',
    steps: [
      '`npx hexcast quarantine show ID --out message.grib2`, then `npx hexcast grib message.grib2`: what did upstream send?',
      'One hour of one run: a fault of upstream. Nothing to do; `drop ID` removes the entry.',
      'Every run: upstream has changed. Correct the declaration, deploy, and `npx hexcast quarantine replay ID`.',
    ],
    users: 'The value comes from the earlier run, with the warning `source_incomplete`; a feed has its own warnings.',
  },
]
