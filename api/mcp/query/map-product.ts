import { type Family, families, frameProducts, memberAsFamily } from '../../dataset/dataset.ts'
import { palettes } from '../../picture/colours.ts'
import type { ToolContext } from '../protocol/context.ts'

/** Datasets that get_map_snapshot draws as areas or tracks, and the product that it calls them by. */
const drawnAs: Readonly<Record<string, string>> = {
  alerts: 'alerts',
  'nws-alerts': 'alerts',
  spc: 'spc',
  'spc-outlooks': 'spc',
  'spc-fire': 'spc-fire',
  'storm-tracks': 'storm-tracks',
}

/** What `product` of get_map_snapshot names a dataset by: its id, or `id:VARIABLE` for one of its variables; null where it is not drawn. */
export function mapProductOf({ id, storage, members }: Family): string | null {
  if (drawnAs[id]) return drawnAs[id]
  if (palettes[id]) return id
  if (storage === 'runs' || storage === 'blend') return `${id}:VARIABLE`
  return storage === 'frames' && members.some((one) => palettes[one.id]) ? `${id}:VARIABLE` : null
}

/** The frame product that draws a variable of a family: the first that is stored, else the first. */
export function frameProductOf(
  { deps: { radar, values } }: Pick<ToolContext, 'deps'>,
  family: Family,
  variable: string,
): string | undefined {
  const drawn = frameProducts(family, variable).filter(({ id }) => palettes[id])
  const stored = drawn.find(({ id, domains }) => domains.some((one) => radar.newestTime(id, one.id) !== undefined))
  return (stored ?? drawn[0])?.id ?? values.datasets.find(({ id }) => id === family.id && palettes[id])?.id
}

/** Everything that list_datasets names: families, each followed by the products that have an id of their own. */
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
