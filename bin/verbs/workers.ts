import type { Verb } from '../verb.ts'

export const verbs: readonly Verb[] = [
  {
    name: 'start',
    usage: 'start [--upstream auto|live|simulated|URL]',
    summary: 'everything on this machine: worker and interface, embedded where no address is set',
    help: `
What DATABASE_URL, OBJECTS_URL, KAFKA_BROKERS and TEMPORAL_ADDRESS do not name runs embedded under DATA_DIR (./data).
The first start prints a key, once. --upstream auto (the default) asks NOAA and falls back to the simulator;
live never falls back; simulated never asks; a URL names a mirror, read at URL/HOST/PATH.`,
    options: { upstream: { type: 'string' } },
    run: async (line) => (await import('../start.ts')).start(line),
  },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'one process that fetches, builds tiles and publishes, set by the environment alone',
    help: `
As many as wanted run side by side where DATABASE_URL, OBJECTS_URL, KAFKA_BROKERS and TEMPORAL_ADDRESS are set.
Stops cleanly at SIGTERM: what was not finished is begun again elsewhere.`,
    run: async () => (await import('../worker.ts')).worker(),
  },
  {
    name: 'backfill',
    usage: 'backfill DATASET [FROM TO]',
    summary: 'take old runs, inclusive; the newest that covers now becomes the served one',
    help: `
  npx hexcast backfill nbm 2026-08-20T00Z 2026-08-20T12Z
  npx hexcast backfill urma

Without FROM, for urma: as far back as upstream has it, at most 180 days, for growing degree days and past weather. Takes what upstream still has of each run, whole or not, two runs at once. Running it again skips what is stored.`,
    positionals: 3,
    run: async (line) => (await import('../backfill.ts')).backfill(line),
  },
  {
    name: 'quarantine',
    usage: 'quarantine list [DATASET] | show ID [--out FILE] | replay ID | drop ID',
    summary: 'what upstream delivered and is not published: the reason, the bytes, and how to take it again',
    help: `
  npx hexcast quarantine list hrrr
  npx hexcast quarantine show 12 --out message.grib2

A message that is not what its dataset declares is left out alone, the rest of the run is published; so is a row of a feed, a feature, a
radar scan. show gives the reason and writes the bytes (npx hexcast grib reads messages); replay makes a worker take those hours, that scan
or that feed again, after a declaration was corrected; drop removes the entry. The newest 1000 entries and 256 MB are kept.`,
    options: { out: { type: 'string' } },
    positionals: 2,
    run: async (line) => (await import('./quarantine.ts')).quarantine(line),
  },
  {
    name: 'storage',
    usage: 'storage [--json]',
    summary: 'what is stored, by kind, and what a day adds',
    help: `
Objects by kind and dataset, tables with the versions of their rows, and the sums of verification: number, bytes, and bytes of the last
24 hours. HISTORY_DAYS of such days are kept for answers as of an earlier instant, less where the disk has under a fifth free. Lists every
object; where PostgreSQL is embedded, hexcast start may be running.`,
    options: { json: { type: 'boolean' } },
    run: async (line) => (await import('./storage.ts')).storage(line),
  },
  {
    name: 'status',
    usage: 'status [--json] [--watch]',
    summary: 'the state of everything on one screen',
    help: `
Engines with the time they took to answer, the run that is served of each dataset with its age, what is being worked on, workflows,
and events that were not published yet. Exit status 1 where an engine is down. --watch shows it again every five seconds.`,
    options: { json: { type: 'boolean' }, watch: { type: 'boolean' } },
    run: async (line) => (await import('../status.ts')).status(line),
  },
]
