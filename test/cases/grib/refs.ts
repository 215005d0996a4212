import { coarsen, grids } from '../../../infra/simulator/grids.ts'
import { refsProducts } from '../../../infra/simulator/refs.ts'

const RUN = Date.UTC(2026, 10, 21, 18)
/** A lead with windows of 1, 6 and 24 hours. */
const LEAD = 24

const areas = [
  ['conus', coarsen(grids.hrrrConus, 60)],
  ['alaska', coarsen(grids.rrfsAlaska, 60)],
  ['hawaii', coarsen(grids.rrfsHawaii, 12)],
] as const

/** All messages of the four products of REFS at one hour in three domains, on thinned grids, with their values before packing. */
export const refsFiles = areas.map(([domain, grid]) => {
  const scene = { grid, run: RUN, leadHours: LEAD }
  return {
    name: `refs-${domain}`,
    messages: refsProducts.flatMap(({ messages }) =>
      messages(domain)(RUN, LEAD).map((message) => ({ ...message, scene, values: message.values(scene) })),
    ),
  }
})
