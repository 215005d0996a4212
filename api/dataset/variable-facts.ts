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

/** Variables that only frames have: tiles have no such variables. */
const frameVariables: Readonly<
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

/** The variables of observing sources, with their descriptions. */
const observedVariables = new Map(
  catalog.flatMap((dataset) =>
    ((dataset as Partial<FeedDataset>).gives ?? []).map((variable) => [variable.name, variable]),
  ),
)

/** The quantity that a variable of any dataset measures. */
export function quantityIn(name: string): Quantity {
  return frameVariables[name]?.quantity ?? quantityOf(name)
}

/** The unit of a variable in a system; rates are per hour. */
export function unitIn(name: string, system: UnitSystem): string {
  const label = frameVariables[name]?.label ?? unitLabel(name, quantityIn(name), system)
  return name === 'precip_rate' ? `${label}/h` : label
}

function kindOf(name: string, quantity: Quantity): VariableFacts['kind'] {
  if (name === 'precip_flag') return 'code'
  if (frameVariables[name]?.windowHours || /^(precip|snow|ice)_amount/.test(name)) return 'accumulation'
  return name.includes('prob') && quantity === 'percent' ? 'probability' : 'instant'
}

/** The facts about a variable that describe_dataset shows. */
export function factsOf(name: string, domains: readonly string[]): VariableFacts {
  const variable = table.get(name)
  const quantity = quantityIn(name)
  const kind = variable?.kind ?? kindOf(name, quantity)
  return {
    name,
    standard_name: variable?.standardName ?? null,
    description: variable?.description ?? observedVariables.get(name)?.description ?? name.replaceAll('_', ' '),
    unit: variable?.unit ?? observedVariables.get(name)?.unit ?? units.si.conversions[quantity].label,
    units: { imperial: unitIn(name, 'imperial'), metric: unitIn(name, 'metric'), si: unitIn(name, 'si') },
    kind,
    window_hours: variable?.windowHours ?? frameVariables[name]?.windowHours ?? (kind === 'accumulation' ? 1 : null),
    range: variable?.range ?? null,
    precision: variable?.precision ?? null,
    domains,
    functions: functionsOf(quantity, kind),
  }
}

function functionsOf(quantity: Quantity, kind: VariableFacts['kind']): readonly string[] {
  if (quantity === 'direction') return ['mean', 'count']
  return kind === 'accumulation' ? ['sum', ...functions] : functions
}
