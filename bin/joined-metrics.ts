/**
 * Joins the metrics of two processes. A metric of both processes becomes one group with one HELP and one TYPE line, as
 * the text format requires.
 * @param first, second metrics in the text format of Prometheus
 */
export function joinedMetrics(first: string, second: string): string {
  const groups = new Map<string, string[]>()
  for (const text of [first, second])
    for (const group of text.split(/^(?=# HELP )/m)) {
      const name = /^# HELP (\S+)/.exec(group)?.[1] ?? ''
      const lines = group.split('\n').filter(Boolean)
      const known = groups.get(name)
      if (known) known.push(...lines.filter((line) => !line.startsWith('#')))
      else groups.set(name, lines)
    }
  return `${[...groups.values()].flat().join('\n')}\n`
}
