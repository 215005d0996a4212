import type { Alarm } from './alarm.ts'
import { dataAlarms } from './alarms/data.ts'
import { machineryAlarms } from './alarms/machinery.ts'
import { serviceAlarms } from './alarms/service.ts'

const isCritical = ({ severity }: Alarm) => severity === 'critical'
const all: readonly Alarm[] = [...dataAlarms, ...serviceAlarms, ...machineryAlarms]

/**
 * All alarms, the critical ones first. `npm run generate` writes the rules, their tests, the table of OPS.md and the
 * pages of docs/RUNBOOK.md.
 */
export const alarms: readonly Alarm[] = [...all.filter(isCritical), ...all.filter((alarm) => !isCritical(alarm))]
