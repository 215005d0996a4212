import type { Verb } from '../verb.ts'

export const grib: Verb = {
  name: 'grib',
  usage: 'grib FILE [--index i,j,…] [--list] [--png OUT]',
  summary: 'show the contents of a GRIB2 file, field by field',
  help: `
FILE       a GRIB2 file, plain or gzipped; - reads standard input
           Prints one JSON line for each field: product, grid, packing, points, missing, min, max and mean.
--index    adds the values at these row-major indexes (j * nx + i, with alternating rows in normal order); null if missing
--list     prints a table instead of JSON lines
--png OUT  draws each field into OUT (further fields into OUT-2, OUT-3, …), north up, missing values transparent

A field or message that cannot be read costs one line on stderr with its number; all others are printed, and the exit status is 1.`,
  options: { index: { type: 'string', multiple: true }, list: { type: 'boolean' }, png: { type: 'string' } },
  positionals: 1,
  async run(line) {
    const { runGrib } = await import('./grib-run.ts')
    return runGrib(line)
  },
}
