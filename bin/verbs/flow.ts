import type { Verb } from '../verb.ts'

const common = `
DATASET    nbm, nbm-qmd, hrrr, hrrr-long, rtma, rtma-ru, urma or gfs
RUN        2026-08-20T12Z; without it the newest that upstream has
--domain   conus, alaska or hawaii; without it each that the dataset has
UPSTREAM=URL reads from a mirror: https://HOST/PATH is URL/HOST/PATH there.`

export const plan: Verb = {
  name: 'plan',
  usage: 'plan DATASET [RUN] [--domain ID] [--leads 1,2,…] [--json]',
  summary: 'what upstream has of a run, and which bytes of each file would be asked for',
  help: `${common}
--leads    shows the messages of these hours too: where each stands and what the index calls it
--json     the plan of each stage as one line

The first walk of the README begins here: listing → index → ranges. Nothing is written.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runPlan(line),
}

export const sample: Verb = {
  name: 'sample',
  usage: 'sample DATASET [RUN] [--domain ID] [--leads 1,2,…]',
  summary: 'fetches files of a run and turns each message into values at our cells',
  help: `${common}
--leads    only these hours (default: every hour that is there)

Prints a line a variable: range, mean, share without a value, roughness of rows (about 1; above 3 rows are mirrored).
What was sampled before is not fetched again. Slabs stand under slabs/v1/ in the object store.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runSample(line),
}

export const weave: Verb = {
  name: 'weave',
  usage: 'weave DATASET [RUN] [--domain ID]',
  summary: 'turns the slabs of a run into tiles, without showing them to readers',
  help: `${common}

Takes what "sample" left of each stage. Tiles stand under tiles/v1/ in the object store, the manifest last.`,
  options: { domain: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runWeave(line),
}

export const publish: Verb = {
  name: 'publish',
  usage: 'publish DATASET [RUN] [--domain ID] [--wait]',
  summary: 'takes a run all the way: plan, sample, check, weave, and moves the pointer',
  help: `${common}
--wait     waits for files that upstream does not have yet, as a worker would; without it what is there is taken

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
--lead     the hour that is looked at; without it the first there is

Shows for each variable what the index promises, the message's values at the four grid points around the cell's centre, the slab's
values, and what a reader gets out of the tile. Nothing is published and nothing is left behind.`,
  options: { lead: { type: 'string' } },
  positionals: 3,
  run: async (line) => (await import('./try-run.ts')).runTry(line),
}
