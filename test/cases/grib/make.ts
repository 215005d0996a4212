/**
 * Writes the committed messages of this folder with the simulator's encoder: `node test/cases/grib/make.ts`, then
 * `python oracle.py *.grib2 > oracle.json`, and for REFS `python refs.py`, with the PyPI package eccodes 2.50. The messages have every projection and packing
 * of the encoder, with missing points and reversed rows. They stand in for recorded NOAA files, which a clone lacks.
 */
import { writeFileSync } from 'node:fs'
import { gribMessage, type Origin, type ProductDefinition } from '../../../infra/simulator/grib.ts'
import { coarsen, grids, type SimulatedGrid } from '../../../infra/simulator/grids.ts'
import type { PackingDefinition } from '../../../infra/simulator/packing.ts'
import { seeded } from '../../tile/made-slabs.ts'
import { refsFiles } from './refs.ts'

const origin: Origin = { centre: 7, subcentre: 14, run: Date.UTC(2026, 10, 21, 18) }
const product: ProductDefinition = {
  discipline: 0,
  category: 0,
  number: 0,
  surface: { type: 103, value: 2 },
  leadHours: 6,
}
const packings: Readonly<Record<string, PackingDefinition>> = {
  simple: { template: 0, decimal: 2 },
  'first-order': { template: 3, decimal: 1, order: 1 },
  'second-order': { template: 3, decimal: 2, order: 2 },
  png: { template: 41, decimal: 1, bits: 16 },
}
const shapes: Readonly<Record<string, readonly [grid: SimulatedGrid, every: number]>> = {
  lambert: [grids.nbmConus, 60],
  polar: [grids.nbmAlaska, 50],
  mercator: [grids.nbmHawaii, 20],
  latlon: [grids.gfs, 24],
}
/** RRFS has its own grids, and a field of one value has no groups. */
const rrfs: Readonly<Record<string, readonly [grid: SimulatedGrid, every: number]>> = {
  'rrfs-conus': [grids.hrrrConus, 45],
  'rrfs-alaska': [grids.rrfsAlaska, 50],
  'rrfs-hawaii': [grids.rrfsHawaii, 10],
}

function write(name: string, coarse: SimulatedGrid, how: PackingDefinition, values: Float32Array): void {
  writeFileSync(new URL(`./${name}.grib2`, import.meta.url), gribMessage(origin, coarse, product, how, values))
}

for (const [shape, [grid, every]] of Object.entries(shapes)) {
  const coarse = coarsen(grid, every)
  for (const [packing, how] of Object.entries(packings)) {
    const random = seeded(shape.length * 100 + packing.length)
    const values = Float32Array.from({ length: coarse.nx * coarse.ny }, (_, k) => {
      const [i, j] = [k % coarse.nx, Math.floor(k / coarse.nx)]
      return random() < 0.03 ? Number.NaN : 280 + 15 * Math.sin(i / 7) - j / 3 + random()
    })
    write(`${shape}-${packing}`, coarse, how, values)
  }
}
for (const [name, [grid, every]] of Object.entries(rrfs)) {
  const coarse = coarsen(grid, every)
  const how: PackingDefinition = { template: 3, decimal: 2, order: 2, noGroups: true }
  const wave = (_: unknown, k: number) => 280 + 15 * Math.sin((k % coarse.nx) / 7) - Math.floor(k / coarse.nx) / 3
  const values = Float32Array.from({ length: coarse.nx * coarse.ny }, wave)
  write(name, coarse, how, values)
  write(`${name}-constant`, coarse, how, values.fill(273.25))
}
for (const { name, messages } of refsFiles)
  writeFileSync(
    new URL(`./${name}.grib2`, import.meta.url),
    Buffer.concat(
      messages.map(({ scene, product, packing, values }) =>
        gribMessage({ ...origin, subcentre: 0, process: 136, run: scene.run }, scene.grid, product, packing, values),
      ),
    ),
  )
