import type { Threat } from '../weather/threat.ts'

/** The threat type of an event from words in its name; the first match counts. */
const kinds: readonly (readonly [RegExp, Threat['type']])[] = [
  [/tornado/i, 'tornado'],
  [/severe thunderstorm|severe weather/i, 'severe'],
  [/flood/i, 'flood'],
  [/winter|snow|blizzard|ice storm|sleet|freezing rain|lake effect/i, 'winter'],
  [/red flag|fire weather|\bfire\b/i, 'fire'],
  [/heat/i, 'heat'],
  [/wind chill|cold|freeze|frost/i, 'cold'],
  [/hurricane|tropical storm|typhoon|high wind|wind advisory|extreme wind/i, 'wind'],
]
const grades = ['Emergency', 'Warning', 'Watch', 'Advisory']

/** Returns the threat type of an alert with its grade as the label: Winter Storm Warning → winter, Warning. Undefined for statements. */
export function threatOfAlert(event: string): Threat | undefined {
  const grade = grades.find((word) => event.endsWith(word))
  const kind = kinds.find(([pattern]) => pattern.test(event))
  return grade && kind ? { type: kind[1], risk: event, risk_label: grade } : undefined
}

/**
 * Combines the threats of a day with its alerts: the most severe alert of a type replaces the threat derived from numbers and keeps its
 * probability. Severe-storm threats of the SPC stay, because they have their own levels.
 */
export function withAlerts(threats: readonly Threat[], events: readonly string[]): Threat[] {
  const gravest = new Map<Threat['type'], Threat>()
  for (const event of events) {
    const threat = threatOfAlert(event)
    if (!threat) continue
    const other = gravest.get(threat.type)
    if (!other || grades.indexOf(threat.risk_label) < grades.indexOf(other.risk_label)) gravest.set(threat.type, threat)
  }
  const fromNumbers = threats.map((threat) => {
    const alert = threat.type === 'severe' ? undefined : gravest.get(threat.type)
    return alert ? { ...alert, ...(threat.probability !== undefined && { probability: threat.probability }) } : threat
  })
  const types = new Set(threats.map(({ type }) => type))
  return [...fromNumbers, ...[...gravest.values()].filter(({ type }) => !types.has(type))]
}
