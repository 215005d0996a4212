import type { Verb } from '../verb.ts'

export const exportVerb: Verb = {
  name: 'export',
  usage:
    'export --cells LIST|@FILE --to FOLDER|s3://BUCKET/PREFIX [--dataset ID [--run RUN]] [--variables NAMES] [--hours N] [--units metric|imperial] [--at TIME] [--url URL] [--key KEY]',
  summary: 'write the hourly values of chosen cells as Parquet files to a folder or bucket',
  help: `
  npx hexcast export --cells '39.74,-104.99 872681364ffffff' --to s3://my-bucket/weather
  npx hexcast export --cells @cells.txt --to ./weather --dataset nbm --variables temperature,wind_speed

--cells      points LAT,LON and H3 cells, separated by blanks; a coarser cell stands for the model cells in it (at most 20,000 in all)
--dataset    a dataset with runs (default: the hourly forecast of /v1/weather)
--run        a stored run of it, such as 2026-08-20T12Z (default: the served run)
--variables  up to 20 names of hourly rows, or of variables of the dataset
--hours      rows of each cell, 1 to 264 (default: 48)
--at         the forecast as it was answered at this time (default: the start of this hour)
--url, --key a running server and a key of it (default: the one on this machine, with a key for this call)

A file has at most 100 cells, one row for each cell and time, and is below dataset=ID/domain=ID/run=RUN or dataset=blend/hour=HOUR. The
same call writes the same file again, so it can be repeated after a failure and run each hour by cron. S3 settings are those of the
object store: S3_ENDPOINT, AWS_REGION and the credentials.`,
  options: Object.fromEntries(
    ['cells', 'to', 'dataset', 'run', 'variables', 'hours', 'units', 'at', 'url', 'key'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
  async run(line) {
    const { runExport } = await import('../export/run.ts')
    return runExport(line)
  },
}
