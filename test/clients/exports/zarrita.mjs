// Reads the temperature at the cell of the argument, and prints it by time (°C), as JSON.
import * as zarr from 'zarrita'

const { HEXCAST_URL: base, HEXCAST_KEY: key } = process.env
const headers = { authorization: `Bearer ${key}` }
const { url } = await fetch(`${base}/zarr/nbm/conus`, { headers })
const store = await zarr.withConsolidatedMetadata(new zarr.FetchStore(url, { overrides: { headers } }), {
  format: 'v3',
})
const run = await zarr.open(store, { kind: 'group' })
const read = async (name, selection) =>
  (await zarr.get(await zarr.open(run.resolve(name), { kind: 'array' }), selection)).data
const index = (await read('cell')).indexOf(BigInt(`0x${process.argv[2]}`))
const times = await read('time')
const values = await read('temperature', [null, index])
const rows = Array.from(times, (time, i) => [
  new Date(Number(time) * 1000).toISOString().replace('.000', ''),
  values[i] - 273.15,
])
console.log(JSON.stringify(Object.fromEntries(rows.filter(([, value]) => !Number.isNaN(value)))))
