import type { Verb } from '../verb.ts'

export const scoreboardVerb: Verb = {
  name: 'scoreboard',
  usage: 'scoreboard --out FOLDER|s3://BUCKET/PREFIX [--days N] [--until DAY] [--units imperial|metric]',
  summary: 'write a static site of the measured skill to a folder or bucket',
  help: `
  npx hexcast scoreboard --out ./scores
  npx hexcast scoreboard --out s3://my-bucket/scores --days 90

Scores of the served forecast beside NBM, HRRR, RRFS, GFS and the last report, by variable, lead, region and station, and of the nowcasts:
pages without scripts, and CSV and JSON files. The figures are those of /v1/skill, read from the database. Start with index.html.

--days   days of the period, 1 to 400 (default: 30)
--until  last day of the period (UTC), such as 2026-11-28 (default: the last day that was compared)
--units  of errors: imperial or metric (default: imperial)

The same scores give the same bytes, so it can be repeated after a failure and run each day by cron. Files of the period before are
overwritten. The page of a station without a pair in the period stays as it was, with its period. S3 settings are those of the object
store: S3_ENDPOINT, AWS_REGION and the credentials.`,
  options: Object.fromEntries(['out', 'days', 'until', 'units'].map((name) => [name, { type: 'string' }])),
  async run(line) {
    const { runScoreboard } = await import('../scoreboard.ts')
    return runScoreboard(line)
  },
}
