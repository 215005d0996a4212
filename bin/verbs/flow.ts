import type { Verb } from '../verb.ts'

const common = `
DATASET    nbm, nbm-qmd, hrrr, hrrr-long, rtma, rtma-ru, urma or gfs
RUN        2026-08-20T12Z; without it the newest that upstream has
--domain   conus, alaska or hawaii; without it each that the dataset has
UPSTREAM=URL reads from a mirror: https://HOST/PATH is URL/HOST/PATH there.`

export const plan: Verb = {
  name: 'plan',
  usage: 'plan DATASET [RUN] [--domain ID] [--leads 1,2,…] [--json]',
  summary: 'the files that upstream has of a run, and the byte ranges to request of each',
  help: `${common}
--leads    also lists the messages of these hours: position and description in the index
--json     the plan of each stage as one line

Reads upstream's listing and indexes; nothing is written.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runPlan(line),
}

export const sample: Verb = {
  name: 'sample',
  usage: 'sample DATASET [RUN] [--domain ID] [--leads 1,2,…]',
  summary: 'fetches files of a run and turns each message into values at our cells',
  help: `${common}
--leads    only these hours (default: every available hour)

Prints a line a variable: range, mean, share without a value, roughness of rows (about 1; above 3 rows are mirrored).
What was sampled before is not fetched again. Slabs are stored under slabs/v1/ in the object store.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runSample(line),
}

export const weave: Verb = {
  name: 'weave',
  usage: 'weave DATASET [RUN] [--domain ID]',
  summary: 'turns the slabs of a run into tiles, without showing them to readers',
  help: `${common}

Reads the slabs that "sample" stored for each stage. Tiles are stored under tiles/v1/ in the object store, the manifest last.`,
  options: { domain: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runWeave(line),
}

export const publish: Verb = {
  name: 'publish',
  usage: 'publish DATASET [RUN] [--domain ID] [--wait]',
  summary: 'all steps of a run: plan, sample, build tiles, validate, and move the pointer',
  help: `${common}
--wait     waits for files that upstream does not have yet, as a worker would; without it the available files are used

A run that fails validation is rejected and the reason is printed (status 1). An older run never replaces a newer one:
it is stored beside it, and "point --run" shows it.`,
  options: { domain: { type: 'string' }, wait: { type: 'boolean' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runPublish(line),
}

export const tryOut: Verb = {
  name: 'try',
  usage: 'try DATASET LAT,LON [RUN] [--lead H]',
  summary: 'one point through every stage: plan, field, slab and tile',
  help: `${common}
LAT,LON    39.74,-104.99
--lead     the lead hour to show; without it the first available one

Shows for each variable the line of the index, the message's values at the four grid points around the cell's centre, the slab's
value, and the value read from the tile. Nothing is published or stored.`,
  options: { lead: { type: 'string' } },
  positionals: 3,
  run: async (line) => (await import('./try-run.ts')).runTry(line),
}
