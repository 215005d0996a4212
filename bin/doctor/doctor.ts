import { coverage } from '../../ingest/geo/coverage.ts'
import type { AnyJson } from './answer-members.ts'
import { rules, violationsOf } from './rules.ts'

/**
 * Boxes of the three domains in degrees (south, west, height, width). A domain has as many boxes as its share of the
 * points requires.
 */
const boxes = [
  [25, -124, 24, 57],
  [25, -124, 24, 57],
  [25, -124, 24, 57],
  [55, -165, 15, 35],
  [18.9, -160, 3.4, 5.2],
] as const

const include = 'current,hourly,daily,alerts,outlooks,astro,narrations,nowcast,radar,uncertainty'

/** Generates `count` points inside the coverage. Every call generates the same points. */
export function* pointsOf(count: number): Generator<{ lat: number; lon: number }> {
  let total = 0
  for (let i = 1; total < count && i < count * 20; i++) {
    const [south, west, height, width] = boxes[i % boxes.length] ?? boxes[0]
    const lat = Number((south + height * ((i * 0.7548776662) % 1)).toFixed(4))
    const lon = Number((west + width * ((i * 0.5698402909) % 1)).toFixed(4))
    if (!coverage(lat, lon)) continue
    total++
    yield { lat, lon }
  }
}

/** Result of a check; `counts` and `examples` are by rule. */
export interface DoctorResult {
  readonly answers: number
  readonly failed: number
  readonly counts: ReadonlyMap<string, number>
  readonly examples: ReadonlyMap<string, string>
}

/** Requests points from a running server and checks each answer by every rule; four requests run concurrently. */
export async function checkServer(base: string, key: string, points: number): Promise<DoctorResult> {
  const counts = new Map<string, number>(rules.map(({ name }) => [name, 0]))
  const examples = new Map<string, string>()
  let answers = 0
  let failed = 0
  const remainingPoints = pointsOf(points)
  const worker = async () => {
    for (const { lat, lon } of remainingPoints) {
      const url = `${base}/v1/weather?lat=${lat}&lon=${lon}&include=${include}&hourly_hours=120&days=14`
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(30_000),
      }).catch(() => undefined)
      if (!response?.ok) {
        failed++
        examples.set('no answer', `${lat},${lon}: ${response ? `HTTP ${response.status}` : 'no response within 30 s'}`)
        continue
      }
      answers++
      for (const { rule, detail } of violationsOf((await response.json()) as AnyJson)) {
        counts.set(rule, (counts.get(rule) ?? 0) + 1)
        if (!examples.has(rule)) examples.set(rule, `${lat},${lon}: ${detail}`)
      }
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return { answers, failed, counts, examples }
}

/** Formats the report, one line for each rule, the most frequent contradiction first. */
export function reportOf({ answers, failed, counts, examples }: DoctorResult): string[] {
  const worst = [...counts].sort((a, b) => b[1] - a[1])
  const total = worst.reduce((sum, [, count]) => sum + count, 0)
  return [
    `${answers} answers, ${failed} failed, ${total} contradictions`,
    ...worst.map(
      ([rule, count]) => `${String(count).padStart(6)}  ${rule}${count > 0 ? `\n        ${examples.get(rule)}` : ''}`,
    ),
    ...(failed > 0 ? [`        ${examples.get('no answer')}`] : []),
  ]
}
