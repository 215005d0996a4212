import type { Instant } from '../../domain/time.ts'
import { lineOf, type Mesoscale, readMesoscale } from './mesoscale.ts'

/**
 * Reads a mesoscale discussion of the Storm Prediction Center.
 * @throws Fault Corrupt if the number, VALID or the polygon is absent
 */
export function readMcd(body: string, issuedAt: Instant): Mesoscale & { watch_probability?: number } {
  const stated = /^(\d{1,3}) percent/i.exec(lineOf(body.split('\n'), 'probability of watch issuance') ?? '')?.[1]
  const percent = stated === undefined ? undefined : Number(stated)
  return {
    ...readMesoscale(body, issuedAt),
    ...(percent !== undefined && percent <= 100 && { watch_probability: percent }),
  }
}
