import { catalog } from '../../ingest/catalog.ts'
import type { FeedDataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables as table } from '../../ingest/domain/dataset/variable.ts'
import { quantityOf, unitLabel } from '../answer/values.ts'
import { type Quantity, type UnitSystem, units } from '../present/units.ts'

export interface VariableFacts {
  readonly name: string
  readonly standard_name: string | null
  readonly description: string
  readonly unit: string
  readonly units: Readonly<Record<'imperial' | 'metric' | 'si', string>>
  readonly kind: 'instant' | 'accumulation' | 'extreme' | 'probability' | 'code'
  readonly window_hours: number | null
  readonly range: readonly [number, number] | null
  readonly precision: number | null
  readonly domains: readonly string[]
  readonly functions: readonly string[]
}

const functions = ['min', 'max', 'mean', 'median', 'stddev', 'count', 'argmin', 'argmax', 'p1…p99']

/** What is measured by frames alone: the tiles have no such variables. */
const ofFrames: Readonly<
  Record<string, { readonly quantity: Quantity; readonly label?: string; readonly windowHours?: number }>
> = {
  precip_rate: { quantity: 'precip_amount' },
  precip_flag: { quantity: 'whole', label: 'code' },
  reflectivity_dbz: { quantity: 'tenth', label: 'dBZ' },
  radar_quality: { quantity: 'thousandth', label: 'index' },
  precip_1h: { quantity: 'precip_amount', windowHours: 1 },
  precip_24h: { quantity: 'precip_amount', windowHours: 24 },
  lightning_density: { quantity: 'thousandth', label: 'strikes/km2/min' },
  lightning_prob: { quantity: 'percent' },
}

/** What sources of observations write of their variables. */
const given = new Map(
  catalog.flatMap((one) => ((one as Partial<FeedDataset>).gives ?? []).map((variable) => [variable.name, variable])),
)

/** What a variable of any dataset measures. */
export function quantityIn(name: string): Quantity {
  return ofFrames[name]?.quantity ?? quantityOf(name)
}

/** Its unit in a system; rates are per hour. */
export function unitIn(name: string, system: UnitSystem): string {
  const label = ofFrames[name]?.label ?? unitLabel(name, quantityIn(name), system)
  return name === 'precip_rate' ? `${label}/h` : label
}

function kindOf(name: string, quantity: Quantity): VariableFacts['kind'] {
  if (name === 'precip_flag') return 'code'
  if (ofFrames[name]?.windowHours || /^(precip|snow|ice)_amount/.test(name)) return 'accumulation'
  return name.includes('prob') && quantity === 'percent' ? 'probability' : 'instant'
}

export function factsOf(name: string, domains: readonly string[]): VariableFacts {
  const known = table.get(name)
  const quantity = quantityIn(name)
  const kind = known?.kind ?? kindOf(name, quantity)
  return {
    name,
    standard_name: known?.standardName ?? null,
    description: known?.description ?? given.get(name)?.description ?? name.replaceAll('_', ' '),
    unit: known?.unit ?? given.get(name)?.unit ?? units.si.of[quantity].label,
    units: { imperial: unitIn(name, 'imperial'), metric: unitIn(name, 'metric'), si: unitIn(name, 'si') },
    kind,
    window_hours: known?.windowHours ?? ofFrames[name]?.windowHours ?? (kind === 'accumulation' ? 1 : null),
    range: known?.range ?? null,
    precision: known?.precision ?? null,
    domains,
    functions: functionsOf(quantity, kind),
  }
}

function functionsOf(quantity: Quantity, kind: VariableFacts['kind']): readonly string[] {
  if (quantity === 'direction') return ['mean', 'count']
  return kind === 'accumulation' ? ['sum', ...functions] : functions
}
