export interface CliOptions {
  readonly file: string
  /** Numbers of the requested fields as in the list (`3` or `3.2`); if empty, all fields. */
  readonly numbers: ReadonlySet<string>
  /** Abbreviation of the parameter, as in the list. */
  readonly name: string | undefined
  readonly points: readonly (readonly [lat: number, lon: number])[]
  readonly csv: string | undefined
  readonly zarr: string | undefined
  readonly png: string | undefined
}

export const usage = `grib2-wasm FILE [--message 1,3.2] [--name TMP] [--point LAT,LON] [--csv OUT] [--zarr DIR] [--png OUT]

Lists the fields of a GRIB2 file (also .gz; - is standard input). Options:
  --message N,…    only these fields, numbered as in the list
  --name NAME      only fields of this name
  --point LAT,LON  the value at the nearest grid point, for each field; may be repeated
  --csv OUT        one row a grid point: field, name, level, time, lat, lon, value (empty where missing); - is standard output
  --zarr DIR       a Zarr version 3 group: one array a field, with latitude and longitude
  --png OUT        a picture of each field (OUT-2, OUT-3, … for the further ones)
`

/** An option or argument that is not valid. */
export class UsageError extends Error {}

function pointOf(text: string): readonly [number, number] {
  const [lat = Number.NaN, lon = Number.NaN, more] = text.split(',').map(Number)
  if (more !== undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 360))
    throw new UsageError(`--point must be LAT,LON in degrees such as 39.74,-104.99, but is "${text}"`)
  return [lat, lon]
}

/**
 * Parses the arguments.
 * @throws UsageError if they are not valid
 */
export function optionsOf(args: readonly string[]): CliOptions {
  const numbers = new Set<string>()
  const points: (readonly [number, number])[] = []
  const texts: Record<string, string | undefined> = {}
  let file: string | undefined
  for (let k = 0; k < args.length; k++) {
    const argument = args[k]!
    const [word = '', joined] = argument.startsWith('--') ? argument.split(/=(.*)/s, 2) : [argument]
    if (!word.startsWith('--')) {
      if (file !== undefined) throw new UsageError(`only one FILE can be read, but "${file}" and "${word}" were passed`)
      file = word
      continue
    }
    if (!['--message', '--name', '--point', '--csv', '--zarr', '--png'].includes(word))
      throw new UsageError(
        `the option ${word} is unknown; the options are --message, --name, --point, --csv, --zarr and --png`,
      )
    const value = joined ?? args[++k]
    if (value === undefined || value === '') throw new UsageError(`${word} needs a value`)
    if (word === '--message') {
      for (const number of value.split(',')) {
        if (!/^\d{1,9}(\.\d{1,9})?$/.test(number))
          throw new UsageError(`--message must be numbers such as 1,3.2, but is "${value}"`)
        numbers.add(number)
      }
    } else if (word === '--point') points.push(pointOf(value))
    else texts[word.slice(2)] = value
  }
  if (file === undefined) throw new UsageError('FILE is missing')
  return { file, numbers, points, name: texts.name, csv: texts.csv, zarr: texts.zarr, png: texts.png }
}
