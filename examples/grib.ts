/** Lists the fields of a GRIB2 file with grib2-wasm: node examples/grib.ts FILE [LAT,LON] */
import { readFileSync } from 'node:fs'
import { readMessages } from 'grib2-wasm'

const [file = 'test/cases/grib/lambert-second-order.grib2', point = '39.74,-104.99'] = process.argv.slice(2)
const [lat, lon] = point.split(',').map(Number) as [number, number]
for (const { product, grid, values } of Array.from(readMessages(readFileSync(file)), (message) => ({
  product: message.product,
  grid: message.grid,
  values: message.values(),
}))) {
  const [i, j] = grid.toIndex(lat, lon)
  const value = values[Math.round(j) * grid.nx + Math.round(i)]
  console.log(`${product.name} at ${product.level?.name}: ${value} ${product.unit} at ${lat},${lon}`)
}
