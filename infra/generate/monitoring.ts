import { textOf } from '../build-kernels.ts'
import { dashboardJson } from '../monitoring/dashboard.ts'
import { alarmsTable, rulesYaml, ruleTestsYaml, runbook } from '../monitoring/rules.ts'

const MARK = /<!-- table:alarms -->[\s\S]*?<!-- end -->/

/** Generates the rules, their unit tests and the table of OPS.md and the runbook from the list of alarms, and the dashboard. */
export const monitoringFiles = () => [
  { path: 'infra/monitoring/rules.yaml', text: rulesYaml() },
  { path: 'infra/monitoring/rules.test.yaml', text: ruleTestsYaml() },
  { path: 'infra/monitoring/dashboard.json', text: dashboardJson() },
  { path: 'docs/RUNBOOK.md', text: runbook() },
  {
    path: 'infra/OPS.md',
    text: textOf('infra/OPS.md').replace(MARK, () => `<!-- table:alarms -->\n${alarmsTable()}\n<!-- end -->`),
  },
]
