import { appendFileSync } from 'node:fs'

/** One row of the drill report: on the screen, and in the file that DRILL_REPORT names. */
export function report(drill: string, outcome: string): void {
  const row = `| ${drill} | ${outcome} |`
  console.log(row)
  const file = process.env['DRILL_REPORT']
  if (file) appendFileSync(file, `${row}\n`)
}
