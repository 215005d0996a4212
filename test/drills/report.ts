import { appendFileSync } from 'node:fs'

/** Prints a row of the drill report and appends it to the file that DRILL_REPORT names. */
export function report(drill: string, outcome: string): void {
  const row = `| ${drill} | ${outcome} |`
  console.log(row)
  const file = process.env['DRILL_REPORT']
  if (file) appendFileSync(file, `${row}\n`)
}
