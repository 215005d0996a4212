import type { Verb } from '../verb.ts'

export const point: Verb = {
  name: 'point',
  usage: 'point LAT,LON [--dataset ID] [--run RUN]',
  summary: 'print every variable and valid time of the served runs at a point, as JSON',
  help: `
LAT,LON    degrees, west negative, such as 39.74,-104.99 (one word without spaces)
--dataset  a dataset (hrrr, nbm, …) or its family (default: every dataset that covers the point)
--run      another stored run, such as 2026-08-20T12Z

Values are for the centre of the H3 cell that contains the point. \`space\` is the interpolation: from the four grid points
around it (bilinear), from the nearest, or as a mean direction. \`null\` is a value that upstream does not provide.
Radar (mrms, mrms-precip-rate, …) is not stored by cell: its values are from the newest frame, at the point itself.`,
  options: { dataset: { type: 'string' }, run: { type: 'string' } },
  positionals: 1,
  async run(line) {
    const { runPoint } = await import('./point-run.ts')
    return runPoint(line)
  },
}
