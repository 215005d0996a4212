import type { Verb } from '../verb.ts'

const common = `
DATASET    nbm, nbm-qmd, hrrr, hrrr-long, rtma, rtma-ru, urma or gfs
RUN        a run such as 2026-08-20T12Z (default: the newest that upstream has)
--domain   conus, alaska or hawaii (default: each domain of the dataset)
UPSTREAM=URL reads from a mirror, which has https://HOST/PATH at URL/HOST/PATH.`

export const plan: Verb = {
  name: 'plan',
  usage: 'plan DATASET [RUN] [--domain ID] [--leads 1,2,…] [--json]',
  summary: 'list the files of a run that upstream has, and the byte ranges to request',
  help: `${common}
--leads    also lists the messages of these hours, with their position and description in the index
--json     prints the plan of each stage as one line

Reads upstream's listing and indexes, and writes nothing.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runPlan(line),
}

export const sample: Verb = {
  name: 'sample',
  usage: 'sample DATASET [RUN] [--domain ID] [--leads 1,2,…]',
  summary: 'fetch files of a run and convert each message to values at H3 cells',
  help: `${common}
--leads    only these hours (default: every available hour)

Prints a line for each variable: range, mean, share of missing values, and roughness of rows (usually about 1; above 3 the
rows are mirrored). Files that were sampled before are not fetched again. Slabs are stored under slabs/v1/ in the object store.`,
  options: { domain: { type: 'string' }, leads: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runSample(line),
}

export const weave: Verb = {
  name: 'weave',
  usage: 'weave DATASET [RUN] [--domain ID]',
  summary: 'build tiles from the slabs of a run, without publishing them',
  help: `${common}

Reads the slabs that "sample" stored for each stage. Tiles are stored under tiles/v1/ in the object store, and then the manifest.`,
  options: { domain: { type: 'string' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runWeave(line),
}

export const publish: Verb = {
  name: 'publish',
  usage: 'publish DATASET [RUN] [--domain ID] [--wait]',
  summary: 'do all steps of a run: plan, sample, build tiles, validate and publish',
  help: `${common}
--wait     waits for files that upstream does not have yet, as a worker does (default: use the available files)

If a run fails validation, it is rejected and the reason is printed (exit status 1). A run that is older than the served run
is stored but not served; show it with "point --run".`,
  options: { domain: { type: 'string' }, wait: { type: 'boolean' } },
  positionals: 2,
  run: async (line) => (await import('./flow-run.ts')).runPublish(line),
}

export const tryOut: Verb = {
  name: 'try',
  usage: 'try DATASET LAT,LON [RUN] [--lead H]',
  summary: 'show one point at every step: plan, field, slab and tile',
  help: `${common}
LAT,LON    a point such as 39.74,-104.99
--lead     lead hour to show (default: the first available)

Shows for each variable the line of the index, the message's values at the four grid points around the cell's centre, the range
of the slab, and the value read from the tile. Nothing is published or stored.`,
  options: { lead: { type: 'string' } },
  positionals: 3,
  run: async (line) => (await import('./try-run.ts')).runTry(line),
}
