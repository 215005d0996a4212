import { type Family, families, frameProducts, memberAsFamily } from '../../dataset/dataset.ts'
import { REFLECTIVITIES } from '../../live/radar.ts'
import { palettes } from '../../picture/colours.ts'
import type { ToolContext } from '../protocol/context.ts'

/** The product of a map that names no product: the column maximum of the radar reflectivity. */
export const DEFAULT_PRODUCT = REFLECTIVITIES[1]

/** Datasets that get_map_snapshot draws as areas or tracks, with the name of the product. */
const drawnAs: Readonly<Record<string, string>> = {
  alerts: 'alerts',
  'nws-alerts': 'alerts',
  spc: 'spc',
  'spc-outlooks': 'spc',
  'spc-fire': 'spc-fire',
  'storm-tracks': 'storm-tracks',
}

/** Returns the value of `product` of get_map_snapshot for a dataset: its id, or `id:VARIABLE` for one of its variables; null if it cannot be drawn. */
export function mapProductOf({ id, storage, members }: Family): string | null {
  if (drawnAs[id]) return drawnAs[id]
  if (palettes[id]) return id
  if (storage === 'runs' || storage === 'blend') return `${id}:VARIABLE`
  return storage === 'frames' && members.some((member) => palettes[member.id]) ? `${id}:VARIABLE` : null
}

/** Returns the frame product for a variable of a family: the first product that is stored, else the first. */
export function frameProductOf(
  { deps: { radar, values } }: Pick<ToolContext, 'deps'>,
  family: Family,
  variable: string,
): string | undefined {
  const drawn = frameProducts(family, variable).filter(({ id }) => palettes[id])
  const stored = drawn.find(({ id, domains }) =>
    domains.some((domain) => radar.newestTime(id, domain.id) !== undefined),
  )
  return (stored ?? drawn[0])?.id ?? values.datasets.find(({ id }) => id === family.id && palettes[id])?.id
}

/** Returns every dataset of list_datasets: the families, each with those of its products that have a separate id. */
export function everyDataset(context: Pick<ToolContext, 'deps'>): { family: Family; products: Family[] }[] {
  const all = families(context)
  const named = new Set(all.map(({ id }) => id))
  return all.map((family) => ({
    family,
    products:
      family.id === 'blend'
        ? []
        : family.members.flatMap(({ id }) => (named.has(id) ? [] : (memberAsFamily([family], id) ?? []))),
  }))
}
