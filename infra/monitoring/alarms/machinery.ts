import type { Alarm } from '../alarm.ts'

/** Alarms about workers, the database and storage. */
export const machineryAlarms: readonly Alarm[] = [
  {
    name: 'HexcastWorkersGone',
    title: 'no worker is running',
    severity: 'critical',
    rules: [
      {
        expr: 'absent(hexcast_process{process="worker"})',
        alertLabels: { process: 'worker' },
        firing: { 'hexcast_process{process="api"}': '1x90' },
        quiet: { 'hexcast_process{process="worker"}': '1x90' },
      },
    ],
    forMinutes: 2,
    when: 'no scraped process exports `hexcast_process{process="worker"}` for 2 min',
    meaning:
      'every worker has ended, cannot be reached by Prometheus, or is no longer a target (`WORKER_METRICS_PORT`)',
    firstCommand: '`curl -s localhost:9464/healthz` on a machine of a worker: is the process running?',
    steps: [
      'No process: read the end of its log, then start it. Work continues where it stopped.',
      'A process answers: correct the targets of Prometheus.',
    ],
    users: 'Data get older: alerts after 3 min, radar after 15 min. Answers then have the warning `stale_source`.',
  },
  {
    name: 'HexcastWorkStalled',
    title: 'workers make no progress',
    severity: 'critical',
    rules: [
      {
        expr: 'max(hexcast_queue_depth{state="running"}) > 0 and (sum(rate(hexcast_step_seconds_count[5m])) or vector(0)) == 0',
        alertLabels: {},
        // No step has ended since the start, so the worker has no series of steps.
        firing: { 'hexcast_queue_depth{state="running"}': '7x90' },
        quiet: { 'hexcast_queue_depth{state="running"}': '7x90', 'hexcast_step_seconds_count{step="a"}': '0+3x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_queue_depth{state="running"}` is above 0 while no step of `hexcast_step_seconds` ends, for 5 min',
    meaning: 'the workers hang or wait for the database',
    firstCommand: '`npx hexcast status`, then `curl localhost:9464/healthz` of each worker',
    steps: [
      'The database is down: see `HexcastDatabaseDown`.',
      'All engines answer: restart the workers one after the other.',
    ],
    users: 'Data get older, and answers get the warning `stale_source`.',
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
    when: '`hexcast_feed_failures_total` increases by more than 5 in 10 min, by `step` and `fault`',
    meaning:
      '`Refused`: upstream or an engine is unreachable or throttles; `Corrupt`: a file violates its format; `bug`: a bug in Hexcast',
    firstCommand: '`grep \'"outcome":"Corrupt"\'` (or another fault) in the worker\'s log: the line names the file',
    steps: [
      '`Refused`: the message names the host. `Corrupt`: see `HexcastQuarantineGrows`.',
      '`bug`: the line has the stack. Report it; the next tick tries again.',
    ],
    users: 'Depends on the step: the run or feed that fails gets older.',
  },
  {
    name: 'HexcastWorkflowsFailed',
    title: 'workflows failed',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (workflow) (increase(hexcast_workflow_failures_total[1h])) > 3',
        firing: { 'hexcast_workflow_failures_total{workflow="modelRun"}': '0+1x90' },
        quiet: { 'hexcast_workflow_failures_total{workflow="modelRun"}': '9x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_workflow_failures_total` increases by more than 3 in an hour, by `workflow`',
    meaning: 'workflows failed in a worker. The next tick of the schedule starts them again',
    firstCommand:
      '`temporal workflow list --query "ExecutionStatus=\'Failed\'"`; on the queue in the database `psql "$DATABASE_URL" -c "select name, data->>\'id\', output from work.job where state = \'failed\'"`',
    steps: ["The output has the error of the last attempt, and the worker's log has the error of each step."],
    users: 'The dataset or feed of the workflow gets older.',
  },
  {
    name: 'HexcastRunsTimedOut',
    title: 'workflows hang',
    severity: 'warning',
    rules: [
      {
        expr: 'max by (workflow) (increase(hexcast_runs_timed_out_total[6h])) > 2',
        firing: { 'hexcast_runs_timed_out_total{workflow="sweepFrames"}': '0+1x90' },
        quiet: { 'hexcast_runs_timed_out_total{workflow="sweepFrames"}': '9x90' },
      },
    ],
    forMinutes: 5,
    when: 'more than 2 runs of a workflow are ended at their timeout in 6 hours, by `workflow`',
    meaning: 'runs of the workflow were ended at their timeout, because a step did not end',
    firstCommand: "`grep 'did not end within'` in the workers' logs: which run and which step?",
    steps: [
      'A source that neither answers nor refuses: its host is in the log of the step. Otherwise restart the worker.',
    ],
    users: 'The dataset or feed of the workflow gets older.',
  },
  {
    name: 'HexcastRetirementOld',
    title: 'old data are not removed',
    severity: 'warning',
    rules: [
      {
        expr: 'time() - max by (step) (hexcast_retirement_last_success_timestamp_seconds) > 10800',
        firing: { 'hexcast_retirement_last_success_timestamp_seconds{step="frames"}': '-20000x90' },
        quiet: { 'hexcast_retirement_last_success_timestamp_seconds{step="frames"}': '0+60x90' },
      },
    ],
    forMinutes: 10,
    when: 'a step of retirement has not succeeded for 3 h, by `step`',
    meaning: 'old runs, frames or rows are not removed, so the disk and the database grow',
    firstCommand: '`npx hexcast status`: which step of retirement failed, and why?',
    steps: [
      'A statement was cancelled by its timeout: the next tick continues in batches. Check the load of the database.',
      'The object store refuses to delete: check the right `DeleteObject`.',
    ],
    users: 'Nothing until the disk is full.',
  },
  {
    name: 'HexcastDatabaseDown',
    title: 'the database is unreachable',
    severity: 'critical',
    rules: [
      {
        expr: 'count(hexcast_database_up == 0) > 0',
        alertLabels: {},
        firing: { hexcast_database_up: '0x90' },
        quiet: { hexcast_database_up: '1x90' },
      },
    ],
    forMinutes: 1,
    when: '`hexcast_database_up` of a process is 0 for a minute: no answer within 2 s',
    meaning: 'PostgreSQL is down, fails over, hangs, or is unreachable from some processes',
    firstCommand: '`npx hexcast status`: what is the error of the database?',
    steps: [
      'The error is a timeout: the server or a proxy before it accepts connections and does not answer. Restart it or fail over.',
      'All processes have 0: bring the server back, or complete the failover. Processes reconnect by themselves; `DATABASE_URL` must name the new primary.',
      'Some processes have 0: `hexcast_database_up == 0` names the instances. Check their network, and `max_connections` (`DATABASE_POOL` × processes).',
    ],
    users:
      'Answers continue from memory and get the warning `stale_source`; sign-in, new keys and webhooks fail with 503. `/readyz` stays 200 with `degraded`.',
  },
  {
    name: 'HexcastDatabasePoolWaits',
    title: 'statements wait for a connection',
    severity: 'warning',
    rules: [
      {
        expr: 'max(rate(hexcast_database_pool_wait_seconds_total[5m])) > 0.5',
        alertLabels: {},
        firing: { hexcast_database_pool_wait_seconds_total: '0+60x90' },
        quiet: { hexcast_database_pool_wait_seconds_total: '0+6x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_database_pool_wait_seconds_total` of a process grows by more than 0.5 s a second for 5 min',
    meaning: 'all connections of the pool are in use: the database is slow, or `DATABASE_POOL` is too small',
    firstCommand:
      '`psql "$DATABASE_URL" -c "select state, wait_event_type, count(*) from pg_stat_activity group by 1, 2"`: what do the sessions wait for?',
    steps: [
      'Locks: find the session that holds them, in `pg_blocking_pids`. I/O or CPU: the server is too small.',
      'The sessions are mostly idle: raise `DATABASE_POOL`, within `max_connections`.',
    ],
    users: 'Answers that are not cached are slower.',
  },
  {
    name: 'HexcastStorageFull',
    title: 'a disk, the database or the object store is full',
    severity: 'critical',
    rules: [
      {
        expr: 'sum by (storage) (increase(hexcast_storage_full_total[10m])) > 0',
        firing: { 'hexcast_storage_full_total{storage="disk"}': '0 0+1x90' },
        quiet: { 'hexcast_storage_full_total{storage="disk"}': '7x90' },
      },
    ],
    forMinutes: 1,
    when: '`hexcast_storage_full_total` increases within 10 min, by `storage`',
    meaning:
      'steps or the queue of workers fail because there is no space: `disk` and `objects` take no files, `database` takes no rows',
    firstCommand: '`df -h "$DATA_DIR"`, and `npx hexcast storage`: what takes the space?',
    steps: [
      '`disk` or `objects`: free or add space. Never delete under `tiles/`, `frames/` or `season/` by hand: rows name these files. Lower `HISTORY_DAYS`; the next retirement removes the rest.',
      '`database`: enlarge its disk. If retirement does not run, see `HexcastRetirementOld`.',
      'Work continues by itself when there is space.',
    ],
    users: 'Answers stay correct and get older, with the warning `stale_source`.',
  },
  {
    name: 'HexcastDiskLow',
    title: 'a disk is nearly full',
    severity: 'warning',
    rules: [
      {
        expr: 'min by (disk) (hexcast_disk_free_ratio) < 0.15',
        firing: { 'hexcast_disk_free_ratio{disk="data"}': '0.1x90' },
        quiet: { 'hexcast_disk_free_ratio{disk="data"}': '0.2x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_disk_free_ratio` is below 0.15 for 5 min, by `disk`: `data` (`DATA_DIR`), `objects`, `objects_cache`',
    meaning: 'less than 15 % of the disk is free',
    firstCommand: '`npx hexcast storage`: what takes the space, and how much does a day add?',
    steps: [
      'Lower `HISTORY_DAYS` or `OBJECTS_CACHE_MB`, or enlarge the disk. `hexcast_disk_free_ratio` names the instance.',
      'Old runs are stored: see `HexcastRetirementOld`.',
      'The disk of PostgreSQL and the object store are not measured here; take the figures of their own monitoring.',
    ],
    users: 'Nothing yet.',
  },
  {
    name: 'HexcastObjectsCacheFails',
    title: 'the object cache fails',
    severity: 'warning',
    rules: [
      {
        expr: 'sum by (what) (increase(hexcast_objects_cache_failures_total[15m])) > 10',
        firing: { 'hexcast_objects_cache_failures_total{what="unwritten"}': '0+2x90' },
        quiet: { 'hexcast_objects_cache_failures_total{what="broken"}': '30x90' },
      },
    ],
    forMinutes: 5,
    when: '`hexcast_objects_cache_failures_total` increases by more than 10 in 15 min, by `what`',
    meaning: 'the disk of the cache is full (`unwritten`) or fails (`broken`)',
    firstCommand: '`df -h "$OBJECTS_CACHE"`: is the disk full?',
    steps: ['Full: lower `OBJECTS_CACHE_MB`. Not full: read the kernel log for errors of the disk.'],
    users: 'Answers stay correct; those that are not cached are slower.',
  },
]
