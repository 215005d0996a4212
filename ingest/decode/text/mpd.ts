import type { MesoscaleDiscussion } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { type Mesoscale, readMesoscale } from './mesoscale.ts'

type Tier = NonNullable<MesoscaleDiscussion['flash_flood_tier']>

/**
 * Reads a mesoscale precipitation discussion of the Weather Prediction Center.
 * @throws Fault Corrupt if the number, VALID or the polygon is absent
 */
export function readMpd(body: string, issuedAt: Instant): Mesoscale & { flash_flood_tier?: Tier } {
  const read = readMesoscale(body, issuedAt)
  const tier = /flash flooding (possible|likely|occurring)/i.exec(read.concerning ?? '')?.[1]?.toLowerCase()
  return { ...read, ...(tier && { flash_flood_tier: tier as Tier }) }
}
