import type { Verb } from '../verb.ts'

export const grib: Verb = {
  name: 'grib',
  usage: 'grib FILE [--index i,j,…] [--list] [--png OUT]',
  summary: 'what a GRIB2 file contains, message by message',
  help: `
FILE       GRIB2, plain or .gz; - reads standard input
           prints one JSON line a field: what it is, its grid and packing, points, missing, min, max, mean
--index    adds the values at these row-major indexes (j * nx + i, alternating rows turned back); null where missing
--list     a table instead of JSON lines
--png OUT  draws each field into OUT (OUT-2, OUT-3, … for the further ones), north up, missing transparent

A file that is not valid GRIB2 ends with one line on stderr and status 1; fields before the fault are printed.`,
  options: { index: { type: 'string', multiple: true }, list: { type: 'boolean' }, png: { type: 'string' } },
  positionals: 1,
  async run(line) {
    const { runGrib } = await import('./grib-run.ts')
    return runGrib(line)
  },
}
