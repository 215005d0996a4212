import type { Span } from '../../engines/collector.ts'

/** Returns the spans that began between two instants, by name: begin of the first and end of the last, s after the first instant. */
export function timeline(spans: readonly Span[], from: number, to: number): string[] {
  const phases = new Map<string, { began: number; ended: number; sum: number; count: number }>()
  for (const { name, service, startTimeUnixNano, endTimeUnixNano } of spans) {
    const [began, ended] = [startTimeUnixNano, endTimeUnixNano].map((nano) => (Number(nano) / 1e6 - from) / 1000) as [
      number,
      number,
    ]
    if (service !== 'hexcast-worker' || began < 0 || began > (to - from) / 1000) continue
    const phase = phases.get(name) ?? { began, ended, sum: 0, count: 0 }
    phases.set(name, {
      began: Math.min(began, phase.began),
      ended: Math.max(ended, phase.ended),
      sum: phase.sum + ended - began,
      count: phase.count + 1,
    })
  }
  return [...phases]
    .sort(([, a], [, b]) => a.began - b.began)
    .map(
      ([name, { began, ended, sum, count }]) =>
        `  ${name.padEnd(16)} ${began.toFixed(2).padStart(6)} to ${ended.toFixed(2).padStart(6)}, ${sum.toFixed(2)} s in ${count}`,
    )
}
