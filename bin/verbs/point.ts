import type { Verb } from '../verb.ts'

export const point: Verb = {
  name: 'point',
  usage: 'point LAT,LON [--dataset ID] [--run RUN]',
  summary: 'every variable and valid time of the served run at that cell, as JSON',
  help: `
LAT,LON    degrees, west negative: 39.74,-104.99 (one word, also where it begins with a minus)
--dataset  one dataset (hrrr, nbm, …), or its family; without it every one that covers the cell
--run      another stored run: 2026-08-20T12Z

Values are those of the H3 cell that contains the point, taken at its centre: \`space\` is the interpolation: by the four grid
points around it (bilinear), by the nearest, or as a mean direction. \`null\` is a value that upstream does not give there.
Radar (mrms, mrms-precip-rate, …) is not stored by cells: it is looked up in the newest frame, at the point itself.`,
  options: { dataset: { type: 'string' }, run: { type: 'string' } },
  positionals: 1,
  async run(line) {
    const { runPoint } = await import('./point-run.ts')
    return runPoint(line)
  },
}
