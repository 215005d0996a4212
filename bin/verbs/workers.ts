import type { Verb } from '../verb.ts'

export const verbs: readonly Verb[] = [
  {
    name: 'start',
    usage: 'start [--upstream auto|live|simulated|URL]',
    summary: 'run everything on this machine: a worker, the API and embedded engines',
    help: `
Each engine without an address in DATABASE_URL, OBJECTS_URL, KAFKA_BROKERS or TEMPORAL_ADDRESS runs embedded, with its data
in DATA_DIR (./data). The first start prints an API key, which is shown only once.
--upstream auto       (default) NOAA's servers, or the simulator if they cannot be reached
           live       NOAA's servers
           simulated  the simulator
           URL        a mirror, which has https://HOST/PATH at URL/HOST/PATH`,
    options: { upstream: { type: 'string' } },
    run: async (line) => (await import('../start.ts')).start(line),
  },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'run one worker, which fetches, builds tiles and publishes, configured by environment variables',
    help: `
Any number of workers can run at the same time if DATABASE_URL, OBJECTS_URL, KAFKA_BROKERS and TEMPORAL_ADDRESS are set.
A worker stops at SIGTERM. Another worker restarts its unfinished steps.`,
    run: async () => (await import('../worker.ts')).worker(),
  },
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'bring the database to the schema of this version, and exit',
    help: `
Applies the migrations that the database lacks, prints their names, and exits. Several processes may run it at once: each migration
is applied once. A start does the same unless DATABASE_MIGRATE is false; a start then refuses a database with an older schema.
The role needs the right to create tables. Migrations go forward only.`,
    run: async () => (await import('./migrate.ts')).migrateDatabase(),
  },
  {
    name: 'backfill',
    usage: 'backfill DATASET [FROM TO] | --again DATASET RUN…',
    summary: 'process the old runs of a period, or publish stored runs again after a fault of our own was corrected',
    help: `
  npx hexcast backfill nbm 2026-08-20T00Z 2026-08-20T12Z
  npx hexcast backfill urma
  npx hexcast backfill --again nbm 2026-08-20T12Z 2026-08-20T11Z

FROM and TO are included. For urma without FROM and TO, the period is as long as upstream has files, at most 180 days, which
growing degree days and past weather need. Of each run, all files that upstream still has are processed, two runs at a time.
Runs that are already stored are skipped. The newest run that covers the current time becomes the served run.

--again publishes up to 24 stored runs as their next revisions, in the order of the arguments, from the files that upstream still has
and from the slabs that this version has stored. Answers use the revision before until the new one is complete, then the new one. The output
says how many tiles changed. "npx hexcast rollback" returns to the revision before.`,
    options: { again: { type: 'boolean' } },
    positionals: 25,
    run: async (line) => (await import('../backfill.ts')).backfill(line),
  },
  {
    name: 'rollback',
    usage: 'rollback DATASET DOMAIN RUN',
    summary: 'return a stored run to the revision before',
    help: `
  npx hexcast rollback nbm conus 2026-08-20T12Z

Undoes "npx hexcast backfill --again" for one run in one domain. Answers use the revision before within seconds, and nothing is fetched or built.
The revision before is stored as long as the run. A further rollback is possible only while an older revision is stored: 15 minutes and
HISTORY_DAYS after it was replaced.`,
    positionals: 3,
    run: async (line) => (await import('./rollback.ts')).rollback(line),
  },
  {
    name: 'quarantine',
    usage: 'quarantine list [DATASET] | show ID [--out FILE] | replay ID | drop ID',
    summary: 'list, show, replay and drop data from upstream that was not published because it was invalid',
    help: `
  npx hexcast quarantine list hrrr
  npx hexcast quarantine show 12 --out message.grib2

A message that does not match the declaration of its dataset is left out, and the other messages of the run are published. The
same applies to a row of a feed, a feature and a radar scan.
list     prints the newest 200 entries
show     prints the reason and writes the bytes to FILE ("npx hexcast grib FILE" reads messages)
replay   makes a worker process those hours, that scan or that feed again, after a declaration was corrected
drop     removes the entry
The newest 1,000 entries, at most 256 MB, are stored.`,
    options: { out: { type: 'string' } },
    positionals: 2,
    run: async (line) => (await import('./quarantine.ts')).quarantine(line),
  },
  {
    name: 'dead-events',
    usage: 'dead-events list | show ID | requeue ID|all | drop ID|all',
    summary: 'list, show, publish again and drop events that could not be published',
    help: `
  npx hexcast dead-events list
  npx hexcast dead-events requeue all

An event that breaks its schema, or is larger than the broker takes, can never be published. It is moved out of the way of later events.
list     prints the newest 200 events with the reasons
show     prints the event as JSON
requeue  publishes the event again under a new id, behind the events that wait, after the reason was removed
drop     removes the event
The newest 1,000 events are stored.`,
    positionals: 2,
    run: async (line) => (await import('./dead-events.ts')).deadEvents(line),
  },
  {
    name: 'recover',
    usage: 'recover [--database] [--objects]',
    summary: 'make a restored database and a partly lost object store usable again',
    help: `
Prints the incarnation of the database, which is part of the ids of events, and the served runs and frames whose objects are lost.
Without options nothing is changed, and the exit status is 1 if objects are lost.
--database  after the database was restored to an earlier point, before any other process starts: events get a new incarnation,
            so that their ids differ from those that were assigned after that point, and readers of streams are told to read again
--objects   runs and frames with lost objects are not served any more; workers take them, or newer ones, from upstream
infra/OPS.md has the whole procedure.`,
    options: { database: { type: 'boolean' }, objects: { type: 'boolean' } },
    run: async (line) => (await import('./recover.ts')).recover(line),
  },
  {
    name: 'storage',
    usage: 'storage [--json]',
    summary: 'print the stored bytes by kind, and the bytes that a day adds',
    help: `
Prints number, bytes, and bytes of the last 24 hours for objects by kind and dataset, for tables with the earlier versions of
their rows, and for the sums of verification. HISTORY_DAYS of such days are stored for answers with as_of, or fewer while less
than a fifth of the disk is free. The command lists every object. It works while "hexcast start" is running.`,
    options: { json: { type: 'boolean' } },
    run: async (line) => (await import('./storage.ts')).storage(line),
  },
  {
    name: 'status',
    usage: 'status [--json] [--watch]',
    summary: 'show the state of all engines and datasets on one screen',
    help: `
Shows the engines with their response times, the served run of each dataset with its age, the runs in progress, the workflows,
and the events that are not published yet. The exit status is 1 if an engine is down. --watch repeats it every five seconds.`,
    options: { json: { type: 'boolean' }, watch: { type: 'boolean' } },
    run: async (line) => (await import('../status.ts')).status(line),
  },
]
